"""The page of the interface for programs: whole for those who do not see it, and no wider than the window."""

import pytest

from .doing import wide_as_the_window
from .serving import Served
from .test_access import AXE, RUN
from .watching import NARROW, Visitor

OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.mark.parametrize(("lang", "dark"), [("en", False), ("zh-Hant", True)])
def test_the_pages_for_programs_are_whole_for_everybody(
    visitor: Visitor, served: Served, lang: str, dark: bool
) -> None:
    with visitor.page(NARROW, lang, dark=dark) as page:
        for place in ("/api/v1", "/api/v1/problems"):
            page.goto(place)
            page.evaluate(OPEN_ALL)
            assert wide_as_the_window(page), place
            page.evaluate(AXE)
            found = page.evaluate(RUN)
            assert [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found] == [], (
                place
            )
