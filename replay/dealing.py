"""Who deals next (rulebook §2.7)."""

from collections.abc import Callable

from replay.events import Win
from replay.state import Table

ANY_SEAT = [0, 1, 2, 3]


def next_dealers(table: Table) -> list[int]:
    """The seats that may deal next (rulebook §2.7); any after a flight that ended the hand (§6.10)."""
    if any(not flight.winner for flight in table.flights):
        return list(ANY_SEAT)
    return NEXT_DEALER[table.rules.next_dealer](table)


def first_hu_deals(table: Table) -> list[int]:
    """The first seat to hu; nobody: the same dealer; several on one tile: as `next_dealer_tie` says."""
    if not table.wins:
        return [table.dealer]
    first = table.wins[0]
    same = [win.seat for win in table.wins if win.source is not None and taken_together(first, win)]
    if len(same) < 2 or first.source is None:
        return [first.seat]
    return NEXT_DEALER_TIE[table.rules.next_dealer_tie](first.source, same)


def taken_together(first: Win, other: Win) -> bool:
    """Whether two hu took one tile: the one that the same action laid down."""
    return first.source == other.source and first.window == other.window


def discarder_deals(table: Table) -> list[int]:
    """The seat that discarded the first hu's tile; its winner after a self-draw; nobody: the same dealer."""
    if not table.wins:
        return [table.dealer]
    first = table.wins[0]
    return [first.seat if first.source is None else first.source]


NEXT_DEALER: dict[str, Callable[[Table], list[int]]] = {
    "first_hu": first_hu_deals,
    "discarder": discarder_deals,
    "any": lambda table: list(ANY_SEAT),
}

NEXT_DEALER_TIE: dict[str, Callable[[int, list[int]], list[int]]] = {
    "discarder": lambda source, winners: [source],
    "any_of_them": lambda source, winners: sorted({source, *winners}),
}
