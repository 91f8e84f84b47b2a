"""Audits of uploads: how far they are, what they came to, begun again, and what was set aside of them."""

from typing import Annotated, Any, Literal, cast
from uuid import UUID

import orjson
from flask import abort
from pydantic import Field

from replay.jobs.ingest import Wish, audit_again
from replay.jobs.queue import retry, ring
from replay.store.attempts import AGAIN
from replay.store.tables import Audit, Job, Upload
from replay.web.api.models import Asked, Id, Listing, Moment, Paged, Query, Rules, Told
from replay.web.api.operations import operation
from replay.web.api.paging import page_of
from replay.web.api.problems import too_often
from replay.web.api.rules import options_or_refuse, rules_or_refuse
from replay.web.footing import service
from replay.web.loading import Listed, Progress, aside_of, audits_of, documents_of, progress_of, upload_or_404
from replay.web.logs import request_id
from replay.web.rulesets.houses import HOUSE
from replay.web.uploads.pages import said_of
from replay.web.uploads.taking import wait_to_audit

UPLOADS = "uploads"
State = Literal["waiting", "stuck", "done"]
Verdict = Literal["clean", "findings", "unreplayable", "quarantined"]


class ProgressTold(Told):
    """How far an audit is: ``documents`` is null until it is known how many there are, ``text`` says it in words."""

    state: State
    documents: int | None
    done: int
    verdicts: dict[str, int]
    open_questions: int
    text: str


class AuditTold(Told):
    """An audit: the rule set that was asked for (null: each log's own), the options over it, and how far it is."""

    id: Id
    rules: str | None
    options: dict[str, Any]
    engine: str
    supersedes: Id | None
    created: Moment


class ReportLine(Told):
    """The report on a document."""

    id: Id
    verdict: Verdict
    complete: bool
    hands: int
    errors: int


class DocumentTold(Told):
    """A document of an upload; its report is null until there is one."""

    position: int
    name: str
    size: int
    report: ReportLine | None


class DocumentList(Listing):
    """Documents of an upload, in their order."""

    audit: Id
    items: list[DocumentTold]


class JobTold(Told):
    """Work that was set aside: for the documents from ``first`` up to ``stop``."""

    id: Id
    kind: Literal["split", "audit"]
    first: int
    stop: int
    attempts: int
    problem: str


class AsideTold(Told):
    """All work of an audit that was set aside."""

    audit: Id
    items: list[JobTold]


class AuditBegun(Told):
    """The audit that was asked for; one that there is already is not begun anew."""

    id: Id


class RetryBegun(Told):
    """The jobs that are tried anew."""

    audit: Id
    jobs: list[Id]


class AuditQuery(Query):
    """Which audit of the upload is meant: its newest, unless one is named."""

    audit: Id | None = None


class DocumentQuery(Paged, AuditQuery):
    """Which documents: all, or those that came to a verdict."""

    verdict: Verdict | None = None


class AuditAsked(Asked):
    """The rule set to audit by (null: each log's own), and values of it that are to be others."""

    rules: Rules | None = None
    options: dict[Annotated[str, Field(max_length=64)], Any] = Field(default_factory=dict)


class RetryAsked(Asked):
    """Which work is to be tried anew: one job, or all that was set aside of an audit (without: of the newest)."""

    audit: Id | None = None
    job: Id | None = None


# As they are told ------------------------------------------------------------------------------------


def told_audit(audit: Audit) -> AuditTold:
    """An audit."""
    rules = audit.profile if audit.house is None else HOUSE + audit.house
    return AuditTold(
        id=audit.id,
        rules=rules,
        options=orjson.loads(audit.options),
        engine=audit.engine,
        supersedes=audit.supersedes,
        created=audit.created,
    )


def told_progress(upload: Upload, progress: Progress) -> ProgressTold:
    """How far an audit is."""
    return ProgressTold(
        state=cast(State, progress.state),
        documents=progress.documents,
        done=progress.done,
        verdicts=progress.verdicts,
        open_questions=progress.open_questions,
        text=said_of(upload, progress.done),
    )


def told_document(listed: Listed) -> DocumentTold:
    """A document with its report, if it has one."""
    document, report = listed.document, listed.report
    its = None
    if report is not None:
        its = ReportLine(
            id=report.id,
            verdict=cast(Verdict, report.verdict),
            complete=report.complete,
            hands=report.hands,
            errors=report.errors,
        )
    return DocumentTold(position=document.position, name=document.name, size=document.size, report=its)


def told_job(job: Job) -> JobTold:
    """Work that was set aside."""
    kind = cast(Literal["split", "audit"], job.kind)
    return JobTold(
        id=job.id, kind=kind, first=job.first, stop=job.stop, attempts=job.attempts, problem=job.problem
    )


def audit_of(upload: Upload, asked: str | None) -> Audit:
    """The audit that is asked for, else the newest; 404 for one of another upload."""
    audits = audits_of(upload)
    if asked is None:
        return audits[0]
    return next((one for one in audits if one.id == asked), None) or abort(404)


# What can be asked for -------------------------------------------------------------------------------


@operation("GET", "/uploads/<uuid:upload_id>/progress", ProgressTold, tag=UPLOADS, query=AuditQuery)
def progress(upload_id: UUID, query: AuditQuery) -> ProgressTold:
    """How far an audit of an upload is."""
    found = upload_or_404(upload_id)
    return told_progress(found, progress_of(found, audit_of(found, query.audit)))


@operation("GET", "/uploads/<uuid:upload_id>/documents", DocumentList, tag=UPLOADS, query=DocumentQuery)
def documents(upload_id: UUID, query: DocumentQuery) -> DocumentList:
    """What is inside an upload, with the report of an audit on each document."""
    found = upload_or_404(upload_id)
    audit = audit_of(found, query.audit)
    wanted = query.verdict or ""
    total = progress_of(found, audit).verdicts.get(wanted, 0) if wanted else found.documents or 0
    items = [told_document(one) for one in documents_of(found, audit, wanted, query.first, query.size)]
    return DocumentList(audit=audit.id, items=items, **page_of(query, total))


@operation(
    "POST",
    "/uploads/<uuid:upload_id>/audits",
    AuditBegun,
    tag=UPLOADS,
    statuses=(202,),
    body=AuditAsked,
    rare=(429,),
)
def audit(upload_id: UUID, body: AuditAsked) -> tuple[AuditBegun, int]:
    """Audit an upload under another rule set or other options; the reports that there are stay."""
    found = upload_or_404(upload_id)
    rules = rules_or_refuse(body.rules) if body.rules is not None else None
    options = options_or_refuse(rules, body.options)
    wish = Wish(None, options) if rules is None else rules.wish(options)
    wait = wait_to_audit()
    if wait:
        raise too_often(AGAIN, wait)
    return AuditBegun(id=audit_again(service(), found.id, wish, request=request_id())), 202


@operation("GET", "/uploads/<uuid:upload_id>/aside", AsideTold, tag=UPLOADS, query=AuditQuery)
def aside(upload_id: UUID, query: AuditQuery) -> AsideTold:
    """The work of an audit that failed so often that it was set aside."""
    found = upload_or_404(upload_id)
    its = audit_of(found, query.audit)
    return AsideTold(audit=its.id, items=[told_job(one) for one in aside_of(found, its)])


@operation(
    "POST", "/uploads/<uuid:upload_id>/retry", RetryBegun, tag=UPLOADS, statuses=(202,), body=RetryAsked
)
def try_again(upload_id: UUID, body: RetryAsked) -> tuple[RetryBegun, int]:
    """Try work that was set aside anew."""
    found = upload_or_404(upload_id)
    its = audit_of(found, body.audit)
    begun = []
    for job in aside_of(found, its):
        if body.job in (None, job.id) and retry(service(), job.id):
            ring(service(), job.id)
            begun.append(job.id)
    return RetryBegun(audit=its.id, jobs=begun), 202
