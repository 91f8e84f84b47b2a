"""Whether the process lives, and whether the service can be used, each failure by its name."""

import shutil
from collections import namedtuple

import pytest
from sqlalchemy import text

from replay.jobs.service import Service
from replay.store.tables import Upload
from tests.jobs.working import rows

from .asking import Browser

Usage = namedtuple("Usage", "total used free")


def test_the_process_lives_whatever_the_database_does(browser: Browser, service: Service) -> None:
    with service.engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    answer = browser.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "alive"})


def test_a_service_that_can_be_used_is_ready_and_nothing_is_left_of_the_trial(browser: Browser) -> None:
    answer = browser.get("/readyz")
    assert (answer.status_code, answer.json) == (
        200,
        {"status": "ready", "checks": {"database": "ok", "revision": "ok", "disk": "ok"}},
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
