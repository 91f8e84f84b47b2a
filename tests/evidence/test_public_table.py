"""Situations of public.json at the table: 过水, 定缺, whose turn it is, and what a log may hold."""

import json

import pytest

from replay import audit

from .table import SEATS, Sitting

PING = "123m456m789m23p99p"
OTHER = "123s456s789s23p88p"
"""Two plain hands that wait for 1筒 and 4筒."""

ROOTS = "999978m444p23p55m"
"""Two fan on 1筒 (a root of 9万), three on 4筒 (another of 4筒)."""

DINGQUE = ["chengdu", "qq-dingque", "mil-sbr", "chiyu", "novikov-sbr"]


# 过水 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "codes"), [("zhaotong", []), ("chengdu", []), ("tingyong", []), ("base6", ["ACT023"])]
)
def test_G02_more_fan_than_passed(rules: str, codes: list[str]) -> None:
    """加番可以胡 (000 §2.6, 001 和牌规则 6); 002 §3.9 has no exception."""
    sitting = Sitting(rules, {"B": ROOTS}, dealer="D").play("D+1p D-1p A+4p A-4p B!4p")
    outcome = sitting.run_out().report()
    assert (outcome.codes, outcome.wins[0]["from"]) == (codes, 0)


@pytest.mark.parametrize("rules", ["zhaotong", "chengdu", "tingyong"])
def test_G03_the_dearest_tile_passed_is_the_measure(rules: str) -> None:
    """Passed three fan (杠上炮), then one; two, after another gang, are not more than three."""
    hands = {"A": "777s..m", "B": "23444p123m456m99m", "C": "666s..m"}
    sitting = Sitting(rules, hands, dealer="C", keep="67s")
    sitting.play("C+6s C*6s C+4p C-4p D+1p D-1p A+7s A*7s A+1p A-1p B!1p")
    assert sitting.run_out().report().codes == ["ACT023"]


@pytest.mark.parametrize(
    ("rules", "codes"), [("zhaotong", []), ("chengdu", []), ("tingyong", []), ("base6", ["ACT023"])]
)
def test_G05_the_same_tile_now_worth_more(rules: str, codes: list[str]) -> None:
    sitting = Sitting(rules, {"A": "777s..m", "B": PING}, dealer="D", keep="7s")
    sitting.play("D+1p D-1p A+7s A*7s A+1p A-1p B!1p").run_out()
    assert sitting.report().codes == codes


@pytest.mark.parametrize(
    ("rules", "codes"), [("tingyong", ["ACT023"]), ("base6", ["ACT023"]), ("chengdu", ["ACT023"]), ("qq", [])]
)
def test_G07_a_peng_is_no_draw(rules: str, codes: list[str]) -> None:
    sitting = Sitting(rules, {"B": "123m456m777m99m23p"}, dealer="D", keep="7m")
    sitting.play("D+1p D-1p A+7m A-7m B=7m B-7m C+1p C-1p B!1p").run_out()
    assert sitting.report().codes == codes


@pytest.mark.parametrize(
    ("rules", "codes"), [("mil-sbr", ["ACT023"]), ("novikov-sbr", ["ACT023"]), ("chengdu", []), ("base6", [])]
)
def test_G08_an_own_discard_that_would_have_won(rules: str, codes: list[str]) -> None:
    sitting = Sitting(rules, {"B": PING}, dealer="B").play("B+1p B-1p C+1p C-1p B!1p")
    assert sitting.run_out().report().codes == codes


def last_tiles(more: str) -> Sitting:
    """B waits; C discards 1筒 when four tiles are left and B passes, D when three are left."""
    sitting = Sitting("tingyong", {"B": PING}).run_out(until=5, keep="1111p")
    assert sitting.drawer == "C"
    sitting.play("C+1p C-1p D+1p D-1p " + more)
    return sitting


def test_G10_below_four_tiles_the_lock_is_waived_and_the_hu_forced() -> None:
    """With exactly four left neither holds: the window opens with the draw of the first of the last four (§2.2)."""
    assert last_tiles("B!1p").run_out().report().codes == []
    missed = last_tiles("").run_out().report()
    assert missed.codes[0] == "HND001"
    assert missed.hand["findings"][0]["seat"] == 1


# What a claim needs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["chengdu", "qq", "tingyong", "mil-sbr"])
def test_G12_no_hu_without_a_draw_after_a_peng(rules: str) -> None:
    sitting = Sitting(rules, {"B": "123m456m789m55p77p"}, dealer="D").play("D+7p D-7p B=7p B!7p")
    assert sitting.report().codes == ["ACT007"]


@pytest.mark.parametrize("rules", ["chengdu", "zhaotong", "xueliu", "tingyong", "base6", "qq", "mil-sbr"])
def test_G13_a_peng_declined_may_be_taken_of_the_next_one(rules: str) -> None:
    sitting = Sitting(rules, {"B": "77p9m..m"}, dealer="D").play("D+7p D-7p A+7p A-7p B=7p B-9m")
    assert sitting.run_out().report().codes == []


@pytest.mark.parametrize("rules", DINGQUE)
def test_G15_a_void_tile_drawn_late_goes_next(rules: str) -> None:
    hands = {"A": "14p9m..m", "B": "..ms", "C": "..ms", "D": "..ms"}
    kept = Sitting(rules, hands).play("A. B. C. D. A+5s A-9m")
    assert (kept.report().codes[0], kept.report().at("ACT012")[1]) == ("ACT012", 0)
    gone = Sitting(rules, hands).play("A. B. C. D. A+5s A-5s").run_out()
    assert gone.report().codes == []


@pytest.mark.parametrize("rules", ["chengdu", "qq-dingque", "mil-sbr", "chiyu"])
def test_G17_no_gang_before_the_void_suit(rules: str) -> None:
    sitting = Sitting(rules, {"A": "777p..m"}).play("A+7p A*7p")
    void, played = sitting.actions[:4], sitting.actions[4:]
    sitting.actions = [*played, *void]
    assert sitting.report().codes[0] == "ACT010"


@pytest.mark.parametrize("rules", ["xueliu"])
def test_G17_no_swap_of_two_suits(rules: str) -> None:
    sitting = Sitting(rules, {"A": "147m258s1479p369s"})
    given = sitting.made["deal"][0]
    mixed = [next(given[at : at + 2] for at in range(0, 26, 2) if given[at + 1] == suit) for suit in "mmp"]
    sitting.actions[0]["tiles"] = mixed
    assert sitting.report().codes[0] == "ACT014"


@pytest.mark.parametrize("direction", ["next", "previous", "opposite"])
def test_G18_the_direction_is_taken_as_the_log_states_it(direction: str) -> None:
    """Next is seat + 1, previous seat − 1; the dice are not asked (§2.1)."""
    sitting = Sitting("xueliu", {"B": PING}, direction=direction, dealer="A")
    outcome = sitting.play("A+1p A-1p B!1p").run_out().clean()
    assert outcome.wins[0]["seat"] == 1


# What a log may hold ---------------------------------------------------------------------------------------


def test_R27_a_log_without_the_last_discard_is_cut_short() -> None:
    sitting = Sitting("qq", {"A": PING}).run_out()
    sitting.actions.pop()
    assert sitting.report().codes == ["HND002"]


def test_X02_fourteen_tiles_dealt_and_a_first_draw_are_no_log() -> None:
    sitting = Sitting("chengdu", {}).play("A.")
    sitting.made["deal"][0] += "5p"
    findings = audit(json.dumps(sitting.log()).encode()).to_dict()["findings"]
    assert [finding["code"] for finding in findings] == ["LOG001"]
    assert findings[0]["pointer"] == "/hands/0/deal/0"


def test_X04_both_winners_name_the_seat_whose_tile_it_was() -> None:
    sitting = Sitting("chengdu", {"B": OTHER, "C": PING}).play("A+1p A-1p B!1p C!1p")
    assert [win["from"] for win in sitting.run_out().clean().wins] == [0, 0]


def test_X04_a_winner_is_no_discarder() -> None:
    sitting = Sitting("chengdu", {"B": OTHER, "C": PING}).play("A+1p A-1p B!1p C!1p")
    sitting.actions[-1]["from"] = 1
    assert sitting.run_out().report().codes == ["ACT007"]


def test_X05_seats_in_another_order_draw_out_of_turn() -> None:
    sitting = Sitting("chengdu", {}).play("A. C.")
    assert sitting.report().codes[0] == "ACT004"


def test_X07_a_robbed_gang_draws_no_replacement() -> None:
    hands = {"A": "11p9m..m", "B": OTHER}
    sitting = Sitting("chengdu", hands, dealer="D").play("D+1p D-1p A=1p A-9m B. C. D. A+1p A@1p B!1p")
    clean = sitting.run_out().report()
    assert (clean.codes, len(clean.wins)) == ([], 1)
    again = Sitting("chengdu", hands, dealer="D").play("D+1p D-1p A=1p A-9m B. C. D. A+1p A@1p B!1p A+6m")
    assert again.report().codes[0] == "ACT004"


@pytest.mark.parametrize("rules", DINGQUE)
def test_X09_the_dealer_draws_once(rules: str) -> None:
    assert Sitting(rules, {}).play("A: A:").report().codes == ["ACT005"]


def test_X10_the_turn_moves_on_once_after_several_winners() -> None:
    """After the last of them, in turn order from the discarder (§2.2)."""
    hands = {"B": OTHER, "C": PING}
    Sitting("chengdu", hands).play("A+1p A-1p B!1p C!1p D.").run_out().clean()
    skipped = Sitting("chengdu", hands).play("A+1p A-1p B!1p C!1p A.")
    assert skipped.report().codes[0] == "ACT004"


def test_X12_a_settlement_listed_twice_differs() -> None:
    sitting = Sitting("chengdu", {"C": PING}).play("A+1p A-1p C!1p").run_out()
    ledger = [
        {key: entry[key] for key in ("kind", "from", "to", "amount")}
        for entry in sitting.clean().hand["ledger"]
    ]
    sitting.made["claimed"] = {"ledger": ledger}
    assert sitting.report().codes == []
    sitting.made["claimed"] = {"ledger": [ledger[0], *ledger]}
    assert sitting.report().codes == ["SET002"]


def test_X14_a_hu_is_judged_on_the_tile_drawn_last() -> None:
    """Complete before the gang, not complete with the tile that replaced it."""
    hand = "123m777m456p99p23p"
    sitting = Sitting("chengdu", {"A": hand}, keep="78m").play("A. B. C. D. A+7m A*7m A+8m A!8m")
    assert sitting.report().codes == ["ACT020"]


def test_X17_winners_stand_in_turn_order_from_the_discarder() -> None:
    sitting = Sitting("chengdu", {"B": OTHER, "C": PING}).play("A+1p A-1p C!1p B!1p")
    sitting.drawer = SEATS[3]
    assert sitting.run_out().report().codes == ["ACT008"]
