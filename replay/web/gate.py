"""The gate: with accounts, a page is for those who are signed in unless it says beside its route that it is public."""

from unicodedata import category
from urllib.parse import urlencode

from flask import Flask, Response, abort, current_app, make_response, redirect, request, url_for
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from replay.web.errors import API, answer, wants_json
from replay.web.footing import service
from replay.web.viewer import Viewer, bearer, must_change, viewer
from replay.wording.plain import HIDDEN

LONGEST_WAY = 2_000
FILES = "static"
WITH_OLD_PASSWORD = frozenset(
    {"account.password", "account.change_password", "api.my_password", "signing.sign_out"}
)
"""What somebody may do before they have a password of their own."""


def install(app: Flask) -> None:
    """Ask at every request who it is, and send those away who may not come in."""
    app.before_request(let_in)
    app.register_error_handler(401, turned_away)
    app.context_processor(lambda: {"asks": shown_viewer(), "has_accounts": service().settings.accounts})


def is_public() -> bool:
    """Whether anybody may ask for this; an address that there is not tells nobody anything."""
    if request.endpoint is None or request.endpoint == FILES:
        return True
    return bool(getattr(current_app.view_functions[request.endpoint], "is_public", False))


def let_in() -> Response | None:
    """Let whoever asks through, or to the sign-in, or to the form for a password of their own."""
    if not service().settings.accounts or is_public():
        return None
    if viewer() is None:
        abort(401)
    if must_change() and request.endpoint not in WITH_OLD_PASSWORD:
        if is_for_programs():
            return answer(403, "403.password")
        return make_response(redirect(url_for("account.password"), 303))
    return None


def is_for_programs() -> bool:
    """Whether a program asks, which gets a status, where people are led to a page."""
    return request.path.startswith(API) or wants_json() or bearer() is not None


def turned_away(error: HTTPException) -> Response:
    """The answer to someone who is not signed in: the sign-in page, which leads back; 401 for a program."""
    if is_for_programs():
        response = answer(401)
        response.headers["WWW-Authenticate"] = 'Bearer realm="replay"'
        return response
    back = {"next": request.full_path.rstrip("?")} if request.method in ("GET", "HEAD") else {}
    address = url_for("signing.form")
    return make_response(redirect(f"{address}?{urlencode(back)}" if back else address, 303))


def way_back(given: str) -> str:
    """Where to go after signing in: an address of this service and no other, else the start (ASVS 1.2.2, 3.7.2)."""
    start = url_for("uploads.index")
    if not given.startswith("/") or given.startswith("//") or len(given) > LONGEST_WAY:
        return start
    if "\\" in given or any(category(char) in HIDDEN or char.isspace() for char in given):
        return start
    return (
        start if given.partition("?")[0] in (url_for("signing.form"), url_for("signing.sign_out")) else given
    )


def shown_viewer() -> Viewer | None:
    """Who asks, for the head of a page; nobody where that cannot be asked, as on a page that says so."""
    try:
        return viewer()
    except (SQLAlchemyError, OSError):
        return None
