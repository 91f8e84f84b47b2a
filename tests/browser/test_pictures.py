"""Pictures of every page, narrow and wide, light and dark, to be looked at; no console complains meanwhile."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from .doing import give, press
from .hall import Hall
from .serving import Served
from .watching import NARROW, WIDE, Visitor

BETWEEN = (768, 1024)
SIZES = {390: NARROW, 1440: WIDE}
BOARD_SIZES = {390: NARROW, 768: BETWEEN, 1440: WIDE}
LOOKS = [("zh-Hans", False), ("zh-Hans", True), ("zh-Hant", False), ("en", False)]
ALWAYS = ("report", "hand-finding")
"""What is taken in every language and in the dark; the others in one."""

PNG = b"\x89PNG"


def take(page: Page, path: Path) -> None:
    """The whole page, and of a hand the part that fits the window."""
    page.screenshot(path=path, full_page=True)
    if path.name.startswith("hand"):
        page.locator(".seat-bottom").scroll_into_view_if_needed()
        page.screenshot(path=path.with_stem(f"{path.stem}-window"))
    assert path.read_bytes()[:4] == PNG


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize(("lang", "dark"), LOOKS)
def test_of_every_page(
    visitor: Visitor, served: Served, games: dict[str, str], pictures: Path, width: int, lang: str, dark: bool
) -> None:
    disputed, sample = games["chengdu/guo-shui"], served.hand.partition("/hands")[0]
    places = {
        "index": "/",
        "upload": sample,
        "report": games["salasasa"],
        "report-broken": games["broken"],
        "report-sample": sample,
        "hand-opening": served.hand,
        "hand-midst": f"{sample}/hands/0/steps/60",
        "hand-finding": f"{disputed}/hands/0/steps/18",
        "hand-end": f"{games['chengdu/clean']}/hands/0/steps/0",
        "missing": "/reports/none",
    }
    with visitor.page(SIZES[width], lang, dark=dark, missing=True) as page:
        for name, place in places.items():
            if name not in ALWAYS and (lang, dark) != LOOKS[0]:
                continue
            page.goto(place)
            if name == "upload":
                page.locator(".crumbs a").last.click()
            if name == "hand-end":
                press(page, "End")
            take(page, pictures / f"{name}-{width}-{lang}{'-dark' * dark}.png")


@pytest.mark.parametrize("width", SIZES)
def test_of_an_upload_that_waits(visitor: Visitor, served: Served, pictures: Path, width: int) -> None:
    log = {"name": "等候.json", "mimeType": "application/json", "buffer": b"[]" + b" " * width}
    with visitor.page(SIZES[width], "zh-Hans") as page, served.paused():
        give(page, log)
        take(page, pictures / f"upload-waiting-{width}-zh-Hans.png")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", BOARD_SIZES)
def test_of_the_board(guest: Visitor, court: Hall, pictures: Path, width: int, dark: bool) -> None:
    with guest.page(BOARD_SIZES[width], "zh-Hans", dark=dark) as page:
        court.let_in(page, "Ann")
        page.goto(f"{court.report}/hands/0/steps/60?tab=ledger")
        page.screenshot(path=pictures / f"board-{width}{'-dark' * dark}.png")
        take(page, pictures / f"board-whole-{width}{'-dark' * dark}.png")


@pytest.mark.parametrize("width", SIZES)
def test_of_what_people_settle_with_each_other(
    guest: Visitor, court: Hall, pictures: Path, width: int
) -> None:
    places = {
        "case": court.case("decided"),
        "case-open": court.case("taken"),
        "cases": "/cases",
        "court-report": court.report,
        "search": "/search?code=ACT023",
        "print": f"{court.report}/print.html",
    }
    with guest.page(SIZES[width], "zh-Hans") as page:
        for name, place in places.items():
            court.let_in(page, "Judge" if name.startswith("case") else "Ann")
            page.goto(place)
            take(page, pictures / f"{name}-{width}.png")
