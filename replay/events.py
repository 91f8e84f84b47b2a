"""What happens at a table and has money or the hand's end hanging on it: a gang, a hu, a flight."""

from msgspec import Struct

from replay.fans import Meld
from replay.prices import Price


class Gang(Struct, eq=False):
    """A gang and its money: ``entries`` are positions in the ledger; ``released`` when they were paid on or back.

    ``feeder`` is the seat whose discard a direct gang took; ``fresh`` tells whether an added tile was just drawn,
    ``waited`` whether the seat was ready before it.
    """

    at: int
    seat: int
    kind: str
    tile: int
    feeder: int | None = None
    fresh: bool = True
    waited: bool = False
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


class Flight(Struct, frozen=True):
    """逃跑: who left, at which action, and whether it had hu'd before."""

    seat: int
    at: int
    winner: bool


Event = Gang | Win | Flight | None
"""What a move comes to, for the settlement."""
