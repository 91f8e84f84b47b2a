"""Raw records, and a plain replay of what became of them: no rule is asked, only who holds which tile."""

import copy
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

from replay.findings import Finding
from replay.importers import Imported, detect
from replay.tiles import TILES

RECORDS = Path(__file__).parent.parent / "records"
SEEDS = (53, 103, 263, 1524, 2199)

Record = dict[str, Any]

_KEPT = {
    seed: json.loads(gzip.decompress((RECORDS / f"salasasa-{seed}.json.gz").read_bytes())) for seed in SEEDS
}


def salasasa(seed: int = 53, *without: str) -> Record:
    """A raw game, the reader's own to change, ``without`` some of its keys."""
    record: Record = copy.deepcopy(_KEPT[seed])
    for key in without:
        del record[key]
    return record


def ticks(record: Record, hand: int = 0) -> list[Any]:
    """The ticks of one hand (counted from 0)."""
    found: list[Any] = record["record"]["game_round"][f"round_index_{hand + 1}"]["action_ticks"]
    return found


def imported(record: object) -> Imported:
    """The record as its importer reads it."""
    entry = detect(record)
    assert entry is not None
    assert isinstance(record, dict)
    result = entry.convert(record)
    assert not [finding for finding in result.findings if finding.params.get("reason") == "importer"]
    return result


def log_of(record: object) -> dict[str, Any]:
    """The log it became."""
    log = imported(record).log
    assert log is not None
    return log


def found(record: object, code: str) -> list[Finding]:
    """The findings of one code."""
    return [finding for finding in imported(record).findings if finding.code == code]


def split(tiles: str) -> list[str]:
    """The tiles of a tile string."""
    return [tiles[at : at + 2] for at in range(0, len(tiles), 2)]


class Hands:
    """Four hands and a wall, moved by actions; asserts that whoever gives a tile holds it."""

    def __init__(self, hand: dict[str, Any]) -> None:
        self.held = [Counter(split(tiles)) for tiles in hand["deal"]]
        self.wall = split(hand["wall"])
        self.laid: Counter[str] = Counter()
        self.lying = ""
        self.lying_from = -1
        for action in hand["actions"]:
            self.apply(action)
            self.conserved()

    def conserved(self) -> None:
        """Tiles make 108, four of each."""
        everywhere = sum(self.held, self.laid) + Counter(self.wall)
        assert everywhere == Counter(dict.fromkeys(TILES[:27], 4))

    def give(self, seat: int, tile: str, count: int) -> None:
        """Tiles leave a hand for the table."""
        assert self.held[seat][tile] >= count
        self.held[seat][tile] -= count
        self.laid[tile] += count

    def apply(self, action: dict[str, Any]) -> None:
        """One action."""
        kind, seat, tile = action["type"], action["seat"], action.get("tile", "")
        if kind == "draw":
            assert self.wall.pop(0) == tile
            self.held[seat][tile] += 1
        elif kind == "discard":
            self.give(seat, tile, 1)
            self.lying, self.lying_from = tile, seat
        elif kind in ("peng", "gang"):
            claims = action.get("kind", "peng") in ("peng", "zhi")
            assert not claims or (tile == self.lying and seat != self.lying_from)
            self.give(seat, tile, {"peng": 2, "zhi": 3, "bu": 1, "an": 4}[action.get("kind", "peng")])
            self.lying, self.lying_from = (tile, seat) if not claims else ("", -1)
        elif kind == "hu" and "from" in action:
            assert (tile, action["from"]) == (self.lying, self.lying_from)
