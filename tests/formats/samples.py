"""A small sound log, and the readers by short names."""

import json
from copy import deepcopy
from typing import Any

from replay import formats, schemas
from replay.findings import Finding
from replay.formats import Reading
from replay.limits import DEFAULT, Limits
from replay.log import Log

DEFS = schemas.schema("log")["$defs"]
KINDS = ["swap", "void", "piao", "draw", "discard", "peng", "gang", "hu", "pass", "replace", "ting", "flee"]


def log(**changes: Any) -> dict[str, Any]:
    """A small sound log with every action type and every optional key once."""
    document: dict[str, Any] = deepcopy(schemas.schema("log")["examples"][0])
    hand = document["hands"][0]
    del hand["x_note"]
    hand["actions"] = [{**DEFS[kind]["examples"][-1], "ms": n, "by": "auto"} for n, kind in enumerate(KINDS)]
    hand["claimed"] |= {
        "ledger": DEFS["claimed_entry"]["examples"],
        "wins": DEFS["claimed_win"]["examples"],
    }
    hand |= {"swap": {"direction": "next", "dice": [1, 6]}, "dice": [2, 3], "holdings": [1, -2, 3, 4]}
    hand |= {
        "wall": "1m9p" * 28,
        "indicator": "5z",
        "fairness": {"scheme": "salasasa", "round": 1, "salt": "s"},
    }
    document["rules"]["options"] = {
        "cap_fan": None,
        "excludes": [["qi_dui", "gen"]],
        "shapes": {"ping_hu": 1},
    }
    return deepcopy({**document, "lacks": ["rob"], "claimed": {"totals": [0, 1, -1, 0]}, **changes})


def compact(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")


def typed(data: bytes, limits: Limits = DEFAULT) -> Log | None:
    return formats._accept_typed(data, limits)


def quick(data: bytes, limits: Limits = DEFAULT) -> Log | None:
    return formats._accept_quickly(data, limits)


def exact(data: bytes, limits: Limits = DEFAULT) -> Reading:
    return formats._read_exactly(data, limits)


def only(reading: Reading) -> Finding:
    assert reading.log is None
    assert len(reading.findings) == 1, reading.findings
    return reading.findings[0]
