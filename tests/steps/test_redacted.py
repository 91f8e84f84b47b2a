"""What one seat's view holds: nothing that the seat could not see, reckoned from the log alone (U7, sharing)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay import audit, load_profile, profile_ids
from replay.intake import take_in
from replay.log import Hand, Log, log_of
from replay.steps import (
    Frame,
    HandSteps,
    SeenSteps,
    course_of,
    course_seen,
    log_seen,
    redacted,
    report_seen,
    steps,
)
from replay.steps.redacted import UNSEEN, holds_tiles
from replay.tiles import INDEX
from tests.goldens import samples
from tests.play.generator import Document
from tests.play.strategies import examples, sittings
from tests.steps.test_steps import tiles_shown

PASSED_ON = {"next": 1, "previous": 3, "opposite": 2}


def in_twos(string: str) -> list[str]:
    """A tile string as tiles."""
    return [string[at : at + 2] for at in range(0, len(string), 2)]


def turned_up(hand: Hand) -> str:
    """The tile turned up for 听用: the one that the log names, else the last of its wall."""
    return hand.indicator or in_twos(str(hand.wall))[-1]


class Watcher:
    """What a seat sees of a hand, counted from the deal and the actions and from nothing that the engine says."""

    def __init__(self, hand: Hand, seat: int, wild: str | None) -> None:
        self.hand, self.seat, self.wild = hand, seat, wild
        self.tiles = Counter(in_twos(hand.deal[seat]))
        self.tiles.update([turned_up(hand)] if wild else [])
        self.given: dict[int, list[str]] = {}

    def watch(self, action: Any) -> None:
        """See one more action."""
        kind, own = action.type, action.seat == self.seat
        if kind == "swap":
            self.given[action.seat] = in_twos("".join(action.tiles))
            if len(self.given) == 4 and self.hand.swap is not None:
                self.tiles.update(self.given[(self.seat - PASSED_ON[self.hand.swap.direction]) % 4])
        if kind == "draw" and own:
            self.tiles[action.tile] += 1
        if not own:
            self.tiles.update(self.laid_open(action))

    def laid_open(self, action: Any) -> Iterator[str]:
        """The tiles that another seat lays before everyone's eyes."""
        if action.type in ("discard", "replace"):
            yield action.tile
        elif action.type == "peng":
            wild = action.wild or 0
            yield from [action.tile] * (2 - wild) + [str(self.wild)] * wild
        elif action.type == "gang" and action.kind != "an":
            yield from [action.tile] * (3 if action.kind == "zhi" else 1)


def watched(hand: Hand, frames: Sequence[Frame], seat: int) -> Iterator[tuple[Frame, Counter[str]]]:
    """Every step of a hand with what the seat has seen by then."""
    watcher = Watcher(hand, seat, frames[0].wild)
    for frame in frames:
        if frame.step:
            watcher.watch(hand.actions[frame.step - 1])
        yield frame, watcher.tiles


def tiles_in(fact: Any) -> Iterator[str]:
    """Every tile that stands anywhere in a fact; the words of clauses are the same for everyone."""
    if isinstance(fact, Mapping):
        yield from (
            tile for key, one in fact.items() if key not in ("clause", "pointer") for tile in tiles_in(one)
        )
    elif isinstance(fact, list | tuple):
        yield from (tile for one in fact for tile in tiles_in(one))
    elif isinstance(fact, str) and fact and len(fact) % 2 == 0:
        tiles = in_twos(fact)
        yield from tiles if all(tile in INDEX for tile in tiles) else ()


def follows(frame: Frame, seat: int) -> set[str]:
    """The kinds that a seat knows of without seeing one: what its own hand waits for, and what its wildcards are."""
    own = frame.seats[seat]
    best = [tiles_in(entry["because"].get("ready", [])) for entry in frame.ledger if entry["to"] == seat]
    return {*own.waits, *(tile for each in best for tile in each), *([frame.wild] if frame.wild else [])}


def sees_no_more(walk: HandSteps) -> None:
    """At every step each seat is shown what it could see, and all of the others is there but their tiles."""
    frames = list(walk.frames())
    for seat in range(4):
        for frame, known in watched(walk.hand, frames, seat):
            seen = redacted(frame, seat)
            shown = tiles_shown(seen)
            del shown[UNSEEN]
            assert not shown - known, (seat, frame.step)
            stood_in = {tile for win in seen.seats[seat].wins for tile in tiles_in(win.facts)}
            kinds = {*known, *follows(frame, seat), *stood_in}
            assert {*tiles_in(seen.to_dict())} <= kinds | {*tiles_in(own_reasons(seen, seat))}, (
                seat,
                frame.step,
            )
            for before, after in zip(frame.seats, seen.seats, strict=True):
                if before.number == seat:
                    assert before == after
                    continue
                assert (len(after.hand), after.drawn is None) == (len(before.hand), before.drawn is None)
                assert (after.waits, after.offers, after.bar, {*after.hand} - {UNSEEN}) == (
                    (),
                    (),
                    None,
                    set(),
                )
                assert (after.score, after.discards, after.void) == (
                    before.score,
                    before.discards,
                    before.void,
                )


def own_reasons(frame: Frame, seat: int) -> list[Any]:
    """The best hand that a seat itself would have had: it is made of its tiles and of one that it waits for."""
    return [entry["because"].get("best") for entry in frame.ledger if entry["to"] == seat]


def walks_of(document: bytes) -> Iterator[HandSteps]:
    """The hands of a log, with what its report finds."""
    log, report = take_in(document).log, audit(document).to_dict()
    assert log is not None
    rules = load_profile(report["rules"]["profile"], report["rules"]["options"])
    for number, hand in enumerate(report["hands"]):
        yield steps(rules, log, number, hand["findings"])


@pytest.mark.parametrize("path", samples(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_u7_no_seat_is_shown_a_tile_that_it_could_not_see(path: Path) -> None:
    for walk in walks_of(path.read_bytes()):
        sees_no_more(walk)


@pytest.mark.parametrize("profile", profile_ids())
@given(data=st.data())
@examples(in_ci=6, here=2)
def test_u7_nor_in_any_hand_of_any_rule_set(profile: str, data: st.DataObject) -> None:
    log = log_of(data.draw(sittings(profile)))
    rules = load_profile(log.rules.profile, log.rules.options)
    for number in range(len(log.hands)):
        sees_no_more(steps(rules, log, number))


# What it does not see makes no difference ------------------------------------------------------------


def exchanged(document: Document, number: int, watcher: int) -> Iterator[tuple[str, str, Document]]:
    """The log with two tiles exchanged that two other seats were dealt, and that neither ever does anything with."""
    hand = document["hands"][number]
    named = (action.get("tile", "") + "".join(action.get("tiles", [])) for action in hand["actions"])
    used = {tile for one in named for tile in in_twos(one)}
    idle = [sorted({*in_twos(deal)} - used) for deal in hand["deal"]]
    others = [seat for seat in range(4) if seat != watcher]
    for one, other in product(others, others):
        for mine, theirs in product(idle[one], idle[other]):
            if one < other and mine != theirs:
                deal = [in_twos(each) for each in hand["deal"]]
                deal[one][deal[one].index(mine)], deal[other][deal[other].index(theirs)] = theirs, mine
                hands = list(document["hands"])
                hands[number] = {**hand, "deal": ["".join(each) for each in deal]}
                yield mine, theirs, {**document, "hands": hands}


def walk_of(document: Document, number: int) -> HandSteps:
    """A hand of a document."""
    log = log_of(document)
    return steps(load_profile(log.rules.profile, log.rules.options), log, number, [])


def test_u7_what_others_hold_makes_no_difference_to_what_a_seat_is_sent() -> None:
    """A hand cut off before anyone hu's, and the same one with hidden tiles exchanged: each step is sent alike."""
    compared = 0
    for path in samples():
        document = msgspec.json.decode(path.read_bytes())
        if document.get("format") != "xuezhan-log/1":
            continue
        hand = document["hands"][0]
        at = next((at for at, action in enumerate(hand["actions"]) if action["type"] == "hu"), 60)
        document["hands"] = [{**hand, "actions": hand["actions"][: min(at, 60)]}]
        for watcher in range(4):
            sent = [redacted(frame, watcher) for frame in walk_of(document, 0).frames()]
            for _, _, other in list(exchanged(document, 0, watcher))[:3]:
                again = [redacted(frame, watcher) for frame in walk_of(other, 0).frames()]
                assert [without_end(frame) for frame in sent] == [without_end(frame) for frame in again]
                compared += 1
    assert compared > 100


def without_end(frame: Frame) -> Frame:
    """A step but for what the end of the hand makes of all hands: who was ready is told by what is paid."""
    scores = tuple(msgspec.structs.replace(seat, score=0) for seat in frame.seats)
    return (
        msgspec.structs.replace(frame, seats=scores, ledger=(), final=None)
        if frame.step == frame.last
        else frame
    )


# Its parts -------------------------------------------------------------------------------------------


def sample_of(name: str) -> bytes:
    """A sample by folder and name."""
    return next(path for path in samples() if f"{path.parent.name}/{path.stem}" == name).read_bytes()


def first(name: str) -> HandSteps:
    """The first hand of a sample."""
    return next(walks_of(sample_of(name)))


def test_u7_a_pass_of_another_seat_leaves_nothing_but_its_place() -> None:
    walk = first("chengdu/guo-shui")
    at = next(at for at, action in enumerate(walk.hand.actions) if action.type == "pass")
    passer, frame = walk.hand.actions[at].seat, walk.frame(at + 1)
    assert redacted(frame, passer).action == frame.action
    for seat in {0, 1, 2, 3} - {passer}:
        assert redacted(frame, seat).action == {"type": "pass", "seat": None, "declined": []}


def test_u7_a_concealed_gang_and_a_self_drawn_tile_stay_with_their_seat() -> None:
    kinds = Counter[str]()
    for path in samples():
        for walk in walks_of(path.read_bytes()):
            frame = walk.frame(walk.last)
            for seat, other in product(range(4), range(4)):
                shown, seen = frame.seats[other], redacted(frame, seat).seats[other]
                for was, meld in zip(shown.melds, seen.melds, strict=True):
                    hidden = was.kind == "an" and seat != other
                    assert meld.tile == (UNSEEN if hidden else was.tile)
                    kinds["an"] += hidden
                for won, win in zip(shown.wins, seen.wins, strict=True):
                    hidden = won.source is None and seat != other
                    assert win.tile == win.facts["tile"] == (UNSEEN if hidden else won.tile)
                    assert bool(win.facts["sets"]) == (seat == other)
                    kinds["own"] += hidden
    assert min(kinds["an"], kinds["own"]) > 0


def test_u7_a_finding_of_another_s_tiles_is_no_more_than_what_it_is_and_where() -> None:
    walk = first("chengdu/guo-shui")
    (found,) = [one for one in walk.findings if one["code"] == "ACT023"]
    for seat in range(4):
        seen = SeenSteps(walk.rules, walk.log, walk.number, walk.given, seat)
        (told,) = [one for one in seen.findings if one["code"] == "ACT023"]
        assert (told == found) == (seat == found["seat"])
        assert [told[key] for key in ("code", "severity", "hand", "action", "seat", "clause")] == [
            found[key] for key in ("code", "severity", "hand", "action", "seat", "clause")
        ]
        if seat != found["seat"]:
            assert (told["params"], told["because"], told["message"], told["withheld"]) == ({}, [], "", True)
        assert seen.frame(found["action"] + 1).findings == (told,)
        assert list(seen.frames())[found["action"] + 1].findings == (told,)


def test_u7_the_tile_that_the_wall_had_is_nobody_s_to_know() -> None:
    finding = {"code": "ACT002", "seat": 1, "params": {"tile": "5p", "expected": "3s"}, "pointer": None}
    told = [SeenSteps.findings.func(Found(seat, finding))[0] for seat in (0, 1)]  # type: ignore[attr-defined]
    assert [one["params"] for one in told] == [{}, {}]


class Found(SeenSteps):
    """A hand of which one thing was found, and which is never played."""

    def __init__(self, seat: int, finding: Mapping[str, Any]) -> None:
        self.given, self.seat = [finding], seat


def test_u7_only_the_own_choices_are_in_the_course() -> None:
    course = course_of(first("chengdu/guo-shui"))
    for seat in range(4):
        seen = course_seen(course, seat)
        assert {one for stand in seen.stands for one in (*stand.deciding, *stand.claimants)} <= {seat}
        assert seen.decisions([seat]) == course.decisions([seat])
        assert [stand.scores for stand in seen.stands] == [stand.scores for stand in course.stands]


def test_u7_report_and_log_of_a_page_hold_no_other_hand_and_nothing_to_come() -> None:
    data = sample_of("chengdu/clean")
    written, plain = audit(data).to_dict(), take_in(data).document()
    assert plain is not None
    report, log = report_seen(written, 0, 2), log_seen(plain, 0, 20, 2)
    assert {key for hand in log["hands"] for key in hand} == {"dealer", "actions"}
    assert [len(hand.get("actions", [])) for hand in log["hands"]] == [20, 0]
    assert [hand["ledger"] for hand in report["hands"]] == [[], []]
    assert not report["hands"][1]["findings"] + report["hands"][1]["wins"]
    assert all(win["seat"] == 2 or not win["sets"] for win in report["hands"][0]["wins"])
    draws = [action for action in log["hands"][0]["actions"] if action["type"] == "draw"]
    assert {action["tile"] == UNSEEN for action in draws if action["seat"] != 2} == {True}
    assert {action["tile"] == UNSEEN for action in draws if action["seat"] == 2} == {False}


@pytest.mark.parametrize("fact", ["5p", "1m2m", ["x", {"y": "held 3s"}], {"z": ("7z",)}])
def test_a_tile_is_found_wherever_it_stands(fact: Any) -> None:
    assert holds_tiles(fact)


@pytest.mark.parametrize("fact", ["", None, 5, "/hands/0/actions/12", ["pass", {"n": 3}], "m5"])
def test_what_is_no_tile_is_none(fact: Any) -> None:
    assert not holds_tiles(fact)


def test_the_samples_have_a_log() -> None:
    assert isinstance(take_in(sample_of("chengdu/clean")).log, Log)
