"""Tiles and melds as people type them on a command line."""

import re
from collections.abc import Iterable

from replay.tiles import INDEX

_GROUP = re.compile(r"([1-9]+)([mpsz])")
_CHARACTERS = str.maketrans("万萬筒饼餅条條索", "mmpppsss")
_GAPS = re.compile(r"[\s,]+")


def tile_string(text: str) -> str:
    """The tile string of tiles typed one by one or by suit; text that is neither comes back as it is.

    >>> tile_string("123m 45p"), tile_string("1m2m3m4p5p"), tile_string("11万5筒"), tile_string("12x")
    ('1m2m3m4p5p', '1m2m3m4p5p', '1m1m5p', '12x')
    """
    typed = _GAPS.sub("", text).translate(_CHARACTERS)
    groups = _GROUP.findall(typed)
    if "".join(ranks + suit for ranks, suit in groups) != typed:
        return text
    return "".join(rank + suit for ranks, suit in groups for rank in ranks)


def meld(text: str) -> tuple[str, str]:
    """Kind and tile of a meld such as ``peng:3m``; the tile may be written out, ``an:5555p``.

    >>> meld("peng:3m"), meld("an:5555p"), meld("peng")
    (('peng', '3m'), ('an', '5p'), ('peng', ''))
    """
    kind, _, tiles = text.partition(":")
    names = tile_string(tiles)
    alike = {names[at : at + 2] for at in range(0, len(names), 2)}
    return kind.strip(), names[:2] if len(alike) == 1 and alike <= INDEX.keys() else tiles


def with_winning_tile(hand: str, win: str, melds: Iterable[object]) -> str:
    """The concealed tiles with the winning one: added where the hand is one tile short of complete."""
    missing = 14 - 3 * sum(1 for _ in melds) - len(hand) // 2
    return hand + win if missing == 1 else hand
