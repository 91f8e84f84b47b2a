"""The findings of a report in words: objections, what stays open, notes; never one list."""

from collections.abc import Iterator, Mapping
from typing import Any

from replay.catalogue import CATALOGUE, parameter_of
from replay.findings import SEVERITY_OF, Finding
from replay.text.cited import Quoted, clause_line, quoted
from replay.text.page import Page
from replay.wording.plain import visible
from replay.wording.render import facts, sentence
from replay.wording.words import Words, listed

MARKS = {"error": "[x]", "warning": "[?]", "note": "[i]"}
"""Before every finding, so that the three are told apart without colour."""


CUT_SHORT = "HND002"
"""Stands after the last action, where there is no step."""


def all_findings(report: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Those of the sitting, then those of each hand, in the report's order."""
    yield from report.get("findings") or []
    for hand in report.get("hands") or []:
        yield from hand.get("findings") or []


def severity_in(finding: Mapping[str, Any]) -> str:
    """How much a finding of a report weighs."""
    return str(finding.get("severity") or SEVERITY_OF.get(str(finding.get("kind")), "note"))


def finding_lines(page: Page) -> list[str]:
    """Every finding: objections first, then what stays open, then notes; never one list."""
    lines: list[str] = []
    for title, severity in (("objections", "error"), ("open", "warning"), ("notes", "note")):
        found = [finding for finding in all_findings(page.report) if severity_in(finding) == severity]
        if found:
            lines += ["", page.words.say(f"report.{title}")]
        for finding in found:
            lines += _finding(page.words, finding)
    return lines


def _finding(words: Words, finding: Mapping[str, Any]) -> list[str]:
    """One finding: where, what, by which words of the rules, because of which steps."""
    head = words.say(
        "report.place",
        place=place_of(words, finding),
        kind=words.label("kind", finding.get("kind")),
        code=visible(finding.get("code", "")),
        slug=visible(finding.get("slug", "")),
    )
    lines = [f"  {MARKS.get(severity_in(finding), '[i]')} {head}", f"      {sentence(finding, words)}"]
    return lines + [f"      {line}" for line in _grounds(words, finding)]


def place_of(words: Words, finding: Mapping[str, Any]) -> str:
    """Hand, step and seat, counted for people."""
    hand, action, seat = (finding.get(key) for key in ("hand", "action", "seat"))
    if hand is None:
        return words.say("report.place.sitting")
    where = words.say("report.place.hand") if action is None else words.step(action)
    if finding.get("code") == CUT_SHORT:
        where = words.say("report.place.end")
    places = [words.hand(hand), where]
    return words.say("language.place").join(places if seat is None else [*places, words.seat(seat)])


def _grounds(words: Words, finding: Mapping[str, Any]) -> Iterator[str]:
    """What a finding rests on."""
    clause = clause_of(words, finding)
    if clause is not None:
        yield clause_line(words, clause)
    because = listed(finding.get("because"))
    if because:
        yield words.say("report.because", steps=words.join(words.step(step) for step in because))
    if finding.get("basis") == "inferred":
        yield words.say("report.basis", text=words.say("basis.inferred"))
    missing = listed((finding.get("params") or {}).get("missing"))
    if missing and finding.get("kind") == "undecidable":
        yield words.say("report.decides", facts=facts(words, missing))
    if finding.get("pointer"):
        yield words.say("report.pointer", pointer=visible(finding["pointer"], 200))


def clause_of(words: Words, finding: Mapping[str, Any]) -> Quoted | None:
    """The clause that a finding cites, with the rule that it is of; None where it cites none."""
    clause, rule = finding.get("clause"), rule_of(finding)
    return quoted(words, clause, words.label("rule", rule) if rule else "") if clause else None


def rule_of(finding: Mapping[str, Any]) -> str:
    """The rule whose clause a finding of the report cites."""
    code = str(finding.get("code", ""))
    return parameter_of(Finding(code, finding.get("params") or {})) if code in CATALOGUE else ""
