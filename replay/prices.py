"""Prices: what a winning hand costs each payer, from the fans it earns and the rule set's scale, base and cap."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from replay.alike import named_pairs, named_sets, unlike_hands
from replay.fans import (
    EXTRAS,
    SHAPES,
    SITUATIONS,
    ExtraCount,
    Meld,
    Reading,
    ShapeTest,
    Winning,
    gang_count,
    readings,
)
from replay.profile import RuleProfile


class Part(Struct, frozen=True):
    """A fan that counted: its id, its fan a unit, and how many times it counted."""

    id: str
    fan: int
    times: int = 1


class Price(Struct, frozen=True):
    """What a hand is worth: ``fan`` before the cap, ``price`` (points from one payer) after it.

    ``triplets`` and ``edges`` tell which reading it was, so that a decomposition to show can be found; ``hand`` is the
    packed hand with its 听用 as what they stand for, 0 where it holds none.
    """

    fan: int
    price: int
    shape: Part
    extras: tuple[Part, ...]
    pairs: bool = False
    triplets: bool = False
    edges: bool = False
    hand: int = 0


SCALES: dict[str, Callable[[int, int], int]] = {
    "exp": lambda base, fan: base << max(fan - 1, 0),
    "exp0": lambda base, fan: base << fan,
    "lin": lambda base, fan: base * fan,
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the price table, ready to be tried."""

    part: Part
    test: ShapeTest
    absorbs: int


@dataclass(slots=True)
class Pricer:
    """A rule set's price table with its predicates looked up once; ``base`` are the points of one unit."""

    rules: RuleProfile
    base: int
    rows: tuple[Row, ...] = ()
    added: tuple[tuple[str, int, ExtraCount], ...] = ()
    always_added: tuple[tuple[str, int, ExtraCount], ...] = ()
    combine: Callable[["Pricer", Reading, list[Part]], tuple[Part, list[Part]]] = field(init=False)
    scale: Callable[[int, int], int] = field(init=False)

    def __post_init__(self) -> None:
        rules = self.rules
        absorb = rules.absorb_gen
        self.rows = tuple(
            Row(Part(name, fan), SHAPES[name], absorb.get(name, 0)) for name, fan in rules.shapes.items()
        )
        self.added = tuple((name, fan, EXTRAS[name]) for name, fan in rules.extras.items() if fan)
        self.always_added = tuple(entry for entry in self.added if entry[0] not in SITUATIONS)
        self.combine = COMBINE[rules.combine]
        self.scale = SCALES[rules.scale]

    def price(self, hand: Winning) -> Price | None:
        """The dearest reading of ``hand``; None when it is not a winning shape of this rule set.

        Of a hand with 听用, over all that they can stand for.
        """
        if hand.wild >= 0 and hand.is_wild():
            return self._wild_price(hand)
        found = readings(self.rules, hand)
        if len(found) < 2:
            return self._price_reading(found[0]) if found else None
        return self._dearest([self._price_reading(reading) for reading in found])

    def _dearest(self, prices: list[Price]) -> Price:
        """The dearest, then that of most fan, then the first in the price table, then the first (rulebook §5)."""
        order = list(self.rules.shapes)
        return max(prices, key=lambda price: (price.price, price.fan, -order.index(price.shape.id)))

    def _wild_price(self, hand: Winning) -> Price | None:
        prices = []
        for tiles in unlike_hands(self.rules, hand):
            found = readings(self.rules, Winning(tiles, hand.melds, hand.zi_mo, hand.how))
            prices += [replace(self._price_reading(reading), hand=tiles) for reading in found]
        if not prices:
            return None
        best = self._dearest(prices)
        alike = [each for each in prices if (each.fan, each.shape) == (best.fan, best.shape)]
        return min(alike, key=smallest_sets) if len(alike) > 1 else best

    def points(self, fan: int) -> int:
        """The price of ``fan`` under this rule set's base, scale and cap."""
        cap = self.rules.cap_fan
        return self.scale(self.base, fan if cap is None or fan < cap else cap)

    def _price_reading(self, reading: Reading) -> Price:
        rules = self.rules
        hand = reading.hand
        extras = []
        for name, fan, count_of in self.added if hand.how else self.always_added:
            count = count_of(reading, rules)
            if count:
                extras.append(Part(name, fan, int(count)))
        own = rules.own_gangs
        if own is not None:
            extras += gang_parts(hand.melds, own)
        if hand.zi_mo and rules.zi_mo_bonus == "add_fan":
            extras.append(Part("zi_mo", 1))
        main, rest = self.combine(self, reading, extras)
        fan = main.fan + total(rest)
        return Price(fan, self.points(fan), main, tuple(rest), reading.pairs, reading.triplets, reading.edges)


def smallest_sets(price: Price) -> tuple[bool, tuple[Sequence[int], int]]:
    """What orders equal prices of one hand with 听用: sets before seven pairs, then the smallest sets."""
    tiles = price.hand
    return price.pairs, named_pairs(tiles) if price.pairs else (named_sets(tiles), tiles)


def gang_parts(melds: Iterable[Meld], worth: dict[str, int]) -> list[Part]:
    """The extras that a seat's gangs add to a price where gangs count in it (杠进杠出)."""
    concealed = sum(meld.kind == "an" for meld in melds)
    exposed = gang_count(melds) - concealed
    parts = [
        Part("own_gang_exposed", worth["exposed"], exposed),
        Part("own_gang_concealed", worth["concealed"], concealed),
    ]
    return [part for part in parts if part.times and part.fan]


def largest(pricer: Pricer, reading: Reading, extras: list[Part]) -> tuple[Part, list[Part]]:
    """One row counts, never two (004 §5 均不重復計算，只按最大番算), and the extras are added to it.

    The largest row is taken, and then the gen that it contains: four gangs are 十八罗汉 though 金钩钓 and four gen
    would come to more. Where rows are equal, the one that leaves more is: 天胡 on a 青龙七对 absorbs nothing (§2.3 l).
    """
    best: tuple[Part, list[Part]] | None = None
    best_fan = (-1, -1, -1)
    for row in pricer.rows:
        if row.test(reading):
            rest = extras
            if pricer.rules.excludes:
                rest = without_excluded(row.part, rest, pricer.rules.excludes)
            whole = row.part.fan + total(rest)
            if row.absorbs:
                rest = less_gen(rest, row.absorbs)
            fan = (whole, row.part.fan + total(rest), row.part.fan)
            if fan > best_fan:
                best, best_fan = (row.part, rest), fan
    assert best is not None, "a price table has a row for any winning hand"
    return best


def together(pricer: Pricer, reading: Reading, extras: list[Part]) -> tuple[Part, list[Part]]:
    """Every row that holds counts and they add up; the dearest of them is named as the shape."""
    rows = [row for row in pricer.rows if row.test(reading)]
    extras = less_gen(extras, sum(row.absorbs for row in rows))
    parts = [row.part for row in rows]
    main = max(parts, key=lambda part: part.fan)
    rest = [part for part in parts if part is not main and part.fan] + extras
    return main, without_excluded(main, rest, pricer.rules.excludes)


def total(parts: list[Part]) -> int:
    """The fan of some parts together."""
    return sum([part.fan * part.times for part in parts]) if parts else 0


COMBINE = {"largest": largest, "sum": together}


def less_gen(extras: list[Part], absorbed: int) -> list[Part]:
    """The extras with ``absorbed`` gen fewer: 龙七对 已含 one of them."""
    kept = []
    for part in extras:
        count = part.times - absorbed if part.id == "gen" else part.times
        if count > 0:
            kept.append(Part(part.id, part.fan, count))
    return kept


def without_excluded(main: Part, rest: list[Part], excludes: Iterable[Sequence[str]]) -> list[Part]:
    """``rest`` without what the rule set does not count beside ``main`` or beside a dearer extra."""
    for a, b in excludes:
        rest = drop_cheaper(main, rest, a, b)
    return rest


def drop_cheaper(main: Part, rest: list[Part], a: str, b: str) -> list[Part]:
    """``rest`` without the cheaper of two fans that do not count together; the shape itself always stays."""
    present = [part for part in (main, *rest) if part.id in (a, b)]
    if len({part.id for part in present}) < 2:
        return rest
    cheaper = min((part for part in present if part is not main), key=lambda part: part.fan * part.times)
    return [part for part in rest if part is not cheaper]


def part_facts(part: Part) -> dict[str, object]:
    """An extra as the report writes it; ``fan`` is per unit."""
    return {"id": part.id, "fan": part.fan, "count": part.times}


@lru_cache(maxsize=256)
def pricer_of(rules: RuleProfile, base: int | None = None) -> Pricer:
    """The pricer of a rule set, made once for each ``base``.

    Without one it is the rule set's own, or 1 where that is not a number but a share of what the seats have.
    """
    if base is None:
        base = rules.base if isinstance(rules.base, int) else 1
    return Pricer(rules, base)
