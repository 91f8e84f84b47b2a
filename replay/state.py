"""The table: what every seat holds, and where the hand stands.

Two things are built for speed and nothing else is: the packed hand (one int) and the mask of waits, which is made
anew only when a seat's thirteen tiles change.
"""

from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import Final

from msgspec import Struct

from replay.events import Flight, Gang, Win
from replay.fans import Meld, Winning
from replay.log import Hand
from replay.prices import pricer_of
from replay.profile import RuleProfile
from replay.tiles import (
    INDEX,
    KINDS,
    ONE,
    SHIFT,
    SUIT_OF,
    SUITED_KINDS,
    counts_of,
    packed,
    parse_tiles,
    tiles_of,
)
from replay.waits import WAITS, WILD_WAITS, counted

NONE: Final = -1
"""No seat, no tile, no suit: where a number is wanted."""

DEALT = 52
SUITED_TILES = 108

SILVER_SHARE = 35
"""The base where it is taken from holdings: this part of what the poorest seat has (000 §4 基础分)."""


class Phase(IntEnum):
    """What the table waits for."""

    OPENING = 0
    """Void suits, until the dealer's first draw."""
    TURN = 1
    """A seat has drawn: it may hu, gang or discard."""
    AFTER_PENG = 2
    """A seat has taken a peng: it must discard (or gang, where the rule set lets it)."""
    CLAIM = 3
    """A discard lies: others may hu, gang or peng it, or the next seat draws."""
    ADDED = 4
    """A fourth tile was added to a peng: others may rob it, or the seat draws its replacement."""
    REPLACEMENT = 5
    """A gang was formed that nobody may rob: the seat draws its replacement."""
    OVER = 6
    """The hand has ended."""


END_PHASES = (Phase.CLAIM, Phase.ADDED, Phase.REPLACEMENT)
"""In these the hand is over once no tile is left to draw."""


class Bar(Struct, eq=False):
    """过水: the dearest hu that a seat passed since its last draw, and the actions that show it."""

    price: int
    fan: int
    tiles: tuple[int, ...]
    because: tuple[int, ...]
    inferred: bool
    drawn: bool = False


class Seat:
    """One seat: its concealed tiles as a packed ``hand``, melds, discards, and its waits (a mask).

    ``void_tiles`` are the bits of its void suit in a packed hand, ``wild`` the kind of 听用 or NONE. ``hu_at`` is the
    hu by which it left the play; where winners play on it stays None, ``locked_at`` is the first hu and ``won`` the
    tiles laid aside. ``lost_wait`` is the gang that made it 相公.
    """

    __slots__ = (
        "bar",
        "discards",
        "given",
        "hand",
        "hu_at",
        "locked_at",
        "lost_wait",
        "meld_suits",
        "melds",
        "number",
        "penged",
        "piao_at",
        "void",
        "void_at",
        "void_tiles",
        "waits",
        "wild",
        "won",
    )

    def __init__(self, number: int, hand: int, wild: int = NONE) -> None:
        self.number = number
        self.hand = hand
        self.wild = wild
        self.melds: list[Meld] = []
        self.meld_suits = 0
        self.penged: dict[int, Meld] = {}
        self.discards: list[int] = []
        self.void = NONE
        self.void_at: int | None = None
        self.void_tiles = 0
        self.waits = 0
        self.bar: Bar | None = None
        self.hu_at: int | None = None
        self.locked_at: int | None = None
        self.won: list[int] = []
        self.given: tuple[int, ...] = ()
        self.piao_at: int | None = None
        self.lost_wait: int | None = None

    def take(self, kind: int, count: int = 1) -> None:
        """Put ``count`` tiles of a kind into the concealed hand (negative: take them out)."""
        self.hand += count * ONE[kind]

    def held(self, kind: int) -> int:
        """How many of a kind the concealed hand holds."""
        return self.hand >> SHIFT[kind] & 7

    def expose(self, meld: Meld) -> None:
        """Lay a meld down."""
        self.melds.append(meld)
        self.meld_suits |= 1 << SUIT_OF[meld.tile]
        if meld.kind == "peng" and not meld.wild:
            self.penged[meld.tile] = meld

    def has_won(self) -> bool:
        """Whether the seat has hu'd, and is out of play or plays on."""
        return self.hu_at is not None or self.locked_at is not None

    def wild_peng(self, kind: int) -> Meld | None:
        """The peng of a kind in which a 听用 stands, if there is one."""
        return next((meld for meld in self.melds if meld.tile == kind and meld.wild), None)

    def tiles(self) -> list[int]:
        """The concealed tiles, sorted."""
        return tiles_of(self.hand)

    def winning(self, zi_mo: bool, how: Sequence[str]) -> Winning:
        """The hand as it stands (its fourteenth tile taken), to be priced."""
        return Winning(self.hand, self.melds, zi_mo, how, self.wild, self.void)


def base_of(rules: RuleProfile, hand: Hand) -> int:
    """The points of one unit of price in this hand.

    Where it is a share of the poorest seat's silver and the log states no holdings, it is 1.
    """
    if isinstance(rules.base, int):
        return rules.base
    return max(min(hand.holdings), 0) // SILVER_SHARE if hand.holdings else 1


def indicator_of(hand: Hand) -> int | None:
    """The tile turned up for 听用: the last of the wall, or as the log states it; None where it has neither."""
    if hand.wall:
        return INDEX[hand.wall[-2:]]
    return INDEX[hand.indicator] if hand.indicator else None


def next_rank(kind: int) -> int:
    """The kind after this one in its suit, the first after the last."""
    start, size = 9 * SUIT_OF[kind], 9 if kind < SUITED_KINDS else KINDS - SUITED_KINDS
    return start + (kind - start + 1) % size


class Table:
    """A hand in progress. Seats are numbered 0-3, actions from 0; ``left`` counts the tiles still to be drawn.

    ``drawer`` and ``discarder`` are the seat that draws or discards next (or NONE); ``last``, ``last_at`` and
    ``last_from`` the tile that lies to be claimed; ``offers`` the seats that may hu it; ``chain`` the gangs of
    this turn, ``pao`` those that the last discard followed; ``added`` a gang that may still be robbed, ``unpaid``
    one that is paid at the next draw, ``replaced`` a draw (its action and tile) that has gone to a meld for a 听用.
    ``base`` are the points of one unit of price, ``wild`` the kind of 听用 or NONE, ``breaches`` the seats that
    discarded another suit before their void one, ``holdings`` what each seat has before the hand where a hand ends
    with the last of it.
    """

    __slots__ = (
        "added",
        "alert",
        "always_alert",
        "any_waits",
        "base",
        "begun",
        "breaches",
        "calm",
        "chain",
        "dealer",
        "direction",
        "discarder",
        "drawer",
        "drawn",
        "drawn_at",
        "end",
        "ended_at",
        "ends",
        "flights",
        "fresh",
        "gangs",
        "holdings",
        "index",
        "irregular",
        "lacks",
        "last",
        "last_at",
        "last_from",
        "left",
        "next_of",
        "offers",
        "opened",
        "pao",
        "passes",
        "phase",
        "pricer",
        "records_pass",
        "replaced",
        "rules",
        "seats",
        "seen",
        "takers",
        "turn",
        "undeclared",
        "unpaid",
        "waits_of",
        "wall",
        "watched",
        "wild",
        "window",
        "wins",
    )

    def __init__(
        self, rules: RuleProfile, hand: Hand, records: Collection[str], lacks: Collection[str]
    ) -> None:
        self.rules = rules
        self.base = base_of(rules, hand)
        self.pricer = pricer_of(rules, self.base)
        self.wall: list[int] | None = parse_tiles(hand.wall)[::-1] if hand.wall else None
        self.left = rules.tiles - DEALT
        self.wild = NONE
        self.lacks = lacks
        self.records_pass = "pass" in records
        self.seats = [Seat(number, packed(tiles)) for number, tiles in enumerate(hand.deal)]
        self.seen = counts_of(sum([seat.hand for seat in self.seats]))
        if rules.ting_yong != "none":
            self.turn_indicator(hand)
        self.waits_of = (WAITS if self.wild < 0 else WILD_WAITS)[rules.void]
        if rules.tiles == SUITED_TILES:
            # No honour exists: the first one drawn is one too many.
            self.seen[SUITED_KINDS:] = [4] * (KINDS - SUITED_KINDS)
        # Where it is not known what ends the hand, it may go on as long as any such game does.
        self.ends = "three_hu" if "ends" in lacks and rules.ends == "first_hu" else rules.ends
        self.holdings = hand.holdings if rules.ends_on_bust else None
        self.dealer: int = hand.dealer
        self.direction = hand.swap.direction if hand.swap else ""
        self.phase = Phase.OPENING
        self.turn = self.drawer = self.dealer
        self.discarder = NONE
        self.next_of = [1, 2, 3, 0]
        self.index = 0
        self.begun = self.opened = self.irregular = False
        # Void suits and swaps that are still to come before play may be quiet.
        self.undeclared = 4 * ((rules.void == "declared") + (rules.swap != "none" and "swap" not in lacks))
        self.calm = True
        self.fresh = False
        self.drawn = self.drawn_at = self.last = self.last_at = self.last_from = NONE
        self.chain: tuple[Gang, ...] = ()
        self.pao: tuple[Gang, ...] = ()
        self.added: Gang | None = None
        self.unpaid: Gang | None = None
        self.replaced: tuple[int, int] | None = None
        self.gangs: list[Gang] = []
        self.flights: list[Flight] = []
        self.breaches: set[int] = set()
        self.wins: list[Win] = []
        self.takers: list[int] = []
        self.offers: tuple[int, ...] = ()
        self.passes: dict[tuple[int, str], int] = {}
        self.window = self.watched = False
        self.always_alert = self.records_pass or rules.guo_shui == "shun_hu"
        self.alert = self.always_alert
        self.end = ""
        self.ended_at: int | None = None
        self.any_waits = 0
        for seat in self.seats:
            seat.waits = self.waits_of(rules, seat)
        self.count_waits()

    def turn_indicator(self, hand: Hand) -> None:
        """听用: the last tile of the wall is turned up and never drawn, the rank after it is wild (001 特殊规则 1)."""
        self.left -= 1
        indicator = indicator_of(hand)
        if indicator is None:
            return
        if self.wall:
            del self.wall[0]
        self.seen[indicator] += 1
        self.wild = next_rank(indicator)
        for seat in self.seats:
            seat.wild = self.wild

    def in_play(self) -> list[Seat]:
        """The seats that have not hu'd, in order of their number."""
        return [seat for seat in self.seats if seat.hu_at is None]

    def others_in_play(self, number: int) -> list[int]:
        """The seats in play beside this one."""
        return [seat.number for seat in self.seats if seat.hu_at is None and seat.number != number]

    def refresh(self, seat: Seat) -> None:
        """Work the seat's waits out anew, without the tile it has just drawn."""
        drawn = self.drawn if self.discarder == seat.number else NONE
        if drawn >= 0:
            seat.take(drawn, -1)
        waits = self.waits_of(self.rules, seat)
        if drawn >= 0:
            seat.take(drawn)
        if waits != seat.waits:
            seat.waits = waits
            self.count_waits()

    def lose_order(self) -> None:
        """The turn was taken out of order: from here on a seat waits only while it holds thirteen tiles."""
        self.irregular = True
        self.waits_of = counted
        if self.discarder >= 0:
            left_alone = self.seats[self.discarder]
            left_alone.waits = counted(self.rules, left_alone)
            self.count_waits()

    def count_waits(self) -> None:
        """Know which kinds anybody waits for."""
        a, b, c, d = self.seats
        self.any_waits = a.waits | b.waits | c.waits | d.waits

    def end_with(self, reason: str) -> None:
        """The hand ends with the action that is being applied."""
        self.end, self.ended_at = reason, self.index
        self.drawer = self.discarder = NONE

    def may_end(self) -> bool:
        """Whether the hand is over, or would be if nobody claims the tile that lies there."""
        return bool(self.end) or (not self.left and self.phase in END_PHASES)
