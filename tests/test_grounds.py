"""A difference in the settlement cites the clause that decides the amount concerned."""

import copy
from typing import Any

import orjson
import pytest

from replay import audit
from replay.catalogue import parameter_of
from replay.findings import Finding
from replay.grounds import ENTRY_KEYS
from replay.schemas import schema
from tests.goldens import FOLDER

Document = dict[str, Any]

SAMPLE: Document = orjson.loads((FOLDER / "chengdu" / "liuju-hua-zhu-da-jiao.json").read_bytes())
REPORT = audit(SAMPLE).to_dict()
LEDGER = [
    {name: entry[name] for name in ("kind", "from", "to", "amount", "at") if entry[name] is not None}
    for entry in REPORT["hands"][0]["ledger"]
]
SCORES: list[int] = REPORT["hands"][0]["scores"]


def claiming(**claimed: Any) -> Document:
    """The sample with another claim for its hand, and none for the sitting."""
    document = copy.deepcopy(SAMPLE)
    document["hands"][0]["claimed"] = claimed
    document.pop("claimed", None)
    return document


def cited(document: Document, **how: Any) -> list[tuple[str, str]]:
    """The codes of what is found in the document, each with the section of its clause."""
    report = audit(document, **how).to_dict()
    found = [*report["findings"], *(one for hand in report["hands"] for one in hand["findings"])]
    return [(one["code"], (one["clause"] or {}).get("section", "")) for one in found]


def with_amount(kind: str) -> list[dict[str, Any]]:
    """The ledger with one point more in the first entry of a kind."""
    ledger = copy.deepcopy(LEDGER)
    next(entry for entry in ledger if entry["kind"] == kind)["amount"] += 1
    return ledger


@pytest.mark.parametrize(
    ("kind", "section"),
    [
        ("hu", "牌型番数算法 1"),
        ("gang", "§2.9"),
        ("hua_zhu", "§2.4"),
        ("da_jiao", "§2.4"),
        ("refund", "§2.4"),
    ],
)
def test_another_amount_cites_what_decides_the_entry(kind: str, section: str) -> None:
    assert cited(claiming(ledger=with_amount(kind))) == [("SET002", section)]


def test_each_kind_of_liuju_entry_cites_its_own_words() -> None:
    texts = {}
    for kind in ("hua_zhu", "da_jiao", "refund"):
        (finding,) = audit(claiming(ledger=with_amount(kind))).to_dict()["hands"][0]["findings"]
        texts[kind] = finding["clause"]["text"]
    assert texts == {
        "hua_zhu": "花猪家赔给其他没胡走的非花猪家极品（封顶番数点）",
        "da_jiao": "没有听牌的人赔给有听者牌面最大可得的点数",
        "refund": "没听牌的人退回所有刮风下雨所得。",
    }


@pytest.mark.parametrize(
    ("kind", "at", "section"),
    [("transfer", 92, "§2.7"), ("gang", 122, "§2.9"), ("gang", 3, "§1.1"), ("rake", 92, "")],
)
def test_an_entry_that_is_claimed_alone_cites_what_would_decide_it(kind: str, at: int, section: str) -> None:
    extra = {"kind": kind, "from": 2, "to": 1, "amount": 7, "at": at}
    assert cited(claiming(ledger=[*LEDGER, extra])) == [("SET002", section)]


def test_other_scores_cite_what_decides_the_first_entry_that_differs() -> None:
    scores = [SCORES[0] + 1, SCORES[1], SCORES[2], SCORES[3] - 1]
    document = claiming(scores=scores, ledger=with_amount("hua_zhu"))
    assert cited(document) == [("SET001", "§2.4"), ("SET002", "§2.4")]


def test_other_scores_alone_cite_the_first_entry_between_the_seats_that_differ() -> None:
    between = [SCORES[0] + 1, SCORES[1], SCORES[2], SCORES[3] - 1]
    assert cited(claiming(scores=between)) == [("SET001", "§2.9")]
    lone = [SCORES[0], SCORES[1], SCORES[2] + 1, SCORES[3]]
    assert cited(claiming(scores=lone)) == [("SET004", "牌型番数算法 1"), ("SET001", "牌型番数算法 1")]


@pytest.mark.parametrize(
    ("win", "sections"),
    [
        ({"fan": 3}, ["牌型番数算法 1"]),
        ({"price": 2}, ["牌型番数算法 6"]),
        ({"shapes": ["ping_hu", "gang_pao"]}, ["§5 另加番"]),
        ({"shapes": ["dui_dui_hu"]}, ["牌型番数算法 2"]),
        ({"at": 91}, ["牌型番数算法 1"]),
    ],
)
def test_a_hu_that_is_told_otherwise_cites_what_decides_the_field(
    win: dict[str, Any], sections: list[str]
) -> None:
    told = claiming(wins=[{"seat": 2, **win}])
    assert cited(told) == [("SET003", section) for section in sections]


def test_a_price_beyond_the_cap_cites_the_cap() -> None:
    told = claiming(wins=[{"seat": 2, "fan": 1, "price": 9}])
    assert cited(told, options={"cap_fan": 1, "shapes": {"ping_hu": 2}})[-1] == ("SET003", "§1.2")


def test_a_hu_that_only_one_side_has_cites_what_a_hu_is() -> None:
    (finding,) = audit(claiming(wins=[])).to_dict()["hands"][0]["findings"]
    assert finding["clause"]["text"] == "四坎牌加一对将（四坎牌可为刻子也可以是顺子）"


def test_other_totals_cite_the_first_difference_of_a_hand_or_of_their_own() -> None:
    wrong = [SCORES[0] + 1, SCORES[1], SCORES[2], SCORES[3] - 1]
    document = claiming(ledger=with_amount("hua_zhu")) | {"claimed": {"totals": wrong}}
    assert cited(document)[0] == ("SET005", "§2.4")
    assert cited(claiming() | {"claimed": {"totals": wrong}}) == [("SET005", "§2.9")]


def test_other_coins_cite_how_points_become_coins() -> None:
    document = claiming() | {"claimed": {"coins": [0, 0, 0, 0]}}
    found = dict(cited(document, profile="qq", options={"coin_factor": 10}))
    assert found["SET006"] == "§4"


def test_every_kind_of_payment_has_a_clause_to_cite() -> None:
    kinds = schema("report")["$defs"]["entry"]["properties"]["kind"]["enum"]
    assert set(kinds) == ENTRY_KEYS.keys()


def test_a_finding_s_own_rule_comes_before_that_of_its_code() -> None:
    assert parameter_of(Finding("SET002", rule="gang_an")) == "gang_an"
    assert parameter_of(Finding("SET002")) == ""
