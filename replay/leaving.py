"""How seats leave the play and hands end: 血战, 血流, 逃跑."""

from collections.abc import Callable

from replay.events import Event, Flight
from replay.log import Action
from replay.state import Seat, Table


def out_of_play(table: Table, seat: Seat, tile: int) -> None:
    """血战: who hu'd is out of play."""
    seat.hu_at = table.index
    seat.waits = 0
    seat.bar = None
    table.count_waits()
    leave(table, seat.number)


def play_on_locked(table: Table, seat: Seat, tile: int) -> None:
    """血流: the winning tile is laid aside, the thirteen stay as they are and may win again (rulebook §6.6)."""
    seat.take(tile, -1)
    seat.won.append(tile)
    if seat.locked_at is None:
        seat.locked_at = table.index


def leave(table: Table, number: int) -> None:
    """The seat is out of play: turns pass it by, and who played before it is followed by whom it was."""
    next_of = table.next_of
    following = next_of[number]
    for seat in range(4):
        if next_of[seat] == number:
            next_of[seat] = following


def flee(table: Table, number: int, tile: int, action: Action) -> Event:
    """逃跑: by a seat in play it ends the hand, by one that has hu'd it changes nothing at the table."""
    winner = table.seats[number].has_won()
    flight = Flight(number, table.index, winner)
    table.flights.append(flight)
    if not winner:
        table.end_with("flight")
        table.window = table.watched = False
        table.offers = ()
    return flight


ENDS: dict[str, Callable[[Table], str]] = {
    "three_hu": lambda table: "three_hu" if len(table.wins) >= 3 else "",
    "first_hu": lambda table: "first_hu" if table.wins else "",
    "wall": lambda table: "",
}
"""What ends the hand before the wall does."""

AFTER_HU: dict[str, Callable[[Table, Seat, int], None]] = {
    "three_hu": out_of_play,
    "first_hu": out_of_play,
    "wall": play_on_locked,
}
"""What becomes of a winner, by what ends the hand."""
