"""Tiles: names, numbers and suits.

A tile is written in two characters, rank then suit: ``1m``-``9m`` 万, ``1p``-``9p`` 筒, ``1s``-``9s`` 条,
``1z``-``4z`` winds E S W N, ``5z``-``7z`` 中 发 白. Inside the engine a *kind* is its number in `TILES`, 0-33.
A *tile string* is tiles written one after another.
"""

from collections.abc import Callable, Iterable
from functools import cache
from operator import add
from struct import Struct

SUITS = "mpsz"

TILES: tuple[str, ...] = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple(
    f"{rank}z" for rank in range(1, 8)
)
"""The 34 kinds in order: nine 万, nine 筒, nine 条, seven honours."""

KINDS = len(TILES)
SUITED_KINDS = 27

INDEX: dict[str, int] = {name: kind for kind, name in enumerate(TILES)}
"""Kind of each tile name."""

SUIT_OF: tuple[int, ...] = tuple(SUITS.index(name[1]) for name in TILES)
"""Suit of each kind: 0 万, 1 筒, 2 条, 3 honours."""

RANK_OF: tuple[int, ...] = tuple(int(name[0]) - 1 for name in TILES)
"""Rank of each kind, counted from 0."""

BIT: tuple[int, ...] = tuple(1 << kind for kind in range(KINDS))
"""The bit of each kind in a mask of kinds."""

SUIT_MASK: tuple[int, ...] = tuple(
    sum(BIT[kind] for kind in range(KINDS) if SUIT_OF[kind] == suit) for suit in range(len(SUITS))
)
"""All kinds of each suit as one mask."""

DIGIT = 3
SHIFT: tuple[int, ...] = tuple(DIGIT * kind for kind in range(KINDS))
"""Where the count of each kind stands in a packed hand."""

ONE: tuple[int, ...] = tuple(1 << shift for shift in SHIFT)
"""One tile of each kind as a packed hand: a hand is the sum of its tiles, three bits a kind."""

SUIT_FIELD: tuple[int, ...] = tuple(
    sum(ONE[kind] for kind in range(KINDS) if SUIT_OF[kind] == suit) * 7 for suit in range(len(SUITS))
)
"""The bits of each suit in a packed hand."""

ALL_OF: tuple[int, ...] = tuple(7 * one for one in ONE)
"""The bits of each kind in a packed hand."""

FOURS = sum(ONE) * 4
"""The bits that are set where a packed hand holds all four of a kind."""


_DIGITS = bytes(max(code - ord("0"), 0) & 7 for code in range(256))


def counts_of(hand: int) -> list[int]:
    """How many of each of the 34 kinds a packed hand holds.

    >>> counts_of(ONE[0] + ONE[0] + ONE[26])[:3]
    [2, 0, 0]
    """
    # Three bits a kind are an octal digit a kind, the first kind last.
    return list(f"{hand:0{KINDS}o}"[::-1].encode().translate(_DIGITS))


def tiles_of(hand: int) -> list[int]:
    """The tiles of a packed hand, sorted."""
    return [kind for kind, count in enumerate(counts_of(hand)) for _ in range(count)]


_NO_TILE = 100
_RANKS = bytes(int(chr(code)) - 1 if chr(code) in "123456789" else _NO_TILE for code in range(256))
_SUITS = bytes(9 * SUITS.index(chr(code)) if chr(code) in SUITS else _NO_TILE for code in range(256))


def parse_tiles(text: str) -> list[int]:
    """The kinds of a tile string, in its order.

    Raises ``ValueError`` where two characters are not a tile.

    >>> parse_tiles("1m1m9s")
    [0, 0, 26]
    """
    if len(text) % 2:
        raise ValueError(f"a tile string has two characters a tile, found {len(text)} characters")
    written = text.encode(errors="replace")
    kinds = list(map(add, written[::2].translate(_RANKS), written[1::2].translate(_SUITS)))
    if len(written) != len(text) or max(kinds, default=0) >= KINDS:
        wrong = next(text[at : at + 2] for at in range(0, len(text), 2) if text[at : at + 2] not in INDEX)
        raise ValueError(f"{wrong!r} is not a tile")
    return kinds


@cache
def _in_twos(length: int) -> Callable[[bytes], tuple[int, ...]]:
    """Reads a tile string of so many bytes as numbers, one for every two tiles and one for a last tile alone."""
    return Struct(f"={length // 4}I{length % 4 // 2}H").unpack


_ONE_OR_TWO = {
    _in_twos(len(one + other))((one + other).encode())[0]: ONE[INDEX[one]]
    + (ONE[INDEX[other]] if other else 0)
    for one in TILES
    for other in ("", *TILES)
}
"""The packed sum of one tile, or two, by their number: half as many sums as tile by tile."""


def packed(text: str) -> int:
    """The tiles of a sound tile string as a packed sum, exact as long as there are at most seven of each kind.

    >>> packed("1m1m9s") == 2 * ONE[0] + ONE[26]
    True
    """
    return sum(map(_ONE_OR_TWO.__getitem__, _in_twos(len(text))(text.encode())))


_EVEN_FIELDS = sum(ALL_OF[::2])


def size_of(hand: int) -> int:
    """How many tiles a packed hand holds, up to 62.

    Two kinds share six bits, and modulo 63 those add up.

    >>> size_of(4 * ONE[0] + 3 * ONE[1] + ONE[33])
    8
    """
    return ((hand & _EVEN_FIELDS) + (hand >> DIGIT & _EVEN_FIELDS)) % 63


def at_most_four(total: int, count: int) -> bool:
    """Whether a packed sum of ``count`` tiles, 62 at the most, holds no more than four of any kind.

    A kind that ran over its three bits shows as fewer tiles than were added up.

    >>> at_most_four(4 * ONE[3], 4), at_most_four(5 * ONE[3], 5), at_most_four(9 * ONE[3], 9)
    (True, False, False)
    """
    fours = total & FOURS
    more = fours & (total << 1 | total << 2)
    return not more and size_of(total) == count


WHOLE = {tiles: 4 * sum(ONE[: tiles // 4]) for tiles in (108, 136)}
"""The packed sum of a whole set. So many tiles come to it in one way only: four of each kind."""


def tile_string(kinds: Iterable[int]) -> str:
    """Kinds written as a tile string, in their order.

    >>> tile_string([0, 0, 26])
    '1m1m9s'
    """
    return "".join(TILES[kind] for kind in kinds)


def kinds_in(mask: int) -> list[int]:
    """The kinds whose bits are set in ``mask``, in ascending order.

    >>> kinds_in(0b101)
    [0, 2]
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
