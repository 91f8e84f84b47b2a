"""Search, a player and what is made for paper, in a real browser: the last needs nothing but itself."""

from pathlib import Path

import pytest

from .doing import wide_as_the_window
from .test_access import AXE, RUN
from .watching import NARROW, Visitor

PLACES = ("/search?code=ACT023", "/search?from=x", "/players?name=%E7%94%B2", "{guo_shui}/print.html")


def test_a_kept_file_shows_itself_without_a_network(
    visitor: Visitor, games: dict[str, str], tmp_path: Path, pictures: Path
) -> None:
    kept = tmp_path / "kept.html"
    with visitor.page() as page:
        kept.write_bytes(page.request.get(f"{games['chengdu/guo-shui']}/print.html").body())
    with visitor.page(offline=True) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(kept.as_uri())
        assert [one for one in asked if not one.startswith(("file:", "data:"))] == []
        page.get_by_role("link", name="picture").click()
        tile = page.locator(".picture .t").first
        assert tile.evaluate("one => one.getBoundingClientRect().width") == pytest.approx(21, abs=1)
        assert tile.evaluate("one => getComputedStyle(one, '::before').content").startswith("url(")
        assert page.locator(".picture").evaluate("one => getComputedStyle(one).borderTopWidth") == "1px"
        page.screenshot(path=pictures / "print-report.png", full_page=True)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_it_fits_a_phone(visitor: Visitor, games: dict[str, str], place: str, lang: str) -> None:
    with visitor.page(NARROW, lang) as page:
        page.goto(place.format(guo_shui=games["chengdu/guo-shui"]))
        assert wide_as_the_window(page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing(
    visitor: Visitor, games: dict[str, str], place: str, dark: bool, pictures: Path
) -> None:
    with visitor.page(dark=dark, bypass_csp=True) as page:
        page.goto(place.format(guo_shui=games["chengdu/guo-shui"]))
        page.evaluate(AXE)
        found = page.evaluate(RUN)
        assert [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found] == []
        name = place.split("?")[0].strip("/").split("/")[-1]
        page.screenshot(path=pictures / f"{name}-{'dark' if dark else 'light'}.png", full_page=True)
