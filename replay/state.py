"""The table: what every seat holds, and where the hand stands.

Two things are built for speed and nothing else is: the packed hand (one int) and the mask of waits, which is made
anew only when a seat's thirteen tiles change.
"""

from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import Final

from msgspec import Struct

from replay.fans import Meld, Winning
from replay.log import Hand
from replay.prices import Price, pricer_of
from replay.profile import RuleProfile
from replay.tiles import KINDS, ONE, SHIFT, SUIT_OF, SUITED_KINDS, counts_of, packed, parse_tiles, tiles_of
from replay.waits import WAITS, counted

NONE: Final = -1
"""No seat, no tile, no suit: where a number is wanted."""

DEALT = 52
SUITED_TILES = 108


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


class Gang(Struct, eq=False):
    """A gang and its money: ``entries`` are positions in the ledger; ``released`` when they were paid on or back.

    ``feeder`` is the seat whose discard a direct gang took; ``fresh`` tells whether an added tile was just drawn.
    """

    at: int
    seat: int
    kind: str
    tile: int
    feeder: int | None = None
    fresh: bool = True
    entries: tuple[int, ...] = ()
    released: bool = False


class Win(Struct, eq=False):
    """A hu as the table saw it: ``source`` is the discarder or the robbed seat, None for a self-draw.

    ``gangs`` are those that the winning discard followed; ``hand`` (packed) and ``melds`` what was won with;
    ``window`` the action that laid the tile down (hu's on one tile share it).
    """

    seat: int
    at: int
    tile: int
    source: int | None
    how: tuple[str, ...]
    price: Price
    robbed: bool
    gangs: tuple[Gang, ...]
    hand: int
    melds: tuple[Meld, ...]
    window: int
    illegal: bool = False


class Bar(Struct, eq=False):
    """过水: the dearest hu that a seat passed since its last draw, and the actions that show it."""

    price: int
    tiles: tuple[int, ...]
    because: tuple[int, ...]
    inferred: bool
    drawn: bool = False


class Seat:
    """One seat: its concealed tiles as a packed ``hand``, melds, discards, and its waits (a mask).

    ``void_tiles`` are the bits of its void suit in a packed hand.
    """

    __slots__ = (
        "bar",
        "discards",
        "hand",
        "hu_at",
        "meld_suits",
        "melds",
        "number",
        "penged",
        "void",
        "void_at",
        "void_tiles",
        "waits",
    )

    def __init__(self, number: int, hand: int) -> None:
        self.number = number
        self.hand = hand
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
        if meld.kind == "peng":
            self.penged[meld.tile] = meld

    def tiles(self) -> list[int]:
        """The concealed tiles, sorted."""
        return tiles_of(self.hand)

    def winning(self, zi_mo: bool, how: Sequence[str]) -> Winning:
        """The hand as it stands (its fourteenth tile taken), to be priced."""
        return Winning(self.hand, self.melds, zi_mo, how)


class Table:
    """A hand in progress. Seats are numbered 0-3, actions from 0; ``left`` counts the tiles still to be drawn.

    ``drawer`` and ``discarder`` are the seat that draws or discards next (or NONE); ``last``, ``last_at`` and
    ``last_from`` the tile that lies to be claimed; ``offers`` the seats that may hu it; ``chain`` the gangs of
    this turn, ``pao`` those that the last discard followed; ``added`` a gang that may still be robbed.
    """

    __slots__ = (
        "added",
        "alert",
        "always_alert",
        "any_waits",
        "begun",
        "calm",
        "chain",
        "dealer",
        "discarder",
        "drawer",
        "drawn",
        "drawn_at",
        "end",
        "ends",
        "fresh",
        "gangs",
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
        "rules",
        "seats",
        "seen",
        "takers",
        "turn",
        "undeclared",
        "waits_of",
        "wall",
        "watched",
        "window",
        "wins",
    )

    def __init__(
        self, rules: RuleProfile, hand: Hand, records: Collection[str], lacks: Collection[str]
    ) -> None:
        self.rules = rules
        self.pricer = pricer_of(rules)
        self.waits_of = WAITS[rules.void]
        self.lacks = lacks
        self.records_pass = "pass" in records
        self.seats = [Seat(number, packed(tiles)) for number, tiles in enumerate(hand.deal)]
        self.seen = counts_of(sum([seat.hand for seat in self.seats]))
        if rules.tiles == SUITED_TILES:
            # No honour exists: the first one drawn is one too many.
            self.seen[SUITED_KINDS:] = [4] * (KINDS - SUITED_KINDS)
        self.wall: list[int] | None = parse_tiles(hand.wall)[::-1] if hand.wall else None
        self.left = rules.tiles - DEALT
        # Where it is not known what ends the hand, it may go on as long as any rule set lets it.
        self.ends = "three_hu" if "ends" in lacks else rules.ends
        self.dealer: int = hand.dealer
        self.phase = Phase.OPENING
        self.turn = self.drawer = self.dealer
        self.discarder = NONE
        self.next_of = [1, 2, 3, 0]
        self.index = 0
        self.begun = self.opened = self.irregular = False
        self.undeclared = 4 if rules.void == "declared" else 0
        self.calm = True
        self.fresh = False
        self.drawn = self.drawn_at = self.last = self.last_at = self.last_from = NONE
        self.chain: tuple[Gang, ...] = ()
        self.pao: tuple[Gang, ...] = ()
        self.added: Gang | None = None
        self.gangs: list[Gang] = []
        self.wins: list[Win] = []
        self.takers: list[int] = []
        self.offers: tuple[int, ...] = ()
        self.passes: dict[tuple[int, str], int] = {}
        self.window = self.watched = False
        self.always_alert = self.records_pass or rules.guo_shui == "shun_hu"
        self.alert = self.always_alert
        self.end = ""
        self.any_waits = 0
        for seat in self.seats:
            seat.waits = self.waits_of(rules, seat)
        self.count_waits()

    def in_play(self) -> list[Seat]:
        """The seats that have not hu'd, in order of their number."""
        return [seat for seat in self.seats if seat.hu_at is None]

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

    def may_end(self) -> bool:
        """Whether the hand is over, or would be if nobody claims the tile that lies there."""
        return bool(self.end) or (not self.left and self.phase in END_PHASES)
