"""What every response carries and what no request may do (operations §5, U8 and U9)."""

import os
from datetime import timedelta
from pathlib import Path
from secrets import token_urlsafe

from flask import Flask, Response, abort, request

from replay.jobs.service import Service
from replay.limits import KIB
from replay.settings import SHORTEST_KEY
from replay.web.loading import EXTENSION

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
HSTS = "max-age=31536000"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
FORM_ROOM = 64 * KIB
"""Bytes of a form beside its files."""

PARTS = 20
FIELDS = "application/x-www-form-urlencoded"


def install(app: Flask) -> None:
    """Set the limits and the cookies, and look at every request and response."""
    service: Service = app.extensions[EXTENSION]
    app.config.update(
        MAX_CONTENT_LENGTH=service.limits.upload_bytes + FORM_ROOM,
        MAX_FORM_MEMORY_SIZE=FORM_ROOM,
        MAX_FORM_PARTS=PARTS,
        SECRET_KEY=secret_key(service),
        SESSION_COOKIE_NAME="__Host-replay",
        SESSION_COOKIE_SECURE=True,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(hours=12),
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(hours=1),
    )
    hosts = LOOPBACK | {service.settings.host.lower()}

    def only_our_hosts() -> None:
        if hostname(request.host) not in hosts:
            abort(400, "host")

    longest = service.limits.document_bytes + FORM_ROOM

    def no_long_fields() -> None:
        # Werkzeug holds a form of this kind in memory whole, whatever its limits are.
        if request.mimetype == FIELDS and (request.content_length or 0) > longest:
            abort(413)

    app.before_request(only_our_hosts)
    app.before_request(only_our_pages)
    app.before_request(no_long_fields)
    app.after_request(add_headers)


def secret_key(service: Service) -> str:
    """The key of the settings, else one that is made once and kept in the data folder."""
    given = service.settings.secret_key
    if given and len(given) < SHORTEST_KEY:
        raise ValueError(f"the secret key has {len(given)} characters, expected at least {SHORTEST_KEY}")
    return given or kept_key(service.settings.data / "secret_key")


def kept_key(path: Path) -> str:
    """The key in a file that nobody else may read; of several that make it at once, all take the same."""
    beside = path.with_name(f"{path.name}.{token_urlsafe(8)}")
    if not path.exists():
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(token_urlsafe(48))
        try:
            os.link(beside, path)
        except FileExistsError:
            pass
        finally:
            beside.unlink()
    return path.read_text(encoding="ascii")


def hostname(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def only_our_pages() -> None:
    """Refuse what another site's page asks for (403)."""
    if request.method in SAFE:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        allowed = site in ("same-origin", "none")
    else:
        allowed = request.headers.get("Origin") == f"{request.scheme}://{request.host}"
    if not allowed:
        abort(403)


def add_headers(response: Response) -> Response:
    """The headers of every response, errors included."""
    response.headers.update(HEADERS)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = HSTS
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "private, no-cache"
        response.vary.update(("Accept-Language", "Cookie"))
    return response
