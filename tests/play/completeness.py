"""A plain decomposer for the generator: no packed hands and no tables, only counts of 27 kinds and a search."""

from collections.abc import Iterator, Sequence
from functools import cache

SUITS = ((0, 9), (9, 18), (18, 27))
Counts = Sequence[int]


@cache
def splits(suit: bytes, pairs: int) -> bool:
    """Whether the nine counts of a suit are sets and ``pairs`` pairs (none or one), by trying each way."""
    low = next((rank for rank, held in enumerate(suit) if held), None)
    if low is None:
        return not pairs
    groups: list[tuple[int, ...]] = [(low, low, low), (low, low + 1, low + 2)]
    groups += [(low, low)] * pairs
    return any(splits(left, pairs - (len(group) == 2)) for group, left in taken(suit, groups))


def taken(suit: bytes, groups: list[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], bytes]]:
    """Each group that the counts hold, with what is left."""
    for group in groups:
        left = list(suit)
        for rank in group:
            if rank > 8 or not left[rank]:
                break
            left[rank] -= 1
        else:
            yield group, bytes(left)


@cache
def suit_waits(suit: bytes, pairs: int) -> int:
    """The mask of ranks of which one more makes sets and ``pairs`` pairs."""
    mask = 0
    for rank in range(9):
        if suit[rank] < 4:
            more = bytes(held + (at == rank) for at, held in enumerate(suit))
            mask |= splits(more, pairs) << rank
    return mask


def complete(counts: Counts, seven_pairs: bool) -> bool:
    """Whether the concealed tiles are sets and a pair, or seven pairs where these are asked for."""
    suits = [bytes(counts[low:high]) for low, high in SUITS]
    if seven_pairs and sum(counts) == 14 and not any(held % 2 for held in counts):
        return True
    return any(all(splits(suit, at == paired) for at, suit in enumerate(suits)) for paired in range(3))


def waits(counts: Counts, seven_pairs: bool) -> int:
    """The mask of kinds that complete 3n+1 tiles; a kind whose four copies are held is none."""
    suits = [bytes(counts[low:high]) for low, high in SUITS]
    mask = 0
    for at in range(3):
        a, b = (suits[other] for other in range(3) if other != at)
        if splits(a, 0) and splits(b, 0):
            mask |= suit_waits(suits[at], 1) << 9 * at
        if (splits(a, 1) and splits(b, 0)) or (splits(a, 0) and splits(b, 1)):
            mask |= suit_waits(suits[at], 0) << 9 * at
    if seven_pairs and sum(counts) == 13:
        odd = [kind for kind, held in enumerate(counts) if held % 2]
        if len(odd) == 1:
            mask |= 1 << odd[0]
    return mask


def suits_held(counts: Counts) -> set[int]:
    """The suits that stand in the counts."""
    return {suit for suit, (low, high) in enumerate(SUITS) if any(counts[low:high])}
