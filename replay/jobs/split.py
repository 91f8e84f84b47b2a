"""Splitting an upload: its documents are laid into packs, a chunk of the work each, and audits get their jobs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import orjson
from sqlalchemy import select, update
from sqlmodel import Session, col

from replay.containers import Member, members
from replay.findings import Finding
from replay.jobs.queue import Claim, finish, rung_at
from replay.jobs.service import Service
from replay.jobs.watching import Watch
from replay.store.database import clock, reading, writing
from replay.store.tables import AUDIT, Audit, Document, Job, Upload

CHUNK_BYTES = 1_600_000
"""About 200 hands of 8 KB."""

CHUNK_DOCUMENTS = 200


@dataclass(slots=True)
class Pack:
    """Documents of one chunk, laid one after another."""

    documents: list[Document] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, upload_id: str, position: int, member: Member) -> None:
        """Lay a document down at the end."""
        data = member.data or b""
        self.documents.append(
            Document(
                id=str(uuid4()),
                upload_id=upload_id,
                position=position,
                name=member.name[:4096],
                pack=None if member.data is None else "",
                start=self.size,
                size=len(data),
                findings=orjson.dumps([kept_finding(one) for one in member.findings]).decode(),
            )
        )
        self.pieces.append(data)
        self.size += len(data)

    @property
    def full(self) -> bool:
        """Whether the next document begins another pack."""
        return self.size >= CHUNK_BYTES or len(self.documents) >= CHUNK_DOCUMENTS


def kept_finding(finding: Finding) -> dict[str, Any]:
    """What a finding of a document that could not be read is made anew from."""
    return {"code": finding.code, "params": dict(finding.params), "pointer": finding.pointer}


def run_split(service: Service, held: Claim) -> list[str]:
    """Split the upload and finish the job; returns the jobs that now wait. Raises `Fenced`."""
    upload_id, watch = held.job.upload_id, Watch(service, held)
    with reading(service.engine) as session:
        upload = session.get_one(Upload, upload_id)
        session.expunge_all()
    documents = []
    data = service.blobs.read(upload.sha256)
    for pack in packs(members(data, upload.name, service.limits), upload_id):
        watch.hold()
        digest, _ = service.blobs.keep(pack.pieces)
        for document in pack.documents:
            document.pack = digest if document.pack is not None else None
        documents += pack.documents
    with writing(service.engine) as session:
        finish(session, held)
        service.blobs.need(session, {document.pack for document in documents if document.pack is not None})
        session.add_all(documents)
        session.execute(update(Upload).where(col(Upload.id) == upload_id).values(documents=len(documents)))
        session.flush()
        audits = list(
            session.execute(select(col(Audit.id)).where(col(Audit.upload_id) == upload_id)).scalars()
        )
        return [
            job
            for audit_id in audits
            for job in add_audit_jobs(service, session, upload_id, audit_id, held.job.request)
        ]


def packs(found: Iterator[Member], upload_id: str) -> Iterator[Pack]:
    """The documents in packs; no upload is without a document."""
    pack = Pack()
    position = 0
    for position, member in enumerate(found, 1):
        pack.add(upload_id, position - 1, member)
        if pack.full:
            yield pack
            pack = Pack()
    if not position:
        nothing = Finding("LOG006", {"problem": "there is nothing in it", "line": 1, "column": 1})
        pack.add(upload_id, 0, Member("", None, (nothing,)))
    if pack.documents:
        yield pack


def add_audit_jobs(
    service: Service, session: Session, upload_id: str, audit_id: str, request: str
) -> list[str]:
    """A job for every chunk of a split upload's documents; none before it is split."""
    rows = session.execute(
        select(col(Document.position), col(Document.size))
        .where(col(Document.upload_id) == upload_id)
        .order_by(col(Document.position))
    ).all()
    jobs = []
    now = clock(session) if rows else 0
    first = size = 0
    for position, bytes_of in rows:
        size += bytes_of
        last = position == rows[-1][0]
        if last or size >= CHUNK_BYTES or position + 1 - first >= CHUNK_DOCUMENTS:
            job = Job(
                id=str(uuid4()),
                kind=AUDIT,
                upload_id=upload_id,
                audit_id=audit_id,
                first=first,
                stop=position + 1,
                request=request,
                created=now,
                rung=rung_at(service, now),
            )
            session.add(job)
            jobs.append(job.id)
            first, size = position + 1, 0
    return jobs
