"""Opening a case: first what the engine says, then what is needed for the kind of case."""

from typing import Any

from flask import Response, make_response, redirect, render_template, request, url_for

from replay.store.attempts import OPENED, attempt
from replay.store.cases.opening import About, IsStaff, Looked, Same, may_open, open_case
from replay.store.cases.reading import case_of, cases_about
from replay.store.cases.writing import Full, NotAllowed
from replay.store.database import reading
from replay.store.tables.disputes import AMOUNT, BEHAVIOUR, RECORD
from replay.web.cases.forms import Form
from replay.web.cases.pages import actor, is_local, pages
from replay.web.cases.subject import Subject, subject_or_404, told
from replay.web.footing import service
from replay.web.languages import lang, stands_for, words
from replay.web.loading import report_or_404
from replay.web.reports.shown import page_for, step_url
from replay.web.security import small_form
from replay.web.tries import too_often, too_often_words

LACKS = ("missing", "altered", "order")
"""What can be wrong with a record: something is not in it, is not as it was, or is in another order."""

FURTHER = 3
"""Parties that the form asks for beside the opener."""

LARGEST_CLAIM = 10**12


class TooOften(RuntimeError):
    """Too many cases were opened within a while; the next may be in ``wait_ms`` milliseconds."""

    def __init__(self, wait_ms: int) -> None:
        self.wait_ms = wait_ms
        super().__init__(f"wait {wait_ms} ms")


@pages.get("/new")
def new() -> str:
    """What the engine says about a finding, a payment or a step, and the form by which that is disputed."""
    loaded = report_or_404(request.args.get("report", ""))
    return form_page(subject_or_404(loaded, request.args), Form("open", request.args))


def form_page(subject: Subject, form: Form, problem: str = "", same: str = "") -> str:
    """The page of the form, as it was filled in; ``same`` is the case that is about just this."""
    page, kind = page_for(subject.loaded, lang()), form.value("kind")
    asks = actor()
    with reading(service().engine) as session:
        may = may_open(session, asks.id, subject.loaded.report.id)
    return render_template(
        "case_open.html",
        subject=subject,
        told=told(page, subject),
        words=page.words,
        step=step_url(subject.loaded, subject.hand, subject.at),
        kind=kind if kind in subject.kinds else subject.likely,
        form=form,
        problem=problem,
        same=same,
        may=may,
        local=is_local(),
        further=range(FURTHER),
        lacks=LACKS,
        there=cases_about(service().engine, asks.id, asks.role, subject.loaded.report.id, subject.hand),
    )


@pages.post("")
def open_() -> Response:
    """Open a case; a form that lacks something comes back as it was filled in (422)."""
    small_form()
    form = Form("open", request.form)
    loaded = report_or_404(form.value("report"))
    subject = subject_or_404(loaded, request.form)
    stands_for(url_for("cases.new", **subject.arguments()))
    kind = form.choice("kind", subject.kinds)
    body, seats = asked_body(form, kind), asked_seats(form)
    if form.problems:
        return make_response(form_page(subject, form), 422)
    try:
        made = begun(subject, kind, body, seats)
    except IsStaff as staff:
        form.is_staff(staff.account)
        return make_response(form_page(subject, form), 422)
    except TooOften as often:
        return too_often(form_page(subject, form, too_often_words(OPENED, often.wait_ms)), often.wait_ms)
    except NotAllowed:
        return make_response(form_page(subject, form, words().say("cases.problem.open")), 403)
    except Same as found:
        said = words().say(f"cases.problem.open.{same_as(found)}")
        return make_response(form_page(subject, form, said, readable(found.case_id)), 409)
    except Full as full:
        return make_response(
            form_page(subject, form, words().say("cases.problem.open.full", n=full.most)), 422
        )
    return make_response(redirect(url_for("cases.show", case_id=made), 303))


def same_as(found: Same) -> str:
    """Why there is no second case about just this: one waits, or it was decided, perhaps for good."""
    if not found.decided:
        return "same"
    return "over" if found.over else "decided"


def readable(case_id: str) -> str:
    """The id of a case if whoever asks may read it, else ""."""
    asks, case = actor(), case_of(service().engine, case_id)
    return case_id if case is not None and case.standing(asks.id, asks.role) else ""


def begun(subject: Subject, kind: str, body: dict[str, Any], seats: dict[str, int | None]) -> str:
    """The case is opened; its id. Raises `TooOften`, `NotAllowed`, `Same`, `IsStaff` and `Full`."""
    wait = 0 if is_local() else attempt(service().engine, (OPENED, actor().id))
    if wait:
        raise TooOften(wait)
    loaded = subject.loaded
    about = About(kind, loaded.report.id, subject.hand, subject.action, subject.code, subject.entry)
    written = loaded.written
    looked = Looked(
        loaded.report.sha256, str(written["log"]["sha256"] or ""), str(written["rules"]["digest"] or "")
    )
    walk = subject.walk()
    step = None if subject.at is None or walk is None else min(subject.at + 1, walk.last)
    return open_case(service().engine, actor().id, about, looked, body, seats, step)


def asked_body(form: Form, kind: str) -> dict[str, Any]:
    """What the opener says: words, and what the kind of case needs beside them."""
    body: dict[str, Any] = {"text": form.text()}
    if kind == AMOUNT:
        body["amount"] = form.number("amount", -LARGEST_CLAIM, LARGEST_CLAIM)
    elif kind == RECORD:
        body["lack"] = form.choice("lack", LACKS)
    elif kind == BEHAVIOUR:
        body["seat"] = form.seat("whose", needed=True)
    return body


def asked_seats(form: Form) -> dict[str, int | None]:
    """The parties with their seats, the opener first."""
    seats = {actor().id: form.seat("seat")}
    for number in () if is_local() else range(FURTHER):
        account, seat = form.account(f"party{number}"), form.seat(f"seat{number}")
        if account in seats:
            form.wrong(f"party{number}", "twice")
        elif account is not None:
            seats[account] = seat
    taken = [seat for seat in seats.values() if seat is not None]
    if len(taken) != len(set(taken)):
        form.wrong("seat", "seats")
    return seats
