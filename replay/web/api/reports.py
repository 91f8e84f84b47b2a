"""Reports: as they are, their logs, their findings, and which rule sets explain what a log claims."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

from flask import Response, abort, make_response, request
from pydantic import Field

from replay.profile import RuleProfile
from replay.sitting import log_rules
from replay.web.api.models import FindingJson, Id, Listing, Paged, Told, Whole
from replay.web.api.operations import JSON, Media, operation
from replay.web.api.paging import cut, page_of
from replay.web.languages import lang
from replay.web.loading import Loaded, report_bytes, report_or_404
from replay.web.reports.explaining import explained_once, may_be_explained
from replay.web.reports.shown import Filter, page_for, wanted
from replay.wording.render import sentence

REPORTS = "reports"
Severity = Literal["error", "warning", "note"]
ANY_LOG = Media(("application/json", "application/octet-stream"))
REPORT = Media((JSON,), {"$ref": "#/components/schemas/Report"})


class FindingQuery(Paged):
    """Which findings: of a severity, a seat, a code, a hand."""

    severity: Severity | None = None
    seat: Annotated[int | None, Field(ge=0, le=3), Whole] = None
    code: Annotated[str | None, Field(max_length=8, pattern=r"^[A-Z]+[0-9]{3}$")] = None
    hand: Annotated[int | None, Field(ge=0, le=2**53 - 1), Whole] = None


class FindingTold(Told):
    """A finding as the report has it, and what it says in the reader's language.

    ``step`` is where it can be looked at: the step after its action.
    """

    finding: FindingJson
    said: str
    step: int | None


class FindingList(Listing):
    """Findings: objections, then open questions, then notes."""

    items: list[FindingTold]


class ExplanationTold(Told):
    """A rule set beside what the log claims; ``options`` are its values that are not its own."""

    profile: str
    own: bool
    options: dict[str, Any]
    changes: int
    status: Literal["right", "differs", "impossible", "uncompared"]
    difference: FindingJson | None
    reason: str | None
    hand: int | None
    same: dict[str, list[Any]]


class ExplainedTold(Told):
    """What explains the claims of a log (xuezhan-explanation/1)."""

    format: str
    log: str
    stated: str
    claims: list[str]
    hands_left_out: list[int]
    lacks: list[str]
    not_judged: list[str]
    tried: list[str]
    untried: list[str]
    cut: bool
    right: list[ExplanationTold]
    others: list[ExplanationTold]


class ReportAbout(Told):
    """What a report is about: its upload, its audit and the document's place;."""

    id: Id
    upload: Id
    audit: Id
    position: int
    name: str
    sha256: str
    own: bool


@operation("GET", "/reports/<uuid:report_id>", REPORT, tag=REPORTS, statuses=(200, 304))
def report(report_id: UUID) -> Response:
    """A report (xuezhan-report/1), byte for byte; it never changes."""
    loaded = report_or_404(report_id)
    response = make_response(report_bytes(loaded))
    response.content_type = JSON
    response.set_etag(loaded.report.sha256)
    response.make_conditional(request)
    return response


@operation("GET", "/reports/<uuid:report_id>/about", ReportAbout, tag=REPORTS)
def report_about(report_id: UUID) -> ReportAbout:
    """Where a report comes from."""
    loaded = report_or_404(report_id)
    return ReportAbout(
        id=loaded.report.id,
        upload=loaded.upload.id,
        audit=loaded.audit.id,
        position=loaded.document.position,
        name=loaded.document.name,
        sha256=loaded.report.sha256,
        own=loaded.own,
    )


@operation("GET", "/reports/<uuid:report_id>/log", ANY_LOG, tag=REPORTS)
def log(report_id: UUID) -> Response:
    """The log of a report as it was uploaded, byte for byte; 404 where it could not be had."""
    loaded = report_or_404(report_id)
    if loaded.data is None:
        abort(404)
    response = make_response(loaded.data)
    response.content_type = JSON if loaded.log is not None else "application/octet-stream"
    response.headers["Content-Disposition"] = f'attachment; filename="log-{loaded.report.id}.json"'
    return response


@operation("GET", "/reports/<uuid:report_id>/findings", FindingList, tag=REPORTS, query=FindingQuery)
def findings(report_id: UUID, query: FindingQuery) -> FindingList:
    """The findings of a report, each also in words."""
    loaded = report_or_404(report_id)
    only = Filter(query.severity or "", "" if query.seat is None else str(query.seat), query.code or "")
    found = [one for one in wanted(loaded.written, only) if query.hand in (None, one["hand"])]
    items = [told_finding(loaded, one) for one in cut(query, found)]
    return FindingList(items=items, **page_of(query, len(found)))


def told_finding(loaded: Loaded, finding: Mapping[str, Any]) -> FindingTold:
    """A finding, in words too."""
    words, action = page_for(loaded, lang()).words, finding.get("action")
    step = action + 1 if isinstance(action, int) and finding.get("hand") is not None else None
    return FindingTold(finding=dict(finding), said=sentence(finding, words), step=step)


@operation("GET", "/reports/<uuid:report_id>/explanation", ExplainedTold, tag=REPORTS)
def explanation(report_id: UUID) -> ExplainedTold:
    """Which rule sets and common options make what a log claims right; 404 where it claims nothing."""
    loaded = report_or_404(report_id)
    rules = claimed_by(loaded)
    if loaded.log is None or rules is None:
        abort(404)
    return ExplainedTold.model_validate(explained_once(report_id, loaded.log, rules).to_dict())


def claimed_by(loaded: Loaded) -> RuleProfile | None:
    """The rule set under which a log makes its claims; None where it makes none."""
    if loaded.log is None or not may_be_explained(loaded):
        return None
    asked = loaded.rules if loaded.audit.house is not None else None
    return asked or log_rules(loaded.log.rules, None)[0] or loaded.rules
