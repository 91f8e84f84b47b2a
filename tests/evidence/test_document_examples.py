"""What the documents give as an example beside hands, under the name of the clause that gives it."""

import json
from typing import Any

import pytest

from replay import audit, load_profile, price
from replay.prices import pricer_of

from .table import Facts, Sitting

PING = "123m456m789m23p99p"
TWICE = [1, 2, 4, 8, 16, 32]
"""What 000, 002 and 004 print as the multiples of one to six fan."""


def whole(sitting: Sitting) -> Facts:
    """The report on a sitting of one hand, in which nothing is found."""
    report: Facts = audit(json.dumps(sitting.log()).encode()).to_dict()
    assert report["verdict"] == "clean"
    return report


# 000 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", ["B+1p B-1p C!1p D!1p", "B+1p B-1p C!1p D. B+2p B-2p D!2p"])
def test_000_1_3_如1_如2_先胡的一家坐庄(script: str) -> None:
    """D deals, A hus first; B then feeds C and D, at once or one after the other: A deals next."""
    hands = {"A": "123s456s789s56p88p", "C": PING, "D": "123s456s789s13p55s"}
    if "!2p" not in script:
        hands["D"] = "123s456s789s23p55s"
    sitting = Sitting("chengdu", hands, dealer="D").play(f"D+7p D-7p A!7p {script}")
    assert sitting.clean().hand["next_dealer"] == [0]


@pytest.mark.parametrize("rules", ["chengdu", "zhaotong", "qq", "base6", "zimo"])
def test_000_番数与得分_002_计分规则_2_004_四_倍数(rules: str) -> None:
    resolved = load_profile(rules, {"base": 6})
    assert [pricer_of(resolved).points(fan) for fan in range(1, 7)] == [6 * times for times in TWICE]


def test_000_3_规则说明_3_先碰后杠() -> None:
    """A fourth tile is kept and added on a later own draw, not in the turn of the peng."""
    kept = Sitting("xueliu", {"A": "777p9m..m"}, dealer="D", keep="7p")
    later = kept.play("D+7p D-7p A=7p A-9m B. C. D. A: A@7p A.").run_out()
    assert later.report().codes == []
    at_once = Sitting("xueliu", {"A": "777p9m..m"}, dealer="D", keep="7p")
    assert at_once.play("D+7p D-7p A=7p A@7p").report().codes[0] == "ACT015"


def test_000_4_坎杠_清一色自摸两杠共五番() -> None:
    """例如：清一色自摸（番数3番），胡牌时有2个杠（附加番2番），则总番数为5番."""
    melds = [("an", "1p"), ("an", "9p")]
    found = price("2p3p4p5p6p7p8p8p", "4p", melds=melds, zi_mo=True, profile="zimo", options={"base": 1})
    assert found is not None
    assert (found.shape.id, found.shape.fan, found.fan, found.price) == ("qing_yi_se", 3, 5, 16)
    assert sum(part.fan * part.times for part in found.extras) == 2


# 001 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("indicator", "wild"), [("1m", "2m"), ("9m", "1m")])
def test_001_特殊规则_1_听用是翻牌的下一张(indicator: str, wild: str) -> None:
    """如果是1万，那么2万就是听用，9万就是1万为听用: with it in place of 1筒 the hand is complete."""
    hand = {"A": "456s789s456p23p99s"}
    sitting = Sitting("tingyong", hand, indicator=indicator).play(f"A+{wild} A!{wild}").run_out()
    (win,) = whole(sitting)["hands"][0]["wins"]
    assert win["tile"] == wild
    none = Sitting("tingyong", hand, indicator="4m").play(f"A+{wild} A!{wild}")
    assert none.report().codes[0] == "ACT020"


def test_001_特殊规则_1_听用碰后以真牌替回() -> None:
    """别人打3万，可以一张3万和一张2万（听用）碰，再抓到3万，可以把2万替回手中."""
    sitting = Sitting("tingyong", {"A": "2m3m9p..p"}, dealer="D", indicator="1m", keep="3m")
    sitting.play("D+3m D-3m")
    sitting.actions.append({"type": "peng", "seat": 0, "tile": "3m", "wild": 1})
    sitting.hands["A"] = sitting.hands["A"][2:]
    sitting.melds["A"].append(("peng", "3m"))
    sitting.source = "A"
    sitting.play("A-9p B. C. D. A+3m")
    sitting.actions.append({"type": "replace", "seat": 0, "meld": "3m", "tile": "3m"})
    sitting.hands["A"][-1] = "2m"
    last = sitting.hands["A"][0]
    assert sitting.play(f"A-{last}").run_out().report().codes == []


@pytest.mark.parametrize(("piao", "points"), [("", 20), ("A", 40), ("B", 40), ("AB", 80)])
def test_001_特殊规则_2_飘(piao: str, points: int) -> None:
    """10×番数, ×2 where one of the two piao, ×4 where both."""
    sitting = Sitting("tingyong", {"A": PING}, dealer="B")
    sitting.actions += [{"type": "piao", "seat": "ABCD".index(seat)} for seat in piao]
    sitting.play("B+1p B-1p A!1p").run_out()
    assert sitting.clean().net("hu") == [points, -points, 0, 0]


# 002 -------------------------------------------------------------------------------------------------------


def test_002_2_4_2_5_顺子刻子() -> None:
    """一萬兩萬三萬; 三個一萬, 三個九筒."""
    sitting = Sitting("base6", {"A": "123m111m999p45p88p"}).play("A. B. C. D. A+6p A!6p")
    (win,) = sitting.run_out().clean().wins
    assert sorted(win["sets"]) == ["1m1m1m", "1m2m3m", "4p5p6p", "8p8p", "9p9p9p"]


def test_002_2_6_槓子() -> None:
    """四個一萬, 四個八條."""
    found = price("1s2s3s4s5s6s9m9m", "9m", melds=[("an", "1m"), ("zhi", "8s")], profile="base6")
    assert found is not None
    assert (found.shape.id, found.fan, found.price) == ("ping_hu", 1, 6)


def test_002_計分規則_11_逃跑扣96分() -> None:
    paid = Sitting("base6", {}).play("A: A~").clean()
    assert paid.net("flee") == [-288, 96, 96, 96]


# 004 -------------------------------------------------------------------------------------------------------


def void_chosen(hand: str, suit: str) -> list[str]:
    """The findings when A declares a suit of a hand that fixes which it may be."""
    return Sitting("qq-dingque", {"A": hand}, voids={"A": suit}).play("A.").report().codes


@pytest.mark.parametrize(
    ("hand", "allowed"),
    [("..ms", "p"), ("1122334455667p", "ms"), ("147m258p369s1234s", "mps")],
)
def test_004_2_1_注_定缺的花色(hand: str, allowed: str) -> None:
    """两门只能缺第三门，一门可在其他两门中选择."""
    barred = {suit: "ACT011" in void_chosen(hand, suit) for suit in "mps"}
    assert barred == {suit: suit not in allowed for suit in "mps"}


@pytest.mark.parametrize("options", [{}, {"ends": "three_hu"}])
def test_004_4_游戏币_例(options: dict[str, Any]) -> None:
    """N 200, A 400, three losers of 18 = 6 × (2 + 1): 10800 and −3600, before the 400 of each (reading m)."""
    room = {"coin_factor": 200, "rake": 400, "zi_mo_bonus": "add_base", "ends": "first_hu", **options}
    room["liu_ju"] = "nothing"
    dui = "111s222s444s77p88s"
    sitting = Sitting("qq", {"A": dui}, options=room).play("A. B. C. D. A+7p A!7p").run_out()
    report = whole(sitting)
    assert report["totals"] == [54, -18, -18, -18]
    assert report["coins"] == [10800 - 400, *[-3600 - 400] * 3]
