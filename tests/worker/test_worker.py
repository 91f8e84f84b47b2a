"""Operations T1, T6, T23 with real Celery workers on the built-in broker: killed, rung too often, told to end."""

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kombu.connection import Connection
from kombu.exceptions import OperationalError
from sqlalchemy import func, select
from sqlmodel import col

from replay import audit
from replay.jobs.ingest import take
from replay.jobs.queue import waiting
from replay.jobs.service import Service
from replay.store.database import reading
from replay.store.tables import Job, Report
from tests.conftest import empty_postgresql
from tests.jobs.working import LOGS, ndjson, reports, rows
from tests.worker.running import put_up, until
from worker.app import QUEUE
from worker.keeper import Kept, command, end

BROKERS = {
    "redis": os.environ.get("TEST_REDIS", "redis://127.0.0.1:6379/9"),
    "rabbitmq": os.environ.get("TEST_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672//"),
}

FEW = 400 if not os.environ.get("CI") else 1000
"""Uploads of the long test: two jobs each."""


@pytest.fixture
def embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A service on the built-in database and broker."""
    service = put_up(tmp_path, monkeypatch)
    yield service
    service.engine.dispose()


@pytest.fixture(params=["embedded", "redis", "rabbitmq"])
def anywhere(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Service]:
    """A service on the built-in parts, or on PostgreSQL with one of the brokers."""
    if request.param == "embedded":
        yield request.getfixturevalue("embedded")
        return
    with empty_postgresql() as database:
        broker = BROKERS[request.param]
        forget_messages(broker)
        service = put_up(tmp_path, monkeypatch, DATABASE=database, BROKER=broker)
        yield service
        service.engine.dispose()


def forget_messages(broker: str) -> None:
    """Empty the broker's queue; without that broker the test is skipped, in CI it fails."""
    try:
        with Connection(broker, connect_timeout=2) as connection:  # type: ignore[no-untyped-call]
            connection.ensure_connection(max_retries=1)
            if broker.startswith("redis"):
                client: Any = connection.default_channel.client
                for key in client.scan_iter("replay:*"):
                    client.delete(key)
            else:
                connection.default_channel.queue_delete(QUEUE)
    except OperationalError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no broker here: {error}")


@pytest.fixture
def workers() -> Iterator[list[Kept]]:
    """Two workers; whatever the test does, they are gone after it."""
    kept = [Kept(command("worker"), node=f"node-{number}") for number in range(2)]
    yield kept
    end(kept)


def start(workers: list[Kept]) -> None:
    """Start every worker, in the environment that the test has set by now."""
    for one in workers:
        one.start()


def games(count: int) -> list[bytes]:
    return ndjson(count).splitlines()


def test_t1_workers_that_are_killed_lose_no_job_and_count_none_twice(
    anywhere: Service, workers: list[Kept]
) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    start(workers)
    count = FEW if anywhere.settings.embedded else FEW // 4
    logs = games(count)
    taken = [take(anywhere, [log], f"{number}.json") for number, log in enumerate(logs)]
    jobs, kills = 2 * count, 0
    while kills < 10 and waiting(anywhere):
        time.sleep(chance.uniform(0.1, 0.8))
        victim = chance.choice(workers)
        if victim.process is not None and victim.process.poll() is None:
            victim.kill()
            kills += 1
        victim.start()
    until(lambda: not waiting(anywhere), kept=workers)
    found = rows(anywhere, Job)
    assert {job.state for job in found} == {"done"}
    assert len(found) == jobs
    with reading(anywhere.engine) as session:
        per_audit = select(func.count()).select_from(Report).group_by(col(Report.audit_id))
        assert list(session.execute(per_audit).scalars()) == [1] * count
    again = sum(job.attempts for job in found) - jobs
    print(f"{jobs} jobs, {kills} kills, {again} done again")
    assert kills
    assert again <= 2 * kills
    for one, log in list(zip(taken, logs, strict=True))[:: max(count // 40, 1)]:
        assert reports(anywhere, one.audit) == [audit(log).to_json()]


def test_t6_a_job_that_is_rung_twenty_times_is_done_once(anywhere: Service, workers: list[Kept]) -> None:
    start(workers)
    one = take(anywhere, [LOGS[0]], "game.json")
    until(lambda: not waiting(anywhere))
    for job in rows(anywhere, Job):
        for _ in range(20):
            anywhere.ring(job.id)
    time.sleep(3)
    assert len(rows(anywhere, Report, audit_id=one.audit)) == 1
    assert [job.attempts for job in rows(anywhere, Job)] == [1, 1]


def test_t23_workers_that_are_told_to_end_finish_what_they_hold(
    embedded: Service, workers: list[Kept]
) -> None:
    start(workers)
    taken = [take(embedded, [log], "game.json") for log in games(60)]
    until(lambda: waiting(embedded) < 100)
    began = time.monotonic()
    end(workers)
    assert time.monotonic() - began <= 35
    assert {one.process.returncode for one in workers if one.process} <= {0, -signal.SIGTERM}
    assert not [job for job in rows(embedded, Job) if job.state == "running"]
    start(workers)
    until(lambda: not waiting(embedded))
    assert all(len(rows(embedded, Report, audit_id=one.audit)) == 1 for one in taken)
    assert all(job.attempts == 1 for job in rows(embedded, Job))
