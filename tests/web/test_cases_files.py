"""Files and parties of cases as an attacker sends them, by page and by interface; and what staff looked at."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import pytest
from flask import Flask, request
from werkzeug.test import TestResponse

from replay.jobs.service import Service
from replay.store.cases import saying, writing
from replay.store.cases.saying import FILE_BYTES
from replay.store.tables import Dispute, DisputeEntry, Evidence, Party, StaffView
from replay.store.visible import WHAT
from replay.web.api import OPERATIONS
from replay.web.loading import looked_at
from replay.wording import has_text, languages
from tests.conftest import empty_postgresql
from tests.jobs.working import rows

from .asking import Browser, links, sample, text_of
from .signing import account_id, accounts_service, anonymous, signed_in

V1 = "/api/v1"
WAYS = ("page", "interface")
QUOTA = 100_000


@dataclass
class Hall:
    """A service with accounts and a quota; Ann owns a report and has a case about it."""

    service: Service
    ann: Browser
    case: str
    report: str

    def further(self, name: str, role: str = "player") -> Browser:
        """A browser of somebody else."""
        return signed_in(self.ann, name, role)

    def bring(self, way: str, data: bytes, name: str = "a.bin") -> TestResponse:
        """The answer to a file of Ann's, from a client of its own."""
        file: dict[str, Any] = {"file": (BytesIO(data), name), "text": "x"}
        ann = self.further("Ann")
        if way == "page":
            return ann.post(f"{self.case}/evidence", **file)
        return ann.post(f"{V1}{self.case}/files", **file)

    def blobs(self) -> set[str]:
        """The digests of all files that are kept."""
        folder = self.service.blobs.folder
        return {path.parent.name + path.name for path in folder.glob("??/*")}


def about(report: str, **more: str) -> dict[str, str]:
    """A form that opens a case about a hand."""
    named = {"report": report.rpartition("/")[2], "hand": "0", "kind": "behaviour", "whose": "0", "text": "x"}
    return named | more


def hall_of(service: Service) -> Hall:
    ann = signed_in(anonymous(service), "Ann")
    report = ann.report(sample("chengdu/guo-shui"))
    return Hall(service, ann, str(ann.post("/cases", **about(report)).location), report)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """One without a quota."""
    with accounts_service(tmp_path / "data") as service:
        yield hall_of(service)


# Files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_u5_eight_files_at_once_stay_within_the_quota(tmp_path: Path, way: str) -> None:
    with accounts_service(tmp_path / "data", quota_bytes=QUOTA) as service:
        hall, together = hall_of(service), Barrier(8)
        before = hall.blobs()
        used = sum(len(service.blobs.read(one)) for one in before)
        assert used < QUOTA

        def send(number: int) -> int:
            together.wait()
            return hall.bring(way, bytes([number]) * 30_000).status_code

        with ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(send, range(8)))
        kept = rows(service, Evidence)
        assert 0 < len(kept) <= QUOTA // 30_000
        assert statuses.count(422) == 8 - len(kept)
        assert hall.blobs() - before == {row.sha256 for row in kept}


@pytest.mark.parametrize("way", WAYS)
def test_a_case_that_is_full_keeps_no_bytes(hall: Hall, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saying, "MOST_FILES", 1)
    assert hall.bring(way, b"first").status_code < 400
    before = hall.blobs()
    assert hall.bring(way, b"second").status_code == 422
    monkeypatch.setattr(saying, "MOST_FILES", 10)
    monkeypatch.setattr(writing, "MOST_ENTRIES", writing.KEPT_BACK + 2)
    assert hall.bring(way, b"third").status_code == 422
    hall.ann.post(f"{hall.case}/withdraw", text="x")
    monkeypatch.setattr(writing, "MOST_ENTRIES", 500)
    assert hall.ann.post(f"{hall.case}/withdraw", text="x").status_code == 303
    assert hall.bring(way, b"fourth").status_code == 409
    assert hall.blobs() == before


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_refused_after_it_was_kept_goes_unless_it_is_needed(
    hall: Hall, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hall.bring(way, b"needed").status_code < 400
    before = hall.blobs()
    monkeypatch.setattr("replay.web.cases.files.refuse_file", lambda *_: None)
    monkeypatch.setattr(saying, "MOST_FILES", 1)
    for data in (b"needed", b"not needed"):
        assert hall.bring(way, data).status_code == 422
    assert hall.blobs() == before
    assert len(rows(hall.service, Evidence)) == 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [300_000, 5_000_000, FILE_BYTES])
def test_a_file_of_any_bytes_up_to_the_limit_is_taken(hall: Hall, way: str, size: int) -> None:
    data = Random(size).randbytes(size)
    assert hall.bring(way, data).status_code < 400
    flat = b"x" * size
    assert hall.bring(way, flat).status_code < 400
    for url in links(hall.ann.read(hall.case), f"{hall.case}/evidence/"):
        assert hall.ann.get(url).data in (data, flat)


@pytest.mark.parametrize("way", WAYS)
def test_a_file_above_the_limit_is_refused_with_the_limit(hall: Hall, way: str) -> None:
    answer = hall.bring(way, Random(1).randbytes(FILE_BYTES + 1))
    assert answer.status_code == 422
    assert "10 MiB" in answer.text
    larger = hall.bring(way, Random(2).randbytes(FILE_BYTES + 2**18))
    assert larger.status_code == 413
    assert "files" not in str((larger.get_json(silent=True) or {}).get("code"))
    assert "So many files" not in larger.text
    assert rows(hall.service, Evidence) == []


@pytest.mark.parametrize("way", WAYS)
def test_d9_a_file_that_is_not_what_was_entered_is_not_given(hall: Hall, way: str) -> None:
    assert hall.bring("page", b"as it was").status_code == 303
    (row,) = rows(hall.service, Evidence)
    url = f"{hall.case}/evidence/{row.id}" if way == "page" else f"{V1}{hall.case}/files/{row.id}"
    path = hall.service.blobs.path(row.sha256)
    assert hall.ann.get(url).data == b"as it was"
    path.write_bytes(b"as it is!")
    for lang in languages():
        answer = hall.ann.get(f"{url}?lang={lang}" if way == "page" else url, **{"Accept-Language": lang})
        assert answer.status_code == 410
        assert b"as it is!" not in answer.data
    assert "not what was entered" in hall.ann.get(url, **{"Accept-Language": "en"}).text or way == "page"
    path.unlink()
    assert hall.ann.get(url).status_code == 410


# Names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_name_with_characters_that_no_name_has_is_nobody_s(tmp_path: Path, kind: str) -> None:
    if kind == "sqlite":
        with accounts_service(tmp_path / "data") as service:
            has_no_such_names(hall_of(service))
        return
    with empty_postgresql() as url, accounts_service(tmp_path / "data", url) as service:
        has_no_such_names(hall_of(service))


def has_no_such_names(hall: Hall) -> None:
    for name in ("B\0ob", "\x01", "Bo\x7fb", "Bob\u202e", "x\ud7ff\uffff"):
        answer = hall.ann.post(f"{hall.case}/party", name=name)
        assert answer.status_code == 422, ascii(name)
        opening = hall.ann.post("/cases", **about(hall.report, party0=name, whose="1"))
        assert opening.status_code == 422, ascii(name)
        sent = hall.ann.client.post(f"{V1}{hall.case}/parties", json={"name": name}, headers=hall.ann.headers)
        assert sent.status_code == 422, ascii(name)
    assert len(rows(hall.service, Party)) == 1


STAFF_SAID = {"en": "cannot be named", "zh-Hans": "不能指名裁判或管理员", "zh-Hant": "不能指名裁判或管理員"}


@pytest.mark.parametrize("role", ["arbiter", "admin"])
def test_nobody_names_staff_as_a_party(hall: Hall, role: str) -> None:
    hall.further("Judge", role)
    for lang, said in STAFF_SAID.items():
        later = hall.ann.post(f"{hall.case}/party?lang={lang}", name="judge")
        opening = about(hall.report, party1="Judge", kind="record", lack="missing")
        first = hall.ann.post(f"/cases?lang={lang}", **opening)
        for answer in (later, first):
            assert answer.status_code == 422
            assert said in text_of(answer.text)
            assert 'aria-invalid="true"' in answer.text
    asked = hall.ann.client.post(f"{V1}{hall.case}/parties", json={"name": "Judge"}, headers=hall.ann.headers)
    body: dict[str, Any] = {"report": hall.report.rpartition("/")[2], "hand": 0, "kind": "record"}
    body |= {"text": "x", "lack": "missing", "parties": [{"name": "JUDGE", "seat": 2}]}
    made = hall.ann.client.post(f"{V1}/cases", json=body, headers=hall.ann.headers)
    pointers = [(one.status_code, one.get_json()["errors"][0]["pointer"]) for one in (asked, made)]
    assert pointers == [(422, "/name"), (422, "/parties/0/name")]
    assert len(rows(hall.service, Dispute)) == 1
    assert [row.kind for row in rows(hall.service, DisputeEntry)] == ["opened"]
    assert {row.account for row in rows(hall.service, Party)} == {account_id(hall.service, "Ann")}


# Who looked ------------------------------------------------------------------------------------------


def test_u7_what_staff_looked_at_is_kept_apart_and_told_to_the_owner(hall: Hall) -> None:
    judge, report = hall.further("Judge", "arbiter"), hall.report
    judge.read(report)
    for name in ("report.json", "log.json", "print.html", "explain", "hands/0/steps/3", "hands/0/steps/4"):
        assert judge.get(f"{report}/{name}").status_code == 200, name
    assert judge.get(f"{V1}{report}/log").status_code == 200
    judge.read(hall.case)
    kept = sorted((row.what, row.hand) for row in rows(hall.service, StaffView))
    told = [("case", 0), ("data", None), ("explain", None), ("log", None), ("page", None), ("print", None)]
    assert kept == [*told, ("step", 0)]
    for lang in languages():
        page = text_of(hall.ann.read(f"{report}?lang={lang}"))
        assert re.search(r"shares\.looked", page) is None
    for what in ("the log as it was uploaded", "the report as data", "print", "the table step by step"):
        assert f"· {what}" in text_of(hall.ann.read(f"{report}?lang=en"))


def test_u7_whatever_can_be_looked_at_has_its_word(hall: Hall) -> None:
    app: Flask = hall.ann.client.application
    found = {}
    for rule in app.url_map.iter_rules():
        if {"report_id", "case_id"} & rule.arguments:
            with app.test_request_context("/"):
                request.url_rule = rule
                found[rule.endpoint] = looked_at()
    assert set(found.values()) == set(WHAT)
    its_page = {"reports.show", "search.finding", "api.report_about", "api.report_views"}
    its_page |= {name for name in found if name.partition(".")[0] == "shares" or "share" in name}
    assert {name for name, what in found.items() if what == "page"} <= its_page
    assert {f"api.{name}" for name in OPERATIONS if name.startswith("case_")} <= set(found)
    for lang in languages():
        assert [what for what in WHAT if not has_text(lang, f"shares.looked.what.{what}")] == []
