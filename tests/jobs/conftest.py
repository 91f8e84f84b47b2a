"""A service in a folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.upgrade import upgrade


@pytest.fixture
def service(database: str, tmp_path: Path) -> Iterator[Service]:
    """A service with its tables and nothing in them; its jobs are rung into ``rung``."""
    settings = Settings(data=tmp_path / "data", database=database, broker="none", ring_seconds=0.001)
    made = open_service(settings, node="one")
    upgrade(made.engine)
    yield made
    made.engine.dispose()
