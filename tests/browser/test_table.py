"""The table as it is drawn: its pictures come, its tiles can be told apart, and nothing leaves its seat's room."""

import pytest

from .serving import Served
from .watching import LOCALES, NARROW, WIDE, Visitor

BETWEEN = (768, 1024)
SMALLEST = 18.5
"""Pixels of a tile's width, edges included; those laid aside by a winner may be smaller."""

UNDRAWN = """() => [...document.querySelectorAll(".table .tile use")]
  .filter((one) => !one.getBBox().width).length"""

WIDTHS = """() => [...document.querySelectorAll(".table .tile:not(.turned)")]
  .map((one) => one.getBoundingClientRect().width)"""

OUTSIDE = """() => [...document.querySelectorAll(".seat")].flatMap((seat) => {
  const room = seat.getBoundingClientRect();
  return [...seat.querySelectorAll(".tile, .origin")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1;
  }).map((one) => `${seat.className}: ${one.className}`);
})"""


@pytest.mark.parametrize("size", [NARROW, BETWEEN, WIDE])
def test_every_tile_is_drawn_in_its_seat_and_large_enough(
    visitor: Visitor, served: Served, games: dict[str, str], size: tuple[int, int]
) -> None:
    places = [served.hand]
    places += [f"{games['chengdu/clean']}/hands/0/steps/{step}" for step in (60, 136)]
    places += [f"{games['chengdu/guo-shui']}/hands/0/steps/{step}" for step in (18, 122)]
    with visitor.page(size) as page:
        for place in places:
            page.goto(place)
            page.wait_for_function(f"!({UNDRAWN})()")
            assert min(page.evaluate(WIDTHS)) >= SMALLEST, place
            assert page.evaluate(OUTSIDE) == [], place


BAR = """() => [...document.querySelectorAll(".bar > a")].map((one) => {
  const parts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const box = one.getBoundingClientRect();
  let lines = 0, inside = true;
  while (parts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(parts.currentNode);
    const boxes = parts.currentNode.data.trim() ? [...range.getClientRects()] : [];
    lines = Math.max(lines, boxes.length);
    inside = inside && boxes.every((each) => each.left >= box.left && each.right <= box.right);
  }
  return { said: one.innerText, lines, inside };
})"""


@pytest.mark.parametrize("lang", LOCALES)
@pytest.mark.parametrize("width", [360, NARROW[0]])
def test_a_button_of_the_bottom_bar_says_its_word_in_one_line(
    visitor: Visitor, served: Served, width: int, lang: str
) -> None:
    with visitor.page((width, 844), lang) as page:
        for tab in ("findings", "ledger", "log", "wall"):
            page.goto(f"{served.hand.partition('?')[0]}?tab={tab}")
            buttons = page.evaluate(BAR)
            assert len(buttons) == 4
            assert [one for one in buttons if one["lines"] != 1 or not one["inside"]] == []
