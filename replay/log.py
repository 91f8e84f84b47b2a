"""The action log, `xuezhan-log/1`, as typed records: what the engine reads.

The schema says what a log is; these classes say the same for speed and for the reader, and a test holds the two
together. Keys of one's own (``x_``) are not kept. What a log leaves out is None.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from replay.limits import LARGEST_INTEGER
from replay.tiles import TILES

SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Tile: TypeAlias = Literal[tuple(TILES)]  # type: ignore[valid-type]
Suit: TypeAlias = Literal["m", "p", "s"]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]
Integer: TypeAlias = Annotated[int, Meta(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
FourIntegers: TypeAlias = Annotated[list[Integer], Meta(min_length=4, max_length=4)]
Dice: TypeAlias = Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(min_length=2, max_length=2)]
Label: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Fact: TypeAlias = Literal["void", "swap", "dealer", "gang_kind", "rob", "pass", "ends", "options"]


class Record(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An object of the log."""


# Actions ---------------------------------------------------------------------------------------------


class Action(Record, tag_field="type", gc=False, kw_only=True):
    """An action: who did it, when in milliseconds since the hand began, and whether player, clock or server."""

    type: ClassVar[str]
    seat: SeatNumber
    ms: Count | None = None
    by: Literal["player", "timeout", "auto"] | None = None


class TileAction(Action, kw_only=True):
    """An action with a tile."""

    tile: Tile


class Draw(TileAction, tag="draw", kw_only=True):
    """A tile drawn from the head of the wall, or after a gang from where the rule set says."""

    type: ClassVar[str] = "draw"


class Discard(TileAction, tag="discard", kw_only=True):
    """A tile laid down."""

    type: ClassVar[str] = "discard"


class Peng(TileAction, tag="peng", kw_only=True):
    """The discard just made, claimed; ``wild`` of the set's tiles are 听用."""

    type: ClassVar[str] = "peng"
    wild: Literal[0, 1, 2] | None = None


class Gang(TileAction, tag="gang", kw_only=True):
    """A gang: 直杠, 补杠 or 暗杠."""

    type: ClassVar[str] = "gang"
    kind: Literal["zhi", "bu", "an"]


class Hu(TileAction, tag="hu", kw_only=True):
    """A hu; without ``source`` (the discarder or the robbed seat) it is self-drawn."""

    type: ClassVar[str] = "hu"
    source: SeatNumber | None = field(default=None, name="from")


class Pass(Action, tag="pass", kw_only=True):
    """An offered claim, declined."""

    type: ClassVar[str] = "pass"
    declined: Annotated[list[Literal["hu", "peng", "gang"]], Meta(min_length=1, max_length=3)]


class Void(Action, tag="void", kw_only=True):
    """定缺."""

    type: ClassVar[str] = "void"
    suit: Suit


class Swap(Action, tag="swap", kw_only=True):
    """换三张: what the seat gives."""

    type: ClassVar[str] = "swap"
    tiles: Annotated[list[Tile], Meta(min_length=3, max_length=3)]


class Replace(TileAction, tag="replace", kw_only=True):
    """The real tile takes the place of a 听用 in the seat's own exposed meld."""

    type: ClassVar[str] = "replace"
    meld: Tile


class Piao(Action, tag="piao", kw_only=True):
    """飘."""

    type: ClassVar[str] = "piao"


class Ting(Action, tag="ting", kw_only=True):
    """The seat declares that it is ready."""

    type: ClassVar[str] = "ting"


class Flee(Action, tag="flee", kw_only=True):
    """逃跑."""

    type: ClassVar[str] = "flee"


AnyAction: TypeAlias = Draw | Discard | Pass | Peng | Gang | Hu | Void | Swap | Replace | Piao | Ting | Flee


# What a platform claims ------------------------------------------------------------------------------


class ClaimedEntry(Record, kw_only=True):
    """A payment as claimed: ``source`` pays ``target`` (None: the bank)."""

    kind: Literal[
        "hu",
        "gang",
        "transfer",
        "refund",
        "penalty",
        "hua_zhu",
        "da_jiao",
        "flee",
        "xiang_gong",
        "forfeit",
        "rake",
    ]
    source: SeatNumber = field(name="from")
    target: SeatNumber | None = field(name="to")
    amount: Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
    at: Count | UnsetType | None = UNSET


class ClaimedWin(Record, kw_only=True):
    """A hu as claimed."""

    seat: SeatNumber
    at: Count | None = None
    fan: Count | None = None
    price: Count | None = None
    shapes: (
        Annotated[
            list[Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[0-9a-z_]+\Z")]],
            Meta(max_length=32),
        ]
        | None
    ) = None


class ClaimedHand(Record, kw_only=True):
    """What the platform says of a hand."""

    scores: FourIntegers | None = None
    ledger: Annotated[list[ClaimedEntry], Meta(max_length=1000)] | None = None
    wins: Annotated[list[ClaimedWin], Meta(max_length=500)] | None = None


class ClaimedSitting(Record, kw_only=True):
    """What the platform says of the sitting."""

    totals: FourIntegers | None = None
    coins: FourIntegers | None = None


# Hands and the sitting -------------------------------------------------------------------------------


class Exchange(Record, kw_only=True):
    """How 换三张 went round."""

    direction: Literal["next", "previous", "opposite"]
    dice: Dice | None = None


class Hand(Record, kw_only=True):
    """A hand: thirteen tiles a seat and the wall as tile strings, then what happened."""

    dealer: SeatNumber
    deal: Annotated[
        list[Annotated[str, Meta(min_length=26, max_length=26)]], Meta(min_length=4, max_length=4)
    ]
    wall: Annotated[str, Meta(min_length=2, max_length=168)] | None = None
    swap: Exchange | None = None
    indicator: Tile | None = None
    holdings: FourIntegers | None = None
    dice: Dice | None = None
    actions: Annotated[list[AnyAction], Meta(max_length=2000)]
    claimed: ClaimedHand | None = None
    fairness: dict[str, Any] | None = None


class Source(Record, kw_only=True):
    """Where the log comes from."""

    platform: Label | None = None
    room: Label | None = None
    exporter: Label | None = None
    exported_at: Label | None = None


class Rules(Record, kw_only=True):
    """The rule set that was played."""

    profile: Label
    options: dict[str, Any] | None = None
    digest: Annotated[str, Meta(pattern=r"\Asha256:[0-9a-f]{64}\Z")] | None = None


class Player(Record, kw_only=True):
    """A player; the name is only shown."""

    id: Label
    name: Annotated[str, Meta(max_length=64)]


class Log(Record, kw_only=True):
    """A sitting of four seats: its rules, players and hands."""

    format: Literal["xuezhan-log/1"]
    id: Annotated[str, Meta(min_length=1, max_length=128)]
    source: Source | None = None
    played_at: str | None = None
    rules: Rules
    records: Annotated[list[Literal["pass", "wall", "time"]], Meta(max_length=3)] | None = None
    lacks: Annotated[list[Fact], Meta(max_length=8)] | None = None
    players: Annotated[list[Player], Meta(min_length=4, max_length=4)]
    hands: Annotated[list[Hand], Meta(min_length=1, max_length=10000)]
    claimed: ClaimedSitting | None = None


decode = msgspec.json.Decoder(Log).decode
encode = msgspec.json.Encoder().encode


def log_of(document: Any) -> Log:
    """The log that a decoded document is; keys of its own are left out. Raises ``msgspec.ValidationError``."""
    return msgspec.convert(without_own_keys(document), Log)


def hand_of(document: Any) -> Hand:
    """The same for one hand."""
    return msgspec.convert(without_own_keys(document), Hand)


def without_own_keys(value: Any) -> Any:
    """A copy of a JSON value without the keys that begin with ``x_``; options are names, whatever they begin with."""
    if isinstance(value, dict):
        return {
            key: item if key == "options" else without_own_keys(item)
            for key, item in value.items()
            if not key.startswith("x_")
        }
    if isinstance(value, list):
        return [without_own_keys(item) for item in value]
    return value
