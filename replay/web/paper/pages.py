"""An audit or a case as one file that holds all it needs, to be kept or printed; and the same as a PDF."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, render_template, request, url_for

from replay.store.attempts import PDF, attempt
from replay.store.cases.reading import Case
from replay.store.checkpoints import newest_checkpoint
from replay.text import verdict_sentence
from replay.text.money import coins_lines
from replay.text.page import Facts
from replay.web.cases.entries import Telling
from replay.web.cases.pages import case_or_404, report_of
from replay.web.cases.people import office, people
from replay.web.cases.showing import standing_decision
from replay.web.cases.subject import subject_of, told
from replay.web.errors import BUSY, RETRY_SECONDS, answer
from replay.web.footing import service
from replay.web.languages import lang
from replay.web.loading import Loaded, report_or_404
from replay.web.paper.pdf import Busy, GivenUp, Unavailable, making, may_work, pdf_of
from replay.web.paper.pictures import Picture, drawings, picture, style_of
from replay.web.reports.pages import rules_shown
from replay.web.reports.shown import Filter, Objection, hand_shown, objection, page_for, step_of, wanted
from replay.web.tries import too_often, too_often_words
from replay.web.viewer import owner

pages = Blueprint("printing", __name__)

NOT_HERE = 501


@pages.app_context_processor
def offered() -> dict[str, object]:
    """Whether pages that lead to a PDF may offer it."""
    return {"may_make_pdf": may_work}


@dataclass(frozen=True, slots=True)
class Room:
    """How much there is room for: what is left out is counted, and said."""

    hands: int
    findings: int
    pictures: int


FILE = Room(hands=200, findings=2_000, pictures=40)
PAPER = Room(hands=6, findings=30, pictures=6)
"""A PDF is laid out page by page, which takes seconds."""


@pages.get("/reports/<uuid:report_id>/print.html")
def report_html(report_id: UUID) -> Response:
    """A report as one file."""
    return as_file(report_print(report_id, FILE), f"report-{report_id}.html")


@pages.get("/reports/<uuid:report_id>/print.pdf")
def report_pdf(report_id: UUID) -> Response:
    """A report as a PDF."""
    home = url_for(".report_html", report_id=report_id, **kept())
    return as_pdf(lambda: report_print(report_id, PAPER), f"report-{report_id}.pdf", home)


@pages.get("/cases/<uuid:case_id>/print.html")
def case_html(case_id: UUID) -> Response:
    """A case as one file."""
    return as_file(case_print(case_id, FILE), f"case-{case_id}.html")


@pages.get("/cases/<uuid:case_id>/print.pdf")
def case_pdf(case_id: UUID) -> Response:
    """A case as a PDF."""
    home = url_for(".case_html", case_id=case_id)
    return as_pdf(lambda: case_print(case_id, PAPER), f"case-{case_id}.pdf", home)


def kept() -> dict[str, Any]:
    """The hand that the address names alone, to be named by another."""
    return {"hand": request.args["hand"]} if "hand" in request.args else {}


# The answers -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Print:
    """A page for paper, and the policy that lets it do no more than it needs."""

    page: str
    policy: str


def as_file(made: Print, name: str) -> Response:
    """The page, to be looked at and kept under a name of ours."""
    response = make_response(made.page)
    response.headers["Content-Security-Policy"] = f"{made.policy}; frame-ancestors 'none'"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def as_pdf(make: Callable[[], Print], name: str, home: str) -> Response:
    """The page as a PDF to be saved; where none can be made, a page that leads to the file instead (501).

    Too many of one account within a while are refused (429), as is one while another is being made (503).
    """
    if making.locked():
        return later("503.pdf")
    wait = attempt(service().engine, (PDF, owner()))
    if wait:
        return too_often(answer(429, detail=too_often_words(PDF, wait)), wait)
    made = make()
    try:
        data = pdf_of(made.page)
    except Busy:
        return later("503.pdf")
    except GivenUp:
        return later("503.pdf_given_up")
    except Unavailable:
        return make_response(render_template("print_no_pdf.html", home=home), NOT_HERE)
    response = make_response(data)
    response.content_type = "application/pdf"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def later(code: str) -> Response:
    """That there is no PDF just now, and when to ask again."""
    response = answer(BUSY, code)
    response.headers["Retry-After"] = RETRY_SECONDS
    return response


def printed(template: str, pictures: Sequence[Picture], **given: Any) -> Print:
    """The page of a template with pictures, its one style in it, and the policy that names that style."""
    style = style_of(pictures)
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    page = render_template(
        template,
        style=style,
        policy=policy,
        pictures=pictures,
        symbols=drawings().keys(),
        checkpoint=newest_checkpoint(service().engine),
        **given,
    )
    return Print(page, policy)


# A report --------------------------------------------------------------------------------------------


def report_print(report_id: UUID, room: Room) -> Print:
    """A report, or of it the one hand that the address names: what was found, the money, the rules, the tables."""
    hand = asked_hand()
    loaded = report_or_404(report_id, hand)
    written, page = loaded.written, page_for(loaded, lang())
    if hand is not None and hand >= len(written["hands"]):
        abort(404)
    hands = written["hands"] if hand is None else [written["hands"][hand]]
    found = [one for one in wanted(written, Filter()) if hand is None or one["hand"] == hand]
    shown, steps = found[: room.findings], steps_of(loaded, found)
    pictures = [picture(page, loaded, *place) for place in steps[: room.pictures]]
    drawn: dict[tuple[int, int] | None, str] = {
        place: one.name for place, one in zip(steps, pictures, strict=False)
    }
    return printed(
        "print_report.html",
        pictures,
        loaded=loaded,
        written=written,
        words=page.words,
        verdict=verdict_sentence(page),
        hand=hand,
        findings=in_groups(
            [(objection(page, loaded, one), drawn.get(place_of(loaded, one), "")) for one in shown]
        ),
        hands=[hand_shown(page, loaded, one) for one in hands[: room.hands]],
        coins=list(coins_lines(page)) if hand is None else [],
        rules=rules_shown(page, loaded),
        left={
            "hands": max(len(hands) - room.hands, 0),
            "findings": max(len(found) - room.findings, 0),
            "pictures": max(len(steps) - room.pictures, 0),
        },
    )


def in_groups(found: Sequence[tuple[Objection, str]]) -> list[tuple[str, list[tuple[Objection, str]]]]:
    """Findings by severity, in their order."""
    return [(severity, list(group)) for severity, group in groupby(found, key=lambda one: one[0].severity)]


def asked_hand() -> int | None:
    """The one hand that the address names, from 0; 404 for what is no number."""
    given = request.args.get("hand", "")
    if not given:
        return None
    return int(given) if given.isascii() and given.isdigit() and len(given) < 7 else abort(404)


def place_of(loaded: Loaded, finding: Facts) -> tuple[int, int] | None:
    """The hand and the step of the picture of a finding; None for one that is about no action."""
    step = step_of(loaded, finding["hand"], finding["action"])
    return None if step is None or finding["action"] is None else (finding["hand"], step)


def steps_of(loaded: Loaded, found: Sequence[Facts]) -> list[tuple[int, int]]:
    """The steps to be drawn, each once: those of objections first, as the findings are."""
    return list(dict.fromkeys(place for one in found if (place := place_of(loaded, one)) is not None))


# A case ----------------------------------------------------------------------------------------------


def case_print(case_id: UUID, room: Room) -> Print:
    """A case: what it is about and what the engine says, who has a part in it, all that was said, the decision."""
    case = case_or_404(case_id)
    loaded = report_of(case)
    page, subject, named = page_for(loaded, lang()), subject_of(case.row, loaded), people(case.people)
    entries = Telling(case, subject, page, named).views()
    steps = pinned(case, loaded)
    pictures = [picture(page, loaded, *place) for place in steps[: room.pictures]]
    return printed(
        "print_case.html",
        pictures,
        case=case,
        loaded=loaded,
        written=loaded.written,
        words=page.words,
        told=told(page, subject),
        hand=hand_shown(page, loaded, subject.written),
        entries=entries,
        decision=standing_decision(entries),
        parties=[(named.name(one.account), office(case, one.account, page.words)) for one in case.parties],
        rules=rules_shown(page, loaded),
        left={"pictures": max(len(steps) - room.pictures, 0)},
    )


def pinned(case: Case, loaded: Loaded) -> list[tuple[int, int]]:
    """The steps that somebody pointed to, each once, the one that the case is about first; none without a table."""
    if step_of(loaded, case.row.hand) is None:
        return []
    named = [entry.step for entry in case.entries if entry.step is not None]
    return list(dict.fromkeys((case.row.hand, step) for step in named))
