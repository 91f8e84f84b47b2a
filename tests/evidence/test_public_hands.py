"""Single hands of public.json: what they are worth, what they wait for, what a discard is worth to them at best."""

import re
from contextlib import suppress
from typing import Any

import pytest

from replay import HandProblem, load_profile, price, waits

from .public import CASES, Facts
from .table import Sitting, tiles

RULE_SETS = {
    "mil-sbr": ["mil-sbr"],
    "chengdu": ["chengdu", "zhaotong"],
    "qq": ["qq", "qq-single", "qq-dingque", "base6"],
    "tingyong": ["tingyong"],
    "xueliu": ["xueliu"],
    "zimo": ["zimo"],
}
"""The rule sets with the table that a case's value is given for."""

MELDS = {3: "peng", 4: "zhi", 5: "an"}

PRICED = [
    pytest.param(case, name, rules, id=f"{case['id']}-{rules}")
    for case in CASES.values()
    for name in case.get("values", {})
    for rules in RULE_SETS[name]
]


def shown(case: Facts) -> Facts:
    """The hand of a case as `price` takes it, without the void suit."""
    melds = [(MELDS[len(meld) - 1], meld[0] + meld[-1]) for meld in starred(case["tiles"]["melds"])]
    return {"hand": "".join(tiles(case["tiles"]["hand"])), "win": case["tiles"]["win"], "melds": melds}


def starred(written: str) -> list[str]:
    """The melds as written, a concealed gang one sign longer: ``9999m``, and ``4444p*`` as ``44444p``."""
    return [meld[0] + meld[:-1] if meld.endswith("*") else meld for meld in written.split()]


def void_of(hand: Facts) -> str:
    """A suit that the hand does not hold."""
    return next(suit for suit in "mps" if suit not in hand["hand"] and suit not in str(hand["melds"]))


@pytest.mark.parametrize(("case", "name", "rules"), PRICED)
def test_a_hand_is_worth_what_public_json_says(case: Facts, name: str, rules: str) -> None:
    """``2fan->4``: fan and price; ``平胡 1番 x1``: fan and multiple of the base; ``基本胡 x4``: the multiple."""
    told, hand = case["values"][name], shown(case)
    void = void_of(hand) if load_profile(rules).void == "declared" else None
    base = load_profile(rules).base
    found = price(**hand, void=void, zi_mo=name == "zimo", profile=rules)
    if told == "not a winning shape":
        assert found is None
        return
    assert found is not None
    fan = re.search(r"(\d+)(?:fan|番)", told)
    multiple = re.search(r"(?:x|->)(\d+)", told)
    assert multiple is not None
    assert found.price == int(multiple[1]) * (base if isinstance(base, int) else 1)
    assert fan is None or found.fan == int(fan[1])
    if "self-draw only" in told:
        assert price(**hand, void=void, zi_mo=False, profile=rules) is None


@pytest.mark.parametrize(
    ("hand", "complete"),
    [
        ("11123456789999m", True),
        ("11223333445577m", True),
        ("11223333456789m", True),
        ("22345555677778m", True),
        ("12333345677778m", True),
        ("1123456789999m1p", False),
    ],
)
def test_H24_fours_split_over_runs_and_pairs_inside_fours(hand: str, complete: bool) -> None:
    assert hand in CASES["H24"]["situation"]
    held = tiles(hand)
    for rules in ("chengdu", "base6", "tingyong", "chiyu", "novikov-sbr", "mil-sbr"):
        assert (price("".join(held), held[-1], void="s", profile=rules) is not None) == complete


@pytest.mark.parametrize("rules", ["chengdu", "tingyong", "qq", "chiyu"])
def test_H26_a_hu_on_the_dealers_first_discard_is_no_di_hu(rules: str) -> None:
    """地胡 needs the seat's own first draw (000 §6番, rulebook 2.3 f)."""
    sitting = Sitting(rules, {"B": "123m456m789m23p99p"}).play("A+1p A-1p B!1p").run_out()
    (win,) = sitting.clean().wins
    assert win["shape"]["id"] == "ping_hu"


def test_H27_tian_hu_is_judged_on_the_hand_after_the_swap_and_without_void_tiles() -> None:
    hand = {"A": "123m456m789m23p99p"}
    after = Sitting("chiyu", hand, options={"swap": "same_suit"}).play("A+1p A!1p").run_out()
    assert after.clean().wins[0]["shape"]["id"] == "tian_hu"
    holding = Sitting("chiyu", hand, options={"swap": "same_suit"}, voids={"A": "p"}).play("A+1p A!1p")
    assert holding.run_out().report().codes == ["ACT022"]


# Ready, and the best price --------------------------------------------------------------------------------

ALL = ["mil-sbr", "chengdu", "qq", "tingyong", "xueliu", "zimo", "base6", "chiyu", "zhaotong", "qq-dingque"]


@pytest.mark.parametrize("rules", [*ALL, "novikov-sbr"])
def test_R02_a_fifth_tile_is_no_wait(rules: str) -> None:
    melds = [("peng", "8m"), ("peng", "1p"), ("peng", "4p")]
    assert waits("9m9m9m9m", melds=melds, void="s", profile=rules) == []


@pytest.mark.parametrize("rules", ALL)
def test_R04_the_tiles_of_an_own_gang_do_not_exhaust_a_wait(rules: str) -> None:
    """Under `dead_wait: own_hand`; an engine that counts melds says not ready."""
    hand, melds = "3p4p5p6p6p3s5s", [("peng", "9p"), ("an", "4s")]
    assert waits(hand, melds=melds, void="m", profile=rules) == ["4s"]
    assert waits(hand, melds=melds, void="m", profile=rules, options={"dead_wait": "own_all"}) == []


def test_R04_where_melds_are_counted_it_is_not_ready() -> None:
    melds = [("peng", "9p"), ("an", "4s")]
    assert waits("3p4p5p6p6p3s5s", melds=melds, void="m", profile="novikov-sbr") == []


def best(rules: str, hand: str, melds: list[tuple[str, str]], **options: Any) -> int:
    """The best price of a hand, as a discard without anything of the moment."""
    held: Facts = {"melds": melds, "profile": rules, "options": options}
    held["void"] = void_of({"hand": hand, "melds": melds})
    found = []
    for tile in waits(hand, **held):
        with suppress(HandProblem):
            found.append(price(hand + tile, tile, **held))
    return max(each.price for each in found if each is not None)


@pytest.mark.parametrize(
    ("rules", "points"), [("mil-sbr", 2), ("qq", 12), ("tingyong", 40), ("xueliu", 4), ("chengdu", 2)]
)
def test_R05_the_dearest_wait_counts(rules: str, points: int) -> None:
    melds = [("peng", "1m"), ("peng", "8p"), ("peng", "9p")]
    assert best(rules, "3m4m4m4m", melds) == points


@pytest.mark.parametrize(
    ("rules", "points"), [("mil-sbr", 2), ("qq", 12), ("tingyong", 40), ("xueliu", 1), ("chengdu", 2)]
)
def test_R07_a_root_of_a_peng_and_a_tile_in_hand_counts_once(rules: str, points: int) -> None:
    assert best(rules, "3p4p5p6p7p8s8s8s9s9s", [("peng", "5p")]) == points


def test_R09_jin_gou_is_no_fan_of_the_moment() -> None:
    melds = [("peng", "1m"), ("peng", "4m"), ("peng", "8p"), ("peng", "9p")]
    assert best("mil-sbr", "6p", melds) == 4
    assert best("tingyong", "6p", melds) == 80


@pytest.mark.parametrize(("rules", "points"), [("mil-sbr", 8), ("novikov-sbr", 8), ("chiyu", 8000)])
def test_K12_a_hu_on_the_replacement_that_is_the_last_tile_counts_both(rules: str, points: int) -> None:
    """The gang, 杠上花 and 海底: three fan beside the basic hand."""
    hand, melds = "1m2m3m4m5m6m7m8m9m2p2p", [("an", "7p")]
    how = ["gang_hua", "hai_di"]
    found = price(hand, "9m", melds=melds, zi_mo=True, how=how, void="s", profile=rules)
    assert found is not None
    assert {"gang_hua", "hai_di"} <= {part.id for part in found.extras}
    assert found.price == points
