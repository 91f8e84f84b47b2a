"""Hands with the value that a published rule book gives them, or another engine that a recomputation agrees with."""

import json
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from replay import HandProblem, price, profile_ids, waits

from .cases import FOLDER, Facts

RULE_SETS = {"mil-sbr-2025": "mil-sbr"}
"""Our rule set for that of a source. Those left out are not built, or are no rule set of ours."""

WAITING = {
    "novikov-sbr-cap3": "novikov-sbr",
    "majsoul-chiyu (赤羽之战)": "chiyu",
}
"""Rule sets of ours that are not built yet: when one is, its line moves up."""

NOT_OURS = {
    "bei-27 (欢乐/腾讯-style multipliers, 5021/5022)",
    "riichi-advanced-sbr",
    "scxl-steve-2018",
    "shape-only",
}

MELDS = {"peng": "peng", "ming_gang": "zhi", "an_gang": "an"}
FLAGS = {"杠上花": "gang_hua", "杠上炮": "gang_pao", "抢杠": "qiang_gang", "海底": "hai_di"}
FANS = FLAGS | {
    "杠": "gang",
    "根": "gen",
    "大对子": "dui_dui_hu",
    "金钩钓": "jin_gou_diao",
    "清一色": "qing_yi_se",
    "七对": "qi_dui",
}
EVERY: list[Facts] = json.loads((FOLDER / "hands.json").read_text(encoding="utf-8"))["cases"]
BUILT = [case for case in EVERY if case["ruleset"] in RULE_SETS]


def some(*ways: str) -> list[Any]:
    """The cases that ask in one of these ways, each under its own name."""
    found = [case for case in BUILT if case["win"] in ways]
    return [pytest.param(case, id=f"{case['id']}-{case['asserted'].split()[0]}") for case in found]


def held(case: Facts) -> Facts:
    """What `waits` needs to know of a case. A seat that declared no void suit is judged by two suits (§6.4)."""
    melds = [(MELDS[meld["type"]], meld["tile"]) for meld in case["melds"]]
    return {"melds": melds, "void": case["void"], "profile": RULE_SETS[case["ruleset"]]}


def counted(found: Any) -> dict[str, int]:
    """The fans that counted, by id."""
    parts = (found.shape, *found.extras)
    return {part.id: part.fan * part.times for part in parts if part.fan}


@pytest.mark.parametrize("case", some("ron", "zimo"))
def test_a_published_hand_has_its_published_value(case: Facts) -> None:
    hand = "".join(case["hand"]) + case["win_tile"]
    how = [FLAGS[flag] for flag in case["flags"]]
    found = price(hand, case["win_tile"], zi_mo=case["win"] == "zimo", how=how, **held(case))
    expected = case["expected"]
    assert (found is not None) == expected["win"]
    assert found is not None
    assert counted(found) == {FANS[name]: fan for name, fan in expected["fans"].items()}
    assert found.fan == expected["fan_total"]
    assert min(found.fan, 3) == expected["fan_capped"]
    assert found.price == expected["base"]
    assert case["win_tile"] in waits("".join(case["hand"]), **held(case))


@pytest.mark.parametrize("case", some("ting-check"))
def test_a_published_hand_is_ready_or_not(case: Facts) -> None:
    assert bool(waits("".join(case["hand"]), **held(case))) == case["expected"]["ting"]


@pytest.mark.parametrize("case", some("chajiao-max"))
def test_a_published_hand_has_its_best_price(case: Facts) -> None:
    """查大叫: the dearest tile waited for, as a discard without anything of the moment.

    A tile that stands four times in hand and melds is a wait all the same (`dead_wait: own_hand`), but has no price.
    """
    hand = "".join(case["hand"])
    found = []
    for tile in waits(hand, **held(case)):
        with suppress(HandProblem):
            found.append(price(hand + tile, tile, **held(case)))
    best = max((each for each in found if each is not None), key=lambda each: each.fan)
    expected = case["expected"]
    assert (best.fan, best.price) == (expected["fan_total"], expected["base"])
    assert counted(best) == {FANS[name]: fan for name, fan in expected["max_fans"].items()}


def test_every_published_hand_is_asked_one_of_these_ways() -> None:
    assert {case["win"] for case in BUILT} == {"ron", "zimo", "ting-check", "chajiao-max"}
    assert len(BUILT) == 47


def test_published_hands_wait_only_for_rule_sets_that_are_not_built() -> None:
    count = Counter(case["ruleset"] for case in EVERY)
    assert {name for name in count if name not in RULE_SETS} == WAITING.keys() | NOT_OURS
    assert {name: profile for name, profile in WAITING.items() if profile in profile_ids()} == {}
    assert {name: count[name] for name in WAITING} == {"novikov-sbr-cap3": 49, "majsoul-chiyu (赤羽之战)": 34}
