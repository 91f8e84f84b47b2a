"""Removing: an upload with all that was made of it, and all that an account has but what a case needs.

What a case is about is evidence and stays: the upload whole, with its audits and reports, and the house rule sets
that these were made by. Files go after their rows, and only those that no row refers to any more.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, delete, select
from sqlmodel import Session, col

from replay.store.accounts import close
from replay.store.blobs import FILES, Blobs
from replay.store.database import alone, now_ms, reading, writing
from replay.store.tables import (
    RUNNING,
    Audit,
    Dispute,
    Document,
    Evidence,
    FindingRow,
    HouseRules,
    Job,
    Played,
    Report,
    Share,
    SignIn,
    Sitting,
    Token,
    Upload,
)

FILES_AT_ONCE = 500
"""Files that are looked at in one transaction: nobody writes meanwhile."""


class InCase(RuntimeError):
    """A case is about the upload, which stays."""


class AtWork(RuntimeError):
    """A worker is at the upload: it can be removed once that is done."""


@dataclass(slots=True)
class Removed:
    """What went: the files that may now be needed by nobody, and the uploads that cases keep."""

    files: set[str] = field(default_factory=set)
    kept: list[str] = field(default_factory=list)


# One upload ------------------------------------------------------------------------------------------


def remove_upload(engine: Engine, blobs: Blobs, owner: str, upload_id: str) -> bool:
    """Remove an owner's upload with its reports; says whether there was one. Raises `InCase`, `AtWork`."""
    removed = Removed()
    with writing(engine) as session:
        mine = select(Upload).where(col(Upload.id) == upload_id, col(Upload.owner) == owner)
        if session.execute(mine.with_for_update()).scalar_one_or_none() is None:
            return False
        if _in_cases(session, [upload_id]):
            raise InCase
        _take_away(session, upload_id, removed)
    remove_files(engine, blobs, removed.files)
    return True


def is_in_case(engine: Engine, upload_id: str) -> bool:
    """Whether a case is about an upload."""
    with reading(engine) as session:
        return bool(_in_cases(session, [upload_id]))


def kept_by_cases(engine: Engine, owner: str) -> list[Upload]:
    """The uploads of an owner that cases are about, the oldest first."""
    with reading(engine) as session:
        chosen = select(Upload).where(col(Upload.owner) == owner, col(Upload.id).in_(_disputed()))
        found = list(session.execute(chosen.order_by(col(Upload.created), col(Upload.id))).scalars())
        session.expunge_all()
    return found


def _disputed() -> Any:
    of_reports = select(col(Audit.upload_id)).join(Report, col(Report.audit_id) == col(Audit.id))
    return of_reports.join(Dispute, col(Dispute.report_id) == col(Report.id))


def _in_cases(session: Session, upload_ids: Iterable[str]) -> set[str]:
    chosen = select(col(Upload.id)).where(
        col(Upload.id).in_(list(upload_ids)), col(Upload.id).in_(_disputed())
    )
    return set(session.execute(chosen).scalars())


def _take_away(session: Session, upload_id: str, removed: Removed) -> None:
    """Delete the rows of an upload and all that hangs on it; work that waits goes too. Raises `AtWork`."""
    jobs = select(Job).where(col(Job.upload_id) == upload_id).with_for_update()
    ids = [job.id for job in session.execute(jobs).scalars()]
    held = select(col(Job.id)).where(
        col(Job.id).in_(ids), col(Job.state) == RUNNING, col(Job.lease_until) > now_ms()
    )
    if session.execute(held.limit(1)).first() is not None:
        raise AtWork
    audits = select(col(Audit.id)).where(col(Audit.upload_id) == upload_id)
    reports = select(col(Report.id)).where(col(Report.audit_id).in_(audits))
    removed.files |= set(
        session.execute(select(col(Report.sha256)).where(col(Report.audit_id).in_(audits))).scalars()
    )
    packs = select(col(Document.pack)).where(
        col(Document.upload_id) == upload_id, col(Document.pack).is_not(None)
    )
    removed.files |= set(session.execute(packs).scalars())
    removed.files |= set(
        session.execute(select(col(Upload.sha256)).where(col(Upload.id) == upload_id)).scalars()
    )
    session.expunge_all()
    for of_reports in (FindingRow, Share, Played, Sitting):
        session.execute(_without_rows(delete(of_reports).where(col(of_reports.report_id).in_(reports))))
    session.execute(_without_rows(delete(Report).where(col(Report.audit_id).in_(audits))))
    for of_upload in (Job, Audit, Document):
        session.execute(_without_rows(delete(of_upload).where(col(of_upload.upload_id) == upload_id)))
    session.execute(_without_rows(delete(Upload).where(col(Upload.id) == upload_id)))


def _without_rows(statement: Any) -> Any:
    """The same, without looking for the rows among those that the session has read."""
    return statement.execution_options(synchronize_session=False)


# All of an account -----------------------------------------------------------------------------------


def close_account(engine: Engine, blobs: Blobs, account_id: str) -> list[str]:
    """Close an account and remove what it has but what cases need; returns the ids of the uploads that stay.

    All of it or nothing. Raises `AtWork`, and `replay.store.accounts.BadAccount` for the last admin.
    """
    removed = Removed()
    with writing(engine) as session:
        close(session, account_id)
        for table in (SignIn, Token):
            mine = delete(table).where(col(table.account_id) == account_id)
            session.execute(_without_rows(mine))
        session.execute(_without_rows(delete(Share).where(col(Share.owner) == account_id)))
        uploads = select(col(Upload.id)).where(col(Upload.owner) == account_id).order_by(col(Upload.id))
        ids = list(session.execute(uploads.with_for_update()).scalars())
        kept = _in_cases(session, ids)
        for upload_id in ids:
            if upload_id in kept:
                removed.kept.append(upload_id)
            else:
                _take_away(session, upload_id, removed)
        _take_houses_away(session, account_id)
    remove_files(engine, blobs, removed.files)
    return removed.kept


def _take_houses_away(session: Session, owner: str) -> None:
    """Delete the house rule sets that no audit was made by; a version that stays keeps those before it."""
    while True:
        used = select(col(Audit.house)).where(col(Audit.house).is_not(None))
        before = select(col(HouseRules.supersedes)).where(col(HouseRules.supersedes).is_not(None))
        last = delete(HouseRules).where(
            col(HouseRules.owner) == owner, col(HouseRules.id).not_in(used), col(HouseRules.id).not_in(before)
        )
        if not session.execute(_without_rows(last.returning(col(HouseRules.id)))).all():
            return


# Files -----------------------------------------------------------------------------------------------


def remove_files(engine: Engine, blobs: Blobs, digests: Iterable[str]) -> None:
    """Delete those of these files that no row refers to.

    Whoever refers to a file looks, in the transaction that does, whether it is there (`Blobs.need`); and nobody
    does so while files are looked up and deleted here.
    """
    ordered = sorted(digests)
    for first in range(0, len(ordered), FILES_AT_ONCE):
        some = ordered[first : first + FILES_AT_ONCE]
        with writing(engine) as session:
            alone(session, FILES)
            for digest in set(some) - referred_to(session, some):
                blobs.remove(digest)


def referred_to(session: Session, digests: list[str]) -> set[str]:
    """Those of these files that a row refers to."""
    columns = (Upload.sha256, Document.pack, Report.sha256, Evidence.sha256)
    found = [select(col(one)).where(col(one).in_(digests)) for one in columns]
    return {digest for chosen in found for digest in session.execute(chosen).scalars()}
