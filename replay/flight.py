"""逃跑: what a seat pays that leaves a hand (rulebook §2.8)."""

from collections.abc import Callable
from typing import Any

from replay.events import Flight
from replay.liu_ju import best_facts, reveal
from replay.settlement import Settlement
from replay.state import Table

FLIGHT_BASES = 16
"""To each seat in play: 002 計分規則 11 還需扣除96分, which is 16 × 6; 004 §4.2 扣掉16倍點數."""

LAST_TILES = 4
"""With fewer to draw, the larger of that and what 查大叫 would cost (002 計分規則 11, 004 §4.2)."""


def settle_flight(book: Settlement, flight: Flight) -> None:
    """A seat in play that flees pays every other seat in play; of one that has hu'd, what the rule set says."""
    if flight.winner:
        AFTER_WINNERS_FLIGHT[book.table.rules.flee](book, flight)
        return
    table = book.table
    amount = FLIGHT_BASES * table.base
    feared = best_prices(table) if table.left < LAST_TILES else {}
    for payee in table.others_in_play(flight.seat):
        facts: dict[str, Any] = {"flee": flight.at, "units": FLIGHT_BASES}
        due, best = feared.get(payee, (0, {}))
        if due > amount:
            facts = {"flee": flight.at, "best": best}
        book.pay("flee", flight.seat, payee, max(amount, due), flight.at, facts)


def best_prices(table: Table) -> dict[int, tuple[int, dict[str, Any]]]:
    """What each ready seat in play could have won at best, as 查大叫 would take it."""
    return {
        seat: (price.price, best_facts(price, tile)) for seat, (price, tile) in reveal(table).best.items()
    }


def _forfeit(book: Settlement, flight: Flight) -> None:
    """The winner's hu receipts are void, and nobody gets them back (002 §3.7 則不給予所贏番數)."""
    won = sum(entry.amount for entry in book.entries if entry.kind == "hu" and entry.target == flight.seat)
    book.pay("forfeit", flight.seat, None, won, flight.at, {"forfeit": flight.at})


AFTER_WINNERS_FLIGHT: dict[str, Callable[[Settlement, Flight], None]] = {
    "none": lambda book, flight: None,
    "base6": _forfeit,
    "qq": lambda book, flight: None,
}
"""What the flight of a seat that has hu'd does to its winnings; by 004 §4.2 it keeps them."""
