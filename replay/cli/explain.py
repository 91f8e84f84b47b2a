"""`replay explain`: which rule sets and common options make right what a log claims."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import click
import orjson

from replay.cli.inputs import STDIN, Document, sources
from replay.cli.options import format_option, lang_option, limit_option
from replay.cli.program import CLEAN, FOUND, UNUSABLE
from replay.cli.readable import Unread, readable
from replay.explain import Explained, explain
from replay.findings import Finding
from replay.intake import take_in
from replay.limits import Limits
from replay.report import finding_dict
from replay.semantics import check_tiles
from replay.sitting import log_rules
from replay.text import COLUMNS
from replay.text.explaining import explained_lines
from replay.wording import Words, render
from replay.wording.plain import visible, wrap


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one document: what explains it, or the findings that keep it from being read."""

    name: str
    explained: Explained | None
    findings: tuple[Finding, ...]

    @property
    def code(self) -> int:
        """The exit code for this document."""
        if self.explained is None or not self.explained.claimed:
            return UNUSABLE
        return CLEAN if self.explained.right else FOUND


@click.command("explain")
@click.argument("inputs", nargs=-1, type=click.Path())
@format_option
@limit_option
@lang_option
@click.pass_context
def explain_command(
    ctx: click.Context, inputs: tuple[str, ...], output: str, limits: Limits, words: Words
) -> None:
    """Tell under which rule sets and common options the claimed money of logs is right.

    INPUTS are as for `replay audit`. Every built-in rule set is tried as it stands, with and without the options
    that the log states; where none is right, up to three further common options are changed: cap, base, bonus of a
    self-draw, who pays a direct gang, transfer. All that are right with the fewest changes are listed, for the money
    does not tell them apart, and the rule set that the log names with the fewest that make it right; with more
    changes others may be right too. Of the others the first difference is told. Whether the actions were legal is
    left out.

    \b
    Exit status:
      0  a rule set explains the claim
      1  none does
      2  an input could not be read or replayed, or claims nothing

    \b
    Example:
      replay explain game.json
      replay explain logs/ --format json
    """
    if not inputs and sys.stdin.isatty():
        raise click.exceptions.NoArgsIsHelpError(ctx)
    unread, code = Unread(words), CLEAN
    given = list(sources(inputs or (STDIN,)))
    for source in given:
        for document in readable(source, unread, limits):
            answer = answered(document, limits)
            code = max(code, answer.code)
            if output == "json":
                click.echo(as_json(answer))
            else:
                headed = len(given) > 1 or document.member.name != source.name
                click.echo(as_text(answer, words, headed))
    ctx.exit(UNUSABLE if unread.count else code)


def answered(document: Document, limits: Limits) -> Answer:
    """What explains one document."""
    member = document.member
    if member.data is None:
        return Answer(member.name, None, member.findings)
    taken = take_in(member.data, limits)
    if taken.log is None:
        return Answer(member.name, None, taken.findings)
    rules, faults = log_rules(taken.log.rules, None)
    faults = faults if rules is None else check_tiles(taken.log, rules, ())
    if rules is None or faults:
        return Answer(member.name, None, faults)
    return Answer(member.name, explain(taken.log, rules), ())


def as_json(answer: Answer) -> bytes:
    """An answer as one line."""
    found = answer.explained.to_dict() if answer.explained is not None else {}
    findings = [finding_dict(finding, None) for finding in answer.findings]
    return orjson.dumps({"file": visible(answer.name, 4096), **found, "findings": findings})


def as_text(answer: Answer, words: Words, headed: bool) -> str:
    """An answer in words, under its name where there are several."""
    lines = [f"== {visible(answer.name, 200)}"] if headed else []
    lines += (
        unread_lines(answer, words) if answer.explained is None else explained_lines(answer.explained, words)
    )
    return "\n".join(part for line in lines for part in wrap(line, COLUMNS))


def unread_lines(answer: Answer, words: Words) -> Iterator[str]:
    """Why a document could not be looked at."""
    yield words.say("cli.invalid", name=visible(answer.name, 200))
    yield from (f"  {finding.code}: {render(finding, words.lang)}" for finding in answer.findings)
