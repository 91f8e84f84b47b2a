"""The generator's decomposer beside the search that the shapes are tested by."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.shapes.search import completing, ways

from .completeness import complete, waits
from .strategies import examples

HANDS = st.tuples(st.integers(0, 4), st.randoms(use_true_random=False), st.sampled_from((27, 18, 9)))


@given(drawn=HANDS)
@examples(in_ci=300, here=100)
def test_a_plain_search_finds_the_same(drawn: tuple[int, Random, int]) -> None:
    melds, chance, kinds = drawn
    tiles = chance.sample([kind for kind in range(kinds) for _ in range(4)], 13 - 3 * melds)
    counts = tuple(tiles.count(kind) for kind in range(27))
    found = waits(counts, seven_pairs=False)
    assert found == completing(counts, 0, 3)
    for kind in range(27):
        if counts[kind] < 4:
            whole = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            assert complete(whole, seven_pairs=False) == bool(ways(whole)) == bool(found >> kind & 1)
