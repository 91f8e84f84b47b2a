"""The interface for programs, under `/api/v1`: all that the pages do, described by an OpenAPI document."""

from flask import Response

from replay.web.api import (
    accounts,
    acting,
    audits,
    book,
    cases,
    catalogue,
    hands,
    own,
    paper,
    reports,
    rulesets,
    search,
    shares,
    uploads,
    verdicts,
)
from replay.web.api.operations import OPERATIONS, pages
from replay.web.api.problems import Refused
from replay.web.errors import answer

__all__ = [
    "OPERATIONS",
    "accounts",
    "acting",
    "audits",
    "book",
    "cases",
    "catalogue",
    "hands",
    "own",
    "pages",
    "paper",
    "reports",
    "rulesets",
    "search",
    "shares",
    "uploads",
    "verdicts",
]
"""The rooms of the interface are brought in for the operations that they declare."""


@pages.errorhandler(Refused)
def refused(error: Refused) -> Response:
    """The problem that a request is refused with."""
    places = [one.model_dump() for one in error.errors]
    response = answer(error.status, error.code, error.detail, places)
    response.headers.update(error.headers)
    return response
