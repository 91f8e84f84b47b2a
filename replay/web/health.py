"""Whether the process lives, and whether the service can be used."""

import shutil
from collections.abc import Callable
from uuid import uuid4

from flask import Blueprint, Response, jsonify, make_response
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from replay.jobs.service import Service
from replay.limits import MIB
from replay.store.tables import Upload
from replay.store.upgrade import ForeignRevision, check
from replay.web.loading import service

pages = Blueprint("health", __name__)
LEAST_FREE = 512 * MIB


@pages.get("/healthz")
def alive() -> Response:
    """The process answers; nothing else is looked at."""
    return jsonify(status="alive")


@pages.get("/readyz")
def ready() -> Response:
    """Whether uploads can be taken: 503 names the checks that fail."""
    found = {name: holds(service()) for name, holds in CHECKS.items()}
    response = make_response(
        jsonify(
            status="ready" if all(found.values()) else "not ready",
            checks={name: "ok" if holds else "failed" for name, holds in found.items()},
        )
    )
    response.status_code = 200 if all(found.values()) else 503
    return response


def can_write(service: Service) -> bool:
    """Whether the database takes a row; it is taken back at once."""
    probe = Upload(
        id=str(uuid4()), owner="probe", sha256="0" * 64, size=0, name="", created=0
    )  # fmt: skip
    try:
        with Session(service.engine) as session:
            session.add(probe)
            session.flush()
            session.rollback()
    except SQLAlchemyError:
        return False
    return True


def at_head(service: Service) -> bool:
    """Whether the tables are of this version."""
    try:
        check(service.engine)
    except (ForeignRevision, SQLAlchemyError):
        return False
    return True


def has_room(service: Service) -> bool:
    """Whether the disk has room for uploads."""
    try:
        return shutil.disk_usage(service.settings.data).free >= LEAST_FREE
    except OSError:
        return False


CHECKS: dict[str, Callable[[Service], bool]] = {"database": can_write, "revision": at_head, "disk": has_room}
