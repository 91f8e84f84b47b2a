"""Operations T3: when nobody can be rung, an upload is answered at once and its reports come all the same."""

from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlmodel import col

from replay import audit
from replay.jobs.service import Service
from replay.store.database import reading
from replay.store.tables import Job, Report, Upload
from tests.jobs.working import ndjson, reports, rows

from .running import Answer, idle, running, service_of, until, upload_all, variables, web

COUNT, AT_ONCE = 500, 4
ANSWERED, DONE = 1.0, 30.0
"""Seconds, as T3 states them: for each answer, and after the last one until all is done."""


def none_is_orphaned(service: Service, answers: list[Answer], logs: list[bytes]) -> None:
    """Every upload is split, every audit has each of its reports once, no job is left."""
    uploads = {row.id: row for row in rows(service, Upload)}
    assert {answer.upload for answer in answers} == set(uploads)
    assert len(uploads) == len(logs)
    assert all(row.documents == 1 for row in uploads.values())
    jobs = rows(service, Job)
    assert (len(jobs), {job.state for job in jobs}) == (2 * len(logs), {"done"})
    with reading(service.engine) as session:
        counted = select(col(Report.audit_id), func.count()).group_by(col(Report.audit_id))
        found = {row[0]: row[1] for row in session.execute(counted)}
    assert set(found.values()) == {1}
    audits = {job.upload_id: job.audit_id for job in jobs if job.kind == "audit"}
    assert set(found) == set(audits.values())
    for answer, log in list(zip(answers, logs, strict=True))[::25]:
        assert reports(service, audits[answer.upload]) == [audit(log).to_json()]


@pytest.mark.parametrize("bell", ["the web's broker is gone", "there is no broker"])
def test_t3_uploads_that_nobody_is_rung_for_are_answered_at_once_and_audited(
    tmp_path: Path, bell: str
) -> None:
    more = {"BROKER": "none"} if bell == "there is no broker" else {}
    environ = variables(tmp_path / "data", **more)
    service = service_of(environ)
    logs = ndjson(COUNT).splitlines()
    lost = {} if more else {"REPLAY_BROKER": f"sqla+sqlite:///{tmp_path}/no/such/folder/broker.db"}
    with running(["worker"], environ), web({**environ, **lost}) as port:
        answers = upload_all(port, logs, AT_ONCE)
        took = until(lambda: idle(service), DONE)
    slowest = max(answer.seconds for answer in answers)
    print(f"{COUNT} uploads, the slowest answer {slowest:.3f} s, all done {took:.1f} s after the last")
    assert {answer.status for answer in answers} == {303}
    assert slowest <= ANSWERED
    none_is_orphaned(service, answers, logs)
    service.engine.dispose()


@pytest.mark.parametrize("broker", ["redis://127.0.0.1:1/0", "amqp://guest:guest@127.0.0.1:1//"])
def test_t3_a_broker_that_refuses_costs_an_upload_less_than_a_second(tmp_path: Path, broker: str) -> None:
    environ = variables(tmp_path / "data", BROKER=broker)
    service = service_of(environ)
    with web(environ) as port:
        answers = upload_all(port, ndjson(20).splitlines(), AT_ONCE)
    assert {answer.status for answer in answers} == {303}
    assert max(answer.seconds for answer in answers) <= ANSWERED
    assert len(rows(service, Upload)) == 20
    service.engine.dispose()
