"""A page as a PDF, by WeasyPrint where it is installed: one at a time, and nothing is fetched for it."""

import logging
from importlib.util import find_spec
from threading import Lock
from typing import Any

from replay.jobs.lines import say

log = logging.getLogger("replay.web")
ALLOWED = ("data",)
"""What an address in a page may begin with; what it says of any other address is left out."""

making = Lock()
"""Held by the one thread of this process that makes a PDF: it takes seconds, and the pages go on meanwhile."""


lacking: set[str] = set()
"""With which errors a PDF could not be made in this process: what it takes is not here."""

QUIET = ("weasyprint", "fontTools")
"""What tells more than is to be written down of every PDF."""


class Unavailable(RuntimeError):
    """WeasyPrint is not installed, or what it stands on (pango) is not."""


class Busy(RuntimeError):
    """Another PDF is being made."""


def may_work() -> bool:
    """Whether a PDF can be asked for, as far as that is known without having tried."""
    return find_spec("weasyprint") is not None and not lacking


def pdf_of(page: str) -> bytes:
    """The PDF of a page. Raises `Unavailable` and `Busy`."""
    if not making.acquire(blocking=False):
        raise Busy
    try:
        return bytes(_made(page))
    finally:
        making.release()


def _made(page: str) -> Any:
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except (ImportError, OSError) as error:
        say(log, "no PDF can be made", logging.WARNING, error=type(error).__name__)
        lacking.add(type(error).__name__)
        raise Unavailable from None
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
    fetcher = URLFetcher(allowed_protocols=ALLOWED, allow_redirects=False)
    return HTML(string=page, url_fetcher=fetcher).write_pdf(pdf_tags=True)
