"""The hand page: every step by links, the table as it is there, and nothing that is not known."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest

from replay import load_profile
from replay.log import log_of
from replay.steps import HandSteps, Offer, steps
from replay.wording import languages, text

from .asking import Browser, links, sample, text_of

CLEAN, GUO_SHUI, FALSE_WIN = "chengdu/clean", "chengdu/guo-shui", "chengdu/false-win"
XUE_LIU, TING_YONG, ZI_MO = "xueliu/hu-again", "tingyong/wildcards-and-piao", "zimo/xiang-gong"
FLIGHT, QQ_FLIGHT = "base6/flight", "qq/flight"


def walk(name: str, hand: int = 0) -> HandSteps:
    """The same hand, walked without the pages."""
    log = log_of(json.loads(sample(name)))
    return steps(load_profile(log.rules.profile, log.rules.options), log, hand)


def nav(page: str) -> dict[str, str]:
    """The links of the page by name."""
    found = re.findall(r'<a data-nav="(\w+)" href="([^"]*)"', page)
    found += [(name, url) for url, name in re.findall(r'<a href="([^"]*)" data-nav="(\w+)"', page)]
    return {name: url.replace("&amp;", "&") for name, url in found}


def sentence(page: str) -> str:
    """What the step is."""
    found = page.partition('class="sentence">')[2].partition("</p>")[0]
    return text_of(f"<main>{found}</main>")


def told(page: str) -> str:
    """The same without the names of the players."""
    return without_names(sentence(page))


def without_names(said: str) -> str:
    """What is said of seats alone; the players of the samples are called 甲 to 丁."""
    return re.sub(r" \([甲乙丙丁]\)", "", said)


def seats(page: str) -> list[str]:
    """The four seats in the order of the page."""
    return re.findall(r'<section class="seat .*?</section>', page, re.S)


class TestSteps:
    def test_a_hand_begins_before_its_first_action(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        answer = browser.get(f"{place}/hands/0")
        assert (answer.status_code, answer.location) == (302, f"{place}/hands/0/steps/0")
        page = browser.read(answer.location)
        assert "The tiles are dealt." in sentence(page)
        assert {"first", "back", "previous_finding", "previous_hand"}.isdisjoint(nav(page))
        assert nav(page)["forward"] == f"{place}/hands/0/steps/1"

    def test_links_lead_through_the_whole_hand_and_back(self, browser: Browser) -> None:
        place, count = browser.report(sample(CLEAN)), walk(CLEAN).count
        url, seen = f"{place}/hands/0/steps/0", []
        while url:
            seen.append(url)
            url = nav(browser.read(url)).get("forward", "")
        assert seen == [f"{place}/hands/0/steps/{step}" for step in range(count + 1)]
        there = nav(browser.read(seen[-1]))
        assert there["back"] == seen[-2]
        assert there["first"] == seen[0]
        assert nav(browser.read(seen[0]))["last"] == seen[-1]

    def test_what_is_out_of_range_is_not_found(self, browser: Browser) -> None:
        place, last = browser.report(sample(CLEAN)), walk(CLEAN).last
        for path in (f"0/steps/{last + 1}", "2/steps/0", "2", "0/steps/-1", "x/steps/0", f"0/steps/{10**30}"):
            assert browser.get(f"{place}/hands/{path}").status_code == 404, path

    def test_of_the_next_hand_are_a_link_away(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        there = nav(browser.read(f"{place}/hands/0/steps/3?seat=2&hide=1"))
        assert there["next_hand"] == f"{place}/hands/1/steps/0?seat=2&hide=1"
        assert "next_hand" not in nav(browser.read(f"{place}/hands/1/steps/0"))

    def test_every_action_is_a_link_and_the_current_one_is_marked(self, browser: Browser) -> None:
        place, count = browser.report(sample(CLEAN)), walk(CLEAN).count
        page = browser.read(f"{place}/hands/0/steps/7")
        listed = page.partition('<ol class="acts">')[2].partition("</ol>")[0]
        assert links(listed) == [f"{place}/hands/0/steps/{step}" for step in range(1, count + 1)]
        assert re.findall(r'href="([^"]*)" data-step aria-current="step"', page) == [
            f"{place}/hands/0/steps/7"
        ]

    def test_a_report_without_hands_has_none(self, browser: Browser) -> None:
        place = browser.report(b'{"format": "xuezhan-log/1"}')
        assert browser.get(f"{place}/hands/0/steps/0").status_code == 404
        assert browser.get("/reports/00000000-0000-4000-8000-000000000000/hands/0/steps/0").status_code == 404


class TestFindings:
    def test_stand_at_their_step_and_are_a_link_away(self, browser: Browser) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        (step,) = hand.finding_steps
        start = browser.read(f"{place}/hands/0/steps/0")
        assert nav(start)["next_finding"] == f"{place}/hands/0/steps/{step}"
        page = browser.read(nav(start)["next_finding"])
        clause = hand.findings[0]["clause"]
        assert "ACT023" in page
        assert clause["text"] in text_of(page)
        assert "next_finding" not in nav(page)
        assert "Nothing was found at this step." in text_of(start)
        assert (
            "previous_finding" in nav(browser.read(f"{place}/hands/0/steps/{hand.last}")) or step == hand.last
        )

    def test_are_marked_in_the_list_by_sign_and_words(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        page = browser.read(f"{place}/hands/0/steps/0")
        listed = page.partition('<ol class="acts">')[2].partition("</ol>")[0]
        (marked,) = [row for row in listed.split("<li>") if "found-error" in row]
        assert text_of(f"<main>{marked}</main>").endswith("✗ against the rules")

    def test_none_are_said_calmly(self, browser: Browser) -> None:
        place, last = browser.report(sample(CLEAN)), walk(CLEAN).last
        page = text_of(browser.read(f"{place}/hands/0/steps/{last}"))
        assert "Nothing to object to in this hand." in page
        assert "The hand is over and settled." in page

    def test_that_stop_a_hand_say_that_the_table_is_not_known_beyond(self, browser: Browser) -> None:
        log = json.loads(sample(FALSE_WIN))
        log["hands"][0]["actions"] += [{"type": "draw", "seat": 0, "tile": "1m"}] * 3
        place, hand = browser.report(json.dumps(log).encode()), walk(FALSE_WIN)
        page = browser.read(f"{place}/hands/0/steps/{hand.last}")
        assert "the table is not known" in text_of(page)
        assert "ACT020" in page
        assert "forward" not in nav(page)
        assert "Not judged, and not shown on the table: 3" in text_of(page)
        assert browser.get(f"{place}/hands/0/steps/{hand.last + 1}").status_code == 404


class TestTheTable:
    def test_shows_what_the_engine_says(self, browser: Browser) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        frame = hand.frame(hand.finding_steps[0] - 1)
        page = browser.read(f"{place}/hands/0/steps/{frame.step}")
        assert f"Wall: {frame.left} left" in text_of(page)
        for shown, number in zip(seats(page), (1, 2, 3, 0), strict=True):
            seat = frame.seats[number]
            concealed = shown.partition('class="concealed"')[2].partition("</div>")[0]
            assert concealed.count('class="tile') == len(seat.hand) + bool(seat.drawn) + len(seat.wins)
            assert shown.partition('class="river"')[2].count('class="tile') == len(seat.discards)
            assert ("Guo shui until its next draw" in shown) == (seat.bar is not None)
            assert ("Ready, waits for" in shown) == bool(seat.waits)
        assert "(not: guo shui)" in page

    def test_is_seen_from_any_seat(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        page = browser.read(f"{place}/hands/0/steps/9?seat=2")
        assert re.findall(r'class="seat (seat-\w+)', page) == [
            "seat-right",
            "seat-top",
            "seat-left",
            "seat-bottom",
        ]
        assert "seat 2" in seats(page)[3]
        assert nav(page)["forward"] == f"{place}/hands/0/steps/10?seat=2"
        assert nav(page)["seat0"] == f"{place}/hands/0/steps/9"
        assert sentence(page) == sentence(browser.read(f"{place}/hands/0/steps/9?seat=nonsense"))

    def test_hides_the_other_hands_when_asked(self, browser: Browser) -> None:
        place, hand = browser.report(sample(CLEAN)), walk(CLEAN)
        draw = next(
            frame
            for frame in hand.frames()
            if frame.action and frame.action["type"] == "draw" and frame.action["seat"]
        )
        page = browser.read(f"{place}/hands/0/steps/{draw.step}?hide=1")
        assert "draws a tile." in sentence(page)
        *others, viewed = seats(page)
        for shown in others:
            hidden = shown.partition('class="concealed"')[2].partition("</div>")[0]
            assert hidden.count("tile-back") == hidden.count('class="tile')
            assert "May:" not in shown
        assert "tile-back" not in viewed
        assert "The wall is hidden." in text_of(page) or "does not hold the wall" in text_of(page)
        assert nav(page)["hide"] == f"{place}/hands/0/steps/{draw.step}"
        assert nav(page)["forward"] == f"{place}/hands/0/steps/{draw.step + 1}?hide=1"

    def test_keeps_a_ghost_of_a_claimed_discard_and_sets_the_winning_tile_apart(
        self, browser: Browser
    ) -> None:
        place, hand = browser.report(sample(CLEAN)), walk(CLEAN)
        last = hand.frame(hand.last)
        page = browser.read(f"{place}/hands/0/steps/{hand.last}")
        claimed = sum(bool(each.claims) for seat in last.seats for each in seat.discards)
        assert claimed
        assert len(re.findall(r'class="tile [^"]*\bghost\b', page)) == claimed
        assert page.count('class="apart won"') == sum(len(seat.wins) for seat in last.seats)
        assert "1st hu" in page


def seat_of(page: str, number: int, view: int = 0) -> str:
    """One seat of the page."""
    return seats(page)[(number - view - 1) % 4]


def labels(shown: str, group: str) -> list[str]:
    """How the tiles of a group of a seat are read out."""
    found = shown.partition(f'class="{group}"')[2].partition("</div>")[0]
    return re.findall(r'<span class="tile[^>]*aria-label="([^"]*)"', without_names(found))


def badges(shown: str) -> list[str]:
    """The badges of a seat."""
    return re.findall(r'<span class="badge[^"]*">([^<]*)</span>', shown)


class TestExchangeOfThree:
    """000 §3.8: each seat gives three tiles, which arrive when all four have given."""

    def test_shows_who_gives_what_and_that_it_arrives(self, browser: Browser) -> None:
        place = browser.report(sample(XUE_LIU))
        start, first, fourth, drawn = (browser.read(f"{place}/hands/0/steps/{step}") for step in (0, 1, 4, 5))
        assert "give three tiles" in seat_of(start, 1)
        assert "Seat 1 gives 356s for the exchange." in told(first)
        assert len(labels(seat_of(first, 1), "concealed")) == 10
        assert "Gave 356s<" in seat_of(first, 1)
        assert "give three tiles" not in seat_of(first, 1)
        assert "the tiles of each go to the seat before" in told(fourth)
        assert "Gave 356s; received 468p<" in seat_of(fourth, 1)
        assert len(labels(seat_of(fourth, 1), "concealed")) == 13
        assert "Gave" not in drawn

    def test_of_hidden_hands_stays_hidden(self, browser: Browser) -> None:
        place = browser.report(sample(XUE_LIU))
        first = browser.read(f"{place}/hands/0/steps/1?hide=1")
        assert "Seat 1 gives three tiles for the exchange." in told(first)
        assert "356s" not in first
        assert "Gave 356s<" in seat_of(browser.read(f"{place}/hands/0/steps/1?hide=1&seat=1"), 1, view=1)


class TestAWinnerThatPlaysOn:
    """000 §3: the winning tile is laid aside, the thirteen stay and may win again."""

    def test_has_its_hand_its_tiles_laid_aside_and_every_hu(self, browser: Browser) -> None:
        place, hand = browser.report(sample(XUE_LIU)), walk(XUE_LIU)
        frame = hand.frame(hand.last)
        assert [[win.order for win in seat.wins] for seat in frame.seats] == [[2, 5, 6], [4], [1], [3]]
        assert all(len(seat.hand) + 3 * len(seat.melds) == 13 for seat in frame.seats)
        page = browser.read(f"{place}/hands/0/steps/{hand.last}")
        winner = seat_of(page, 0)
        assert badges(winner)[:2] == ["dealer", "hu ×3"]
        assert "plays on" in badges(winner)
        assert labels(winner, "aside won") == [
            "winning tile 6 of characters; 6m at step 93, discarded by seat 3",
            "winning tile 6 of characters; 6m at step 124, discarded by seat 1",
            "winning tile 6 of characters; 6m at step 135, discarded by seat 1",
        ]
        said = re.findall(r'<p class="won">([^:]*)', winner)
        assert said == ["hu no. 6", "hu no. 5", "2nd hu"]
        assert "void:" not in page

    def test_discards_what_it_drew(self, browser: Browser) -> None:
        place, hand = browser.report(sample(XUE_LIU)), walk(XUE_LIU)
        before, after = next(
            (before, after)
            for before, after in pairwise(hand.frames())
            if after.action
            and after.action["type"] == "discard"
            and before.seats[after.action["seat"]].locked
        )
        assert after.action
        seat, tile = after.action["seat"], after.action["tile"]
        assert [offer for offer in before.seats[seat].offers if offer.what == "discard"] == [
            Offer("discard", tile)
        ]
        assert f"discard {tile}<" in seat_of(browser.read(f"{place}/hands/0/steps/{before.step}"), seat)
        page = browser.read(f"{place}/hands/0/steps/{after.step}")
        assert f"Seat {seat}, which has hu'd, discards {tile}, the tile just drawn." in told(page)


class TestWildcards:
    """001, special rule 1: the tile after the one turned up stands for any."""

    def test_stand_on_the_table_and_are_marked_in_hands_and_words(self, browser: Browser) -> None:
        place = browser.report(sample(TING_YONG))
        page = browser.read(f"{place}/hands/0/steps/0")
        middle = page.partition('class="wilds"')[2].partition("</p>")[0]
        assert "Turned up" in middle
        assert re.findall(r'aria-label="([^"]*)"', middle) == ["5 of bamboos", "6 of bamboos"]
        assert labels(seat_of(page, 2), "concealed")[8:10] == ["6 of bamboos, wildcard", "7 of bamboos"]
        assert len(re.findall(r'class="tile tile-s wild', seat_of(page, 2))) == 1

    def test_in_a_peng_are_told_from_its_real_tiles(self, browser: Browser) -> None:
        place = browser.report(sample(TING_YONG))
        page = browser.read(f"{place}/hands/0/steps/8")
        assert "Seat 2 pengs 7m from seat 1, with a wildcard." in told(page)
        melds = seat_of(page, 2).partition('class="melds"')[2].partition("</div>")[0]
        assert "wildcards among its tiles: 1" in melds
        assert len(re.findall(r'class="tile tile-s wild', melds)) == 1
        assert len(re.findall(r'class="tile tile-m', melds)) == 2

    def test_come_back_for_the_real_tile(self, browser: Browser) -> None:
        """Seat 2 pengs 7m with a wildcard at step 8; its next draw, at step 14, is made the third 7m."""
        log = json.loads(sample(TING_YONG))
        hand = log["hands"][0]
        drawn = next(
            at
            for at, one in enumerate(hand["actions"])
            if at > 8 and (one["type"], one["seat"]) == ("draw", 2)
        )
        hand["actions"][drawn]["tile"] = "7m"
        hand["actions"][drawn + 1 :] = [{"type": "replace", "seat": 2, "tile": "7m", "meld": "7m"}]
        place = browser.report(json.dumps(log).encode())
        before, page = (browser.read(f"{place}/hands/0/steps/{drawn + step}") for step in (1, 2))
        assert "put 7m in the place of a wildcard" in seat_of(before, 2)
        assert "wildcards among its tiles: 1" in seat_of(before, 2)
        assert "Seat 2 puts 7m in the place of a wildcard" in told(page)
        assert "wildcards among its tiles" not in seat_of(page, 2)
        assert "6 of bamboos, wildcard, just drawn" in labels(seat_of(page, 2), "concealed")

    def test_are_nowhere_where_there_are_none(self, browser: Browser) -> None:
        page = browser.read(f"{browser.report(sample(CLEAN))}/hands/0/steps/9")
        assert "wilds" not in page
        assert "void: " in page


class TestWhatASeatSays:
    def test_of_its_stake_stays_with_it(self, browser: Browser) -> None:
        place, last = browser.report(sample(TING_YONG)), walk(TING_YONG).last
        before, raised, end = (browser.read(f"{place}/hands/0/steps/{step}") for step in (0, 1, last))
        assert "raise its stake" in seat_of(before, 2)
        assert "Seat 2 raises its stake (piao)." in told(raised)
        assert [number for number in range(4) if "piao" in badges(seat_of(end, number))] == [2]

    def test_of_its_being_ready_stays_with_it(self, browser: Browser) -> None:
        log = json.loads(sample(ZI_MO))
        actions = log["hands"][0]["actions"]
        at = next(at for at, one in enumerate(actions) if one["type"] == "draw")
        seat = actions[at]["seat"]
        actions.insert(at + 1, {"type": "ting", "seat": seat})
        place = browser.report(json.dumps(log).encode())
        before, said = (browser.read(f"{place}/hands/0/steps/{step}") for step in (at + 1, at + 2))
        assert "say that it is ready" in seat_of(before, seat)
        assert f"Seat {seat} says that it is ready." in told(said)
        assert "said ready" in badges(seat_of(said, seat))
        assert "void:" not in said

    def test_that_its_rules_do_not_have_is_not_shown_as_done(self, browser: Browser) -> None:
        log = json.loads(sample(CLEAN))
        log["hands"][0]["actions"][0:0] = [{"type": kind, "seat": 0} for kind in ("piao", "ting", "flee")]
        place = browser.report(json.dumps(log).encode())
        for step, name in enumerate(("piao", "ready", "flight"), 1):
            page = browser.read(f"{place}/hands/0/steps/{step}")
            assert told(page) == f"Seat 0: {name}."
            assert {"piao", "fled", "said ready"}.isdisjoint(badges(seat_of(page, 0)))


@pytest.mark.parametrize("name", [FLIGHT, QQ_FLIGHT])
def test_a_flight_ends_the_hand(browser: Browser, name: str) -> None:
    place, hand = browser.report(sample(name)), walk(name)
    before, after = hand.frame(hand.last - 1), hand.frame(hand.last)
    assert after.action
    seat = after.action["seat"]
    assert "flee" in seat_of(browser.read(f"{place}/hands/0/steps/{before.step}"), seat)
    page = browser.read(f"{place}/hands/0/steps/{after.step}")
    assert "flees: the hand is over." in told(page)
    assert "fled" in badges(seat_of(page, seat))
    assert '<p class="phase">The hand is over</p>' in page


@pytest.mark.parametrize(("lang", "glyph", "name"), [("en", "东", "east wind"), ("zh-Hant", "東", "東風")])
def test_an_honour_has_a_face_and_a_name(browser: Browser, lang: str, glyph: str, name: str) -> None:
    place = browser.report(sample(ZI_MO))
    page = browser.read(f"{place}/hands/0/steps/0?lang={lang}")
    assert re.search(rf'aria-label="{name}"[^>]*><i lang="zh-Han[st]">{glyph}</i>', seat_of(page, 2))


class TestEveryPage:
    @pytest.mark.parametrize("lang", languages())
    @pytest.mark.parametrize("name", [XUE_LIU, TING_YONG, ZI_MO, FLIGHT, QQ_FLIGHT])
    def test_that_shows_more_than_a_draw_or_discard_is_there(
        self, browser: Browser, name: str, lang: str
    ) -> None:
        place, common = browser.report(sample(name)), {"draw", "discard", "pass"}
        for step, action in enumerate(walk(name).hand.actions, 1):
            if action.type not in common:
                page = browser.read(f"{place}/hands/0/steps/{step}?lang={lang}")
                assert "board." not in text_of(page)

    @pytest.mark.parametrize(
        "name", [CLEAN, GUO_SHUI, FALSE_WIN, "mil-sbr/salasasa-2611", "chengdu/liuju-hua-zhu-da-jiao"]
    )
    def test_of_a_sample_is_there(self, browser: Browser, name: str) -> None:
        place = browser.report(sample(name))
        for hand in range(2):
            url = f"{place}/hands/{hand}/steps/0"
            if browser.get(url).status_code == 404:
                continue
            here = nav(browser.read(url))
            for one in (here.get("last"), here.get("next_finding"), here.get("forward")):
                if one:
                    browser.read(one)

    @pytest.mark.parametrize("lang", languages())
    def test_reads_in_every_language(self, browser: Browser, lang: str) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        page = browser.read(f"{place}/hands/0/steps/{hand.finding_steps[0]}?lang={lang}")
        assert f'<html lang="{lang}">' in page
        assert text(lang, "board.findings") in page
        assert text(lang, "board.left", n=hand.frame(hand.finding_steps[0]).left) in page

    def test_has_no_script_or_style_of_its_own_and_nothing_of_others(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        page = browser.read(f"{place}/hands/0/steps/20")
        assert not re.search(r"<style|\bstyle=|<script(?![^>]* src=)|\son\w+=", page)
        assert not [url for url in links(page) if url.startswith(("http", "//"))]
        for name in ("hand.css", "hand.js"):
            assert browser.get(f"/static/{name}").status_code == 200

    def test_shows_names_as_text(self, browser: Browser) -> None:
        log: dict[str, Any] = json.loads(sample(CLEAN))
        for player in log["players"]:
            player["name"] = "<script>alert(1)</script>"
        page = browser.read(f"{browser.report(json.dumps(log).encode())}/hands/0/steps/5")
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page
