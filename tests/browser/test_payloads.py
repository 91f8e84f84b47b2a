"""Operations T19: names that would be code if a page took them for it are words on every page."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from .doing import SAMPLES, audited, give
from .watching import Visitor

PAYLOADS = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    "</title><script>alert(1)</script>",
    "</textarea><img src=x onerror=alert(1)>",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "javascript:alert(1)",
    "{{7*7}}{%print 1%}${7*7}",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>",
    "<style>*{display:none}</style>",
    "<base href=//example.org/>",
    "<meta http-equiv=refresh content=0>",
    "<bdo dir=rtl>abc</bdo>",
    "<form action=//example.org><input>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "<math><mtext><img src=x onerror=alert(1)>",
    "\\u003cimg src=x onerror=alert(1)\\u003e",
]
SHOWN = 20
"""So much of a name stands everywhere; longer ones are cut short."""

FOREIGN = (
    "img, svg:not(.tile svg, .timeline), iframe, math, base, bdo, style, script, form,"
    " [onerror], [onload], [onfocus], [srcdoc], [href^=java]"
)
OURS = f"""() => [...document.querySelectorAll("{FOREIGN}")].map((one) => one.outerHTML.slice(0, 60))"""


def log_with(names: list[str]) -> dict[str, Any]:
    """A game whose players and id have such names, as a file of such a name."""
    log = json.loads((SAMPLES / "chengdu" / "clean.json").read_bytes())
    log["id"] = names[0]
    for player, name in zip(log["players"], names, strict=True):
        player["name"] = name
    name = names[0].replace("/", "_")
    return {"name": f"{name}.json", "mimeType": "application/json", "buffer": json.dumps(log).encode()}


@pytest.mark.parametrize("first", range(0, 20, 4))
def test_are_shown_as_they_are(visitor: Visitor, first: int) -> None:
    names = PAYLOADS[first : first + 4]
    with visitor.page() as plain:
        plain.goto("/")
        expected = {"index": plain.evaluate(OURS)}
        assert not any("alert" in one for one in expected["index"])
    with visitor.page() as page:
        give(page, log_with(names))
        audited(page)
        shows_nothing_of_its_own(page)
        page.goto("/")
        assert page.evaluate(OURS) == expected["index"]
        page.locator(".list a.name").first.click()
        page.locator("ol.list a.name").first.click()
        page.wait_for_url("**/reports/*")
        shows_nothing_of_its_own(page)
        said = page.locator("main").inner_text()
        assert [name for name in names if name[:SHOWN] not in said] == []
        page.get_by_role("link", name="Walk through the hands").click()
        page.wait_for_url("**/hands/**")
        shows_nothing_of_its_own(page)
        seats = [one.inner_text() for one in page.locator(".seat h2").all()]
        assert [name for name in names if not any(name[:SHOWN] in seat for seat in seats)] == []
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/steps/1")
        shows_nothing_of_its_own(page)


def shows_nothing_of_its_own(page: Page) -> None:
    """No element has come of a name."""
    foreign = [one for one in page.evaluate(OURS) if not one.startswith(('<script src="/static/', "<form "))]
    assert foreign == []
    assert not any("example.org" in one for one in page.evaluate(OURS))
