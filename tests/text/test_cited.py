"""A clause for a reader: words of a document are quoted, a value that was agreed on is said in the reader's words."""

from dataclasses import asdict

import pytest

from replay import audit
from replay.profile import OPTIONS, agreed, load_profile
from replay.text import report_text
from replay.text.cited import clause_line, place_of_clause, quoted
from replay.wording import Words
from tests.goldens import FOLDER
from tests.text.samples import CLAUSE, DING_QUE, LANGUAGES, hand, joined, report

NEVER = {"document": OPTIONS, "section": "dead_wait", "text": '"never"'}
EVERY = {"en": "every wait counts", "zh-Hans": "都算有叫", "zh-Hant": "都算有叫"}
AGREED = {"en": "option agreed for this game", "zh-Hans": "本场约定的选项", "zh-Hant": "本場約定的選項"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_option_is_said_in_words_with_where_it_was_agreed(lang: str) -> None:
    one = quoted(Words.of(lang), NEVER)
    assert (one.said, one.source, one.worded) == (EVERY[lang], AGREED[lang], True)
    assert (one.document, one.section, one.text) == tuple(NEVER.values())
    assert place_of_clause(Words.of(lang), NEVER) == AGREED[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_house_s_own_value_is_said_in_words_with_the_house_s_rule_set(lang: str) -> None:
    one = quoted(Words.of(lang), {"document": "our-room", "section": "dead_wait", "text": '"never"'})
    assert (one.said, one.worded) == (EVERY[lang], True)
    assert "our-room" in one.source


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_of_a_document_are_quoted_as_they_are(lang: str) -> None:
    one = quoted(Words.of(lang), CLAUSE, "rule")
    assert (one.said, one.rule, one.worded) == (CLAUSE["text"], "rule", False)
    assert CLAUSE["section"] in one.source
    assert place_of_clause(Words.of(lang), CLAUSE) == "000 规则 7"


@pytest.mark.parametrize("text", ["never", "[" * 400, "", '{"a":'])
def test_what_is_no_value_is_a_quotation_even_under_a_key(text: str) -> None:
    one = quoted(Words.of("en"), NEVER | {"text": text})
    assert (one.said, one.worded) == (text, False)


@pytest.mark.parametrize(
    "key", ["base", "cap_fan", "shapes", "extras", "levels", "excludes", "hu_on_discard"]
)
def test_every_kind_of_value_can_be_said(key: str) -> None:
    for name in ("qq", "zimo"):
        clause = agreed(OPTIONS, key, getattr(load_profile(name), key))
        facts = asdict(clause)
        for lang in LANGUAGES:
            said = clause_line(Words.of(lang), quoted(Words.of(lang), facts))
            assert AGREED[lang] in said
            assert OPTIONS not in said


def test_a_table_that_was_cut_short_is_said_as_far_as_it_is_whole() -> None:
    levels = [{"name": f"level {n}", "points": n} for n in range(1, 40)]
    fans = dict.fromkeys(("ping_hu", "dui_dui_hu", *(f"fan_{n}" for n in range(60))), 3)
    for key, value, first in (("levels", levels, "level 1"), ("shapes", fans, "all triplets")):
        one = quoted(Words.of("en"), asdict(agreed(OPTIONS, key, value)))
        assert first in one.said
        assert one.said.endswith("…")
        assert not set(one.said) & set('{}[]"')
    with_rest = quoted(Words.of("en"), NEVER | {"section": "shapes", "text": '{"ping_hu": 1, "dui'})
    assert (
        with_rest.said == quoted(Words.of("en"), NEVER | {"section": "shapes", "text": '{"ping_hu": 1}'}).said
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_names_no_option_by_its_internals(lang: str) -> None:
    data = (FOLDER / "chengdu" / "misclaimed-settlement.json").read_bytes()
    said = joined(audit(data).to_dict(), lang)
    assert OPTIONS not in said
    assert "dead_wait" not in said
    assert "never" not in said
    assert said.replace(" ", "").count(EVERY[lang].replace(" ", "")) == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_option_that_a_finding_or_a_price_rests_on_is_said_in_words(lang: str) -> None:
    barred = DING_QUE | {"clause": {"document": OPTIONS, "section": "hu_on_discard", "text": "false"}}
    said = joined(report(hand(findings=[barred])), lang)
    assert AGREED[lang].replace(" ", "") in said.replace(" ", "")
    assert OPTIONS not in said
    data = (FOLDER / "chengdu" / "clean.json").read_bytes()
    told = report_text(audit(data, options={"scale": "lin"}).to_dict(), lang)
    assert AGREED[lang].replace(" ", "") in "".join(told.split())
    assert OPTIONS not in told
