"""The page of a hand: one step of it, and links to every other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for

from replay.steps import HandSteps, steps
from replay.web.board import Board
from replay.web.languages import lang
from replay.web.loading import Audited, report_or_404
from replay.web.reports import succession
from replay.web.shown import objection, page_for

pages = Blueprint("hands", __name__)


@pages.get("/reports/<uuid:report_id>/hands/<int:hand>")
def start(report_id: UUID, hand: int) -> Response:
    """A hand begins before its first action."""
    walk_or_404(report_or_404(report_id), hand)
    return make_response(redirect(url_for("hands.show", report_id=report_id, hand=hand, step=0)))


@pages.get("/reports/<uuid:report_id>/hands/<int:hand>/steps/<int:step>")
def show(report_id: UUID, hand: int, step: int) -> str:
    """The table after so many actions: who holds what, who may do what, and what was found."""
    loaded = report_or_404(report_id)
    return step_page(loaded, hand, step, succession(loaded))


def step_page(loaded: Audited, hand: int, step: int, audits: Mapping[str, object]) -> str:
    """The page of a step of a hand that was audited, if there is such a step; ``audits`` are those before and after."""
    walk = walk_or_404(loaded, hand)
    if step > walk.last:
        abort(404)
    written, frame, page = loaded.written["hands"][hand], walk.frame(step), page_for(loaded, lang())
    view = asked_view()
    board = Board(page, written, frame, view.seat, view.hide, walk.rules.forced_last)
    whole = [finding for finding in walk.findings if finding["action"] is None]
    return render_template(
        "hand.html",
        loaded=loaded,
        words=page.words,
        board=board,
        frame=frame,
        hand=hand,
        hands=len(loaded.written["hands"]),
        view=view,
        to=Links(loaded, hand, view),
        calm=not walk.findings and frame.final is not None,
        findings=[objection(page, loaded, finding) for finding in frame.findings],
        whole=[objection(page, loaded, finding) for finding in whole],
        unseen=frame.count - frame.last,
        **audits,
    )


def walk_or_404(loaded: Audited, hand: int) -> HandSteps:
    """The hand to be walked through, if the report has it and its log and rule set are there."""
    log, rules, hands = loaded.log, loaded.rules, loaded.written["hands"]
    if log is None or rules is None or hand >= min(len(hands), len(log.hands)):
        abort(404)
    return steps(rules, log, hand, hands[hand]["findings"])


@dataclass(frozen=True, slots=True)
class View:
    """How the table is looked at: from which seat, and whether the others' tiles are hidden."""

    seat: int
    hide: bool


def asked_view() -> View:
    """The view that the address asks for; what is no seat is the first."""
    seat = request.args.get("seat", "0")
    return View(int(seat) if seat in ("0", "1", "2", "3") else 0, request.args.get("hide") == "1")


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses of steps and views; each keeps what it does not change."""

    loaded: Audited
    at: int
    view: View

    def step(self, step: int) -> str:
        """Another step of this hand."""
        return self.address(self.at, step, self.view)

    def hand(self, hand: int) -> str:
        """The beginning of another hand."""
        return self.address(hand, 0, self.view)

    def seat(self, step: int, seat: int) -> str:
        """This step seen from another seat."""
        return self.address(self.at, step, View(seat, self.view.hide))

    def hidden(self, step: int) -> str:
        """This step with the other hands hidden, or shown again."""
        return self.address(self.at, step, View(self.view.seat, not self.view.hide))

    def address(self, hand: int, step: int, view: View) -> str:
        """A step as it is to be looked at."""
        asked: dict[str, Any] = {"seat": view.seat or None, "hide": 1 if view.hide else None}
        return self.loaded.step_at(hand, step, **asked)
