"""A finding becomes a sentence in each language's own way of naming tiles, seats and amounts."""

import unicodedata
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.catalogue import CATALOGUE, Code, ParamType
from replay.findings import Finding
from replay.tiles import TILES
from replay.wording import Words, render, text
from replay.wording.plain import HIDDEN
from replay.wording.render import WRITE
from replay.wording.words import signed

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
ENTRIES = list(CATALOGUE.values())
CASES = [(lang, entry) for lang in LANGUAGES for entry in ENTRIES]

SAMPLES: dict[ParamType, Any] = {
    "action": "peng", "actions": ["hu", "peng"], "at": 4,
    "entry": {"kind": "hu", "from": 1, "to": 0, "amount": 8, "at": 57},
    "fact": "pass", "facts": ["pass", "void"], "fan": 3, "field": 4, "flag": True, "gang": "bu",
    "held": "1m1m", "int": 7, "limit": "depth", "meld_list": ["1m1m1m"], "points": 16,
    "scores": [8, -8, 0, 0], "seat": 3, "seats": [0, 2], "step": 41, "suit": "p", "suits": ["m", "p"],
    "phrase": "Wort", "phrases": ["Wort"], "sum": -4, "text": "Wort", "texts": ["Wort"],
    "tile": "5p", "tile_list": ["3p", "6p"], "tiles": "1m9m", "value": "5p",
}  # fmt: skip


def sample(entry: Code, **params: Any) -> Finding:
    facts = {name: SAMPLES[kind] for name, kind in entry.params.items()} | params
    return Finding(entry.code, facts, hand=0, action=41, seat=2)


@pytest.mark.parametrize(("lang", "entry"), CASES, ids=lambda case: getattr(case, "code", case))
def test_a_finding_becomes_a_whole_sentence(lang: str, entry: Code) -> None:
    said = render(sample(entry), lang)
    assert said[-1] in ".。" or entry.code in ("IMP001", "SET002")
    assert not set("{}[]") & set(said)
    assert "None" not in said
    assert "?" not in said
    assert "？" not in said


@pytest.mark.parametrize(("lang", "entry"), CASES, ids=lambda case: getattr(case, "code", case))
def test_a_finding_without_its_facts_is_still_said(lang: str, entry: Code) -> None:
    assert render(Finding(entry.code), lang)
    assert render(Finding(entry.code, dict.fromkeys(entry.params)), lang)


def test_every_type_of_fact_can_be_written() -> None:
    assert set(WRITE) == set(get_args(ParamType))
    assert set(SAMPLES) == set(get_args(ParamType))


@pytest.mark.parametrize(
    ("code", "reasons"),
    [
        ("ACT010", "missing late twice"),
        ("ACT014", "suit count held missing twice"),
        ("ACT015", "tiles no_peng after_peng no_tile_left"),
        ("HND003", "three_hu first_hu wall_empty"),
        ("SET003", "win fan price shapes at"),
        ("ACT002", "tail"),
        ("ACT016", "head tail"),
        ("ACT008", "hu"),
        ("ACT017", "not_in_rules not_held no_meld no_tile gang"),
    ],
)
def test_every_reason_has_its_own_message(code: str, reasons: str) -> None:
    entry = CATALOGUE[code]
    said = {render(sample(entry, **{entry.by: reason}), "zh-Hans") for reason in ["?", *reasons.split()]}
    assert len(said) == 1 + len(reasons.split())


def test_an_action_outside_the_rules_is_told_from_one_at_the_wrong_moment() -> None:
    facts = {"type": "piao", "phase": "turn"}
    outside, misplaced = (
        Finding("ACT005", facts | {"reason": why}, seat=0) for why in ("not_in_rules", "not_now")
    )
    assert render(outside, "zh-Hans") == "甲：本规则没有“飘”。"
    assert render(misplaced, "zh-Hans") == "甲飘，但此时不能飘；这一步不计。"


@pytest.mark.parametrize(
    ("lang", "tile", "tiles"),
    [
        ("en", "5p", "11m 5p 9s east wind"),
        ("zh-Hans", "5筒", "11万5筒9条东风"),
        ("zh-Hant", "5筒", "11萬5筒9條東風"),
    ],
)
def test_tiles_are_named_the_languages_own_way(lang: str, tile: str, tiles: str) -> None:
    words = Words.of(lang)
    assert words.tile("5p") == tile
    assert words.tiles("1m1m5p9s1z") == tiles
    assert len({words.tile(name) for name in TILES}) == 34


def test_what_is_no_tile_is_shown_as_it_is() -> None:
    assert Words.of("zh-Hans").tiles("1m0x") == "1m0x"
    assert Words.of("zh-Hans").tiles("1m5") == "1m5"
    assert Words.of("zh-Hans").tile("\x1b") == "\\u001b"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_fan_and_points_are_never_written_alike(lang: str) -> None:
    words = Words.of(lang)
    assert len({words.fan(4), words.points(4), words.step(3), words.hand(3)}) == 4


def test_people_count_steps_from_one() -> None:
    assert Words.of("en").step(41) == "step 42"
    assert Words.of("zh-Hans").hand(0) == "第1局"
    assert Words.of("en").step(-1) == Words.of("en").step(None) == "?"


def test_seats_are_neutral_names_with_the_players_name() -> None:
    names = ["Ann", "", "Bo"]
    english = [Words.of("en", names).seat(seat) for seat in range(4)]
    assert english == ["seat 0 (Ann)", "seat 1", "seat 2 (Bo)", "seat 3"]
    assert [Words.of("zh-Hant").seat(seat) for seat in range(4)] == ["甲", "乙", "丙", "丁"]
    assert Words.of("en").seat(None) == Words.of("en").seat(4) == Words.of("en").seat(True) == "a seat"


def test_a_finding_in_a_report_reads_like_the_finding() -> None:
    facts = {"tile": "5p", "fan": 2, "price": 2, "passed": ["3p"], "passed_price": 4}
    finding = Finding("ACT023", facts, seat=1)
    entry = {"code": "ACT023", "kind": "illegal", "seat": 1, "params": facts, "message": "old"}
    for lang in LANGUAGES:
        assert render(entry, lang, ["", "李明"]) == render(finding, lang, ["", "李明"])
    assert render(entry, "zh-Hans", ["", "李明"]) == (
        "乙（李明）胡5筒（2番，2分），但此前弃胡3筒（4分），之后还没有再摸牌，属于过水。"
    )


def test_a_code_of_a_newer_engine_is_shown_by_its_message() -> None:
    assert render({"code": "ACT999", "message": "new\x07", "params": {}}, "en") == "new\\u0007"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_open_question_names_itself_and_what_is_missing(lang: str) -> None:
    said = render(Finding("ACT012", {"missing": ["void", "pass"]}, kind="undecidable"), lang)
    assert text(lang, "ACT012.question") in said
    assert text(lang, "fact.void") in said
    assert text(lang, "fact.pass") in said
    assert render(Finding("ACT012", kind="undecidable"), lang).startswith(said[:4])


def test_a_forced_hu_on_the_own_draw_names_no_other_seat() -> None:
    facts = {"tile": "5p", "left": 2}
    drawn, discarded = (Finding("HND001", facts | {"from": source}, seat=0) for source in (None, 3))
    assert render(drawn, "zh-Hans") == "甲摸到5筒必须胡，却没有胡；牌墙还剩2张。"
    assert render(discarded, "zh-Hans") == "甲必须胡丁的5筒，却没有胡；牌墙还剩2张。"


def test_a_missing_time_is_no_earlier_time() -> None:
    assert (
        render(Finding("LOG009", {"ms": None, "before": 5}), "zh-Hans")
        == "牌谱承诺记录时间，但这一步没有时间。"
    )
    assert "3毫秒" in render(Finding("LOG009", {"ms": 3, "before": 5}), "zh-Hans")


def test_a_payment_that_is_missing_on_one_side_is_told_from_one_that_differs() -> None:
    entry = SAMPLES["entry"]
    both = Finding("SET002", {"claimed": entry, "recomputed": {**entry, "amount": 16}, "first": False})
    assert render(both, "en") == (
        "Claimed: hu, seat 1 pays seat 0 8 points (step 58). Due: hu, seat 1 pays seat 0 16 points (step 58)."
    )
    assert render(Finding("SET002", {"claimed": None, "recomputed": entry, "first": True}), "zh-Hans") == (
        "应有而牌谱漏写：胡牌，乙付给甲8分（第58步）。这是第一笔不符。"
    )
    assert "not due" in render(Finding("SET002", {"claimed": entry, "recomputed": None}), "en")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("fan", 4, "4番"),
        ("price", 4, "4分"),
        ("at", 4, "第5步"),
        ("shapes", ["qing_dui", "gen"], "清对、根"),
        ("win", {"seat": 1, "at": 4, "fan": 3}, "乙、第5步、3番"),
        ("win", None, "无"),
    ],
)
def test_a_value_of_a_win_is_written_by_its_field(field: str, value: Any, said: str) -> None:
    finding = Finding("SET003", {"field": field, "claimed": value, "recomputed": value}, seat=0)
    assert render(finding, "zh-Hans").count(said) == 2


@settings(deadline=None)
@given(st.recursive(st.none() | st.integers() | st.text() | st.booleans(), st.lists, max_leaves=5))
def test_no_fact_however_odd_stops_a_message(value: Any) -> None:
    for entry in ENTRIES:
        said = render(Finding(entry.code, dict.fromkeys(entry.params, value), seat=0), "en")
        assert not any(unicodedata.category(char) in HIDDEN for char in said)


def test_amounts_carry_their_sign() -> None:
    assert [signed(amount) for amount in (8, -8, 0, True)] == ["+8", "-8", "0", "True"]
