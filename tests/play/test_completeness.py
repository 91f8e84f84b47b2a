"""The generator's decomposer beside the search that the shapes are tested by, and beside trying every tile."""

from itertools import combinations_with_replacement
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.shapes.search import completing, ways

from .completeness import HONOURS, KINDS, allowed_suits, complete, complete_wild, suits_held, waits
from .strategies import examples

HANDS = st.tuples(st.integers(0, 4), st.randoms(use_true_random=False), st.sampled_from((27, 18, 9)))


@given(drawn=HANDS)
@examples(in_ci=300, here=100)
def test_a_plain_search_finds_the_same(drawn: tuple[int, Random, int]) -> None:
    melds, chance, kinds = drawn
    tiles = chance.sample([kind for kind in range(kinds) for _ in range(4)], 13 - 3 * melds)
    counts = tuple(tiles.count(kind) for kind in range(KINDS))
    found = waits(counts, seven_pairs=False)
    assert found == completing(counts[:27], 0, 3)
    for kind in range(27):
        if counts[kind] < 4:
            whole = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            assert complete(whole, seven_pairs=False) == bool(ways(whole[:27])) == bool(found >> kind & 1)


@given(chance=st.randoms(use_true_random=False), pairs=st.booleans())
@examples(in_ci=300, here=100)
def test_honours_make_triplets_and_pairs_only(chance: Random, pairs: bool) -> None:
    """A wait is what completes the hand, honours among the tiles."""
    few = [*chance.sample(range(9), 3), *range(*HONOURS)]
    tiles = chance.sample([kind for kind in few for _ in range(4)], 13)
    counts = [tiles.count(kind) for kind in range(KINDS)]
    found = waits(counts, pairs)
    for kind in range(KINDS):
        if counts[kind] < 4:
            counts[kind] += 1
            assert complete(counts, pairs) == bool(found >> kind & 1)
            counts[kind] -= 1
    assert not complete([0] * 27 + [1, 1, 1, 2, 3, 3, 3], seven_pairs=False)


@given(
    chance=st.randoms(use_true_random=False), wild=st.integers(1, 2), rule=st.sampled_from(("at_hu", "none"))
)
@examples(in_ci=150, here=40)
def test_a_wild_tile_stands_for_any_tile_that_there_is(chance: Random, wild: int, rule: str) -> None:
    """Tried one tile after another: at most four of a kind, the suits right."""
    near = chance.sample([kind for kind in chance.sample(range(27), 9) for _ in range(4)], 14 - wild)
    counts = [near.count(kind) for kind in range(KINDS)]
    allowed = allowed_suits(rule, -1)
    expected = False
    for stands in combinations_with_replacement(range(27), wild):
        whole = counts[:]
        for kind in stands:
            whole[kind] += 1
        fits = max(whole) <= 4 and any(suits_held(whole) <= suits for suits in allowed)
        expected = expected or (fits and complete(whole, seven_pairs=True))
    assert complete_wild(bytes(counts), wild, bytes(counts), True, allowed) == expected
