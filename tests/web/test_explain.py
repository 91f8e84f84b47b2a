"""The page that tells which rule sets explain a claim, led to from the report."""

import json

import pytest

from replay.web import explaining

from .asking import Browser, links, sample, text_of


def test_the_report_of_a_log_with_a_claim_leads_to_it(browser: Browser) -> None:
    place = browser.report(sample("chengdu/clean"))
    assert f"{place}/explain" in links(browser.read(place))


def test_it_lists_what_explains_the_claim_and_how_the_others_differ(browser: Browser) -> None:
    said = text_of(browser.read(browser.report(sample("chengdu/clean")) + "/explain"))
    assert "its money does not tell them apart" in said
    assert "Chengdu, bloody battle (named by the log)" in said
    assert "Zhaotong, bloody battle" in said
    assert "differs first in hand 1" in said
    assert "guo shui and forced last tiles decide what may be done" in said


def test_a_claim_that_nothing_explains_is_said_to_be_one(browser: Browser) -> None:
    said = text_of(browser.read(browser.report(sample("chengdu/misclaimed-settlement")) + "/explain"))
    assert "is right under no built-in rule set" in said


def test_names_in_a_log_are_shown_as_text(browser: Browser) -> None:
    log = json.loads(sample("chengdu/misclaimed-settlement"))
    log["id"] = "<script>alert(1)</script>"
    for player in log["players"]:
        player["name"] = "<b>x</b>"
    page = browser.read(browser.report(json.dumps(log).encode()) + "/explain")
    assert "<script>alert" not in page
    assert "<b>x</b>" not in page


def test_a_log_without_a_claim_has_no_such_page(browser: Browser) -> None:
    place = browser.report(sample("chengdu/false-win"))
    assert f"{place}/explain" not in links(browser.read(place))
    assert browser.get(f"{place}/explain").status_code == 404


def test_a_long_log_is_not_looked_through(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "MOST_ACTIONS", 100)
    said = text_of(browser.read(browser.report(sample("chengdu/clean")) + "/explain"))
    assert "This log has 169 actions, more than are looked through here (100)" in said
    assert "Zhaotong" not in said


@pytest.mark.parametrize(("lang", "words"), [("zh-Hans", "单看钱分不出"), ("zh-Hant", "單看錢分不出")])
def test_it_speaks_the_readers_language(browser: Browser, lang: str, words: str) -> None:
    place = browser.report(sample("chengdu/clean"))
    answer = browser.get(f"{place}/explain", **{"Accept-Language": lang})
    assert words in answer.text
