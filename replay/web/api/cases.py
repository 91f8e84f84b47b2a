"""Cases as they are told, found, opened and read."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal
from uuid import UUID

from flask import Response, url_for
from pydantic import Field

from replay.schemas import brief
from replay.store.accounts import names_of
from replay.store.attempts import OPENED
from replay.store.cases.opening import IsStaff, Same
from replay.store.cases.reading import Case, Entry, Line, Wanted, count_cases, list_cases
from replay.store.cases.writing import LONGEST_TEXT, Full, NotAllowed
from replay.web.api.models import Asked, Id, Listing, Moment, Paged, Told
from replay.web.api.operations import Media, as_json, operation
from replay.web.api.paging import page_of
from replay.web.api.problems import Refused, Wrong, too_often
from replay.web.cases.files import BINARY, evidence_of, saved_name
from replay.web.cases.forms import Form
from replay.web.cases.opening import (
    FURTHER,
    LARGEST_CLAIM,
    TooOften,
    asked_body,
    asked_seats,
    begun,
    readable,
)
from replay.web.cases.pages import actor, case_or_404, report_of
from replay.web.cases.showing import allowed
from replay.web.cases.subject import subject_or_404
from replay.web.footing import service
from replay.web.languages import words
from replay.web.loading import canonical, report_or_404
from replay.web.reports.pages import download

CASES = "cases"
Kind = Literal["legality", "amount", "record", "behaviour"]
State = Literal["open", "taken", "asked", "decided", "appealed", "retaken", "closed", "withdrawn"]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Seat = Annotated[int, Field(ge=0, le=3)]
Count = Annotated[int, Field(ge=0, le=999_999)]


class CaseFacts(Told):
    """What a case is about: a hand of a report, and of that an action, a finding's code or an entry of the ledger."""

    id: Id
    kind: Kind
    state: State
    report: Id
    hand: int
    action: int | None
    code: str | None
    entry: int | None
    opener: str
    arbiter: str | None
    second: str | None
    created: Moment
    changed: Moment


class CaseLine(CaseFacts):
    """A case in a list, with where its report was played and by which rules, and its parties."""

    room: str
    rules: str
    document: str
    parties: list[str]


class CaseList(Listing):
    """Cases, the oldest first; ``names`` are what accounts are called, "" for one that is closed."""

    names: dict[str, str]
    items: list[CaseLine]


class PartyTold(Told):
    """Whom a case is between, and the seat they say they had."""

    account: str
    seat: int | None


class EntryTold(Told):
    """What was said or done: by whom, when, what it looked at, and its digest in the verdict log."""

    id: Id
    position: int
    kind: str
    actor: str
    at: Moment
    sha256: str
    looked_at: dict[str, Any]
    body: dict[str, Any]


class FileTold(Told):
    """A file of a case, and the entry that brought it."""

    id: Id
    entry: Id
    name: str
    size: int
    sha256: str


class PaymentTold(Told):
    """What seat ``source`` pays seat ``target`` beside the recomputed ledger."""

    source: int
    target: int
    amount: int


class DecisionTold(Told):
    """The decision that stands, by the position of its entry, and all that is to be paid by it.

    ``replaces`` is the position of the decision that it took the place of, whose payments no longer stand.
    """

    position: int
    replaces: int | None
    payments: list[PaymentTold]


class CaseTold(CaseFacts):
    """A case with all that was said in it; ``may`` is what you may do in it now.

    ``asked`` are those whom the arbiter waits for; ``appeal_until`` is when its decision becomes final.
    """

    parties: list[PartyTold]
    entries: list[EntryTold]
    files: list[FileTold]
    names: dict[str, str]
    asked: list[str]
    appeal_until: Moment | None
    decision: DecisionTold | None
    may: list[str]


class CaseQuery(Paged):
    """Which cases; ``waiting`` are all that are not over."""

    kind: Kind | None = None
    state: State | Literal["waiting"] | None = None
    room: Annotated[str, Field(max_length=64)] = ""
    rules: Annotated[str, Field(max_length=128)] = ""


class PartyAsked(Asked):
    """A further party, by the name of its account, and its seat."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    seat: Seat | None = None


class CaseAsked(Asked):
    """A case to be opened. About money ``amount`` is what should have been paid; of a record ``lack`` says what is wrong.

    ``whose`` is the seat whose behaviour it is about, ``seat`` the opener's own.
    """

    report: Id
    hand: Count
    action: Count | None = None
    finding: Annotated[str, Field(max_length=8)] | None = None
    entry: Count | None = None
    kind: Kind
    text: Text
    amount: Annotated[int, Field(ge=-LARGEST_CLAIM, le=LARGEST_CLAIM)] | None = None
    lack: Literal["missing", "altered", "order"] | None = None
    whose: Seat | None = None
    seat: Seat | None = None
    parties: Annotated[list[PartyAsked], Field(max_length=FURTHER)] = Field(default_factory=list)


# As they are told ------------------------------------------------------------------------------------


def facts(row: Any) -> dict[str, Any]:
    """What a case is about."""
    names = {name: name for name in CaseFacts.model_fields} | {"report": "report_id"}
    return {name: getattr(row, column) for name, column in names.items()}


def told_line(line: Line) -> CaseLine:
    """A case in a list."""
    return CaseLine(
        **facts(line.row),
        room=line.room,
        rules=line.rules,
        document=line.document,
        parties=list(line.parties),
    )


def told_entry(entry: Entry) -> EntryTold:
    """What was said or done."""
    plain = {name: getattr(entry, name) for name in ("id", "position", "kind", "actor", "at", "sha256")}
    return EntryTold(**plain, looked_at=dict(entry.looked), body=dict(entry.body))


def told_decision(decisions: Sequence[Entry]) -> DecisionTold | None:
    """The last decision, which takes the place of the one before it."""
    if not decisions:
        return None
    *before, last = decisions
    return DecisionTold(
        position=last.position,
        replaces=before[-1].position if before else None,
        payments=[
            PaymentTold(source=one["from"], target=one["to"], amount=one["amount"])
            for one in last.body["effects"]
        ],
    )


def told_case(case: Case) -> CaseTold:
    """A case with all that was said in it; that staff reads it because of their office is written down."""
    report_of(case)
    return CaseTold(
        **facts(case.row),
        parties=[PartyTold(account=one.account, seat=one.seat) for one in case.parties],
        entries=[told_entry(one) for one in case.entries],
        files=[
            FileTold(id=one.id, entry=one.entry_id, name=one.name, size=one.size, sha256=one.sha256)
            for one in case.files
        ],
        names=dict(names_of(service().engine, case.people)),
        asked=list(case.asked),
        appeal_until=case.appeal_until,
        decision=told_decision(case.decisions),
        may=allowed(case),
    )


# What can be asked for -------------------------------------------------------------------------------


@operation("GET", "/cases", CaseList, tag=CASES, query=CaseQuery)
def cases(query: CaseQuery) -> CaseList:
    """The cases that you may read: your own, or all for an arbiter or an admin."""
    asks, engine = actor(), service().engine
    wanted = Wanted(query.kind or "", query.state or "", query.room, query.rules)
    lines = list_cases(engine, asks.id, asks.role, wanted, query.first, query.size)
    named = {one for line in lines for one in (*line.parties, line.row.arbiter, line.row.second) if one}
    return CaseList(
        names=dict(names_of(engine, named)),
        items=[told_line(one) for one in lines],
        **page_of(query, count_cases(engine, asks.id, asks.role, wanted)),
    )


@operation("GET", "/cases/<uuid:case_id>", CaseTold, tag=CASES)
def case(case_id: UUID) -> CaseTold:
    """A case with all that was said in it."""
    return told_case(case_or_404(case_id))


@operation("GET", "/cases/<uuid:case_id>/files/<uuid:file_id>", Media((BINARY,)), tag=CASES, rare=(410,))
def case_file(case_id: UUID, file_id: UUID) -> Response:
    """A file of a case, byte for byte."""
    found = case_or_404(case_id)
    data = evidence_of(found, canonical(file_id))
    if data is None:
        raise Refused(410, "410.file")
    return download(data, saved_name(found, canonical(file_id)), BINARY)


@operation("POST", "/cases", CaseTold, tag=CASES, statuses=(201,), body=CaseAsked, rare=(404, 409, 429))
def open_case(body: CaseAsked) -> Response:
    """Open a case about a hand of a report: its owner may, and the parties of another case about it."""
    given = asked_form(body)
    form, loaded = Form("open", given), report_or_404(body.report)
    subject = subject_or_404(loaded, given)
    kind = form.choice("kind", subject.kinds)
    said, seats = asked_body(form, kind), asked_seats(form)
    places = {f"party{at}": f"/parties/{at}/name" for at in range(FURTHER)}
    refuse_wrong(form, places)
    made = ""
    try:
        made = begun(subject, kind, said, seats)
    except IsStaff as staff:
        form.is_staff(staff.account)
        refuse_wrong(form, places)
    except TooOften as often:
        raise too_often(OPENED, often.wait_ms) from None
    except NotAllowed:
        raise Refused(403, "403.case") from None
    except Same as found:
        case = readable(found.case_id)
        there = {"Location": url_for("api.case", case_id=case)} if case else {}
        raise Refused(409, "409.decided" if found.decided else "409.case", headers=there) from None
    except Full as full:
        detail = words().say("cases.problem.open.full", n=full.most)
        raise Refused(422, "422.case", detail=detail) from None
    response = as_json(told_case(case_or_404(made)).model_dump(mode="json"), 201)
    response.headers["Location"] = url_for("api.case", case_id=made)
    return response


def asked_form(body: CaseAsked) -> dict[str, str]:
    """What is asked for as the form of the page would say it."""
    given = typed(body.model_dump(exclude={"parties"}))
    for at, party in enumerate(body.parties):
        given |= {
            f"{'party' if name == 'name' else name}{at}": value
            for name, value in typed(party.model_dump()).items()
        }
    return given


def typed(plain: Mapping[str, Any]) -> dict[str, str]:
    """Values as they are typed into a form; what is null is not typed."""
    return {name: str(value) for name, value in plain.items() if value is not None}


def refuse_wrong(form: Form, places: Mapping[str, str]) -> None:
    """Raise `Refused` (422) where something is wrong with a form; ``places`` are those of fields called otherwise."""
    wrong = [
        Wrong(
            where="body", pointer=places.get(name, f"/{name}"), found=brief(form.value(name)), expected=said
        )
        for name, said in form.problems.items()
    ]
    if wrong:
        raise Refused(422, "422.fields", wrong)
