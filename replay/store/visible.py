"""Which reports an account may see, and what is kept of those that staff looked at (operations U7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import ColumnElement, Engine, and_, or_, select, true
from sqlmodel import Session, col

from replay.store.database import alone, clock, reading, writing
from replay.store.tables import Audit, Dispute, Document, Party, Report, StaffView, Upload

STAFF = frozenset({"arbiter", "admin"})
OWNER, PARTY, BY_OFFICE = "owner", "party", "staff"
WHAT = ("page", "step", "data", "log", "explain", "print", "case")
"""What of a report can be looked at: its page, steps of the table, the report as data, the log as it was uploaded, what
would explain it, a print, a case about it."""

APART_MS = 60_000
"""Who steps through a hand looks at it once: a second view within this time is the same one."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A report that may be seen: as its owner, as a party of a case about it, or by office because of a ``case``."""

    report: Report
    audit: Audit
    upload: Upload
    document: Document
    standing: str
    case: str | None


def visible_report(session: Session, account: str, role: str, report_id: str) -> Seen | None:
    """The report of this id, if this account may see it; there is no other way to one."""
    its = and_(col(Document.upload_id) == col(Upload.id), col(Document.position) == col(Report.position))
    chosen = (
        select(Report, Audit, Upload, Document)
        .join(Audit, col(Report.audit_id) == col(Audit.id))
        .join(Upload, col(Audit.upload_id) == col(Upload.id))
        .join(Document, its)
        .where(col(Report.id) == report_id, may_see(account, role))
    )
    row = session.execute(chosen).one_or_none()
    if row is None:
        return None
    report, audit, upload, document = row
    standing, case = _standing(session, account, upload, report_id)
    return Seen(report, audit, upload, document, standing, case)


def may_see(account: str, role: str) -> ColumnElement[bool]:
    """Whether this account may see a report of an upload, both of which are in the query."""
    return or_(col(Upload.owner) == account, _disputed(account, role))


def _disputed(account: str, role: str) -> ColumnElement[bool]:
    """That a case is about the report, and is the account's to know of."""
    cases = select(col(Dispute.id)).where(col(Dispute.report_id) == col(Report.id))
    return cases.where(true() if role in STAFF else _is_party(account)).exists()


def _is_party(account: str) -> ColumnElement[bool]:
    mine = select(col(Party.id)).where(
        col(Party.dispute_id) == col(Dispute.id), col(Party.account) == account
    )
    return mine.exists()


def _standing(session: Session, account: str, upload: Upload, report_id: str) -> tuple[str, str | None]:
    """As what the account sees the report, and because of which case: one that it is to decide goes first."""
    if upload.owner == account:
        return OWNER, None
    about = select(col(Dispute.id)).where(col(Dispute.report_id) == report_id)
    mine = or_(col(Dispute.arbiter) == account, col(Dispute.second) == account)
    newest = about.order_by(col(Dispute.created).desc(), col(Dispute.id)).limit(1)
    first = (newest.where(condition) for condition in (_is_party(account), mine, true()))
    for standing, query in zip((PARTY, BY_OFFICE, BY_OFFICE), first, strict=True):
        if (case := session.execute(query).scalar_one_or_none()) is not None:
            return standing, str(case)
    return BY_OFFICE, None


# Who looked ------------------------------------------------------------------------------------------


def record_view(
    engine: Engine, account: str, report_id: str, hand: int | None, case: str | None, what: str
) -> bool:
    """Write down that staff looked at something of a report or of a hand of it; says whether that is a view of its own.

    At most one a minute is kept of an account, a hand and what of it (one of `WHAT`), or one who steps through it
    would be there a hundred times.
    """
    with writing(engine) as session:
        alone(session, f"views of {account}")
        now = clock(session)
        same = select(col(StaffView.id)).where(
            col(StaffView.account) == account,
            col(StaffView.report_id) == report_id,
            col(StaffView.hand).is_(None) if hand is None else col(StaffView.hand) == hand,
            col(StaffView.what) == what,
            col(StaffView.at) > now - APART_MS,
        )
        if session.execute(same.limit(1)).first() is not None:
            return False
        view = StaffView(
            id=str(uuid4()),
            account=account,
            report_id=report_id,
            hand=hand,
            what=what,
            dispute_id=case,
            at=now,
        )
        session.add(view)
    return True


def views_of(engine: Engine, report_id: str, most: int) -> Sequence[StaffView]:
    """Who looked at a report by office, the latest first."""
    chosen = select(StaffView).where(col(StaffView.report_id) == report_id)
    with reading(engine) as session:
        latest = chosen.order_by(col(StaffView.at).desc(), col(StaffView.id)).limit(most)
        found = list(session.execute(latest).scalars())
        session.expunge_all()
    return found
