"""A case in a real browser: opened from a report, spoken in, wide and narrow, light and dark."""

import pytest

from .serving import Served
from .test_access import AXE, GRAVE, RUN
from .watching import NARROW, WIDE, Visitor

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)])
def test_a_case_is_opened_and_spoken_in(
    visitor: Visitor, served: Served, games: dict[str, str], size: tuple[int, int], dark: bool
) -> None:
    with visitor.page(size, "en", dark=dark) as page:
        page.goto(games["chengdu/guo-shui"])
        page.locator(".finding a.dispute").first.click()
        places = [page.url]
        page.get_by_label("Why you hold").fill("It was no 过水.")
        page.get_by_role("button", name="Open the case").click()
        page.locator("#act-pin summary").click()
        page.get_by_label("Step", exact=True).fill("14")
        page.get_by_role("button", name="Pin", exact=True).click()
        page.wait_for_url("**#entry-2")
        page.locator(".pins a", has_text="step 14").first.click()
        assert page.locator(".sentence").inner_text().startswith("Step 14 of")
        for place in (*places, page.url, "/cases"):
            page.goto(place)
            assert page.evaluate(OVERFLOW) <= 0, place
            page.evaluate(AXE)
            grave = [one for one in page.evaluate(RUN) if one["impact"] in GRAVE]
            assert [(one["id"], one["nodes"][0]["html"]) for one in grave] == [], place
