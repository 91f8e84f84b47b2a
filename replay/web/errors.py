"""What went wrong, as a page in the reader's language; as RFC 9457 JSON under /api and to who asks for JSON."""

import errno
import logging
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from werkzeug.exceptions import HTTPException

from replay.store.blobs import TooLarge
from replay.web.languages import words
from replay.web.logs import request_id, write
from replay.wording import has_text, languages

API = "/api/"
PROBLEMS = "/api/v1/problems#"
"""Where each code is explained."""

JSON_TYPES = ("application/problem+json", "application/json")
TOO_LARGE = 413
FULL, BUSY = 507, 503
RETRY_SECONDS = "5"
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
AWAY = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENOMEM}
)
"""What a machine answers that has no file left to open, or whose disk takes nothing: it may pass."""

DISK_FULL_STATE = "53100"
"""PostgreSQL's code for a full disk."""


def install(app: Flask) -> None:
    """Answer every failure with a page."""
    app.register_error_handler(HTTPException, _refused)
    app.register_error_handler(TooLarge, lambda error: answer(413))
    app.register_error_handler(Exception, _failed)
    # What says that no file can be opened is not itself to be read from files then.
    for name in ("error.html", "base.html"):
        app.jinja_env.get_template(name)
    for tag in languages():
        has_text(tag, "")


def status_of(error: BaseException) -> int:
    """The status of a failure: 507 where there is no room, 503 where database or disk is busy or away, else 500.

    A text with U+0000 in it, which PostgreSQL does not keep, is no failure of ours: 400.
    """
    if isinstance(error, DataError) and "NUL" in str(error.orig):
        return 400
    if isinstance(error, OperationalError):
        said = str(error.orig).lower()
        full = "disk is full" in said or getattr(error.orig, "sqlstate", None) == DISK_FULL_STATE
        return FULL if full else BUSY
    if isinstance(error, NoConnection):
        return BUSY
    code = error.errno if isinstance(error, OSError) else None
    return FULL if code in NO_ROOM else BUSY if code in AWAY else 500


def _refused(error: HTTPException) -> Response:
    if error.code is None or error.code < 400:
        return make_response(error.get_response())
    code = "host" if error.code == 400 and error.description == "host" else str(error.code)
    if error.code == TOO_LARGE and (request.content_length or 0) <= (request.max_content_length or 0):
        code = "413.files"  # not its bytes: a form has no more parts than a page of files needs
    response = answer(error.code, code)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def _failed(error: Exception) -> Response:
    """A failure of ours: where it happened is written down, not what it was about, which may be a name."""
    status = status_of(error)
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    write(
        "failure",
        logging.ERROR,
        request_id=request_id(),
        error=type(error).__name__,
        status=status,
        at=places[-8:],
    )
    response = answer(status)
    if status == BUSY:
        response.headers["Retry-After"] = RETRY_SECONDS
    return response


def wants_json() -> bool:
    """Whether the client would rather have JSON than a page."""
    best = request.accept_mimetypes.best_match(("text/html", *JSON_TYPES), "text/html")
    return best in JSON_TYPES


def answer(
    status: int, code: str = "", detail: str = "", places: Sequence[Mapping[str, Any]] = ()
) -> Response:
    """The page, or the JSON, of a status; ``detail`` stands for the code's own text.

    ``places`` are those in what was sent that cannot be used; JSON alone tells them.
    """
    key = f"web.error.{code or status}"
    if not has_text(words().lang, f"{key}.title"):
        key = "web.error.500" if status >= 500 else "web.error.400"
    title, text = words().say(f"{key}.title"), detail or words().say(f"{key}.text")
    if request.path.startswith(API) or wants_json():
        problem = {
            "type": PROBLEMS + key.removeprefix("web.error."),
            "title": title,
            "detail": text,
            "status": status,
            "code": key.removeprefix("web.error."),
            "request_id": request_id(),
            "errors": list(places),
        }
        response = jsonify(problem)
        response.content_type = "application/problem+json"
    else:
        page = render_template("error.html", status=status, title=title, text=text, request_id=request_id())
        response = make_response(page)
    response.status_code = status
    return response
