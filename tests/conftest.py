"""What several tests need, where this machine holds it: the full corpus, an empty database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings as hypothesis
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from replay.jobs.service import Service, open_service
from replay.settings import Settings
from tests.tables import make_tables

# A busy machine is slow, and that is no failure: nothing here is judged by the clock.
hypothesis.register_profile("unhurried", deadline=None)
hypothesis.load_profile("unhurried")

CORPUS = Path(__file__).resolve().parents[2] / "shared"

ALONE = (
    "worker",
    "operations",
    "browser",
    "bench",
    "cli/test_process.py",
    "cli/test_serve.py",
    "cli/test_serving.py",
)
"""What has a service, a browser or a broker to itself, or counts what it costs: one test of these at a time."""

TOGETHER = (
    "test_packaging.py",
    "test_a_further_rule_set.py",
    "importers",
    "evidence",
    "web/test_catalogue.py",
    "web/test_roles.py",
)
"""What makes something once for all its tests."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads what stands together
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say which tests belong into one process where several share the work (`pytest -n`)."""
    here = Path(__file__).parent
    for item in items:
        if not item.path.is_relative_to(here):
            continue
        place = item.path.relative_to(here).as_posix()
        if place.startswith(ALONE):
            item.add_marker(pytest.mark.xdist_group("alone"))
        elif place.startswith(TOGETHER):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


SERVER = os.environ.get("TEST_POSTGRESQL", "postgresql+psycopg://root@127.0.0.1:5432/")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents and records beside the checkout; without it the test is skipped, in CI it fails."""
    if CORPUS.is_dir():
        return CORPUS
    lacking = f"the full corpus is not here: no folder {CORPUS}"
    if os.environ.get("CI"):
        pytest.fail(lacking)
    pytest.skip(lacking)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/replay.db"
        return
    with empty_postgresql() as url:
        yield url


@contextmanager
def empty_postgresql() -> Iterator[str]:
    """An empty PostgreSQL database, dropped afterwards; without a server the test is skipped, in CI it fails."""
    name = f"replay_{uuid4().hex}"
    server = create_engine(f"{SERVER}postgres", isolation_level="AUTOCOMMIT")
    try:
        with server.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except OperationalError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no PostgreSQL here: {type(error).__name__}")
    yield f"{SERVER}{name}"
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


@pytest.fixture
def service(database: str, tmp_path: Path) -> Iterator[Service]:
    """A service with its tables and nothing in them; its jobs wait for a sweep."""
    settings = Settings(data=tmp_path / "data", database=database, broker="none", ring_seconds=0.001)
    made = open_service(settings, node="one")
    make_tables(made.engine)
    yield made
    made.engine.dispose()
