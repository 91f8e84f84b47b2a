"""The server's numbers and names, and ours for them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from replay.importers.fields import four_integers, item, items
from replay.importers.malformed import Malformed, shown

TARGET: dict[str, Any] = json.loads((Path(__file__).parent / "target.json").read_text(encoding="utf-8"))
"""The rule set that these records are played under, our ids for suits and fans, and the fields we know.

Of a field we know it may say which one value we understand: a null there stands for any.
"""

MOST_STRANGE = 20


def tile(number: object, pointer: str) -> str:
    """A tile of ours: the server numbers 11-19 万, 21-29 饼, 31-39 条."""
    if type(number) is not int or not 11 <= number <= 39 or number % 10 == 0:
        raise Malformed(pointer, number, "a tile number from 11 to 39")
    return f"{number % 10}{TARGET['suits'][str(number // 10)]}"


def tiles(numbers: object, pointer: str) -> str:
    """A tile string of ours."""
    return "".join(tile(number, f"{pointer}/{at}") for at, number in enumerate(items(numbers, pointer)))


def tile_at(parts: list[Any], pointer: str, at: int = 1) -> str:
    """The tile at a place of a tick."""
    return tile(item(parts, at), f"{pointer}/{at}")


def changes_of(parts: list[Any], pointer: str) -> list[int]:
    """The four score changes that follow the mark ``gs`` in a tick."""
    if "gs" not in parts:
        raise Malformed(pointer, parts, "the mark gs and four score changes")
    at = parts.index("gs")
    return four_integers(parts[at + 1 : at + 5], pointer)


def fans(names: list[Any]) -> list[str] | None:
    """Our ids of the fans that a hu was paid for, or None where one of the names is not known.

    The server names a plain hand's row only when it has no fan; ours is always named.
    """
    known = TARGET["fans"]
    if any(not isinstance(name, str) or name not in known for name in names):
        return None
    ids = {known[name] for name in names}
    if not ids & set(TARGET["rows"]):
        ids.add(TARGET["plain_row"])
    return sorted(ids)


def strange(holder: Mapping[str, Any], pointer: str, table: str = "") -> Iterator[tuple[str, str]]:
    """Where the object has a field we don't know or a value we don't understand, and what is there."""
    known = TARGET["known"][table or pointer]
    unknown = (key for key in holder if key not in known or known[key] not in (None, holder[key]))
    for _, key in zip(range(MOST_STRANGE), unknown, strict=False):
        written = str(key).replace("~", "~0").replace("/", "~1")
        yield f"{pointer}/{written}", shown(holder[key])
