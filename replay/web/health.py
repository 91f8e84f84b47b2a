"""Whether the process lives, and whether the service can be used (operations §7)."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from threading import Lock, Thread
from typing import Any
from uuid import uuid4

from flask import Blueprint, Response, jsonify, make_response
from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col

from replay.jobs.service import Service
from replay.limits import MIB
from replay.store.database import BUSY_MS, READ_ONLY, now_ms, reading
from replay.store.tables import Heartbeat, Upload
from replay.store.upgrade import head, revision
from replay.web.loading import service
from replay.web.viewer import public

pages = Blueprint("health", __name__)
LEAST_FREE = 512 * MIB
BOUND_SECONDS = 0.5
"""A check that has not answered by then has failed."""

WAIT_MS = 400
"""How long the database may make the trial write wait: less than the bound, so that it ends by itself."""

SILENT_MS = 60_000
"""No worker has swept for so long: none is there."""


@pages.get("/healthz")
@public
def alive() -> Response:
    """The process answers; nothing else is looked at."""
    return jsonify(status="alive")


@pages.get("/readyz")
@public
def ready() -> Response:
    """Whether uploads can be taken and are worked on: 503 names the checks that fail."""
    found = answers(service())
    response = make_response(
        jsonify(
            status="ready" if all(found.values()) else "not ready",
            checks={name: "ok" if holds else "failed" for name, holds in found.items()},
        )
    )
    response.status_code = 200 if all(found.values()) else 503
    return response


# The checks ------------------------------------------------------------------------------------------


def can_write(service: Service) -> bool:
    """Whether the database takes a row; it is taken back at once."""
    row = {"id": str(uuid4()), "owner": "probe", "sha256": "0" * 64, "size": 0, "name": "", "created": 0}
    with service.engine.connect() as connection, impatient(connection):
        connection.execute(insert(Upload).values(**row))
        connection.rollback()
    return True


@contextmanager
def impatient(connection: Connection) -> Iterator[None]:
    """Wait for other writers no longer than the trial may; afterwards the connection is as before."""
    if connection.dialect.name == "sqlite":
        set_busy(connection, WAIT_MS)
        try:
            yield
        finally:
            connection.rollback()
            set_busy(connection, BUSY_MS)
    else:
        for name in ("statement_timeout", "lock_timeout"):
            # LOCAL: of this transaction only, which is taken back.
            connection.execute(text(f"SET LOCAL {name} = {WAIT_MS}"))
        yield


def set_busy(connection: Connection, ms: int) -> None:
    """How long SQLite waits for a lock; said past the engine, which would begin by waiting for it."""
    driver: Any = connection.connection.driver_connection
    driver.execute(f"PRAGMA busy_timeout={ms}").close()


@cache
def newest() -> str:
    """The revision of this version."""
    return head()


def at_head(service: Service) -> bool:
    """Whether the tables are of this version; nobody who writes is waited for."""
    return revision(service.engine.execution_options(**READ_ONLY)) == newest()


def has_room(service: Service) -> bool:
    """Whether the disk has room for uploads."""
    return shutil.disk_usage(service.settings.data).free >= LEAST_FREE


def is_swept(service: Service) -> bool:
    """Whether some worker has looked for jobs left behind within the last minute."""
    with reading(service.engine) as session:
        last, now = session.execute(select(func.max(col(Heartbeat.at)), now_ms())).one()
    return last is not None and now - last <= SILENT_MS


CHECKS: dict[str, Callable[[Service], bool]] = {
    "database": can_write,
    "revision": at_head,
    "disk": has_room,
    "sweeper": is_swept,
}

# Asking them -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Asked:
    """A check under way; ``holds`` stays False until it has said yes."""

    thread: Thread
    holds: bool = False


under_way: dict[tuple[int, str], Asked] = {}
lock = Lock()


def answers(service: Service) -> dict[str, bool]:
    """What each check found within the bound.

    A disk or a database that hangs would hold whoever asks it, so each check has a thread of its own. One that
    still hangs is not asked a second time: who asks next waits for the same answer.
    """
    last = time.monotonic() + BOUND_SECONDS
    asked = {name: ask(service, name) for name in CHECKS}
    for one in asked.values():
        one.thread.join(max(0.0, last - time.monotonic()))
    return {name: one.holds for name, one in asked.items()}


def ask(service: Service, name: str) -> Asked:
    """Begin a check, unless it is under way."""
    key = (id(service), name)

    def run() -> None:
        with suppress(SQLAlchemyError, OSError):
            asked.holds = CHECKS[name](service)

    with lock:
        found = under_way.get(key)
        if found is not None and found.thread.is_alive():
            return found
        asked = under_way[key] = Asked(Thread(target=run, name=f"ready-{name}", daemon=True))
        asked.thread.start()
        return asked
