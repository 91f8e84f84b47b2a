"""Each request has an id and leaves one line: which route, how it ended, how long; no names, no bodies."""

import logging
import re
import time
from typing import cast
from uuid import uuid4

from flask import Flask, Response, g, request

from replay.jobs.lines import say

log = logging.getLogger("replay.web")
ACCEPTED = re.compile(r"[A-Za-z0-9-]{8,64}")
HEADER = "X-Request-Id"
UNTOLD = frozenset({"filename", "secret"})
"""Parts of an address that are written down nowhere."""


def install(app: Flask) -> None:
    """Number the requests and write them down."""
    app.before_request(_begin)
    app.after_request(_end)


def request_id() -> str:
    """The id of this request: the client's where it is a plain one, else one of ours."""
    if "request_id" not in g:
        given = request.headers.get(HEADER, "")
        g.request_id = given if ACCEPTED.fullmatch(given) else str(uuid4())
    return cast(str, g.request_id)


def write(event: str, level: int = logging.INFO, **facts: object) -> None:
    """One line about this request."""
    say(log, event, level, **facts)


def _begin() -> None:
    g.begun = time.monotonic()


def _end(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    begun = g.get("begun", time.monotonic())
    write(
        "request",
        request_id=request_id(),
        method=request.method if request.method.isalpha() and len(request.method) < 16 else "?",
        route=request.url_rule.rule if request.url_rule else None,
        ids={key: str(value) for key, value in (request.view_args or {}).items() if key not in UNTOLD},
        status=response.status_code,
        ms=round((time.monotonic() - begun) * 1000),
    )
    return response
