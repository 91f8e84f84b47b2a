"""Reports and cases as one file to be kept or printed, and who of the staff looked at a report."""

from typing import Annotated
from uuid import UUID

from flask import Response
from pydantic import Field

from replay.store.accounts import names_of
from replay.store.visible import views_of
from replay.web.api.cases import CASES
from replay.web.api.models import Id, Moment, Query, Told, Whole
from replay.web.api.operations import Media, operation
from replay.web.api.reports import REPORTS
from replay.web.api.shares import own_or_404
from replay.web.footing import service
from replay.web.paper.pages import FILE, as_file, case_print, report_print

PAGE = Media(("text/html",), {"type": "string"})
MOST_VIEWS = 200


class PrintQuery(Query):
    """What of a report: one hand alone."""

    hand: Annotated[
        int | None, Field(ge=0, le=999_999, description="one hand alone, counted from 0"), Whole
    ] = None


class ViewTold(Told):
    """A look by office: at what of the report, and the case that was why; ``name`` is "" for a closed account."""

    at: Moment
    account: str
    name: str
    hand: int | None
    what: str
    case: Id | None


class ViewList(Told):
    """The latest looks by office, the newest first."""

    items: list[ViewTold]


@operation("GET", "/reports/<uuid:report_id>/print", PAGE, tag=REPORTS, query=PrintQuery)
def report_paper(report_id: UUID, query: PrintQuery) -> Response:
    """A report, or one hand of it, as one HTML file that fetches nothing."""
    return as_file(report_print(report_id, FILE), f"report-{report_id}.html")


@operation("GET", "/cases/<uuid:case_id>/print", PAGE, tag=CASES)
def case_paper(case_id: UUID) -> Response:
    """A case as one HTML file that fetches nothing."""
    return as_file(case_print(case_id, FILE), f"case-{case_id}.html")


@operation("GET", "/reports/<uuid:report_id>/views", ViewList, tag=REPORTS, rare=(403,))
def report_views(report_id: UUID) -> ViewList:
    """Who of the arbiters and admins looked at a report of yours."""
    loaded, engine = own_or_404(report_id), service().engine
    found = views_of(engine, loaded.report.id, MOST_VIEWS)
    names = names_of(engine, {one.account for one in found})
    return ViewList(
        items=[
            ViewTold(
                at=one.at,
                account=one.account,
                name=names.get(one.account, ""),
                hand=one.hand,
                what=one.what,
                case=one.dispute_id,
            )
            for one in found
        ]
    )
