"""听用: what a hand can be whose wildcards stand for other tiles. No fan.

In the concealed hand every tile of the wild kind stands for any suited tile, itself included; the other tiles are
*real* (rulebook §6.5). Hands are packed as in `replay.shapes`. ``taken`` is what the melds hold of each kind, packed
likewise: a wildcard is put only where hand and melds then hold four at the most, and real tiles are never asked
whether they do. ``suits`` are the suits that wildcards may stand in and a tile may be won of, a bit each.

A *filling* is a suit key with its share of the wildcards put in. What a suit can be filled to is remembered: from one
discard to the next most suits of a hand stay as they are.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product

from replay.shapes import (
    BOTH,
    COMPLETE,
    COPIES,
    FACTS,
    HONOUR_FACTS,
    KEY,
    ODD,
    P_SHIFT,
    POW,
    S_SHIFT,
    TERMINALS,
    TRIPLETS,
    WAITS,
    Z_SHIFT,
)
from replay.tiles import ALL_OF, BIT, KINDS, ONE, SHIFT, SUIT_MASK, SUIT_OF, SUITED_KINDS, kinds_in, size_of

ALL_SUITS = 7
SHIFTS = (0, P_SHIFT, S_SHIFT)
RANKS = range(9)

Spread = tuple[int, int, int]
"""How many wildcards stand in each suit."""


def split(hand: int, wild: int) -> tuple[int, int]:
    """The real tiles of a packed hand, and how many wildcards it holds."""
    return hand & ~ALL_OF[wild], hand >> SHIFT[wild] & 7


# The suits that may be -----------------------------------------------------------------------------------


def _two_suits(held: int, void: int) -> tuple[int, ...]:
    return tuple(pair for pair in (0b011, 0b101, 0b110) if not held & ~pair)


def _without_void(held: int, void: int) -> tuple[int, ...]:
    if void < 0:
        return _two_suits(held, void)
    return () if held >> void & 1 else (ALL_SUITS & ~(1 << void),)


SUIT_CHOICES: dict[str, Callable[[int, int], tuple[int, ...]]] = {
    "declared": _without_void,
    "at_hu": _two_suits,
    "none": lambda held, void: (ALL_SUITS,),
}
"""By the void rule, from the suits of the real tiles and melds and the declared suit (or -1): the choices of suits
that the whole hand may keep to, wildcards and the tile won on included; empty where it already breaks the rule."""


# One suit ------------------------------------------------------------------------------------------------


def suit_facts(key: int, facts: dict[int, int]) -> int:
    """The fact of a suit key, also where it holds five of a kind, as only a hand asked under `dead_wait: never` does.

    Of five alike three are a triplet or two are the pair: a set more of runs would be five sets. Its flags hold for some
    such split.
    """
    fact = facts.get(key)
    if fact is not None or not key >> 2 & key & ODD:
        return fact or 0
    for rank in RANKS:
        if key >> SHIFT[rank] & 7 == COPIES + 1:
            edge = TERMINALS | BOTH if facts is FACTS and rank in (0, 8) else 0
            fact = facts.get(key - 3 * POW[rank], 0) | facts.get(key - 2 * POW[rank], 0)
            return fact & (COMPLETE | TRIPLETS | edge)
    return 0


@lru_cache(maxsize=4096)
def fillings(key: int, taken: int, count: int) -> tuple[int, ...]:
    """Every key that ``count`` wildcards make of a suit key, ascending."""
    full = 0
    for rank in RANKS:
        room = max(COPIES - (key >> SHIFT[rank] & 7) - (taken >> SHIFT[rank] & 7), 0)
        full |= (STACK << room & STACK) << COPIES * rank
    return tuple([key + added for added, stacks in added_keys(count) if not stacks & full])


STACK = (1 << COPIES) - 1
"""A bit for the first tile of a rank that is added, the second, and so on."""


@cache
def added_keys(count: int) -> tuple[tuple[int, int], ...]:
    """Every key of so many tiles, ascending, and beside it for each rank as many bits of `STACK` as it has tiles."""
    found = []
    for chosen in combinations_with_replacement(RANKS, count):
        stacks = sum([(1 << chosen.count(rank)) - 1 << COPIES * rank for rank in set(chosen)])
        found.append((sum([POW[rank] for rank in chosen]), stacks))
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def whole_fillings(key: int, taken: int, count: int) -> tuple[int, ...]:
    """The fillings that are whole: all sets, or all sets and one pair, which their number of tiles decides."""
    return tuple(filled for filled in fillings(key, taken, count) if suit_facts(filled, FACTS) & COMPLETE)


@lru_cache(maxsize=4096)
def filled_waits(key: int, taken: int, count: int) -> int:
    """The ranks of which one real tile more makes some filling whole, a bit each."""
    waits = 0
    for filled in fillings(key, taken, count):
        found = FACTS.get(filled, 0) & WAITS
        for rank in kinds_in(found) if found and taken else ():
            # The real tile comes first: a wildcard beside it must find room all the same.
            stands_in = (filled - key) >> SHIFT[rank] & 7
            if stands_in and (filled >> SHIFT[rank] & 7) + (taken >> SHIFT[rank] & 7) >= COPIES:
                found &= ~BIT[rank]
        waits |= found
    return waits


# The whole hand ------------------------------------------------------------------------------------------


@cache
def spreads(count: int, suits: int) -> tuple[Spread, ...]:
    """Every way to share ``count`` wildcards out among these suits."""
    most = [count if suits >> suit & 1 else 0 for suit in range(3)]
    shares = product(*(range(share + 1) for share in most))
    return tuple((m, p, s) for m, p, s in shares if m + p + s == count)


def complete_hands(hand: int, taken: int, wild: int, suits: int, seven_pairs: bool) -> Iterator[int]:
    """Every packed hand of 3n+2 tiles that the wildcards can make complete, in no order; one may come twice.

    Without a wildcard it is the hand itself, if it is complete. ``seven_pairs`` counts those as complete.
    """
    real, count = split(hand, wild)
    yield from _filled_sets(real, taken, count, suits)
    if seven_pairs:
        yield from _filled_pairs(real, count, suits)


def _filled_sets(real: int, taken: int, count: int, suits: int) -> Iterator[int]:
    honours = real >> Z_SHIFT
    if not suit_facts(honours, HONOUR_FACTS) & COMPLETE:
        return
    keys = [(real >> shift & KEY, taken >> shift & KEY) for shift in SHIFTS]
    sizes = [size_of(key) for key, _ in keys]
    for spread in spreads(count, suits):
        rests = [(size + share) % 3 for size, share in zip(sizes, spread, strict=True)]
        if not is_one_pair((*rests, size_of(honours) % 3)):
            continue
        filled = [(*key, share) for key, share in zip(keys, spread, strict=True)]
        if all(whole_fillings(*part) for part in filled):
            for m, p, s in product(*(whole_fillings(*part) for part in filled)):
                yield m | p << P_SHIFT | s << S_SHIFT | honours << Z_SHIFT


def _filled_pairs(real: int, count: int, suits: int) -> Iterator[int]:
    """Seven pairs: a wildcard beside every real tile that lacks one, and the rest of them in pairs anywhere."""
    odd = real & ODD
    spare = count - odd.bit_count()
    if spare < 0 or spare % 2 or odd >> Z_SHIFT or odd & real >> 2:
        return
    paired = real + odd
    kinds = [kind for kind in range(SUITED_KINDS) if suits >> SUIT_OF[kind] & 1]
    for chosen in combinations_with_replacement(kinds, spare // 2):
        if all((paired >> SHIFT[kind] & 7) + 2 * chosen.count(kind) <= COPIES for kind in chosen):
            yield paired + 2 * sum([ONE[kind] for kind in chosen])


def wild_waits(hand: int, taken: int, wild: int, suits: int, seven_pairs: bool) -> int:
    """The mask of kinds that complete a packed hand of 3n+1 tiles with wildcards.

    A kind of which the hand holds all four is never among them: `fifth_wild_waits` has those. A further wildcard is
    one more to put anywhere.
    """
    real, count = split(hand, wild)
    waits = _set_waits(real, taken, count, suits)
    if seven_pairs:
        waits |= _pair_waits(real, count)
    waits &= suit_kinds(suits)
    # A further wildcard wins only where a tile that it can stand for would, and is one of four too.
    if not waits or count == COPIES:
        return waits & ~BIT[wild]
    # It surely can stand for a tile of which no four are there even if all the others stand for it.
    if any(
        (real >> SHIFT[kind] & 7) + (taken >> SHIFT[kind] & 7) + count < COPIES
        for kind in kinds_in(waits & ~SUIT_MASK[3])
    ) or is_filled(hand + ONE[wild], taken, wild, suits, seven_pairs):
        return waits | BIT[wild]
    return waits & ~BIT[wild]


def fifth_wild_waits(hand: int, taken: int, wild: int, suits: int, seven_pairs: bool) -> int:
    """The mask of kinds of which the hand holds all four and a fifth would complete it. Slow."""
    return sum(
        BIT[kind]
        for kind in kinds_in(suit_kinds(suits) | BIT[wild])
        if hand >> SHIFT[kind] & 7 == COPIES and is_filled(hand + ONE[kind], taken, wild, suits, seven_pairs)
    )


def is_filled(hand: int, taken: int, wild: int, suits: int, seven_pairs: bool) -> bool:
    """Whether the wildcards can make a hand of 3n+2 tiles complete."""
    return any(True for _ in complete_hands(hand, taken, wild, suits, seven_pairs))


def suit_kinds(suits: int) -> int:
    """The kinds of these suits, and the honours, which are of none."""
    return sum(SUIT_MASK[suit] for suit in range(3) if suits >> suit & 1) | SUIT_MASK[3]


def _set_waits(real: int, taken: int, count: int, suits: int) -> int:
    keys = [(real >> shift & KEY, taken >> shift & KEY) for shift in SHIFTS]
    sizes = [size_of(key) for key, _ in keys]
    honours = real >> Z_SHIFT
    honour_size, honour_facts = size_of(honours), HONOUR_FACTS.get(honours, 0)
    waits = 0
    for spread in spreads(count, suits):
        filled = [(*key, share) for key, share in zip(keys, spread, strict=True)]
        rests = [(size + share) % 3 for size, share in zip(sizes, spread, strict=True)]
        for short in one_short((*rests, honour_size % 3)):
            if short < 3:
                others = [part for suit, part in enumerate(filled) if suit != short]
                if honour_facts & COMPLETE and all(whole_fillings(*part) for part in others):
                    waits |= filled_waits(*filled[short]) << 9 * short
            elif all(whole_fillings(*part) for part in filled):
                waits |= (honour_facts & WAITS) << SUITED_KINDS
    return waits


@cache
def one_short(rests: tuple[int, ...]) -> tuple[int, ...]:
    """The suits (3 the honours) that the tile waited for can belong to, by the numbers of tiles modulo 3."""
    suits = range(len(rests))
    return tuple(
        short
        for short in suits
        if is_one_pair(tuple((rest + (suit == short)) % 3 for suit, rest in enumerate(rests)))
    )


def is_one_pair(rests: tuple[int, ...]) -> bool:
    """Whether suits of so many tiles modulo 3 can be whole with one pair among them: 3n tiles each, 3n+2 with it."""
    return sorted(rests) == [0] * (len(rests) - 1) + [2]


def _pair_waits(real: int, count: int) -> int:
    """The kinds that leave no more single tiles than there are wildcards, and none among the honours."""
    odd = real & ODD
    if odd.bit_count() > count + 1:
        return 0
    waits = 0
    for kind in range(KINDS):
        singles = odd ^ ONE[kind]
        if singles.bit_count() <= count and not singles >> Z_SHIFT and real >> SHIFT[kind] & 7 < COPIES:
            waits |= BIT[kind]
    return waits
