"""Which tiles a seat could win on: the shapes first, then the rule set's word about suits.

A hand is given as any holder of a packed `hand`, `melds`, `meld_suits` (a bit a suit), `void` and `wild` (the kind of
听用, -1 for none): a seat of the table is one. Where a hand of the table has 听用, `WILD_WAITS` takes the place of
`WAITS`, which knows none.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from replay.fans import Meld, suits_in, taken_by
from replay.profile import RuleProfile
from replay.shapes import fifth_waits, pair_waits, set_waits
from replay.tiles import ALL_OF, BIT, KINDS, SHIFT, SUIT_FIELD, SUIT_MASK, kinds_in, size_of
from replay.wilds import SUIT_CHOICES, fifth_wild_waits, wild_waits

ALL_SUITS = 7
CHARACTERS, DOTS, BAMBOOS, _ = SUIT_FIELD


class Held(Protocol):
    """What a seat holds, as far as its waits depend on it."""

    hand: int
    melds: list[Meld]
    meld_suits: int
    void: int
    wild: int


def suits_of(hand: Held) -> int:
    """The suits of concealed tiles and melds, a bit each; honours are no suit."""
    tiles = hand.hand
    held = (1 if tiles & CHARACTERS else 0) + (2 if tiles & DOTS else 0) + (4 if tiles & BAMBOOS else 0)
    return held | hand.meld_suits & ALL_SUITS


def complete_with(rules: RuleProfile, hand: Held) -> int:
    """The kinds that complete 3n+1 tiles to a winning shape, the suit rule not asked."""
    kinds = set_waits(hand.hand)
    if not hand.melds and rules.seven_pairs:
        kinds |= pair_waits(hand.hand)
    return kinds


def two_suits(rules: RuleProfile, hand: Held) -> int:
    """缺一门 at the win: hand, melds and the tile won on hold at most two suits (000 §1.6)."""
    suits = suits_of(hand)
    return complete_with(rules, hand) & TWO_SUITS[suits] if suits != ALL_SUITS else 0


def declared_suit(rules: RuleProfile, hand: Held) -> int:
    """定缺: no tile of the declared suit in hand, melds or the tile won on (000 §1.7).

    A seat that never declared is judged by its suits (rulebook §6.4).
    """
    void = hand.void
    if void < 0:
        return two_suits(rules, hand)
    packed = hand.hand
    if packed & SUIT_FIELD[void] or hand.meld_suits >> void & 1:
        return 0
    kinds = set_waits(packed)
    if not hand.melds and rules.seven_pairs:
        kinds |= pair_waits(packed)
    return kinds & NOT_SUIT[void]


NOT_SUIT = tuple(~SUIT_MASK[suit] for suit in range(3))


def _leaving_two(suits: int) -> int:
    held = [suit for suit in range(3) if suits >> suit & 1]
    if len(held) == 3:
        return 0
    if len(held) == 2:
        return SUIT_MASK[held[0]] | SUIT_MASK[held[1]] | SUIT_MASK[3]
    return (1 << KINDS) - 1


TWO_SUITS = tuple(_leaving_two(suits) for suits in range(8))
"""By the suits held: the kinds that leave the hand with at most two."""

WAITS: dict[str, Callable[[RuleProfile, Held], int]] = {
    "declared": declared_suit,
    "at_hu": two_suits,
    "none": complete_with,
}


# 听用 ------------------------------------------------------------------------------------------------


def real_tiles(hand: Held) -> int:
    """The concealed tiles that are no wildcards, packed; a wildcard has no suit (rulebook §6.4)."""
    return hand.hand & ~ALL_OF[hand.wild] if hand.wild >= 0 else hand.hand


def real_suits(hand: Held) -> int:
    """`suits_of` the tiles that are no wildcards, and of the melds."""
    return suits_in(real_tiles(hand)) | hand.meld_suits & ALL_SUITS


WildWaits = Callable[[int, int, int, int, bool], int]


def any_suits(rules: RuleProfile, hand: Held, waits_of: WildWaits) -> int:
    """The waits of a hand with wildcards, under any choice of suits that the suit rule leaves it."""
    taken, pairs = taken_by(hand.melds), rules.seven_pairs and not hand.melds
    kinds = 0
    for suits in SUIT_CHOICES[rules.void](real_suits(hand), hand.void):
        kinds |= waits_of(hand.hand, taken, hand.wild, suits, pairs)
    return kinds


def waits_with_wilds(rules: RuleProfile, hand: Held) -> int:
    """The kinds that a hand wins on, whatever its wildcards and the one it may win on stand for (rulebook §6.5)."""
    if hand.wild < 0:
        return WAITS[rules.void](rules, hand)
    # Without a wildcard in hand, one can be won on only where the tile that it stands for can.
    if not hand.hand & ALL_OF[hand.wild] and not WAITS[rules.void](rules, hand):
        return 0
    return any_suits(rules, hand, wild_waits)


WILD_WAITS = dict.fromkeys(WAITS, waits_with_wilds)
"""As `WAITS`, for a hand of the table that has 听用 (one without is answered as well, a little later)."""


def is_thirteen(hand: Held) -> bool:
    """Whether the hand holds as many tiles as it should between turns, melds counted as three."""
    return size_of(hand.hand) + 3 * len(hand.melds) == 13


def counted(rules: RuleProfile, hand: Held) -> int:
    """The waits of a hand that may hold a tile too many or too few, and then has none."""
    return WILD_WAITS[rules.void](rules, hand) if is_thirteen(hand) else 0


# A wait that no tile can meet ------------------------------------------------------------------------

OpenTiles = Callable[[], Sequence[int]]


def never_dead(rules: RuleProfile, hand: Held, open_tiles: OpenTiles) -> int:
    """Every kind that would complete the hand waits, even one whose four copies it holds."""
    if hand.wild >= 0:
        return live_by_hand(rules, hand, open_tiles) | any_suits(rules, hand, fifth_wild_waits)
    fifth = fifth_waits(hand.hand)
    return live_by_hand(rules, hand, open_tiles) | (fifth & suit_allowed(rules, hand) if fifth else 0)


def suit_allowed(rules: RuleProfile, hand: Held) -> int:
    """The kinds that the suit rule lets the hand win on."""
    if rules.void == "none":
        return (1 << KINDS) - 1
    if rules.void == "declared" and hand.void >= 0:
        held = hand.hand & SUIT_FIELD[hand.void] or hand.meld_suits >> hand.void & 1
        return 0 if held else NOT_SUIT[hand.void]
    return TWO_SUITS[suits_of(hand)]


def live_by_hand(rules: RuleProfile, hand: Held, open_tiles: OpenTiles) -> int:
    """A kind whose four copies all stand in the concealed hand is no wait (rulebook §2.6).

    The shape tables hold at most four of a kind, so such a kind is never among the waits.
    """
    return WAITS[rules.void](rules, hand) if hand.wild < 0 else waits_with_wilds(rules, hand)


def live_by_own(rules: RuleProfile, hand: Held, open_tiles: OpenTiles) -> int:
    """Copies in the seat's own melds exhaust a wait too."""
    kinds = waits_with_wilds(rules, hand)
    for kind in kinds_in(kinds):
        laid_down = sum([copies_in(meld, kind, hand.wild) for meld in hand.melds])
        if (hand.hand >> SHIFT[kind] & 7) + laid_down >= 4:
            kinds &= ~BIT[kind]
    return kinds


def copies_in(meld: Meld, kind: int, wild: int) -> int:
    """How many tiles of a kind really lie in a meld: a peng may hold 听用, which are of their own kind."""
    real = (3 if meld.kind == "peng" else 4) - meld.wild if meld.tile == kind else 0
    return real + (meld.wild if kind == wild else 0)


def live_by_sight(rules: RuleProfile, hand: Held, open_tiles: OpenTiles) -> int:
    """Copies that lie open anywhere exhaust a wait too."""
    kinds = live_by_own(rules, hand, open_tiles)
    others = open_tiles()
    for kind in range(KINDS):
        if kinds & BIT[kind] and (hand.hand >> SHIFT[kind] & 7) + others[kind] >= 4:
            kinds &= ~BIT[kind]
    return kinds


DEAD_WAIT: dict[str, Callable[[RuleProfile, Held, OpenTiles], int]] = {
    "never": never_dead,
    "own_hand": live_by_hand,
    "own_all": live_by_own,
    "visible": live_by_sight,
}
"""The waits that make a seat ready at a liuju; the third argument counts, when asked, the tiles that lie open by kind."""
