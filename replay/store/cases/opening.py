"""A case is opened: what it is about, between whom, and what its opener says."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from replay.store.cases.moves import FINAL
from replay.store.cases.writing import Full, NotAllowed, add_entry, owner_of
from replay.store.database import alone, clock, insert, writing
from replay.store.tables import Dispute, Party
from replay.store.tables.disputes import OPEN

MOST_OPEN = 100
"""Cases of one opener that are not over."""

MOST_PARTIES = 8


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
    neither owns it nor is a party of another case about it, and `Full`.
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
        row = {"id": str(uuid4()), **asdict(about), "opener": opener, "state": OPEN}
        session.execute(insert(session, Dispute).values(**row, created=now, changed=now))
        between: dict[str, int | None] = {opener: None, owner: None, **seats}
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


def add_party_row(session: Session, dispute_id: str, account: str, seat: int | None) -> None:
    """Another party of a case."""
    row = {"id": str(uuid4()), "dispute_id": dispute_id, "account": account, "seat": seat}
    session.execute(insert(session, Party).values(**row))


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
