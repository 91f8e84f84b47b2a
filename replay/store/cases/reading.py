"""Cases as they are read: one with all that was said in it, and lists of many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Engine, and_, exists, func, select, true
from sqlmodel import Session, col

from replay.store.cases.moves import FINAL, Where, appeal_until, standings
from replay.store.cases.writing import owner_of, where
from replay.store.database import clock, reading
from replay.store.tables import Audit, Dispute, DisputeEntry, Evidence, Party, Report, Sitting, Upload
from replay.store.tables.disputes import ASKED, DECIDED
from replay.store.tables.people import ADMIN, ARBITER


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was said or done: who, when, what, and the digests of what it looked at."""

    id: str
    position: int
    kind: str
    actor: str
    at: int
    sha256: str
    looked: Mapping[str, Any]
    body: Mapping[str, Any]

    @property
    def step(self) -> int | None:
        """The step that it points to."""
        step: int | None = self.looked.get("step")
        return step


@dataclass(frozen=True, slots=True)
class Case:
    """A case with its parties and entries; ``now`` is when it was read, ``owner`` who owns the report."""

    row: Dispute
    parties: Sequence[Party]
    entries: Sequence[Entry]
    files: Sequence[Evidence]
    owner: str
    now: int

    @property
    def where(self) -> Where:
        """Where it stands."""
        return where(self.row)

    @property
    def opened(self) -> Entry:
        """Its first entry."""
        return self.entries[0]

    def standing(self, account: str, role: str) -> frozenset[str]:
        """What someone is to it; nothing for somebody who may not read it."""
        accounts = {party.account for party in self.parties}
        return standings(self.where, account, role, self.row.opener, accounts, self.owner)

    @property
    def appeal_until(self) -> int | None:
        """Until when its first decision can be appealed; None where there is none that can be."""
        until = appeal_until(self.row.changed)
        return until if self.row.state == DECIDED and self.now <= until else None

    @property
    def asked(self) -> Sequence[str]:
        """Whom the arbiter waits for."""
        last = [entry for entry in self.entries if entry.kind == "asked"]
        return last[-1].body["whom"] if last and self.row.state == ASKED else ()

    @property
    def decisions(self) -> Sequence[Entry]:
        """What was decided, the last of which counts."""
        return [entry for entry in self.entries if entry.kind in ("decided", "closed")]

    @property
    def people(self) -> set[str]:
        """Every account that has a part in it."""
        named = {self.row.arbiter, self.row.second, *(entry.actor for entry in self.entries)}
        return {one for one in named if one} | {party.account for party in self.parties}


def entry_of(row: DisputeEntry) -> Entry:
    """An entry as its payload says it."""
    payload = orjson.loads(row.payload)
    told = payload["looked_at"], payload["body"]
    return Entry(row.id, row.position, row.kind, row.actor, row.at, row.sha256, *told)


def case_of(engine: Engine, dispute_id: str) -> Case | None:
    """The case of this id."""
    with reading(engine) as session:
        row = session.get(Dispute, dispute_id)
        if row is None:
            return None
        owner, now = owner_of(session, row.report_id), clock(session)
        parties = _of(session, Party, dispute_id, col(Party.id))
        entries = _of(session, DisputeEntry, dispute_id, col(DisputeEntry.position))
        files = _of(session, Evidence, dispute_id, col(Evidence.id))
        session.expunge_all()
    ours = sorted(parties, key=lambda party: (party.account != row.opener, party.seat is None, party.seat))
    return Case(row, ours, [entry_of(one) for one in entries], files, owner, now)


def _of(session: Session, table: Any, dispute_id: str, order: Any) -> list[Any]:
    chosen = select(table).where(table.dispute_id == dispute_id).order_by(order)
    return list(session.execute(chosen).scalars())


# Lists -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which cases are listed; "" wants all. ``state`` may be ``waiting``: all that are not over."""

    kind: str = ""
    state: str = ""
    room: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A case in a list, with the room and the rule set that its report was made by, where they are known."""

    row: Dispute
    room: str
    rules: str
    document: str
    parties: Sequence[str]
    asked: Sequence[str]
    now: int

    @property
    def appealable(self) -> bool:
        """Whether its first decision can be appealed still."""
        return self.row.state == DECIDED and self.now <= appeal_until(self.row.changed)


def _visible(account: str, role: str) -> ColumnElement[bool] | None:
    """Which cases somebody may read; None for all of them."""
    if role in (ARBITER, ADMIN):
        return None
    mine = exists().where(col(Party.dispute_id) == col(Dispute.id), col(Party.account) == account)
    return mine | (col(Upload.owner) == account)


def _chosen(account: str, role: str, wanted: Wanted, *columns: Any) -> Any:
    """The cases that are wanted, each with its report's sitting and upload."""
    chosen = (
        select(*columns)
        .select_from(Dispute)
        .join(Report, col(Dispute.report_id) == col(Report.id))
        .join(Audit, col(Report.audit_id) == col(Audit.id))
        .join(Upload, col(Audit.upload_id) == col(Upload.id))
        .join(Sitting, col(Sitting.report_id) == col(Report.id), isouter=True)
    )
    conditions = [
        _visible(account, role),
        col(Dispute.kind) == wanted.kind if wanted.kind else None,
        _in_state(wanted.state),
        col(Sitting.room) == wanted.room if wanted.room else None,
        col(Sitting.profile) == wanted.rules if wanted.rules else None,
    ]
    return chosen.where(and_(true(), *(one for one in conditions if one is not None)))


def _in_state(state: str) -> ColumnElement[bool] | None:
    if state == "waiting":
        return col(Dispute.state).not_in([*sorted(FINAL), DECIDED])
    return col(Dispute.state) == state if state else None


def count_cases(engine: Engine, account: str, role: str, wanted: Wanted) -> int:
    """How many cases are wanted."""
    with reading(engine) as session:
        return int(session.execute(_chosen(account, role, wanted, func.count())).scalar_one())


def list_cases(
    engine: Engine, account: str, role: str, wanted: Wanted, first: int, most: int
) -> Sequence[Line]:
    """The cases that are wanted, the oldest first, from a position on."""
    columns = Dispute, col(Sitting.room), col(Sitting.profile), col(Upload.name)
    chosen = _chosen(account, role, wanted, *columns).order_by(col(Dispute.created), col(Dispute.id))
    with reading(engine) as session:
        found = session.execute(chosen.offset(first).limit(most)).all()
        now, parties = clock(session), _parties(session, [row.id for row, *_ in found])
        asked = _asked(session, [row.id for row, *_ in found if row.state == ASKED])
        session.expunge_all()
    return [
        Line(row, room or "", rules or "", name, parties.get(row.id, []), asked.get(row.id, []), now)
        for row, room, rules, name in found
    ]


def _parties(session: Session, ids: Sequence[str]) -> dict[str, list[str]]:
    """The accounts that each case is between, its opener first."""
    found: dict[str, list[str]] = {}
    chosen = (
        select(col(Party.dispute_id), col(Party.account))
        .join(Dispute, col(Party.dispute_id) == col(Dispute.id))
        .where(col(Party.dispute_id).in_(ids))
        .order_by(col(Party.account) != col(Dispute.opener), col(Party.account))
    )
    for dispute_id, account in session.execute(chosen):
        found.setdefault(dispute_id, []).append(account)
    return found


def _asked(session: Session, ids: Sequence[str]) -> dict[str, list[str]]:
    """Whom the arbiter of each case asked last."""
    chosen = (
        select(col(DisputeEntry.dispute_id), col(DisputeEntry.payload))
        .where(col(DisputeEntry.dispute_id).in_(ids), col(DisputeEntry.kind) == "asked")
        .order_by(col(DisputeEntry.position))
    )
    return {one: orjson.loads(payload)["body"]["whom"] for one, payload in session.execute(chosen)}


def rooms_and_rules(engine: Engine, account: str, role: str) -> tuple[list[str], list[str]]:
    """The rooms and the rule sets of the cases that somebody may read, to choose from."""
    with reading(engine) as session:
        found = []
        for column in (col(Sitting.room), col(Sitting.profile)):
            chosen = _chosen(account, role, Wanted(), column).distinct().order_by(column).limit(MOST_CHOICES)
            found.append([one for one in session.execute(chosen).scalars() if one])
    return found[0], found[1]


MOST_CHOICES = 200


def cases_about(
    engine: Engine, account: str, role: str, report_id: str, hand: int | None = None
) -> Sequence[Dispute]:
    """The cases about a report, or about one hand of it, that somebody may read, the oldest first."""
    chosen = _chosen(account, role, Wanted(), Dispute).where(col(Dispute.report_id) == report_id)
    if hand is not None:
        chosen = chosen.where(col(Dispute.hand) == hand)
    with reading(engine) as session:
        found = list(session.execute(chosen.order_by(col(Dispute.created))).scalars())
        session.expunge_all()
    return found
