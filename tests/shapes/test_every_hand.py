"""Every hand of one suit has the waits, the facts and the ways that a plain search finds."""

from collections.abc import Iterator

import pytest

from replay import shapes

from .search import HONOURS_FROM, READY_SIZES, WHOLE_SIZES, Counts, completing, flags, pack, ways

PAIR_KIND = 17
PAIR = 2 * 8**PAIR_KIND
"""Two 9p: a pair that leaves every fact of the other suit as it is."""


def every(ranks: int, size: int) -> Iterator[Counts]:
    """Every choice of ``size`` tiles of a suit of so many ranks, four copies each."""
    if not ranks:
        if not size:
            yield ()
        return
    for held in range(min(4, size) + 1):
        for rest in every(ranks - 1, size - held):
            yield (held, *rest)


def in_suit(key: int, suit: int) -> int:
    """A hand when all of it is one suit."""
    return key << 27 * suit


@pytest.mark.parametrize("ranks", [9, 7])
@pytest.mark.parametrize("size", [*READY_SIZES, *WHOLE_SIZES])
def test_every_hand_of_one_suit_means_as_many_as_there_are(size: int, ranks: int) -> None:
    powers = [1]
    for _ in range(ranks):
        powers = [sum(powers[max(0, at - 4) : at + 1]) for at in range(len(powers) + 4)]
    assert len(set(every(ranks, size))) == powers[size]


@pytest.mark.parametrize("size", READY_SIZES)
def test_waits_of_every_hand_of_one_suit_are_those_a_search_finds(size: int) -> None:
    for counts in every(9, size):
        key, waits = pack(counts), completing(counts, 0, 3)
        found = [shapes.set_waits(in_suit(key, suit)) for suit in range(3)]
        assert found == [waits, waits << 9, waits << 18], counts


@pytest.mark.parametrize("size", READY_SIZES)
def test_fifth_waits_of_every_hand_of_one_suit_are_those_a_search_finds(size: int) -> None:
    for counts in every(9, size):
        if 4 in counts:
            assert shapes.fifth_waits(pack(counts)) == completing(counts, 4, 4), counts


@pytest.mark.parametrize("size", WHOLE_SIZES)
def test_facts_of_every_hand_of_one_suit_are_those_of_its_ways(size: int) -> None:
    for counts in every(9, size):
        key, facts = pack(counts), flags(counts)
        assert [shapes.hand_facts(in_suit(key, suit)) for suit in range(3)] == [facts] * 3, counts


@pytest.mark.parametrize("size", WHOLE_SIZES)
def test_decompositions_of_every_complete_hand_of_one_suit_are_its_ways_in_order(size: int) -> None:
    for counts in every(9, size):
        if ways(counts):
            assert shapes.decompositions(pack(counts)) == list(ways(counts)), counts


@pytest.mark.parametrize("size", WHOLE_SIZES[:-1])
def test_waits_of_every_hand_of_one_suit_beside_a_pair_are_those_a_search_finds(size: int) -> None:
    for counts in every(9, size):
        waits = completing(counts, 0, 3, paired=True) | (1 << PAIR_KIND if ways(counts) else 0)
        assert shapes.set_waits(pack(counts) + PAIR) == waits, counts


@pytest.mark.parametrize("size", [0, 3, 6, 9, 12])
def test_facts_of_every_hand_of_one_suit_beside_a_pair_are_those_of_its_ways(size: int) -> None:
    for counts in every(9, size):
        assert shapes.hand_facts(pack(counts) + PAIR) == flags(counts, paired=True), counts


@pytest.mark.parametrize("size", READY_SIZES)
def test_waits_of_every_hand_of_honours_need_no_runs(size: int) -> None:
    for counts in every(7, size):
        hand = (*(0,) * HONOURS_FROM, *counts)
        singles = [rank for rank, held in enumerate(counts) if held % 3 == 1]
        pairs = [rank for rank, held in enumerate(counts) if held % 3 == 2]
        waits = (
            singles if len(singles) == 1 and not pairs else pairs if len(pairs) == 2 and not singles else []
        )
        mask = sum(1 << HONOURS_FROM + rank for rank in waits if counts[rank] < 4)
        assert shapes.set_waits(pack(hand)) == mask, counts
