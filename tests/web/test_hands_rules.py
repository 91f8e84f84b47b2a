"""The hand page under rule sets that have more than draws, claims and a void suit."""

import json
import re
from itertools import pairwise

import pytest

from replay.steps import Offer
from replay.wording import languages

from .asking import Browser, sample, text_of
from .test_hands import CLEAN, seats, sentence, walk

XUE_LIU, TING_YONG, ZI_MO = "xueliu/hu-again", "tingyong/wildcards-and-piao", "zimo/xiang-gong"
FLIGHT, QQ_FLIGHT = "base6/flight", "qq/flight"


def told(page: str) -> str:
    """The same without the names of the players."""
    return without_names(sentence(page))


def without_names(said: str) -> str:
    """What is said of seats alone; the players of the samples are called 甲 to 丁."""
    return re.sub(r" \([甲乙丙丁]\)", "", said)


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


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", [XUE_LIU, TING_YONG, ZI_MO, FLIGHT, QQ_FLIGHT])
def test_a_page_that_shows_more_than_a_draw_or_discard_is_there(
    browser: Browser, name: str, lang: str
) -> None:
    place, common = browser.report(sample(name)), {"draw", "discard", "pass"}
    for step, action in enumerate(walk(name).hand.actions, 1):
        if action.type not in common:
            page = browser.read(f"{place}/hands/0/steps/{step}?lang={lang}")
            assert "board." not in text_of(page)
