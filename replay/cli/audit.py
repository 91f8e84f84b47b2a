"""`replay audit`: the reports of any number of logs, and an exit code for all of them together."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from replay.catalogue import severity_of
from replay.cli.inputs import STDIN, Document, Source, sources
from replay.cli.options import (
    Options,
    check_options,
    format_option,
    lang_option,
    limit_option,
    option_option,
    profile_option,
    rules_named,
)
from replay.cli.program import CLEAN, FOUND, UNUSABLE
from replay.cli.progress import bar
from replay.cli.readable import Unread, readable
from replay.intake import take_in
from replay.limits import Limits
from replay.profile import OptionProblems, RuleProfile, values
from replay.report import Report
from replay.report import Source as Origin
from replay.sitting import audit, rule_faults
from replay.text import report_text
from replay.wording import Words
from replay.wording.plain import visible

FAILS: Mapping[str, frozenset[str]] = {
    "error": frozenset({"error"}),
    "warning": frozenset({"error", "warning"}),
    "never": frozenset(),
}
"""The severities that make the exit code 1."""

VERDICTS = ("clean", "findings", "unreplayable")


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked about every log alike."""

    rules: RuleProfile | None
    options: Options
    strict: bool
    limits: Limits
    words: Words
    output: str


@dataclass(slots=True)
class Tally:
    """What the reports came to so far."""

    fails: frozenset[str]
    unread: Unread
    counts: Counter[str] = field(default_factory=Counter)
    found: bool = False

    def add(self, report: Report) -> None:
        """Count a report."""
        self.counts[report.verdict] += 1
        self.counts["hands"] += len(report.hands)
        self.found = self.found or any(severity_of(one) in self.fails for one in report.all_findings)

    @property
    def total(self) -> int:
        """How many logs, those included that could not be read."""
        return sum(self.counts[verdict] for verdict in VERDICTS) + self.unread.count

    @property
    def code(self) -> int:
        """The exit code: an input that could not be used outweighs what was found in the others."""
        if self.counts["unreplayable"] or self.unread.count:
            return UNUSABLE
        return FOUND if self.found else CLEAN


@click.command("audit")
@click.argument("inputs", nargs=-1, type=click.Path())
@format_option
@profile_option("Audit by this rule set, not by the one that the log names.")
@option_option
@click.option(
    "--fail-on",
    type=click.Choice(list(FAILS)),
    default="error",
    show_default=True,
    help="The least severity that makes the exit code 1.",
)
@click.option("--strict", is_flag=True, help="Add the scores as if every hu against the rules were void.")
@limit_option
@lang_option
@click.pass_context
def audit_command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    output: str,
    profile: str | None,
    options: Options,
    fail_on: str,
    strict: bool,
    limits: Limits,
    words: Words,
) -> None:
    """Audit logs: every action, every payment, and the clause behind each objection.

    INPUTS are files (.json, .ndjson, .jsonl, .gz, .zip), folders (searched to the bottom, in sorted order;
    hidden files and *.report.json are passed over), or - for standard input, which is also read when none is
    given. What a file is follows from its bytes. Records of other programs are converted first. A pipe such
    as <(zcat day.gz) is read; one that nobody writes to, a device and a socket are refused.

    With --format json every document gives one report on a line of its own, in order; a document that cannot
    be read gives one too, and never stops the rest.

    \b
    Exit status:
      0  nothing at or above the severity of --fail-on
      1  something was found
      2  an input could not be read or replayed, whatever was found in the others and whatever
         --fail-on says; or a wrong option

    \b
    Example:
      replay audit game.json --lang zh-Hans
      replay audit logs/ --format json > reports.ndjson
      zcat day.ndjson.gz | replay audit - --option cap_fan=3 --fail-on warning
    """
    if not inputs and sys.stdin.isatty():
        raise click.exceptions.NoArgsIsHelpError(ctx)
    check_options(options, words)
    rules = rules_named(profile, options, words) if profile else None
    tally = Tally(FAILS[fail_on], Unread(words))
    run(list(sources(inputs or (STDIN,))), Request(rules, options, strict, limits, words, output), tally)
    ctx.exit(tally.code)


def run(given: Sequence[Source], asked: Request, tally: Tally) -> None:
    """Audit every document of the inputs and write its report; where there are several, their sum too."""
    done = 0
    total = sum(source.size for source in given)
    seen = asked.output == "text" or not sys.stdout.isatty()
    with bar(total, asked.words.say("cli.auditing"), wanted=seen) as progress:
        for source in given:
            for document in readable(source, tally.unread, asked.limits):
                report = report_on(document, asked)
                tally.add(report)
                write(report, document, asked, headed=len(given) > 1 or document.member.name != source.name)
                progress.step(len(document.member.data or b""))
            done += source.size
            progress.reach(done)
    if tally.total > 1:
        click.echo(summary(tally, asked.words), err=True)


def report_on(document: Document, asked: Request) -> Report:
    """The report on one document, whatever it is."""
    member = document.member
    if member.data is None:
        return Report(Origin(None, document.digest), None, member.findings, (), replayable=False)
    try:
        options, limits = asked.options or None, asked.limits
        return audit(member.data, profile=asked.rules, options=options, strict=asked.strict, limits=limits)
    except OptionProblems as error:
        return Report(Origin(None, document.digest), None, rule_faults(error), (), replayable=False)


def write(report: Report, document: Document, asked: Request, headed: bool) -> None:
    """Write a report to standard output: a line of JSON, or text, under its name where there are several."""
    if asked.output == "json":
        sys.stdout.buffer.write(report.to_json() + b"\n")
        return
    if headed:
        sys.stdout.write(f"== {visible(document.member.name, 200)}\n")
    sys.stdout.write(as_text(report, document, asked) + ("\n" if headed else ""))


def as_text(report: Report, document: Document, asked: Request) -> str:
    """A report in words, with the players' names and the tiles of the log where it could be read."""
    rules, lang = report.rules, asked.words.lang
    log: Mapping[str, Any] | None = None
    if report.replayable and document.member.data is not None:
        log = take_in(document.member.data, asked.limits).document()
    if rules is None:
        return report_text(report.to_dict(), lang, log)
    return report_text(report.to_dict(), lang, log, values(rules), rules.readings)


def summary(tally: Tally, words: Words) -> str:
    """One line on all of the logs."""
    counts = {**{verdict: tally.counts[verdict] for verdict in VERDICTS}, "unread": tally.unread.count}
    counted = [words.count(f"{verdict}_logs", number) for verdict, number in counts.items() if number]
    return words.say(
        "cli.summary",
        logs=words.count("logs", tally.total),
        hands=words.count("hands", tally.counts["hands"]),
        verdicts=words.join(counted),
    )
