"""Reading a foreign record: each value is taken with the type it must have, or the place that is wrong is named."""

from collections.abc import Mapping
from typing import Any, TypeVar

from replay.importers.malformed import Malformed

T = TypeVar("T")

TYPE_NAMES = {dict: "an object", list: "an array", str: "a string", int: "an integer"}
LARGEST = 2**53 - 1
"""No log of ours holds a larger integer, either way."""


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


def text(holder: object, key: str, pointer: str, most: int = 1024) -> str:
    """A string of at most ``most`` characters."""
    value = field(holder, key, str, pointer)
    if len(value) > most:
        raise Malformed(f"{pointer}/{key}", value, f"at most {most} characters")
    return value


def integer(holder: object, key: str, pointer: str) -> int:
    """An integer that our format can hold."""
    value = field(holder, key, int, pointer)
    if abs(value) > LARGEST:
        raise Malformed(f"{pointer}/{key}", "a number too large", "an integer of at most 53 bits")
    return value


def items(value: object, pointer: str) -> list[Any]:
    """An array."""
    if not isinstance(value, list):
        raise Malformed(pointer, value, "an array")
    return value


def item(values: list[Any], at: int) -> Any:
    """What stands at a place of an array, None past its end."""
    return values[at] if at < len(values) else None


def seat_at(values: list[Any], at: int, pointer: str) -> int:
    """A seat, 0-3, at a place of an array."""
    return seat(item(values, at), f"{pointer}/{at}")


def seat(value: object, pointer: str) -> int:
    """A seat, 0-3."""
    if type(value) is not int or not 0 <= value <= 3:
        raise Malformed(pointer, value, "a seat from 0 to 3")
    return value


def four_integers(values: object, pointer: str) -> list[int]:
    """Four integers, one a seat."""
    found = items(values, pointer)
    if len(found) != 4 or any(type(value) is not int or abs(value) > LARGEST for value in found):
        raise Malformed(pointer, found, "four integers")
    return found
