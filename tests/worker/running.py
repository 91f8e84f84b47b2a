"""A service for real workers, and waiting for them."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from replay.jobs.service import Service, open_service
from replay.settings import settings_from
from replay.store.upgrade import upgrade
from worker.app import bell
from worker.keeper import Kept


def put_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **more: str) -> Service:
    """A service with short leases, in the environment for its workers too."""
    for name, value in {
        "DATA": str(tmp_path / "data"),
        "LEASE_SECONDS": "3",
        "SWEEP_SECONDS": "0.5",
        "RING_SECONDS": "1",
        **more,
    }.items():
        monkeypatch.setenv(f"REPLAY_{name}", value)
    settings = settings_from(os.environ)
    service = open_service(settings, bell(settings), node="test")
    upgrade(service.engine)
    return service


def until(done: Callable[[], bool], seconds: float = 120, kept: Sequence[Kept] = ()) -> None:
    """Wait for something to be so, and keep the workers up meanwhile."""
    last = time.monotonic() + seconds
    while not done():
        for one in kept:
            one.look(time.monotonic())
        assert time.monotonic() < last, "not done in time"
        time.sleep(0.05)
