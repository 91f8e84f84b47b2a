"""A service with its pages; jobs are worked by the test."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from replay.jobs.lines import Lines
from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.web import create_app
from tests.tables import make_tables

from .asking import Browser
from .disputing import people  # noqa: F401 - a fixture
from .signing import accounts_service


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service with its tables and nothing in them."""
    settings = Settings(data=tmp_path / "data", broker="none", ring_seconds=0.001)
    made = open_service(settings, node="web")
    make_tables(made.engine)
    yield made
    made.engine.dispose()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Service]:
    """A service with accounts."""
    with accounts_service(tmp_path / "data") as made:
        yield made


@pytest.fixture
def app(service: Service) -> Flask:
    """The application on it."""
    return create_app(service)


@pytest.fixture
def browser(app: Flask, service: Service) -> Browser:
    """A browser that reads English."""
    return Browser(app.test_client(), service)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[list[dict[str, Any]]]:
    """What the service writes down meanwhile, as it is read back from its lines."""
    found: list[dict[str, Any]] = []

    class Reader(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            line = self.format(record)
            assert len(line.splitlines()) == 1
            found.append(json.loads(line))

    reader = Reader()
    reader.setFormatter(Lines("test"))
    caplog.set_level(logging.INFO, "replay")
    logging.getLogger("replay").addHandler(reader)
    yield found
    logging.getLogger("replay").removeHandler(reader)
