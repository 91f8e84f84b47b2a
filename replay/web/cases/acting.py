"""What is done in a case, each by a form of its page: said, taken, asked, decided, appealed."""

from collections.abc import Callable
from uuid import UUID

from flask import Response, make_response, redirect, request, url_for

from replay.store.cases import deciding, saying
from replay.store.cases.opening import IsStaff
from replay.store.cases.reading import Case
from replay.store.cases.writing import Full, NotAllowed, TooLate
from replay.web.cases.forms import Form
from replay.web.cases.pages import actor, case_or_404, pages, report_of
from replay.web.cases.ruling import asked_decision
from replay.web.cases.showing import case_page, own_words
from replay.web.cases.subject import subject_of
from replay.web.footing import service
from replay.web.languages import lang, stands_for, words
from replay.web.reports.shown import page_for
from replay.web.security import small_form

Act = Callable[[Case, Form], None]
"""What a form does; where something is wrong with it, it says so and nothing is done."""


def done(case: Case) -> Response:
    """Back to the page of the case, where the last entry is."""
    address = url_for("cases.show", case_id=case.row.id)
    return make_response(redirect(f"{address}#entry-{len(case.entries) + 1}", 303))


def answered(case: Case, form: Form, act: Act) -> Response:
    """The answer to a form: done, or the page again with what stands in the way (422, 403, 409)."""
    stands_for(url_for("cases.show", case_id=case.row.id))
    said = words().say
    try:
        act(case, form)
    except NotAllowed:
        return case_page(case, form, 403, said("cases.problem.allowed"))
    except TooLate:
        return case_page(case_or_404(case.row.id), form, 409, said("cases.problem.late"))
    except Full as full:
        return case_page(case, form, 422, said("cases.problem.full", n=full.most))
    return case_page(case, form, 422) if form.problems else done(case)


@pages.post("/<uuid:case_id>/<any(statement, pin, note, party, take, release):act>")
def say(case_id: UUID, act: str) -> Response:
    """Add words, a step, a note or a party; take the case, or give it back."""
    return by_form(case_id, act)


@pages.post("/<uuid:case_id>/<any(ask, answer, decide, appeal, withdraw):act>")
def judge(case_id: UUID, act: str) -> Response:
    """Ask, answer, decide, appeal, withdraw."""
    return by_form(case_id, act)


def by_form(case_id: UUID, act: str) -> Response:
    """Do what a form asks for."""
    small_form()
    return answered(case_or_404(case_id), Form(act, request.form), FORMS[act])


def _statement(case: Case, form: Form) -> None:
    text, corrects = form.text(), form.value("corrects")
    if corrects and corrects not in map(str, own_words(case)):
        form.wrong("corrects", "corrects")
    if not form.problems:
        position = int(corrects) if corrects else None
        saying.state_words(service().engine, case.row.id, actor(), text, position)


def _pin(case: Case, form: Form) -> None:
    walk = subject_of(case.row, report_of(case)).walk()
    step = form.number("step", 0, walk.last if walk is not None else 0, needed=True)
    text = form.text(needed=False)
    if step is not None and not form.problems:
        saying.pin_step(service().engine, case.row.id, actor(), step, text)


def _note(case: Case, form: Form) -> None:
    findings = report_of(case).written["hands"][case.row.hand]["findings"]
    chosen, text = form.choice("finding", [str(number) for number in range(len(findings))]), form.text()
    if not form.problems:
        saying.note_finding(service().engine, case.row.id, actor(), findings[int(chosen)], text)


def _party(case: Case, form: Form) -> None:
    account, seat = form.account("name"), form.seat("seat")
    if account is None:
        form.wrong("name", "nothing")
    if account is None or form.problems:
        return
    try:
        saying.add_party(service().engine, case.row.id, actor(), account, seat)
    except saying.IsParty:
        form.wrong("name", "twice")
    except IsStaff as staff:
        form.is_staff(staff.account)


def _take(case: Case, form: Form) -> None:
    deciding.take(service().engine, case.row.id, actor(), case.where)


def _release(case: Case, form: Form) -> None:
    text = form.text(needed=False)
    if not form.problems:
        deciding.release(service().engine, case.row.id, actor(), text)


def _ask(case: Case, form: Form) -> None:
    accounts = [party.account for party in case.parties]
    whom = [account for number, account in enumerate(accounts) if form.value(f"whom{number}")]
    text = form.text()
    if not whom:
        form.wrong("whom", "whom")
    if not form.problems:
        deciding.ask(service().engine, case.row.id, actor(), whom, text)


def _answer(case: Case, form: Form) -> None:
    text = form.text()
    if not form.problems:
        deciding.answer(service().engine, case.row.id, actor(), text)


def _decide(case: Case, form: Form) -> None:
    loaded = report_of(case)
    page, subject = page_for(loaded, lang()), subject_of(case.row, loaded)
    decision = asked_decision(form, page, subject, case.row.kind)
    # The page says of which instance it is: what was written for one does not count for the other.
    stands = case.where
    if form.value("instance") != ("second" if stands.appealed else "first"):
        raise TooLate(case.row.state)
    if decision is not None:
        deciding.decide(service().engine, case.row.id, actor(), stands, decision)


def _appeal(case: Case, form: Form) -> None:
    text = form.text()
    if not form.problems:
        deciding.appeal(service().engine, case.row.id, actor(), text)


def _withdraw(case: Case, form: Form) -> None:
    text = form.text(needed=False)
    if not form.problems:
        deciding.withdraw(service().engine, case.row.id, actor(), text)


FORMS: dict[str, Act] = {
    "statement": _statement,
    "pin": _pin,
    "note": _note,
    "party": _party,
    "take": _take,
    "release": _release,
    "ask": _ask,
    "answer": _answer,
    "decide": _decide,
    "appeal": _appeal,
    "withdraw": _withdraw,
}
