"""One line of JSON for whatever happens in a process: when, how bad, what, and the facts; no names, no bodies.

``event`` says what happened in words that stand in the code. What is put into such words at run time may be a
player's name: only numbers, ids and the types of errors are. Of an exception its type and its places are written,
never its message, which may quote a row of the database.
"""

import json
import logging
import re
import sys
import threading
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

PLACES = 8
"""How many places of a traceback are written, the innermost."""

LONGEST_EVENT = 200
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
UNSAID = "…"


def say(
    log: logging.Logger, event: str, level: int = logging.INFO, *, exc_info: Any = None, **facts: object
) -> None:
    """Write a line with these facts; ``exc_info`` as `logging` takes it."""
    log.log(level, event, exc_info=exc_info, extra={"facts": facts})


class Lines(logging.Formatter):
    """Makes a record one line of ASCII JSON, whatever is in it: what is not ASCII is escaped, line ends too."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self.process = process

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record, without its end."""
        facts: dict[str, Any] = getattr(record, "facts", {})
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": self.process,
            "pid": record.process,
            "logger": record.name,
            "event": event_of(record),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line |= failure(record.exc_info[1])
        line |= {key: value for key, value in facts.items() if key not in line}
        return json.dumps(line, default=str)


def event_of(record: logging.LogRecord) -> str:
    """What happened: the words as they stand in the code, with what may be said put into them."""
    words = str(record.msg)
    if record.args:
        given = record.args if isinstance(record.args, tuple) else (record.args,)
        try:
            words %= tuple(said(one) for one in given)
        except (TypeError, ValueError, KeyError):
            words = str(record.msg)
    return words[:LONGEST_EVENT]


def said(value: object) -> object:
    """What of a value may be said."""
    if isinstance(value, BaseException):
        return type(value).__name__
    plain = value is None or isinstance(value, int | float) or bool(ID.fullmatch(str(value)))
    return value if plain else UNSAID


def failure(error: BaseException) -> dict[str, Any]:
    """The type of an exception, of what it came from, and where it was raised."""
    came = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    frames = traceback.extract_tb(error.__traceback__)
    found: dict[str, Any] = {"error": type(error).__name__}
    if came is not None:
        found["from"] = type(came).__name__
    return {**found, "at": [f"{frame.filename}:{frame.lineno}" for frame in frames][-PLACES:]}


def install(process: str) -> None:
    """Write every record of this process to stderr, and warnings and uncaught exceptions with them."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(process))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("replay").setLevel(logging.INFO)
    logging.captureWarnings(True)
    sys.excepthook = uncaught
    threading.excepthook = lambda failed: uncaught(
        failed.exc_type, failed.exc_value, failed.exc_traceback, failed.thread
    )


def uncaught(
    kind: type[BaseException],
    error: BaseException | None,
    places: TracebackType | None,
    thread: threading.Thread | None = None,
) -> None:
    """Write down what ends this process, or one of its threads."""
    if issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    facts = {} if thread is None else {"thread": thread.name}
    say(logging.getLogger("replay"), "uncaught", logging.CRITICAL, exc_info=(kind, error, places), **facts)
