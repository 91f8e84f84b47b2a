"""What a person does on the pages."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_logs"
RECORDS = ROOT / "tests" / "records"

TORN = b'{"format": "xuezhan-log/1",\n "id": "broken",\n "hands": [}'
"""A log that stops being JSON in its third line."""

BROKEN: dict[str, Any] = {
    "name": "broken.json",
    "mimeType": "application/json",
    "buffer": TORN,
}
"""A file with it, as it is chosen."""

AUDITED = 30_000
"""Milliseconds that an audit may take here."""


def give(page: Page, *files: Any) -> None:
    """Choose files at the start page and send them."""
    page.goto("/")
    page.locator("input[type=file]").set_input_files(list(files))
    page.locator("form[data-drop] button.main").click()


def audited(page: Page) -> None:
    """Wait, with the page, until all of the upload is audited."""
    expect(page.locator("#documents")).to_be_visible(timeout=AUDITED)
    expect(page.locator(".waiting, .tag-waiting")).to_have_count(0, timeout=AUDITED)


def report(page: Page, *files: Any) -> str:
    """Upload files, wait, and open the first report; its path."""
    give(page, *files)
    audited(page)
    page.locator("ol.list a.name").first.click()
    page.wait_for_url("**/reports/*")
    return path_of(page)


def path_of(page: Page) -> str:
    """Where the page is, without its host."""
    return re.sub(r"^https?://[^/]+", "", page.url)


def sentence(page: Page) -> str:
    """What the step is."""
    return page.locator(".sentence").inner_text()


def press(page: Page, key: str) -> None:
    """Press a key, and wait until the step it leads to is shown."""
    before = page.url
    page.keyboard.press(key)
    page.wait_for_url(lambda url: url != before, wait_until="commit")


def wide_as_the_window(page: Page) -> bool:
    """Whether nothing makes the page scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
