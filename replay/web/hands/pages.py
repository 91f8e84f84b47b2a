"""The page of a hand: one step of it, and links to every other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, redirect, render_template, url_for

from replay.steps import Course, Frame, HandSteps, course_of, course_seen, steps
from replay.text.objections import severity_in
from replay.text.page import Page
from replay.web.hands.board import Board
from replay.web.hands.chart import chart
from replay.web.hands.keys import listed_keys
from replay.web.hands.timeline import Found, found_at, timeline
from replay.web.hands.views import TABS, Links, View, asked_view
from replay.web.hands.ways import Marked, ways
from replay.web.languages import lang
from replay.web.loading import LAST, Audited, report_or_404
from replay.web.reports.pages import succession
from replay.web.reports.shown import objection, page_for

pages = Blueprint("hands", __name__)


@pages.get("/reports/<uuid:report_id>/hands/<int:hand>")
def start(report_id: UUID, hand: int) -> Response:
    """A hand begins before its first action."""
    walk_or_404(report_or_404(report_id, hand), hand)
    return make_response(redirect(url_for("hands.show", report_id=report_id, hand=hand, step=0)))


@pages.get("/reports/<uuid:report_id>/hands/<int:hand>/steps/<int:step>")
def show(report_id: UUID, hand: int, step: int) -> str:
    """The table after so many actions: who holds what, who may do what, and what was found."""
    loaded = report_or_404(report_id, hand)
    return step_page(loaded, hand, step, succession(loaded))


def step_page(loaded: Audited, hand: int, step: int, audits: Mapping[str, object]) -> str:
    """The page of a step of a hand that was audited, if there is such a step; ``audits`` are those before and after."""
    walk = walk_or_404(loaded, hand)
    if step > walk.last:
        abort(404)
    written, frame, page = loaded.written["hands"][hand], walk.frame(step), page_for(loaded, lang())
    view = asked_view(loaded.only)
    to = Links(loaded, hand, view)
    board = Board(page, written, frame, view.below, view.hide, walk.rules.forced_last)
    course = course_at(Walked(loaded.step_at(hand, 0), walk))
    if loaded.only is not None:
        course = course_seen(course, loaded.only)
    found = found_at(frame, walk.findings)
    errors = [at for at, each in found.items() if severity_in(each[0]) == "error"]
    leads = ways(frame, len(loaded.written["hands"]), view, to, course, Marked(list(found), errors))
    return render_template(
        "hand.html",
        loaded=loaded,
        words=page.words,
        board=board,
        frame=frame,
        hand=hand,
        hands=len(loaded.written["hands"]),
        view=view,
        to=to,
        ways=leads,
        timeline=timeline(board, course, found, view.spoilers),
        hold=hold(course, frame, view),
        keys=listed_keys(leads),
        tabs=TABS,
        **beside(loaded, page, walk, course, frame, view, found),
        chart=chart(page.words, frame, course, written.get("claimed"), view.spoilers)
        if view.tab == "ledger"
        else None,
        **audits,
    )


def beside(
    loaded: Audited,
    page: Page,
    walk: HandSteps,
    course: Course,
    frame: Frame,
    view: View,
    found: Found,
) -> dict[str, Any]:
    """What is said of the step and of the hand: findings, and how much is left out because it is not to be told yet."""
    told = view.spoilers or frame.step == frame.last
    settled = loaded.written["hands"][frame.hand]["scores"] is not None
    whole = [finding for finding in walk.findings if finding["action"] is None] if told else []
    return {
        "told": told,
        "calm": told and not walk.findings and settled,
        "wins": sum(stand.event == "win" for stand in course.stands),
        "findings": [objection(page, loaded, finding) for finding in frame.findings],
        "whole": [objection(page, loaded, finding) for finding in whole],
        "elsewhere": [
            (at, objection(page, loaded, each))
            for at, all_ in found.items()
            if at != frame.step and (told or at < frame.step)
            for each in all_
        ],
        "paid_here": sum(entry["at"] == frame.step - 1 for entry in frame.ledger) if frame.step else 0,
        "unseen": frame.count - frame.last,
    }


def hold(course: Course, frame: Frame, view: View) -> str:
    """How long the step is shown when it plays by itself: ``win`` longest, ``claim`` longer than other steps ("")."""
    stand = course.stands[frame.step]
    claimants = set(stand.claimants) & {view.below} if view.hide else stand.claimants
    return stand.event or ("claim" if claimants else "")


@dataclass(frozen=True, slots=True)
class Walked:
    """A hand under the address of its first step: what stands at an address is the same for good."""

    address: str
    walk: HandSteps = field(compare=False)


@lru_cache(maxsize=LAST)
def course_at(walked: Walked) -> Course:
    """The course of a hand, kept for the next steps that are asked for."""
    return course_of(walked.walk)


def walk_or_404(loaded: Audited, hand: int) -> HandSteps:
    """The hand to be walked through, if the report has it and its log and rule set are there."""
    log, rules, hands = loaded.log, loaded.rules, loaded.written["hands"]
    if log is None or rules is None or hand >= min(len(hands), len(log.hands)):
        abort(404)
    return loaded.seen(steps(rules, log, hand, hands[hand]["findings"]))
