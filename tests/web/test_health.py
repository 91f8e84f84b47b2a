"""Whether the process lives, and whether the service can be used, each failure by its name."""

import shutil
import sqlite3
import time
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import text, update

from replay.jobs.queue import sweep
from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.database import now_ms, writing
from replay.store.tables import Heartbeat, Upload
from replay.store.upgrade import upgrade
from replay.web import create_app, health
from tests.conftest import empty_postgresql
from tests.jobs.working import rows

from .asking import Browser

Usage = namedtuple("Usage", "total used free")


LOCKED_SECONDS = 1.0
"""Operations §7 gives the trial 500 ms; a locked database otherwise lets a writer wait for 10 s."""


@pytest.fixture(autouse=True)
def swept(service: Service) -> None:
    """A worker has just looked for work."""
    sweep(service)


def test_the_process_lives_whatever_the_database_does(browser: Browser, service: Service) -> None:
    with service.engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    answer = browser.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "alive"})


def test_a_service_that_can_be_used_is_ready_and_nothing_is_left_of_the_trial(browser: Browser) -> None:
    answer = browser.get("/readyz")
    assert (answer.status_code, answer.json) == (
        200,
        {
            "status": "ready",
            "checks": {"database": "ok", "revision": "ok", "disk": "ok", "sweeper": "ok"},
        },
    )
    assert rows(browser.service, Upload) == []


def failing(browser: Browser) -> list[str]:
    answer = browser.get("/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    return [name for name, found in answer.json["checks"].items() if found != "ok"]


def test_a_disk_with_little_room_is_not_ready(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 500 * 1024**2))
    assert failing(browser) == ["disk"]


def test_a_database_of_another_revision_is_not_ready(browser: Browser, service: Service) -> None:
    with service.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'other'"))
    assert failing(browser) == ["revision"]


def test_a_database_that_takes_no_row_is_not_ready(browser: Browser, service: Service) -> None:
    with service.engine.begin() as connection:
        connection.execute(
            text("CREATE TRIGGER full BEFORE INSERT ON upload BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        )
    assert failing(browser) == ["database"]


def test_a_locked_database_is_not_ready_and_says_so_at_once(browser: Browser, service: Service) -> None:
    with closing(sqlite3.connect(service.settings.data / "replay.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        assert failing(browser) == ["database"]
        assert time.monotonic() - begun < LOCKED_SECONDS
    assert browser.get("/readyz").status_code == 200
    with service.engine.connect() as connection:
        assert connection.execute(text("PRAGMA busy_timeout")).scalar_one() == 10_000


@pytest.fixture
def on_postgresql(tmp_path: Path) -> Iterator[Browser]:
    with empty_postgresql() as url:
        service = open_service(Settings(data=tmp_path / "other", database=url, broker="none"), node="web")
        upgrade(service.engine)
        sweep(service)
        yield Browser(create_app(service).test_client(), service)
        service.engine.dispose()


def test_a_locked_table_of_postgresql_is_not_ready_and_says_so_at_once(on_postgresql: Browser) -> None:
    assert on_postgresql.get("/readyz").status_code == 200
    with on_postgresql.service.engine.connect() as other:
        other.execute(text("LOCK TABLE upload IN EXCLUSIVE MODE"))
        begun = time.monotonic()
        assert failing(on_postgresql) == ["database"]
        assert time.monotonic() - begun < LOCKED_SECONDS
    assert on_postgresql.get("/readyz").status_code == 200


def test_a_check_that_hangs_has_failed_and_is_not_asked_twice(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, asked = Event(), []

    def hang(_: Service) -> bool:
        asked.append(1)
        return over.wait(30)

    monkeypatch.setitem(health.CHECKS, "disk", hang)
    assert failing(browser) == failing(browser) == ["disk"]
    assert asked == [1]
    over.set()


def test_without_a_worker_that_looked_within_a_minute_it_is_not_ready(
    browser: Browser, service: Service
) -> None:
    with writing(service.engine) as session:
        session.execute(update(Heartbeat).values(at=now_ms() - 61_000))
    assert failing(browser) == ["sweeper"]
    with writing(service.engine) as session:
        session.add(Heartbeat(node="another", at=0))
        session.execute(update(Heartbeat).values(at=now_ms() - 59_000).where(Heartbeat.node == "another"))  # type: ignore[arg-type]
    assert browser.get("/readyz").status_code == 200


def test_where_no_worker_ever_looked_it_is_not_ready(browser: Browser, service: Service) -> None:
    with service.engine.begin() as connection:
        connection.execute(text("DELETE FROM heartbeat"))
    assert failing(browser) == ["sweeper"]
