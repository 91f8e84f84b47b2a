"""What a step shows: the table written down for people, in records that are plain JSON values once written out."""

from typing import Any

import msgspec
from msgspec import Struct


class Claim(Struct, frozen=True):
    """Who took a discard, and how: hu, peng or gang."""

    seat: int
    by: str
    at: int


class Discarded(Struct, frozen=True):
    """A discard: the action that laid it down, whether it was the tile just drawn, and who took it (a ghost then)."""

    tile: str
    at: int
    fresh: bool
    claims: tuple[Claim, ...] = ()


class MeldShown(Struct, frozen=True):
    """A meld: from which seat and which discard it took a tile; ``adding`` while its fourth tile may be robbed.

    ``wild`` of its tiles are 听用.
    """

    kind: str
    tile: str
    at: int | None
    source: int | None
    source_at: int | None
    adding: bool = False
    wild: int = 0


class WinShown(Struct, frozen=True):
    """A hu: the how-manieth of the hand, on which tile, from whom, and the action that laid the tile down."""

    order: int
    at: int
    tile: str
    source: int | None
    source_at: int | None
    robbed: bool
    illegal: bool
    fan: int
    price: int
    facts: dict[str, Any]


class BarShown(Struct, frozen=True):
    """过水: the dearest price passed and the most fan, on which tiles, because of which actions.

    ``until`` is ``draw`` or ``discard``, the seat's own next one; ``dearer`` tells whether a dearer hu goes
    through; ``waived`` whether so few tiles are left that it no longer bars.
    """

    price: int
    fan: int
    tiles: tuple[str, ...]
    because: tuple[int, ...]
    inferred: bool
    until: str
    dearer: bool
    waived: bool


class Offer(Struct, frozen=True):
    """What a seat may do: own_hu and own_gang in its own turn, else as the action is called.

    ``state`` is ``open``, ``must`` (最后几张必胡), ``passed`` (it declined) or ``barred`` (过水). ``kind`` is a
    gang's. A discard with a ``tile`` may be of no other. ``fan`` is what a hu would be worth.
    """

    what: str
    tile: str | None = None
    kind: str | None = None
    state: str = "open"
    fan: int | None = None


class SeatShown(Struct, frozen=True):
    """A seat: its concealed tiles sorted, with the tile just drawn and the winning tiles apart, and all it has out.

    ``wins`` are its hu's, more than one where a winner plays on; it is ``locked`` then. ``gave`` and ``received``
    are its tiles of 换三张 until the first draw, ``received`` () before all have given. ``piao``, ``ting`` and
    ``fled``: it raised its stake, said that it is ready, left.
    """

    number: int
    hand: tuple[str, ...]
    drawn: str | None
    melds: tuple[MeldShown, ...]
    discards: tuple[Discarded, ...]
    void: str | None
    wins: tuple[WinShown, ...]
    locked: bool
    gave: tuple[str, ...]
    received: tuple[str, ...]
    piao: bool
    ting: bool
    fled: bool
    score: int
    waits: tuple[str, ...]
    bar: BarShown | None
    offers: tuple[Offer, ...]


class Frame(Struct, frozen=True):
    """The table after ``step`` actions; ``action`` is the one that led there.

    ``beyond`` is ``""``, ``unknown`` (the last action could not be played: the seats show the table before it, and
    what follows is not known), ``over`` (the hand had ended before it) or ``aside`` (the hand was set aside, nothing
    is played). ``final`` are the settled scores, at the last step only. ``wall`` are the tiles left, head first,
    where they are recorded. ``dingque``: void suits are declared. ``direction`` is where the tiles of 换三张 go
    (next, previous, opposite), ``indicator`` the tile turned up for 听用 and ``wild`` its kind, where there are such.
    """

    hand: int
    step: int
    last: int
    count: int
    dealer: int
    phase: str
    action: dict[str, Any] | None
    seats: tuple[SeatShown, ...]
    left: int
    wall: tuple[str, ...] | None
    dingque: bool
    direction: str | None
    indicator: str | None
    wild: str | None
    window_open: bool
    forced: bool
    ledger: tuple[dict[str, Any], ...]
    findings: tuple[dict[str, Any], ...]
    previous_finding: int | None
    next_finding: int | None
    beyond: str
    final: tuple[int, ...] | None

    def to_dict(self) -> dict[str, Any]:
        """The frame in plain JSON values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain
