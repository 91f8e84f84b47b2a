"""No page scrolls sideways on a telephone, in any language; dark is dark."""

import pytest
from playwright.sync_api import expect

from .doing import wide_as_the_window
from .serving import Served
from .watching import LOCALES, NARROW, Visitor

CATALOGUE = [
    f"/catalogue{page}" for page in ("", "/findings/ACT023", "/findings/LOG001", "/fans", "/settlement")
]
CATALOGUE += [f"/catalogue/rule-sets{page}" for page in ("", "/chengdu")]
RULE_SETS = [f"/rule-sets{page}" for page in ("", "/compare", "/compare?set=chengdu", "/new?from=chengdu")]


@pytest.mark.parametrize("lang", LOCALES)
def test_no_page_scrolls_sideways_at_390(
    visitor: Visitor, served: Served, games: dict[str, str], lang: str
) -> None:
    sample, end = served.hand.partition("/hands")[0], f"{games['chengdu/clean']}/hands/0/steps/136"
    hands = [f"{sample}/hands/2/steps/{step}" for step in (0, 40, 78)]
    wide = []
    with visitor.page(NARROW, lang) as page:
        page.goto("/")
        upload = page.locator(".list a.name").first.get_attribute("href") or ""
        for place in ("/", upload, sample, *games.values(), *hands, end, *CATALOGUE, *RULE_SETS):
            page.goto(place)
            if not wide_as_the_window(page):
                wide.append(place)
    assert wide == []


@pytest.mark.parametrize("dark", [False, True])
def test_pages_are_as_light_as_the_reader_wishes(visitor: Visitor, served: Served, dark: bool) -> None:
    with visitor.page(dark=dark) as page:
        for place in ("/", served.hand.partition("/hands")[0], served.hand):
            page.goto(place)
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            lightness = sum(int(part) for part in paper.strip("rgb()").split(",")) / 3
            assert (lightness < 64) is dark
            expect(page.locator("h1")).to_be_visible()
