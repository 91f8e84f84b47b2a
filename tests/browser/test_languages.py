"""Each of the three languages, chosen with a click, and kept."""

from playwright.sync_api import expect

from .serving import Served
from .watching import Visitor

NAMES = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "English"}
AUDIT = {"zh-Hans": "审核", "zh-Hant": "審核", "en": "Audit"}
FORWARD = {"zh-Hans": "下一步", "zh-Hant": "下一步", "en": "forward"}


def test_a_language_once_chosen_stays(visitor: Visitor, served: Served) -> None:
    with visitor.page(lang="zh-Hant") as page:
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
        for tag in ("zh-Hans", "en", "zh-Hant"):
            page.get_by_role("link", name=NAMES[tag]).click()
            expect(page.locator("html")).to_have_attribute("lang", tag)
            page.goto("/")
            expect(page.locator("html")).to_have_attribute("lang", tag)
            expect(page.locator("form[data-drop] button.main")).to_have_text(AUDIT[tag])
            page.goto(served.hand)
            expect(page.locator(".bar [data-nav=forward] .what")).to_have_text(FORWARD[tag])


def test_on_a_hand_the_step_stays_when_the_language_changes(visitor: Visitor, served: Served) -> None:
    with visitor.page(lang="en") as page:
        page.goto(served.hand)
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.wait_for_url("**/steps/3")
        page.get_by_role("link", name=NAMES["zh-Hans"]).click()
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
        expect(page.locator(".bar .count")).to_contain_text("3 /")
