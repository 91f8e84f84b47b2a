"""Links to reports for whoever has them: each ends or is revoked, and no more of its secret is kept than a digest."""

from collections.abc import Sequence
from secrets import token_urlsafe
from uuid import uuid4

from sqlalchemy import ColumnElement, Engine, and_, func, or_, select, update
from sqlmodel import Session, col

from replay.store.database import alone, clock, now_ms, reading, writing
from replay.store.signing_in import digest
from replay.store.tables import Account, Audit, Report, Share, Upload

SECRET_BYTES = 32
LONGEST_SECRET = 64
DAY_MS = 24 * 3600 * 1000
MOST_LIVE = 50
"""Links of one report that can be open at a time."""


class TooMany(RuntimeError):
    """A report has as many open links as it can have; ``most`` is how many."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most} links to one report")


def make_share(engine: Engine, owner: str, report_id: str, seat: int | None, days: int | None) -> str:
    """Make a link to a report, whole or as one seat sees it; returns its secret, which is never to be had again.

    Raises `TooMany`.
    """
    secret = token_urlsafe(SECRET_BYTES)
    with writing(engine) as session:
        alone(session, f"shares of {report_id}")
        now = clock(session)
        open_ones = (
            select(func.count()).select_from(Share).where(col(Share.report_id) == report_id, _open(now))
        )
        if session.execute(open_ones).scalar_one() >= MOST_LIVE:
            raise TooMany(MOST_LIVE)
        share = Share(
            id=str(uuid4()),
            owner=owner,
            report_id=report_id,
            sha256=digest(secret),
            seat=seat,
            created=now,
            expires=None if days is None else now + days * DAY_MS,
        )
        session.add(share)
    return secret


def _open(now: int) -> ColumnElement[bool]:
    """That a link was not revoked and has not ended."""
    ends = or_(col(Share.expires).is_(None), col(Share.expires) > now)
    return and_(col(Share.revoked).is_(None), ends)


def shares_of(engine: Engine, owner: str, report_id: str) -> Sequence[Share]:
    """The open links of an owner's report, the newest first."""
    with reading(engine) as session:
        chosen = select(Share).where(
            col(Share.owner) == owner, col(Share.report_id) == report_id, _open(clock(session))
        )
        found = list(session.execute(chosen.order_by(col(Share.created).desc(), col(Share.id))).scalars())
        session.expunge_all()
    return found


def revoke_share(engine: Engine, owner: str, report_id: str, share_id: str) -> bool:
    """Let a link of an owner's report lead nowhere from now on; says whether it was open."""
    with writing(engine) as session:
        mine = (col(Share.id) == share_id, col(Share.owner) == owner, col(Share.report_id) == report_id)
        ended = update(Share).where(*mine, _open(clock(session))).values(revoked=now_ms())
        return session.execute(ended.returning(col(Share.id))).first() is not None


def opened(session: Session, secret: str) -> Share | None:
    """The link of this secret; None where there is none, where it ended, was revoked, or its owner may not enter.

    Its owner must have the report still: what one could once share one shares no longer without it.
    """
    if len(secret) > LONGEST_SECRET:
        return None
    out = or_(col(Account.closed).is_not(None), col(Account.barred).is_not(None))
    gone = select(col(Account.id)).where(col(Account.id) == col(Share.owner), out)
    has = (
        select(col(Report.id))
        .join(Audit, col(Report.audit_id) == col(Audit.id))
        .join(Upload, col(Audit.upload_id) == col(Upload.id))
        .where(col(Report.id) == col(Share.report_id), col(Upload.owner) == col(Share.owner))
    )
    chosen = select(Share).where(
        col(Share.sha256) == digest(secret), _open(clock(session)), has.exists(), ~gone.exists()
    )
    found: Share | None = session.execute(chosen).scalar_one_or_none()
    return found
