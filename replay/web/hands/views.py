"""How a hand is looked at, as its address says, and the addresses of every other step and view."""

from dataclasses import dataclass, replace
from typing import Any

from flask import request

from replay.web.loading import Audited

TABS = ("findings", "ledger", "log", "wall")
"""What stands beside the table, one at a time; the first where the address names none."""

ANCHOR = "beside"
"""The element that holds the tabs."""


@dataclass(frozen=True, slots=True)
class View:
    """From which seat the table is seen, and what of it; ``seat`` is None for the arbiter, who sees every hand."""

    seat: int | None = None
    hide: bool = False
    tab: str = TABS[0]
    spoilers: bool = True
    marks: bool = True

    @property
    def below(self) -> int:
        """The seat that sits below."""
        return self.seat or 0

    def arguments(self) -> dict[str, Any]:
        """The view as an address says it."""
        return {
            "seat": self.seat,
            "hide": 1 if self.hide else None,
            "tab": self.tab if self.tab != TABS[0] else None,
            "nospoilers": None if self.spoilers else 1,
            "marks": None if self.marks else 0,
        }


def asked_view(only: int | None = None) -> View:
    """The view that the address asks for; what it names that does not exist is the first.

    To hide the other hands takes a seat: where none is named it is the first. ``only`` is the one seat that there is
    to be seen from, which knows no more than the hand so far.
    """
    given, seat, tab = request.args, request.args.get("seat", ""), request.args.get("tab", "")
    number = int(seat) if seat in ("0", "1", "2", "3") else None
    if given.get("hide") == "1" and seat != "a":
        number = number or 0
    view = View(
        seat=number,
        hide=given.get("hide") == "1" and number is not None,
        tab=tab if tab in TABS else TABS[0],
        spoilers=given.get("nospoilers") != "1",
        marks=given.get("marks") != "0",
    )
    return view if only is None else replace(view, seat=only, hide=True, spoilers=False)


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses of steps and views; each keeps what it does not change."""

    loaded: Audited
    at: int
    view: View

    def step(self, step: int) -> str:
        """Another step of this hand."""
        return self.address(self.at, step)

    def hand(self, hand: int) -> str:
        """The beginning of another hand."""
        return self.address(hand, 0)

    def seat(self, step: int, seat: int | None) -> str:
        """This step seen from another seat, or as the arbiter sees it."""
        return self.seen(step, seat=seat, hide=self.view.hide and seat is not None)

    def hidden(self, step: int) -> str:
        """This step with the other hands hidden, or shown again; the arbiter takes the seat below for it."""
        return self.seen(step, seat=self.view.below, hide=not self.view.hide)

    def tab(self, step: int, tab: str) -> str:
        """This step with something else beside the table."""
        return f"{self.seen(step, tab=tab)}#{ANCHOR}"

    def seen(self, step: int, **changes: Any) -> str:
        """This step in another view."""
        return self.address(self.at, step, replace(self.view, **changes))

    def address(self, hand: int, step: int, view: View | None = None) -> str:
        """A step as it is to be looked at."""
        return self.loaded.step_at(hand, step, **(view or self.view).arguments())
