"""What JSON Schema cannot see in a document: fractions, doubled keys, odd characters, depth and sheer size.

A document that `decoded` made keeps the traces: a number that is no integer of ours is a `Number`, an object
with a doubled key a `Doubled`. `of` finds them, and the same faults in a document that some program put
together.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from unicodedata import is_normalized

from replay.findings import Finding
from replay.limits import LARGEST_INTEGER, Limits
from replay.schemas import brief, pointer, shown

Trail = tuple[Any, ...]
"""A place while walking: () at the top, else (the trail of what holds it, key or position)."""

_SAFE_CHARACTERS = len(str(-LARGEST_INTEGER))
_COUNTED = {(2, "hands"): "hands", (4, "actions"): "actions"}
"""Arrays with a limit of their own, by how deep they stand and under which key."""

_INTEGER = "an integer from -(2^53-1) to 2^53-1, without fraction or exponent"
_SURROGATE = re.compile("[\ud800-\udfff]")
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}


class Number(float):
    """A number, as the log writes it, that is no integer within bounds: 1.0, 1e5, NaN, or too many digits."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> "Number":
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __str__(self) -> str:
        return self.text


class Doubled(dict[str, Any]):
    """An object in which a key stands more than once; the last value won."""

    keys_again: tuple[str, ...] = ()


_CONTAINERS = frozenset({dict, Doubled, list})


def decoded(text: str) -> Any:
    """The value that ``text`` is, traces kept. Raises ``json.JSONDecodeError`` and ``RecursionError``."""
    return _DECODER.decode(text)


def _integer(text: str) -> int | Number:
    if len(text) <= _SAFE_CHARACTERS and -LARGEST_INTEGER <= (value := int(text)) <= LARGEST_INTEGER:
        return value
    return Number(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    doubled = Doubled(plain)
    doubled.keys_again = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return doubled


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=Number, parse_constant=Number, parse_int=_integer
)


def depth(text: str) -> int:
    """How deep objects and arrays stand inside one another in a text, be it JSON or only nearly.

    >>> depth('{"a": [[], "]["]}')
    3
    """
    brackets = (_STEP[char] for char in _STRINGS.sub("", text) if char in _STEP)
    return max(accumulate(brackets), default=0)


def beyond(limit: str, allowed: int, found: int, place: tuple[str | int, ...] = ()) -> Finding:
    """LOG008: ``found`` is more than the ``allowed`` of a limit (a field of `Limits`, in its unit)."""
    return Finding("LOG008", {"limit": limit, "allowed": allowed, "found": found}, pointer=pointer(place))


@dataclass(frozen=True, slots=True)
class Faults:
    """What a walk found, and whether the schema may be asked: not of what is too large or not JSON."""

    findings: list[Finding]
    readable: bool


def plain(value: Any) -> Any:
    """A copy of a document without its faults: null for a number or a string with one, no key with one."""
    kind = type(value)
    if kind is list:
        return [plain(item) for item in value]
    if kind is dict or kind is Doubled:
        return {key: plain(item) for key, item in value.items() if not _SURROGATE.search(key)}
    if kind is str:
        return None if _SURROGATE.search(value) else value
    return value if kind is bool or (kind is int and abs(value) <= LARGEST_INTEGER) else None


def of(document: object, limits: Limits) -> Faults:
    """Every fault in ``document``, in its order, as far as the limits reach: LOG001, LOG002, LOG008."""
    walk = _Walk(limits)
    walk.judge(document, (), 1)
    findings = walk.findings
    return Faults(findings[: limits.reported], walk.readable and len(findings) < limits.reported)


class _Walk:
    """One pass over a document. It stops at what is too deep, too wide or too much, and so always ends."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.findings: list[Finding] = []
        self.readable = True
        self.always_fits = min(limits.entries, limits.hands, limits.actions)
        self.left = limits.document_bytes // 2  # a value takes two bytes at the least, its comma included

    def judge(self, value: Any, trail: Trail, level: int) -> None:
        """One value, with all it holds; ``level`` is how deep an object or array would stand there."""
        kind = type(value)
        if kind in _CONTAINERS:
            if self.fits(value, trail, level):
                self.inside(value, trail, level)
        elif kind is str:
            self.text(value, trail)
        elif kind is float or kind is Number or kind is int:
            if kind is not int or not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
                self.say(trail, shown(value), _INTEGER)
        elif kind is not bool and value is not None:
            self.readable = False
            self.say(trail, f"a Python {kind.__name__}", "a value that JSON has")

    def fits(self, value: Any, trail: Trail, level: int) -> bool:
        """Whether an object or array is within the limits of depth, of entries and of the document."""
        limits, size = self.limits, len(value)
        self.left -= size
        if size <= self.always_fits and level <= limits.depth and self.left >= 0:
            return True
        name = _COUNTED.get((level, trail[1]), "entries") if trail else "entries"
        for limit, allowed, found in (
            ("depth", limits.depth, level),
            (name, getattr(limits, name), size),
            ("document_bytes", limits.document_bytes, limits.document_bytes - 2 * self.left),
        ):
            if found > allowed:
                self.readable = False
                self.findings.append(beyond(limit, allowed, found, _place(trail)))
                return False
        return True

    def inside(self, value: Any, trail: Trail, level: int) -> None:
        """All that an object or array holds. Most of it is plain, and is let by without a call."""
        is_list = type(value) is list
        if not is_list:
            self.keys(value, trail)
        for key, item in enumerate(value) if is_list else value.items():
            kind = type(item)
            if kind is str and item.isascii():
                continue
            if kind is int and -LARGEST_INTEGER <= item <= LARGEST_INTEGER:
                continue
            if len(self.findings) >= self.limits.reported or self.left < 0:
                return
            self.judge(item, (trail, key), level + 1)

    def keys(self, value: dict[Any, Any], trail: Trail) -> None:
        """The keys of an object: text, and none of them twice."""
        if type(value) is Doubled:
            for key in value.keys_again:
                self.findings.append(
                    Finding("LOG002", {"key": brief(key)}, pointer=pointer(_place((trail, key))))
                )
        for key in () if _plain(value) else value:
            if type(key) is str:
                self.text(key, (trail, key))
            else:
                self.readable = False
                self.say(trail, f"a key that is a Python {type(key).__name__}", "keys that are text")

    def text(self, text: str, trail: Trail) -> None:
        """A string: whole characters, in the composed form."""
        if text.isascii():
            return
        if _SURROGATE.search(text):
            self.say(trail, shown(text), "text without half characters (lone surrogates)")
        elif not is_normalized("NFC", text):
            self.say(trail, shown(text), "text in composed characters (Unicode form NFC)")

    def say(self, trail: Trail, found: str, expected: str) -> None:
        params = {"found": found, "expected": expected}
        self.findings.append(Finding("LOG001", params, pointer=pointer(_place(trail))))


def _plain(keys: dict[Any, Any]) -> bool:
    """Whether all keys are ASCII text; the quick way to say so of most objects."""
    try:
        return "".join(keys).isascii() and set(map(type, keys)) <= {str}
    except TypeError:
        return False


def _place(trail: Trail) -> tuple[str | int, ...]:
    place: list[str | int] = []
    while trail:
        trail, key = trail
        place.append(key)
    return tuple(reversed(place))
