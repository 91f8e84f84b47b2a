"""The timeline of a hand: where its findings, claims and wins stand, and where the shown step."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replay.steps import Course, Frame
from replay.text.objections import severity_in
from replay.web.hands.board import Board
from replay.web.reports.shown import SEVERITIES

Found = dict[int, list[Mapping[str, Any]]]
"""Findings by the step at which they stand."""

EDGE = 1.5
"""Percent of the width that is left free on either side, so that no mark is cut."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark: its step, its place across in percent, its kind (a severity, win or claim), and what it says."""

    step: int
    across: str
    kind: str
    said: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """A hand from left to right; what lies beyond the shown step is left out where it is not to be told."""

    now: str
    marks: list[Mark]
    said: str


def across(step: int, last: int) -> str:
    """How far right a step stands, in percent."""
    return f"{EDGE + (100 - 2 * EDGE) * step / max(last, 1):.2f}%"


def found_at(frame: Frame, findings: Sequence[Mapping[str, Any]]) -> Found:
    """The findings by the step at which they stand, the gravest first; those of the hand as a whole are left out."""
    steps: Found = {}
    for one in sorted(findings, key=lambda finding: SEVERITIES.index(severity_in(finding))):
        if one["action"] is not None:
            steps.setdefault(min(one["action"] + 1, frame.last), []).append(one)
    return dict(sorted(steps.items()))


def timeline(board: Board, course: Course, found: Found, spoilers: bool) -> Timeline:
    """The timeline of a hand as it is to be seen from a step; ``found`` are its findings by step."""
    words, frame = board.words, board.frame
    shown = frame.last if spoilers else frame.step
    marks = [*_findings(board, found, shown), *_events(board, course, shown)]
    counts = {name: sum(mark.kind == name for mark in marks) for name in ("win", "claim")}
    counts["findings"] = len(marks) - counts["win"] - counts["claim"]
    said = words.say("stepping.timeline.said", step=frame.step, last=frame.last, **counts)
    return Timeline(across(frame.step, frame.last), marks, said)


def _findings(board: Board, found: Found, shown: int) -> Iterator[Mark]:
    words, frame = board.words, board.frame
    for step, here in found.items():
        if step <= shown:
            kinds = dict.fromkeys(words.label("kind", one.get("kind")) for one in here)
            yield Mark(
                step,
                across(step, frame.last),
                severity_in(here[0]),
                words.say("stepping.timeline.mark", step=step, what=words.join(kinds)),
            )


def _events(board: Board, course: Course, shown: int) -> Iterator[Mark]:
    words = board.words
    actions = board.page.logged(board.hand).get("actions") or []
    for stand in course.stands[: shown + 1]:
        if stand.event:
            said = board.brief(actions[stand.step - 1])
            place = across(stand.step, board.frame.last)
            yield Mark(
                stand.step,
                place,
                stand.event,
                words.say("stepping.timeline.mark", step=stand.step, what=said),
            )
