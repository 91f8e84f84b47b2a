"""Fans: what the rows and extras of a price table mean, one predicate an id.

A *shape* is a row of the rule set's price table, an *extra* is added to it; what each is worth stands in the profile.
A hand may be read in several ways (decompositions, seven pairs); of all readings the dearest counts (rulebook §2.3).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from replay.profile import RuleProfile
from replay.shapes import BOTH, COMPLETE, TERMINALS, TRIPLETS, fifth_facts, hand_facts, is_pairs
from replay.tiles import FOURS, ONE, RANK_OF, SHIFT, SUIT_FIELD, SUIT_OF, tiles_of
from replay.wilds import ALL_SUITS, SUIT_CHOICES, complete_hands, split

GANGS = ("zhi", "bu", "an")
EDGE_RANKS = (0, 8)
JIANG_RANKS = (1, 4, 7)
HONOURS = 3


class Meld(Struct):
    """An exposed set or a gang: ``kind`` peng, zhi, bu or an; ``source`` the seat whose discard it took, or None.

    ``at`` is the action that made it (for a bu: the action that added the fourth tile), ``wild`` how many 听用 a peng
    holds, which is a peng of its tile all the same.
    """

    kind: str
    tile: int
    source: int | None = None
    at: int | None = None
    wild: int = 0


class Winning(Struct):
    """A complete hand and how it was won; the packed ``hand`` includes the winning tile.

    ``wild`` is the kind of 听用 and ``void`` the declared suit, both -1 where there is none; the suit matters only to a
    hand with wildcards, which must not stand in it.
    """

    hand: int
    melds: Sequence[Meld]
    zi_mo: bool = False
    how: Sequence[str] = ()
    wild: int = -1
    void: int = -1

    def is_wild(self) -> bool:
        """Whether a tile of the concealed hand stands for others."""
        return self.wild >= 0 and self.hand >> SHIFT[self.wild] & 7 > 0


class Reading(Struct):
    """One way to see a winning hand: as sets (all triplets? all with an edge?) or as seven pairs."""

    hand: Winning
    jin_gou: str
    pairs: bool
    triplets: bool
    edges: bool
    one_suit: bool


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


@shape("wu_feng_qi_dui")
def _wu_feng_qi_dui(reading: Reading) -> bool:
    return reading.pairs and not reading.hand.hand & SUIT_FIELD[HONOURS]


@shape("gang_hua_ping")
def _gang_hua_ping(reading: Reading) -> bool:
    return "gang_hua" in reading.hand.how


@shape("gang_hua_qing")
def _gang_hua_qing(reading: Reading) -> bool:
    return reading.one_suit and "gang_hua" in reading.hand.how


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


def is_complete(rules: RuleProfile, hand: Winning) -> bool:
    """Whether the tiles are a winning shape of the rule set; suits are not asked, except of wildcards.

    Wildcards may not stand in a suit too many; where the real tiles already break the suit rule, they may anywhere.
    """
    if hand.is_wild():
        return any(True for _ in substituted(rules, hand))
    if hand_facts(hand.hand) & COMPLETE:
        return True
    return not hand.melds and rules.seven_pairs and is_pairs(hand.hand)


NOT_M, NOT_P, NOT_S = (sum(SUIT_FIELD) - SUIT_FIELD[suit] for suit in range(3))


def taken_by(melds: Iterable[Meld]) -> int:
    """What the melds hold of each kind, packed: four of a gang, three of a peng, wildcards counted as its tile."""
    taken = 0
    for meld in melds:
        taken |= (3 if meld.kind == "peng" else 4) << SHIFT[meld.tile]
    return taken


def substitutions(rules: RuleProfile, hand: Winning) -> list[int]:
    """Every complete packed hand that the wildcards can make of this one, ascending (rulebook §6.5).

    They keep to the suits that the rule set lets a hand win with. Where the real tiles do not, the hu is against the
    rules whatever they stand for, and they may stand anywhere, so that it can be priced.
    """
    return sorted(set(substituted(rules, hand)))


def substituted(rules: RuleProfile, hand: Winning) -> Iterator[int]:
    """The same in no order; one may come twice."""
    taken, pairs = taken_by(hand.melds), rules.seven_pairs and not hand.melds
    held = suits_in(split(hand.hand, hand.wild)[0] | taken)
    for suits in SUIT_CHOICES[rules.void](held, hand.void) or (ALL_SUITS,):
        yield from complete_hands(hand.hand, taken, hand.wild, suits, pairs)


def suits_in(tiles: int) -> int:
    """The suits of packed tiles, a bit each; honours are no suit."""
    return sum(1 << suit for suit in range(3) if tiles & SUIT_FIELD[suit])


def readings(rules: RuleProfile, hand: Winning) -> list[Reading]:
    """Every reading of a complete hand that could earn different fans; empty when it is not complete."""
    tiles = hand.hand
    for meld in hand.melds:
        tiles |= ONE[meld.tile]
    one_suit = not (tiles & NOT_M and tiles & NOT_P and tiles & NOT_S)
    facts = hand_facts(hand.hand) or fifth_facts(hand.hand)
    found = []
    if facts & COMPLETE:
        edged = facts & TERMINALS > 0 and all(
            SUIT_OF[meld.tile] < 3 and RANK_OF[meld.tile] in EDGE_RANKS for meld in hand.melds
        )
        if edged and facts & BOTH:
            kinds = [(True, True)]
        else:
            kinds = [(True, False)] if facts & TRIPLETS else []
            kinds += [(False, True)] if edged else []
        for triplets, edges in kinds or [(False, False)]:
            found.append(Reading(hand, rules.jin_gou, False, triplets, edges, one_suit))
    if not hand.melds and rules.seven_pairs and is_pairs(hand.hand):
        found.append(Reading(hand, rules.jin_gou, True, False, False, one_suit))
    return found


SITUATIONS = ("gang_hua", "gang_pao", "qiang_gang", "hai_di", "tian_hu", "di_hu")
"""What a hand may be won by, beside its tiles; none of it counts in a best price at a liuju (rulebook §2.6)."""
