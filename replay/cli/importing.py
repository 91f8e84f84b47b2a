"""`replay import`: a foreign record turned into a log of our own format, with what the turning cost."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import click
import orjson

from replay.catalogue import severity_of
from replay.cli.inputs import STDIN, Document, sources
from replay.cli.options import lang_option, limit_option, unreadable
from replay.cli.program import CLEAN, FOUND, UNUSABLE, Refused
from replay.cli.readable import Unread, readable
from replay.cli.validate import finding_lines
from replay.findings import Finding
from replay.intake import take_in
from replay.limits import Limits
from replay.text import COLUMNS
from replay.wording import Words
from replay.wording.plain import visible, wrap


@click.command("import")
@click.argument("source", metavar="FILE", type=click.Path())
@click.option(
    "-o", "--output", "target", metavar="OUT", required=True, type=click.Path(), help="- is stdout."
)
@click.option("--force", is_flag=True, help="Write over OUT if it is there.")
@limit_option
@lang_option
@click.pass_context
def import_command(
    ctx: click.Context, source: str, target: str, force: bool, limits: Limits, words: Words
) -> None:
    """Convert the record of another program to xuezhan-log/1.

    FILE is one record, or many in one file (NDJSON, .gz, .zip); of many, OUT is NDJSON in the same order.
    What the record does not hold, and what was inferred, is told on standard error. OUT is written whole or
    not at all, and not over a file that is there.

    \b
    Exit status: 0 converted (with notes or without), 1 converted, but the record contradicts itself,
    2 a record could not be converted, or OUT not written.

    \b
    Example:
      replay import record.json -o game.json
      replay import day.zip -o - | replay audit -
    """
    if target != STDIN and not force:
        refuse_existing(target, words)
    unread, logs, code = Unread(words), [], CLEAN
    for found in sources([source]):
        for document in readable(found, unread, limits):
            log, findings = converted(document, limits)
            tell(document.member.name, findings, log is not None, words)
            logs += [log] if log is not None else []
            code = max(code, UNUSABLE if log is None else FOUND if has_error(findings) else CLEAN)
    if not logs:
        ctx.exit(UNUSABLE)
    write_whole(b"".join(logs), target, force, words)
    ctx.exit(UNUSABLE if unread.count else code)


def converted(document: Document, limits: Limits) -> tuple[bytes | None, tuple[Finding, ...]]:
    """The log as one line, or None; with what was found on the way."""
    data = document.member.data
    if data is None:
        return None, document.member.findings
    taken = take_in(data, limits)
    log = taken.document()
    return (orjson.dumps(log) + b"\n" if log is not None else None), taken.findings


def has_error(findings: tuple[Finding, ...]) -> bool:
    """Whether one of them is more than a note."""
    return any(severity_of(finding) == "error" for finding in findings)


def tell(name: str, findings: tuple[Finding, ...], converted: bool, words: Words) -> None:
    """Say on standard error what the conversion came to, if there is anything to say."""
    if findings:
        head = words.say("cli.imported" if converted else "cli.not_imported", name=visible(name, 200))
        lines = [head, *(f"  {line}" for line in finding_lines(findings, words))]
        click.echo("\n".join(part for line in lines for part in wrap(line, COLUMNS)), err=True)


def refuse_existing(target: str, words: Words) -> None:
    """Raise `Refused` when there is such a file."""
    if os.path.lexists(target):
        raise Refused(words.say("cli.exists", name=visible(target, 200)))


def write_whole(data: bytes, target: str, force: bool, words: Words) -> None:
    """Write a file all at once: beside its place first, then moved there. Raises `Refused`."""
    if target == STDIN:
        sys.stdout.buffer.write(data)
        return
    path = Path(target)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if not force:
            refuse_existing(target, words)
        beside.replace(path)
    except OSError as error:
        raise Refused(unreadable(words, target, error)) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
