"""The pages without a mouse."""

from playwright.sync_api import Page

from .serving import Served
from .watching import Visitor

SCROLLERS = 12
"""Chromium also stops at what can be scrolled: the sentence, what is said of a seat."""

FOCUSED = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const seen = box.width > 0 && box.height > 0 && box.right > 0;
  return [one.tagName, one.className, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2, seen];
}"""
STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((one) => one.checkVisibility() && one.type !== "hidden").length"""


def places(served: Served, games: dict[str, str], page: Page) -> list[str]:
    """A page of each kind: start, upload, the catalogue, a code of it, report, and a hand at its finding."""
    page.goto("/")
    upload = page.locator(".list a.name").first.get_attribute("href") or ""
    step = f"{games['chengdu/guo-shui']}/hands/0/steps/18"
    return ["/", upload, "/catalogue", "/catalogue/findings/ACT023", games["salasasa"], step]


def test_tab_reaches_everything_and_is_seen_and_leaves_again(
    visitor: Visitor, served: Served, games: dict[str, str]
) -> None:
    with visitor.page() as page:
        every = places(served, games, page)
    for place in every:
        with visitor.page() as page:
            page.goto(place)
            stops, met = page.evaluate(STOPS), []
            for _ in range(stops + SCROLLERS):
                page.keyboard.press("Tab")
                met.append(page.evaluate(FOCUSED))
                if met[-1][0] == "BODY":
                    break
            assert met[0][:2] == ["A", "skip"], place
            assert met[-1][0] == "BODY", f"{place}: the keyboard does not come out again"
            assert len(met) > stops, place
            assert [one for one in met[:-1] if not (one[2] and one[3])] == [], place


def test_the_skip_link_leads_to_the_content(visitor: Visitor) -> None:
    with visitor.page() as page:
        page.goto("/")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
