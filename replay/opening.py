"""What is done before the first discard: 换三张, 定缺, 飘."""

from replay import log
from replay.events import Event
from replay.log import Action
from replay.state import Table
from replay.tiles import ALL_OF, INDEX, SUIT_FIELD

PASSED_ON: dict[str, int] = {"next": 1, "previous": 3, "opposite": 2}
"""How many seats on the three tiles of 换三张 go."""


def give_three(table: Table, number: int, tile: int, action: log.Swap) -> Event:
    """换三张: the tiles leave the hand at once and reach the other when all four seats have given (000 §3.8)."""
    seats = table.seats
    seat = seats[number]
    seat.given = tuple([INDEX[name] for name in action.tiles])
    for kind in seat.given:
        seat.take(kind, -1)
    table.undeclared -= 1
    table.refresh(seat)
    if all(each.given for each in seats):
        for giver in seats:
            receiver = seats[(giver.number + PASSED_ON[table.direction]) % 4]
            for kind in giver.given:
                receiver.take(kind)
        for each in seats:
            table.refresh(each)
    return None


def raise_stake(table: Table, number: int, tile: int, action: Action) -> Event:
    """飘."""
    table.seats[number].piao_at = table.index
    return None


def declare_void(table: Table, number: int, tile: int, action: log.Void) -> Event:
    """定缺; the first one stands."""
    seat = table.seats[number]
    if seat.void_at is None:
        seat.void = "mps".index(action.suit)
        seat.void_tiles = SUIT_FIELD[seat.void]
        if seat.wild >= 0:
            # A 听用 has no suit (rulebook §6.5).
            seat.void_tiles &= ~ALL_OF[seat.wild]
        seat.void_at = table.index
        table.undeclared -= 1
        # While it holds its void suit it waits for nothing.
        if seat.waits or not seat.hand & seat.void_tiles:
            table.refresh(seat)
    return None
