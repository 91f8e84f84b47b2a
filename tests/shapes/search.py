"""A plain search for the ways a hand comes apart, knowing no keys and no facts; and ways to write hands."""

from collections.abc import Iterator
from functools import cache

from replay import shapes
from replay.tiles import parse_tiles, tile_string

Counts = tuple[int, ...]
"""Copies of each kind: 34 of them, or only the first nine (万)."""
Way = tuple[tuple[int, ...], ...]

HONOURS_FROM = 27
TERMINAL_KINDS = {0, 8, 9, 17, 18, 26}
READY_SIZES = (1, 4, 7, 10, 13)
WHOLE_SIZES = (2, 5, 8, 11, 14)


def search(counts: Counts, paired: bool = False) -> Iterator[list[tuple[int, ...]]]:
    """Every order-free way to take the tiles apart, by giving the lowest tile each place it could have."""
    low = next((kind for kind, held in enumerate(counts) if held), None)
    if low is None:
        if paired:
            yield []
        return
    options: list[tuple[int, ...]] = [(low, low, low)]
    if low < HONOURS_FROM and low % 9 < 7:
        options.append((low, low + 1, low + 2))
    if not paired:
        options.append((low, low))
    for option in options:
        left = list(counts)
        for kind in option:
            left[kind] -= 1
        if min(left) >= 0:
            for rest in search(tuple(left), paired or len(option) == 2):
                yield [option, *rest]


@cache
def ways(counts: Counts, paired: bool = False) -> tuple[Way, ...]:
    """The distinct ways of a hand, each with its sets ascending and its pair last, in ascending order.

    ``paired`` says the pair stands elsewhere, so these tiles are to be sets alone.
    """
    found = set()
    for way in search(counts, paired):
        sets = sorted(group for group in way if len(group) == 3)
        found.add((*sets, *(group for group in way if len(group) == 2)))
    return tuple(sorted(found))


def completing(counts: Counts, fewest: int, most: int, paired: bool = False) -> int:
    """The mask of kinds held ``fewest`` to ``most`` times of which one more completes the hand."""
    mask = 0
    for kind, held in enumerate(counts):
        if fewest <= held <= most and ways((*counts[:kind], held + 1, *counts[kind + 1 :]), paired):
            mask |= 1 << kind
    return mask


def flags(counts: Counts, paired: bool = False) -> int:
    """What `hand_facts` should say, read off the ways one by one."""
    facts = 0
    for way in ways(counts, paired):
        triplets = all(len(set(group)) == 1 for group in way)
        terminals = all(TERMINAL_KINDS & set(group) for group in way)
        facts |= shapes.COMPLETE
        facts |= shapes.TRIPLETS if triplets else 0
        facts |= shapes.TERMINALS if terminals else 0
        facts |= shapes.BOTH if triplets and terminals else 0
    return facts


def counts_of(kinds: list[int]) -> Counts:
    """Copies of each of the 34 kinds."""
    return tuple(kinds.count(kind) for kind in range(34))


def pack(counts: Counts) -> int:
    """The packed hand of 34 counts, or of the 万 alone."""
    return sum(held * 8**kind for kind, held in enumerate(counts))


def packed(text: str) -> int:
    """The packed hand of a tile string."""
    return pack(counts_of(parse_tiles(text)))


def names(mask: int) -> str:
    """The kinds of a mask as a tile string."""
    return tile_string(kind for kind in range(34) if mask >> kind & 1)
