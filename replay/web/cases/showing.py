"""The page of a case: the table on one side, the file on the other, and what whoever asks may do now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from flask import Response, make_response, render_template, request, url_for

from replay.store.cases.moves import FINAL, may
from replay.store.cases.reading import Case
from replay.store.cases.saying import CORRECTED, FILE_BYTES, MOST_FILES
from replay.text.page import Page
from replay.web.cases.entries import EntryView, Telling
from replay.web.cases.forms import Form
from replay.web.cases.pages import actor, case_or_404, is_local, others_about, pages, report_of
from replay.web.cases.people import office, people, waits
from replay.web.cases.ruling import choices
from replay.web.cases.subject import Subject, subject_of, told
from replay.web.hands.board import Board
from replay.web.hands.views import Links, View, asked_view
from replay.web.languages import lang
from replay.web.reports.shown import page_for

ACTS = {
    "answer": ("answered",),
    "statement": ("statement",),
    "pin": ("pin",),
    "note": ("note",),
    "evidence": ("evidence",),
    "party": ("party",),
    "take": ("taken", "retaken"),
    "decide": ("decided", "closed"),
    "ask": ("asked",),
    "release": ("released",),
    "appeal": ("appealed",),
    "withdraw": ("withdrawn",),
}
"""The forms of the page, each with the moves that it makes."""


@dataclass(frozen=True, slots=True)
class CaseLinks(Links):
    """Addresses of steps that stay on the page of the case."""

    case_id: str

    def address(self, hand: int, step: int, view: View | None = None) -> str:
        """A step of its hand beside the file."""
        seen = (view or self.view).arguments()
        return f"{url_for('cases.show', case_id=self.case_id, step=step, **seen)}#board"


@pages.get("/<uuid:case_id>")
def show(case_id: UUID) -> Response:
    """A case, for its parties and for those who decide."""
    return case_page(case_or_404(case_id), Form())


def case_page(case: Case, form: Form, status: int = 200, problem: str = "") -> Response:
    """The page of a case, with a form as it was filled in and what stood in the way."""
    loaded = report_of(case)
    page, subject = page_for(loaded, lang()), subject_of(case.row, loaded)
    named = people(case.people)
    entries = Telling(case, subject, page, named).views()
    body = render_template(
        "case.html",
        case=case,
        words=page.words,
        subject=subject,
        told=told(page, subject),
        entries=entries,
        decision=standing_decision(entries),
        parties=[
            (named.name(one.account), one, office(case, one.account, page.words)) for one in case.parties
        ],
        waits=waits(case.row, case.asked, case.appeal_until is not None, named),
        doing=allowed(case),
        form=form,
        problem=problem,
        local=is_local(),
        choices=choices(page, subject, case.row.kind),
        mine=own_words(case),
        most_files=MOST_FILES,
        file_bytes=FILE_BYTES,
        over=case.row.state in FINAL,
        there=others_about(case),
        **beside(case, page, subject, entries),
    )
    return make_response(body, status)


def allowed(case: Case) -> list[str]:
    """The forms that whoever asks may send now."""
    asks = actor()
    standing = case.standing(asks.id, asks.role)
    found = [act for act, moves in ACTS.items() if any(may(move, case.where, standing) for move in moves)]
    if asks.id not in case.asked:
        found = [act for act in found if act != "answer"]
    return [act for act in found if act != "appeal" or case.appeal_until is not None]


def standing_decision(entries: list[EntryView]) -> EntryView | None:
    """The decision that counts."""
    return next((one for one in reversed(entries) if one.decision is not None), None)


def own_words(case: Case) -> list[int]:
    """The positions of the entries that whoever asks may correct."""
    mine = [one for one in case.entries if one.actor == actor().id and one.kind in CORRECTED]
    return [one.position for one in mine]


def beside(case: Case, page: Page, subject: Subject, entries: list[EntryView]) -> Mapping[str, Any]:
    """The table at the step that is asked for, else at the one that the case is about; None where it is not known."""
    walk = subject.walk()
    if walk is None:
        return {"board": None}
    asked = request.args.get("step", type=int)
    first = case.opened.step or 0
    frame = walk.frame(min(max(first if asked is None else asked, 0), walk.last))
    view = asked_view(subject.loaded.only)
    return {
        "board": Board(page, subject.written, frame, view.below, view.hide, walk.rules.forced_last),
        "frame": frame,
        "view": view,
        "to": CaseLinks(subject.loaded, subject.hand, view, case.row.id),
        "pinned": [one for one in entries if one.step is not None],
        "hand_url": subject.loaded.step_at(subject.hand, frame.step),
    }
