"""Operations §5, U7-U9: what every response carries, what no request may do, what is not found."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from replay import load_profile
from replay.house import started
from replay.jobs.service import Service
from replay.settings import Settings
from replay.store.tables import Upload
from replay.web import create_app, security
from replay.web.viewer import Viewer
from tests.jobs.working import rows

from .asking import NOBODY, SAME_ORIGIN, Browser, links, sample


def every_page(browser: Browser) -> Iterator[str]:
    """One address of each route, with what it needs put in."""
    place = browser.upload(sample("chengdu/guo-shui"))
    report = links(browser.read(place), "/reports/")[0]
    ids = {"upload_id": place[9:], "report_id": report[9:], "hand": 0, "step": 3, "filename": "site.css"}
    ids |= {"code": "ACT023", "side": "bad", "rules_id": "chengdu", "size": 0}
    ids |= {"secret": "x" * 43, "position": 0} | dict.fromkeys(("case_id", "file_id", "account_id"), NOBODY)
    house = json.dumps(started(load_profile("chengdu"), "our-room"))
    ids |= {"house_id": browser.post("/rule-sets/documents", text=house).location.rpartition("/")[2]}
    for rule in browser.client.application.url_map.iter_rules():
        adapter = browser.client.application.url_map.bind("localhost")
        if "GET" in (rule.methods or ()):
            yield adapter.build(rule.endpoint, {name: ids.get(name, NOBODY) for name in rule.arguments})


def is_paper(answer: TestResponse) -> bool:
    """Whether an answer is a page for paper, whose policy allows one style of its own and less than any other page."""
    policy = answer.headers["Content-Security-Policy"]
    return policy.startswith("default-src 'none'; style-src 'sha256-") and "script" not in policy


class TestHeaders:
    def test_stand_on_every_page(self, browser: Browser) -> None:
        for url in [*every_page(browser), "/nowhere", f"/reports/{NOBODY}", "/api/nowhere"]:
            answer = browser.get(url)
            assert answer.status_code in (200, 302, 303, 404, 422), url
            expected = security.HEADERS | (security.UNTRACED if url.startswith(security.SHARED) else {})
            if is_paper(answer):
                expected = {name: one for name, one in expected.items() if name != "Content-Security-Policy"}
            assert {name: answer.headers[name] for name in expected} == expected, url
            assert len(answer.headers["X-Request-Id"]) >= 8

    def test_stand_on_every_failure(self, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: Any) -> None:
            raise RuntimeError("secret words")

        monkeypatch.setattr("replay.web.uploads.pages.recent", fail)
        for answer in (
            browser.get("/"),
            browser.client.post("/uploads"),
            browser.get("/", Host="evil.example"),
            browser.client.delete("/", headers=SAME_ORIGIN),
        ):
            assert answer.status_code >= 400
            assert {name: answer.headers[name] for name in security.HEADERS} == security.HEADERS
            assert "secret words" not in answer.text

    def test_allow_no_foreign_or_inline_thing(self) -> None:
        assert "unsafe" not in security.POLICY
        assert "http" not in security.POLICY
        assert security.POLICY.startswith("default-src 'none'")

    def test_no_page_holds_an_inline_script_or_style(self, browser: Browser) -> None:
        for url in every_page(browser):
            page = browser.get(url)
            if page.mimetype == "text/html":
                assert page.text.count("<style") == is_paper(page)
                assert " style=" not in page.text
                assert page.text.count("<script") == page.text.count('<script src="/static/')
                assert " onclick=" not in page.text
                assert [one for one in links(page.text) if "://" in one] == []

    def test_promise_tls_only_over_tls(self, browser: Browser) -> None:
        assert "Strict-Transport-Security" not in browser.get("/").headers
        answer = browser.client.get("/", base_url="https://localhost")
        assert answer.headers["Strict-Transport-Security"].startswith("max-age=")

    def test_pages_are_not_kept_but_files_are(self, browser: Browser) -> None:
        assert browser.get("/").headers["Cache-Control"] == "private, no-cache"
        assert "max-age=3600" in browser.get("/static/site.css").headers["Cache-Control"]


class TestForgedRequests:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"Sec-Fetch-Site": "same-origin"}, 303),
            ({"Sec-Fetch-Site": "none"}, 303),
            ({"Sec-Fetch-Site": "same-site"}, 403),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": ""}, 403),
            ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403),
            ({"Origin": "http://localhost"}, 303),
            ({"Origin": "https://localhost"}, 403),
            ({"Origin": "http://localhost:8000"}, 403),
            ({"Origin": "http://localhost.evil.example"}, 403),
            ({"Origin": "http://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({}, 403),
        ],
    )
    def test_only_our_own_pages_may_post(
        self, browser: Browser, headers: dict[str, str], status: int
    ) -> None:
        for data in ({"text": "{}"},):
            answer = browser.client.post("/uploads", data=data, headers=headers)
            assert answer.status_code == status
        assert len(rows(browser.service, Upload)) == (status == 303)

    def test_reading_asks_for_nothing(self, browser: Browser) -> None:
        assert browser.get("/", **{"Sec-Fetch-Site": "cross-site"}).status_code == 200

    def test_another_method_cannot_be_put_on(self, browser: Browser) -> None:
        answer = browser.get("/uploads?_method=POST", **{"X-HTTP-Method-Override": "POST"})
        assert answer.status_code == 405
        assert "POST" in answer.headers["Allow"]


class TestHosts:
    @pytest.mark.parametrize(
        ("host", "status"),
        [
            ("localhost", 200),
            ("localhost:8000", 200),
            ("LOCALHOST", 200),
            ("127.0.0.1:8000", 200),
            ("[::1]:8000", 200),
            ("[::1]", 200),
            ("evil.example", 400),
            ("localhost.evil.example", 400),
            ("127.0.0.1.evil.example:8000", 400),
            ("192.168.1.7", 400),
            ("local host", 400),
        ],
    )
    def test_only_our_own_names_are_answered(self, browser: Browser, host: str, status: int) -> None:
        assert browser.get("/", Host=host).status_code == status


class TestWhatIsNotThere:
    @pytest.mark.parametrize("one", [NOBODY, "1", "..", "%00", "a" * 500, "not-a-uuid", f"{NOBODY}x", "💥"])
    @pytest.mark.parametrize(
        "route",
        [
            "/uploads/{}",
            "/reports/{}",
            "/reports/{}/report.json",
            "/reports/{}/log.json",
            "/api/v1/uploads/{}",
        ],
    )
    def test_is_not_found_whatever_the_id(self, browser: Browser, route: str, one: str) -> None:
        assert browser.get(route.format(one)).status_code == 404

    def test_an_audit_of_another_upload_is_not_found(self, browser: Browser) -> None:
        place = browser.upload(sample("chengdu/clean"))
        assert browser.get(f"{place}?audit={NOBODY}").status_code == 404
        assert browser.get(f"{place}?audit=x").status_code == 404

    def test_another_owner_s_upload_is_not_found(
        self, browser: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        urls = [url for url in every_page(browser) if "/uploads/" in url or "/reports/" in url]
        monkeypatch.setattr("replay.web.viewer.LOCAL", Viewer("somebody-else", "", "local"))
        assert len(urls) >= 6
        assert [url for url in urls if browser.get(url).status_code != 404] == []
        assert "game.json" not in browser.read("/")

    def test_reports_are_not_to_be_found_through_the_files(self, browser: Browser) -> None:
        for name in ("../__init__.py", "%2e%2e/__init__.py", "..%2f..%2fsettings.py"):
            assert browser.get(f"/static/{name}").status_code == 404


class TestForms:
    @pytest.mark.parametrize("body", [b"text=" + b"x" * 65_536, b"a&" * 2_000_000], ids=["long", "many"])
    @pytest.mark.parametrize("url", ["/uploads", "/rule-sets/documents"])
    def test_that_are_one_line_are_short(self, browser: Browser, url: str, body: bytes) -> None:
        answer = browser.client.post(url, data=body, headers=SAME_ORIGIN, content_type=security.FIELDS)
        assert answer.status_code == 413

    def test_that_come_in_parts_may_hold_a_document(self, browser: Browser) -> None:
        assert browser.post("/uploads", text=" " * 100_000 + "{}").status_code == 303


class TestFailures:
    @pytest.mark.parametrize(
        ("error", "status"),
        [
            (OperationalError("", {}, sqlite3.OperationalError("database or disk is full")), 507),
            (OperationalError("", {}, sqlite3.OperationalError("database is locked")), 503),
            (OSError(28, "No space left on device"), 507),
            (OSError(13, "Permission denied"), 503),
            (OSError(22, "Invalid argument"), 500),
            (RuntimeError("a name"), 500),
        ],
    )
    def test_are_told_apart(
        self, browser: Browser, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
    ) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr("replay.web.uploads.taking.take", fail)
        answer = browser.send(sample("chengdu/clean"))
        assert answer.status_code == status
        assert "<main" in answer.text
        assert ("Retry-After" in answer.headers) == (status == 503)

    def test_a_full_disk_keeps_nothing_of_the_upload(
        self, browser: Browser, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("replay.store.blobs.os.fsync", full)
        assert browser.send(sample("chengdu/clean")).status_code == 507
        assert rows(service, Upload) == []
        assert [path for path in service.blobs.folder.rglob("*") if path.is_file()] == []
        monkeypatch.undo()
        assert browser.send(sample("chengdu/clean")).status_code == 303


class TestTheLog:
    def test_has_a_line_a_request(self, browser: Browser, lines: list[dict[str, Any]]) -> None:
        answer = browser.get("/nowhere?name=LiMing", **{"X-Request-Id": "abcdefgh-1"})
        (line,) = lines
        assert (line["event"], line["status"], line["request_id"]) == ("request", 404, "abcdefgh-1")
        assert answer.headers["X-Request-Id"] == "abcdefgh-1"

    @pytest.mark.parametrize(
        "given", ["short", "a" * 65, "new\tline-here", "{json-like}", "姓名姓名姓名姓名"]
    )
    def test_takes_no_strange_request_id(self, browser: Browser, given: str) -> None:
        answer = browser.client.get("/healthz", headers={"X-Request-Id": given.encode().decode("latin-1")})
        assert len(answer.headers["X-Request-Id"]) == 36

    def test_holds_no_name_and_no_body(
        self, browser: Browser, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        report = browser.report(sample("chengdu/guo-shui"), "Wang-Fang.json")
        browser.read(f"{report}?code=Wang-Fang")

        def fail(*_: Any) -> None:
            raise ValueError("Wang-Fang")

        monkeypatch.setattr("replay.web.uploads.pages.recent", fail)
        assert browser.get("/").status_code == 500
        assert {line["event"] for line in lines} == {"request", "failure", "job"}
        assert "Wang-Fang" not in json.dumps(lines)


class TestSecrets:
    def test_a_short_key_is_refused(self, service: Service) -> None:
        service.settings = service.settings.model_copy(update={"secret_key": "short"})
        with pytest.raises(ValueError, match="32"):
            create_app(service)

    def test_a_key_is_made_once_and_nobody_else_may_read_it(self, app: Flask, service: Service) -> None:
        kept = service.settings.data / "secret_key"
        assert kept.stat().st_mode & 0o777 == 0o600
        assert app.config["SECRET_KEY"] == kept.read_text() == create_app(service).config["SECRET_KEY"]
        assert len(app.config["SECRET_KEY"]) >= 32
        assert [path.name for path in kept.parent.glob("secret_key*")] == ["secret_key"]

    def test_a_given_key_is_taken(self, service: Service, tmp_path: Path) -> None:
        service.settings = Settings(data=tmp_path, secret_key="k" * 40)
        assert create_app(service).config["SECRET_KEY"] == "k" * 40
        assert not (tmp_path / "secret_key").exists()

    def test_cookies_are_ours_alone(self, app: Flask) -> None:
        assert app.config["SESSION_COOKIE_NAME"] == "__Host-replay"
        assert app.config["SESSION_COOKIE_SECURE"] is True
        assert app.config["SESSION_COOKIE_SAMESITE"] == "Lax"
        assert app.config["PERMANENT_SESSION_LIFETIME"].total_seconds() == 12 * 3600
        assert (app.debug, app.config["MAX_FORM_PARTS"], app.config["MAX_FORM_MEMORY_SIZE"]) == (
            False,
            20,
            65536,
        )
