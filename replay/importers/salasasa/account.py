"""The server's own account of a hand (`side`), where it comes with the record: 定缺, and what each seat decided.

It is evidence beside the record: it fills in what the record does not hold, and never overrules what it does.
"""

from dataclasses import dataclass
from typing import Any

from replay.importers.fields import field, four_integers, integer, items, seat
from replay.importers.malformed import Malformed
from replay.importers.salasasa.names import TARGET

SEATS = range(4)
CLAIMS = ("hu", "peng", "gang")
OWN_TURN = frozenset({"cut", "angang", "jiagang", "hu_self"})
CHOICES = frozenset({*CLAIMS, *OWN_TURN, "pass"})


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat was asked and chose. ``offered`` are the claims among what it was offered; in its own turn, none."""

    seat: int
    offered: tuple[str, ...]
    chose: str

    @property
    def declined(self) -> list[str]:
        """The claims it let go: all of them when it passed, the hu when it took the tile otherwise."""
        if self.chose == "pass":
            return list(self.offered)
        return ["hu"] if "hu" in self.offered and self.chose in ("peng", "gang") else []


class Account:
    """One hand's entry of `side`. ``claims`` and ``turns`` are decisions by tick: about another's tile, in own turn."""

    def __init__(self, entry: object, pointer: str) -> None:
        self.pointer = pointer
        self.round = integer(entry, "round_index", pointer)
        self.dealer = integer(entry, "dealer_index", pointer)
        self.before = four_integers(field(entry, "scores_before", list, pointer), f"{pointer}/scores_before")
        self.voids = voids(field(entry, "dingque", dict, pointer), f"{pointer}/dingque")
        self.claims: dict[int, list[Decision]] = {}
        self.turns: dict[int, list[Decision]] = {}
        for at, given in enumerate(field(entry, "decisions", list, pointer)):
            tick, decision = decision_of(given, f"{pointer}/decisions/{at}")
            kind = self.claims if decision.offered else self.turns
            kind.setdefault(tick, []).append(decision)

    def in_turn(self, tick: int) -> int | None:
        """The seat that decided in its own turn what this tick records, None where none did."""
        return next((decision.seat for decision in self.turns.pop(tick, ())), None)

    def about(self, tick: int) -> list[Decision]:
        """What was decided about the tile that this tick laid down: such decisions carry the next tick's number."""
        return self.claims.pop(tick + 1, [])

    def rest(self) -> int:
        """How many decisions belong to no tick that was read."""
        return sum(len(decisions) for kind in (self.claims, self.turns) for decisions in kind.values())


def voids(chosen: dict[str, Any], pointer: str) -> list[str]:
    """The void suit of each seat."""
    found = []
    for number in SEATS:
        suit = chosen.get(str(number))
        if type(suit) is not int or suit not in (1, 2, 3):
            raise Malformed(f"{pointer}/{number}", suit, "1 万, 2 饼 or 3 条")
        found.append(TARGET["suits"][str(suit)])
    return found


def decision_of(given: object, pointer: str) -> tuple[int, Decision]:
    """A decision and the tick it belongs to."""
    offered = field(given, "offered", list, pointer)
    for at, name in enumerate(offered):
        if not isinstance(name, str) or name not in CHOICES:
            raise Malformed(f"{pointer}/offered/{at}", name, "a choice that this importer knows")
    chose = field(given, "chose", str, pointer)
    if chose not in offered:
        raise Malformed(f"{pointer}/chose", chose, "one of the choices offered")
    claims = tuple(name for name in CLAIMS if name in offered)
    decision = Decision(seat(field(given, "seat", int, pointer), f"{pointer}/seat"), claims, chose)
    return integer(given, "tick", pointer), decision


def accounts(side: object, rounds: int) -> list[Account] | None:
    """The account of every hand, or None where the record comes without."""
    if side is None:
        return None
    entries = items(side, "/side")
    if len(entries) != rounds:
        raise Malformed("/side", f"{len(entries)} hands", f"one entry for each of {rounds} hands")
    return [Account(entry, f"/side/{at}") for at, entry in enumerate(entries)]
