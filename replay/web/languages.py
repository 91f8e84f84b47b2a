"""The language of a page: as the address asks, else as last chosen, else as the browser prefers."""

from datetime import UTC, datetime
from functools import partial
from typing import Any, cast
from urllib.parse import urlencode

from flask import Flask, Response, g, request, url_for

from replay.limits import GIB, KIB, MIB
from replay.text.cited import quoted
from replay.version import __version__
from replay.wording import Words, languages, negotiate, text
from replay.wording.lookup import FALLBACK

COOKIE = "lang"
FOR_PROGRAMS = "api"
"""The group of addresses where a language is asked for once: nothing is kept of it."""

A_YEAR = 365 * 24 * 3600
UNITS = ((GIB, "gib"), (MIB, "mib"), (KIB, "kib"))
PASSING = frozenset({"lang", "again", "retried"})
"""Arguments of an address that no link on the page carries on."""


def install(app: Flask) -> None:
    """Give every page its words, and keep a language that was chosen."""
    app.context_processor(_given)
    app.after_request(_keep)


def lang() -> str:
    """The language of this request."""
    if "lang" not in g:
        g.lang = _chosen()
    return cast(str, g.lang)


def words() -> Words:
    """The words of this request's language."""
    return Words.of(lang())


def _chosen() -> str:
    for asked in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if asked in languages():
            return asked
    for tag in request.accept_languages.values():
        if tag.lower().partition("-")[0] in {known.partition("-")[0] for known in languages()}:
            return negotiate(tag)
    return FALLBACK


def _keep(response: Response) -> Response:
    response.headers.setdefault("Content-Language", lang())
    if request.args.get("lang") in languages() and request.blueprint != FOR_PROGRAMS:
        response.set_cookie(
            COOKIE, lang(), max_age=A_YEAR, secure=request.is_secure, httponly=True, samesite="Lax"
        )
    return response


def in_language(tag: str) -> str:
    """This page in another language; the start where this one was no page to come back to."""
    if request.method != "GET" and "home" not in g:
        return url_for("uploads.index", lang=tag)
    return here(lang=tag)


def stands_for(address: str) -> None:
    """The answer to this form looks like the page at an address: its links lead from there."""
    g.home = address


def here(**changes: object) -> str:
    """This page's address with other arguments; None takes one away. It is relative, so it stays on this page."""
    kept: dict[str, object] = {
        key: value for key, value in request.args.items() if key not in PASSING and value
    }
    kept.update(changes)
    home: str = g.get("home", "")
    return home + "?" + urlencode({key: value for key, value in kept.items() if value is not None})


def asset(name: str) -> str:
    """The address of a file of this version."""
    return url_for("static", filename=name, v=__version__)


def size(amount: int) -> str:
    """A number of bytes for people."""
    for unit, name in UNITS:
        if amount >= unit:
            tenths = amount * 10 // unit
            return words().say(f"web.size.{name}", n=f"{tenths // 10}.{tenths % 10}".removesuffix(".0"))
    return words().say("web.size.bytes", n=amount)


def moment(ms: int) -> str:
    """A time of the database's clock as ISO 8601 writes it, in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _given() -> dict[str, Any]:
    return {
        "lang": lang(),
        "words": words(),
        "read_clause": partial(quoted, words()),
        "say": words().say,
        "tongues": [(tag, text(tag, "language.name")) for tag in languages()],
        "in_language": in_language,
        "here": here,
        "asset": asset,
        "size": size,
        "moment": moment,
        "version": __version__,
    }
