"""听用: of all the hands that wildcards make of one, those that fans tell apart. No fan is counted.

What a fan can see of a hand is little: the flags of `replay.shapes`, how many kinds it has four of, which pengs it holds
the fourth tile of, whether all its tiles are 2, 5 and 8, and its suits. Of hands with all that in common one is enough,
the one that is named: with the smallest sets (rulebook §6.5). Each suit is asked by itself and then the suits are put
together, so that the hands are never counted through, of which there are tens of thousands.

Seven pairs are looked at as pairs, and there the smallest is the first that is no sets, else as above.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement

from replay.fans import JIANG_RANKS, Winning, suits_in, taken_by
from replay.profile import RuleProfile
from replay.shapes import COMPLETE, FACTS, FLAGS, HONOUR_FACTS, KEY, ODD, POW, Z_SHIFT, hand_facts
from replay.tiles import ALL_OF, BIT, FOURS, ONE, SHIFT, SUIT_OF, SUITED_KINDS, size_of
from replay.wilds import ALL_SUITS, SHIFTS, SUIT_CHOICES, split, suit_facts, whole_fillings

Seen = tuple[int, int, int, bool, int]
"""What fans see: flags, how many fours, beside which pengs the fourth stands (a bit a kind), all 2, 5, 8?, suits."""

Named = tuple[tuple[int, ...], tuple[int, ...], int]
"""The smallest sets of a hand in ascending order, its pair, and the packed hand: the order is that of what is named."""

Part = Mapping[Seen, Named]

JIANG = sum(7 * POW[rank] for rank in JIANG_RANKS)
RUN = POW[0] + POW[1] + POW[2]


def unlike_hands(rules: RuleProfile, hand: Winning) -> Sequence[int]:
    """Of the complete packed hands that the wildcards make, one for all that no fan can tell apart (`substitutions`).

    It is the one that is named where such hands are the dearest.
    """
    taken, pairs = taken_by(hand.melds), rules.seven_pairs and not hand.melds
    held = suits_in(split(hand.hand, hand.wild)[0] | taken)
    choices = SUIT_CHOICES[rules.void](held, hand.void) or (ALL_SUITS,)
    return _unlike_hands(hand.hand, taken, hand.wild, choices, pairs)


@lru_cache(maxsize=2048)
def _unlike_hands(hand: int, taken: int, wild: int, choices: tuple[int, ...], pairs: bool) -> tuple[int, ...]:
    real, count = split(hand, wild)
    sets: dict[Seen, Named] = {}
    for suits in choices:
        _keep_smallest(sets, _sets_by_sight(real, taken, count, suits))
    found = dict.fromkeys(named[2] for named in sets.values())
    if pairs:
        found |= dict.fromkeys(_pairs_by_sight(real, count, choices))
    return tuple(found)


def _keep_smallest(kept: dict[Seen, Named], more: Part) -> None:
    for seen, named in more.items():
        if seen not in kept or named < kept[seen]:
            kept[seen] = named


# Sets ------------------------------------------------------------------------------------------------


def _sets_by_sight(real: int, taken: int, count: int, suits: int) -> Part:
    """The hands of sets and a pair; honours are in all of them the same."""
    honours = real >> Z_SHIFT
    if not suit_facts(honours, HONOUR_FACTS) & COMPLETE:
        return {}
    by_suit = []
    for suit, shift in enumerate(SHIFTS):
        most = count if suits >> suit & 1 else 0
        key, held = real >> shift & KEY, taken >> shift & KEY
        by_suit.append([suit_by_sight(key, held, share, suit) for share in range(most + 1)])
    whole = _put_together(_put_together(by_suit[0], by_suit[1], count), by_suit[2], count)
    has_pair = size_of(honours) % 3 == 2
    found = whole[count].items() if len(whole) > count else ()
    return {
        seen: (sets, pair, tiles | honours << Z_SHIFT)
        for seen, (sets, pair, tiles) in found
        if bool(pair) != has_pair
    }


@lru_cache(maxsize=4096)
def suit_by_sight(key: int, taken: int, count: int, suit: int) -> Part:
    """The whole keys that ``count`` wildcards make of a suit key, as parts of hands."""
    found: dict[Seen, Named] = {}
    if (size_of(key) + count) % 3 == 1:
        return found
    pengs = [rank for rank in range(9) if taken >> SHIFT[rank] & 7]
    for filled in whole_fillings(key, taken, count):
        beside = sum(BIT[9 * suit + rank] for rank in pengs if filled >> SHIFT[rank] & 7 == 1)
        seen = (
            suit_facts(filled, FACTS) & FLAGS,
            (filled & FOURS).bit_count(),
            beside,
            not filled & ~JIANG,
            1 << suit if filled else 0,
        )
        sets, pair = smallest_sets(filled, suit)
        _keep_smallest(found, {seen: (sets, pair, filled << SHIFTS[suit])})
    return found


@lru_cache(maxsize=4096)
def smallest_sets(key: int, suit: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of all splits of a whole suit key the sets of the smallest, and its pair, each as twice its first tile.

    A run is one more than the triplet on its first tile, so that they stand in the order of their tiles. The first tile
    is in a triplet if it can be, else in a run, else the pair.
    """
    sets: list[int] = []
    pair: tuple[int, ...] = ()
    for rank in range(9):
        number = 2 * (9 * suit + rank)
        while alike := key >> SHIFT[rank] & 7:
            if alike > 2 and suit_facts(key - 3 * POW[rank], FACTS) & COMPLETE:
                key -= 3 * POW[rank]
                sets.append(number)
            elif rank < 7 and _begins_run(key, rank):
                key -= RUN * POW[rank]
                sets.append(number + 1)
            else:
                key -= 2 * POW[rank]
                pair = (number,)
    return tuple(sets), pair


def _begins_run(key: int, rank: int) -> bool:
    """Whether a run from this rank leaves a key that is whole."""
    if not (key & ALL_OF[rank + 1] and key & ALL_OF[rank + 2]):
        return False
    return suit_facts(key - RUN * POW[rank], FACTS) & COMPLETE > 0


def _put_together(one: Sequence[Part], other: Sequence[Part], most: int) -> list[Part]:
    """The parts of two suits as one, each at the number of its wildcards, which are ``most`` at the most."""
    found: list[dict[Seen, Named]] = [{} for _ in range(min(len(one) + len(other) - 1, most + 1))]
    for share, part in enumerate(one):
        for more, beside in zip(range(len(found) - share), other, strict=False):
            if part and beside:
                _keep_smallest(found[share + more], _product(part, beside))
    return list(found)


def _product(one: Part, other: Part) -> Part:
    found: dict[Seen, Named] = {}
    for (flags, fours, beside, jiang, suits), (sets, pair, tiles) in one.items():
        for seen, (more, second, rest) in other.items():
            if pair and second:
                break  # all keys of one size have a pair, or none has
            both = (flags & seen[0], fours + seen[1], beside | seen[2], jiang and seen[3], suits | seen[4])
            named = (sets + more, pair + second, tiles | rest)
            if both not in found or named < found[both]:
                found[both] = named
    return found


# Seven pairs -----------------------------------------------------------------------------------------


def _pairs_by_sight(real: int, count: int, choices: Sequence[int]) -> list[int]:
    """The hands that are seven pairs, as a wildcard stands beside every single tile and the rest are pairs anywhere."""
    odd = real & ODD
    spare = count - odd.bit_count()
    if spare < 0 or spare % 2 or odd >> Z_SHIFT or odd & real >> 2:
        return []
    paired = real + odd
    full = paired & FOURS
    some = (paired << 1 | paired) & FOURS
    found: dict[tuple[int, int], int] = {}
    for suits in choices:
        for pairs, kinds, fours in added_pairs(spare // 2, suits):
            if kinds & full or fours & some:
                continue
            tiles = paired + pairs
            seen = (tiles & FOURS).bit_count(), suits_in(tiles)
            if seen not in found or named_pairs(tiles) < named_pairs(found[seen]):
                found[seen] = tiles
    return list(found.values())


@cache
def added_pairs(count: int, suits: int) -> tuple[tuple[int, int, int], ...]:
    """Every way to put so many pairs in these suits, packed; and where it holds any, and four, each at the top bit."""
    kinds = [kind for kind in range(SUITED_KINDS) if suits >> SUIT_OF[kind] & 1]
    found = []
    for chosen in combinations_with_replacement(kinds, count):
        pairs = 2 * sum([ONE[kind] for kind in chosen])
        found.append((pairs, (pairs << 1 | pairs) & FOURS, pairs & FOURS))
    return tuple(found)


def named_pairs(tiles: int) -> tuple[Sequence[int], int]:
    """What orders equal seven pairs: those that are no sets come before those that are."""
    return (named_sets(tiles) if hand_facts(tiles) & COMPLETE else ()), tiles


def named_sets(tiles: int) -> tuple[int, ...]:
    """The smallest sets of a complete hand in order, and then its pair: what orders equal hands."""
    sets: tuple[int, ...] = ()
    pair: tuple[int, ...] = ()
    for suit, shift in enumerate(SHIFTS):
        more, second = smallest_sets(tiles >> shift & KEY, suit)
        sets, pair = sets + more, pair + second
    return sets + pair
