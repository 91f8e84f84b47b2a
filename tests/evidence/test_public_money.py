"""Situations of public.json about payments: a hu, a liuju, flight, the next dealer."""

from typing import Any

import pytest

from .public import deltas
from .table import Sitting

PING = "123m456m789m23p99p"
OTHER = "123s456s789s23p88p"
"""Two plain hands that wait for 1筒 and 4筒."""

QING = "123345567789p9p"
"""清一色 on 9筒."""

DUI = "111s222s444s77p88s"
"""对对胡 on 7筒 and 8条."""


# The end of the wall --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "reading"), [("qq", "qq"), ("zhaotong", "zhaotong_u1")])
def test_R10_each_ready_seat_is_paid_its_own_best(rules: str, reading: str) -> None:
    pure = "111p222p444p888p6p"
    sitting = Sitting(
        rules, {"A": PING.replace("23p99p", "23s99s"), "B": pure, "D": OTHER.replace("23p88p", "79p55p")}
    )
    paid = sitting.play("A. B. C+8p C-8p D!8p").run_out().clean()
    assert paid.net("da_jiao", "hua_zhu", end=True) == deltas("R10", reading)


def test_R12_an_added_gang_nobody_could_rob_is_refunded() -> None:
    sitting = Sitting("mil-sbr", {"A": "77p9m1124457788m"}, dealer="D").play("D+7p D-7p A=7p A-9m")
    paid = sitting.play("B. C. D. A+7p A@7p A.").run_out().clean()
    assert paid.net("gang", "refund") == deltas("R12", "kong_part")
    assert paid.net("gang") == [3, -1, -1, -1]


@pytest.mark.parametrize("rules", ["base6", "zhaotong", "qq", "tingyong"])
def test_R14_a_pig_gives_its_gang_income_back(rules: str) -> None:
    """tingyong has no gang income to give back."""
    sitting = Sitting(rules, {"A": "777p55m55s..ms", "B": "123m456m789m23p66p"})
    paid = sitting.play("A+7p A*7p A.").run_out().clean()
    assert (paid.net("gang")[0] > 0) == (rules != "tingyong")
    assert paid.net("gang", "refund") == [0, 0, 0, 0]


PIG = {"A": "25m36s147p..mps", "B": DUI, "D": PING}


def test_R15_a_pig_pays_everyone_that_is_none_and_no_chajiao() -> None:
    """002 and 004 literally: those who have hu'd too (§2.6)."""
    paid = Sitting("qq", PIG, dealer="C").play("C+1p C-1p D!1p").run_out().clean()
    assert paid.net("da_jiao", "hua_zhu", end=True) == deltas("R15", "all_nonpig")


def test_R15_only_those_who_have_not_hu_d_where_a_room_says_so() -> None:
    sitting = Sitting("qq", PIG, dealer="C", options={"hua_zhu_payees": "in_play"})
    paid = sitting.play("C+1p C-1p D!1p").run_out().clean()
    assert paid.net("da_jiao", "hua_zhu", end=True) == deltas("R15", "unhu_only")


def test_R15_chajiao_too_where_a_room_says_so() -> None:
    sitting = Sitting("qq", PIG, dealer="C", options={"hua_zhu_pays_da_jiao": True})
    paid = sitting.play("C+1p C-1p D!1p").run_out().clean()
    assert paid.net("da_jiao", "hua_zhu", end=True) == deltas("R15", "plus_dajiao")


@pytest.mark.parametrize(
    ("options", "reading"),
    [({}, "zhaotong_u1"), ({"hua_zhu_pays_da_jiao": True}, "literal_plus_dajiao")],
)
def test_R17_a_pig_pays_the_cap_to_those_who_have_not_hu_d(options: dict[str, Any], reading: str) -> None:
    """000 §2.4: 没胡走的; §2.6: a huazhu does not pay chajiao too."""
    sitting = Sitting("zhaotong", PIG, dealer="C", options={"cap_fan": 4, **options})
    paid = sitting.play("C+1p C-1p D!1p").run_out().clean()
    assert paid.net("da_jiao", "hua_zhu", end=True) == deltas("R17", reading)


def test_R19_xueliu_a_pig_pays_five_times_the_best_of_each() -> None:
    hands = {"A": "2258m3369s14p..mps", "B": DUI, "D": QING}
    sitting = Sitting("xueliu", hands, dealer="C")
    paid = sitting.play("C+9p C-9p D!9p").run_out().clean()
    assert paid.net("da_jiao", "hua_zhu", end=True) == deltas("R19", "x5")


@pytest.mark.parametrize("reading", ["passive", "active"])
def test_R20_a_pig_that_could_not_help_it_is_only_not_ready(reading: str) -> None:
    hands = {
        "A": "1122334455667m",
        "B": "123p456p789p12s55s",
        "C": "123p456p789p45s88s",
        "D": "234p456p678p78s99s",
    }
    sitting = Sitting("mil-sbr", hands, voids=dict.fromkeys("ABCD", "m"))
    if reading == "active":
        sitting.play("A+1s A-1s B. C. D.")
    paid = sitting.run_out(suits={"A": "m"}).report()
    assert set(paid.codes) == ({"ACT012"} if reading == "active" else set())
    assert paid.net("da_jiao", "hua_zhu", end=True) == deltas("R20", reading)


def test_R22_nothing_is_settled_after_the_third_hu() -> None:
    hands = {"A": PING, "B": OTHER, "C": "123s456s789s23p55p", "D": "777p..m"}
    sitting = Sitting("qq", hands, dealer="D")
    paid = sitting.play("D+7p D*7p D. A. B. C. D+1p D-1p A!1p B!1p C!1p").clean()
    assert paid.net("gang", "refund", "da_jiao", "hua_zhu") == deltas("R22", "kong_part_qq")


def test_R24_income_that_has_gone_on_is_not_given_back_again() -> None:
    sitting = Sitting("qq", {"A": "555p1p..m", "D": PING}, dealer="B")
    paid = sitting.play("B+5p B-5p A#5p A: A-1p D!1p").run_out().clean()
    assert paid.net("gang", "transfer", "refund") == deltas("R24", "exclude")


@pytest.mark.parametrize(("flees", "reading"), [("", "kong_part_D_stays"), (" D~", "kong_part_D_escaped")])
def test_R25_a_winner_gets_its_share_of_a_gang_back_unless_it_left(flees: str, reading: str) -> None:
    sitting = Sitting("qq", {"A": "777p..m", "D": PING}).play(f"A+7p A*7p A. B. C+1p C-1p D!1p{flees}")
    assert sitting.run_out().clean().net("gang", "refund") == deltas("R25", reading)


# A hu -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "reading", "base"),
    [
        ("mil-sbr", "SBR", 1),
        ("qq-dingque", "qq_加底", 1),
        ("qq", "qq_plain_base6", 1),
        ("base6", "qq_plain_base6", 1),
        ("tingyong", "tingyong_u1", 10),
        ("zhaotong", "zhaotong_zimo_u1", 1),
    ],
)
def test_P01_a_plain_hand_drawn(rules: str, reading: str, base: int) -> None:
    sitting = Sitting(rules, {"A": PING}).play("A. B. C. D. A+1p A!1p").run_out()
    assert sitting.clean().net("hu") == deltas("P01", reading, base)


def test_P03_the_bonus_of_a_self_draw_is_outside_the_cap() -> None:
    sitting = Sitting("mil-sbr", {"A": "1122334455668p"}).play("A. B. C. D. A+8p A!8p").run_out()
    assert sitting.clean().net("hu") == deltas("P03", "outside")


@pytest.mark.parametrize(
    ("rules", "hand", "reading", "base"),
    [
        ("mil-sbr", "111222444888p9p", "SBR", 1),
        ("qq", QING, "qq_base6", 1),
        ("tingyong", QING, "tingyong_u1_清一色4番", 10),
    ],
)
def test_P05_the_discarder_alone_pays(rules: str, hand: str, reading: str, base: int) -> None:
    sitting = Sitting(rules, {"A": hand}, dealer="D").play("D. A. B. C. D+9p D-9p A!9p").run_out()
    assert sitting.clean().net("hu") == deltas("P05", reading, base)


@pytest.mark.parametrize(("bonus", "reading"), [("add_base", "加底"), ("add_fan", "加番")])
def test_P06_a_base_more_or_a_fan_more(bonus: str, reading: str) -> None:
    sitting = Sitting("qq", {"A": QING}, options={"zi_mo_bonus": bonus})
    paid = sitting.play("A. B. C. D. A+9p A!9p").run_out().clean()
    assert paid.net("hu") == deltas("P06", reading)


@pytest.mark.parametrize(
    ("rules", "reading", "base"),
    [("qq", "qq_base6", 1), ("tingyong", "tingyong_u1", 10), ("zhaotong", "zhaotong_u1", 1)],
)
def test_P08_two_winners_are_paid_in_full(rules: str, reading: str, base: int) -> None:
    hands = {"B": "123s456s789s78p11p", "C": QING}
    sitting = Sitting(rules, hands).play("A+9p A-9p B!9p C!9p").run_out()
    assert sitting.clean().net("hu") == deltas("P08", reading, base)


@pytest.mark.parametrize("rules", ["chengdu", "zhaotong", "tingyong", "base6", "mil-sbr", "chiyu"])
def test_P10_the_first_winner_deals_next_whoever_is_hu_d_by_two_later(rules: str) -> None:
    hands = {"A": "123s456s789s56p88p", "C": PING, "D": "123s456s789s23p55s"}
    sitting = Sitting(rules, hands, dealer="D")
    sitting.play("D+7p D-7p A!7p B+1p B-1p C!1p D!1p")
    assert sitting.clean().hand["next_dealer"] == [0]


@pytest.mark.parametrize(
    ("rules", "options", "reading", "base"),
    [
        ("qq", {}, "qq_zimo", 1),
        ("qq", {"dian_gang_hua": "dian_pao"}, "qq_dianpao", 1),
        ("tingyong", {}, "tingyong_zimo_u1", 20),
        ("tingyong", {"dian_gang_hua": "dian_pao"}, "tingyong_dianpao_u1", 20),
    ],
)
def test_P11_a_hu_on_the_tile_after_a_direct_gang(
    rules: str, options: dict[str, str], reading: str, base: int
) -> None:
    """Under tingyong the gang is a root too (001: 包括已经杠掉的牌), left out in the report: twice as much."""
    sitting = Sitting(rules, {"A": "555p456m789m23m99m", "D": OTHER}, dealer="B", options=options)
    sitting.play("B+1p B-1p D!1p A. B+5p B-5p A#5p A+1m A!1m").run_out()
    paid = sitting.clean()
    second = [entry for entry in paid.hand["ledger"] if entry["kind"] in ("hu", "gang") and entry["to"] == 0]
    scores = [0, 0, 0, 0]
    for entry in second:
        scores[0] += entry["amount"]
        scores[entry["from"]] -= entry["amount"]
    assert scores == deltas("P11", reading, base)


def test_P13_a_seat_that_ganged_its_wait_away_pays_for_the_hand() -> None:
    hands = {"A": "11123p79p456m789m", "B": "234s456s678s23m55m"}
    sitting = Sitting("zimo", hands, options={"base": 1})
    sitting.play("A. B. C. D. A+1p A*1p A: ")
    sitting.play(f"A-{sitting.hands['A'][-1]} B+1m B!1m")
    paid = sitting.clean()
    assert paid.scores == deltas("P13", "zimo")


def test_P15_nobody_leaves_the_table_in_xueliu() -> None:
    sitting = Sitting("xueliu", {"A": PING, "B": OTHER}, dealer="D")
    sitting.play("D+1p D-1p A!1p B+4p B!4p").run_out()
    drawn = [entry for entry in sitting.clean().hand["ledger"] if entry["kind"] == "hu" and entry["to"] == 1]
    assert {entry["from"] for entry in drawn} == {0, 2, 3}


@pytest.mark.parametrize(("options", "reading"), [({"payer_gangs": None}, "own_only"), ({}, "loser_adds")])
def test_P16_the_payers_gang_is_added_where_gangs_count_both_ways(
    options: dict[str, Any], reading: str
) -> None:
    hands = {"A": "777p111m222m33m99m", "C": "555p4s..s"}
    sitting = Sitting("xueliu", hands, options=options)
    sitting.play("A+7p A*7p A. B+5p B-5p C#5p C+9m C-9m A!9m").run_out()
    paid = [entry for entry in sitting.clean().hand["ledger"] if entry["kind"] == "hu"][:1]
    scores = [paid[0]["amount"], 0, -paid[0]["amount"], 0]
    assert (paid[0]["from"], paid[0]["to"], scores) == (2, 0, deltas("P16", reading))


@pytest.mark.parametrize(
    ("rules", "reading", "base"), [("qq", "qq_base6", 1), ("tingyong", "tingyong_u1", 10)]
)
def test_P18_three_winners_of_one_discard_end_the_hand(rules: str, reading: str, base: int) -> None:
    hands = {"A": "123m456m789m78p55p", "B": "111s222s444s99p88s", "C": "111p234p456p22p78p"}
    sitting = Sitting(rules, hands, dealer="D").play("D+9p D-9p A!9p B!9p C!9p")
    paid = sitting.clean()
    assert paid.scores == deltas("P18", reading, base)


# Flight ---------------------------------------------------------------------------------------------------


def test_E01_flight_costs_each_seat_still_in_play_sixteen_bases() -> None:
    sitting = Sitting("base6", {"D": PING}, dealer="C").play("C+1p C-1p D!1p A: A~")
    assert sitting.clean().net("flee") == deltas("E01", "base6")


def test_E03_within_the_last_four_the_larger_of_flight_and_chajiao() -> None:
    hands = {"B": "111p222p444p888p6p", "C": "123m456m789m23s99s", "D": "123s456s789s57m55s"}
    sitting = Sitting("base6", hands).play("A+6m A-6m D!6m").run_out(until=4)
    while sitting.drawer != "A":
        tile = min(+sitting.left)
        sitting.play(f"{sitting.drawer}+{tile} {sitting.drawer}-{tile}")
    fled = sitting.play(f"A+{min(+sitting.left)} A~").clean()
    assert fled.net("flee") == deltas("E03", "max_total")


def test_E04_a_winner_who_leaves_keeps_its_winnings_under_qq_and_forfeits_them_under_base6() -> None:
    """004 §4.2 over 004 §3.8; 002 §3.7 (§2.8)."""
    kept, lost = (
        Sitting(rules, {"D": QING}, dealer="C").play("C+9p C-9p D!9p D~").run_out().clean()
        for rules in ("qq", "base6")
    )
    assert (kept.net("hu", "forfeit")[3], lost.net("hu", "forfeit")[3]) == (24, 0)
