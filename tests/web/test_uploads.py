"""Uploads: taken in, shown while they wait, and with what is inside when they are done."""

import gzip
import re
import zipfile
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import update

from replay.jobs.service import Service
from replay.limits import Limits
from replay.profile import profile_ids
from replay.store.database import writing
from replay.store.tables import Audit, Job, Report, Upload
from replay.web import create_app
from replay.web.uploads.quota import MOST_FILES
from replay.web.uploads.samples import samples
from tests.jobs.working import ndjson, rows, work

from .asking import CHENGDU, SAME_ORIGIN, Browser, links, sample, text_of


def zipped(**files: bytes) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"{name}.json", data)
    return made.getvalue()


class TestTheStartPage:
    def test_of_an_empty_service_invites_to_try_a_sample(self, browser: Browser) -> None:
        page = browser.read("/")
        assert "Nothing has been taken in yet" in page
        for name in samples():
            assert f'name="sample" value="{name}"' in page

    def test_takes_a_sample_in_with_one_click(self, browser: Browser) -> None:
        answer = browser.post("/uploads", sample="chengdu/guo-shui")
        assert answer.status_code == 303
        work(browser.service)
        assert "Objections" in text_of(browser.read(answer.location))

    def test_offers_every_rule_set_and_the_log_s_own(self, browser: Browser) -> None:
        page = browser.read("/")
        assert [one for one in ["", *profile_ids()] if f'<option value="{one}">' not in page] == []

    def test_lists_what_was_taken_in_with_its_state(self, browser: Browser) -> None:
        browser.send(sample("chengdu/clean"), "morning.json")
        assert "morning.json" in browser.read("/")
        assert "Being audited" in browser.read("/")
        work(browser.service)
        assert "Nothing to object to" in browser.read("/")

    @pytest.mark.parametrize(
        "sent", [{}, {"text": "  "}, {"sample": "../../etc/passwd"}, {"file": (BytesIO(), "")}]
    )
    def test_says_so_when_nothing_was_sent(self, browser: Browser, sent: dict[str, Any]) -> None:
        answer = browser.post("/uploads", **sent)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
        assert rows(browser.service, Upload) == []

    def test_takes_no_rule_set_that_is_not_known(self, browser: Browser) -> None:
        assert browser.send(sample("chengdu/clean"), profile="casino").status_code == 422
        assert rows(browser.service, Upload) == []

    def test_shows_older_uploads_on_further_pages(self, browser: Browser) -> None:
        for number in range(21):
            browser.service.settings = browser.service.settings.model_copy(update={"uploads_an_hour": 0})
            browser.send(b"%d" % number, f"{number}.json")
        first, second = browser.read("/"), browser.read("/?page=2")
        assert len(links(first, "/uploads/")) == 20
        assert "<bdi>0.json</bdi>" not in first
        assert re.findall(r"<bdi>(.*?)</bdi>", second) == ["0.json"]

    def test_keeps_what_was_pasted_when_the_rule_set_is_not_known(self, browser: Browser) -> None:
        answer = browser.post("/uploads", text='{"a": <b>}', profile="casino")
        assert answer.status_code == 422
        assert "{&#34;a&#34;: &lt;b&gt;}</textarea>" in answer.text
        assert links(answer.text, "?") == []


class TestAnUpload:
    def test_leads_to_its_page_which_waits_and_then_shows_the_verdict(self, browser: Browser) -> None:
        answer = browser.send(sample("chengdu/guo-shui"), "evening.json")
        assert answer.status_code == 303
        page = browser.read(answer.location)
        assert '<noscript><meta http-equiv="refresh"' in page
        assert "data-progress" in page
        work(browser.service)
        page = browser.read(answer.location)
        assert "http-equiv" not in page
        assert "data-progress" not in page
        assert "evening.json" in page
        assert "1 hand" in text_of(page)
        assert len(links(page, "/reports/")) == 1

    def test_shows_its_size_and_digest(self, browser: Browser) -> None:
        (row,) = (browser.upload(sample("chengdu/clean")), rows(browser.service, Upload))[1]
        page = browser.read(f"/uploads/{row.id}")
        assert row.sha256 in page
        assert "8.3 KiB" in page

    def test_of_pasted_text_is_one_like_any_other(self, browser: Browser) -> None:
        answer = browser.post("/uploads", text=sample("mil-sbr/salasasa-2611").decode())
        work(browser.service)
        assert "4 hands" in text_of(browser.read(answer.location))

    def test_of_several_files_leads_to_the_list_and_marks_them(self, browser: Browser) -> None:
        files = [
            (BytesIO(path.read_bytes()), path.name)
            for path in (CHENGDU / "clean.json", CHENGDU / "guo-shui.json")
        ]
        answer = browser.post("/uploads", file=files)
        assert (answer.status_code, len(rows(browser.service, Upload))) == (303, 2)
        assert browser.read(answer.location).count("fresh") == 2

    def test_of_a_broken_file_ends_in_a_report_that_says_why(self, browser: Browser) -> None:
        page = browser.read(browser.upload(b'{"format": ', "broken.json"))
        assert "Cannot be replayed" in page
        report = browser.read(links(page, "/reports/")[0])
        assert "LOG006" in report

    def test_of_a_zip_shows_each_log_by_itself(self, browser: Browser) -> None:
        data = zipped(good=sample("chengdu/clean"), bad=sample("chengdu/guo-shui"), broken=b"nothing")
        page = browser.read(browser.upload(data, "day.zip"))
        said = text_of(page)
        assert "What is inside: 3 logs" in said
        assert [f"day.zip/{name}.json" in said for name in ("good", "bad", "broken")] == [True] * 3
        assert len(links(page, "/reports/")) == 3

    def test_of_a_zip_can_be_narrowed_to_a_verdict(self, browser: Browser) -> None:
        data = zipped(good=sample("chengdu/clean"), bad=sample("chengdu/guo-shui"))
        place = browser.upload(data, "day.zip")
        said = text_of(browser.read(f"{place}?verdict=findings"))
        assert "day.zip/bad.json" in said
        assert "day.zip/good.json" not in said

    def test_of_gzip_is_unpacked(self, browser: Browser) -> None:
        assert "Objections" in browser.read(
            browser.upload(gzip.compress(sample("chengdu/guo-shui")), "a.json.gz")
        )

    def test_of_the_same_bytes_is_the_same_and_says_so(self, browser: Browser) -> None:
        first = browser.upload(sample("chengdu/clean"))
        again = browser.upload(sample("chengdu/clean"), "other.json")
        assert again.partition("?")[0] == first
        assert "were here already" in browser.read(again)
        assert (len(rows(browser.service, Upload)), len(rows(browser.service, Report))) == (1, 1)

    def test_of_many_logs_is_cut_into_pages(self, browser: Browser) -> None:
        place = browser.upload(ndjson(250, broken=7), "day.ndjson")
        page = browser.read(place)
        assert len(links(page, "/reports/")) == 200
        assert "?page=2" in links(page)
        second = browser.read(f"{place}?page=2")
        assert len(links(second, "/reports/")) == 50
        assert 'start="201"' in second
        assert len(links(browser.read(f"{place}?page=99"), "/reports/")) == 50
        assert len(links(browser.read(f"{place}?page=x"), "/reports/")) == 200

    def test_keeps_only_the_last_part_of_a_path(self, browser: Browser) -> None:
        browser.upload(sample("chengdu/clean"), "C:\\games\\../evil\u202e.json")
        assert [row.name for row in rows(browser.service, Upload)] == ["evil�.json"]

    def test_carries_the_request_s_id_into_its_jobs(self, browser: Browser) -> None:
        browser.headers["X-Request-Id"] = "from-the-outside-1"
        browser.upload(sample("chengdu/clean"))
        assert {row.request for row in rows(browser.service, Job)} == {"from-the-outside-1"}

    def test_that_holds_what_the_engine_did_not_survive_says_that_this_is_no_objection(
        self, browser: Browser
    ) -> None:
        place = browser.upload(sample("chengdu/clean"))
        assert "no objection to the log" not in browser.read(place)
        with writing(browser.service.engine) as session:
            session.execute(update(Report).values(verdict="quarantined"))
        page = browser.read(place)
        assert "Set aside" in text_of(page)
        assert "no objection to the log" in text_of(page)
        assert "tag-quarantined" not in page
        assert "Set aside" in text_of(browser.read("/"))


class TestWorkThatWasSetAside:
    """Operations R4: quarantined work is shown to the user, who may have it tried anew."""

    @pytest.fixture
    def place(self, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> str:
        def fail(*_: Any) -> None:
            raise RuntimeError("no luck")

        with monkeypatch.context() as patched:
            patched.setattr("replay.jobs.runner.run_audit", fail)
            return browser.upload(ndjson(250), "day.ndjson")

    def test_is_shown_with_its_problem_and_a_button(self, browser: Browser, place: str) -> None:
        page = browser.read(place)
        said = text_of(page)
        for job in rows(browser.service, Job, kind="audit"):
            assert f"Auditing {job.first + 1} to {job.stop} of what is inside" in said
        assert said.count("tries: 5") == said.count("no luck") == 2
        assert "no objection to the log" in said
        assert "http-equiv" not in page
        assert [row.state for row in rows(browser.service, Job, kind="audit")] == ["quarantined"] * 2

    def test_is_tried_again_and_rung(self, browser: Browser, place: str) -> None:
        rung: list[str] = []
        browser.service.ring = rung.append
        first, second = sorted(rows(browser.service, Job, kind="audit"), key=lambda row: row.first)
        answer = browser.post(f"{place}/retry", job=second.id)
        assert (answer.status_code, rung) == (303, [second.id])
        assert f"Auditing {second.first + 1} to 250" not in browser.read(answer.location)
        work(browser.service)
        assert f"Auditing 1 to {first.stop}" in browser.read(place)
        rung.clear()
        answer = browser.post(f"{place}/retry")
        assert rung == [first.id]
        assert "It is being tried again." in browser.read(answer.location)
        work(browser.service)
        page = browser.read(place)
        assert "It is being tried again." not in page
        assert len(links(page, "/reports/")) == 200
        assert len(rows(browser.service, Report)) == 250

    def test_of_another_upload_is_not_touched(self, browser: Browser, place: str) -> None:
        other = browser.upload(sample("chengdu/clean"))
        job = rows(browser.service, Job, kind="audit", state="quarantined")[0]
        assert browser.post(f"{other}/retry", job=job.id).status_code == 303
        assert rows(browser.service, Job, id=job.id)[0].state == "quarantined"
        assert browser.post("/uploads/00000000-0000-4000-8000-000000000000/retry").status_code == 404

    def test_is_not_tried_again_for_another_site_s_page(self, browser: Browser, place: str) -> None:
        browser.headers = {"Sec-Fetch-Site": "cross-site"}
        assert browser.post(f"{place}/retry").status_code == 403
        assert {row.state for row in rows(browser.service, Job, kind="audit")} == {"quarantined"}


class TestLimits:
    def test_a_body_over_the_limit_is_refused_and_leaves_nothing(self, service: Service) -> None:
        service.limits = Limits(upload_bytes=1000)
        browser = Browser(create_app(service).test_client(), service)
        for size in (1001, 200_000):
            answer = browser.send(b"x" * size)
            assert answer.status_code == 413
            assert "Too large" in answer.text
        assert rows(service, Upload) == []
        assert [path for path in service.blobs.folder.rglob("*") if path.is_file()] == []

    def test_pasted_text_has_the_limit_of_a_document(self, service: Service) -> None:
        service.limits = Limits(document_bytes=100_000)
        browser = Browser(create_app(service).test_client(), service)
        assert browser.post("/uploads", text=" " * 100_000 + "{}").status_code == 303
        assert browser.post("/uploads", text=" " * 200_000 + "{}").status_code == 413

    def test_a_form_of_too_many_parts_is_refused(self, browser: Browser) -> None:
        assert browser.post("/uploads", text=["{}"] * 30).status_code == 413

    def test_as_many_files_as_the_page_says_are_taken(self, browser: Browser) -> None:
        files = [(BytesIO(b"%d" % number), f"{number}.json") for number in range(MOST_FILES)]
        answer = browser.post("/uploads", file=files, text="", profile="", sample="")
        assert answer.status_code == 303
        assert len(rows(browser.service, Upload)) == MOST_FILES

    def test_what_is_no_form_is_refused(self, browser: Browser) -> None:
        answer = browser.client.post(
            "/uploads", data=b"{}", content_type="application/json", headers=SAME_ORIGIN
        )
        assert answer.status_code == 415
        assert "Not a form" in answer.text


class TestAuditingAgain:
    def test_supersedes_and_the_earlier_reports_stay_and_say_so(self, browser: Browser) -> None:
        place = browser.upload(sample("chengdu/clean"))
        (first,) = links(browser.read(place), "/reports/")
        other = next(one for one in profile_ids() if one != "chengdu")
        answer = browser.post(f"{place}/audits", profile=other)
        assert answer.status_code == 303
        work(browser.service)
        (second,) = links(browser.read(answer.location), "/reports/")
        assert second != first
        early, late = browser.read(first), browser.read(second)
        assert "superseded" in early
        assert second in links(early)
        assert first in links(late)
        assert "is superseded" not in late
        assert browser.get(f"{second}/report.json").json["rules"]["profile"] == other  # type: ignore[index]
        assert "superseded" in browser.read(
            f"{place}?audit={rows(browser.service, Report, id=first[9:])[0].audit_id}"
        )

    def test_under_the_same_rule_set_is_the_audit_there_is(self, browser: Browser) -> None:
        place = browser.upload(sample("chengdu/clean"))
        browser.post(f"{place}/audits", profile="")
        assert len(rows(browser.service, Audit)) == 1

    def test_takes_no_rule_set_that_is_not_known(self, browser: Browser) -> None:
        place = browser.upload(sample("chengdu/clean"))
        assert browser.post(f"{place}/audits", profile="casino").status_code == 422


class TestProgress:
    def test_is_told_as_data_and_in_words(self, browser: Browser) -> None:
        place = browser.send(sample("chengdu/clean")).location
        asked = browser.get(f"/api/v1{place}/progress").json
        assert asked == {
            "state": "waiting",
            "documents": None,
            "done": 0,
            "verdicts": {},
            "open_questions": 0,
            "text": "Looking at what is inside …",
        }
        work(browser.service)
        asked = browser.get(f"/api/v1{place}/progress?lang=zh-Hans").json
        assert asked is not None
        assert (asked["state"], asked["documents"], asked["done"]) == ("done", 1, 1)
        assert asked["text"] == "已审核 1 / 1"

    def test_is_where_the_page_asks(self, browser: Browser) -> None:
        place = browser.send(sample("chengdu/clean")).location
        (address,) = re.findall(r'data-progress="([^"]*)"', browser.read(place))
        assert address.partition("?")[0] == f"/api/v1{place}/progress"
        assert browser.get(unescape(address)).status_code == 200

    def test_of_an_upload_that_is_not_there_is_a_problem_as_data(self, browser: Browser) -> None:
        answer = browser.get("/api/v1/uploads/00000000-0000-4000-8000-000000000000/progress")
        assert (answer.status_code, answer.content_type) == (404, "application/problem+json")
        assert answer.json is not None
        assert (answer.json["status"], answer.json["code"]) == (404, "404")
        assert browser.get("/api/nothing").content_type == "application/problem+json"
