"""Each payment says why, from the facts of the report: hand, fan with their clauses, multiplication, payer."""

from typing import Any

import pytest

from replay.text import page_of, report_text
from replay.text.page import Page
from replay.text.why import clauses, why_paid

from .samples import LANGUAGES, WIN, entry, hand, joined, report

CITES = {
    "shapes": {"document": "000", "section": "牌型番数算法 1", "text": "平胡（基本胡），一番"},
    "shapes.dui_dui_hu": {"document": "000", "section": "牌型番数算法 2", "text": "对对胡：玩家手牌"},
    "gen": {"document": "004", "section": "§5 另加番", "text": "胡牌時1根加1番"},
    "cap_fan": {"document": "000", "section": "§1.2", "text": "封顶番数不同"},
    "hu_on_discard": {"document": "000", "section": "§2.3", "text": "点炮者输点，与他人无关。"},
    "zi_mo_payers": {"document": "000", "section": "§2.3", "text": "自摸牌，杠上花，另外三家输。"},
    "gang_zhi": {"document": "000", "section": "§2.8", "text": "明杠时杠家收取引杠家一倍点数"},
    "transfer": {"document": "000", "section": "§2.7", "text": "呼叫转移"},
    "hua_zhu": {"document": "000", "section": "§2.4", "text": "花猪家赔"},
    "hua_zhu_amount": {"document": "000", "section": "§2.4", "text": "花猪家赔"},
    "piao": {"document": "001", "section": "特殊规则", "text": "飘的玩家"},
}
EXP = {"id": "exp", "base": 1, "cap": 6}
DIAN_PAO = {
    "win": 0, "price": 8, "bonus": 0, "payer": "discarder", "laid_at": 56, "robbed": False, "scale": EXP,
    "fan": 4, "owed": 8, "rules": ["shapes.dui_dui_hu", "gen", "scale", "hu_on_discard"],
}  # fmt: skip
GANG = {"gang": 11, "kind": "zhi", "tile": "4s", "units": 1, "base": 6, "owed": 6, "payer": "feeder"}
BEST = {
    "tile": "3p", "fan": 2, "price": 2, "shape": {"id": "ping_hu", "fan": 1},
    "extras": [{"id": "gen", "fan": 1, "count": 1}], "sets": ["1m2m3m", "3p3p"],
}  # fmt: skip
READY = {"ready": ["3p", "6p"], "best": BEST, "scale": EXP}


def page(lang: str, *wins: dict[str, Any], **fields: Any) -> tuple[Page, dict[str, Any]]:
    written = report(hand(wins=list(wins) or [WIN], **fields))
    written["rules"]["cites"] = CITES
    return page_of(written, lang), written["hands"][0]


def why(lang: str, payment: dict[str, Any], *wins: dict[str, Any]) -> str:
    return why_paid(*page(lang, *wins), payment)


def hu(win: dict[str, Any] | None = None, amount: int = 8, **because: Any) -> str:
    """The sentence of a hu, with other facts than those of a discard."""
    payment = entry("hu", at=57, amount=amount, because=DIAN_PAO | because)
    return why("zh-Hans", payment, WIN | (win or {}))


# Hu --------------------------------------------------------------------------------------------------


def test_a_hu_tells_tiles_fan_clauses_multiplication_and_payer() -> None:
    assert hu() == (
        "第58步胡5筒，丁第57步打出；牌型111万、55筒；"
        "对对胡2番（000 牌型番数算法 2）、根1番×2（004 §5 另加番），共4番；底1×2^(4−1)=8分；"
        "丁付，点炮者付（000 §2.3）"
    )


def test_a_hu_is_told_in_every_language() -> None:
    payment = entry("hu", at=57, amount=8, because=DIAN_PAO)
    assert why("en", payment) == (
        "hu at step 58 on 5p, which seat 3 discarded at step 57; hand 111m, 55p; "
        "all triplets (dui dui hu) 2 fan (000 牌型番数算法 2) + four alike (gen) 1 fan × 2 (004 §5 另加番)"
        " = 4 fan; base 1 × 2^(4 − 1) = 8 points; seat 3 pays, having discarded the tile (000 §2.3)"
    )
    assert why("zh-Hant", payment).endswith("底1×2^(4−1)=8分；丁付，點炮者付（000 §2.3）")


def test_a_fan_that_is_not_cited_apart_cites_its_table() -> None:
    win = {"shape": {"id": "qing_yi_se", "fan": 2}}
    assert "清一色2番（000 牌型番数算法 1）" in hu(win)


@pytest.mark.parametrize(
    ("scale", "fan", "owed", "said"),
    [
        (EXP, 4, 8, "底1×2^(4−1)=8分"),
        ({"id": "exp0", "base": 1, "cap": None}, 2, 4, "底1×2^2=4分"),
        ({"id": "lin", "base": 5, "cap": None}, 10, 50, "底5×10=50分"),
        ({"id": "exp", "base": 2, "cap": 3}, 5, 8, "底2×2^(3−1)=8分，封顶3番（000 §1.2）"),
        ({"id": "by dice", "base": 2, "cap": 3}, 5, 8, "；8分；"),
    ],
)
def test_the_multiplication_is_that_of_the_scale(
    scale: dict[str, Any], fan: int, owed: int, said: str
) -> None:
    assert said in hu(scale=scale, fan=fan, owed=owed)


def test_what_the_self_draw_adds_and_piao_multiplies_is_told_step_by_step() -> None:
    said = hu({"from": None}, amount=36, payer="in_play", bonus=1, piao=4)
    assert said.startswith("第58步自摸5筒；")
    assert "底1×2^(4−1)=8分，另加自摸加底1分，飘×4（001 特殊规则），共36分；" in said
    assert said.endswith("丁付，自摸由未胡的各家付（000 §2.3）")


def test_the_payer_s_gangs_stand_among_the_fan() -> None:
    own = [{"id": "payer_gang_exposed", "fan": 1, "count": 2}]
    assert "、付方明杠1番×2，共6番；" in hu(payer_gangs=own, fan=6, owed=32)


def test_wildcards_tell_what_they_stand_for() -> None:
    assert "；听用（2万）当作5筒、7条；" in hu(wild={"tile": "2m", "stands_for": ["5p", "7s"]})


@pytest.mark.parametrize(
    ("because", "said"),
    [
        ({"robbed": True, "payer": "robbed"}, "第58步抢杠胡5筒，丁第57步补杠；"),
        ({"robbed": True, "payer": "robbed"}, "；丁付，被抢杠者付"),
        (
            {"payer": "feeder", "gang": 50, "kind": "zhi", "tile": "4s"},
            "；丁付，引杠者付：第51步直杠4条",
        ),
        (
            {"payer": "gang_feeder", "gang": 50, "kind": "zhi", "tile": "4s"},
            "；丁付，杠上花由引杠者付：第51步直杠4条",
        ),
        ({"payer": "all"}, "；丁付，自摸由其余三家付（000 §2.3）"),
    ],
)
def test_who_pays_a_hu_and_why(because: dict[str, Any], said: str) -> None:
    assert said in hu(**because)


# Gangs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("because", "said"),
    [
        ({}, "第12步直杠4条：1×底6=6分（000 §2.8）；丁付，引杠者付"),
        ({"payer": "others", "units": 1}, "第12步直杠4条：1×底6=6分；丁付，其余未胡的各家付"),
        (
            {"kind": "an", "payer": "in_play", "units": 2, "owed": 12},
            "第12步暗杠4条：2×底6=12分；丁付，未胡的各家付",
        ),
        ({"piao": 2}, "第12步直杠4条：1×底6=6分（000 §2.8），飘×2（001 特殊规则），共12分；丁付，引杠者付"),
    ],
)
def test_a_gang_tells_its_bases_and_payer(because: dict[str, Any], said: str) -> None:
    assert why("zh-Hans", entry("gang", at=11, amount=12, because=GANG | because)) == said


def test_a_transfer_names_the_gang_and_the_payments_whose_sum_it_is() -> None:
    because = {"gang": 11, "kind": "an", "tile": "4s", "win": 0, "entries": [0, 2]}
    assert why("zh-Hans", entry("transfer", amount=4, because=because)) == (
        "呼叫转移，杠后打出的牌在第58步被胡，杠钱转给胡家：第12步暗杠4条（000 §2.7）；"
        "每个胡家得该杠所得全数（第1、3笔）：4分"
    )


def test_what_a_spoilt_ready_hand_voids_is_given_back() -> None:
    because = {"reason": "xiang_gong", "win": 0}
    said = why("zh-Hans", entry("refund", at=57, because=because, reverses=1))
    assert said == "作废，第58步有人胡牌，由相公包牌（退还第2笔）"


# Liuju and flight ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("because", "said"),
    [
        (
            {"tiles": "1m9m", "void": "m", "by": "cap", "scale": EXP, "fan": 6, "owed": 32},
            "查花猪，丁流局时还有19万没打完（000 §2.4）；赔封顶的分；底1×2^(6−1)=32分；赔给：未胡的其他各家",
        ),
        (
            {"tiles": "1m9p2s", "void": None, "by": "base_times", "times": 32, "base": 10, "owed": 320},
            "查花猪，丁流局时仍有三门牌：1万9筒2条（000 §2.4）；赔32×底10=320分；赔给：未胡的其他各家",
        ),
        (
            {"by": "best_times", "times": 5, "owed": 10, **READY},
            "查花猪，丁流局时没有打缺（000 §2.4）；甲有叫（3筒、6筒），最大可胡3筒；牌型123万、33筒；"
            "平胡1番（000 牌型番数算法 1）、根1番（004 §5 另加番），共2番；底1×2^(2−1)=2分；"
            "赔甲最大可得的5倍：10分；赔给：未胡的其他各家",
        ),
        (
            {"by": "best_or_fixed", "fixed": 8000, "owed": 8000, "win": 0},
            "查花猪，丁流局时没有打缺（000 §2.4）；甲已经胡牌，最大一次在第58步；"
            "对对胡2番（000 牌型番数算法 2）、根1番×2（004 §5 另加番），共4番；8分；"
            "8000分与甲最大可得，赔较大者；赔给：未胡的其他各家",
        ),
        (
            {"by": "fixed", "fixed": 24, "owed": 24},
            "查花猪，丁流局时没有打缺（000 §2.4）；赔24分；赔给：未胡的其他各家",
        ),
    ],
)
def test_a_huazhu_tells_its_tiles_and_what_it_pays(because: dict[str, Any], said: str) -> None:
    payment = entry("hua_zhu", because={"hua_zhu": 3, "payees": "in_play", **because})
    assert why("zh-Hans", payment) == said


def test_a_da_jiao_takes_the_best_hand_apart() -> None:
    payment = entry("da_jiao", amount=4, because={**READY, "payees": "ready", "piao": 2})
    assert why("zh-Hans", payment) == (
        "查大叫，丁流局时没叫；甲有叫（3筒、6筒），最大可胡3筒；牌型123万、33筒；"
        "平胡1番（000 牌型番数算法 1）、根1番（004 §5 另加番），共2番；"
        "底1×2^(2−1)=2分，飘×2（001 特殊规则），共4分；赔给：有叫的"
    )


@pytest.mark.parametrize(
    ("kind", "because", "said"),
    [
        ("flee", {"flee": 60, "units": 16, "base": 6, "owed": 96}, "丁第61步逃跑；16×底6=96分"),
        (
            "flee",
            {"flee": 60, "best": BEST, "scale": EXP},
            "丁第61步逃跑；剩牌不多，按没叫赔付更大，赔较大者；甲最大可胡3筒；牌型123万、33筒；"
            "平胡1番（000 牌型番数算法 1）、根1番（004 §5 另加番），共2番；底1×2^(2−1)=2分",
        ),
        ("forfeit", {"forfeit": 60}, "丁胡后于第61步离开，胡牌所赢作废"),
        (
            "xiang_gong",
            {"xiang_gong": 3, "gang": 11, "kind": "an", "tile": "4s", "fan": 4, "price": 8, "scale": EXP},
            "丁听牌后开杠，不再听牌：第12步暗杠4条；赔给其他各家每家4番，代替这次胡的钱；这次胡和本局其他输赢都不算；底1×2^(4−1)=8分",
        ),
        (
            "penalty",
            {"void_breach": "m", "tiles": "1m9m"},
            "丁没有先打缺门（万），终局时还有19万没打完，罚分",
        ),
    ],
)
def test_flight_and_penalties_say_why(kind: str, because: dict[str, Any], said: str) -> None:
    assert why("zh-Hans", entry(kind, at=60, because=because)) == said


# Clauses ---------------------------------------------------------------------------------------------


def test_the_clauses_are_quoted_once_with_all_that_they_decide() -> None:
    shown, _ = page("zh-Hans")
    rules = ["hua_zhu", "hua_zhu_amount", "nobody cites this"]
    found = clauses(shown, [entry("hua_zhu", because={"rules": rules}), entry("hu", because=DIAN_PAO)])
    assert [(one.section, one.rule) for one in found] == [
        ("§2.4", "查花猪、花猪赔多少"),
        ("牌型番数算法 2", "对对胡"),
        ("§5 另加番", "根的算法"),
        ("§2.3", "点炮胡"),
    ]


def test_the_text_of_a_report_quotes_the_clauses_of_its_payments() -> None:
    written = report(hand(ledger=[entry("hu", because=DIAN_PAO)]))
    written["rules"]["cites"] = CITES
    said = joined(written, "en")
    assert "The clauses that these payments rest on" in said
    assert "- Clause (hu on a discard): document 000, §2.3: “点炮者输点，与他人无关。”" in said
    assert "The clauses" not in joined(report(hand()), "en")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "kind", ["hu", "gang", "transfer", "refund", "hua_zhu", "da_jiao", "flee", "xiang_gong"]
)
def test_facts_that_nobody_knows_make_a_sentence_shorter_and_nothing_worse(lang: str, kind: str) -> None:
    odd = {
        "payer": "nobody", "scale": {"id": "?"}, "fan": 3, "owed": 1, "by": "?", "payees": "?", "rules": ["?"],
        "best": {}, "ready": ["1m"], "wild": {}, "entries": ["?"], "piao": "?", "gang": "?", "reason": "?",
        "flee": 1, "xiang_gong": 9,
    }  # fmt: skip
    for because in (odd, {name: odd[name] for name in odd if name != "best"}, {}):
        written = report(hand(ledger=[entry(kind, because=because)]))
        assert "1. " in report_text(written, lang)


def test_the_coins_say_how_they_follow_from_the_points() -> None:
    said = joined(report(hand(), coins=[60, -12, -2, -52]), "en", values={"coin_factor": 10, "rake": 2})
    assert "Coins: seat 0 +60, seat 1 -12, seat 2 -2, seat 3 -52 Coins of a hand: points × 10 − 2" in said
