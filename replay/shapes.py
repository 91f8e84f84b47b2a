"""Shapes: which tiles complete a hand, whether it is complete, and how it splits. No fan, no rule set.

A hand here is what is *concealed*: 3n+1 tiles asked for its waits, or 3n+2 tiles asked whether it is n sets
and a pair (the other 4-n sets are melds, and none of this room's business). A set is three alike or a run of
three in one suit; honours only make three alike. A hand is packed into one int (`tiles.ONE`), three bits a
kind; the part of it that a suit fills, shifted down, is the *suit key*, one octal digit a rank.

Everything quick is one look-up a suit in tables built at import from the sums of sets. A suit is *whole* when
it is all sets, or all sets and one pair. A *fact* is an int:

- bits 0-8: the ranks of which one more makes the suit whole,
- `COMPLETE`: the suit is whole,
- `TRIPLETS`: some split of it has only triplets (and a pair),
- `TERMINALS`: in some split every set and the pair holds a 1 or a 9,
- `BOTH`: one and the same split is both,
- `PAIR`: it is whole with a pair.

A suit of 3k tiles is whole or has no fact; 3k+1 tiles can only wait for sets and a pair; 3k+2 tiles can be
whole with a pair, wait for sets alone, or both. A key without a fact is not in the table, and a hand with
such a key is neither complete nor ready.
"""

from collections.abc import Iterator
from functools import reduce
from operator import and_

from replay.tiles import BIT, DIGIT, FOURS, KINDS, ONE, RANK_OF, SUIT_OF, SUITED_KINDS, counts_of

Group = tuple[int, ...]
"""The kinds of one set (three) or of the pair (two), ascending."""

COPIES = 4
MOST_SETS = 4

DIGITS = 7
POW: tuple[int, ...] = tuple((DIGITS + 1) ** rank for rank in RANK_OF)
"""What one tile of each kind adds to its suit's key."""

KEY = (DIGITS + 1) ** 9 - 1
P_SHIFT, S_SHIFT, Z_SHIFT = 27, 54, 81
"""A suit's key is its field of the packed hand, shifted down."""

ODD = sum(ONE)
"""The bits that are set where a packed hand holds an odd number of a kind."""

COMPLETE = 1 << 9
TRIPLETS = 1 << 10
TERMINALS = 1 << 11
BOTH = 1 << 12
PAIR = 1 << 15  # more than three facts without it add up to: _honour_waits counts pairs in a sum of facts
FLAGS = COMPLETE | TRIPLETS | TERMINALS | BOTH
WAITS = COMPLETE - 1

P_PLACE = BIT[9]
S_PLACE = BIT[18]
Z_PLACE = BIT[27]
"""What a suit's waits are multiplied by to stand at its kinds; quicker than a shift."""

SETS_FROM: tuple[tuple[Group, ...], ...] = tuple(
    ((kind, kind, kind), (kind, kind + 1, kind + 2))
    if kind < SUITED_KINDS and RANK_OF[kind] < 7
    else ((kind, kind, kind),)
    for kind in range(KINDS)
)
"""The sets whose smallest tile is each kind, ascending."""


# --- the tables ----------------------------------------------------------------------------------------


def _flags(group: Group) -> int:
    """The flags of a suit that is this set or pair and nothing else."""
    flags = COMPLETE
    if group[0] == group[-1]:
        flags |= TRIPLETS
    if any(kind < SUITED_KINDS and RANK_OF[kind] in (0, 8) for kind in group):
        flags |= TERMINALS | (BOTH if flags & TRIPLETS else 0)
    return flags


def _with(group: Group, whole: dict[int, int], sums: dict[int, int]) -> None:
    """Put into ``sums`` each key of ``whole`` with the group added, where no kind comes to five.

    A flag holds for a sum when, for one of the ways to make it, it holds for the group and for the rest.
    """
    flags, added = _flags(group), sum(POW[kind] for kind in group)
    room = [(POW[kind], COPIES - group.count(kind)) for kind in sorted(set(group))]
    for key, known in whole.items():
        if all(key // power & DIGITS <= most for power, most in room):
            sums[key + added] = sums.get(key + added, 0) | known & flags


def _whole(kinds: list[int]) -> dict[int, int]:
    """The flags of every whole key of a suit: up to four sets, alone and with a pair."""
    layer = {0: FLAGS}
    whole = dict(layer)
    for _ in range(MOST_SETS):
        below, layer = layer, {}
        for kind in kinds:
            for group in SETS_FROM[kind]:
                _with(group, below, layer)
        whole |= layer
    paired: dict[int, int] = {}
    for kind in kinds:
        _with((kind, kind), whole, paired)
    return whole | {key: flags | PAIR for key, flags in paired.items()}


def _facts(suit: int) -> dict[int, int]:
    """The fact of every key of a suit that has one: the whole keys, and the keys one tile short of whole.

    Equal facts are one object: a smaller table, and more of it in the processor's cache.
    """
    kinds = [kind for kind in range(KINDS) if SUIT_OF[kind] == suit]
    facts = _whole(kinds)
    whole = list(facts)
    known = facts.get
    for power, bit in [(POW[kind], BIT[RANK_OF[kind]]) for kind in kinds]:
        for key in whole:
            if key // power & DIGITS:
                short = key - power
                facts[short] = known(short, 0) | bit
    one: dict[int, int] = {}
    return {key: one.setdefault(fact, fact) for key, fact in facts.items()}


FACTS: dict[int, int] = _facts(0)
HONOUR_FACTS: dict[int, int] = _facts(3)
"""Facts by suit key: one table for the three suits, one for the honours."""


# --- waits ---------------------------------------------------------------------------------------------


def set_waits(hand: int) -> int:
    """The mask of kinds that complete a packed hand of 3n+1 tiles to n sets and a pair.

    A kind of which the hand itself holds all four copies is never among them: `fifth_waits` has those. For
    another number of tiles the answer means nothing. A suit's waits count when every other suit is whole;
    with three suits the count modulo 3 then leaves exactly one pair.

    >>> from replay.tiles import kinds_in, parse_tiles, tile_string
    >>> tile_string(kinds_in(set_waits(sum(ONE[kind] for kind in parse_tiles("2m3m4m5m")))))
    '2m5m'
    """
    # The audit's inner loop. Most hands fail one of these lines, and `in` is the cheapest way to miss.
    m = hand & KEY
    if m not in FACTS:
        return 0
    p = hand >> P_SHIFT & KEY
    if p not in FACTS:
        return 0
    s = hand >> S_SHIFT
    if s > KEY:
        return _honour_waits(hand)
    if s in FACTS:
        a = FACTS[m]
        if a < COMPLETE:
            return a if FACTS[p] >= COMPLETE and FACTS[s] >= COMPLETE else 0
        b = FACTS[p]
        if b < COMPLETE:
            return b * P_PLACE if FACTS[s] >= COMPLETE else 0
        c = FACTS[s]
        if c < COMPLETE:
            return c * S_PLACE
        return (a & WAITS) + (b & WAITS) * P_PLACE + (c & WAITS) * S_PLACE
    return 0


def _honour_waits(hand: int) -> int:
    """`set_waits` of a hand with honours.

    Modulo 3 three pairs count like none, and with a fourth suit a hand can hold them: so pairs are counted.
    """
    known = FACTS.get
    a, b, c = known(hand & KEY, 0), known(hand >> P_SHIFT & KEY, 0), known(hand >> S_SHIFT & KEY, 0)
    if not (a and b and c):
        return 0
    honours = HONOUR_FACTS.get(hand >> Z_SHIFT, 0)
    pairs = (a + b + c) // PAIR
    waits = 0
    if honours >= COMPLETE and (honours < PAIR or pairs < 2):
        waits = set_waits(hand & (1 << Z_SHIFT) - 1)
    if a >= COMPLETE and b >= COMPLETE and c >= COMPLETE and pairs < 2:
        waits += (honours & WAITS) * Z_PLACE
    return waits


def pair_waits(hand: int) -> int:
    """The mask of the kind that makes thirteen tiles seven pairs, or 0.

    Four alike are two pairs, so one kind held an odd number of times is all it takes.
    """
    odd = hand & ODD
    return BIT[odd.bit_length() // DIGIT] if odd.bit_count() == 1 else 0


def fifth_waits(hand: int) -> int:
    """The mask of kinds of which a hand of 3n+1 tiles holds all four copies and a fifth would complete it.

    No such tile exists; some rule sets count the hand as ready all the same. Slow (tens of microseconds): ask
    only of a hand with four alike.
    """
    if not hand & FOURS:
        return 0
    counts = counts_of(hand)
    waits = 0
    for kind in range(KINDS):
        if counts[kind] == COPIES:
            with_fifth = [*counts]
            with_fifth[kind] += 1
            if any(_hands(with_fifth)):
                waits |= BIT[kind]
    return waits


# --- complete hands ------------------------------------------------------------------------------------


def hand_facts(hand: int) -> int:
    """The flags of a packed hand of 3n+2 tiles; 0 when it is not n sets and a pair.

    `COMPLETE`; `TRIPLETS` when some split has only triplets; `TERMINALS` when in some split every set and the
    pair holds a 1 or a 9 (an honour is neither); `BOTH` when one split is both (111222333 is either, never
    both). A split of the hand is a split of each suit, so a flag holds when it holds in every suit.
    """
    known = FACTS.get
    facts = known(hand & KEY, 0) & known(hand >> P_SHIFT & KEY, 0) & known(hand >> S_SHIFT & KEY, 0)
    facts &= HONOUR_FACTS.get(hand >> Z_SHIFT, 0)
    return 0 if facts & PAIR else facts & FLAGS  # a pair in every suit: four of them, modulo 3 like one


def fifth_facts(hand: int) -> int:
    """`hand_facts` of a hand with five of a kind, which no table holds; 0 for one without. Slow.

    Only a hand that is looked at under `dead_wait: never` comes to it: no such tile exists.
    """
    if not hand >> 2 & hand & ODD:
        return 0
    facts = 0
    for sets in _hands(counts_of(hand)):
        facts |= reduce(and_, map(_flags, sets))
    return facts


def is_pairs(hand: int) -> bool:
    """Whether fourteen tiles are seven pairs: no kind is held an odd number of times. Four alike are two."""
    return not hand & ODD


def decompositions(hand: int) -> list[tuple[Group, ...]]:
    """Every way a hand of 3n+2 tiles is n sets and a pair, each once; empty when there is none. For reports.

    A way is its sets in ascending order and then the pair; the ways ascend too, smallest sets first.

    >>> decompositions(2 * ONE[0] + 3 * ONE[1])
    [((1, 1, 1), (0, 0))]
    """
    return sorted(_hands(counts_of(hand)))


def _hands(counts: list[int]) -> Iterator[tuple[Group, ...]]:
    """Every split into sets and one pair, in no order; ``counts`` comes back as it was."""
    for kind in range(KINDS):
        if counts[kind] >= 2:
            counts[kind] -= 2
            for sets in _splits(counts, ()):
                yield (*sets, (kind, kind))
            counts[kind] += 2


def _splits(counts: list[int], least: Group) -> Iterator[tuple[Group, ...]]:
    """Every split into sets from ``least`` on, in ascending order, which makes each split come once."""
    kind = next((kind for kind in range(KINDS) if counts[kind]), None)
    if kind is None:
        yield ()
        return
    for group in SETS_FROM[kind]:
        if group >= least and all(counts[held] >= group.count(held) for held in group):
            for held in group:
                counts[held] -= 1
            for rest in _splits(counts, group):
                yield (group, *rest)
            for held in group:
                counts[held] += 1
