"""The page that tells which rule sets explain a claim, led to from the report."""

import json

import pytest

from replay.web.reports import explaining

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
    assert "With more changes others may be right too" in said


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


def test_it_says_what_was_not_tried_where_that_would_be_too_much(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explaining, "MOST_WORK", 20)
    said = text_of(browser.read(browser.report(sample("chengdu/misclaimed-settlement")) + "/explain"))
    assert "Nothing that was tried makes right what log" in said
    assert "(named by the log): differs first in hand 1" in said
    untried = said.partition("Not tried, because this page looks no further: ")[2].partition(".")[0]
    assert "Zhaotong, bloody battle" in untried
    assert "Chengdu" not in untried
    assert "“replay explain” goes on to the end" in said


def test_a_second_look_costs_no_second_search(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    page = browser.report(sample("chengdu/clean")) + "/explain"
    first = browser.read(page)
    monkeypatch.setattr(explaining, "explain", None)
    assert browser.read(page) == first


def test_only_so_many_explanations_stay_known(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "KEPT", 1)
    for name in ("chengdu/clean", "chengdu/misclaimed-settlement"):
        browser.read(browser.report(sample(name)) + "/explain")
        assert len(explaining.known) == 1


@pytest.mark.parametrize(("lang", "words"), [("zh-Hans", "单看钱分不出"), ("zh-Hant", "單看錢分不出")])
def test_it_speaks_the_readers_language(browser: Browser, lang: str, words: str) -> None:
    place = browser.report(sample("chengdu/clean"))
    answer = browser.get(f"{place}/explain", **{"Accept-Language": lang})
    assert words in answer.text
