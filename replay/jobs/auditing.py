"""Auditing a chunk of documents: each is judged by itself, and its report kept, whatever becomes of the others."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import orjson
from sqlalchemy import select
from sqlmodel import Session, col

from replay import Report as EngineReport
from replay import audit
from replay.catalogue import kind_of, severity_of
from replay.findings import Finding
from replay.intake import digest_of
from replay.jobs.queue import Claim, finish, hold, renew
from replay.jobs.service import Service
from replay.profile import OptionProblems, UnknownProfile
from replay.report import Source
from replay.store.database import reading, writing
from replay.store.tables import Audit, Document, FindingRow, Report

CAREFUL_AFTER = 2
"""A job that died this often goes document by document, and says which one it is at."""


@dataclass(slots=True)
class Outcome:
    """The report on one document, ready to be written down."""

    document: Document
    report: EngineReport


def run_audit(service: Service, held: Claim) -> None:
    """Audit the job's documents and finish it. Raises `Fenced`."""
    job = held.job
    with reading(service.engine) as session:
        asked = session.get_one(Audit, job.audit_id)
        wish: dict[str, Any] = {
            "profile": asked.profile,
            "options": orjson.loads(asked.options) or None,
            "limits": service.limits,
        }
        documents = _documents(session, job.upload_id, job.first, job.stop)
        done = set(
            session.execute(
                select(col(Report.position)).where(col(Report.audit_id) == job.audit_id)
            ).scalars()
        )
    careful = job.attempts > CAREFUL_AFTER
    outcomes = []
    for document in documents:
        if document.position in done:
            continue
        if not careful:
            outcomes.append(Outcome(document, report_on(service, document, wish)))
            continue
        if document.position == job.current:
            keep(service, held, [Outcome(document, refused(service, document, _poisoned()))])
            continue
        renew(service, held, current=document.position)
        keep(service, held, [Outcome(document, report_on(service, document, wish))])
    rows = [write(service, outcome, str(job.audit_id)) for outcome in outcomes]
    with writing(service.engine) as session:
        finish(session, held)
        add_all(session, rows)


def keep(service: Service, held: Claim, outcomes: list[Outcome]) -> None:
    """Write reports down while the job goes on, as long as it is still this worker's."""
    rows = [write(service, outcome, str(held.job.audit_id)) for outcome in outcomes]
    with writing(service.engine) as session:
        hold(service, session, held)
        add_all(session, rows)


def _documents(session: Session, upload_id: str, first: int, stop: int) -> list[Document]:
    rows = select(Document).where(
        col(Document.upload_id) == upload_id, col(Document.position) >= first, col(Document.position) < stop
    )
    found = list(session.execute(rows.order_by(col(Document.position))).scalars())
    session.expunge_all()
    return found


def document_bytes(service: Service, document: Document) -> bytes | None:
    """A document as it was uploaded; None where it could not be had."""
    if document.pack is None:
        return None
    return service.blobs.read(document.pack, document.start, document.size)


def report_on(service: Service, document: Document, wish: dict[str, Any]) -> EngineReport:
    """The engine's report on one document; one that cannot be audited gets a report that says why."""
    data = document_bytes(service, document)
    if data is None:
        found = [
            Finding(one["code"], one["params"], pointer=one["pointer"])
            for one in orjson.loads(document.findings)
        ]
        return refused(service, document, *found)
    try:
        return audit(data, **wish)
    except (OptionProblems, UnknownProfile) as error:
        return refused(service, document, Finding("LOG004", {"option": "", "problem": str(error)[:512]}))


def refused(service: Service, document: Document, *found: Finding) -> EngineReport:
    """The report on a document that no hand could be audited of."""
    source = Source(None, lambda: digest_of(document_bytes(service, document) or b""))
    return EngineReport(source, None, found, (), replayable=False)


def _poisoned() -> Finding:
    return Finding("LOG006", {"problem": "the engine did not survive this document", "line": 1, "column": 1})


Rows = tuple[Report, list[FindingRow]]


def write(service: Service, outcome: Outcome, audit_id: str) -> Rows:
    """Keep the report's bytes and make its rows."""
    report = outcome.report
    digest, _ = service.blobs.keep([report.to_json()])
    found = report.all_findings
    row = Report(
        id=str(uuid4()),
        audit_id=audit_id,
        position=outcome.document.position,
        verdict=report.verdict,
        complete=report.complete,
        hands=len(report.hands),
        errors=sum(severity_of(one) == "error" for one in found),
        sha256=digest,
    )
    return row, [
        FindingRow(
            id=str(uuid4()),
            report_id=row.id,
            position=position,
            code=one.code,
            severity=severity_of(one),
            kind=kind_of(one),
            hand=one.hand,
            action=one.action,
            seat=one.seat,
        )
        for position, one in enumerate(found)
    ]


def add_all(session: Session, rows: list[Rows]) -> None:
    """Write reports and their findings, the reports first."""
    session.add_all([report for report, _ in rows])
    session.flush()
    session.add_all([finding for _, findings in rows for finding in findings])
