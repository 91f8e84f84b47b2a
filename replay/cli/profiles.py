"""`replay profiles`: which rule sets there are, what is in them, how two differ, and rule sets of one's own."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import orjson

from replay.cli.importing import refuse_existing, write_whole
from replay.cli.inputs import STDIN
from replay.cli.options import (
    Options,
    check_options,
    document_in,
    format_option,
    is_file,
    lang_option,
    objection_lines,
    option_option,
    problem_lines,
    rules_named,
)
from replay.cli.program import FOUND, Refused
from replay.house import LONGEST_PROSE, free_id, house_id, house_rules, misfits, objections, started
from replay.profile import OptionProblems, RuleProfile, load_profile, profile_ids, values
from replay.text import COLUMNS
from replay.text.catalogue import rule_label
from replay.text.cited import clause_line, quoted
from replay.wording import Words
from replay.wording.plain import visible, wrap

VALUE_LENGTH = 600
_HALF = re.compile("[\ud800-\udfff]")
Facts = dict[str, Any]


@click.group("profiles")
def profiles_group() -> None:
    """The rule sets: list them, show one, compare two, start one of your own and check it.

    \b
    Example:
      replay profiles list
      replay profiles diff ONE ANOTHER
      replay profiles new --from ID -o our-room.json
    """


@profiles_group.command("list")
@format_option
@lang_option
def list_command(output: str, words: Words) -> None:
    """List the rule sets that are built in.

    \b
    Example:
      replay profiles list --lang zh-Hans
    """
    rules = [load_profile(name) for name in profile_ids()]
    if output == "json":
        for one in rules:
            click.echo(orjson.dumps(identity(one)))
        return
    longest = max(len(one.id) for one in rules)
    for one in rules:
        echo(
            [
                f"{one.id:<{longest}}  {spoken(one.names, words)}",
                f"{'':{longest}}  {spoken(one.summary, words)}",
            ]
        )


@profiles_group.command("show")
@click.argument("profile", metavar="ID")
@option_option
@format_option
@lang_option
def show_command(profile: str, options: Options, output: str, words: Words) -> None:
    """Show every value of a rule set, with the clause it rests on.

    ID is one of `replay profiles list`, or a .json file of your own.

    \b
    Example:
      replay profiles show ID --lang zh-Hant
      replay profiles show ./our-room.json --option cap_fan=4 --format json
    """
    rules = rules_named(profile, options, words)
    if output == "json":
        click.echo(orjson.dumps({**identity(rules), **contents(rules)}))
        return
    echo(heading(rules, words))
    echo(line for key in values(rules) for line in value_lines(rules, key, words))
    echo(line for key in rules.cites if key not in values(rules) for line in topic_lines(rules, key, words))


@profiles_group.command("new")
@click.option("--from", "base", metavar="ID|FILE", required=True, help="The rule set to start from.")
@click.option(
    "-o", "--output", "target", metavar="OUT", required=True, type=click.Path(), help="- is stdout."
)
@click.option("--id", "wanted", metavar="ID", help="The id of the new one; by default the name of OUT.")
@click.option("--name", metavar="TEXT", help="What it is called, in every language.")
@option_option
@click.option("--force", is_flag=True, help="Write over OUT if it is there.")
@lang_option
def new_command(
    base: str,
    target: str,
    wanted: str | None,
    name: str | None,
    options: Options,
    force: bool,
    words: Words,
) -> None:
    """Write a complete rule set of your own to start from: a copy of another, with --option changes made.

    What stays as it was keeps the words that it rests on. Of what --option changes, a reading says that the house
    set it; say the same where you change a value in the file, so that a report quotes nothing that does not hold.
    Then `replay profiles check` tells whether it can be used, and `replay audit --profile` audits by it.

    \b
    Example:
      replay profiles new --from ID -o our-room.json
      replay profiles new --from ID --option cap_fan=4 --name "Our room" -o our-room.json
    """
    if target != STDIN and not force:
        refuse_existing(target, words)
    check_options(options, words)
    if name is not None and not is_name(name):
        raise Refused(words.say("cli.profile.name", most=LONGEST_PROSE))
    rules = rules_named(base, {}, words)
    origin = document_in(base, words) if is_file(base) else None
    typed = wanted if wanted is not None else house_id("" if target == STDIN else Path(target).stem)
    names = dict.fromkeys(rules.names, name) if name is not None else None
    try:
        document = started(rules, free_id(typed or f"{rules.id[:58]}-house"), options, names, origin)
    except OptionProblems as error:
        raise Refused("\n".join(problem_lines(words, error))) from None
    write_whole(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n", target, force, words)


def is_name(text: str) -> bool:
    """Whether a rule set can be called so; bytes of the command line that are no text come as halves of a pair."""
    return 0 < len(text) <= LONGEST_PROSE and not _HALF.search(text)


@profiles_group.command("check")
@click.argument("file", type=click.Path())
@lang_option
@click.pass_context
def check_command(ctx: click.Context, file: str, words: Words) -> None:
    """Check a rule set of your own: every key there, every value one that the engine knows.

    Each problem is told with its place, what was found and what is expected, and the words that the rule set it was
    started from rests on there. Of a changed value that still cites those words a note is made.

    \b
    Exit status: 0 it can be used, 1 it cannot, 2 the file could not be read.

    \b
    Example:
      replay profiles check ./our-room.json
    """
    document = document_in(file, words)
    found = objections(document)
    if found:
        echo(objection_lines(words, found))
        ctx.exit(FOUND)
    echo([words.say("cli.profile.sound", name=visible(file, 200)), *heading(house_rules(document), words)])
    for key in misfits(document):
        echo([words.say("cli.profile.misfit", key=key, rule=rule_label(words, key))])


@profiles_group.command("diff")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@format_option
@lang_option
def diff_command(one: str, other: str, output: str, words: Words) -> None:
    """Compare two rule sets: every key on which they differ, both values, and the clauses.

    A and B are ids or .json files. The exit status is 0 whether they differ or not.

    \b
    Example:
      replay profiles diff ONE ANOTHER
      replay profiles diff ONE ./our-room.json --format json
    """
    pair = rules_named(one, {}, words), rules_named(other, {}, words)
    differing = [key for key, value in values(pair[0]).items() if value != values(pair[1])[key]]
    if output == "json":
        for key in differing:
            click.echo(orjson.dumps({"key": key, "sides": [side_facts(rules, key) for rules in pair]}))
        return
    if not differing:
        echo([words.say("cli.profile.same")])
    for key in differing:
        echo([words.say("cli.profile.key", key=key, rule=words.label("rule", key))])
        echo(f"  {line}" for rules in pair for line in side(rules, key, words))


# What a rule set looks like --------------------------------------------------------------------------


def echo(lines: Iterable[str]) -> None:
    """Write lines, none wider than the page."""
    click.echo("\n".join(part for line in lines for part in wrap(line, COLUMNS)))


def identity(rules: RuleProfile) -> Facts:
    """Which rule set it is."""
    prose = {"names": dict(rules.names), "summary": dict(rules.summary)}
    return {"id": rules.id, "digest": rules.digest, "options": dict(rules.options), **prose}


def side_facts(rules: RuleProfile, key: str) -> Facts:
    """The value of one of two rule sets, as data."""
    return {"profile": rules.id, "value": values(rules)[key], "clause": clause(rules, key)}


def contents(rules: RuleProfile) -> Facts:
    """What is in it."""
    cites = {key: clause(rules, key) for key in rules.cites}
    readings = {key: dict(texts) for key, texts in rules.readings.items()}
    return {"values": values(rules), "cites": cites, "readings": readings}


def clause(rules: RuleProfile, key: str) -> Facts | None:
    """The words that a value rests on; None where it cites none."""
    cited = rules.cites.get(key)
    return None if cited is None else asdict(cited)


def spoken(texts: Mapping[str, str], words: Words) -> str:
    """The text in the reader's language, else in one that there is."""
    return visible(
        next((texts[lang] for lang in (words.lang, "zh-Hans", "en") if lang in texts), ""), VALUE_LENGTH
    )


def heading(rules: RuleProfile, words: Words) -> list[str]:
    """Id, name and digest."""
    named = [f"{visible(rules.id)}  {spoken(rules.names, words)}", spoken(rules.summary, words)]
    return [*named, words.say("cli.profile.digest", digest=rules.digest)]


def value_lines(rules: RuleProfile, key: str, words: Words) -> Iterable[str]:
    """A key with its value, clause and reading."""
    value = shown(values(rules)[key])
    yield words.say("cli.profile.value", key=key, rule=words.label("rule", key), value=value)
    yield from (f"  {line}" for line in grounds(rules, key, words))


def topic_lines(rules: RuleProfile, key: str, words: Words) -> Iterable[str]:
    """A topic that findings cite and no value stands for, with its clause."""
    yield rule_label(words, key)
    yield from (f"  {line}" for line in grounds(rules, key, words))


def side(rules: RuleProfile, key: str, words: Words) -> Iterable[str]:
    """The value of one of two rule sets."""
    yield words.say("cli.profile.side", profile=visible(rules.id), value=shown(values(rules)[key]))
    yield from (f"  {line}" for line in grounds(rules, key, words))


def grounds(rules: RuleProfile, key: str, words: Words) -> Iterable[str]:
    """The clause that a value rests on, and the reading of what it leaves open."""
    cited = rules.cites.get(key)
    if cited is not None:
        yield clause_line(words, quoted(words, asdict(cited)), marks=False)
    if key in rules.readings:
        yield words.say("cli.profile.reading", text=spoken(rules.readings[key], words))


def shown(value: Any) -> str:
    """A value as JSON."""
    return visible(orjson.dumps(value).decode(), VALUE_LENGTH)
