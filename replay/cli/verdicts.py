"""`replay verify-log` and `checkpoint`: whether the verdict log is as it was written, and its head, signed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from replay.cli.importing import refuse_existing, write_whole
from replay.cli.inputs import STDIN
from replay.cli.opening import opened, refusing
from replay.cli.options import lang_option, unreadable
from replay.cli.program import CLEAN, FOUND, Refused
from replay.cli.serving import read_settings
from replay.settings import KEY_DIGITS
from replay.wording import Words
from replay.wording.plain import visible

if TYPE_CHECKING:
    from replay.jobs.service import Service
    from replay.store.tables import Checkpoint
    from replay.store.verifying import Fault

MOST_SAID = 100
"""Faults that are told one by one; the others are counted."""

LONGEST_FACT = 200


def _keys(ctx: click.Context, param: click.Parameter, given: Iterable[str]) -> frozenset[str]:
    words, keys = ctx.find_object(Words) or Words.of("en"), frozenset(given)
    for key in keys:
        if not KEY_DIGITS.fullmatch(key):
            raise Refused(words.say("verdicts.cli.key", found=visible(key)))
    return keys


@click.command("verify-log")
@click.option(
    "--checkpoint",
    "files",
    metavar="FILE",
    multiple=True,
    help="A checkpoint that was kept elsewhere, which the log must agree with; may be repeated.",
)
@click.option(
    "--key",
    "keys",
    metavar="HEX",
    multiple=True,
    callback=_keys,
    help="The public key that checkpoints must be signed with, instead of this service's own; may be repeated: "
    "after a change of keys the earlier ones are named beside the new one.",
)
@lang_option
@click.pass_context
def verify_log_command(
    ctx: click.Context, files: tuple[str, ...], keys: frozenset[str], words: Words
) -> None:
    """Check the verdict log: every row, the cases that the rows are about, and every checkpoint.

    Each row is hashed anew and compared with the next one, with the entry of the case that it is about, and with the
    checkpoints of the database, those in the folder "checkpoints" beside it, and those that are named. A row that
    was changed, left out or moved is found. What each case says of itself, its parties and its files is derived anew
    from its entries, and its files are hashed. That rows were cut off the end, or that the whole log was written anew,
    is found only by a checkpoint kept where nobody could change it: name it with --checkpoint.

    \b
    Exit status: 0 nothing is wrong, 1 something is, 2 the log or a checkpoint could not be read.

    \b
    Example:
      replay verify-log
      replay verify-log --checkpoint 1200.json --key d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
    """
    from replay.store.verdicts import head_of

    held = [read_file(name, words) for name in files]
    settings = read_settings(words)
    service = opened(settings, words)
    with refusing(settings, words):
        trusted = keys or own_keys(service, words)
        size, head = head_of(service.engine)
        click.echo(words.say("verdicts.cli.log", n=size, head=head))
        for key in sorted(trusted):
            click.echo(words.say("verdicts.cli.by", key=key))
        wrong = tell(faults(service, held, trusted), words)
    if wrong:
        ctx.exit(FOUND)
    click.echo(words.say("verdicts.cli.clean" if held else "verdicts.cli.clean_inside"))
    ctx.exit(CLEAN)


def own_keys(service: "Service", words: Words) -> frozenset[str]:
    """The public key of this service, if it has one yet. Raises `Refused`."""
    from replay.jobs.checkpointing import known_key

    try:
        own = known_key(service)
    except ValueError:
        raise Refused(words.say("verdicts.cli.kept_key")) from None
    return frozenset([own] if own else [])


def read_file(name: str, words: Words) -> "Checkpoint":
    """The checkpoint in a file. Raises `Refused`."""
    from replay.store.checkpoints import LONGEST_FILE, NoCheckpoint, read_checkpoint

    try:
        with Path(name).open("rb") as stream:
            return read_checkpoint(stream.read(LONGEST_FILE + 1))
    except OSError as error:
        raise Refused(unreadable(words, name, error)) from None
    except NoCheckpoint:
        raise Refused(words.say("verdicts.cli.no_checkpoint", name=visible(name, LONGEST_FACT))) from None


def faults(service: "Service", held: Iterable["Checkpoint"], keys: frozenset[str]) -> "Iterator[Fault]":
    """All that is wrong with the log, by the checkpoints at hand and those that were written beside the database."""
    from replay.jobs.checkpointing import folder_of
    from replay.store.checkpoints import files_in
    from replay.store.verifying import Fault, verify

    broken: list[Fault] = []

    def every() -> Iterator["Checkpoint"]:
        yield from held
        for path, one in files_in(folder_of(service)):
            if one is None:
                broken.append(Fault("no_checkpoint", {"name": path.name}))
            else:
                yield one

    yield from verify(service.engine, every(), keys, service.blobs)
    yield from broken


def tell(found: "Iterable[Fault]", words: Words) -> int:
    """Say each fault once, and of many how many more there are; returns how many there are."""
    said: dict[str, None] = {}
    more = 0
    for one in found:
        facts = {name: visible(value, LONGEST_FACT) for name, value in one.facts.items()}
        line = words.say(f"verdicts.fault.{one.kind}", **facts)
        if line in said:
            continue
        if len(said) == MOST_SAID:
            more += 1
            continue
        said[line] = None
        click.echo(line)
    if more:
        click.echo(words.say("verdicts.cli.more", n=more))
    return len(said) + more


@click.command("checkpoint")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="OUT",
    default=STDIN,
    type=click.Path(),
    help="- is stdout, the default.",
)
@click.option("--force", is_flag=True, help="Write over OUT if it is there.")
@lang_option
def checkpoint_command(target: str, force: bool, words: Words) -> None:
    """Sign how long the verdict log is and what its last hash is, and write that down.

    The service does so by itself every hundred rows and every hour in which rows were added, in its database and in
    the folder "checkpoints" of REPLAY_DATA. What is written here is for a place that nobody who can change the
    database can reach: with it `replay verify-log --checkpoint` sees whatever was changed, or cut off, since.

    \b
    Exit status: 0 written, 2 not.

    \b
    Example:
      replay checkpoint -o /mnt/elsewhere/checkpoint.json
    """
    from replay.jobs.checkpointing import checkpoint_now
    from replay.store.checkpoints import LogDiffers, file_bytes

    if target != STDIN and not force:
        refuse_existing(target, words)
    settings = read_settings(words)
    service = opened(settings, words)
    with refusing(settings, words):
        try:
            made = checkpoint_now(service)
        except LogDiffers:
            raise Refused(words.say("verdicts.cli.differs")) from None
        except ValueError:
            raise Refused(words.say("verdicts.cli.kept_key")) from None
    write_whole(file_bytes(made), target, force, words)
