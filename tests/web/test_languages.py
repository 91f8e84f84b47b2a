"""Three languages: chosen by the address, then by the last choice, then by the browser; the page stays."""

import re
from pathlib import Path

import pytest

from replay.profile import default_profile
from replay.wording import has_text, languages
from replay.wording.lookup import words_of

from .asking import ROOT, Browser, links, sample, text_of

TEMPLATES = sorted((ROOT / "templates").glob("*.html"))
BASE = default_profile()
NAMES = {"en": "Audit a game", "zh-Hans": "审核牌局", "zh-Hant": "審核牌局"}


@pytest.mark.parametrize(
    ("accept", "lang"),
    [
        ("", "en"),
        ("de", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK,en;q=0.5", "zh-Hant"),
        ("de,zh-Hant;q=0.5,en;q=0.1", "zh-Hant"),
        ("en-GB,zh;q=0.9", "en"),
        ("*", "en"),
        (";;;q=,,", "en"),
    ],
)
def test_the_browser_s_wish_counts(browser: Browser, accept: str, lang: str) -> None:
    page = browser.get("/", **{"Accept-Language": accept})
    assert f'<html lang="{lang}">' in page.text
    assert NAMES[lang] in page.text
    assert page.headers["Content-Language"] == lang
    assert {"Accept-Language", "Cookie"} <= set(page.vary.as_set(preserve_casing=True))


def test_a_choice_is_kept_and_outweighs_the_browser(browser: Browser) -> None:
    answer = browser.get("/?lang=zh-Hant", **{"Accept-Language": "en"})
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    page = browser.get("/", **{"Accept-Language": "en"})
    assert NAMES["zh-Hant"] in page.text
    assert "Set-Cookie" not in page.headers


def test_a_language_that_is_not_there_changes_nothing(browser: Browser) -> None:
    answer = browser.get('/?lang="><script>')
    assert NAMES["en"] in answer.text
    assert "Set-Cookie" not in answer.headers
    assert "<script>" not in answer.text


def test_the_switch_keeps_the_page(browser: Browser) -> None:
    report = browser.report(sample("mil-sbr/salasasa-2611"))
    page = browser.read(f"{report}?severity=note&code=IMP002")
    (switch,) = [url for url in links(page, "?") if "lang=zh-Hans" in url]
    other = browser.read(report + switch)
    assert '<html lang="zh-Hans">' in other
    assert other.count("IMP002 fact-inferred") == 2
    assert "ACT023 guo-shui" not in other


def test_the_switch_on_a_page_that_was_posted_leads_to_the_start(browser: Browser) -> None:
    page = browser.post("/uploads").text
    assert "/?lang=zh-Hans" in links(page)


def test_the_switch_never_leads_to_another_host(browser: Browser) -> None:
    page = browser.get("//evil.example/%2f..").text
    assert [url for url in links(page) if "evil" in url] == []


@pytest.mark.parametrize("lang", languages())
def test_every_page_is_in_one_language(browser: Browser, lang: str) -> None:
    place = browser.upload(sample("chengdu/misclaimed-settlement"))
    report = links(browser.read(place), "/reports/")[0]
    pages = ("/rule-sets", f"/rule-sets/compare?set={BASE}&", f"/rule-sets/new?from={BASE}&")
    for url in ("/", place, report, "/nowhere", *pages):
        answer = browser.get(f"{url}lang={lang}" if url.endswith("&") else f"{url}?lang={lang}")
        said = text_of(answer.text)
        assert f'<html lang="{lang}">' in answer.text
        if lang != "en":
            assert not re.search(
                r"\b(the|of|and|is|was|pays|seat|step)\b", re.sub(r"[\w./-]+\.json|[\w-]+/[\w-]+", "", said)
            ), said


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_text_that_a_page_asks_for_is_there(path: Path) -> None:
    asked = re.findall(r"say\(\s*[\"']([\w.]+)[\"']\s*([,)~])", path.read_text(encoding="utf-8"))
    for key, follows in asked:
        if follows == "~":
            assert any(one.startswith(key) for one in words_of("en")), key
        else:
            assert has_text("en", key), key


def test_every_text_of_the_pages_is_asked_for() -> None:
    rooms = (ROOT / "replay" / room for room in ("web", "text"))
    places = [*TEMPLATES, *(path for room in rooms for path in room.rglob("*.py"))]
    source = "\n".join(path.read_text(encoding="utf-8") for path in places)
    built = [*re.findall(r"[\"'](web\.[\w.]+\.)[\"'{]", source), "web.error.", "web.size."]
    asked = set(re.findall(r"[\"'](web\.[\w.]*\w)[\"']", source))
    left = [key for key in words_of("en") if key.startswith("web.") and key not in asked]
    assert [key for key in left if not key.startswith(tuple(built))] == []
