"""Searching reports: by who, where, when, which rules and what was found; only among what one may see."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay import audit
from replay.jobs.ingest import Wish, audit_again
from replay.jobs.service import Service
from replay.store.cases.opening import About, Looked, open_case
from replay.store.tables import Report, Upload
from replay.web import search
from tests.jobs.working import rows, work

from .asking import Browser, links, sample, text_of
from .signing import account_of, accounts_service, anonymous, signed_in


def game(name: str = "chengdu/clean", **changes: Any) -> bytes:
    """A sample with other values at its top; ``names`` are the players', ``room`` the room of a platform."""
    log = json.loads(sample(name))
    if "names" in changes:
        log["players"] = [{"id": f"id-{called}", "name": called} for called in changes.pop("names")]
    if "room" in changes:
        log["source"] = {"platform": "table", "room": changes.pop("room")}
    return json.dumps(log | changes).encode()


def found(browser: Browser, query: str = "") -> list[str]:
    """The ids of the logs that a search lists, in order."""
    page = browser.read(f"/search?{query}")
    return [text_of(f"<main>{one}</main>") for one in re.findall(r"<h3>(.*?)</h3>", page, re.S)]


FOUR = ("Li Ming", "ＷＡＮＧ", "50%", "a_b")


@pytest.fixture
def games(browser: Browser) -> Browser:
    """Three games: one of no room and no date, one of May 1st with a finding, one of June 1st."""
    browser.upload(game(id="bare"))
    browser.upload(
        game("chengdu/guo-shui", id="may", names=FOUR, room="Jade Ｈall", played_at="2024-05-01T23:30:00Z")
    )
    browser.upload(
        game(
            id="june",
            names=("Li Ping", "x", "y", "z"),
            room="jade gate",
            played_at="2024-06-01T00:10:00+08:00",
        )
    )
    return browser


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", ["june", "may", "bare"]),
        ("player=li", ["june", "may"]),
        ("player=LI%20MING", ["may"]),
        ("player=wang", ["may"]),
        ("player=min", ["may"]),
        ("player=id-50%25", ["may"]),
        ("player=id-50", []),
        ("player=%25", ["may"]),
        ("player=_", ["may"]),
        ("player=%E2%80%AE", []),
        ("room=jade", ["june", "may"]),
        ("room=JADE+HALL", ["may"]),
        ("code=ACT023", ["may"]),
        ("code=act023", ["may"]),
        ("code=ACT022", []),
        ("profile=chengdu&room=gate", ["june"]),
        ("profile=xueliu", []),
        ("from=2024-05-01", ["june", "may"]),
        ("from=2024-05-02", ["june"]),
        ("to=2024-05-01", ["may"]),
        ("to=2024-05-31", ["june", "may"]),
        ("from=2024-05-31&to=2024-05-31", ["june"]),
        ("from=2024-06-01", []),
        ("verdict=clean", ["june", "bare"]),
        ("verdict=findings", ["may"]),
        ("verdict=open", []),
        ("verdict=nonsense", ["june", "may", "bare"]),
        ("page=99", ["june", "may", "bare"]),
        ("player=%00", ["june", "may", "bare"]),
        ("player=%FF", []),
    ],
)
def test_each_field_narrows_it_down(games: Browser, query: str, ids: list[str]) -> None:
    assert found(games, query) == ids


def test_with_a_player_a_code_is_of_a_finding_at_that_seat(games: Browser) -> None:
    (finding,) = json.loads(audit(sample("chengdu/guo-shui")).to_json())["hands"][0]["findings"]
    named = [FOUR[finding["seat"]], FOUR[finding["seat"] - 1]]
    assert [found(games, f"code=ACT023&player=id-{one.replace('%', '%25')}") for one in named] == [
        ["may"],
        [],
    ]


def test_a_hit_leads_to_its_report_and_to_the_step_of_the_first_finding(games: Browser) -> None:
    page = games.read("/search?code=ACT023")
    (report,) = [url for url in links(page, "/reports/") if "findings" not in url]
    (first,) = [url for url in links(page, "/reports/") if "findings" in url]
    (finding,) = json.loads(audit(sample("chengdu/guo-shui")).to_json())["hands"][0]["findings"]
    answer = games.get(first)
    assert (answer.status_code, answer.location) == (303, f"{report}/hands/0/steps/{finding['action'] + 1}")
    assert games.get(answer.location).status_code == 200
    assert games.get(f"{report}/findings/1").status_code == 404


def test_a_finding_without_a_step_leads_to_its_report(browser: Browser) -> None:
    report = browser.report(b"[]", "broken.json")
    assert browser.get(f"{report}/findings/0").location == report


def test_a_hit_says_what_it_is(games: Browser) -> None:
    said = text_of(games.read("/search?room=hall"))
    for part in ("may", "Objections", "1 finding", "2024-05-01 23:30 UTC", "Jade Ｈall", "Li Ming", "50%"):
        assert part in said


@pytest.mark.parametrize("typed", ["2024-13-01", "2023-02-29", "yesterday", "20240101x", "<b>"])
def test_a_day_that_is_none_is_told_with_what_was_typed(games: Browser, typed: str) -> None:
    page = games.read(f"/search?player=li&from={typed}")
    said = text_of(page)
    assert f"“{typed}” is no day" in said
    assert 'aria-invalid="true"' in page
    assert 'value="li"' in page
    assert "reports found" not in said
    assert "<b>”" not in page


def test_days_in_the_wrong_order_are_told(games: Browser) -> None:
    assert "lies before the first" in text_of(games.read("/search?from=2024-06-01&to=2024-05-01"))
    assert "lies before" not in text_of(games.read("/search?from=2024-06-01&to=2024-06-01"))


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_there_is_can_be_asked_for(games: Browser, day: str) -> None:
    assert len(found(games, f"to={day}")) == (2 if day == "9999-12-31" else 0)
    assert len(found(games, f"from={day}")) == (0 if day == "9999-12-31" else 2)


def test_where_nothing_is_found_it_says_what_to_try(browser: Browser) -> None:
    assert "There is no report yet" in text_of(browser.read("/search"))
    browser.upload(game())
    said = text_of(browser.read("/search?player=nobody"))
    assert "No report is like that" in said
    assert "any part will do" in said


def test_a_superseded_report_is_found_when_asked_for(browser: Browser) -> None:
    browser.upload(game("chengdu/guo-shui"))
    (upload,) = rows(browser.service, Upload)
    audit_again(browser.service, upload.id, Wish("xueliu", None))
    assert len(found(browser)) == 1, "the later audit has no report yet"
    work(browser.service)
    assert (found(browser, "profile=chengdu"), len(found(browser))) == ([], 1)
    assert len(found(browser, "profile=chengdu&superseded=1")) == 1
    assert len(found(browser, "superseded=1")) == 2


def test_many_hits_are_cut_into_pages_and_counted_so_far_only(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [game(id=f"log-{number:02}").replace(b"\n", b"") for number in range(45)]
    browser.upload(b"\n".join(lines), "day.ndjson")
    assert "45 reports found" in text_of(browser.read("/search"))
    assert [len(found(browser, f"page={number}")) for number in (1, 2, 3)] == [20, 20, 5]
    assert len({one for number in (1, 2, 3) for one in found(browser, f"page={number}")}) == 45
    assert any(
        "page=2" in url and "verdict=clean" in url for url in links(browser.read("/search?verdict=clean"))
    )
    monkeypatch.setattr(search, "MOST", 30)
    assert "More than 30 reports" in text_of(browser.read("/search"))
    assert "page 1 of 2" in text_of(browser.read("/search"))


PAYLOAD = '"><img src=x onerror=alert(1)>'


def test_t19_names_of_a_log_are_text(browser: Browser) -> None:
    browser.upload(game(id=PAYLOAD, names=[PAYLOAD] * 4, room=PAYLOAD))
    page = browser.read("/search?player=img&room=img&code=%22%3E%3Cimg&profile=%3Cimg")
    assert "<img" not in page
    page = browser.read("/search?player=%3Cimg")
    assert len(re.findall("<h3>", page)) == 1
    assert "<img" not in page


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_it_speaks_each_language(games: Browser, lang: str) -> None:
    page = games.read(f"/search?from=x&lang={lang}")
    assert f'<html lang="{lang}">' in page
    assert 'type="text" name="from" value="x"' in page
    assert "search.problem" not in page


# Who may see what ------------------------------------------------------------------------------------


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Service]:
    """A service with accounts."""
    with accounts_service(tmp_path / "data") as made:
        yield made


def test_u7_it_finds_ones_own_those_of_ones_cases_and_for_staff_those_with_a_case(people: Service) -> None:
    nobody = anonymous(people)
    owner, party, other = (signed_in(nobody, name) for name in ("owner", "party", "other"))
    staff = [signed_in(nobody, role, role) for role in ("arbiter", "admin")]
    owner.upload(game(id="disputed"))
    owner.upload(game(id="private", hands=json.loads(game())["hands"][:1]))
    other.upload(game(id="others"))
    disputed = next(
        row
        for row in rows(people, Report)
        if json.loads(people.blobs.read(row.sha256))["log"]["id"] == "disputed"
    )
    assert [found(one) for one in (party, *staff)] == [[], [], []]
    open_case(
        people.engine,
        account_of(people, "owner"),
        About("behaviour", disputed.id, 0),
        Looked(disputed.sha256, "0" * 64, ""),
        {"text": "so it was"},
        {account_of(people, "party"): None},
    )
    assert sorted(found(owner)) == ["disputed", "private"]
    assert [found(one) for one in (party, other, *staff)] == [
        ["disputed"],
        ["others"],
        ["disputed"],
        ["disputed"],
    ]
    assert nobody.get("/search").status_code == 303


def test_u7_the_rule_sets_to_choose_from_are_those_of_what_one_may_see(people: Service) -> None:
    nobody = anonymous(people)
    one, other = signed_in(nobody, "one"), signed_in(nobody, "other")
    one.upload(game())
    assert '<option value="chengdu">' in one.read("/search")
    assert '<option value="chengdu">' not in other.read("/search")
