"""A case is opened: what it is about, between whom, and what its opener says."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5

from sqlalchemy import ColumnElement, Engine, func, or_, select
from sqlmodel import Session, col

from replay.store.cases.moves import FINAL, appeal_until
from replay.store.cases.writing import Full, NotAllowed, add_entry, owner_of
from replay.store.database import alone, clock, insert, writing
from replay.store.tables import Account, Dispute, Party, Report
from replay.store.tables.disputes import CLOSED, DECIDED, OPEN
from replay.store.tables.people import PLAYER

MOST_OPEN = 100
"""Cases of one opener that are not over."""

MOST_PARTIES = 8


class IsStaff(ValueError):
    """Somebody names an ``account`` as a party that is to decide cases, or to see to it that they are decided."""

    def __init__(self, account: str) -> None:
        self.account = account
        super().__init__("an arbiter or admin is named as a party")


class Same(RuntimeError):
    """There is a case about just this; ``case_id`` is which.

    It is the opener's and waits, or it was ``decided``; ``over`` says that it was so for good.
    """

    def __init__(self, case_id: str, decided: bool = False, over: bool = False) -> None:
        self.case_id = case_id
        self.decided = decided
        self.over = over
        super().__init__(f"case {case_id} is about the same")


@dataclass(frozen=True, slots=True)
class About:
    """What a case is about: a hand of a report, and of that hand an action, a finding or an entry of the ledger."""

    kind: str
    report_id: str
    hand: int
    action: int | None = None
    code: str | None = None
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """The digests of what its opener looked at: the report, the log, the rule set ("" where there was none)."""

    report: str
    log: str
    rules: str


def open_case(
    engine: Engine,
    opener: str,
    about: About,
    looked: Looked,
    body: Mapping[str, Any],
    seats: Mapping[str, int | None],
    step: int | None = None,
) -> str:
    """A new case; its id. ``seats`` are the parties with the seats they say they had, the opener among them or not.

    Who owns the report is a party, so that nothing is disputed behind his back. Raises `NotAllowed` for someone who
    neither owns it nor is a party of another case about it, `Same`, `IsStaff` and `Full`.
    """
    with writing(engine) as session:
        owner = owner_of(session, about.report_id)
        if opener != owner and not _is_party_elsewhere(session, opener, about.report_id):
            raise NotAllowed("opened")
        alone(session, f"cases of {opener}")
        mine = select(func.count()).select_from(Dispute).where(col(Dispute.opener) == opener)
        if session.execute(mine.where(col(Dispute.state).not_in(sorted(FINAL)))).scalar_one() >= MOST_OPEN:
            raise Full(MOST_OPEN)
        now = clock(session)
        _refuse_same(session, opener, about)
        _refuse_decided(session, opener, about, now)
        row = {"id": str(uuid4()), **asdict(about), "opener": opener, "state": OPEN}
        session.execute(insert(session, Dispute).values(**row, created=now, changed=now))
        between: dict[str, int | None] = {opener: None, owner: None, **seats}
        refuse_staff(session, between.keys() - {opener, owner})
        if len(between) > MOST_PARTIES:
            raise Full(MOST_PARTIES)
        for account, seat in between.items():
            add_party_row(session, str(row["id"]), account, seat)
        case = Dispute(**row, created=now, changed=now)
        told = {
            **body,
            "about": asdict(about),
            "parties": [{"account": account, "seat": seat} for account, seat in between.items()],
        }
        add_entry(session, case, "opened", opener, told, now, step, looked=asdict(looked))
        return case.id


def _refuse_same(session: Session, opener: str, about: About) -> None:
    """Raise `Same` where the opener has a case about just this that is still to be decided."""
    waiting = col(Dispute.state).not_in([*sorted(FINAL), DECIDED])
    same = col(Dispute.report_id) == about.report_id
    chosen = select(col(Dispute.id)).where(col(Dispute.opener) == opener, waiting, same, *_alike(about))
    found = session.execute(chosen.limit(1)).scalar_one_or_none()
    if found is not None:
        raise Same(found)


def _refuse_decided(session: Session, opener: str, about: About, now: int) -> None:
    """Raise `Same` where just this was decided: an appeal can follow a decision, but no second case.

    Who was heard does not come again with the same log taken in anew either: the report that is made of that has the
    same bytes. Who was not heard may, and makes a case of his own of it.
    """
    heard = select(col(Party.dispute_id)).where(col(Party.account) == opener)
    digest = select(col(Report.sha256)).where(col(Report.id) == about.report_id).scalar_subquery()
    chosen = (
        select(Dispute)
        .join(Report, col(Dispute.report_id) == col(Report.id))
        .where(col(Dispute.state).in_([DECIDED, CLOSED]), *_alike(about), col(Report.sha256) == digest)
        .where(or_(col(Dispute.report_id) == about.report_id, col(Dispute.id).in_(heard)))
    )
    found = session.execute(chosen.order_by(col(Dispute.created)).limit(1)).scalar_one_or_none()
    if found is not None:
        over = found.state == CLOSED or now > appeal_until(found.changed)
        raise Same(found.id, decided=True, over=over)


def _alike(about: About) -> Iterable[ColumnElement[bool]]:
    """What the cases about just this have in common, of whichever report of the log."""
    named = {name: value for name, value in asdict(about).items() if name != "report_id"}
    return [getattr(Dispute, name).is_not_distinct_from(value) for name, value in named.items()]


def add_party_row(session: Session, dispute_id: str, account: str, seat: int | None) -> None:
    """Another party of a case."""
    row = {
        "id": party_id(dispute_id, account),
        "dispute_id": dispute_id,
        "account": account,
        "seat": seat,
    }
    session.execute(insert(session, Party).values(**row))


def party_id(dispute_id: str, account: str) -> str:
    """The id of the row of a party, which follows from what the row says."""
    return str(uuid5(UUID(dispute_id), account))


def refuse_staff(session: Session, named: Iterable[str]) -> None:
    """Raise `IsStaff` for an arbiter or admin among those whom somebody names.

    Else a party could name everybody who may decide, and nobody would be left to.
    """
    chosen = select(col(Account.id)).where(col(Account.id).in_(sorted(named)), col(Account.role) != PLAYER)
    found = session.execute(chosen.order_by(col(Account.id)).limit(1)).scalar_one_or_none()
    if found is not None:
        raise IsStaff(found)


def may_open(session: Session, account: str, report_id: str) -> bool:
    """Whether someone may open a case about a report: its owner, and the parties of another case about it."""
    return account == owner_of(session, report_id) or _is_party_elsewhere(session, account, report_id)


def _is_party_elsewhere(session: Session, account: str, report_id: str) -> bool:
    chosen = (
        select(col(Party.id))
        .join(Dispute, col(Party.dispute_id) == col(Dispute.id))
        .where(col(Party.account) == account, col(Dispute.report_id) == report_id)
        .limit(1)
    )
    return session.execute(chosen).first() is not None
