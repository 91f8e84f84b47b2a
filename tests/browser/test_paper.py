"""What is made for paper, in a real browser: it needs nothing but itself."""

from pathlib import Path

import pytest

from .watching import Visitor


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
