"""A plain decomposer for the generator: no packed hands and no tables, only counts of 34 kinds and a search."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product

SUITS = ((0, 9), (9, 18), (18, 27))
HONOURS = (27, 34)
FIELDS = (*SUITS, HONOURS)
KINDS = 34
Counts = Sequence[int]
Suits = frozenset[int]

PAIRS_OF_SUITS: tuple[Suits, ...] = (frozenset({0, 1}), frozenset({0, 2}), frozenset({1, 2}))


@cache
def splits(suit: bytes, pairs: int) -> bool:
    """Whether the counts of a suit are sets and ``pairs`` pairs (none or one), by trying each way.

    Seven counts are those of the honours, which make no runs.
    """
    low = next((rank for rank, held in enumerate(suit) if held), None)
    if low is None:
        return not pairs
    groups: list[tuple[int, ...]] = [(low, low, low)]
    groups += [(low, low + 1, low + 2)] * (len(suit) == 9)
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
    for rank in range(len(suit)):
        if suit[rank] < 4 and any(suit[max(0, rank - 2) : rank + 3]):
            more = bytes(held + (at == rank) for at, held in enumerate(suit))
            mask |= splits(more, pairs) << rank
    return mask


def complete(counts: Counts, seven_pairs: bool) -> bool:
    """Whether the concealed tiles are sets and a pair, or seven pairs where these are asked for."""
    if seven_pairs and sum(counts) == 14 and not any(held % 2 for held in counts):
        return True
    fields = [bytes(counts[low:high]) for low, high in FIELDS]
    return any(all(splits(field, at == paired) for at, field in enumerate(fields)) for paired in range(4))


def waits(counts: Counts, seven_pairs: bool) -> int:
    """The mask of kinds that complete 3n+1 tiles; a kind whose four copies are held is none."""
    return waits_of(bytes(counts), seven_pairs)


@lru_cache(maxsize=1 << 14)
def waits_of(counts: bytes, seven_pairs: bool) -> int:
    """The same, remembered: a seat's tiles are asked about more often than they change."""
    fields = [facts(counts[low:high]) for low, high in FIELDS]
    ones = [at for at, (over, _, _) in enumerate(fields) if over == 1]
    twos = [at for at, (over, _, _) in enumerate(fields) if over == 2]
    mask = 0
    if all(sound for over, _, sound in fields if not over):
        if len(ones) == 1 and not twos:
            mask = fields[ones[0]][1] << FIELDS[ones[0]][0]
        if len(twos) == 2 and not ones:
            for waiting, paired in (twos, twos[::-1]):
                mask |= fields[waiting][1] << FIELDS[waiting][0] if fields[paired][2] else 0
    if seven_pairs and sum(counts) == 13:
        odd = [kind for kind, held in enumerate(counts) if held % 2]
        if len(odd) == 1:
            mask |= 1 << odd[0]
    return mask


@cache
def facts(suit: bytes) -> tuple[int, int, bool]:
    """How many tiles are over sets of three; the ranks that make them whole; and whether they are.

    One over wants to become a pair; two over are whole with a pair, or want to become a set.
    """
    over = sum(suit) % 3
    return over, suit_waits(suit, over % 2) if over else 0, splits(suit, over // 2)


def suits_held(counts: Counts) -> set[int]:
    """The suits that stand in the counts; honours are none."""
    return {suit for suit, (low, high) in enumerate(SUITS) if any(counts[low:high])}


def allowed_suits(rule: str, void: int) -> tuple[Suits, ...]:
    """The sets of suits one of which must hold every tile of a hu (rulebook §2.1, §6.4)."""
    if rule == "none":
        return (frozenset({0, 1, 2}),)
    if rule == "declared" and void >= 0:
        return (frozenset({0, 1, 2}) - {void},)
    return PAIRS_OF_SUITS


# 听用 ------------------------------------------------------------------------------------------------


@cache
def reach(suit: bytes, whole: bytes, most: int) -> frozenset[tuple[int, int]]:
    """With how many wild tiles the counts become sets and how many pairs; ``whole`` and they make four of a kind."""
    found = set()
    able = [rank for rank, held in enumerate(whole) if held < 4]
    for count, pairs in product(range(most + 1), (0, 1)):
        if (sum(suit) + count) % 3 == 2 * pairs:
            for added in combinations_with_replacement(able, count):
                more = bytearray(suit)
                for rank in added:
                    more[rank] += 1
                if all(whole[rank] + added.count(rank) <= 4 for rank in added) and splits(bytes(more), pairs):
                    found.add((count, pairs))
                    break
    return frozenset(found)


@lru_cache(maxsize=1 << 14)
def complete_wild(
    counts: bytes, wild: int, whole: bytes, seven_pairs: bool, allowed: tuple[Suits, ...]
) -> bool:
    """Whether the tiles, and ``wild`` more that stand for any suited ones, are a hu in one of the sets of suits.

    ``whole`` are hand and melds; no tile stands for a kind of which these and the others are four.
    """
    held = suits_held(whole)
    pairs = seven_pairs and pairs_wild(counts, wild)
    return any(held <= suits and (pairs or sets_wild(counts, wild, whole, suits)) for suits in allowed)


def pairs_wild(counts: bytes, wild: int) -> bool:
    """Whether the odd tiles, all of them suited, can be paired and fourteen are there."""
    odd = [kind for kind, held in enumerate(counts) if held % 2]
    return sum(counts) + wild == 14 and len(odd) <= wild and all(kind < HONOURS[0] for kind in odd)


def sets_wild(counts: bytes, wild: int, whole: bytes, suits: Iterable[int]) -> bool:
    """Whether sets and a pair can be made of the suits."""
    honours = counts[slice(*HONOURS)]
    sums = {(0, pairs) for pairs in (0, 1) if splits(honours, pairs)}
    for suit in suits:
        field = slice(*SUITS[suit])
        ways = reach(counts[field], whole[field], wild)
        sums = {(a + b, p + q) for a, p in sums for b, q in ways if a + b <= wild and p + q <= 1}
    return (wild, 1) in sums
