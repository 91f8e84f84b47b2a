"""`replay validate`: whether files are logs at all, before any hand is judged."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click
import orjson

from replay.catalogue import severity_of, slug_of
from replay.cli.inputs import Document, sources
from replay.cli.options import format_option, lang_option, limit_option
from replay.cli.program import CLEAN, FOUND, UNUSABLE
from replay.cli.readable import Unread, readable
from replay.findings import Finding
from replay.intake import take_in
from replay.limits import Limits
from replay.report import finding_dict
from replay.semantics import check_tiles
from replay.sitting import log_rules
from replay.text import COLUMNS
from replay.wording import Words, render
from replay.wording.plain import visible, wrap


@dataclass(frozen=True, slots=True)
class Check:
    """What became of one document: its format (None where it has none that is known) and what is wrong."""

    name: str
    format: str | None
    hands: int
    findings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether it can be audited."""
        return not any(severity_of(finding) == "error" for finding in self.findings)


@click.command("validate")
@click.argument("inputs", nargs=-1, required=True, type=click.Path())
@format_option
@limit_option
@lang_option
@click.pass_context
def validate_command(
    ctx: click.Context, inputs: tuple[str, ...], output: str, limits: Limits, words: Words
) -> None:
    """Check that files are logs: JSON, limits, schema, and a rule set that is known. No hand is judged.

    INPUTS are as for `replay audit`; at least one is needed. With --format json every document gives a line.

    \b
    Exit status: 0 every document can be audited, 1 one cannot, 2 a file could not be read.

    \b
    Example:
      replay validate game.json
      replay validate logs/ --format json
    """
    unread, valid = Unread(words), True
    for source in sources(inputs):
        for document in readable(source, unread, limits):
            check = checked(document, limits)
            valid = valid and check.valid
            click.echo(as_json(check) if output == "json" else as_text(check, words))
    ctx.exit(UNUSABLE if unread.count else CLEAN if valid else FOUND)


def checked(document: Document, limits: Limits) -> Check:
    """Read a document as far as its rule set."""
    member = document.member
    if member.data is None:
        return Check(member.name, None, 0, member.findings)
    taken = take_in(member.data, limits)
    log = taken.log
    if log is None:
        return Check(member.name, None, 0, taken.findings)
    rules, faults = log_rules(log.rules, None)
    if rules is not None:
        faults = (*faults, *check_tiles(log, rules, range(len(log.hands))))
    importer = taken.importer
    named = f"{importer['name']} {importer['version']}" if importer else log.format
    return Check(member.name, named, len(log.hands), (*taken.findings, *faults))


def as_json(check: Check) -> bytes:
    """A check as one line."""
    found: list[dict[str, Any]] = [finding_dict(finding, None) for finding in check.findings]
    return orjson.dumps(
        {
            "file": visible(check.name, 4096),
            "valid": check.valid,
            "format": check.format,
            "hands": check.hands,
            "findings": found,
        }
    )


def as_text(check: Check, words: Words) -> str:
    """A check in words: a line for the document, one for every finding."""
    name = visible(check.name, 200)
    if check.valid:
        hands = words.count("hands", check.hands)
        head = words.say("cli.valid", name=name, format=visible(check.format), hands=hands)
    else:
        head = words.say("cli.invalid", name=name)
    lines = [head, *(f"  {line}" for line in finding_lines(check.findings, words))]
    return "\n".join(part for line in lines for part in wrap(line, COLUMNS))


def finding_lines(findings: tuple[Finding, ...], words: Words) -> Iterator[str]:
    """Every finding with its place in the file."""
    for finding in findings:
        yield f"{finding.code} {slug_of(finding)}: {render(finding, words.lang)}"
        if finding.pointer:
            yield "  " + words.say("report.pointer", pointer=visible(finding.pointer, 300))
