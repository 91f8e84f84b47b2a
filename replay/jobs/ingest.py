"""Taking an upload in: its bytes kept, its rows written in one transaction, then the bell."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import rfc8785
from sqlalchemy import select
from sqlmodel import Session, col

from replay.jobs.queue import ring, rung_at
from replay.jobs.service import Service
from replay.jobs.split import add_audit_jobs
from replay.store.database import clock, insert, now_ms, writing
from replay.store.tables import SPLIT, Audit, Job, Upload
from replay.version import __version__

LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Wish:
    """The rule set asked for: a profile (None: each log's own) and options over it.

    ``house`` is the row of a version of a house rule set; ``profile`` is then the id that this gives itself.
    """

    profile: str | None = None
    options: Mapping[str, Any] | None = None
    house: str | None = None

    @property
    def ruleset(self) -> str:
        """The digest that tells one wish from another."""
        asked = {"profile": self.profile, "options": dict(self.options or {})}
        if self.house is not None:
            asked["house"] = self.house
        return hashlib.sha256(rfc8785.dumps(asked)).hexdigest()


@dataclass(frozen=True, slots=True)
class Taken:
    """What an upload came to: its id, its audit's, and whether the bytes were new."""

    upload: str
    audit: str
    fresh: bool


def take(
    service: Service,
    pieces: Iterable[bytes],
    name: str,
    wish: Wish | None = None,
    owner: str = "local",
    request: str = "",
) -> Taken:
    """Keep an upload and see to its audit. Raises `replay.store.blobs.TooLarge`; then nothing is kept.

    The same bytes of one owner are one upload, and the same rule set by the same engine one audit of it.
    """
    digest, size = service.blobs.keep(pieces, service.limits.upload_bytes)
    with writing(service.engine) as session:
        service.blobs.need(session, [digest])
        fresh, upload_id = _upload(session, owner, digest, size, name[:LONGEST_NAME])
        audit_id, jobs = _audit(service, session, upload_id, wish or Wish(), request)
        if fresh:
            now = clock(session)
            job = Job(
                id=str(uuid4()),
                kind=SPLIT,
                upload_id=upload_id,
                request=request,
                created=now,
                rung=rung_at(service, now),
            )
            session.add(job)
            jobs = [job.id]
    for job_id in jobs:
        ring(service, job_id)
    return Taken(upload_id, audit_id, fresh)


def audit_again(service: Service, upload_id: str, wish: Wish, request: str = "") -> str:
    """Audit a kept upload under another rule set or by this engine; returns the audit's id."""
    with writing(service.engine) as session:
        audit_id, jobs = _audit(service, session, upload_id, wish, request)
    for job_id in jobs:
        ring(service, job_id)
    return audit_id


def _upload(session: Session, owner: str, digest: str, size: int, name: str) -> tuple[bool, str]:
    row = {
        "id": str(uuid4()),
        "owner": owner,
        "sha256": digest,
        "size": size,
        "name": name,
        "created": now_ms(),
    }
    session.execute(insert(session, Upload).values(**row).on_conflict_do_nothing())
    same = select(col(Upload.id)).where(col(Upload.owner) == owner, col(Upload.sha256) == digest)
    upload_id = str(session.execute(same).scalar_one())
    return upload_id == row["id"], upload_id


def _audit(
    service: Service, session: Session, upload_id: str, wish: Wish, request: str
) -> tuple[str, list[str]]:
    """The audit of this wish by this engine, and the jobs that it needs now; of the others it names the last."""
    # A split that finishes meanwhile waits for this, or is waited for: either sees what the other wrote.
    session.execute(select(col(Upload.id)).where(col(Upload.id) == upload_id).with_for_update())
    newest = (
        select(col(Audit.id)).where(col(Audit.upload_id) == upload_id).order_by(col(Audit.created).desc())
    )
    row = {
        "id": str(uuid4()),
        "upload_id": upload_id,
        "ruleset": wish.ruleset,
        "profile": wish.profile,
        "options": json.dumps(wish.options or {}, sort_keys=True),
        "house": wish.house,
        "engine": __version__,
        "supersedes": session.execute(newest.limit(1)).scalar_one_or_none(),
        "created": now_ms(),
    }
    session.execute(insert(session, Audit).values(**row).on_conflict_do_nothing())
    same = select(col(Audit.id)).where(
        col(Audit.upload_id) == upload_id,
        col(Audit.ruleset) == row["ruleset"],
        col(Audit.engine) == row["engine"],
    )
    audit_id = str(session.execute(same).scalar_one())
    fresh = audit_id == row["id"]
    return audit_id, add_audit_jobs(service, session, upload_id, audit_id, request) if fresh else []
