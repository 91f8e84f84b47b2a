"""Operations D9: anybody can see the verdict log, recompute it, and take a checkpoint away; it names nobody."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from replay.jobs.checkpointing import checkpoint_now, folder_of
from replay.jobs.service import Service
from replay.store.checkpoints import checkpoints_of, is_sound, read_checkpoint
from replay.store.verdicts import head_of
from replay.web import verdict_log
from tests.store.verdict_rows import a_case, add_entries, add_rows

from .asking import Browser, links, sample, text_of
from .signing import accounts_service, anonymous

LANGUAGES = ("en", "zh-Hans", "zh-Hant")


def exported(browser: Browser, url: str) -> list[dict[str, Any]]:
    """Every row, page after page as the links lead."""
    answer = browser.get(url)
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    rows = [json.loads(line) for line in answer.text.splitlines()]
    following = re.fullmatch('<(.*)>; rel="next"', answer.headers.get("Link", ""))
    return rows + (exported(browser, following[1]) if following else [])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_empty_log_says_so(browser: Browser, lang: str) -> None:
    page = browser.read(f"/verdict-log?lang={lang}")
    assert "0" * 64 in text_of(page)
    assert "/verdict-log" in links(page)
    assert exported(browser, "/verdict-log/rows") == []


def test_d9_promises_exactly_what_holds(browser: Browser) -> None:
    said = text_of(browser.read("/verdict-log"))
    for words in (
        "Tamper-evident to anyone holding an earlier checkpoint",
        "Not tamper-proof",
        "our own clock",
    ):
        assert words in said


def test_d9_shows_size_head_and_checkpoints_with_their_keys(browser: Browser, service: Service) -> None:
    add_rows(service.engine, 3)
    made = checkpoint_now(service)
    page = browser.read("/verdict-log")
    said = text_of(page)
    assert all(shown in said for shown in (made.head, made.key))
    (saved,) = links(page, "/verdict-log/checkpoints/")
    answer = browser.get(saved)
    assert answer.data == (folder_of(service) / "3.json").read_bytes()
    assert is_sound(read_checkpoint(answer.data))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="checkpoint-3.json"'


@pytest.mark.parametrize("size", ["4", "-1", "x", "9" * 30])
def test_a_checkpoint_that_was_not_made_is_not_found(browser: Browser, service: Service, size: str) -> None:
    add_rows(service.engine, 4)
    assert browser.get(f"/verdict-log/checkpoints/{size}.json").status_code == 404


def test_d9_anybody_can_recompute_it_from_the_export(
    browser: Browser, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_rows(service.engine, 12)
    monkeypatch.setattr(verdict_log, "ROWS_AT_ONCE", 5)
    rows = exported(browser, "/verdict-log/rows")
    prev = "0" * 64
    for number, row in enumerate(rows, 1):
        claimed = row.pop("hash")
        assert (row["seq"], row["prev"]) == (number, prev)
        prev = sha256(b"\0" + bytes.fromhex(prev) + rfc8785.dumps(row)).hexdigest()
        assert prev == claimed
    assert (len(rows), prev) == head_of(service.engine)
    assert [row["seq"] for row in exported(browser, "/verdict-log/rows?from=8")] == [8, 9, 10, 11, 12]
    assert links(browser.read("/verdict-log"), "/verdict-log/rows") == [
        "/verdict-log/rows?from=1",
        "/verdict-log/rows?from=11",
    ]


@pytest.mark.parametrize("first", ["0", "-5", "x", "", "1"])
def test_an_export_begins_at_the_first_row_unless_told(
    browser: Browser, service: Service, first: str
) -> None:
    add_rows(service.engine, 2)
    assert [row["seq"] for row in exported(browser, f"/verdict-log/rows?from={first}")] == [1, 2]


def test_an_export_from_beyond_the_end_is_empty(browser: Browser, service: Service) -> None:
    add_rows(service.engine, 2)
    assert exported(browser, f"/verdict-log/rows?from={'9' * 40}") == []


def test_rows_are_cut_into_pages_the_newest_first(
    browser: Browser, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdict_log, "ROWS_SHOWN", 5)
    add_rows(service.engine, 12)
    shown = [
        [
            int(one)
            for one in re.findall(r'<th scope="row">(\d+)</th>', browser.read(f"/verdict-log?page={page}"))
        ]
        for page in (1, 2, 3, 99)
    ]
    assert shown == [[12, 11, 10, 9, 8], [7, 6, 5, 4, 3], [2, 1], [2, 1]]


def test_d9_holds_no_text_of_a_case(browser: Browser, service: Service) -> None:
    add_entries(service.engine, a_case(service), 2)
    row, *_ = exported(browser, "/verdict-log/rows")
    assert row.keys() == {
        "seq",
        "prev",
        "kind",
        "subject",
        "actor",
        "at",
        "engine",
        "ruleset",
        "payload_sha256",
        "hash",
    }
    assert row["subject"] in browser.read("/verdict-log")


def test_d9_a_change_that_reaches_a_hundred_makes_a_checkpoint(browser: Browser, service: Service) -> None:
    add_rows(service.engine, 99)
    checkpoint_now(service)
    add_rows(service.engine, 1)
    browser.read("/")
    assert [one.size for one in checkpoints_of(service.engine, 9)] == [99]
    browser.send(sample("chengdu/clean"))
    assert [one.size for one in checkpoints_of(service.engine, 9)] == [100, 99]


def test_everybody_may_see_it(tmp_path: Path) -> None:
    with accounts_service(tmp_path / "data") as service:
        add_rows(service.engine, 1)
        checkpoint_now(service)
        nobody = anonymous(service)
        for url in ("/verdict-log", "/verdict-log/rows", "/verdict-log/checkpoints/1.json"):
            assert nobody.get(url).status_code == 200
