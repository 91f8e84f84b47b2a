"""A worker fills in what reports of an older version are searched by, and is not put off by a failure."""

from threading import Event
from typing import Any

import pytest

from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.store.played import reindex
from replay.store.tables import Sitting
from tests.jobs.working import LOGS, rows, work
from tests.store.test_played import forget, kept
from worker import loop


@pytest.fixture
def before(service: Service) -> dict[str, list[dict[str, Any]]]:
    """What was there of two reports, and is no more."""
    for number, data in enumerate(LOGS[:2]):
        take(service, [data], f"{number}.json")
    work(service)
    found = kept(service)
    forget(service)
    return found


def test_all_that_lacks_is_filled_in(service: Service, before: dict[str, Any]) -> None:
    loop.fill_in(service, Event())
    assert kept(service) == before


def test_what_fails_is_tried_again(
    service: Service, before: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OSError(5, "input/output error")]

    def fails_once(*given: Any) -> int:
        if failures:
            raise failures.pop()
        return reindex(*given)

    monkeypatch.setattr(loop, "reindex", fails_once)
    service.settings = service.settings.model_copy(update={"sweep_seconds": 0.01})
    loop.fill_in(service, Event())
    assert kept(service) == before


def test_it_ends_when_the_worker_does(service: Service, before: dict[str, Any]) -> None:
    stop = Event()
    stop.set()
    loop.fill_in(service, stop)
    assert rows(service, Sitting) == []
