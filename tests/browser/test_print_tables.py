"""The tables of a page for paper: words and numbers stay whole, and no name is too long for the page."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .doing import SAMPLES, report, wide_as_the_window
from .serving import Served
from .watching import LOCALES, NARROW, Visitor

LONG = "W" * 64

BROKEN_CELLS = """() => [...document.querySelectorAll("thead th, td[data-head]")].flatMap((cell) => {
  const parts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  while (parts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(parts.currentNode);
    if (range.getClientRects().length > 1) found.push(parts.currentNode.data);
  }
  return found;
})"""
"""Heads and numbers that stand in more than one line."""

BROKEN_WORDS = """(most) => [...document.querySelectorAll("td, th")].flatMap((cell) => {
  const parts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  while (parts.nextNode()) {
    for (const word of parts.currentNode.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(parts.currentNode, word.index);
      range.setEnd(parts.currentNode, word.index + word[0].length);
      if (word[0].length <= most && range.getClientRects().length > 1) found.push(word[0]);
    }
  }
  return found;
})"""
"""Words of no more letters than so many that stand in more than one line, in any cell."""


@pytest.fixture(scope="module")
def disputed(chromium: Browser, served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report of money that differs, between players whose names have no place to break."""
    log = json.loads((SAMPLES / "chengdu" / "misclaimed-settlement.json").read_text(encoding="utf-8"))
    log["id"] = "long-names"
    for player in log["players"][:2]:
        player["name"] = LONG
    kept = tmp_path_factory.mktemp("long") / "long.json"
    kept.write_text(json.dumps(log), encoding="utf-8")
    someone = Visitor(chromium, served.url)
    with someone.page() as page:
        return report(page, kept)


@pytest.mark.parametrize("lang", LOCALES)
def test_words_and_numbers_of_a_printed_table_stay_whole(
    visitor: Visitor, games: dict[str, str], disputed: str, lang: str, pictures: Path
) -> None:
    with visitor.page((900, 900), lang) as page:
        for place in (games["chengdu/misclaimed-settlement"], disputed):
            page.goto(f"{place}/print.html")
            for width in (660, 900):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.locator("td[data-head]").count() > 40
                assert page.evaluate(BROKEN_CELLS) == [], width
                assert page.evaluate(BROKEN_WORDS, 20) == [], width
                assert wide_as_the_window(page), width
            page.screenshot(path=pictures / f"print-money-{lang}.png", full_page=True)


@pytest.mark.parametrize("lang", LOCALES)
def test_a_printed_page_fits_a_telephone_whatever_the_names(
    visitor: Visitor, disputed: str, lang: str
) -> None:
    with visitor.page(NARROW, lang) as page:
        page.goto(f"{disputed}/print.html")
        assert page.locator("td[data-head]").count() > 40
        assert wide_as_the_window(page)
        assert page.evaluate(BROKEN_WORDS, 20) == []
