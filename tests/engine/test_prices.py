"""Single hands with their price: every row of every fan table, under every rule set that is built."""

from collections import Counter
from typing import Any

import pytest

from replay import load_profile, price, profile_ids, waits

from .cases import Facts, prices

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
