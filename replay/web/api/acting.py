"""What is done in a case, move by move; each answers with the case as it stands then."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

from flask import request
from pydantic import Field

from replay.schemas import brief
from replay.store.cases.deciding import LARGEST_AMOUNT
from replay.store.cases.writing import Full, NotAllowed, TooLate
from replay.web.api.cases import (
    CASES,
    CaseTold,
    Count,
    PartyAsked,
    Seat,
    Text,
    refuse_wrong,
    told_case,
    typed,
)
from replay.web.api.models import Asked, Nothing
from replay.web.api.operations import Media, operation
from replay.web.api.problems import Refused, Wrong
from replay.web.cases.acting import FORMS, Act
from replay.web.cases.citing import LONGEST_PLACE, LONGEST_QUOTE
from replay.web.cases.files import brought, large_form
from replay.web.cases.forms import Form
from replay.web.cases.pages import case_or_404
from replay.web.cases.ruling import CANNED, EFFECTS, TYPED
from replay.web.languages import words

FILE = Media(
    ("multipart/form-data",),
    {
        "type": "object",
        "required": ["file", "text"],
        "properties": {"file": {"type": "string", "format": "binary"}, "text": {"type": "string"}},
    },
)


class StatementAsked(Asked):
    """A statement; ``corrects`` is the position of an entry of yours that it corrects."""

    text: Text
    corrects: Count | None = None


class PinAsked(Asked):
    """A step of the hand that is to be looked at, and why."""

    step: Count
    text: Text = ""


class NoteAsked(Asked):
    """A note on a finding of the hand, by its position among them."""

    finding: Count
    text: Text


class WordsAsked(Asked):
    """Words, which may be none."""

    text: Text = ""


class TextAsked(Asked):
    """Words."""

    text: Text


class QuestionAsked(Asked):
    """Whom the arbiter asks, by the ids of their accounts as ``parties`` of the case has them, and what."""

    whom: Annotated[list[Annotated[str, Field(max_length=64)]], Field(min_length=1, max_length=8)]
    text: Text


class ClauseAsked(Asked):
    """The clause that a decision rests on."""

    document: Annotated[str, Field(min_length=1, max_length=LONGEST_PLACE)]
    section: Annotated[str, Field(min_length=1, max_length=LONGEST_PLACE)]
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_QUOTE)]


class PaymentAsked(Asked):
    """A payment that a decision orders: seat ``source`` pays seat ``target``."""

    source: Seat
    target: Seat
    amount: Annotated[int, Field(ge=1, le=LARGEST_AMOUNT)]


class DecisionAsked(Asked):
    """A decision; ``instance`` is the one that it was made for, so that none counts for another.

    ``canned`` names a wording that every language has; without one there must be a ``text``.
    """

    instance: Literal["first", "second"]
    ruling: Annotated[str, Field(max_length=16)]
    clause: ClauseAsked
    text: Text = ""
    canned: Annotated[str, Field(max_length=32, json_schema_extra={"enum": ["", *CANNED]})] = ""
    payments: Annotated[list[PaymentAsked], Field(max_length=EFFECTS)] = Field(default_factory=list)


def acted(
    case_id: UUID, act: str, given: Mapping[str, str], places: Mapping[str, str] | None = None
) -> CaseTold:
    """Make a move as the form of the page would; the case as it stands then. Raises `Refused`."""
    return made(case_id, Form(act, given), FORMS[act], places or {})


def made(case_id: UUID, form: Form, act: Act, places: Mapping[str, str]) -> CaseTold:
    """The same with a form that is there already."""
    try:
        act(case_or_404(case_id), form)
    except NotAllowed:
        raise Refused(403, "403.case") from None
    except TooLate:
        raise Refused(409, "409.late") from None
    except Full as full:
        raise Refused(422, "422.case", detail=words().say("cases.problem.full", n=full.most)) from None
    refuse_wrong(form, places)
    return told_case(case_or_404(case_id))


# Said ------------------------------------------------------------------------------------------------


@operation("POST", "/cases/<uuid:case_id>/statements", CaseTold, tag=CASES, body=StatementAsked, rare=(409,))
def case_statement(case_id: UUID, body: StatementAsked) -> CaseTold:
    """Add a statement."""
    return acted(case_id, "statement", typed(body.model_dump()))


@operation("POST", "/cases/<uuid:case_id>/pins", CaseTold, tag=CASES, body=PinAsked, rare=(409,))
def case_pin(case_id: UUID, body: PinAsked) -> CaseTold:
    """Pin a step of the hand."""
    return acted(case_id, "pin", typed(body.model_dump()))


@operation("POST", "/cases/<uuid:case_id>/notes", CaseTold, tag=CASES, body=NoteAsked, rare=(409,))
def case_note(case_id: UUID, body: NoteAsked) -> CaseTold:
    """Note something on a finding of the hand."""
    return acted(case_id, "note", typed(body.model_dump()))


@operation("POST", "/cases/<uuid:case_id>/parties", CaseTold, tag=CASES, body=PartyAsked, rare=(409,))
def case_party(case_id: UUID, body: PartyAsked) -> CaseTold:
    """Name a further party."""
    return acted(case_id, "party", typed(body.model_dump()))


@operation("POST", "/cases/<uuid:case_id>/files", CaseTold, tag=CASES, body=FILE, rare=(409,))
def case_evidence(case_id: UUID) -> CaseTold:
    """Add a file with what it is, by a form."""
    large_form()
    if request.mimetype not in FILE.types:
        raise Refused(415, "415.form")
    return made(case_id, Form("evidence", request.form), brought, {})


# Done ------------------------------------------------------------------------------------------------


@operation("POST", "/cases/<uuid:case_id>/take", CaseTold, tag=CASES, body=Nothing, rare=(409,))
def case_take(case_id: UUID, body: Nothing) -> CaseTold:
    """Take a case, or its appeal; for an arbiter who is no party."""
    return acted(case_id, "take", {})


@operation("POST", "/cases/<uuid:case_id>/release", CaseTold, tag=CASES, body=WordsAsked, rare=(409,))
def case_release(case_id: UUID, body: WordsAsked) -> CaseTold:
    """Give a case back for another arbiter to take."""
    return acted(case_id, "release", typed(body.model_dump()))


@operation("POST", "/cases/<uuid:case_id>/ask", CaseTold, tag=CASES, body=QuestionAsked, rare=(409,))
def case_ask(case_id: UUID, body: QuestionAsked) -> CaseTold:
    """Ask parties for more; the case waits for an answer."""
    accounts = [one.account for one in case_or_404(case_id).parties]
    said = words().say("cases.problem.party")
    wrong = [
        Wrong(where="body", pointer=f"/whom/{at}", found=brief(account), expected=said)
        for at, account in enumerate(body.whom)
        if account not in accounts
    ]
    if wrong:
        raise Refused(422, "422.fields", wrong)
    named = {f"whom{at}": "1" for at, account in enumerate(accounts) if account in body.whom}
    return acted(case_id, "ask", {"text": body.text, **named})


@operation("POST", "/cases/<uuid:case_id>/answer", CaseTold, tag=CASES, body=TextAsked, rare=(409,))
def case_answer(case_id: UUID, body: TextAsked) -> CaseTold:
    """Answer what the arbiter asked."""
    return acted(case_id, "answer", typed(body.model_dump()))


@operation("POST", "/cases/<uuid:case_id>/decide", CaseTold, tag=CASES, body=DecisionAsked, rare=(409,))
def case_decide(case_id: UUID, body: DecisionAsked) -> CaseTold:
    """Decide a case, for the arbiter who has it; the decision on an appeal is the last."""
    clause = {"document": body.clause.document, "section": body.clause.section, "quote": body.clause.text}
    given = typed(body.model_dump(exclude={"clause", "payments"})) | clause | {"clause": TYPED}
    places = {"document": "/clause/document", "section": "/clause/section", "quote": "/clause/text"}
    for at, one in enumerate(body.payments):
        payment: dict[str, Any] = {"from": one.source, "to": one.target, "amount": one.amount}
        given |= {f"{name}{at}": str(value) for name, value in payment.items()}
        places |= {f"from{at}": f"/payments/{at}/source", f"to{at}": f"/payments/{at}/target"}
    return acted(case_id, "decide", given, places)


@operation("POST", "/cases/<uuid:case_id>/appeal", CaseTold, tag=CASES, body=TextAsked, rare=(409,))
def case_appeal(case_id: UUID, body: TextAsked) -> CaseTold:
    """Appeal the first decision, while that can be done."""
    return acted(case_id, "appeal", typed(body.model_dump()))


@operation("POST", "/cases/<uuid:case_id>/withdraw", CaseTold, tag=CASES, body=WordsAsked, rare=(409,))
def case_withdraw(case_id: UUID, body: WordsAsked) -> CaseTold:
    """Take a case of yours back before it is decided."""
    return acted(case_id, "withdraw", typed(body.model_dump()))
