"""The ledger: who owes whom, entry by entry. Nothing is edited; a refund is a new entry that names what it reverses."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

BANK = None
"""Where a payment that no seat receives goes."""


NO_FACTS: Mapping[str, Any] = {}


class Entry(Struct, frozen=True):
    """A payment of ``amount`` points (> 0) from a seat to another seat or the bank; it cannot be changed.

    ``at`` is the action that caused it, None at a liuju; ``because`` the facts it rests on; ``reverses`` the
    position of the entry that it gives back.
    """

    kind: str
    source: int
    target: int | None
    amount: int
    at: int | None
    because: Mapping[str, Any] = NO_FACTS
    reverses: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The entry as the report writes it."""
        return {
            "kind": self.kind,
            "from": self.source,
            "to": self.target,
            "amount": self.amount,
            "at": self.at,
            "because": dict(self.because),
            "reverses": self.reverses,
        }


def scores(entries: Iterable[Entry]) -> list[int]:
    """What the entries come to for each of the four seats; with the bank's share they add up to zero.

    >>> scores([Entry("hu", 1, 0, 8, 5), Entry("penalty", 2, None, 24, 9)])
    [8, -8, -24, 0]
    """
    totals = [0, 0, 0, 0]
    for entry in entries:
        totals[entry.source] -= entry.amount
        if entry.target is not None:
            totals[entry.target] += entry.amount
    return totals


def bank(entries: Iterable[Entry]) -> int:
    """What the bank received."""
    return sum(entry.amount for entry in entries if entry.target is BANK)
