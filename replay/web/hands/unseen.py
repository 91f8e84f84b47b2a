"""What nobody at the table can see from where it sits, and who would draw the tiles that are still to come."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import cycle

from replay.steps import Frame, MeldShown, SeatShown

COPIES = 4
"""How many tiles there are of a kind."""


def left_unseen(frame: Frame, number: int, tile: str) -> int:
    """How many tiles of a kind a seat has not seen: not in its own hand, and not open on the table."""
    return max(0, COPIES - seen(frame, (number,))[tile])


def seen(frame: Frame, known: Collection[int]) -> Counter[str]:
    """How many of each kind lie open on the table or in the hands that are ``known``."""
    counts: Counter[str] = Counter([frame.indicator] if frame.indicator else [])
    robbed = set()
    for seat in frame.seats:
        counts.update(each.tile for each in seat.discards)
        for meld in seat.melds:
            counts.update(of_meld(frame, meld))
        counts.update(win.tile for win in seat.wins if win.source is None)
        robbed |= {(win.source_at, win.tile) for win in seat.wins if win.robbed}
        if seat.number in known:
            counts.update(seat.hand)
            counts.update([seat.drawn] if seat.drawn else [])
    # A tile that several seats robbed is one tile, and no longer its gang's.
    counts.update(tile for _, tile in robbed)
    return counts


def of_meld(frame: Frame, meld: MeldShown) -> Iterator[str]:
    """The tiles of a meld but the one that it claimed, which is counted where it was discarded."""
    size = 3 if meld.kind == "peng" else 4
    for _ in range(size - meld.wild - (meld.source is not None)):
        yield meld.tile
    for _ in range(meld.wild):
        yield frame.wild or meld.tile
    if meld.adding:
        yield meld.tile


def plays(seat: SeatShown) -> bool:
    """Whether a seat still draws: it has not hu'd, or plays on."""
    return seat.locked or not seat.wins


def draws(frame: Frame) -> Iterator[int]:
    """Who draws next, and who after it, without end, if nobody claims anything; nobody where nobody is to draw."""
    first = next((seat.number for seat in frame.seats if may(seat, "draw")), None)
    if first is None:
        discards = next((seat.number for seat in frame.seats if may(seat, "discard")), None)
        first = None if discards is None else after(frame, discards)
    if first is not None:
        order = [number % 4 for number in range(first, first + 4)]
        yield from cycle(number for number in order if number == first or plays(frame.seats[number]))


def may(seat: SeatShown, what: str) -> bool:
    """Whether a seat may do this now."""
    return any(offer.what == what for offer in seat.offers)


def after(frame: Frame, number: int) -> int:
    """The next seat that plays, round to the right; the seat itself where no other does."""
    others = [(number + away) % 4 for away in (1, 2, 3)]
    return next((one for one in others if plays(frame.seats[one])), number)


def replaces(frame: Frame) -> bool:
    """Whether the next draw makes up for a gang."""
    if frame.phase == "added":
        first = next(draws(frame), None)
        return first is not None and any(meld.adding for meld in frame.seats[first].melds)
    return frame.phase == "replacement"
