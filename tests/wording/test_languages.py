"""Every language says everything, with the same facts, in its own characters."""

import dataclasses
import json
import string

import pytest

from replay.catalogue import CATALOGUE, Code
from replay.findings import SEVERITY_OF
from replay.limits import Limits
from replay.wording import has_text, languages, negotiate, text
from replay.wording.lookup import FALLBACK, FOLDER, words_of

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
ENTRIES = list(CATALOGUE.values())
CASES = [(lang, entry) for lang in LANGUAGES for entry in ENTRIES]

IDS = {
    "fan": "ping_hu men_qing dui_dui_hu qing_yi_se dai_yao_jiu qi_dui wu_feng_qi_dui jin_gou_diao qing_dui"
    " jiang_dui qing_qi_dui long_qi_dui qing_yao_jiu qing_long_qi_dui tian_hu di_hu gang_hua_ping"
    " gang_hua_qing shi_ba_luo_han qing_shi_ba_luo_han qing_jin_gou_diao gen gang gang_hua gang_pao"
    " qiang_gang hai_di men_qing_zi_mo own_gang_exposed own_gang_concealed payer_gang_exposed"
    " payer_gang_concealed",
    "ledger": "hu gang transfer refund penalty hua_zhu da_jiao flee xiang_gong forfeit rake bank",
    "severity": "error warning note",
    "verdict": "clean findings unreplayable",
    "action": "swap void piao draw discard peng gang hu pass replace ting flee",
    "gang": "zhi bu an",
    "fact": "void swap dealer gang_kind rob pass ends options claim",
    "suit": "m p s z",
    "basis": "recorded inferred",
    "rule": "tiles swap void void_choice replacement ends gang_after_peng ting_yong piao guo_shui forced_last"
    " hu_on_discard rob_gang seven_pairs scale base cap_fan shapes extras gen transfer refund hua_zhu"
    " da_jiao_payees dead_wait flee xiang_gong next_dealer next_turn turn_order claims multiple_hu win_shape",
}
"""What has a name in every language: rulebook §5, formats §1 and §2."""


def gaps(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_there_are_three_languages() -> None:
    assert languages() == LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_the_same_things_with_the_same_facts(lang: str) -> None:
    expected = {key: gaps(template) for key, template in words_of("en").items()}
    assert {key: gaps(template) for key, template in words_of(lang).items()} == expected


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_is_empty_or_ends_in_a_blank(lang: str) -> None:
    spacing = ("language.", "flag.", "tile.gap", "report.win.capped")
    said = {key: said for key, said in words_of(lang).items() if not key.startswith(spacing)}
    assert [key for key, words in said.items() if not words or words != words.strip()] == []


@pytest.mark.parametrize(("lang", "entry"), CASES, ids=lambda case: getattr(case, "code", case))
def test_every_code_has_its_words(lang: str, entry: Code) -> None:
    assert all(has_text(lang, f"{entry.code}.{field}") for field in ("title", "what", "why", "message"))
    asks = entry.code.startswith(("ACT", "HND", "SET", "FAIR"))
    assert has_text(lang, f"{entry.code}.question") == asks


def test_no_words_are_kept_for_a_code_that_does_not_exist() -> None:
    codes = {key.split(".")[0] for key in words_of("en") if key.split(".")[0].isupper() or key[:3].isupper()}
    assert codes == set(CATALOGUE)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_a_message_speaks_only_of_facts_that_the_finding_holds(entry: Code) -> None:
    messages = [said for key, said in words_of("en").items() if key.startswith(f"{entry.code}.message")]
    assert messages
    assert set().union(*(gaps(said) for said in messages)) <= {*entry.params, "seat"}
    for field in ("title", "what", "why", "question"):
        assert not gaps(words_of("en").get(f"{entry.code}.{field}", ""))


@pytest.mark.parametrize("section", IDS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_id_has_a_name(lang: str, section: str) -> None:
    assert [name for name in IDS[section].split() if not has_text(lang, f"{section}.{name}")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_and_every_limit_has_a_name(lang: str) -> None:
    limits = {field.name for field in dataclasses.fields(Limits)} - {"ratio_free_bytes", "reported"}
    assert [name for name in limits if not has_text(lang, f"limit.{name}")] == []
    assert [name for name in SEVERITY_OF if not has_text(lang, f"kind.{name}")] == []
    assert [name for name in SEVERITY_OF if not has_text(lang, f"count.{name}.one")] == []


@pytest.mark.parametrize(
    ("lang", "charset", "stray"), [("zh-Hans", "gb2312", ""), ("zh-Hant", "big5", "后于并里几余冲范")]
)
def test_the_characters_of_a_language_are_its_own(lang: str, charset: str, stray: str) -> None:
    """GB 2312 has no traditional characters; Big5 no simplified ones, but for some that are other words."""
    found = {char for said in words_of(lang).values() for char in said if "\u4e00" <= char <= "\u9fff"}
    assert [char for char in sorted(found) if not char.encode(charset, "ignore") or char in stray] == []


@pytest.mark.parametrize(
    ("locale", "lang"),
    [
        ("zh_CN.UTF-8", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh_SG", "zh-Hans"),
        ("zh_TW.UTF-8", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh_MO", "zh-Hant"),
        ("ZH-hant", "zh-Hant"),
        ("zh_TW:zh:en", "zh-Hant"),
        ("en_GB.UTF-8", "en"),
        ("de", "en"),
        ("C", "en"),
        ("", "en"),
        (None, "en"),
        ("zhuang", "en"),
    ],
)
def test_the_locale_chooses_the_language(locale: str | None, lang: str) -> None:
    assert negotiate(locale) == lang


def test_an_unknown_language_or_text_is_an_error() -> None:
    with pytest.raises(KeyError, match="fr"):
        text("fr", "ledger.hu")
    with pytest.raises(KeyError, match=r"ledger\.nothing"):
        text("en", "ledger.nothing")


@pytest.mark.parametrize("lang", languages())
def test_every_language_has_the_same_rooms_and_says_a_text_in_one_of_them(lang: str) -> None:
    rooms = {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in (FOLDER / lang).glob("*.json")
    }
    assert rooms.keys() == {path.name for path in (FOLDER / FALLBACK).glob("*.json")}
    keys = [f"{section}.{key}" for room in rooms.values() for section, texts in room.items() for key in texts]
    assert len(keys) == len(set(keys)) == len(words_of(lang))
