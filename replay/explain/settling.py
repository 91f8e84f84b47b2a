"""A hand's money under a rule set, from the course of the hand alone: only prices and payments are made anew.

The table is the one that the hand was played on. It is set back to how it stood at each payment, and the functions
that settle an audit settle it again.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from threading import get_ident
from typing import Any

from msgspec.structs import replace

from replay.events import Flight, Gang, Win
from replay.explain.course import FAN_KEYS, Course
from replay.explain.variants import Variant, Work
from replay.fans import Meld, Winning
from replay.flight import settle_flight
from replay.ledger import Entry, scores
from replay.liu_ju import settle_liu_ju
from replay.prices import Price, Pricer, gang_parts
from replay.profile import RuleProfile
from replay.settlement import Settlement, settle_breaches, settle_gang, settle_hu
from replay.state import base_of

Four = tuple[int, ...]

GANG_MONEY = {"gang": 1, "transfer": 1, "refund": 1}
"""The kinds of entries that hang on what gangs are worth, and on nothing that a hand is worth."""

MOST_FAN = 30
"""At least any number of fan that a cap could cut."""


@dataclass(slots=True, eq=False)
class Outcome:
    """The money of a hand under a rule set. ``fan`` is the most that a cap could cut."""

    entries: Sequence[Entry]
    wins: Sequence[Win]
    fan: int
    _scores: list[int] | None = None
    _parts: tuple[Four, Four, Four] | None = None

    @property
    def scores(self) -> list[int]:
        """What each seat wins or loses."""
        if self._scores is None:
            self._scores = scores(self.entries)
        return self._scores

    def parts(self, fixed: bool) -> tuple[Four, Four, Four]:
        """The scores in three parts that add up: of hands, of gangs, and of sums of points that no base changes.

        ``fixed`` tells that a huazhu pays such a sum.
        """
        if self._parts is None:
            kinds = {"penalty": 2, "hua_zhu": 2 if fixed else 0, **GANG_MONEY}
            found = [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]
            for entry in self.entries:
                back = entry.reverses
                part = found[kinds.get(entry.kind if back is None else self.entries[back].kind, 0)]
                part[entry.source] -= entry.amount
                if entry.target is not None:
                    part[entry.target] += entry.amount
            hands, gangs, sums = map(tuple, found)
            self._parts = hands, gangs, sums
        return self._parts


Claimed = Container[tuple[Any, ...]]
"""Payments by kind, payer, payee and amount, of which a settlement may hold no others."""

payment = attrgetter("kind", "source", "target", "amount")


def outcome(course: Course, variant: Variant, own: bool) -> Outcome | None:
    """A hand's money under a rule set, worked out once for all that it cannot tell apart.

    None where a hu is no winning shape there. ``own`` tells that the log names the rule set: only then is it known
    which hu were illegal, should that cost anything.
    """
    found = outcome_within(course, variant, own, None)
    assert not isinstance(found, Entry)
    return found


def outcome_within(
    course: Course, variant: Variant, own: bool, claimed: Claimed | None
) -> Outcome | Entry | None:
    """The same; with ``claimed`` no further than the first payment that is not among them, which is then returned."""
    judged = own and variant.facts["penalties"] != "none"
    key = judged, course.is_liuju(variant), variant.looked_up(course.touched)
    if key not in course.outcomes:
        found = settle(course, variant, judged, claimed)
        if isinstance(found, Entry):
            return found
        course.outcomes[key] = found
    known: Outcome | None = course.outcomes[key]
    return known


def settle(course: Course, variant: Variant, judged: bool, claimed: Claimed | None) -> Outcome | Entry | None:
    """Settle a hand anew; ``judged`` lets the hu stay illegal that were."""
    course.work.add()
    table, rules = course.table, variant.rules
    table.rules, table.base = rules, base_of(rules, course.hand)
    table.pricer = pricer_for(course, variant, table.base)
    table.wins, table.gangs, table.flights = [], [], []
    wins = [as_won(win, variant) for win in course.wins]
    prices = [price_of(course, win) for win in wins]
    if None in prices:
        return None
    book = Settlement(table)
    gangs: dict[int, Gang] = {}
    laid = course.laid if rules.payer_gangs is not None else None
    for position, (_, event) in enumerate(course.events):
        stand_at(course, position, laid)
        if isinstance(event, Win):
            price, event = prices[len(table.wins)], wins[len(table.wins)]
            before = tuple([gangs.get(gang.at, gang) for gang in event.gangs])
            event = replace(event, price=price, gangs=before, illegal=judged and event.illegal)
            table.wins.append(event)
        elif isinstance(event, Gang):
            event = gangs[event.at] = replace(event, entries=(), released=False)
            table.gangs.append(event)
        elif isinstance(event, Flight):
            table.flights.append(event)
        made = len(book.entries)
        SETTLES[type(event)](book, event)
        if claimed is not None:
            for entry in book.entries[made:]:
                if payment(entry) not in claimed:
                    return entry
    stand_at(course, -1, laid)
    settle_breaches(book)
    if course.is_liuju(variant):
        settle_liu_ju(book)
    return Outcome(book.entries, table.wins, most_fan(book, variant))


SETTLES: dict[type, Callable[[Settlement, Any], None]] = {
    Gang: settle_gang,
    Win: settle_hu,
    Flight: settle_flight,
}


def stand_at(course: Course, position: int, laid: Sequence[Sequence[list[Meld]]] | None) -> None:
    """Set the seats back to how they stood at an event: who was in play and, where given, with which gangs."""
    a, b, c, d = course.table.seats
    a.hu_at, b.hu_at, c.hu_at, d.hu_at = course.gone[position]
    if laid is not None:
        a.melds, b.melds, c.melds, d.melds = laid[position]


def as_won(win: Win, variant: Variant) -> Win:
    """The hu as a rule set sees it: that a gang was robbed after another gang counts only where it keeps it."""
    if not win.robbed or variant.facts["rob_keeps_gang_pao"]:
        return win
    how = tuple([one for one in win.how if one != "gang_pao"])
    return replace(win, how=how, gangs=())


class Remembering(Pricer):
    """A pricer that counts the fan of a hand once: ``fans`` holds what was counted, for all that count alike.

    Base, scale and cap turn fan into points and choose no reading, so what was counted for one serves the others.
    """

    __slots__ = ("fans", "work")
    fans: dict[Any, Price | None]
    work: Work

    def price(self, hand: Winning) -> Price | None:
        """The dearest reading of ``hand``."""
        key = hand.hand, hand.zi_mo, hand.how, tuple([(meld.kind, meld.tile) for meld in hand.melds])
        if key not in self.fans:
            self.work.add()
            self.fans[key] = Pricer.price(self, hand)
        found = self.fans[key]
        return None if found is None else replace(found, price=self.points(found.fan))


@lru_cache(maxsize=512)
def remembering(rules: RuleProfile, base: int, thread: int) -> Remembering:
    """Such a pricer, made once for each thread: it is set to one hand after the other."""
    return Remembering(rules, base)


def pricer_for(course: Course, variant: Variant, base: int) -> Remembering:
    """The pricer of a rule set, with the fan that were counted in this hand."""
    pricer = remembering(variant.rules, base, get_ident())
    pricer.work = course.work
    more = variant.facts["zi_mo_bonus"] == "add_fan"
    void = variant.facts["void"] if course.table.wild >= 0 else None
    pricer.fans = course.outcomes.setdefault((more, void, variant.looked_up(FAN_KEYS)), {})
    return pricer


def price_of(course: Course, win: Win) -> Price | None:
    """What a hu is worth on the table as it stands."""
    seat = course.table.seats[win.seat]
    return course.table.pricer.price(
        Winning(win.hand, win.melds, win.source is None, win.how, seat.wild, seat.void)
    )


def fan_of(entry: Entry) -> int | None:
    """The fan that a payment states as its price: of the best hand that a seat waited for, or of a 相公."""
    because = entry.because
    found = because["best"]["fan"] if "best" in because else because.get("fan")
    return None if found is None else int(found)


def most_fan(book: Settlement, variant: Variant) -> int:
    """The most fan that a cap could have cut in these entries."""
    by_price = variant.facts["hua_zhu"] in ("cap", "best_times", "best_or_fixed")
    if by_price and any(entry.kind == "hua_zhu" for entry in book.entries):
        return MOST_FAN
    worth, more = book.table.rules.payer_gangs, 0
    if worth is not None:
        held = [gang_parts(seat.melds, worth) for seat in book.table.seats]
        more = max(sum(part.fan * part.times for part in parts) for parts in held)
    bests = [fan for entry in book.entries if (fan := fan_of(entry)) is not None]
    return max([win.price.fan + more for win in book.table.wins] + bests, default=0)
