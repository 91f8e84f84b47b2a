"""Prices: which fans a winning hand earns, and what it costs each payer.

A *shape* is a row of the rule set's price table, an *extra* is added to it. What a row means stands here, one
predicate an id; what it is worth stands in the profile. A hand may be read in several ways (decompositions, seven
pairs); of all readings the dearest counts (rulebook §2.3), and of readings with one price the one with the most
fan before the cap, then the first row in the profile's order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from replay.profile import RuleProfile
from replay.shapes import BOTH, COMPLETE, TERMINALS, TRIPLETS, hand_facts, is_pairs
from replay.tiles import FOURS, ONE, RANK_OF, SHIFT, SUIT_FIELD, SUIT_OF, tiles_of

GANGS = ("zhi", "bu", "an")
EDGE_RANKS = (0, 8)
JIANG_RANKS = (1, 4, 7)


@dataclass(slots=True)
class Meld:
    """An exposed set or a gang: ``kind`` peng, zhi, bu or an; ``source`` the seat whose discard it took, or None.

    ``at`` is the action that made it (for a bu: the action that added the fourth tile).
    """

    kind: str
    tile: int
    source: int | None = None
    at: int | None = None


@dataclass(slots=True)
class Winning:
    """A complete hand and how it was won; the packed ``hand`` includes the winning tile."""

    hand: int
    melds: Sequence[Meld]
    zi_mo: bool = False
    how: Sequence[str] = ()


@dataclass(slots=True)
class Reading:
    """One way to see a winning hand: as sets (all triplets? all with an edge?) or as seven pairs."""

    hand: Winning
    jin_gou: str
    pairs: bool
    triplets: bool
    edges: bool
    one_suit: bool


class Part(NamedTuple):
    """A fan that counted: its id, its fan a unit, and how many times it counted."""

    id: str
    fan: int
    times: int = 1


class Price(NamedTuple):
    """What a hand is worth: ``fan`` before the cap, ``price`` (points from one payer) after it.

    ``triplets`` and ``edges`` tell which reading it was, so that a decomposition to show can be found.
    """

    fan: int
    price: int
    shape: Part
    extras: tuple[Part, ...]
    pairs: bool = False
    triplets: bool = False
    edges: bool = False


ShapeTest = Callable[[Reading], bool]
ExtraCount = Callable[[Reading, RuleProfile], int]

SHAPES: dict[str, ShapeTest] = {}
EXTRAS: dict[str, ExtraCount] = {}


def shape(name: str) -> Callable[[ShapeTest], ShapeTest]:
    """Enter a predicate as the meaning of the shape ``name``."""

    def enter(test: ShapeTest) -> ShapeTest:
        SHAPES[name] = test
        return test

    return enter


def extra(name: str) -> Callable[[ExtraCount], ExtraCount]:
    """Enter a count as the meaning of the extra ``name``."""

    def enter(count: ExtraCount) -> ExtraCount:
        EXTRAS[name] = count
        return count

    return enter


def has_dragon(reading: Reading) -> bool:
    """Four alike in the concealed tiles."""
    return bool(reading.hand.hand & FOURS)


def four_melds(reading: Reading) -> bool:
    """All four sets are exposed or ganged, so one tile was waited for (rulebook §2.3 reading k)."""
    return len(reading.hand.melds) == 4


def jin_gou(reading: Reading) -> bool:
    """金钩钓: four melds; where the rule set says so, any all-triplet hand won on its pair."""
    if reading.jin_gou == "four_melds":
        return four_melds(reading)
    return reading.triplets and "pair_wait" in reading.hand.how


def gang_count(melds: Iterable[Meld]) -> int:
    """How many of the melds are gangs."""
    return sum(meld.kind in GANGS for meld in melds)


@shape("ping_hu")
def _ping_hu(reading: Reading) -> bool:
    return True


@shape("men_qing")
def _men_qing(reading: Reading) -> bool:
    return all(meld.kind == "an" for meld in reading.hand.melds)


@shape("dui_dui_hu")
def _dui_dui_hu(reading: Reading) -> bool:
    return reading.triplets


@shape("qing_yi_se")
def _qing_yi_se(reading: Reading) -> bool:
    return reading.one_suit


@shape("dai_yao_jiu")
def _dai_yao_jiu(reading: Reading) -> bool:
    return reading.edges


@shape("qi_dui")
def _qi_dui(reading: Reading) -> bool:
    return reading.pairs


@shape("jin_gou_diao")
def _jin_gou_diao(reading: Reading) -> bool:
    return jin_gou(reading)


@shape("qing_dui")
def _qing_dui(reading: Reading) -> bool:
    return reading.one_suit and reading.triplets


@shape("jiang_dui")
def _jiang_dui(reading: Reading) -> bool:
    return (
        reading.triplets
        and all(SUIT_OF[meld.tile] < 3 and RANK_OF[meld.tile] in JIANG_RANKS for meld in reading.hand.melds)
        and all(SUIT_OF[kind] < 3 and RANK_OF[kind] in JIANG_RANKS for kind in tiles_of(reading.hand.hand))
    )


@shape("qing_qi_dui")
def _qing_qi_dui(reading: Reading) -> bool:
    return reading.pairs and reading.one_suit


@shape("long_qi_dui")
def _long_qi_dui(reading: Reading) -> bool:
    return reading.pairs and has_dragon(reading)


@shape("qing_yao_jiu")
def _qing_yao_jiu(reading: Reading) -> bool:
    return reading.edges and reading.one_suit


@shape("qing_long_qi_dui")
def _qing_long_qi_dui(reading: Reading) -> bool:
    return reading.pairs and reading.one_suit and has_dragon(reading)


@shape("tian_hu")
def _tian_hu(reading: Reading) -> bool:
    return "tian_hu" in reading.hand.how


@shape("di_hu")
def _di_hu(reading: Reading) -> bool:
    return "di_hu" in reading.hand.how


@shape("qing_jin_gou_diao")
def _qing_jin_gou_diao(reading: Reading) -> bool:
    return reading.one_suit and jin_gou(reading)


@shape("shi_ba_luo_han")
def _shi_ba_luo_han(reading: Reading) -> bool:
    return gang_count(reading.hand.melds) == 4


@shape("qing_shi_ba_luo_han")
def _qing_shi_ba_luo_han(reading: Reading) -> bool:
    return reading.one_suit and gang_count(reading.hand.melds) == 4


@extra("gen")
def _gen(reading: Reading, rules: RuleProfile) -> int:
    return GEN[rules.gen](reading.hand)


def _gen_undeclared(hand: Winning) -> int:
    """Four alike among the concealed tiles and pengs; a gang is not a gen (004 §5 另加番)."""
    tiles = hand.hand
    beside_peng = sum(meld.kind == "peng" and tiles >> SHIFT[meld.tile] & 7 == 1 for meld in hand.melds)
    return (tiles & FOURS).bit_count() + beside_peng


GEN: dict[str, Callable[[Winning], int]] = {
    "none": lambda hand: 0,
    "undeclared": _gen_undeclared,
    "all": lambda hand: _gen_undeclared(hand) + gang_count(hand.melds),
}


@extra("gang")
def _gang(reading: Reading, rules: RuleProfile) -> int:
    return gang_count(reading.hand.melds)


@extra("gang_hua")
def _gang_hua(reading: Reading, rules: RuleProfile) -> int:
    return "gang_hua" in reading.hand.how


@extra("gang_pao")
def _gang_pao(reading: Reading, rules: RuleProfile) -> int:
    return "gang_pao" in reading.hand.how


@extra("qiang_gang")
def _qiang_gang(reading: Reading, rules: RuleProfile) -> int:
    return "qiang_gang" in reading.hand.how


@extra("hai_di")
def _hai_di(reading: Reading, rules: RuleProfile) -> int:
    return "hai_di" in reading.hand.how


@extra("men_qing_zi_mo")
def _men_qing_zi_mo(reading: Reading, rules: RuleProfile) -> int:
    return reading.hand.zi_mo and _men_qing(reading)


SITUATIONS = ("gang_hua", "gang_pao", "qiang_gang", "hai_di", "tian_hu", "di_hu")
"""What a hand may be won by, beside its tiles; none of it counts in a best price at a liuju (rulebook §2.6)."""

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
    """A rule set's price table with its predicates looked up once."""

    rules: RuleProfile
    rows: tuple[Row, ...] = ()
    added: tuple[tuple[str, int, ExtraCount], ...] = ()
    combine: Callable[["Pricer", Reading, list[Part]], tuple[Part, list[Part]]] = field(init=False)
    scale: Callable[[int, int], int] = field(init=False)

    def __post_init__(self) -> None:
        rules = self.rules
        absorb = rules.absorb_gen
        self.rows = tuple(
            Row(Part(name, fan), SHAPES[name], absorb.get(name, 0)) for name, fan in rules.shapes.items()
        )
        self.added = tuple((name, fan, EXTRAS[name]) for name, fan in rules.extras.items() if fan)
        self.combine = COMBINE[rules.combine]
        self.scale = SCALES[rules.scale]

    def price(self, hand: Winning) -> Price | None:
        """The dearest reading of ``hand``; None when it is not a winning shape of this rule set."""
        prices = [self._price_reading(reading) for reading in readings(self.rules, hand)]
        if len(prices) < 2:
            return prices[0] if prices else None
        order = list(self.rules.shapes)
        return max(prices, key=lambda price: (price.price, price.fan, -order.index(price.shape.id)))

    def points(self, fan: int) -> int:
        """The price of ``fan`` under this rule set's base, scale and cap."""
        cap = self.rules.cap_fan
        return self.scale(self.rules.base, fan if cap is None or fan < cap else cap)

    def _price_reading(self, reading: Reading) -> Price:
        extras = []
        for name, fan, count_of in self.added:
            count = count_of(reading, self.rules)
            if count:
                extras.append(Part(name, fan, int(count)))
        own = self.rules.own_gangs
        if own is not None:
            extras += gang_parts(reading.hand.melds, own)
        if reading.hand.zi_mo and self.rules.zi_mo_bonus == "add_fan":
            extras.append(Part("zi_mo", 1))
        main, rest = self.combine(self, reading, extras)
        fan = main.fan + sum(part.fan * part.times for part in rest)
        return Price(fan, self.points(fan), main, tuple(rest), reading.pairs, reading.triplets, reading.edges)


def gang_parts(melds: Iterable[Meld], worth: dict[str, int]) -> list[Part]:
    """The extras that a seat's gangs add to a price where gangs count in it (杠进杠出)."""
    concealed = sum(meld.kind == "an" for meld in melds)
    exposed = gang_count(melds) - concealed
    parts = [
        Part("own_gang_exposed", worth["exposed"], exposed),
        Part("own_gang_concealed", worth["concealed"], concealed),
    ]
    return [part for part in parts if part.times and part.fan]


def is_complete(rules: RuleProfile, hand: Winning) -> bool:
    """Whether the tiles are a winning shape of the rule set; suits are not asked."""
    if hand_facts(hand.hand) & COMPLETE:
        return True
    return not hand.melds and rules.seven_pairs and is_pairs(hand.hand)


NOT_M, NOT_P, NOT_S = (sum(SUIT_FIELD) - SUIT_FIELD[suit] for suit in range(3))


def readings(rules: RuleProfile, hand: Winning) -> list[Reading]:
    """Every reading of a complete hand that could earn different fans; empty when it is not complete."""
    tiles = hand.hand
    for meld in hand.melds:
        tiles |= ONE[meld.tile]
    one_suit = not (tiles & NOT_M and tiles & NOT_P and tiles & NOT_S)
    facts = hand_facts(hand.hand)
    found = []
    if facts & COMPLETE:
        edged = all(SUIT_OF[meld.tile] < 3 and RANK_OF[meld.tile] in EDGE_RANKS for meld in hand.melds)
        if edged and facts & BOTH:
            kinds = [(True, True)]
        else:
            kinds = [(True, False)] if facts & TRIPLETS else []
            kinds += [(False, True)] if edged and facts & TERMINALS else []
        for triplets, edges in kinds or [(False, False)]:
            found.append(Reading(hand, rules.jin_gou, False, triplets, edges, one_suit))
    if not hand.melds and rules.seven_pairs and is_pairs(hand.hand):
        found.append(Reading(hand, rules.jin_gou, True, False, False, one_suit))
    return found


def largest(pricer: Pricer, reading: Reading, extras: list[Part]) -> tuple[Part, list[Part]]:
    """One row counts, never two (004 §5 均不重復計算，只按最大番算), and the extras are added to it."""
    best: tuple[Part, list[Part]] | None = None
    best_fan = (-1, -1)
    for row in pricer.rows:
        if row.test(reading):
            rest = less_gen(extras, row.absorbs) if row.absorbs else extras
            if pricer.rules.excludes:
                rest = without_excluded(row.part, rest, pricer.rules.excludes)
            # Of rows that come to the same, the dearer one is named: 龙七对 rather than 七对 and a gen.
            fan = (row.part.fan + total(rest), row.part.fan)
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
    for a, b in pricer.rules.excludes:
        rest = drop_cheaper(main, rest, a, b)
    return main, rest


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


@lru_cache(maxsize=256)
def pricer_of(rules: RuleProfile) -> Pricer:
    """The pricer of a rule set, made once."""
    return Pricer(rules)
