"""A page as a PDF, by WeasyPrint where it is installed: one at a time, by a process that is held to its limits."""

import logging
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

from replay.jobs.lines import say
from replay.limits import MIB
from replay.web.paper.pdf_maker import NOT_HERE

log = logging.getLogger("replay.web")
MAKER = Path(__file__).with_name("pdf_maker.py")
MEMORY = 768 * MIB
"""What the process may take beyond what it begins with; a long report takes a fifth of it."""

SECONDS = 60
HANDED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "TZ")
HANDED_ON_BEGINNINGS = ("LC_", "FONTCONFIG_", "XDG_", "DYLD_")
"""What of its surroundings the process is told: how to find libraries and fonts, and no setting of the service."""

making = Lock()
"""Held by the one thread of this process that has a PDF made: it takes seconds, and the pages go on meanwhile."""

lacking: set[str] = set()
"""What a PDF could not be made without in this process."""


class Unavailable(RuntimeError):
    """WeasyPrint is not installed, or what it stands on (pango) is not."""


class Busy(RuntimeError):
    """Another PDF is being made."""


class GivenUp(RuntimeError):
    """The PDF took too long or too much, or could not be made."""


def may_work() -> bool:
    """Whether a PDF can be asked for, as far as that is known without having tried."""
    return find_spec("weasyprint") is not None and not lacking


def pdf_of(page: str) -> bytes:
    """The PDF of a page. Raises `Unavailable`, `Busy` and `GivenUp`."""
    if not making.acquire(blocking=False):
        raise Busy
    try:
        return _made(page)
    finally:
        making.release()


def _made(page: str) -> bytes:
    try:
        # Once its time is over, the process is killed.
        ended = subprocess.run(  # noqa: S603
            [sys.executable, "-I", str(MAKER), str(MEMORY), str(SECONDS)],
            input=page.encode("utf-8"),
            capture_output=True,
            env=surroundings(),
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        say(log, "a PDF was given up", logging.WARNING, error="TimeoutExpired")
        raise GivenUp from None
    if ended.returncode == NOT_HERE:
        say(log, "no PDF can be made", logging.WARNING)
        lacking.add("weasyprint")
        raise Unavailable
    if ended.returncode != 0 or not ended.stdout:
        say(log, "a PDF was given up", logging.WARNING, ended=ended.returncode)
        raise GivenUp
    return ended.stdout


def surroundings() -> dict[str, str]:
    """The environment of the process."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in HANDED_ON or name.startswith(HANDED_ON_BEGINNINGS)
    }
