"""Single hands with their price: every row of every fan table, under every rule set that is built."""

from collections import Counter
from typing import Any

import pytest

from replay import load_profile, price, profile_ids, waits
from replay.fans import Winning
from replay.liu_ju import best_price, open_tiles
from replay.log import decode
from replay.prices import pricer_of
from replay.quote import HandProblem
from replay.state import Table
from replay.tiles import BIT, packed
from replay.waits import DEAD_WAIT

from .cases import Facts, log_bytes, prices

BUILT = [case for case in prices() if case["profile"] in profile_ids()]
LEGAL = [case for case in BUILT if case["expected"]["legal"]]


def named(cases: list[Facts]) -> list[Any]:
    """The cases, each under a name of its own."""
    return [pytest.param(case, id=f"{case['profile']}-{case['hand']}-{at}") for at, case in enumerate(cases)]


def asked(case: Facts) -> Facts:
    """What a case asks, as `price` takes it."""
    melds = [(kind, tile) for kind, tile in case["melds"]]
    rest = {key: case[key] for key in ("zi_mo", "how", "void", "wild", "profile", "options")}
    return {"hand": case["hand"], "win": case["win"], "melds": melds, **rest}


@pytest.mark.parametrize("case", named(BUILT))
def test_a_hand_has_the_price_expected(case: Facts) -> None:
    found, expected = price(**asked(case)), case["expected"]
    if not expected["legal"]:
        assert found is None
        return
    assert found is not None
    assert (found.fan, found.price, found.shape.fan) == (
        expected["fan"],
        expected["price"],
        expected["shape"]["fan"],
    )
    if found.shape.id == expected["shape"]["id"]:
        extras = Counter((part.id, part.fan, part.times) for part in found.extras)
        assert extras == Counter(
            (part["id"], part["fan"], part.get("count", 1)) for part in expected["extras"]
        )


@pytest.mark.parametrize("case", named(LEGAL))
def test_the_tile_that_wins_is_waited_for(case: Facts) -> None:
    """A legal hu takes a tile that the thirteen wait for, as long as they do not hold all four of it."""
    hand, win = case["hand"], case["win"]
    at = next(place for place in range(0, len(hand), 2) if hand[place : place + 2] == win)
    melds = [(kind, tile) for kind, tile in case["melds"]]
    options = {**case["options"], "dead_wait": "own_hand"}
    rest = {key: case[key] for key in ("void", "wild", "profile")}
    waiting = waits(hand[:at] + hand[at + 2 :], melds=melds, options=options, **rest)
    assert win in waiting


@pytest.mark.parametrize("profile", sorted({case["profile"] for case in BUILT}))
def test_every_row_of_the_table_is_met(profile: str) -> None:
    met = {case["expected"]["shape"]["id"] for case in BUILT if case["expected"]["legal"]}
    assert set(load_profile(profile).shapes) <= met


def test_a_wait_that_no_tile_can_meet_has_a_price_where_it_counts() -> None:
    """`dead_wait: never`: all four 1万 stand in the hand, and a fifth would win."""
    rules = load_profile("chengdu", {"dead_wait": "never"})
    hand = decode(log_bytes("legal", "chengdu-01")).hands[0]
    table = Table(rules, hand, (), ())
    seat = table.seats[0]
    seat.void, seat.hand, seat.melds = 2, packed("1m1m1m1m4m5m6m7p8p9p2p2p2p"), []
    kinds = DEAD_WAIT["never"](rules, seat, lambda: open_tiles(table))
    best, tile = best_price(table, seat, kinds & BIT[0])
    assert (tile, best.fan, best.price) == (0, 2, 2)


@pytest.mark.parametrize(
    ("hand", "win", "shape", "fan"),
    [
        ("1z1z1z2z2z2z3z3z3z6z6z6z5z5z", "5z", "ping_hu", 1),
        ("1z1z2z2z3z3z4z4z5z5z6z6z7z7z", "5z", "qi_dui", 2),
        ("1m1m2m2m3m3m4m4m5m5m6m6m7z7z", "7z", "qi_dui", 2),
        ("1m1m1m2m2m2m3m3m3m7z7z7z5m5m", "5m", "ping_hu", 1),
    ],
)
def test_honours_are_no_suit_and_no_seven_pairs_without_them(
    hand: str, win: str, shape: str, fan: int
) -> None:
    """000 §4: 清一色 is one suited suit, 无风七对 holds no honour (rulebook §6.15)."""
    found = price(hand, win, zi_mo=True, profile="zimo")
    assert found is not None
    assert (found.shape.id, found.fan) == (shape, fan)


@pytest.mark.parametrize(
    ("profile", "base", "points"),
    [("base6", None, 6 * 8), ("base6", 10, 10 * 8), ("zimo", None, 4), ("zimo", 100, 100 * 4)],
)
def test_a_unit_of_price_is_the_one_given_or_the_rule_sets_or_one(
    profile: str, base: int | None, points: int
) -> None:
    """A hand of triplets in one suit: 清对, four fan; where only the suit counts, three."""
    hand = Winning(packed("1m1m1m3m3m3m5m5m5m7m7m7m9m9m"), [], zi_mo=True)
    found = pricer_of(load_profile(profile), base).price(hand)
    assert found is not None
    assert found.price == points


FOUR = [("peng", "9m"), ("peng", "1p"), ("peng", "5p"), ("peng", "9p")]


def test_a_wildcard_is_refused_where_the_rules_have_none_or_it_is_no_suited_tile() -> None:
    with pytest.raises(HandProblem, match="has no wildcard"):
        price("1m1m", "1m", melds=FOUR, wild="2m", profile="base6")
    with pytest.raises(HandProblem, match="is an honour"):
        waits("1m", melds=FOUR, wild="2z", profile="tingyong")
    assert waits("1m", melds=FOUR, wild="2m", profile="tingyong") == ["1m", "2m"]
