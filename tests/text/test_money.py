"""Every win and every payment says why; 番 and points stay apart."""

from typing import Any

import pytest

from replay.text import report_text

from .samples import HU, WIN, entry, hand, joined, lines, log, report


def test_a_win_tells_fan_and_points_apart() -> None:
    said = joined(report(hand()), "en")
    assert "step 58: seat 0 hu's on 5p, discarded by seat 3" in said
    assert "all triplets (dui dui hu) 2 fan + four alike (gen) 1 fan × 2 = 4 fan; price 8 points" in said
    assert "Hand: 111m, 55p" in said
    assert "第58步：甲胡5筒，丁点炮。对对胡2番、根1番×2，共4番，8分。" in joined(report(hand()), "zh-Hans")


def test_the_cap_is_named_beside_the_rule_set_and_where_it_cut() -> None:
    said = joined(report(hand()), "en", values={"cap_fan": 3})
    assert "Who pays whom (rule set a-room, cap 3 fan)" in said
    assert "price 8 points (cut at the cap of 3 fan)" in said
    assert "cut at" not in joined(report(hand()), "en", values={"cap_fan": 4})
    assert "rule set a-room, no cap" in joined(report(hand()), "en", values={"cap_fan": None})
    assert "cap" not in joined(report(hand()), "en")


def test_an_option_of_the_log_overrides_the_cap() -> None:
    rules = {"profile": "a-room", "options": {"cap_fan": 3, "base": 2}}
    said = joined(report(hand(), rules=rules), "en", values={"cap_fan": 6})
    assert "rule set a-room, cap 3 fan, base = 2" in said


@pytest.mark.parametrize(
    ("win", "before", "said"),
    [
        ({"from": None}, "draw", "甲自摸5筒"),
        ({}, "discard", "甲胡5筒，丁点炮"),
        ({}, "gang", "甲抢杠胡5筒，被抢的是丁"),
        ({"extras": [{"id": "qiang_gang", "fan": 1}]}, "discard", "甲抢杠胡5筒，被抢的是丁"),
    ],
)
def test_how_a_hand_was_won(win: dict[str, Any], before: str, said: str) -> None:
    game = log()
    game["hands"][0]["actions"] = [{"type": before}] * 56 + [{"type": "pass"}, {"type": "hu"}]
    assert said in joined(report(hand(wins=[WIN | win])), "zh-Hans", game)


BEST = {"tile": "3p", "fan": 2, "price": 2, "shape": {"id": "ping_hu", "fan": 1}}
BEST |= {"extras": [{"id": "gen", "fan": 1}]}


@pytest.mark.parametrize(
    ("payment", "said"),
    [
        (HU, "丁付给甲8分：第58步胡牌，对对胡2番、根1番×2，共4番，8分"),
        (entry("hu", at=57), "第58步胡牌，对对胡2番、根1番×2，共4番，8分"),
        (entry("gang", at=11, because={"gang": 11, "kind": "zhi"}), "丁付给甲2分：第12步直杠4条"),
        (
            entry("transfer", because={"gang": 11, "win": 0}),
            "呼叫转移，杠后打出的牌在第58步被胡，杠钱转给胡家：第12步暗杠4条",
        ),
        (
            entry("refund", because={"gang": 11, "reason": "not_ready"}, reverses=0),
            "退税，流局时没叫：第12步暗杠4条（退还第1笔）",
        ),
        (
            entry("refund", because={"gang": 11, "reason": "gang_pao"}),
            "退还杠钱，杠后打出的牌被胡：第12步暗杠4条",
        ),
        (entry("hua_zhu", because={"hua_zhu": 3}), "查花猪，丁流局时没有打缺"),
        (entry("hua_zhu", because={"hua_zhu": 3, "tiles": "1m9m"}), "查花猪，丁流局时还有19万没打完"),
        (
            entry("da_jiao", because={"ready": ["3p", "6p"], "best": BEST}),
            "查大叫，丁流局时没叫；甲有叫（3筒、6筒），最大可胡3筒；平胡1番、根1番，共2番；2分",
        ),
        (entry("da_jiao", because={"ready": ["3p"]}), "查大叫，流局时没叫，甲有叫（3筒）"),
        (entry("da_jiao"), "查大叫，流局时没叫，甲已经胡牌"),
        (entry("da_jiao", to=1), "丁付给乙2分：查大叫"),
        (
            entry("refund", because={"gang": 11, "reason": "illegal_hu"}),
            "退还杠钱，胡牌不合规则：第12步暗杠4条",
        ),
        (
            entry("penalty", to=None, because={"illegal_hu": 57}),
            "丁付给系统（不归任何一家）2分：第58步的胡牌不合规则",
        ),
        (entry("flee", at=60), "逃跑，第61步"),
        (entry("xiang_gong"), "相公（包牌）"),
        (entry("something-new"), "something-new"),
        (HU | {"because": {"win": 0, "piao": 4}}, "8分，飘×4"),
        (HU | {"because": {"win": 0, "price": 7, "bonus": 1}}, "8分，另加自摸加底1分"),
        (
            HU | {"because": {"win": 0, "extras": [{"id": "payer_gang_exposed", "fan": 1, "count": 2}]}},
            "8分，另加付方明杠1番×2",
        ),
    ],
)
def test_every_payment_says_why(payment: dict[str, Any], said: str) -> None:
    game = log()
    game["hands"][0]["actions"] = [{"type": "draw"}] * 118
    game["hands"][0]["actions"][11] = {"type": "gang", "seat": 0, "kind": "an", "tile": "4s"}
    flat = "".join(report_text(report(hand(ledger=[payment])), "zh-Hans", game).split())
    assert "".join(said.split()) in flat


def test_a_gang_is_known_from_the_ledger_where_no_log_is_at_hand() -> None:
    ledger = [
        entry("gang", at=11, because={"gang": 11, "kind": "bu"}),
        entry("transfer", because={"gang": 11, "win": 0}),
    ]
    assert joined(report(hand(ledger=ledger)), "en").count("added gang at step 12") == 2


def test_payments_are_numbered_one_a_line() -> None:
    said = lines(report(hand(ledger=[HU, HU | {"from": 1}])), "en")
    numbers = [line.split(".")[0] for line in said if line.startswith("    ") and " pays " in line]
    assert numbers == ["    1", "    2"]


def test_the_claim_stands_beside_the_scores_with_the_first_difference() -> None:
    said = lines(report(hand(claimed=[8, -8, 0, 0])), "en")
    at = said.index("  Scores: seat 0 +8, seat 1 0, seat 2 0, seat 3 -8")
    assert said[at + 1] == "  Claimed: seat 0 +8, seat 1 -8, seat 2 0, seat 3 0"
    assert said[at + 2] == "  First difference: seat 1, claimed -8, recomputed 0"
    assert "  Claimed: the same." in lines(report(hand()), "en")
    assert "  The log claims no scores for this hand." in lines(report(hand(claimed=None)), "en")


def test_who_was_ready_and_who_may_deal_next() -> None:
    said = joined(report(hand(ready={"1": ["3p", "6p"], "3": ["9s"]}, next_dealer=[0, 2])), "zh-Hans")
    assert "流局时有叫：乙叫3筒、6筒；丁叫9条" in said
    assert "下局可坐庄：甲、丙" in said
    assert "流局时都没叫" in joined(report(hand(ready={})), "zh-Hans")
