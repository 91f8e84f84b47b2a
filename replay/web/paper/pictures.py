"""Pictures of the table for paper: what each seat holds at a step, and the style that draws the tiles of it.

A tile is drawn by the style of the page, which holds its picture as data: nothing is fetched, and a tile that is
there a hundred times is there once.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from replay.text.page import Page
from replay.web.hands.board import Board
from replay.web.hands.faces import TileView
from replay.web.hands.pages import walk_or_404
from replay.web.hands.seats import SeatView
from replay.web.loading import Audited

STATIC = Path(__file__).parents[1] / "static"
SYMBOL = re.compile(r'<symbol id="([a-z0-9]+)" viewBox="([0-9 .]+)">(.*?)</symbol>', re.S)
WIDE, HIGH = 21, 28
"""Pixels of a tile, in which its frame is."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The table at a step: which step of how many it is, what it is in a sentence, and the four seats in order."""

    hand: int
    step: int
    last: int
    said: str
    left: int
    seats: list[SeatView]

    @property
    def name(self) -> str:
        """What it is linked to by."""
        return f"hand-{self.hand + 1}-step-{self.step}"

    def tiles(self) -> Iterator[TileView]:
        """Every tile in it."""
        for seat in self.seats:
            yield from seat.hand
            yield from (seat.drawn,) if seat.drawn is not None else ()
            yield from (win.tile for win in seat.wins)
            yield from (tile for meld in seat.melds for tile in meld.tiles)
            yield from seat.discards


def picture(page: Page, loaded: Audited, hand: int, step: int) -> Picture:
    """The table of a hand at a step, which must be there to be walked to; the last step there is for one beyond."""
    walk = walk_or_404(loaded, hand)
    frame = walk.frame(min(step, walk.last))
    board = Board(page, loaded.written["hands"][hand], frame, loaded.only or 0, False, walk.rules.forced_last)
    seats = [board.seat_view(seat) for seat in frame.seats]
    return Picture(hand, frame.step, walk.last, board.sentence(), frame.left, seats)


def style_of(pictures: Iterable[Picture]) -> str:
    """The style of a page with these pictures; no character in it is one that HTML would write otherwise."""
    used = sorted({tile.symbol for one in pictures for tile in one.tiles()} & drawings().keys())
    plain = (STATIC / "print.css").read_text(encoding="utf-8")
    return plain + "".join(f".t-{name}::before {{ content: url({drawings()[name]}); }}\n" for name in used)


@lru_cache(maxsize=1)
def drawings() -> dict[str, str]:
    """The picture of each tile as a data URL, by its symbol in tiles.svg."""
    sprite = (STATIC / "tiles.svg").read_text(encoding="utf-8")
    return {name: _drawn(view, inner) for name, view, inner in SYMBOL.findall(sprite)}


def _drawn(view: str, inner: str) -> str:
    frame = '<rect width="300" height="400" rx="26" fill="#fff" stroke="#8a8a82" stroke-width="10"/>'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" viewBox="-8 -8 316 416">'
        f'{frame}<svg width="300" height="400" viewBox="{view}">{inner}</svg></svg>'
    )
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode("ascii")
