"""Operations R1-R8: an upload ends in its reports, once, whatever fails on the way."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from replay import audit
from replay.jobs import auditing
from replay.jobs.ingest import Taken, Wish, audit_again, take
from replay.jobs.queue import Fenced, claim, finish, free_own, put_back, retry, sweep
from replay.jobs.runner import run
from replay.jobs.service import Service
from replay.store.blobs import TooLarge
from replay.store.database import writing
from replay.store.tables import Audit, FindingRow, Job, Report, Upload

from .working import LOGS, expire, ndjson, reports, rows, work


def given(service: Service, data: bytes, name: str = "game.json", wish: Wish | None = None) -> Taken:
    return take(service, [data], name, wish)


class TestAnUpload:
    def test_ends_in_a_report_with_the_bytes_of_the_library(self, service: Service) -> None:
        taken = given(service, LOGS[0])
        assert taken.fresh
        assert work(service) == ["done", "done"]
        assert reports(service, taken.audit) == [audit(LOGS[0]).to_json()]

    def test_of_many_logs_is_audited_in_chunks_and_a_broken_line_touches_no_other(
        self, service: Service
    ) -> None:
        data = ndjson(250, broken=7)
        taken = given(service, data, "day.ndjson")
        work(service)
        found = rows(service, Report, audit_id=taken.audit)
        assert [row.position for row in found] == list(range(250))
        assert [row.position for row in found if row.verdict == "unreplayable"] == [7]
        assert len(rows(service, Job, audit_id=taken.audit)) >= 2
        lines = data.split(b"\n")
        assert reports(service, taken.audit)[:250:50] == [audit(line).to_json() for line in lines[:250:50]]

    def test_that_holds_nothing_ends_in_a_report_that_says_so(self, service: Service) -> None:
        taken = given(service, b"", "empty.ndjson")
        work(service)
        (row,) = rows(service, Report, audit_id=taken.audit)
        (finding,) = rows(service, FindingRow, report_id=row.id)
        assert (row.verdict, finding.code) == ("unreplayable", "LOG006")

    def test_of_the_same_bytes_is_the_same(self, service: Service) -> None:
        first = given(service, LOGS[0])
        again = given(service, LOGS[0], "another name.json")
        assert (again.upload, again.audit, again.fresh) == (first.upload, first.audit, False)
        assert len(rows(service, Upload)) == len(rows(service, Job)) == 1

    def test_beyond_the_limit_is_refused_and_leaves_nothing(self, service: Service) -> None:
        service.limits = type(service.limits)(upload_bytes=100)
        with pytest.raises(TooLarge):
            given(service, LOGS[0])
        assert rows(service, Upload) == []
        assert [path for path in service.blobs.folder.rglob("*") if path.is_file()] == []

    def test_audited_under_another_rule_set_names_the_audit_it_supersedes(self, service: Service) -> None:
        first = given(service, LOGS[0])
        work(service)
        later = audit_again(service, first.upload, Wish("chengdu", {"base": 2}))
        assert audit_again(service, first.upload, Wish("chengdu", {"base": 2})) == later
        work(service)
        (row,) = rows(service, Audit, id=later)
        assert row.supersedes == first.audit
        expected = audit(LOGS[0], profile="chengdu", options={"base": 2}).to_json()
        assert reports(service, later) == [expected]
        assert reports(service, first.audit) == [audit(LOGS[0]).to_json()]

    def test_with_options_that_no_rule_set_has_ends_in_a_finding_for_each(self, service: Service) -> None:
        taken = given(service, LOGS[0], wish=Wish("chengdu", {"base": "two", "colour": 1}))
        work(service)
        (row,) = rows(service, Report, audit_id=taken.audit)
        assert row.verdict == "unreplayable"
        found = orjson.loads(reports(service, taken.audit)[0])["findings"]
        assert [(one["code"], one["params"]["option"], one["pointer"]) for one in found] == [
            ("LOG004", "base", "/rules/options/base"),
            ("LOG004", "colour", "/rules/options/colour"),
        ]


class TestTheQueue:
    def test_a_job_is_claimed_once(self, service: Service) -> None:
        given(service, LOGS[0])
        (job,) = rows(service, Job)
        with ThreadPoolExecutor(8) as pool:
            claims = list(pool.map(lambda _: claim(service, job.id), range(20)))
        assert len([held for held in claims if held is not None]) == 1

    def test_a_lease_that_ran_out_passes_the_job_on_and_the_first_may_no_longer_finish(
        self, service: Service
    ) -> None:
        given(service, LOGS[0])
        (job,) = rows(service, Job)
        first = claim(service, job.id)
        assert claim(service, job.id) is None
        expire(service)
        second = claim(service, job.id)
        assert first is not None
        assert second is not None
        assert second.fence == first.fence + 1
        with pytest.raises(Fenced), writing(service.engine) as session:
            finish(session, first)
        with writing(service.engine) as session:
            finish(session, second)

    def test_a_lease_far_ahead_was_set_by_a_wrong_clock(self, service: Service) -> None:
        given(service, LOGS[0])
        (job,) = rows(service, Job)
        assert claim(service, job.id) is not None
        with writing(service.engine) as session:
            kept = session.get_one(Job, job.id)
            kept.lease_until += 3_600_000
        assert claim(service, job.id) is not None

    def test_a_worker_that_starts_again_frees_what_it_held(self, service: Service) -> None:
        given(service, LOGS[0])
        (job,) = rows(service, Job)
        assert claim(service, job.id) is not None
        assert free_own(service) == 1
        assert work(service) == ["done", "done"]

    def test_a_job_that_fails_each_time_is_quarantined_and_may_be_tried_anew(self, service: Service) -> None:
        given(service, LOGS[0])
        (job,) = rows(service, Job)
        became = []
        for _ in range(5):
            held = claim(service, job.id)
            assert held is not None
            became.append(put_back(service, held, "no luck"))
        assert became == ["queued"] * 4 + ["quarantined"]
        assert claim(service, job.id) is None
        assert retry(service, job.id)
        assert work(service) == ["done", "done"]

    def test_a_bell_that_cannot_be_rung_costs_time_only(self, service: Service) -> None:
        def broken(job_id: str) -> None:
            raise OSError("no broker")

        service.ring = broken
        taken = given(service, LOGS[0])
        assert work(service) == ["done", "done"]
        assert len(rows(service, Report, audit_id=taken.audit)) == 1


class TestPoison:
    """Operations R6, T7: one document that kills its worker is set aside, the others are audited."""

    def test_a_document_that_kills_the_worker_is_quarantined_alone(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data = ndjson(20)
        taken = given(service, data, "twenty.ndjson")

        def deadly(log: bytes, **wish: Any) -> Any:
            if b'"log-11"' in log:
                raise SystemExit("killed")
            return audit(log, **wish)

        monkeypatch.setattr(auditing, "audit", deadly)
        deaths = 0
        for _ in range(12):
            for job_id in sweep(service):
                try:
                    run(service, job_id)
                except SystemExit:
                    deaths += 1
                    expire(service)
        found = rows(service, Report, audit_id=taken.audit)
        assert len(found) == 20
        assert [row.position for row in found if row.verdict != "clean"] == [11]
        assert deaths <= 5
        assert [job.state for job in rows(service, Job)] == ["done", "done"]
