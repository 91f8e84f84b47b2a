"""Auditing again with options: the form comes from the schema of rule sets, and says of each option what is wrong."""

import re
from html import unescape
from typing import Any

import orjson
import pytest

from replay import audit, load_profile
from replay.profile import OptionProblems, profile_ids, values
from replay.sense import named_values, sense_problems, value_schemas
from replay.store.tables import Audit, Job
from replay.web.rulesets.options import choices_of, kind_of
from replay.wording import has_text, languages
from tests.jobs.working import rows, work

from .asking import Browser, links, sample, text_of

CLEAN = sample("chengdu/clean")
OFFERED = {key: kind for key, allowed in value_schemas().items() if (kind := kind_of(allowed))}


@pytest.fixture
def place(browser: Browser) -> str:
    return browser.upload(CLEAN)


def entries(**options: Any) -> dict[str, str]:
    return {f"option.{key}": str(value) for key, value in options.items()}


def test_every_plain_value_of_a_rule_set_is_a_field_with_its_own_default(
    browser: Browser, place: str
) -> None:
    page = browser.read(place)
    named = re.findall(r'name="option\.(\w+)"', page)
    assert named == list(OFFERED)
    assert set(value_schemas()) - set(named) == {
        key
        for key, allowed in value_schemas().items()
        if len(allowed.get("enum", "12")) == 1
        or "const" in allowed
        or {"object", "array"} & set(re.findall(r"\w+", str(allowed.get("type"))))
        or allowed.get("type") == "null"
    }
    for key in (key for key, kind in OFFERED.items() if kind == "choice"):
        shown = re.search(rf'<select id="option-{key}".*?</select>', page, re.S)
        assert shown is not None
        assert re.findall(r'value="(\w*)"', shown[0]) == ["", *choices_of(value_schemas()[key])]
        assert "selected" not in shown[0]


@pytest.mark.parametrize("lang", languages())
def test_every_choice_has_words_and_every_rule_set_says_what_it_has(
    browser: Browser, place: str, lang: str
) -> None:
    for key in (key for key, kind in OFFERED.items() if kind == "choice"):
        missing = [
            one
            for one in choices_of(value_schemas()[key])
            if not (has_text(lang, f"web.choice.{key}.{one}") or one in ("true", "false"))
        ]
        assert (key, missing) == (key, [])
    said = text_of(browser.read(f"{place}?lang={lang}"))
    assert all(load_profile(one).names[lang] in said for one in profile_ids())


def test_no_choice_has_words_without_being_one() -> None:
    from replay.wording.lookup import words_of

    worded = {key.split(".", 2)[2] for key in words_of("en") if key.startswith("web.choice.")}
    there = {
        f"{key}.{one}"
        for key, kind in OFFERED.items()
        if kind == "choice"
        for one in choices_of(value_schemas()[key])
    }
    there |= {f"{key}.{one}" for key, allowed in value_schemas().items() for one in named_values(allowed)}
    assert there <= worded | {f"{key}.{one}" for key in OFFERED for one in ("true", "false")}
    assert worded - there == {"true", "false", "null"}


def test_an_audit_with_options_is_the_library_s_and_is_named_wherever_it_is_wished_for(
    browser: Browser, place: str
) -> None:
    asked = entries(base=5, cap_fan="", hua_zhu="base_times", seven_pairs="false", gang_an=" ４ ")
    answer = browser.post(f"{place}/audits", profile="chengdu", **asked, **{"null.cap_fan": "1"})
    assert answer.status_code == 303
    work(browser.service)
    options = {"base": 5, "cap_fan": None, "hua_zhu": "base_times", "seven_pairs": False, "gang_an": 4}
    newest = max(rows(browser.service, Audit), key=lambda row: row.created)
    assert (newest.profile, orjson.loads(newest.options)) == ("chengdu", options)
    page = browser.read(answer.location)
    report = links(page, "/reports/")[0]
    assert (
        browser.get(f"{report}/report.json").data
        == audit(CLEAN, profile="chengdu", options=options).to_json()
    )
    wish = "base: 5, cap in fan: none, concealed gang: 4, hua zhu: pays so many bases, seven pairs win: no"
    assert wish in text_of(page)
    assert wish in text_of(browser.read(report))
    assert wish in text_of(browser.read(place))


def test_a_number_among_few_is_chosen_and_a_word_may_stand_for_a_number(browser: Browser, place: str) -> None:
    asked = entries(tiles=108, base=" silver_35 ", swap="same_suit", xiang_gong="on", ends_on_bust="true")
    answer = browser.post(f"{place}/audits", profile=profile_ids()[0], **asked)
    assert answer.status_code == 303, text_of(answer.text)
    newest = max(rows(browser.service, Audit), key=lambda row: row.created)
    assert orjson.loads(newest.options) == {
        "tiles": 108,
        "base": "silver_35",
        "swap": "same_suit",
        "xiang_gong": "on",
        "ends_on_bust": True,
    }
    said = text_of(browser.read(answer.location))
    assert "base: a thirty-fifth of what the poorest seat holds" in said
    assert "tiles in the set: 108: three suits" in said
    assert "exchange of three tiles: three tiles of one suit" in said


@pytest.mark.parametrize("given", ["silver_36", "silver", "1 or silver_35", "１.5"])
def test_a_word_that_is_no_base_is_refused_with_the_one_that_is(
    browser: Browser, place: str, given: str
) -> None:
    answer = browser.post(f"{place}/audits", profile=profile_ids()[0], **entries(base=given))
    assert answer.status_code == 422
    expected = "or silver_35 (a thirty-fifth of what the poorest seat holds)"
    assert expected in text_of(answer.text)


def test_rule_sets_with_the_same_value_are_named_together(browser: Browser, place: str) -> None:
    rules = [load_profile(one) for one in profile_ids()]
    page = browser.read(place)
    shown = re.search(r'id="stated-guo_shui">(.*?)</p>', page, re.S)
    assert shown is not None
    said = unescape(shown[1])
    assert all(said.count(one.names["en"]) >= 1 for one in rules)
    assert said.count("bars a hu on any tile") == 1
    assert said.count(" · ") + 1 == len({one.guo_shui for one in rules})


def test_options_over_the_log_s_own_rule_set_are_taken(browser: Browser, place: str) -> None:
    answer = browser.post(f"{place}/audits", profile="", **entries(base=2))
    work(browser.service)
    report = links(browser.read(answer.location), "/reports/")[0]
    assert browser.get(f"{report}/report.json").data == audit(CLEAN, options={"base": 2}).to_json()


WRONG = {
    "base": ("0", "base: found 0, expected a whole number from 1 to 1000000"),
    "cap_fan": ("1e3", "cap in fan: found 1e3, expected a whole number from 1 to 30, or none"),
    "forced_last": (
        "<b>",
        "last tiles on which a hu is forced: found <b>, expected a whole number from 0 to 56",
    ),
    "gang_an": ("9" * 40, f"concealed gang: found {'9' * 40}, expected a whole number from 0 to 1000"),
    "gen": ("some", "what counts as gen: found some, expected one of: nothing, four alike that are no gang,"),
    "seven_pairs": ("1", "seven pairs win: found 1, expected one of: yes, no"),
}


def test_of_each_option_that_cannot_be_used_the_page_says_what_was_found_and_expected(
    browser: Browser, place: str
) -> None:
    before = browser.read(place)
    wrong = {key: given for key, (given, _) in WRONG.items()}
    answer = browser.post(
        f"{place}/audits", profile="chengdu", **entries(**wrong, transfer="chain", colour="red")
    )
    assert answer.status_code == 422
    alert = re.search(r'role="alert".*?</div>', answer.text, re.S)
    assert alert is not None
    listed = [text_of(f"<main>{one}</main>") for one in re.findall(r"<li>.*?</li>", alert[0], re.S)]
    assert len(listed) == len(WRONG) + 1
    for _, said in WRONG.values():
        assert any(one.startswith(said) for one in listed), (said, listed)
    assert "colour: there is no such option" in listed
    assert len(rows(browser.service, Audit)) == len(rows(browser.service, Job, kind="audit")) == 1
    assert browser.read(place) == before

    page = answer.text
    assert "<details open>" in page
    assert re.search(r'<option value="chengdu" selected>', page)
    assert re.search(r'<option value="chain" selected>', page)
    for key, given in wrong.items():
        assert f'id="wrong-{key}"' in page
        kept = re.search(
            rf'id="option-{key}".*?(?:value="([^"]*)" placeholder|value="([^"]*)" selected)', page, re.S
        )
        assert kept is not None
        assert unescape(kept[1] or kept[2]) == given
    assert {url.partition("?")[0] for url in links(page, place)} <= {place, f"{place}/delete"}
    assert links(page, "?") == []


def test_a_number_and_none_at_once_are_refused(browser: Browser, place: str) -> None:
    answer = browser.post(f"{place}/audits", **entries(cap_fan=5), **{"null.cap_fan": "1"})
    assert answer.status_code == 422
    assert "found a number and none, expected a whole number from 1 to 30, or none" in text_of(answer.text)
    assert 'name="null.cap_fan" value="1" checked' in answer.text


def test_none_where_a_number_is_needed_is_refused(browser: Browser, place: str) -> None:
    answer = browser.post(f"{place}/audits", **{"null.base": "1"})
    assert answer.status_code == 422
    assert "base: found none, expected a whole number" in text_of(answer.text)


NONSENSE: list[tuple[dict[str, str], str]] = [
    (entries(hua_zhu="cap") | {"null.cap_fan": "1"}, "hua zhu: the price of the cap cannot be paid"),
    (entries(base=1000000, cap_fan=30), "base: with these values one payment can grow too large"),
    (entries(scale="exp"), "fan of the shapes: this scale needs at least 1 fan"),
]


@pytest.mark.parametrize(("form", "said"), NONSENSE, ids=["hua_zhu", "base", "shapes"])
def test_values_that_make_no_sense_together_are_refused_in_words(
    browser: Browser, place: str, form: dict[str, str], said: str
) -> None:
    answer = browser.post(f"{place}/audits", profile="mil-sbr", **form)
    assert answer.status_code == 422
    assert said in text_of(answer.text)
    assert len(rows(browser.service, Audit)) == 1


@pytest.mark.parametrize("lang", languages())
def test_what_no_sense_can_be_made_of_is_said_in_every_language(lang: str) -> None:
    """Tables of fan are not in the form, and what the form offers leaves the two dragon values in agreement."""
    resolved = values(load_profile("mil-sbr"))
    nonsense = {
        **resolved,
        "hua_zhu": "cap",
        "cap_fan": None,
        "scale": "exp",
        "base": 10**6,
        "coin_factor": 10**6,
    }
    found = {key for key, _ in sense_problems(nonsense)}
    assert found == {"hua_zhu", "shapes", "base"}
    assert all(has_text(lang, f"web.sense.{key}") for key in found)


def test_a_form_larger_than_a_form_can_be_is_refused_before_it_is_read(browser: Browser, place: str) -> None:
    assert browser.post(f"{place}/audits", **entries(base="1" * 200_000)).status_code == 413
    assert browser.post(f"{place}/retry", job="1" * 200_000).status_code == 413


def test_the_one_mechanism_names_every_option() -> None:
    with pytest.raises(OptionProblems) as caught:
        load_profile("chengdu", {"base": "two", "gen": "some"})
    assert [key for key, _ in caught.value.problems] == ["base", "gen"]
