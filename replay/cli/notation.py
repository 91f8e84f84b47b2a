"""Tiles and melds as people type them on a command line."""

import re

from replay.tiles import INDEX

_GROUP = re.compile(r"([1-9]+)([mpsz])")
_CHARACTERS = str.maketrans("万萬筒饼餅条條索", "mmpppsss")
_GAPS = re.compile(r"[\s,]+")


def tile_string(text: str) -> str | None:
    """The tile string of tiles typed one by one or by suit; None for a text that is neither.

    >>> tile_string("123m 45p"), tile_string("1m2m3m4p5p"), tile_string("11万5筒"), tile_string("12x")
    ('1m2m3m4p5p', '1m2m3m4p5p', '1m1m5p', None)
    """
    typed = _GAPS.sub("", text).translate(_CHARACTERS)
    groups = _GROUP.findall(typed)
    names = [rank + suit for ranks, suit in groups for rank in ranks]
    whole = "".join(ranks + suit for ranks, suit in groups) == typed
    return "".join(names) if whole and all(name in INDEX for name in names) else None


def meld(text: str) -> tuple[str, str] | None:
    """Kind and tile of a meld such as ``peng:3m``; the tiles may be written out. None for anything else.

    >>> meld("peng:3m"), meld("an:5555p"), meld("peng"), meld("peng:123m")
    (('peng', '3m'), ('an', '5p'), None, None)
    """
    kind, _, tiles = text.partition(":")
    names = tile_string(tiles)
    if not names or names != names[:2] * (len(names) // 2):
        return None
    return kind.strip(), names[:2]


def with_winning_tile(hand: str, win: str, size: int) -> str:
    """The concealed tiles with the winning one, which is added where the hand is one short of ``size``.

    >>> with_winning_tile("5p", "5p", 2), with_winning_tile("5p5p", "5p", 2)
    ('5p5p', '5p5p')
    """
    return hand + win if len(hand) // 2 == size - 1 else hand
