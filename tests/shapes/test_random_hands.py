"""Hands of several suits have the waits, the facts and the ways that a plain search finds."""

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from replay import shapes
from replay.tiles import parse_tiles

from .search import READY_SIZES, WHOLE_SIZES, completing, counts_of, flags, names, pack, ways

SETS = [(kind,) * 3 for kind in range(34)] + [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7]
POOLS: list[set[int]] = [
    set(range(34)),
    set(range(27)),
    set(range(9)),
    set(range(4, 14)),
    {0, 1, 2, 6, 7, 8, *range(27, 34)},
    {18, 19, 20, 21, 33},
]
"""Kinds to draw sets from: the narrower, the more often a hand has two ways or a wait across them."""


@st.composite
def complete_hands(draw: st.DrawFn) -> list[int]:
    """The tiles of n sets and a pair, at most four of a kind."""
    pool = draw(st.sampled_from(POOLS))
    sets = st.lists(st.sampled_from([each for each in SETS if pool.issuperset(each)]), max_size=4)
    pair = draw(st.sampled_from(sorted(pool)))
    kinds = [kind for each in draw(sets) for kind in each] + [pair, pair]
    assume(max(map(kinds.count, kinds)) <= 4)
    return kinds


@st.composite
def ready_hands(draw: st.DrawFn) -> list[int]:
    """The tiles of a complete hand but one."""
    kinds = draw(complete_hands())
    kinds.pop(draw(st.integers(0, len(kinds) - 1)))
    return kinds


@st.composite
def spoilt_hands(draw: st.DrawFn) -> list[int]:
    """The tiles of a complete hand with one changed to any other."""
    kinds = draw(complete_hands())
    kinds[draw(st.integers(0, len(kinds) - 1))] = draw(st.integers(0, 33))
    assume(max(map(kinds.count, kinds)) <= 4)
    return kinds


def any_hands(sizes: tuple[int, ...]) -> st.SearchStrategy[list[int]]:
    """Tiles from one wall of 136, as many as one of the sizes."""
    wall = st.permutations(range(136)).map(lambda tiles: [tile // 4 for tile in tiles])
    return st.sampled_from(sizes).flatmap(lambda size: wall.map(lambda tiles: tiles[:size]))


def paired_hands(size: int) -> st.SearchStrategy[list[int]]:
    """Tiles that are mostly pairs: doubled tiles, with the last ones drawn singly."""
    kinds = st.lists(st.integers(0, 33), min_size=size, max_size=size)
    singles = st.integers(0, 2)
    hands = st.tuples(kinds, singles).map(
        lambda hand: (sorted(hand[0] * 2)[: size - hand[1]] + hand[0])[:size]
    )
    return hands.filter(lambda hand: max(map(hand.count, hand)) <= 4)


@settings(max_examples=300, deadline=None)
@given(st.one_of(ready_hands(), any_hands(READY_SIZES)))
def test_waits_of_hands_of_several_suits_are_those_a_search_finds(hand: list[int]) -> None:
    counts = counts_of(hand)
    assert names(shapes.set_waits(pack(counts))) == names(completing(counts, 0, 3))
    assert names(shapes.fifth_waits(pack(counts))) == names(completing(counts, 4, 4))


@settings(max_examples=300, deadline=None)
@given(st.one_of(complete_hands(), spoilt_hands(), any_hands(WHOLE_SIZES)))
def test_facts_and_decompositions_of_hands_of_several_suits_are_those_of_their_ways(hand: list[int]) -> None:
    counts = counts_of(hand)
    assert shapes.hand_facts(pack(counts)) == flags(counts)
    assert shapes.decompositions(pack(counts)) == list(ways(counts))


@settings(max_examples=200, deadline=None)
@given(ready_hands())
def test_a_wait_is_a_tile_that_makes_the_hand_complete(hand: list[int]) -> None:
    waits = shapes.set_waits(pack(counts_of(hand)))
    for kind in range(34):
        if hand.count(kind) < 4:
            complete = shapes.hand_facts(pack(counts_of([*hand, kind])))
            assert bool(complete) == bool(waits >> kind & 1)


def test_tiles_spread_over_the_four_suits_keep_to_one_pair() -> None:
    """Each suit holds one of a few small parts; the sizes alone never tell one pair from four."""
    for parts in product(("", "1", "11", "12", "111", "1122", "11123"), repeat=3):
        for honours in ("", "1", "11", "112", "1122", "111", "11122"):
            hand = [
                kind
                for suit, part in zip("mpsz", (*parts, honours), strict=True)
                for kind in parse_tiles("".join(f"{rank}{suit}" for rank in part))
            ]
            counts = counts_of(hand)
            if len(hand) in READY_SIZES:
                assert names(shapes.set_waits(pack(counts))) == names(completing(counts, 0, 3)), hand
            elif len(hand) in WHOLE_SIZES:
                assert shapes.hand_facts(pack(counts)) == flags(counts), hand


@settings(max_examples=200, deadline=None)
@given(paired_hands(13))
def test_thirteen_tiles_wait_for_seven_pairs_where_one_more_leaves_no_kind_odd(hand: list[int]) -> None:
    waits = [kind for kind in range(34) if all([*hand, kind].count(held) in (2, 4) for held in [*hand, kind])]
    assert shapes.pair_waits(pack(counts_of(hand))) == sum(1 << kind for kind in waits)


@settings(max_examples=200, deadline=None)
@given(paired_hands(14))
def test_fourteen_tiles_are_seven_pairs_where_four_alike_are_two(hand: list[int]) -> None:
    ordered = sorted(hand)
    assert shapes.is_pairs(pack(counts_of(hand))) == (ordered[::2] == ordered[1::2])
