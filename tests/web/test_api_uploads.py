"""The interface for programs: uploads, their audits, what is set aside, and what is refused."""

import gzip
from io import BytesIO

import pytest
from sqlalchemy import update

from replay.jobs.service import Service
from replay.limits import Limits
from replay.settings import Settings
from replay.store.database import writing
from replay.store.tables import Job, Upload
from replay.web import create_app
from tests.jobs.working import ndjson, rows, work

from .asking import NOBODY, Browser, sample
from .programs import V1, Program, program


@pytest.fixture
def asks(browser: Browser) -> Program:
    """A program of the one user."""
    return program(browser)


CLEAN = sample("chengdu/clean")


class TestTakingIn:
    def test_d5_the_same_bytes_are_one_upload(self, asks: Program) -> None:
        first = asks.ask("take_in", data=CLEAN, query={"name": "a.json"})
        second = asks.ask("take_in", data=CLEAN, query={"name": "b.json"})
        assert (first.status_code, second.status_code) == (201, 200)
        assert first.get_json() | {"fresh": False} == second.get_json()
        assert (
            first.headers["Location"]
            == second.headers["Location"]
            == f"{V1}/uploads/{first.get_json()['id']}"
        )
        assert len(rows(asks.service, Upload)) == 1

    def test_takes_every_type_that_it_says(self, asks: Program) -> None:
        for kind, data in {
            "application/json": CLEAN,
            "application/x-ndjson": ndjson(2),
            "application/gzip": gzip.compress(ndjson(3)),
            "application/octet-stream": b"anything",
        }.items():
            assert asks.ask("take_in", data=data, kind=kind).status_code == 201, kind

    def test_takes_the_file_of_a_form_from_pages_of_this_service(self, asks: Program) -> None:
        asks.headers = {"Sec-Fetch-Site": "same-origin"}
        sent = asks.client.post(
            f"{V1}/uploads", data={"file": (BytesIO(CLEAN), "x/y.json")}, headers=asks.headers
        )
        assert sent.status_code == 201
        assert asks.get("uploads")["items"][0]["name"] == "y.json"
        for files in (
            {},
            {"file": [(BytesIO(b"1"), "a"), (BytesIO(b"2"), "b")]},
            {"other": (BytesIO(b"1"), "a")},
        ):
            refused = asks.client.post(
                f"{V1}/uploads", data=files, headers=asks.headers, content_type="multipart/form-data"
            )
            assert (refused.status_code, refused.get_json()["code"]) == (422, "422.nothing")

    def test_names_the_rule_set_to_audit_by(self, asks: Program) -> None:
        taken = asks.take(CLEAN, rules="mil-sbr")
        assert asks.get("upload", upload_id=taken["id"])["audit"]["rules"] == "mil-sbr"

    @pytest.mark.parametrize("rules", ["casino", f"house:{NOBODY}", "house:x"])
    def test_refuses_a_rule_set_that_is_not_there(self, asks: Program, rules: str) -> None:
        refused = asks.ask("take_in", data=CLEAN, query={"rules": rules})
        assert (refused.status_code, refused.get_json()["code"]) == (422, "422.rules")
        assert rows(asks.service, Upload) == []

    def test_refuses_nothing_and_other_types(self, asks: Program) -> None:
        assert asks.ask("take_in", data=b"").get_json()["code"] == "422.nothing"
        assert asks.ask("take_in", data=b"x", kind="image/png").get_json()["code"] == "415.upload"

    @pytest.mark.parametrize("size", [1001, 300_000])
    def test_u8_a_body_over_the_limit_is_refused_and_leaves_nothing(
        self, service: Service, size: int
    ) -> None:
        service.limits = Limits(upload_bytes=1000)
        asks = Program(create_app(service).test_client(), service)
        assert asks.ask("take_in", data=b"x" * size).status_code == 413
        assert rows(service, Upload) == []

    def test_a_full_quota_is_413_and_a_rate_429(self, service: Service) -> None:
        service.settings = Settings(
            data=service.settings.data, broker="none", quota_bytes=3000, uploads_an_hour=1
        )
        asks = Program(create_app(service).test_client(), service)
        full = asks.ask("take_in", data=b"x" * 3001)
        assert (full.status_code, full.get_json()["code"]) == (413, "413.quota")
        assert "2.9 KiB" in full.get_json()["detail"]
        assert asks.ask("take_in", data=b"one").status_code == 201
        often = asks.ask("take_in", data=b"two")
        assert (often.status_code, often.get_json()["code"]) == (429, "429")
        assert int(often.headers["Retry-After"]) > 3000


class TestUploads:
    def test_are_listed_by_page(self, asks: Program) -> None:
        ids = [asks.get("take_in", data=b"%d" % number)["id"] for number in range(3)]
        page = asks.get("uploads", query={"size": 2})
        assert (page["total"], page["page"], page["size"]) == (3, 1, 2)
        assert page["next"] == f"{V1}/uploads?size=2&page=2"
        rest = asks.client.get(page["next"]).get_json()
        assert rest["next"] is None
        assert {one["id"] for one in page["items"] + rest["items"]} == set(ids)
        assert asks.get("uploads", query={"page": 9})["items"] == []

    def test_say_how_far_they_are_and_what_is_inside(self, asks: Program) -> None:
        taken = asks.get("take_in", data=ndjson(3, broken=1), kind="application/x-ndjson")
        waiting = asks.get("progress", upload_id=taken["id"])
        assert (waiting["state"], waiting["documents"], waiting["done"]) == ("waiting", None, 0)
        work(asks.service)
        done = asks.get("progress", upload_id=taken["id"], query={"lang": "zh-Hans"})
        assert (done["state"], done["done"], done["text"]) == ("done", 3, "已审核 3 / 3")
        inside = asks.get("documents", upload_id=taken["id"])
        assert [one["position"] for one in inside["items"]] == [0, 1, 2]
        broken = asks.get("documents", upload_id=taken["id"], query={"verdict": "unreplayable"})
        assert [one["position"] for one in broken["items"]] == [1]
        assert broken["total"] == 1

    def test_u7_what_is_not_there_is_404(self, asks: Program) -> None:
        other = asks.get("take_in", data=b"other")
        for name in ("upload", "progress", "documents", "aside"):
            assert asks.ask(name, upload_id=NOBODY).status_code == 404
        place = asks.take(CLEAN)["id"]
        for audit in (NOBODY, other["audit"]):
            assert asks.ask("documents", upload_id=place, query={"audit": audit}).status_code == 404


class TestAudits:
    def test_are_begun_anew_under_other_rules(self, asks: Program) -> None:
        taken = asks.take(CLEAN)
        begun = asks.ask("audit", upload_id=taken["id"], body={"rules": "chengdu", "options": {"cap_fan": 5}})
        assert begun.status_code == 202
        assert begun.get_json()["id"] != taken["audit"]
        work(asks.service)
        found = asks.get("upload", upload_id=taken["id"])
        assert [one["options"] for one in found["audits"]] == [{"cap_fan": 5}, {}]
        assert found["audits"][0]["supersedes"] == taken["audit"]
        again = asks.get("audit", upload_id=taken["id"], body={"rules": "chengdu", "options": {"cap_fan": 5}})
        assert again == begun.get_json()

    @pytest.mark.parametrize(
        ("options", "pointer"),
        [({"cap_fan": "five"}, "/options/cap_fan"), ({"luck": 1}, "/options/luck")],
    )
    def test_options_that_cannot_be_used_are_named(
        self, asks: Program, options: dict[str, object], pointer: str
    ) -> None:
        taken = asks.take(CLEAN)
        refused = asks.ask("audit", upload_id=taken["id"], body={"options": options})
        assert (refused.status_code, refused.get_json()["code"]) == (422, "422.options")
        assert [one["pointer"] for one in refused.get_json()["errors"]] == [pointer]

    def test_work_that_was_set_aside_is_tried_anew(self, asks: Program) -> None:
        taken = asks.get("take_in", data=CLEAN)
        with writing(asks.service.engine) as session:
            session.execute(update(Job).values(state="quarantined", problem="it broke"))
        (job,) = asks.get("aside", upload_id=taken["id"])["items"]
        assert (job["kind"], job["problem"]) == ("split", "it broke")
        assert asks.get("try_again", upload_id=taken["id"], body={"job": NOBODY})["jobs"] == []
        assert asks.get("try_again", upload_id=taken["id"], body={})["jobs"] == [job["id"]]
        work(asks.service)
        assert asks.get("progress", upload_id=taken["id"])["state"] == "done"
