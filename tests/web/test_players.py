"""A player's page: what many logs come to, at which level, and what was found; only of what one may see."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay import audit, load_profile
from replay.jobs.ingest import Wish, audit_again
from replay.jobs.service import Service
from replay.store.tables import Upload
from replay.web.players import level
from tests.jobs.working import rows, work

from .asking import Browser, links, sample, text_of
from .signing import accounts_service, anonymous, signed_in

ME = "/players?platform=table&player=id-0"


def game(name: str = "chengdu/clean", platform: str | None = "table", **changes: Any) -> bytes:
    """A sample of a platform, whose players have ids and names by seat."""
    log = json.loads(sample(name))
    log["players"] = [{"id": f"id-{seat}", "name": f"Ann {seat}"} for seat in range(4)]
    if platform is not None:
        log["source"] = {"platform": platform}
    return json.dumps(log | changes).encode()


def cards(page: str, section: str) -> list[str]:
    """What each card of a section says."""
    within = page.partition(f'id="{section}"')[2].partition("</section>")[0]
    return [
        text_of(f"<main>{one}</main>")
        for one in re.findall(r'class="card">(.*?)</(?:article|li)>', within, re.S)
    ]


def total(data: bytes, seat: int = 0) -> int:
    """What a log comes to for a seat."""
    totals = json.loads(audit(data).to_json())["totals"]
    return int(totals[seat])


def test_sittings_under_one_rule_set_are_added_up(browser: Browser) -> None:
    games = [game(id="one"), game("chengdu/misclaimed-settlement", id="two")]
    for one in games:
        browser.upload(one)
    page = browser.read(ME)
    (result,) = cards(page, "results")
    assert f"Points in all {sum(map(total, games)):+d} Base 1 Sittings 2" in result
    assert len(cards(page, "sittings")) == 2
    assert "do not add" not in text_of(page)


def test_points_of_different_bases_are_kept_apart_and_that_is_said(browser: Browser) -> None:
    browser.upload(game())
    browser.upload(game(rules={"profile": "chengdu", "options": {"base": 5}}))
    page = browser.read(ME)
    assert ["Base 1 " in one for one in cards(page, "results")].count(True) == 1
    assert ["Base 5 " in one for one in cards(page, "results")].count(True) == 1
    assert "not added up" in text_of(page)


def test_wins_hands_and_objections_are_counted_at_the_players_seat(browser: Browser) -> None:
    data = game("chengdu/guo-shui")
    browser.upload(data)
    written = json.loads(audit(data).to_json())
    (finding,) = written["hands"][0]["findings"]
    for seat in range(4):
        page = browser.read(f"/players?platform=table&player=id-{seat}")
        wins = sum(win["seat"] == seat for hand in written["hands"] for win in hand["wins"])
        (result,) = cards(page, "results")
        assert f"Wins {wins} Objections at this seat {int(seat == finding['seat'])}" in result
        against = cards(page, "against")
        assert len(against) == int(seat == finding["seat"])
        if against:
            assert "ACT023" in against[0]
            (place,) = [url for url in links(page, "/reports/") if "/findings/" in url]
            assert browser.get(place).location.endswith(f"/hands/0/steps/{finding['action'] + 1}")
        else:
            assert "Nothing was found at this player's seat" in text_of(page)


def test_more_findings_than_are_named_are_a_search(browser: Browser) -> None:
    lines = [game("chengdu/guo-shui", id=f"log-{number}").replace(b"\n", b"") for number in range(10)]
    browser.upload(b"\n".join(lines), "day.ndjson")
    (finding,) = json.loads(audit(sample("chengdu/guo-shui")).to_json())["hands"][0]["findings"]
    page = browser.read(f"/players?platform=table&player=id-{finding['seat']}")
    assert "10 times" in cards(page, "against")[0]
    assert len([url for url in links(page, "/reports/") if "/findings/" in url]) == 8
    (rest,) = links(page, "/search?")
    assert "10 reports found" in text_of(browser.read(rest))


def test_the_same_log_twice_counts_once_and_of_several_audits_the_newest(browser: Browser) -> None:
    data = game()
    browser.upload(data)
    browser.upload(b"\n".join([data.replace(b"\n", b""), game(id="other").replace(b"\n", b"")]), "day.ndjson")
    page = browser.read(ME)
    assert len(cards(page, "sittings")) == 2
    assert "Sittings 2 " in cards(page, "results")[0]
    for upload in rows(browser.service, Upload):
        audit_again(browser.service, upload.id, Wish("xueliu", None))
    work(browser.service)
    (result,) = cards(browser.read(ME), "results")
    assert load_profile("xueliu").names["en"] in result


def test_a_sitting_without_a_settlement_adds_nothing(browser: Browser) -> None:
    log = json.loads(game())
    log["hands"][0]["actions"][5]["seat"] = (log["hands"][0]["actions"][5]["seat"] + 1) % 4
    log["id"] = "stopped"
    assert json.loads(audit(json.dumps(log).encode()).to_json())["totals"] is None
    browser.upload(json.dumps(log).encode())
    (result,) = cards(browser.read(ME), "results")
    assert "Points in all no settlement" in result
    assert "Sittings 1 (0 settled)" in result
    browser.upload(game())
    (result,) = cards(browser.read(ME), "results")
    assert f"Points in all {total(game()):+d}" in result
    assert "Sittings 2 (1 settled)" in result


# Who it is -------------------------------------------------------------------------------------------


def test_an_id_of_a_platform_is_one_player_whatever_the_name(browser: Browser) -> None:
    browser.upload(game(id="one"))
    renamed = json.loads(game(id="two"))
    renamed["players"][0]["name"] = "Bea"
    browser.upload(json.dumps(renamed).encode())
    browser.upload(game(platform="elsewhere", id="three"))
    page = browser.read(ME)
    assert len(cards(page, "sittings")) == 2
    assert "Also called:" in text_of(page)


def test_without_a_platform_a_name_is_all_there_is_and_that_is_said(browser: Browser) -> None:
    browser.upload(game(platform=None, id="one"))
    browser.upload(game(id="two"))
    page = browser.read("/players?name=ANN%200")
    assert "Whether they are one person nobody can say" in text_of(page)
    assert len(cards(page, "sittings")) == 1
    assert ME in links(page)


def test_the_page_of_a_report_leads_to_its_players(browser: Browser) -> None:
    page = browser.read(
        browser.report(game(players=[{"id": "a", "name": n} for n in ("Li & Co", "", "x", "y")]))
    )
    assert "/players?platform=table&player=a" in links(page)
    page = browser.read(
        browser.report(
            game(platform=None, players=[{"id": "a", "name": n} for n in ("Li & Co", "", "x", "y")])
        )
    )
    found = links(page, "/players")
    assert len(found) == 3, "one has no name"
    assert text_of(browser.read(found[0])).startswith("Search Li & Co")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?name=",
        "?name=%E2%80%AE",
        "?player=id-0",
        "?platform=table",
        "?platform=table&player=none",
        "?name=%00",
    ],
)
def test_who_is_in_no_report_has_no_page(browser: Browser, query: str) -> None:
    browser.upload(game())
    assert browser.get(f"/players{query}").status_code == 404


def test_t19_a_name_is_text(browser: Browser) -> None:
    payload = "<img src=x onerror=alert(1)>"
    browser.upload(game(platform=payload, id=payload, players=[{"id": payload, "name": payload}] * 4))
    page = browser.read(
        "/players?platform=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&player=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E"
    )
    assert "<img" not in page
    assert page.count("&lt;img") > 3


def test_u7_a_page_shows_what_one_may_see(tmp_path: Path) -> None:
    with accounts_service(tmp_path / "data") as service:
        nobody = anonymous(service)
        one, other = signed_in(nobody, "one"), signed_in(nobody, "other")
        one.upload(game())
        assert one.get(ME).status_code == 200
        assert other.get(ME).status_code == 404
        assert signed_in(nobody, "staff", "admin").get(ME).status_code == 404
        other.upload(game("chengdu/guo-shui"))
        assert len(cards(other.read(ME), "sittings")) == 1
        assert nobody.get(ME).status_code == 303


# Levels ----------------------------------------------------------------------------------------------

TABLE = [{"name": "first", "points": 100}, {"name": "second", "points": 200}]


@pytest.mark.parametrize(
    ("points", "name", "after", "more"),
    [
        (-5, "", "first", 105),
        (99, "", "first", 1),
        (100, "first", "second", 100),
        (199, "first", "second", 1),
        (200, "second", "", 0),
        (10**9, "second", "", 0),
    ],
)
def test_document_004_section_6_the_level_is_by_cumulative_points(
    points: int, name: str, after: str, more: int
) -> None:
    found = level("", points, TABLE)
    assert (found.name, found.next, found.more) == (name, after, more)


def test_rule_sets_with_the_same_levels_go_together(browser: Browser) -> None:
    games = [game("qq/coins"), game("qq-single/two-hu-end-the-hand"), game("chengdu/clean")]
    for one in games:
        browser.upload(one)
    page = browser.read(ME)
    (shown,) = cards(page, "levels")
    points = sum(map(total, games[:2]))
    table = load_profile("qq").levels or []
    ahead = next(one for one in table if one["points"] > points)
    assert f"{points:+d} points by" in shown
    assert f"{ahead['points'] - points} more points to {ahead['name']}" in shown
    assert all(load_profile(name).names["en"] in shown for name in ("qq", "qq-single"))
    assert len(cards(page, "results")) == 3


def test_without_levels_none_are_told_of(browser: Browser) -> None:
    browser.upload(game())
    assert 'id="levels"' not in browser.read(ME)


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant"])
def test_it_speaks_each_language(browser: Browser, lang: str) -> None:
    browser.upload(game("qq/coins"))
    page = browser.read(f"{ME}&lang={lang}")
    assert f'<html lang="{lang}">' in page
    assert not re.search(r"players\.|search\.\w+<", text_of(page))


@pytest.fixture
def anywhere(database: str, tmp_path: Path) -> Iterator[Service]:
    """A service with accounts on either database."""
    with accounts_service(tmp_path / "data", database) as made:
        yield made


def test_d6_both_databases_say_the_same(anywhere: Service) -> None:
    browser = signed_in(anonymous(anywhere), "one")
    for one in (game(id="a"), game("chengdu/guo-shui", played_at="2024-05-01T23:30:00Z"), game("qq/coins")):
        browser.upload(one)
    page = browser.read(ME)
    assert len(cards(page, "results")) == 2
    assert len(cards(page, "sittings")) == 3
    assert "2 reports found" in text_of(browser.read("/search?player=ann&profile=chengdu"))
    assert "1 report found" in text_of(browser.read("/search?code=ACT023&player=ann&from=2024-01-01"))
