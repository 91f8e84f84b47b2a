"""Reading a foreign record: each value is taken with the type it must have, or the place that is wrong is named."""

from collections.abc import Mapping
from typing import Any, TypeVar

from replay.importers.malformed import Malformed

T = TypeVar("T")

TYPE_NAMES = {Mapping: "an object", list: "an array", str: "a string", int: "an integer"}


def field(holder: object, key: str, kind: type[T], pointer: str) -> T:
    """The value of ``key`` in an object, of this type; raises `Malformed` with the pointer."""
    if not isinstance(holder, Mapping):
        raise Malformed(pointer, holder, "an object")
    if key not in holder:
        raise Malformed(pointer, f"no {key}", f"the key {key}")
    value = holder[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Malformed(f"{pointer}/{key}", value, TYPE_NAMES[kind])
    return value


def text(holder: object, key: str, pointer: str) -> str:
    """A string."""
    return field(holder, key, str, pointer)


def integer(holder: object, key: str, pointer: str) -> int:
    """An integer."""
    return field(holder, key, int, pointer)


def items(value: object, pointer: str) -> list[Any]:
    """An array."""
    if not isinstance(value, list):
        raise Malformed(pointer, value, "an array")
    return value


def seat_at(values: list[Any], at: int, pointer: str) -> int:
    """A seat, 0-3, at a place of an array."""
    if len(values) <= at or type(values[at]) is not int or not 0 <= values[at] <= 3:
        raise Malformed(f"{pointer}/{at}", values[at] if len(values) > at else "nothing", "a seat from 0 to 3")
    seat: int = values[at]
    return seat


def four_integers(values: object, pointer: str) -> list[int]:
    """Four integers, one a seat."""
    found = items(values, pointer)
    if len(found) != 4 or any(type(value) is not int for value in found):
        raise Malformed(pointer, found, "four integers")
    return found
