"""Operations R5, R6: a lease is renewed while the engine works, and no hand is worked at for longer than allowed."""

import errno
import json
from typing import Any

import orjson
import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlmodel import col

from replay import audit, hands
from replay.jobs import auditing, runner, watching
from replay.jobs.ingest import Taken, take
from replay.jobs.queue import Claim, claim, renew, sweep
from replay.jobs.runner import run
from replay.jobs.service import Service
from replay.store.database import writing
from replay.store.tables import FindingRow, Heartbeat, Job, Report

from .working import LOGS, expire, ndjson, reports, rows, work

HANDS = 4


def sitting() -> bytes:
    """One hand, played four times."""
    log = json.loads(LOGS[1])
    return json.dumps({**log, "hands": [log["hands"][0]] * HANDS}).encode()


def given(service: Service, data: bytes) -> Taken:
    return take(service, [data], "game.json")


def audit_job(service: Service) -> Job:
    """The upload split, its one audit job left to be done."""
    (split,) = sweep(service)
    assert run(service, split) == "done"
    (job,) = (job for job in rows(service, Job) if job.kind == "audit")
    assert isinstance(job, Job)
    return job


class Clock:
    """A clock that goes ahead by so much with every look."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "SLICE", 10)


class TestTheTimeOfAHand:
    def test_a_hand_that_takes_too_long_is_set_aside_and_the_report_says_so(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, short_slices: None
    ) -> None:
        taken = given(service, sitting())
        monkeypatch.setattr(watching, "time", Clock(watching.HAND_SECONDS))
        work(service)
        (row,) = rows(service, Report, audit_id=taken.audit)
        found = rows(service, FindingRow, report_id=row.id)
        assert (row.verdict, [one.code for one in found if one.code == "AUD002"]) == (
            "quarantined",
            ["AUD002"] * HANDS,
        )
        written = orjson.loads(reports(service, taken.audit)[0])
        params = [one["params"] for hand in written["hands"] for one in hand["findings"]]
        assert {"reason": "time"} in params

    def test_a_hand_within_its_time_has_the_report_of_the_library(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, short_slices: None
    ) -> None:
        taken = given(service, sitting())
        monkeypatch.setattr(watching, "time", Clock(0.001))
        work(service)
        assert reports(service, taken.audit) == [audit(sitting()).to_json()]


class TestTheLease:
    def test_it_is_renewed_from_the_engines_loop(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, short_slices: None
    ) -> None:
        given(service, sitting())
        job = audit_job(service)
        renewals: list[str] = []
        monkeypatch.setattr(watching, "time", Clock(1.0))
        monkeypatch.setattr(watching, "HAND_SECONDS", 1000.0)

        def counted(of: Service, held: Claim, **also: Any) -> None:
            renewals.append(held.job.id)
            renew(of, held, **also)

        monkeypatch.setattr(watching, "renew", counted)
        assert run(service, job.id) == "done"
        assert set(renewals) == {job.id}

    def test_an_audit_whose_lease_has_passed_to_another_stops_and_writes_nothing(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, short_slices: None
    ) -> None:
        taken = given(service, sitting())
        job = audit_job(service)
        monkeypatch.setattr(watching, "time", Clock(30.0))

        def too_late(of: Service, held: Any, **also: Any) -> None:
            expire(service)
            assert claim(service, job.id) is not None
            renew(of, held, **also)

        monkeypatch.setattr(watching, "renew", too_late)
        assert run(service, job.id) == "fenced"
        assert rows(service, Report, audit_id=taken.audit) == []


class TestWhatAWorkerDiedAt:
    def died_at(self, service: Service, job: Job, *places: tuple[int, int | None]) -> None:
        """As if workers had died at these places, one after another."""
        for document, hand in places:
            held = claim(service, job.id)
            assert held is not None
            auditing.set_aside(service, held)
            with writing(service.engine) as session:
                session.execute(
                    update(Job).where(col(Job.id) == job.id).values(current=document, current_hand=hand)
                )
            expire(service)

    def test_every_place_is_set_aside_and_nothing_else(self, service: Service) -> None:
        data = b"\n".join([sitting(), *ndjson(2).splitlines()])
        taken = given(service, data)
        job = audit_job(service)
        self.died_at(service, job, (0, 1), (0, 3), (2, None))
        assert run(service, job.id) == "done"
        found = [orjson.loads(one) for one in reports(service, taken.audit)]
        aside = [
            (number, one["hand"], one["code"])
            for number, report in enumerate(found)
            for one in [*report["findings"], *(each for hand in report["hands"] for each in hand["findings"])]
            if one["code"].startswith("AUD")
        ]
        assert aside == [(0, 1, "AUD002"), (0, 3, "AUD002"), (2, None, "AUD001")]
        assert reports(service, taken.audit)[1] == audit(ndjson(2).splitlines()[0]).to_json()

    def test_a_log_at_which_the_engine_fails_before_its_first_hand_is_set_aside_alone(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        taken = given(service, ndjson(3))

        def failing(log: bytes, **wish: Any) -> Any:
            if b'"log-1"' in log:
                raise RecursionError
            return audit(log, **wish)

        monkeypatch.setattr(auditing, "audit", failing)
        work(service)
        found = rows(service, Report, audit_id=taken.audit)
        assert [row.verdict for row in found] == ["clean", "quarantined", "clean"]
        (finding,) = rows(service, FindingRow, report_id=found[1].id)
        assert finding.code == "AUD001"

    def test_a_try_that_failed_for_the_engines_own_failure_is_no_place_to_set_aside(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        taken = given(service, sitting())
        job = audit_job(service)
        for _ in range(3):
            assert claim(service, job.id) is not None
            expire(service)
        monkeypatch.setattr(auditing, "keep", full_disk)
        assert run(service, job.id) == "queued"
        monkeypatch.undo()
        work(service)
        assert reports(service, taken.audit) == [audit(sitting()).to_json()]


def full_disk(*_: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


class TestTroubleOfTheService:
    """Operations D2: a full disk is not the job's fault, and passes."""

    def test_it_does_not_count_as_a_try(self, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
        taken = given(service, LOGS[0])
        job = audit_job(service)
        monkeypatch.setattr(auditing, "write", full_disk)
        assert [run(service, job.id) for _ in range(7)] == ["queued"] * 7
        (kept,) = rows(service, Job, id=job.id)
        assert (kept.attempts, kept.problem) == (0, "OSError: [Errno 28] No space left on device")
        monkeypatch.undo()
        work(service)
        assert reports(service, taken.audit) == [audit(LOGS[0]).to_json()]

    def test_a_database_that_is_away_leaves_the_job_to_its_lease(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        taken = given(service, LOGS[0])
        job = audit_job(service)
        away = OperationalError("UPDATE", {}, Exception("the database is away"))

        def fails(*_: Any, **__: Any) -> Any:
            raise away

        monkeypatch.setattr(runner, "run_audit", fails)
        monkeypatch.setattr(runner, "put_back", fails)
        assert run(service, job.id) == "left"
        monkeypatch.setattr(runner, "claim", fails)
        assert run(service, job.id) == "left"
        monkeypatch.undo()
        expire(service)
        work(service)
        assert reports(service, taken.audit) == [audit(LOGS[0]).to_json()]


def test_a_sweep_leaves_a_sign_of_each_worker(service: Service) -> None:
    sweep(service)
    (first,) = rows(service, Heartbeat)
    service.node = "two"
    sweep(service)
    sweep(service)
    assert {sign.node for sign in rows(service, Heartbeat)} == {"one", "two"}
    assert all(sign.at >= first.at for sign in rows(service, Heartbeat))
