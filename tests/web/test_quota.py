"""Operations §5, per user: bytes kept and uploads within an hour; ASVS 5.1.1: published, and refused in words."""

import re
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import col

from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.settings import Settings
from replay.store.attempts import HOUR_MS, Rate
from replay.store.database import writing
from replay.store.tables import Audit, Upload
from replay.web import create_app
from replay.web.uploads.quota import A_FORM, MOST_FILES
from tests.jobs.working import rows

from .asking import Browser, sample, text_of

MINUTE = 60_000


def browser_with(service: Service, **settings: int) -> Browser:
    service.settings = service.settings.model_copy(update=settings)
    return Browser(create_app(service).test_client(), service)


def files(*names: str, size: int = 100) -> list[tuple[BytesIO, str]]:
    return [(BytesIO(name.encode().ljust(size)), name) for name in names]


def age(service: Service, minutes: int, **which: Any) -> None:
    """Let uploads have been taken in earlier."""
    with writing(service.engine) as session:
        earlier = col(Upload.created) - minutes * MINUTE
        session.execute(update(Upload).filter_by(**which).values(created=earlier))


def test_the_limits_are_those_of_the_table_and_are_published(browser: Browser) -> None:
    assert (Settings().quota_bytes, Settings().uploads_an_hour) == (5 * 1024**3, 20)
    said = text_of(browser.read("/"))
    assert "Uploads within an hour: at most 20." in said
    assert "Room for your uploads: 0 B of 5 GiB used." in said
    browser.send(b"x" * 2048)
    assert "2 KiB of 5 GiB used" in text_of(browser.read("/"))


def test_without_limits_none_is_published_and_none_holds(service: Service) -> None:
    browser = browser_with(service, quota_bytes=0, uploads_an_hour=0)
    said = text_of(browser.read("/"))
    assert "within an hour" not in said
    assert "Room for your uploads" not in said
    assert {browser.send(b"%d" % number).status_code for number in range(25)} == {303}


class TestTheRate:
    @pytest.fixture
    def browser(self, service: Service) -> Browser:
        return browser_with(service, uploads_an_hour=2)

    def test_beyond_it_nothing_is_taken_in_and_the_page_says_when_it_will_be(
        self, browser: Browser, service: Service
    ) -> None:
        assert [browser.send(b"%d" % number, f"{number}.json").status_code for number in range(2)] == [
            303
        ] * 2
        age(service, 50, name="0.json")
        answer = browser.post("/uploads", file=files("c", "d"), text="{}", profile="chengdu")
        assert answer.status_code == 429
        assert 9 * 60 < int(answer.headers["Retry-After"]) <= 10 * 60
        said = text_of(answer.text)
        assert "limit of uploads within an hour, which is 2. Nothing was taken in." in said
        assert re.search(r"possible again in 10 min, at \d\d:\d\d UTC", said)
        assert f"Up to {MOST_FILES} files can be sent at once and count as one upload" in said
        assert "REPLAY_UPLOADS_AN_HOUR" in said
        assert ">{}</textarea>" in answer.text
        assert '<option value="chengdu" selected>' in answer.text
        assert len(rows(service, Upload)) == 2
        age(service, 11, name="0.json")
        assert browser.send(b"2").status_code == 303

    def test_counts_a_form_of_several_files_once(self, browser: Browser, service: Service) -> None:
        names = [f"{number}.json" for number in range(MOST_FILES)]
        assert browser.post("/uploads", file=files(*names)).status_code == 303
        assert browser.send(b"one more").status_code == 303
        assert browser.send(b"too many").status_code == 429
        assert len(rows(service, Upload)) == MOST_FILES + 1

    def test_does_not_count_bytes_that_are_here_already(self, browser: Browser) -> None:
        for number in range(2):
            browser.send(b"%d" % number)
        assert browser.send(b"0", "again.json").status_code == 303
        assert browser.post("/uploads", file=[*files("new"), (BytesIO(b"1"), "old")]).status_code == 429
        assert browser.send(b"1").status_code == 303

    def test_does_not_count_samples(self, browser: Browser, service: Service) -> None:
        for name in ("clean", "guo-shui", "void-order"):
            assert browser.post("/uploads", sample=f"chengdu/{name}").status_code == 303
        for number in range(2):
            assert browser.send(b"%d" % number).status_code == 303
        assert browser.send(b"2").status_code == 429
        assert browser.send(sample("chengdu/false-win"), "mine.json").status_code == 303
        assert len(rows(service, Upload)) == 6

    def test_gains_nothing_by_one_request_id_for_many_forms(self, browser: Browser) -> None:
        browser.headers["X-Request-Id"] = "always-the-same"
        sent = [browser.send(b"%d" % number).status_code for number in range(2 * A_FORM + 1)]
        assert sent.index(429) == A_FORM + 1

    def test_of_another_user_does_not_count(self, browser: Browser, service: Service) -> None:
        for number in range(5):
            take(service, [b"%d" % number], "theirs.json", owner="somebody-else")
        assert browser.send(b"0").status_code == 303


class TestTheQuota:
    @pytest.fixture
    def browser(self, service: Service) -> Browser:
        return browser_with(service, quota_bytes=1000)

    def test_beyond_it_nothing_is_taken_in_and_the_page_says_why(
        self, browser: Browser, service: Service
    ) -> None:
        assert browser.post("/uploads", file=files("a", size=700)).status_code == 303
        answer = browser.post("/uploads", file=files("b", "c", size=200))
        assert answer.status_code == 413
        said = text_of(answer.text)
        assert "700 B of 1000 B are used, and this is 400 B more. Nothing was taken in." in said
        assert "REPLAY_QUOTA_BYTES" in said
        assert [row.name for row in rows(service, Upload)] == ["a"]
        assert len([path for path in service.blobs.folder.rglob("*") if path.is_file()]) == 1
        assert browser.post("/uploads", file=files("d", size=300)).status_code == 303
        assert browser.post("/uploads", file=files("e", size=1)).status_code == 413

    def test_counts_no_byte_twice_and_no_sample(self, browser: Browser) -> None:
        assert browser.post("/uploads", file=files("a", size=700)).status_code == 303
        assert (
            browser.post("/uploads", file=[*files("a", "b", size=700)[:1], *files("b", size=300)]).status_code
            == 303
        )
        assert browser.post("/uploads", file=files("a", size=700)).status_code == 303
        assert browser.post("/uploads", sample="chengdu/clean").status_code == 303
        assert "1000 B of 1000 B used" in text_of(browser.read("/"))


class TestAForm:
    def test_with_one_file_too_large_is_refused_whole(self, service: Service) -> None:
        service.limits = type(service.limits)(upload_bytes=1000)
        browser = browser_with(service)
        answer = browser.post("/uploads", file=[*files("small"), *files("large", size=1001)])
        assert (answer.status_code, rows(service, Upload)) == (413, [])

    def test_that_fails_midway_says_what_was_kept(
        self, browser: Browser, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep, kept = service.blobs.keep, list[int]()

        def full(*given: Any) -> tuple[str, int]:
            if len(kept) == 2:
                raise OSError(28, "No space left on device")
            kept.append(1)
            return keep(*given)

        monkeypatch.setattr(service.blobs, "keep", full)
        answer = browser.post("/uploads", file=files("a", "b", "c", "d"))
        assert answer.status_code == 507
        said = text_of(answer.text)
        assert "Kept: a, b. Not kept: c, d." in said
        assert "The disk is full" in said
        assert [row.name for row in rows(service, Upload)] == ["a", "b"]


def test_twenty_forms_at_once_do_not_pass_the_limit_together(service: Service) -> None:
    from concurrent.futures import ThreadPoolExecutor

    service.settings = service.settings.model_copy(update={"uploads_an_hour": 3})
    app = create_app(service)

    def send(number: int) -> int:
        return Browser(app.test_client(), service).send(b"%d" % number).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(20)))
    assert sorted(answers) == [303] * 3 + [429] * 17


def test_uploads_are_audited_again_only_so_often(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replay.web.uploads.taking.AGAIN", Rate("again", 3, HOUR_MS))
    browser = browser_with(service)
    place = browser.send(sample("chengdu/clean")).location
    audits = [browser.post(f"{place}/audits", **{"option.base": str(base)}) for base in range(2, 6)]
    assert [answer.status_code for answer in audits] == [303, 303, 303, 429]
    assert int(audits[-1].headers["Retry-After"]) > 3000
    assert "too often" in text_of(audits[-1].text)
    refused = browser.client.post(
        f"/api/v1{place}/audits", json={"options": {"base": 7}}, headers=browser.headers
    )
    assert (refused.status_code, len(rows(service, Audit))) == (429, 4)
    unlimited = browser_with(service, uploads_an_hour=0)
    assert unlimited.post(f"{place}/audits", **{"option.base": "9"}).status_code == 303
