"""Hands with the value that a published rule book gives them, or another engine that a recomputation agrees with."""

import json
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from replay import HandProblem, price, waits
from replay.prices import Price
from tests.engine.cases import FOLDER, Facts

RULE_SETS = {
    "mil-sbr-2025": "mil-sbr",
    "novikov-sbr-cap3": "novikov-sbr",
    "majsoul-chiyu (赤羽之战)": "chiyu",
}
"""Our rule set for that of a source."""

NOT_OURS = {
    "bei-27 (欢乐/腾讯-style multipliers, 5021/5022)": "multiplies, and its table has rows of no rule set here",
    "riichi-advanced-sbr": "an engine's own reading of mil-sbr: 金钩钓 takes 大对子's place, and gangs count as 根",
    "scxl-steve-2018": "multiplies, and its table has rows of no rule set here",
    "shape-only": "no rule set: only whether a hand is complete; see the hands named H24 in public.json",
}
"""Rule sets of sources that none of ours is, and why."""

MELDS = {"peng": "peng", "ming_gang": "zhi", "gang": "zhi", "an_gang": "an"}
FLAGS = {
    "杠上花": "gang_hua",
    "winAfterKong": "gang_hua",
    "杠上炮": "gang_pao",
    "shootAfterKong": "gang_pao",
    "抢杠": "qiang_gang",
    "robbingTheKong": "qiang_gang",
    "海底": "hai_di",
    "underTheSea": "hai_di",
    "地和": "di_hu",
    "heavenly": "tian_hu",
}
ZI_MO = {"gang_hua": True, "tian_hu": True, "gang_pao": False, "qiang_gang": False}
"""Situations that say by themselves whether the tile was drawn."""

FANS = FLAGS | {
    "杠": "gang",
    "根": "gen",
    "大对子": "dui_dui_hu",
    "对对和": "dui_dui_hu",
    "金钩钓": "jin_gou_diao",
    "清一色": "qing_yi_se",
    "七对": "qi_dui",
    "七对子": "qi_dui",
    "底和": "ping_hu",
    "龙七对": "long_qi_dui",
    "清对": "qing_dui",
    "将对": "jiang_dui",
    "清幺九": "qing_yao_jiu",
    "十八罗汉": "shi_ba_luo_han",
    "清十八罗汉": "qing_shi_ba_luo_han",
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


def priced(case: Facts, zi_mo: bool) -> Price:
    """The price of a case that is asked as won in one way."""
    how = [FLAGS[flag] for flag in case["flags"]]
    hand = "".join(case["hand"]) + case["win_tile"]
    found = price(hand, case["win_tile"], zi_mo=zi_mo, how=how, **held(case))
    assert (found is not None) == case["expected"]["win"]
    assert found is not None
    return found


def counted(found: Any) -> dict[str, int]:
    """The fans that counted, by id."""
    parts = (found.shape, *found.extras)
    return {part.id: part.fan * part.times for part in parts if part.fan}


@pytest.mark.parametrize("case", some("ron", "zimo"))
def test_a_published_hand_has_its_published_value(case: Facts) -> None:
    found, expected = priced(case, case["win"] == "zimo"), case["expected"]
    assert found.price == expected.get("base", expected.get("points"))
    assert counted(found) == {FANS[name]: fan for name, fan in expected["fans"].items()}
    assert found.fan == expected["fan_total"]
    assert min(found.fan, 3) == expected.get("fan_capped", min(found.fan, 3))


@pytest.mark.parametrize("case", some("unspecified"))
def test_a_published_hand_has_its_published_base_however_it_was_won(case: Facts) -> None:
    """The source says neither how the tile came nor how often a fan counts: its base and capped fan stand."""
    known = {ZI_MO[FLAGS[flag]] for flag in case["flags"] if FLAGS[flag] in ZI_MO}
    for zi_mo in known or {False, True}:
        found = priced(case, zi_mo)
        assert (found.price, min(found.fan, 3)) == (case["expected"]["base"], case["expected"]["fan_capped"])


@pytest.mark.parametrize("case", some("ron", "zimo", "unspecified"))
def test_the_tile_that_wins_a_published_hand_is_waited_for(case: Facts) -> None:
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
    assert {case["win"] for case in BUILT} == {"ron", "zimo", "unspecified", "ting-check", "chajiao-max"}
    assert Counter(case["ruleset"] for case in BUILT) == {
        "mil-sbr-2025": 47,
        "novikov-sbr-cap3": 49,
        "majsoul-chiyu (赤羽之战)": 34,
    }


def test_a_published_hand_is_left_out_only_with_a_reason() -> None:
    assert {case["ruleset"] for case in EVERY} == RULE_SETS.keys() | NOT_OURS.keys()
