"""Single hands with their price: every row of every fan table, under every rule set that is built."""

from collections import Counter
from typing import Any

import pytest

from replay import load_profile, price, profile_ids, waits
from replay.liu_ju import best_price, open_tiles
from replay.log import decode
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
    rest = {key: case[key] for key in ("zi_mo", "how", "void", "profile", "options")}
    return {"hand": case["hand"], "win": case["win"], "melds": melds, **rest}


@pytest.mark.parametrize("case", named(BUILT))
def test_a_hand_has_the_price_expected(case: Facts) -> None:
    assert case["wild"] is None, "a rule set with 听用 is built: give them to `price` here"
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
    waiting = waits(
        hand[:at] + hand[at + 2 :], melds=melds, void=case["void"], profile=case["profile"], options=options
    )
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
