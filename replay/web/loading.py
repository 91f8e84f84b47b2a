"""What pages may look at: the only loaders of uploads, audits and reports."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast
from uuid import UUID

import orjson
from flask import abort, request, url_for
from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlmodel import Session, col

from replay import OptionProblems, RuleProfile, UnknownProfile, load_profile
from replay.intake import take_in
from replay.limits import Limits
from replay.log import Log
from replay.steps import HandSteps
from replay.store.blobs import Blobs
from replay.store.database import reading
from replay.store.houses import document_of, stored_rules
from replay.store.shares import opened
from replay.store.tables import (
    QUARANTINED,
    QUEUED,
    RUNNING,
    SPLIT,
    Audit,
    Document,
    Job,
    Report,
    Share,
    Upload,
)
from replay.store.visible import BY_OFFICE, OWNER, Seen, record_view, visible_report
from replay.web.footing import service as service
from replay.web.viewer import owner, user
from replay.wording import Words


@dataclass(frozen=True, slots=True)
class Audited(ABC):
    """A report and the document it is about, wherever the two are kept.

    ``written`` is the report as JSON says it, ``data`` the document as it came, ``log`` what was read in it and
    ``plain`` the same in plain JSON values; None where there is none.
    """

    written: dict[str, Any]
    log: Log | None
    plain: Mapping[str, Any] | None
    data: bytes | None

    @property
    def rules(self) -> RuleProfile | None:
        """The rule set that the report was made by; None where it had none."""
        stated = self.written["rules"]
        if stated["digest"] is None:
            return None
        try:
            if (house := self.house) is not None:
                return stored_rules(house, stated["options"])
            return load_profile(stated["profile"], stated["options"])
        except (UnknownProfile, OptionProblems):
            return None

    @property
    def house(self) -> str | None:
        """The document of the house rule set that it was audited by, as JSON; None where it was no such one."""
        return None

    @property
    def own(self) -> bool:
        """Whether it is of whoever asks, who may do with it what others may not."""
        return False

    @property
    def shared(self) -> bool:
        """Whether it is seen by a link that was shared, and no more of it than that."""
        return False

    @property
    def only(self) -> int | None:
        """The one seat as which its hands may be seen; None for every seat."""
        return None

    def seen(self, walk: HandSteps) -> HandSteps:
        """A hand of it, as far as it may be seen."""
        return walk

    @abstractmethod
    def step_at(self, hand: int, step: int, **view: Any) -> str:
        """The address of a step of one of its hands."""

    @abstractmethod
    def home(self) -> str:
        """The address of the page that its hands are reached from."""

    @abstractmethod
    def called(self, words: Words) -> tuple[str, str]:
        """What that page is called, and what the document is."""


@dataclass(frozen=True, slots=True)
class Loaded(Audited):
    """A report of the store, with its audit, its upload and its place in the upload."""

    report: Report
    audit: Audit
    upload: Upload
    document: Document
    standing: str = OWNER

    @property
    def own(self) -> bool:
        """Whether whoever asks is its owner."""
        return self.standing == OWNER

    @property
    def house(self) -> str | None:
        """The document of the version that the audit was asked for by."""
        if self.audit.house is None:
            return None
        with reading(service().engine) as session:
            return document_of(session, self.audit.house)

    def step_at(self, hand: int, step: int, **view: Any) -> str:
        """The step under its report."""
        return url_for("hands.show", report_id=self.report.id, hand=hand, step=step, **view)

    def home(self) -> str:
        """The page of the report."""
        return url_for("reports.show", report_id=self.report.id)

    def called(self, words: Words) -> tuple[str, str]:
        """The report, and the name of the document."""
        name = words.shown(self.document.name, 60) or words.say("web.nameless")
        return words.say("board.nav.report"), name


@dataclass(slots=True)
class Progress:
    """How far an audit is; ``documents`` is None until the upload is split."""

    documents: int | None
    verdicts: dict[str, int] = field(default_factory=dict)
    open_questions: int = 0
    waits: bool = False
    stuck: bool = False

    @property
    def done(self) -> int:
        """How many documents have their report."""
        return sum(self.verdicts.values())

    @property
    def state(self) -> str:
        """``waiting``, ``stuck`` (a job was set aside) or ``done``."""
        if self.waits:
            return "waiting"
        return "stuck" if self.stuck or self.documents is None else "done"


@dataclass(frozen=True, slots=True)
class Listed:
    """A document of an upload beside its report, if it has one."""

    document: Document
    report: Report | None


def canonical(given: object) -> str:
    """An id as it is kept; what is no id is not found (404)."""
    try:
        return str(UUID(str(given)))
    except ValueError:
        abort(404)


def report_or_404(report_id: object, hand: int | None = None) -> Loaded:
    """The report of this id with its log, if it is there for whoever asks.

    That staff looks at it, or at this hand of it, is written down before it is shown.
    """
    asks, report = user(), canonical(report_id)
    with reading(service().engine) as session:
        found = visible_report(session, asks.id, asks.role, report)
        session.expunge_all()
    if found is None:
        abort(404)
    if found.standing == BY_OFFICE:
        record_view(service().engine, asks.id, report, hand, found.case, looked_at())
    return Loaded(
        *contents_of(found), found.report, found.audit, found.upload, found.document, found.standing
    )


LOOKED_AT = {
    "hands": "step",
    "explaining": "explain",
    "printing": "print",
    "cases": "case",
    "reports.report_json": "data",
    "reports.log_json": "log",
    "api.report": "data",
    "api.findings": "data",
    "api.log": "log",
    "api.hands": "data",
    "api.hand": "data",
    "api.step": "step",
    "api.steps": "step",
    "api.explanation": "explain",
    "api.report_paper": "print",
    "api.case_paper": "print",
    "api.open_case": "case",
}
"""What of a report is looked at by an endpoint, or by all of a blueprint."""


def looked_at() -> str:
    """What of a report is asked for, as views by staff say it (`replay.store.visible.WHAT`)."""
    name = request.endpoint or ""
    others = "case" if name.startswith("api.case") else LOOKED_AT.get(name.partition(".")[0], "page")
    return LOOKED_AT.get(name, others)


def shared_with(secret: str) -> tuple[Share, Seen] | None:
    """The link of this secret, and the report that it leads to as its owner has it."""
    with reading(service().engine) as session:
        share = opened(session, secret)
        found = visible_report(session, share.owner, "", share.report_id) if share is not None else None
        session.expunge_all()
    return None if share is None or found is None else (share, found)


Contents = tuple[dict[str, Any], Log | None, Mapping[str, Any] | None, bytes | None]


def contents_of(found: Seen) -> Contents:
    """A report as it was written, and its document: read, in plain values and as it came."""
    document, data, log, plain = found.document, None, None, None
    if document.pack is not None:
        place = (document.pack, document.start, document.size)
        data, log, plain = _read(service().blobs, *place, service().limits)
    return _written(service().blobs, found.report.sha256), log, plain, data


LAST = 4
"""Reports and logs that stay read: who steps through a hand asks for the same ones again and again."""


@lru_cache(maxsize=LAST)
def _written(blobs: Blobs, digest: str) -> dict[str, Any]:
    written: dict[str, Any] = orjson.loads(blobs.read(digest))
    return written


@lru_cache(maxsize=LAST)
def _read(
    blobs: Blobs, pack: str, start: int, size: int, limits: Limits
) -> tuple[bytes, Log | None, Mapping[str, Any] | None]:
    data = blobs.read(pack, start, size)
    intake = take_in(data, limits)
    return data, intake.log, intake.document()


def report_bytes(loaded: Loaded) -> bytes:
    """The report, byte for byte as it was made."""
    return service().blobs.read(loaded.report.sha256)


def upload_or_404(upload_id: object) -> Upload:
    """The upload of this id, if it is there for whoever asks."""
    with reading(service().engine) as session:
        chosen = select(Upload).where(col(Upload.id) == canonical(upload_id), col(Upload.owner) == owner())
        found = session.execute(chosen).scalar_one_or_none()
        session.expunge_all()
    if found is None:
        abort(404)
    return cast(Upload, found)


def count_uploads() -> int:
    """How many uploads there are."""
    with reading(service().engine) as session:
        counted = select(func.count()).select_from(Upload).where(col(Upload.owner) == owner())
        return int(session.execute(counted).scalar_one())


def recent(first: int, most: int) -> list[tuple[Upload, Audit, Progress]]:
    """The newest uploads from a position on, each with its newest audit."""
    with reading(service().engine) as session:
        chosen = select(Upload).where(col(Upload.owner) == owner())
        newest = chosen.order_by(col(Upload.created).desc(), col(Upload.id)).offset(first).limit(most)
        found = []
        for upload in session.execute(newest).scalars().all():
            audits = _audits(session, upload.id)
            if audits:
                found.append((upload, audits[0], _progress(session, upload, audits[0])))
        session.expunge_all()
    return found


def audits_of(upload: Upload) -> list[Audit]:
    """Every audit of an upload, the newest first."""
    with reading(service().engine) as session:
        found = _audits(session, upload.id)
        session.expunge_all()
    return found


def _audits(session: Session, upload_id: str) -> list[Audit]:
    chosen = select(Audit).where(col(Audit.upload_id) == upload_id)
    return list(session.execute(chosen.order_by(col(Audit.created).desc(), col(Audit.id))).scalars())


def progress_of(upload: Upload, audit: Audit) -> Progress:
    """How far an audit of an upload is."""
    with reading(service().engine) as session:
        return _progress(session, upload, audit)


def _progress(session: Session, upload: Upload, audit: Audit) -> Progress:
    made = Progress(upload.documents)
    counted = (
        select(col(Report.verdict), col(Report.complete), func.count())
        .where(col(Report.audit_id) == audit.id)
        .group_by(col(Report.verdict), col(Report.complete))
    )
    for verdict, complete, number in session.execute(counted):
        made.verdicts[verdict] = made.verdicts.get(verdict, 0) + number
        if verdict == "clean" and not complete:
            made.open_questions += number
    ours = _jobs_of(upload, audit)
    waits = select(col(Job.id)).where(ours, col(Job.state).in_((QUEUED, RUNNING))).limit(1)
    made.waits = session.execute(waits).first() is not None
    aside = select(col(Job.id)).where(ours, col(Job.state) == QUARANTINED).limit(1)
    made.stuck = session.execute(aside).first() is not None
    return made


def _jobs_of(upload: Upload, audit: Audit) -> ColumnElement[bool]:
    return and_(col(Job.upload_id) == upload.id, or_(col(Job.audit_id) == audit.id, col(Job.kind) == SPLIT))


def aside_of(upload: Upload, audit: Audit) -> list[Job]:
    """The work of an audit that was set aside, in the order of what is inside."""
    with reading(service().engine) as session:
        chosen = select(Job).where(_jobs_of(upload, audit), col(Job.state) == QUARANTINED)
        found = list(session.execute(chosen.order_by(col(Job.first))).scalars())
        session.expunge_all()
    return found


def documents_of(upload: Upload, audit: Audit, verdict: str, first: int, most: int) -> list[Listed]:
    """Documents of an upload with the audit's report on each; with a verdict, those that came to it."""
    its = and_(col(Report.audit_id) == audit.id, col(Report.position) == col(Document.position))
    chosen = select(Document, Report).join(Report, its, isouter=not verdict)
    chosen = chosen.where(col(Document.upload_id) == upload.id)
    if verdict:
        chosen = chosen.where(col(Report.verdict) == verdict)
    with reading(service().engine) as session:
        page = chosen.order_by(col(Document.position)).offset(first).limit(most)
        found = [Listed(document, report) for document, report in session.execute(page).all()]
        session.expunge_all()
    return found


def report_at(audit_id: str, position: int) -> Report | None:
    """The report of another audit on the same document."""
    with reading(service().engine) as session:
        chosen = select(Report).where(col(Report.audit_id) == audit_id, col(Report.position) == position)
        found = session.execute(chosen).scalar_one_or_none()
        session.expunge_all()
    return found
