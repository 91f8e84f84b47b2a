"""Auditing a chunk of documents: each is judged by itself, and its report kept, whatever becomes of the others."""

import logging
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import orjson
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, SQLModel, col

from replay import Report as EngineReport
from replay import audit
from replay.catalogue import kind_of, severity_of
from replay.findings import Finding
from replay.intake import digest_of
from replay.jobs.queue import Claim, Fenced, finish, hold, renew
from replay.jobs.service import Service
from replay.jobs.watching import Place, Watch
from replay.profile import OptionProblems, UnknownProfile
from replay.report import Source
from replay.sitting import rule_faults
from replay.store.database import reading, writing
from replay.store.houses import document_of, stored_rules
from replay.store.played import facts_of, rows_of
from replay.store.tables import QUARANTINED, Audit, Document, FindingRow, Report

CAREFUL_AFTER = 2
"""A job that died this often goes hand by hand, and says which one it is at."""

MANY_FINDINGS = 2_000
"""Reports with so many findings together are written at once: no transaction is to last."""

log = logging.getLogger("replay.jobs")


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
            "house": None if asked.house is None else document_of(session, asked.house),
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
    watch = Watch(service, held, careful, set_aside(service, held))
    outcomes = []
    for document in documents:
        if document.position in done:
            continue
        outcomes.append(Outcome(document, report_on(service, document, wish, watch)))
        if careful or sum(len(one.report.all_findings) for one in outcomes) >= MANY_FINDINGS:
            keep(service, held, outcomes)
            outcomes = []
    rows = [write(service, outcome, str(job.audit_id)) for outcome in outcomes]
    with writing(service.engine) as session:
        finish(session, held)
        service.blobs.need(session, [report.sha256 for report, _ in rows])
        add_all(session, rows)


def set_aside(service: Service, held: Claim) -> frozenset[Place]:
    """What workers died at; the last one's place is added to those before, and written down."""
    job = held.job
    places = {(place[0], place[1]) for place in orjson.loads(job.aside)}
    if job.current is not None:
        places.add((job.current, job.current_hand))
        kept = orjson.dumps(sorted(places, key=str)).decode()
        renew(service, held, aside=kept, current=None, current_hand=None)
    return frozenset(places)


def keep(service: Service, held: Claim, outcomes: list[Outcome]) -> None:
    """Write reports down while the job goes on, as long as it is still this worker's."""
    rows = [write(service, outcome, str(held.job.audit_id)) for outcome in outcomes]
    with writing(service.engine) as session:
        hold(service, session, held)
        service.blobs.need(session, [report.sha256 for report, _ in rows])
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


def report_on(service: Service, document: Document, wish: dict[str, Any], watch: Watch) -> EngineReport:
    """The engine's report on one document; one that cannot be audited gets a report that says why.

    Raises `Fenced`, and what the database or the disk raise.
    """
    if not watch.begin(document.position):
        return refused(service, document, Finding("AUD001", {"reason": "died"}))
    data = document_bytes(service, document)
    if data is None:
        found = [
            Finding(one["code"], one["params"], pointer=one["pointer"])
            for one in orjson.loads(document.findings)
        ]
        return refused(service, document, *found)
    watch.hold()
    try:
        return audit(data, **usable(wish), watch=watch)
    except (OptionProblems, UnknownProfile) as error:
        return refused(service, document, *rule_faults(error))
    except (Fenced, SQLAlchemyError, OSError):
        raise
    except Exception:
        log.exception("the engine failed on document %d of upload %s", document.position, document.upload_id)
        return refused(service, document, Finding("AUD001", {"reason": "error"}))


def usable(wish: dict[str, Any]) -> dict[str, Any]:
    """A wish as the engine takes it: a house rule set comes with its options applied. Raises `OptionProblems`."""
    house, asked = wish["house"], {name: one for name, one in wish.items() if name != "house"}
    if house is not None:
        asked |= {"profile": stored_rules(house, asked["options"]), "options": None}
    return asked


def refused(service: Service, document: Document, *found: Finding) -> EngineReport:
    """The report on a document that no hand could be audited of."""
    source = Source(None, lambda: digest_of(document_bytes(service, document) or b""))
    return EngineReport(source, None, found, (), replayable=False)


SET_ASIDE = frozenset({"AUD001", "AUD002"})


def verdict_of(report: EngineReport) -> str:
    """The report's verdict as the table has it: quarantined where a hand or all of it was set aside."""
    aside = any(one.code in SET_ASIDE for one in report.all_findings)
    return QUARANTINED if aside else report.verdict


Rows = tuple[Report, list[SQLModel]]
"""A report, and what names it: its findings, and who played what."""


def write(service: Service, outcome: Outcome, audit_id: str) -> Rows:
    """Keep the report's bytes and make its rows."""
    report = outcome.report
    digest, _ = service.blobs.keep([report.to_json()])
    found = report.all_findings
    row = Report(
        id=str(uuid4()),
        audit_id=audit_id,
        position=outcome.document.position,
        verdict=verdict_of(report),
        complete=report.complete,
        hands=len(report.hands),
        errors=sum(severity_of(one) == "error" for one in found),
        sha256=digest,
    )
    findings = [
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
    return row, [*findings, *rows_of(row.id, facts_of(report))]


def add_all(session: Session, rows: list[Rows]) -> None:
    """Write reports and what names them, the reports first."""
    session.add_all([report for report, _ in rows])
    session.flush()
    session.add_all([one for _, others in rows for one in others])
