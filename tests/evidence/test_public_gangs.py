"""Situations of public.json about gangs: what they bring, to whom it goes on, and which gangs there may be."""

import pytest

from .public import deltas
from .table import Sitting

PING = "123m456m789m23p99p"
OTHER = "123s456s789s23p88p"
"""Two plain hands that wait for 1筒 and 4筒."""

SHOT = [
    ("qq", {}, "承包", 1),
    ("qq", {"gang_zhi_others": 1}, "家家有", 1),
    ("mil-sbr", {}, "S1_refund", 1),
]


@pytest.mark.parametrize(("rules", "options", "reading", "base"), SHOT)
def test_T01_the_gang_before_a_hu_on_the_discard(
    rules: str, options: dict[str, int], reading: str, base: int
) -> None:
    sitting = Sitting(rules, {"A": "555p1p..m", "C": PING}, dealer="B", options=options)
    paid = sitting.play("B+5p B-5p A#5p A: A-1p C!1p").run_out().clean()
    assert paid.net("hu", "gang", "transfer", "refund", end=False) == deltas("T01", reading, base)


def test_T01_zhaotong_has_a_fan_more_for_gang_pao() -> None:
    """The report counts none; §2.3 reading (a): the extras of 004 §5 apply to 000."""
    sitting = Sitting("zhaotong", {"A": "555p1p..m", "C": PING}, dealer="B")
    sitting.play("B+5p B-5p A#5p A: A-1p C!1p").run_out()
    paid = sitting.clean().net("hu", "gang", "transfer", end=False)
    assert (paid, deltas("T01", "zhaotong_u1")) == ([-2, -1, 3, 0], [-1, -1, 2, 0])


@pytest.mark.parametrize(
    ("rules", "reading"), [("chengdu", "full_each"), ("zhaotong", "full_each"), ("mil-sbr", "refund")]
)
def test_T02_each_of_two_winners_gets_the_whole_gang(rules: str, reading: str) -> None:
    sitting = Sitting(rules, {"A": "777p1p..m", "B": OTHER, "C": PING})
    paid = sitting.play("A+7p A*7p A: A-1p B!1p C!1p").run_out().clean()
    assert paid.net("gang", "transfer", "refund", end=False) == deltas("T02", reading)


@pytest.mark.parametrize("reading", ["last", "chain"])
def test_T04_two_gangs_in_a_turn(reading: str) -> None:
    sitting = Sitting(
        "zhaotong", {"A": "66p777p9m1p..m", "B": OTHER}, dealer="D", options={"transfer": reading}
    )
    sitting.play("D+6p D-6p A=6p A-9m B. C. D.")
    paid = sitting.play("A+7p A*7p A+6p A@6p A: A-1p B!1p").run_out().clean()
    assert paid.net("gang", "transfer", end=False) == deltas("T04", reading)


def test_T06_only_the_gang_before_the_discard_is_given_back_and_once() -> None:
    sitting = Sitting("mil-sbr", {"A": "777p888p1p..m", "B": OTHER.replace("88p", "55p"), "C": PING})
    sitting.play("A+7p A*7p A. B. C. D.")
    paid = sitting.play("A+8p A*8p A: A-1p B!1p C!1p").run_out().clean()
    assert paid.net("gang", "refund", end=False) == deltas("T06", "kong_part")


@pytest.mark.parametrize("rules", ["chengdu", "qq", "tingyong", "mil-sbr", "chiyu"])
def test_T07_a_discard_after_a_peng_is_no_gang_pao(rules: str) -> None:
    sitting = Sitting(rules, {"A": "777p66p1p9m..m", "C": PING})
    sitting.play("A+7p A*7p A. B+6p B-6p A=6p A-1p C!1p").run_out()
    (win,) = sitting.clean().wins
    assert "gang_pao" not in [part["id"] for part in win["extras"]]


@pytest.mark.parametrize("rules", ["qq", "qq-single", "qq-dingque"])
def test_T09_two_seats_rob_one_gang(rules: str) -> None:
    sitting = Sitting(rules, {"A": "11p9m..m", "B": OTHER, "C": PING}, dealer="D")
    sitting.play("D+1p D-1p A=1p A-9m B. C. D. A+1p A@1p B!1p C!1p")
    outcome = sitting.run_out().report()
    assert outcome.codes == []
    assert outcome.net("hu", "gang", end=False) == deltas("T09", "qq_both_pinghu")


@pytest.mark.parametrize("rules", ["chengdu", "qq", "tingyong", "base6", "mil-sbr", "chiyu", "novikov-sbr"])
def test_T11_a_concealed_gang_cannot_be_robbed(rules: str) -> None:
    robber = "123s456s789s56p88p"
    sitting = Sitting(rules, {"A": "777p..m", "B": robber}).play("A+7p A*7p B!7p")
    assert sitting.report().codes == ["ACT024"]


@pytest.mark.parametrize(
    ("rules", "reading"),
    [("qq", "qq_literal"), ("base6", "qq_literal"), ("mil-sbr", "SBR"), ("chiyu", "SBR")],
)
def test_T12_a_fourth_tile_kept_and_added_later(rules: str, reading: str) -> None:
    sitting = Sitting(rules, {"A": "777p9m..m"}, dealer="D").play("D+7p D-7p A=7p A-9m")
    sitting.play("B. C. D. A: A@7p A.").run_out()
    assert sitting.clean().net("gang") == deltas("T12", reading)


@pytest.mark.parametrize(
    ("rules", "options", "reading"),
    [
        ("zhaotong", {}, "zhaotong_u1"),
        ("base6", {}, "base6"),
        ("qq", {}, "qq_承包"),
        ("qq", {"gang_zhi_others": 1}, "qq_家家有"),
        ("mil-sbr", {}, "SBR"),
    ],
)
def test_K02_a_direct_gang_when_one_seat_has_hu_d(rules: str, options: dict[str, int], reading: str) -> None:
    sitting = Sitting(rules, {"A": "555p9m..m", "D": PING}, dealer="B", options=options)
    sitting.play("B+1p B-1p D!1p A. B+5p B-5p A#5p A.").run_out()
    assert sitting.clean().net("gang") == deltas("K02", reading)


@pytest.mark.parametrize(
    ("rules", "reading"),
    [
        ("mil-sbr", "SBR_zhaotong"),
        ("zhaotong", "SBR_zhaotong"),
        ("chengdu", "SBR_zhaotong"),
        ("base6", "base6_qq"),
        ("qq", "base6_qq"),
        ("qq-dingque", "base6_qq"),
    ],
)
def test_K03_an_added_gang_of_the_tile_just_drawn(rules: str, reading: str) -> None:
    sitting = Sitting(rules, {"A": "77p9m..m"}, dealer="D").play("D+7p D-7p A=7p A-9m")
    sitting.play("B. C. D. A+7p A@7p A.").run_out()
    assert sitting.clean().net("gang") == deltas("K03", reading)


@pytest.mark.parametrize(
    ("rules", "codes"),
    [("mil-sbr", ["ACT015"]), ("novikov-sbr", ["ACT015"]), ("xueliu", ["ACT015"]), ("base6", [])],
)
def test_K05_a_gang_in_the_turn_of_a_peng(rules: str, codes: list[str]) -> None:
    sitting = Sitting(rules, {"A": "55p7777p..m"}, dealer="D").play("D+5p D-5p A=5p A*7p A.")
    assert sitting.run_out().report().codes == codes


@pytest.mark.parametrize("rules", ["chengdu", "qq-dingque", "mil-sbr", "chiyu", "novikov-sbr"])
def test_K07_no_concealed_gang_of_the_own_void_suit(rules: str) -> None:
    sitting = Sitting(rules, {"A": "777p5m5s..ms"}, voids={"A": "p"}).play("A+7p A*7p A.")
    assert sitting.report().codes[0] == "ACT013"


@pytest.mark.parametrize("rules", ["chengdu", "qq-dingque", "mil-sbr", "chiyu", "novikov-sbr"])
@pytest.mark.parametrize("claim", ["A=7p", "A#7p"])
def test_K08_no_claim_of_the_own_void_suit(rules: str, claim: str) -> None:
    sitting = Sitting(rules, {"A": "777p5m5s..ms"}, dealer="B", voids={"A": "p"})
    assert sitting.play(f"B+7p B-7p {claim}").report().codes[0] == "ACT013"


@pytest.mark.parametrize("timing", ["at_once", "next_draw"])
def test_K10_income_booked_late_comes_to_the_same_when_nobody_hus_on_the_discard(timing: str) -> None:
    sitting = Sitting("chiyu", {"A": "777p9m..m"}, options={"gang_timing": timing})
    paid = sitting.play("A+7p A*7p A.").run_out().clean()
    assert paid.net("gang", end=False) == [6000, -2000, -2000, -2000]
