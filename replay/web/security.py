"""What every response carries and what no request may do (operations §5, U8 and U9)."""

from datetime import timedelta
from secrets import token_urlsafe

from flask import Flask, Response, abort, request
from werkzeug.middleware.proxy_fix import ProxyFix

from replay.jobs.service import Service
from replay.limits import KIB
from replay.settings import SHORTEST_KEY
from replay.store.keys import kept_key
from replay.web.cookies import OVER_TLS, held
from replay.web.errors import API
from replay.web.footing import EXTENSION
from replay.web.hosts import LOOPBACK, as_sent, hostname
from replay.web.viewer import bearer

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
SHARED = "/s/"
UNTRACED = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
"""What is sent with a page whose address is a secret: no other page and no index learns it."""

HSTS = "max-age=31536000"
NEVER_KEPT = "no-store"
"""What a page says by itself that no browser may keep."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
FORM_ROOM = 64 * KIB
"""Bytes of a form beside its files."""

FORM_FIELDS = 200
"""Fields of a form without files: of one with files there are `PARTS`."""

PARTS = 20
FIELDS = "application/x-www-form-urlencoded"
SENT_UNASKED = frozenset({"", "text/plain", "multipart/form-data", FIELDS})
"""Types of a body that a browser sends to another site without asking there first (Fetch, CORS-safelisted)."""


def small_form() -> None:
    """A form without files is small; refuse a larger one before it is read (413)."""
    request.max_content_length = FORM_ROOM
    request.max_form_parts = FORM_FIELDS


def install(app: Flask) -> None:
    """Set the limits and the cookies, and look at every request and response."""
    service: Service = app.extensions[EXTENSION]
    app.config.update(
        MAX_CONTENT_LENGTH=service.limits.upload_bytes + FORM_ROOM,
        MAX_FORM_MEMORY_SIZE=FORM_ROOM,
        MAX_FORM_PARTS=PARTS,
        SECRET_KEY=secret_key(service),
        SESSION_COOKIE_NAME=OVER_TLS,
        SESSION_COOKIE_SECURE=True,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(hours=12),
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(hours=1),
    )
    hosts = LOOPBACK | {as_sent(service.settings.host), *service.settings.trusted_hosts}
    behind_proxies(app, service.settings.proxies)

    def only_our_hosts() -> None:
        if hostname(request.host) not in hosts:
            abort(400, "host")

    app.before_request(only_our_hosts)
    app.before_request(only_our_pages)
    app.before_request(no_long_fields)
    app.after_request(add_headers)


def behind_proxies(app: Flask, number: int) -> None:
    """Believe what so many proxies before the service say of who asks; without any, nobody is believed."""
    if number:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=number, x_proto=number, x_host=number
        )


def secret_key(service: Service) -> str:
    """The key of the settings, else one that is made once and kept in the data folder."""
    given = service.settings.secret_key
    if given and len(given) < SHORTEST_KEY:
        raise ValueError(f"the secret key has {len(given)} characters, expected at least {SHORTEST_KEY}")
    return given or kept_key(service.settings.data / "secret_key", lambda: token_urlsafe(48))


def only_our_pages() -> None:
    """Refuse what another site's page asks for (403).

    A token comes from a program, never by itself as a cookie does; one that comes beside a cookie changes nothing.
    """
    if request.method in SAFE or (bearer() is not None and not held()):
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        allowed = site in ("same-origin", "none")
    else:
        origin = request.headers.get("Origin")
        allowed = origin == f"{request.scheme}://{request.host}" or (origin is None and is_of_a_program())
    if not allowed:
        abort(403)


def is_of_a_program() -> bool:
    """Whether no page of another site can have made a browser send this, even one that names no origin.

    A browser asks first whether it may send another site what no form sends; here it is never answered that it may.
    """
    if not request.path.startswith(API):
        return False
    return request.method not in ("GET", "HEAD", "POST") or request.mimetype not in SENT_UNASKED


def no_long_fields() -> None:
    """Refuse a long form that is sent as one line (413): Werkzeug holds it in memory whole, and many times over.

    What may be long is sent in parts: files, pasted text.
    """
    if request.mimetype == FIELDS and (request.content_length or 0) > FORM_ROOM:
        abort(413)


def add_headers(response: Response) -> Response:
    """The headers of every response, errors included; a page that needs less than others has its own policy."""
    own = response.headers.get("Content-Security-Policy")
    response.headers.update(HEADERS)
    if own is not None:
        response.headers["Content-Security-Policy"] = own
    if request.path.startswith(SHARED):
        response.headers.update(UNTRACED)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = HSTS
    if request.endpoint != "static":
        if response.headers.get("Cache-Control") != NEVER_KEPT:
            response.headers["Cache-Control"] = "private, no-cache"
        response.vary.update(("Accept-Language", "Cookie"))
    return response
