"""听用: wildcards make of a hand what a trial of all that they can stand for makes of it (rulebook §6.5)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from replay.fans import Meld, Winning, is_complete, substitutions
from replay.prices import pricer_of
from replay.profile import RuleProfile, load_profile
from replay.tiles import INDEX, tile_string, tiles_of
from replay.waits import DEAD_WAIT, WAITS, WILD_WAITS, counted, real_suits, real_tiles

from .search import Counts, counts_of, names, pack, packed, ways
from .test_random_hands import SETS

SUITED = 27
POOLS = [set(range(27)), set(range(18)), set(range(9)), {0, 1, 2, 3, 18, 19}, {7, 8, 9, 10, 11, 31}]
"""Kinds to draw sets from: one suit to three, and some with an honour."""


def rules_of(void: str, **options: object) -> RuleProfile:
    """A rule set of this void rule that has seven pairs and counts gangs as gen."""
    return load_profile("chengdu", {"void": void, "gen": "all", "seven_pairs": True, **options})


@dataclass
class Hand:
    """A hand as the waits see a seat."""

    hand: int
    melds: list[Meld] = field(default_factory=list)
    wild: int = -1
    void: int = -1
    meld_suits: int = field(init=False)

    def __post_init__(self) -> None:
        suits = {min(meld.tile // 9, 3) for meld in self.melds}
        self.meld_suits = sum(1 << suit for suit in suits)

    def with_tile(self, kind: int) -> Winning:
        """The hand won on this tile."""
        return Winning(self.hand + 8**kind, self.melds, wild=self.wild, void=self.void)


# Trial of every substitution ---------------------------------------------------------------------------------


@cache
def part_is_whole(part: Counts, honours: bool, paired: bool) -> bool:
    """Whether the tiles of one suit come apart into sets, and a pair where ``paired``."""
    counts = (0,) * 27 + part if honours else part + (0,) * 25
    return not any(part) or bool(ways(counts, paired=not paired))


def is_whole(counts: Counts, no_melds: bool) -> bool:
    """Whether 34 counts are sets and one pair, or seven pairs."""
    if no_melds and all(held % 2 == 0 for held in counts):
        return True
    parts = [counts[:9], counts[9:18], counts[18:27], counts[27:]]
    paired = [sum(part) % 3 == 2 for part in parts]
    return sum(paired) == 1 and all(
        part_is_whole(part, at == 3, pair) for at, (part, pair) in enumerate(zip(parts, paired, strict=True))
    )


def tried(hand: Winning, void_rule: str) -> Iterator[Counts]:
    """Every complete hand that some substitution makes, one by one, the suits counted after it."""
    held = [hand.hand >> 3 * kind & 7 for kind in range(34)]
    count, held[hand.wild] = held[hand.wild], 0
    laid = [0] * 34
    for meld in hand.melds:
        laid[meld.tile] = 3 if meld.kind == "peng" else 4
    for chosen in combinations_with_replacement(range(SUITED), count):
        if all(held[kind] + laid[kind] + chosen.count(kind) <= 4 for kind in chosen):
            stood = [*held]
            for kind in chosen:
                stood[kind] += 1
            suits = {kind // 9 for kind in range(SUITED) if stood[kind] or laid[kind]}
            if suits_pass(suits, void_rule, hand.void) and is_whole(tuple(stood), not hand.melds):
                yield tuple(stood)


def suits_pass(suits: set[int], void_rule: str, void: int) -> bool:
    """The suit rule over hand and melds."""
    if void_rule == "declared" and void >= 0:
        return void not in suits
    return void_rule == "none" or len(suits) <= 2


def real_tiles_pass(hand: Winning, void_rule: str) -> bool:
    """The suit rule over what no wildcard stands for."""
    real = {kind // 9 for kind in range(SUITED) if kind != hand.wild and hand.hand >> 3 * kind & 7}
    melds = {meld.tile // 9 for meld in hand.melds if meld.tile < SUITED}
    return suits_pass(real | melds, void_rule, hand.void)


@st.composite
def wild_hands(draw: st.DrawFn, fewest: int, most: int, whole: bool) -> Hand:
    """A seat's hand with so many wildcards, a tile short of complete or (``whole``) complete, and at times spoilt."""
    pool = sorted(draw(st.sampled_from(POOLS)))
    wild = draw(st.integers(0, SUITED - 1))
    laid = draw(st.lists(st.sampled_from(pool), max_size=3, unique=True))
    melds = [Meld(draw(st.sampled_from(["peng", "an"])), kind) for kind in laid]
    sets = st.sampled_from([each for each in SETS if set(pool).issuperset(each)])
    pair = draw(st.sampled_from(pool))
    kinds = [kind for each in range(4 - len(melds)) for kind in draw(sets)] + [pair, pair]
    size = len(kinds) - (not whole)
    real = draw(st.permutations([kind for kind in kinds if kind != wild]))
    real = real[: size - draw(st.integers(fewest, most))]
    if real and draw(st.integers(0, 3)) == 0:
        real[0] = draw(st.sampled_from([kind for kind in range(34) if kind != wild]))
    tiles = real + [wild] * (size - len(real))
    assume(fewest <= size - len(real) <= most and max(map(tiles.count, tiles)) <= 4)
    return Hand(pack(counts_of(tiles)), melds, wild, draw(st.integers(-1, 2)))


VOIDS = pytest.mark.parametrize("void_rule", ["at_hu", "declared", "none"])


@VOIDS
@settings(max_examples=40, deadline=None)
@given(wild_hands(1, 3, whole=True))
def test_a_hand_can_be_all_that_its_wildcards_make_complete_and_nothing_else(
    void_rule: str, hand: Hand
) -> None:
    winning = Winning(hand.hand, hand.melds, wild=hand.wild, void=hand.void)
    rule = void_rule if real_tiles_pass(winning, void_rule) else "none"
    expected = sorted({pack(counts) for counts in tried(winning, rule)})
    rules = rules_of(void_rule)
    assert substitutions(rules, winning) == expected
    assert is_complete(rules, winning) == bool(expected)


@VOIDS
@settings(max_examples=40, deadline=None)
@given(wild_hands(0, 2, whole=False))
def test_a_tile_is_waited_for_if_some_substitution_is_complete_with_it(void_rule: str, hand: Hand) -> None:
    expected = 0
    for kind in range(34):
        if hand.hand >> 3 * kind & 7 < 4 and any(True for _ in tried(hand.with_tile(kind), void_rule)):
            expected |= 1 << kind
    assert names(WILD_WAITS[void_rule](rules_of(void_rule), hand)) == names(expected)


@VOIDS
@settings(max_examples=60, deadline=None)
@given(wild_hands(1, 4, whole=False))
def test_a_hand_has_a_price_with_each_tile_it_waits_for_and_with_no_other(void_rule: str, hand: Hand) -> None:
    rules = rules_of(void_rule)
    waits = WILD_WAITS[void_rule](rules, hand)
    for kind in range(34):
        winning = hand.with_tile(kind)
        if hand.hand >> 3 * kind & 7 < 4 and real_tiles_pass(winning, void_rule):
            priced = pricer_of(rules).price(winning) is not None
            assert priced == bool(waits >> kind & 1)
        else:
            assert not waits >> kind & 1


@settings(max_examples=40, deadline=None)
@given(wild_hands(1, 3, whole=True))
def test_the_price_is_that_of_the_dearest_substitution(hand: Hand) -> None:
    pricer = pricer_of(rules_of("none", cap_fan=4))
    winning = Winning(hand.hand, hand.melds, wild=hand.wild)
    plain = [pricer.price(Winning(pack(counts), hand.melds)) for counts in tried(winning, "none")]
    worth = [(price.price, price.fan) for price in plain if price is not None]
    found = pricer.price(winning)
    assert len(worth) == len(plain)
    assert (found and (found.price, found.fan)) == max(worth, default=None)


@VOIDS
@settings(max_examples=60, deadline=None)
@given(wild_hands(1, 4, whole=False))
def test_a_kind_that_is_no_wildcard_here_changes_nothing(void_rule: str, hand: Hand) -> None:
    hand.wild = -1
    rules = rules_of(void_rule)
    assert WILD_WAITS[void_rule](rules, hand) == WAITS[void_rule](rules, hand)


# Clause by clause --------------------------------------------------------------------------------------------


def wild_hand(tiles: str, wild: str, *melds: Meld, void: int = -1) -> Hand:
    """A hand by its tile string and the name of its wildcard."""
    return Hand(packed(tiles), list(melds), INDEX[wild], void)


def meld(kind: str, tile: str, wild: int = 0) -> Meld:
    """A meld by the name of its tile."""
    return Meld(kind, INDEX[tile], wild=wild)


def waiting(hand: Hand, void_rule: str = "at_hu", dead_wait: str = "own_hand") -> str:
    """The tiles a hand is ready for at a liuju."""
    seen = [0] * 34
    return names(DEAD_WAIT[dead_wait](rules_of(void_rule), hand, lambda: seen))


SETS_OF_TWO_SUITS = "1m1m1m2m3m4m7p8p9p5p5p5p"
PENGS = [meld("peng", tile) for tile in ("2p", "5p", "8p")]
GANGS = [meld("an", tile) for tile in ("1p", "2p", "3p", "4p")]


@pytest.mark.parametrize(
    ("hand", "waits"),
    [
        # It makes the pair of any tile of the two suits, but for the fifth 5p; a further wildcard is any tile too.
        (wild_hand(SETS_OF_TWO_SUITS + "9s", "9s"), "1m2m3m4m5m6m7m8m9m1p2p3p4p6p7p8p9p9s"),
        # Of a suit that is ganged whole it finds no room in the tiles ganged, and the third suit is still open.
        (wild_hand("9s", "9s", *GANGS), "1m2m3m4m5m6m7m8m9m5p6p7p8p9p1s2s3s4s5s6s7s8s9s"),
        # Itself it is too: as 4m it makes 2m3m4m and waits for the pair.
        (wild_hand("2m3m4m9m", "4m", *PENGS), "1m4m9m"),
        # A wildcard that is waited for is any tile, itself or another, where none is held yet.
        (wild_hand("2m3m9m9m", "7s", *PENGS), "1m4m7s"),
        # Honours it never is.
        (wild_hand("1z2z", "7s", *PENGS, meld("peng", "9p")), ""),
        (wild_hand("1z7s9m9m", "7s", *PENGS), "1z"),
        # Two of them are beside one tile a set, or beside two the rest of a set and of the pair.
        (wild_hand("5m7s7s9p", "7s", *PENGS), "3m4m5m6m7m7p8p9p7s"),
    ],
)
def test_a_wildcard_is_any_suited_tile_of_which_four_are_not_there_yet(hand: Hand, waits: str) -> None:
    assert waiting(hand) == waits


@pytest.mark.parametrize(
    ("hand", "void_rule", "waits"),
    [
        (wild_hand("9s", "9s", *PENGS, meld("peng", "1m")), "at_hu", "2m3m4m5m6m7m8m9m1p3p4p6p7p9p9s"),
        (wild_hand("9s", "9s", *PENGS, meld("peng", "1m"), void=2), "declared",
         "2m3m4m5m6m7m8m9m1p3p4p6p7p9p9s"),
        (wild_hand("9s", "9s", *PENGS, meld("peng", "1m"), void=0), "declared", ""),
        (wild_hand("9s", "9s", *PENGS, meld("peng", "9p"), void=0), "declared",
         "1p3p4p6p7p1s2s3s4s5s6s7s8s9s"),
        (wild_hand("2m3m5s9s", "9s", *PENGS), "at_hu", ""),
        (wild_hand("2m3m5s9s", "9s", *PENGS), "none", "1m4m5s9s"),
    ],
)  # fmt: skip
def test_suits_are_counted_after_substitution_and_a_wildcard_has_none_of_its_own(
    hand: Hand, void_rule: str, waits: str
) -> None:
    assert waiting(hand, void_rule) == waits


def test_a_wildcard_has_no_suit_where_a_huazhu_is_looked_for() -> None:
    hand = wild_hand("1m2m9s9s", "9s", *PENGS)
    assert (names_of(real_tiles(hand)), real_suits(hand)) == ("1m2m", 3)
    hand.wild = -1
    assert (names_of(real_tiles(hand)), real_suits(hand)) == ("1m2m9s9s", 7)


@pytest.mark.parametrize(
    ("dead_wait", "waits"),
    [("never", "3m6m"), ("own_hand", "3m6m"), ("own_all", "3m"), ("visible", "")],
)
def test_a_peng_with_a_wildcard_holds_fewer_real_tiles_of_its_own(dead_wait: str, waits: str) -> None:
    """3m: one of the peng is a 9s, so three are accounted for; 6m: all four. Another seat shows the fourth 3m."""
    hand = wild_hand("3m4m5m6m", "9s", meld("peng", "3m", 1), meld("peng", "6m"), meld("peng", "9p"))
    seen = [0] * 34
    seen[INDEX["3m"]] = 3
    rules = rules_of("at_hu")
    assert names(DEAD_WAIT[dead_wait](rules, hand, lambda: seen)) == waits


def test_wildcards_in_the_own_pengs_exhaust_the_wait_for_one_of_them() -> None:
    pengs = [meld("peng", "3m", 2), meld("peng", "6m", 2), meld("peng", "9p"), meld("peng", "1p")]
    hand = wild_hand("9m", "9s", *pengs)
    assert waiting(hand) == "9m9s"
    assert waiting(hand, dead_wait="own_all") == "9m"


@pytest.mark.parametrize(("dead_wait", "waits"), [("own_hand", "3m4m6m7m9s"), ("never", "3m4m5m6m7m9s")])
def test_four_real_tiles_in_the_hand_leave_no_fifth_to_wait_for(dead_wait: str, waits: str) -> None:
    """A fifth 5m would be the pair beside 5m5m5m, and the wildcard a 9p."""
    hand = wild_hand("5m5m5m5m9p9p9s", "9s", *PENGS[:2])
    assert waiting(hand, dead_wait=dead_wait) == waits
    won = pricer_of(rules_of("at_hu", dead_wait=dead_wait)).price(hand.with_tile(INDEX["5m"]))
    assert won is not None
    assert names_of(won.hand) == "5m5m5m5m5m9p9p9p"


def names_of(tiles: int) -> str:
    """Packed tiles as a tile string."""
    return tile_string(tiles_of(tiles))


@pytest.mark.parametrize(
    ("hand", "shape", "tiles"),
    [
        # Pairs of two suits are seven pairs, and dearer as a dragon, for which the two left over join a pair.
        (wild_hand("1m1m2m2m3m3m5p5p6p6p7p7p9s9s", "9s"), "long_qi_dui", "1m1m1m1m2m2m3m3m5p5p6p6p7p7p"),
        # One suit rather than another, and beside the peng of 4m a gen.
        (wild_hand("1m2m3m9s9s", "9s", *(meld("peng", tile) for tile in ("4m", "6m", "8m"))),
         "qing_yi_se", "1m1m2m3m4m"),
        # All alike the smallest sets are named.
        (wild_hand("1m9s9s3p3p", "9s", *PENGS), "dui_dui_hu", "1m1m1m3p3p"),
    ],
)  # fmt: skip
def test_of_all_it_can_stand_for_the_dearest_counts_then_the_smallest_sets(
    hand: Hand, shape: str, tiles: str
) -> None:
    price = pricer_of(rules_of("at_hu")).price(Winning(hand.hand, hand.melds, wild=hand.wild))
    assert price is not None
    assert (price.shape.id, names_of(price.hand)) == (shape, tiles)


def test_gen_counts_what_wildcards_stand_for_and_a_peng_with_one_as_its_tile() -> None:
    melds = [meld("peng", "3m", 1), *PENGS]
    price = pricer_of(rules_of("at_hu")).price(Winning(packed("9s9s"), melds, wild=INDEX["9s"]))
    assert price is not None
    assert [(part.id, part.times) for part in price.extras] == []
    hand = Winning(packed("1m2m3m4m9s"), melds[:1] + PENGS[:2], wild=INDEX["9s"])
    price = pricer_of(rules_of("at_hu")).price(hand)
    assert price is not None
    assert [(part.id, part.times) for part in price.extras] == [("gen", 1)]


def test_a_hand_without_a_wildcard_names_no_tiles_stood_for() -> None:
    price = pricer_of(rules_of("at_hu")).price(Winning(packed("3p3p"), [meld("peng", "1m"), *PENGS], wild=26))
    assert price is not None
    assert price.hand == 0


def test_a_seat_with_a_tile_too_many_waits_for_nothing() -> None:
    hand = wild_hand("2m3m9m9s", "9s", *PENGS)
    assert counted(rules_of("at_hu"), hand) == WILD_WAITS["at_hu"](rules_of("at_hu"), hand) != 0
    hand.hand += packed("1m")
    assert counted(rules_of("at_hu"), hand) == 0
