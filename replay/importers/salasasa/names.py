"""The server's numbers and names, and ours for them."""

import json
from pathlib import Path
from typing import Any

from replay.importers.fields import items
from replay.importers.malformed import Malformed

TARGET: dict[str, Any] = json.loads((Path(__file__).parent / "target.json").read_text(encoding="utf-8"))
"""The rule set that these records are played under, and our ids for suits and fans."""


def tile(number: object, pointer: str) -> str:
    """A tile of ours: the server numbers 11-19 万, 21-29 饼, 31-39 条."""
    if type(number) is not int or not 11 <= number <= 39 or number % 10 == 0:
        raise Malformed(pointer, number, "a tile number from 11 to 39")
    return f"{number % 10}{TARGET['suits'][str(number // 10)]}"


def tiles(numbers: object, pointer: str) -> str:
    """A tile string of ours."""
    return "".join(tile(number, f"{pointer}/{at}") for at, number in enumerate(items(numbers, pointer)))


def fans(names: list[Any]) -> list[str] | None:
    """Our ids of the fans that a hu was paid for, or None where one of the names is not known.

    The server names a plain hand's row only when it has no fan; ours is always named.
    """
    known = TARGET["fans"]
    if any(name not in known for name in names):
        return None
    ids = {known[name] for name in names}
    if not ids & set(TARGET["rows"]):
        ids.add(TARGET["plain_row"])
    return sorted(ids)
