"""The table of a hand: its pictures, what a seat can see of it, and who would draw what is still to come."""

import gzip
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from flask import Flask
from jinja2 import Template

from replay import audit, load_profile, profile_ids
from replay.intake import take_in
from replay.log import Log
from replay.profile import values
from replay.resources import folder
from replay.steps import Claim, Discarded, Frame, HandSteps, MeldShown, Offer, SeatShown, WinShown, steps
from replay.text import page_of
from replay.text.page import Page
from replay.tiles import TILES
from replay.web.hands.board import Board
from replay.web.hands.seats import MeldView, SeatView
from replay.web.hands.unseen import draws, left_unseen, replaces, seen
from replay.web.hands.views import View
from replay.wording import languages, text
from replay.wording.words import Words
from tests.goldens import samples

from .asking import Browser, links, sample, text_of
from .test_hands import CLEAN, GUO_SHUI, seats, walk

SPRITE = folder("replay/web/static") / "tiles.svg"
HREF = re.compile(r'<use href="/static/tiles\.svg\?v=[^"#]+#(\w+)"')
SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Game:
    """The first hand of a sample: what its page is made from."""

    page: Page
    written: Mapping[str, Any]
    hand: HandSteps

    def board(self, frame: Frame, view: View) -> Board:
        """A step as it is looked at."""
        return Board(self.page, self.written, frame, view.below, view.hide, self.hand.rules.forced_last)


@cache
def game(profile: str) -> Game:
    """The first sample of a rule set."""
    data = next(path for path in samples() if path.parent.name == profile).read_bytes()
    log, report = take_in(data).log, audit(data).to_dict()
    assert isinstance(log, Log)
    hand = steps(load_profile(log.rules.profile, log.rules.options), log, 0)
    page = page_of(report, "en", msgspec.to_builtins(log), values(hand.rules))
    return Game(page, report["hands"][0], hand)


PLAYED = sorted({path.parent.name for path in samples()} & set(profile_ids()))
RULE_SETS = pytest.mark.parametrize("profile", PLAYED)


# Pictures --------------------------------------------------------------------------------------------


def symbols() -> list[str]:
    """The pictures of the sprite by name."""
    return [str(one.get("id")) for one in ElementTree.parse(SPRITE).getroot().findall(f"{SVG}symbol")]


class TestPictures:
    def test_there_is_one_of_every_tile_the_back_and_the_lock(self) -> None:
        assert sorted(symbols()) == sorted([tile[::-1] for tile in TILES] + ["back", "lock"])

    def test_are_shapes_alone_and_small(self) -> None:
        root = ElementTree.parse(SPRITE).getroot()
        shapes = {"svg", "symbol", "g", "path", "circle", "ellipse", "rect", "use"}
        assert {one.tag for one in root.iter()} == {f"{SVG}{name}" for name in shapes}
        names = [one.get("id") for one in root.iter() if one.get("id")]
        assert len(names) == len(set(names))
        inner = [(key, value) for one in root.iter() for key, value in one.attrib.items() if "href" in key]
        assert all(key == "href" and value[1:] in names for key, value in inner)
        assert not [
            key for one in root.iter() for key in one.attrib if key.startswith("on") or key == "style"
        ]
        assert len(gzip.compress(SPRITE.read_bytes())) < 60_000

    def test_of_a_page_are_all_in_the_file_it_names(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        page = browser.read(f"{place}/hands/0/steps/17?tab=wall")
        shown = HREF.findall(page)
        assert len(shown) == page.count("<use ") > 60
        assert set(shown) <= set(symbols())
        assert "lock" in shown
        address = re.search(r'<use href="([^"#]+)#', page)
        assert address
        answer = browser.get(address[1])
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
        assert answer.data == SPRITE.read_bytes()

    def test_stand_beside_words_and_a_rank(self, browser: Browser) -> None:
        page = browser.read(f"{browser.report(sample(CLEAN))}/hands/0/steps/0")
        tiles = re.findall(r'<span class="tile[^>]*role="img"[^>]*aria-label="[^"]+".*?</span>', page)
        assert len(tiles) == 4 * 13
        for tile in tiles:
            (picture,), (rank,) = HREF.findall(tile), re.findall(r"<b>(.)</b>", tile)
            assert picture == f"{tile.split('tile-')[1][0]}{rank}"

    @pytest.mark.parametrize("lang", languages())
    def test_are_credited(self, browser: Browser, lang: str) -> None:
        start = browser.read(f"/?lang={lang}")
        assert "/credits" in links(start)
        page = browser.read(f"/credits?lang={lang}")
        assert text(lang, "credits.licence") in page
        for named in ("FluffyStuff", "riichi-mahjong-tiles 0.1.0", "CC0 1.0"):
            assert named in text_of(page)
        assert set(HREF.findall(page)) == {tile[::-1] for tile in TILES}
        assert b"CC0 1.0" in SPRITE.read_bytes()[:300]

    def test_are_credited_to_those_who_are_not_signed_in(self, app: Flask) -> None:
        assert getattr(app.view_functions["credits.show"], "is_public", False)


# What is left ----------------------------------------------------------------------------------------


def a_seat(number: int, hand: tuple[str, ...] = (), **more: Any) -> SeatShown:
    """A seat that has nothing but what is said."""
    nothing: dict[str, Any] = dict.fromkeys(("drawn", "void", "bar"))
    nothing |= dict.fromkeys(("melds", "discards", "wins", "gave", "received", "waits", "offers"), ())
    nothing |= dict.fromkeys(("locked", "piao", "ting", "fled"), False)
    return SeatShown(**(nothing | {"number": number, "hand": hand, "score": 0} | more))


def a_frame(*shown: SeatShown, **more: Any) -> Frame:
    """A table with these seats, and nothing more than is said."""
    some = {seat.number: seat for seat in shown}
    table = tuple(some.get(number, a_seat(number)) for number in range(4))
    return msgspec.structs.replace(walk(CLEAN).frame(0), **({"seats": table, "wall": None} | more))


def a_win(tile: str, source: int | None, source_at: int | None, robbed: bool = False) -> WinShown:
    """A hu on a tile."""
    return WinShown(1, 40, tile, source, source_at, robbed, False, 1, 1, {})


class TestCopiesLeft:
    """Four of a kind, less those in the own hand and those that lie open; each lies in one place."""

    def test_are_less_those_of_the_own_hand_and_of_nobody_elses(self) -> None:
        frame = a_frame(a_seat(0, ("2m", "2m", "3m"), drawn="2m"), a_seat(1, ("2m", "3m")))
        assert [left_unseen(frame, 0, tile) for tile in ("2m", "3m", "4m")] == [1, 3, 4]
        assert [left_unseen(frame, 1, tile) for tile in ("2m", "3m", "4m")] == [3, 3, 4]

    def test_are_less_a_claimed_discard_once(self) -> None:
        laid = Discarded("5p", 10, False, (Claim(2, "peng", 11),))
        peng = MeldShown("peng", "5p", 11, 1, 10)
        frame = a_frame(a_seat(1, discards=(laid,)), a_seat(2, melds=(peng,)))
        assert left_unseen(frame, 0, "5p") == 1

    @pytest.mark.parametrize(("kind", "source"), [("an", None), ("zhi", 3), ("bu", 3)])
    def test_are_none_of_a_gang(self, kind: str, source: int | None) -> None:
        laid = (Discarded("7s", 4, True, (Claim(2, "gang", 5),)),) if source is not None else ()
        gang = MeldShown(kind, "7s", 5, source, 4 if laid else None)
        frame = a_frame(a_seat(2, melds=(gang,)), a_seat(3, discards=laid))
        assert left_unseen(frame, 0, "7s") == 0
        assert seen(frame, ())["7s"] == 4

    def test_are_less_a_winning_tile_once_however_many_took_it(self) -> None:
        laid = Discarded("9m", 20, False, (Claim(1, "hu", 21), Claim(2, "hu", 22)))
        claimed = [a_seat(number, wins=(a_win("9m", 3, 20),)) for number in (1, 2)]
        assert left_unseen(a_frame(*claimed, a_seat(3, discards=(laid,))), 0, "9m") == 3
        robbed = [a_seat(number, wins=(a_win("9m", 3, 20, robbed=True),)) for number in (1, 2)]
        assert left_unseen(a_frame(*robbed), 0, "9m") == 3
        own = a_seat(1, wins=(a_win("9m", None, None),))
        assert left_unseen(a_frame(own), 0, "9m") == 3

    def test_count_a_wildcard_in_a_peng_as_what_it_is(self) -> None:
        peng = MeldShown("peng", "7m", 8, 1, 7, wild=1)
        laid = Discarded("7m", 7, False, (Claim(2, "peng", 8),))
        frame = a_frame(a_seat(1, discards=(laid,)), a_seat(2, melds=(peng,)), wild="6s", indicator="5s")
        assert [left_unseen(frame, 0, tile) for tile in ("7m", "6s", "5s")] == [2, 3, 3]

    @RULE_SETS
    def test_add_up_with_what_the_others_hold_and_the_wall(self, profile: str) -> None:
        hand = game(profile).hand
        for frame in hand.frames():
            open_now = seen(frame, range(4))
            moving = sum(len(seat.gave) - len(seat.received) for seat in frame.seats)
            assert open_now.total() + frame.left + moving == hand.rules.tiles
            if frame.wall is not None and not moving:
                assert set((open_now + Counter(frame.wall)).values()) == {4}

    def test_are_said_of_each_wait_and_of_the_wall_to_those_who_see_all(self, browser: Browser) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        frame = hand.frame(17)
        seat, wall = frame.seats[1], frame.wall or ()
        said = [(tile, left_unseen(frame, 1, tile), wall.count(tile)) for tile in seat.waits]
        everything = seats(browser.read(f"{place}/hands/0/steps/17"))[0]
        hidden = seats(browser.read(f"{place}/hands/0/steps/17?seat=1&hide=1"))[3]
        assert len(said) == 2
        for tile, n, there in said:
            assert f"{tile} ×{n} (wall {there})" in everything
            assert re.search(rf"{tile} ×{n}\b", hidden)
        assert "(wall " not in hidden


# Who draws -------------------------------------------------------------------------------------------


def to_come(hand: HandSteps, frame: Frame) -> Iterator[Any]:
    """The draws that follow a step until somebody claims something or the play ends."""
    for action in hand.hand.actions[frame.step : hand.last]:
        if action.type in ("peng", "gang", "hu", "flee", "replace"):
            return
        if action.type == "draw":
            yield action


class TestWhoDraws:
    def test_is_the_next_in_play_round_to_the_right(self) -> None:
        out = a_seat(2, wins=(a_win("9m", None, None),))
        frame = a_frame(a_seat(1, offers=(Offer("discard"),)), out)
        assert list(islice(draws(frame), 5)) == [3, 0, 1, 3, 0]

    def test_is_first_who_may_draw_now(self) -> None:
        frame = a_frame(a_seat(2, offers=(Offer("draw"),)), a_seat(3, wins=(a_win("1m", 0, 4),), locked=True))
        assert list(islice(draws(frame), 5)) == [2, 3, 0, 1, 2]

    def test_is_nobody_once_the_hand_is_over(self) -> None:
        assert list(draws(a_frame(phase="over"))) == []

    def test_makes_up_for_a_gang_that_stands_or_is_not_robbed(self) -> None:
        adding = MeldShown("peng", "3s", 9, 1, 8, adding=True)
        ganger = a_seat(2, melds=(adding,), offers=(Offer("draw"),))
        assert replaces(a_frame(ganger, phase="added"))
        assert replaces(a_frame(ganger, phase="replacement"))
        assert not replaces(a_frame(a_seat(3, offers=(Offer("draw"),)), phase="added"))
        assert not replaces(a_frame(ganger, phase="claim"))

    @RULE_SETS
    def test_is_who_drew_where_nobody_claimed(self, profile: str) -> None:
        hand = game(profile).hand
        checked = 0
        for frame in hand.frames():
            if frame.beyond or hand.findings:
                continue
            drawn = list(to_come(hand, frame))
            checked += len(drawn)
            assert [one.seat for one in drawn] == list(islice(draws(frame), len(drawn)))
            if frame.wall and drawn:
                tail = replaces(frame) and hand.rules.replacement == "tail"
                assert drawn[0].tile == frame.wall[-1 if tail else 0]
        assert checked or hand.findings

    def test_stands_over_the_tiles_of_the_wall(self, browser: Browser) -> None:
        place, hand = browser.report(sample(CLEAN)), walk(CLEAN)
        frame = hand.frame(60)
        assert frame.wall
        page = browser.read(f"{place}/hands/0/steps/60?tab=wall")
        shown = page.partition('<table class="coming">')[2].partition("</table>")[0]
        assert re.findall(r'<th scope="col"><bdi>(.)</bdi>', shown) == ["丙", "丁", "甲", "乙"]
        assert HREF.findall(shown) == [tile[::-1] for tile in frame.wall]
        assert [row.count("<td>") for row in shown.split("<tr>")[2:]] == [4] * 8 + [1]

    def test_makes_up_for_a_gang_from_the_tail_where_the_rules_say_so(self) -> None:
        ganger = a_seat(2, offers=(Offer("draw"),))
        frame = a_frame(ganger, phase="replacement", wall=("1m", "2m", "3m", "4m", "5m", "9s"))
        for profile, first, rounds in (
            ("base6", ("seat 2", "9s"), [["1m", "2m", "3m", "4m"], ["5m"]]),
            ("chengdu", None, [["1m", "2m", "3m", "4m"], ["5m", "9s"]]),
        ):
            made = game(profile)
            nameless = replace(made.page, words=Words.of("en"))
            wall = replace(made, page=nameless).board(frame, View()).wall()
            assert (wall.first and (wall.first[0], wall.first[1].name)) == first
            assert [[tile.name for tile in row] for row in wall.rounds] == rounds
            assert wall.seats == [f"seat {number}" for number in ((3, 0, 1, 2) if first else (2, 3, 0, 1))]


# What a seat shows -----------------------------------------------------------------------------------


def shown_seat(seat: SeatShown, **more: Any) -> SeatView:
    """A seat as the page shows it."""
    board = game("chengdu").board(a_frame(seat, **more), View())
    return next(one for one in board.seats() if one.number == seat.number)


def turned(meld: MeldView) -> list[int]:
    """The places of the tiles that lie across."""
    return [at for at, tile in enumerate(meld.tiles) if "turned" in tile.marks]


class TestASeat:
    @pytest.mark.parametrize(("source", "place", "arrow"), [(0, 0, "↓"), (2, 2, "↑"), (3, 1, "←")])
    def test_turns_a_claimed_tile_towards_whom_it_came_from(
        self, source: int, place: int, arrow: str
    ) -> None:
        """Seat 1 has seat 0 on its left and seat 2 on its right; from seat 0 they sit below, above and at the left."""
        (meld,) = shown_seat(a_seat(1, melds=(MeldShown("peng", "5p", 11, source, 10),))).melds
        assert (turned(meld), meld.arrow) == ([place], arrow)

    def test_keeps_the_claimed_tile_among_wildcards(self) -> None:
        peng = MeldShown("peng", "7m", 8, 0, 7, wild=2)
        (meld,) = shown_seat(a_seat(1, melds=(peng,)), wild="6s").melds
        assert [(tile.name, tile.marks) for tile in meld.tiles] == [
            ("7m", ("turned",)),
            ("6s", ("wild",)),
            ("6s", ("wild",)),
        ]

    def test_that_drew_a_gang_points_at_nobody(self) -> None:
        (meld,) = shown_seat(a_seat(1, melds=(MeldShown("an", "5p", 11, None, None),))).melds
        assert (turned(meld), meld.arrow, [tile.name for tile in meld.tiles]) == (
            [],
            "",
            ["", "5p", "5p", ""],
        )

    def test_that_won_says_from_whom_and_at_which_step(self, browser: Browser) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        page = seats(browser.read(f"{place}/hands/0/steps/18"))[0]
        (win,) = hand.frame(18).seats[1].wins
        assert (win.source, win.source_at) == (0, 16)
        origin = page.partition('<span class="origin" aria-hidden="true">')[2].partition("</span></span>")[0]
        assert origin == "<span><b>↓</b> <bdi>甲</bdi></span><span>step 17"

    def test_that_is_barred_wears_a_lock_with_words(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        barred = seats(browser.read(f"{place}/hands/0/steps/17"))[0]
        worn = r'<span class="badge badge-bar" title="guo shui"><svg.*?#lock"/></svg><span class="whole">guo shui</span>'
        assert re.search(worn, barred)
        free = seats(browser.read(f"{place}/hands/0/steps/0"))[0]
        assert "badge-bar" not in free

    def test_says_at_its_points_what_made_them(self, browser: Browser) -> None:
        place, hand = browser.report(sample(CLEAN)), walk(CLEAN)
        frame = hand.frame(hand.last)
        page = seats(browser.read(f"{place}/hands/0/steps/{hand.last}"))
        kinds = set()
        for shown, number in zip(page, (1, 2, 3, 0), strict=True):
            titled = re.search(r'<a class="points"[^>]* title="Made so far: (.*?)"', shown)
            assert titled
            made = [one.rpartition(" ") for one in titled[1].split(", ")]
            kinds |= {kind for kind, _, _ in made}
            assert sum(int(points) for _, _, points in made) == (frame.final or ())[number]
        assert {"hu"} < kinds
        for shown in seats(browser.read(f"{place}/hands/0/steps/0")):
            assert 'title="Made so far: nothing"' in shown

    def test_that_pays_as_hua_zhu_is_called_so_at_the_end(self, browser: Browser) -> None:
        name = "chengdu/liuju-hua-zhu-da-jiao"
        place, hand = browser.report(sample(name)), walk(name)
        pigs = {one["from"] for one in hand.frame(hand.last).ledger if one["kind"] == "hua_zhu"}
        assert pigs
        last = browser.read(f"{place}/hands/0/steps/{hand.last}")
        before = browser.read(f"{place}/hands/0/steps/{hand.last - 1}")
        called = [
            number for shown, number in zip(seats(last), (1, 2, 3, 0), strict=True) if "badge-pig" in shown
        ]
        assert set(called) == pigs
        assert "badge-pig" not in before


# The middle ------------------------------------------------------------------------------------------


def middle(frame: Frame, profile: str = "chengdu") -> str:
    """What the middle of a table says of a step."""
    return game(profile).board(frame, View()).phase()


class TestTheMiddle:
    LAID = Discarded("9m", 20, False)
    ADDING = MeldShown("peng", "9m", 8, 1, 7, adding=True)

    @pytest.mark.parametrize("lang", languages())
    def test_says_no_discard_where_a_seat_won_on_what_it_drew(self, browser: Browser, lang: str) -> None:
        place = browser.report(sample("chengdu/misclaimed-settlement"))
        page = browser.read(f"{place}/hands/0/steps/39?lang={lang}")
        (said,) = re.findall(r'<p class="phase">([^<]*)</p>', page)
        assert unescape(said) == text(lang, "board.phase.self_drawn")

    @RULE_SETS
    def test_says_a_discard_exactly_while_one_lies(self, profile: str) -> None:
        lies = False
        for frame in game(profile).hand.frames():
            action = frame.action or {"type": ""}
            own_hu = action["type"] == "hu" and action.get("from") is None
            lies = action["type"] == "discard" or (lies and action["type"] in ("hu", "pass") and not own_hu)
            if frame.phase != "over" and not frame.beyond:
                assert (middle(frame, profile) == text("en", "board.phase.claim")) is lies

    def test_says_a_discard_again_once_one_was_laid_after_a_self_draw(self) -> None:
        won = a_seat(1, wins=(replace_at(a_win("9m", None, None), 19),))
        frame = a_frame(won, a_seat(2, discards=(self.LAID,)), phase="claim")
        assert middle(frame) == text("en", "board.phase.claim")

    def test_says_that_an_added_tile_may_be_robbed_until_it_was(self) -> None:
        adds = a_frame(a_seat(3, melds=(self.ADDING,)), phase="added")
        assert middle(adds) == text("en", "board.phase.added")
        robbed = a_frame(a_seat(1, wins=(a_win("9m", 3, 20, robbed=True),)), phase="added")
        assert middle(robbed) == text("en", "board.phase.robbed")

    def test_says_nothing_of_robbing_where_the_rules_have_none(self) -> None:
        adds = a_frame(a_seat(3, melds=(self.ADDING,)), phase="added")
        assert not game("zimo").hand.rules.rob_gang
        assert middle(adds, "zimo") == text("en", "board.phase.replacement")


def replace_at(win: WinShown, at: int) -> WinShown:
    """The same hu, at another action."""
    return msgspec.structs.replace(win, at=at)


# Hidden hands ----------------------------------------------------------------------------------------

TABLE = """{% from "board_table.html" import table, wall with context %}
{{ board.sentence() }}{{ board.chances() }}{{ table(board) }}{{ wall(board) }}"""


class Nowhere:
    """Addresses that do not matter."""

    def seat(self, step: int, seat: int) -> str:
        """Of another seat."""
        return f"#{step}-{seat}"


def drawn_table(app: Flask, template: Template, board: Board, view: View) -> str:
    """The table and the wall of a step as HTML."""
    shown: dict[str, Any] = {"board": board, "frame": board.frame, "view": view, "words": board.words}
    shown["to"] = Nowhere()
    app.update_template_context(shown)
    return template.render(shown)


def told(board: Board) -> tuple[Any, ...]:
    """What the table shows of a step."""
    return board.seats(), board.lying(), board.sentence(), board.chances()


UNKNOWN: dict[str, dict[str, Any]] = {
    "draw": {"tile": "9s"},
    "swap": {"tiles": ["9s"] * 3},
    "pass": {"declined": ["peng"]},
}
"""What nobody else knows of an action."""


def otherwise(frame: Frame, viewed: int) -> Frame:
    """The same step for somebody at this seat, with everything changed that they cannot know."""
    shown = tuple(seat if seat.number == viewed else changed(seat) for seat in frame.seats)
    action = frame.action
    if action and action["seat"] != viewed:
        action = {**action, **UNKNOWN.get(action["type"], {})}
    return msgspec.structs.replace(frame, seats=shown, action=action, wall=("9s",) if frame.wall else None)


def changed(seat: SeatShown) -> SeatShown:
    """A seat with other tiles, other waits and other chances."""
    return msgspec.structs.replace(
        seat,
        hand=("9s",) * len(seat.hand),
        drawn=seat.drawn and "9s",
        waits=() if seat.waits else ("9s",),
        bar=None,
        gave=("9s",) * len(seat.gave),
        received=("9s",) * len(seat.received),
        offers=(Offer("own_gang", "9s", "an"),),
    )


@RULE_SETS
def test_hidden_hands_leave_nothing_in_the_page(app: Flask, profile: str) -> None:
    """Each seat's table is the same whatever the others hold, and shows no tile that the seat has not seen."""
    made, template = game(profile), app.jinja_env.from_string(TABLE)
    with app.test_request_context("/?lang=en"):
        for frame in made.hand.frames():
            view = View(seat=frame.step % 4, hide=True)
            board, other = made.board(frame, view), made.board(otherwise(frame, view.below), view)
            assert told(board) == told(other), frame.step
            page = drawn_table(app, template, board, view)
            if frame.step % 10 == 0:
                assert page == drawn_table(app, template, other, view), frame.step
            known = {tile[::-1] for tile in seen(frame, (view.below,))} | {str(frame.wild)[::-1]}
            assert set(HREF.findall(page)) <= known | {"back", "lock"}, frame.step


@pytest.mark.parametrize("name", [CLEAN, GUO_SHUI])
def test_a_whole_page_shows_no_tile_of_a_hidden_hand(browser: Browser, name: str) -> None:
    place, hand = browser.report(sample(name)), walk(name)
    for step in range(0, hand.last + 1, 9):
        frame, viewed = hand.frame(step), step % 4
        page = browser.read(f"{place}/hands/0/steps/{step}?seat={viewed}&hide=1&tab=wall")
        known = {tile[::-1] for tile in seen(frame, (viewed,))} | {"back", "lock"}
        assert set(HREF.findall(page)) <= known, step
