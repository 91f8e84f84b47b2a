"""The table as it is drawn: its pictures come, its tiles can be told apart, and nothing leaves its seat's room."""

import pytest

from .serving import Served
from .watching import NARROW, WIDE, Visitor

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
