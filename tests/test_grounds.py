"""A difference in the settlement cites the clause that decides the amount concerned."""

import copy
from pathlib import Path
from typing import Any

import orjson
import pytest

from replay import audit
from replay.catalogue import CATALOGUE, parameter_of
from replay.findings import Finding
from replay.grounds import ENTRY_KEYS
from replay.house import CLAUSE_PARTS
from replay.profile import RuleProfile, load_profile
from replay.schemas import schema
from replay.text.catalogue import code_entry
from replay.wording import Words, languages, text
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


def test_other_scores_cite_no_clause_and_the_payment_that_differs_cites_its_own() -> None:
    scores = [SCORES[0] + 1, SCORES[1], SCORES[2], SCORES[3] - 1]
    document = claiming(scores=scores, ledger=with_amount("hua_zhu"))
    assert cited(document) == [("SET001", ""), ("SET002", "§2.4")]


def test_other_scores_alone_cite_no_clause() -> None:
    between = [SCORES[0] + 1, SCORES[1], SCORES[2], SCORES[3] - 1]
    assert cited(claiming(scores=between)) == [("SET001", "")]
    lone = [SCORES[0], SCORES[1], SCORES[2] + 1, SCORES[3]]
    assert cited(claiming(scores=lone)) == [("SET004", ""), ("SET001", "")]


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


def test_other_totals_cite_no_clause() -> None:
    wrong = [SCORES[0] + 1, SCORES[1], SCORES[2], SCORES[3] - 1]
    document = claiming(ledger=with_amount("hua_zhu")) | {"claimed": {"totals": wrong}}
    assert cited(document) == [("SET005", ""), ("SET002", "§2.4")]
    assert cited(claiming() | {"claimed": {"totals": wrong}}) == [("SET005", "")]


def test_other_coins_cite_how_points_become_coins() -> None:
    document = claiming() | {"claimed": {"coins": [0, 0, 0, 0]}}
    found = dict(cited(document, profile="qq", options={"coin_factor": 10}))
    assert found["SET006"] == "§4"


def test_every_kind_of_payment_has_a_clause_to_cite() -> None:
    kinds = schema("report")["$defs"]["entry"]["properties"]["kind"]["enum"]
    assert set(kinds) == ENTRY_KEYS.keys()


def test_a_finding_s_own_rule_is_what_it_cites_where_its_code_goes_by_the_case_and_nowhere_else() -> None:
    assert parameter_of(Finding("SET002", rule="gang_an")) == "gang_an"
    assert parameter_of(Finding("SET002")) == ""
    assert parameter_of(Finding("SET001", rule="gang_an")) == ""
    assert parameter_of(Finding("SET006", rule="gang_an")) == "coin_factor"


# The report beside the catalogue -------------------------------------------------------------------------

REPORTS = sorted(FOLDER.glob("*/*.report.json"))
EXAMPLES = sorted((FOLDER / "findings").glob("*/bad.json"))


def found_in(path: Path) -> tuple[RuleProfile | None, list[Document]]:
    """The findings of a sample's report, or of an example audited now, and the rule set they rest on."""
    report = orjson.loads(path.read_bytes()) if path in REPORTS else audit(path.read_bytes()).to_dict()
    rules, found = report["rules"], [*report["findings"]]
    found += [one for hand in report["hands"] for one in hand["findings"]]
    return (load_profile(rules["profile"], rules["options"]) if rules["digest"] else None), found


@pytest.mark.parametrize("path", [*REPORTS, *EXAMPLES], ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_finding_carries_a_clause_exactly_where_the_catalogue_says_that_its_code_cites_one(
    path: Path,
) -> None:
    none = text("en", "catalogue.clause.none")
    rules, found = found_in(path)
    assert found or path not in EXAMPLES
    for one in found:
        entry = code_entry(Words.of("en"), one["code"])
        said = Finding(one["code"], one["params"])
        if entry.cites == none:
            assert one["clause"] is None, one["code"]
        elif rules is not None and parameter_of(said) in rules.cites:
            clause = rules.cites[parameter_of(said)]
            assert one["clause"] == {name: getattr(clause, name) for name in CLAUSE_PARTS}, one["code"]


@pytest.mark.parametrize("code", CATALOGUE)
def test_the_catalogue_says_of_every_code_what_it_cites(code: str) -> None:
    for lang in languages():
        entry = code_entry(Words.of(lang), code)
        none = text(lang, "catalogue.clause.none")
        assert bool(entry.cites) is not bool(entry.clauses)
        assert (entry.cites == none) is not (CATALOGUE[code].by_case or bool(entry.clauses))


def test_the_examples_show_a_clause_for_every_code_that_goes_by_the_case() -> None:
    shown = {one["code"] for path in EXAMPLES for one in found_in(path)[1] if one["clause"]}
    assert {code for code, entry in CATALOGUE.items() if entry.by_case} == {"SET002", "SET003"} <= shown
