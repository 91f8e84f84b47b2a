"""What the jobs stand on: settings, database, files, limits, and a bell to ring."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine

from replay.limits import DEFAULT, Limits
from replay.settings import Settings
from replay.store.blobs import Blobs
from replay.store.database import connect

Bell = Callable[[str], None]
"""Tells a worker that the job of this id waits. It may fail: then a sweep finds the job."""


def silent(job_id: str) -> None:
    """No bell: every job waits for a sweep."""


@dataclass(slots=True)
class Service:
    """One process's share of the service; ``node`` names the process in a lease."""

    settings: Settings
    engine: Engine
    blobs: Blobs
    ring: Bell = silent
    node: str = ""
    limits: Limits = field(default=DEFAULT)
    deaf: bool = False
    """Whether the bell failed when it was last rung."""


def open_service(settings: Settings, ring: Bell = silent, node: str = "") -> Service:
    """The service on these settings; makes the data folder, not the tables."""
    Path(settings.data).mkdir(mode=0o700, parents=True, exist_ok=True)
    blobs = Blobs(settings.data / "blobs")
    return Service(settings, connect(settings.database_url), blobs, ring, node)
