"""A winning hand taken apart: the sets of the reading that was priced, to be shown."""

from collections.abc import Iterable, Sequence

from replay.events import Win
from replay.fans import Meld
from replay.prices import Price
from replay.shapes import decompositions
from replay.tiles import SUIT_OF, TILES, tile_string, tiles_of
from replay.wilds import split


def winning_sets(win: Win) -> list[str]:
    """The sets of a hu."""
    return sets_of(win.price, win.hand, win.melds)


def sets_of(price: Price, hand: int, melds: Iterable[Meld]) -> list[str]:
    """The sets of the reading that was priced, melds first; of several, the smallest sets (rulebook §5).

    ``hand`` is packed and holds the winning tile; 听用 are shown as the tiles that they stand for.
    """
    hand = price.hand or hand
    exposed = [TILES[meld.tile] * (3 if meld.kind == "peng" else 4) for meld in melds]
    if price.pairs:
        return [TILES[kind] * 2 for kind in tiles_of(hand)[::2]]
    for sets in decompositions(hand):
        if (not price.triplets or all_alike(sets)) and (not price.edges or all_edged(sets)):
            return exposed + [tile_string(kinds) for kinds in sets]
    return exposed


def stand_ins(price: Price, hand: int, wild: int) -> list[str]:
    """The tiles that the 听用 of a priced hand stand for; none where it holds no 听用."""
    if not price.hand or wild < 0:
        return []
    return [TILES[kind] for kind in tiles_of(price.hand - split(hand, wild)[0])]


def all_alike(sets: Iterable[Sequence[int]]) -> bool:
    """Whether there is no run among the sets."""
    return all(kinds[0] == kinds[-1] for kinds in sets)


def all_edged(sets: Iterable[Sequence[int]]) -> bool:
    """Whether every set holds a 1 or a 9."""
    return all(
        SUIT_OF[kind] < 3 and any(TILES[k][0] in "19" for k in kinds) for kinds in sets for kind in kinds[:1]
    )
