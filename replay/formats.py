"""From bytes to a log: it is read whole and exactly, or refused with every reason why.

Three readers stand here. Two quick ones accept sound logs and say nothing else: one decodes into typed records, one
takes in what those leave out (keys that begin with x_, escapes). Whatever they do not accept is read again by the
exact one, which decides. Tests hold the three to one verdict over damaged logs. Nothing is repaired: a byte order
mark at the head is the only thing dropped.
"""

import json
import marshal
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any
from unicodedata import is_normalized

import msgspec
import orjson

from replay import faults, schemas
from replay.findings import Finding
from replay.limits import DEFAULT, Limits
from replay.log import Hand, Log, decode, encode, log_of
from replay.tiles import TILES

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = {b"\xff\xfe": "UTF-16, not UTF-8", b"\xfe\xff": "UTF-16, not UTF-8"}

_WHITESPACE = b" \t\r\n"
_ESCAPES = re.compile(rb"\\u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*")
_MAYBE_FRACTION = re.compile(rb"\.[0-9]+(?:[eE][+-]?[0-9]+)?[ \t\r\n]*[,\]}]")
_UNCLEAN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""What the schema's text may not hold, but for C0: those stand in no string that a decoder lets by unescaped."""

_TILES = frozenset(TILES)

_sound = schemas.quick_validator("log").is_valid
_sound_part = {
    name: schemas.quick_part("log", name).is_valid for name in ("options", "fairness", "time_stamp")
}

_JSON_WORDS = {
    "Expecting value": "a value was expected",
    "Expecting property name": "a key in double quotes was expected",
    "Expecting ':'": 'a ":" was expected',
    "Expecting ','": 'a "," or the end of the object or array was expected',
    "Illegal trailing comma": "a comma before the end of an object or array",
    "Extra data": "text after the end of the document",
    "Unterminated string": "a string that does not end",
    "Invalid control character": "a control character inside a string",
    "Invalid \\": "an escape that JSON does not know",
    "Unexpected UTF-8 BOM": "a second byte order mark",
}
"""The problem in our words, by how the decoder's own begin: those differ between versions of Python."""


JSON_NAMES: dict[type, str] = {str: "string", bool: "boolean", type(None): "null"}
"""What JSON calls the values of these types; the others are numbers."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A log, or why there is none: ``log`` is None exactly when there are findings."""

    log: Log | None
    findings: tuple[Finding, ...] = ()


def read_log(data: bytes, limits: Limits = DEFAULT) -> Reading:
    """The log in ``data`` (UTF-8 JSON), or findings LOG001, LOG002, LOG006 to LOG008; never an exception."""
    if len(data) > limits.document_bytes:
        return _refused(faults.beyond("document_bytes", limits.document_bytes, len(data)))
    log = _accept_typed(data, limits) or _accept_quickly(data, limits)
    return Reading(log) if log is not None else _read_exactly(data, limits)


def read_document(document: dict[str, Any], limits: Limits = DEFAULT) -> Reading:
    """The same for a log that is decoded already; it holds only what JSON can, in Python's own types."""
    log = _accept_decoded(document, limits)
    return Reading(log) if log is not None else check_document(document, limits)


def check_document(document: dict[str, Any], limits: Limits = DEFAULT) -> Reading:
    """`read_document` by the exact reader alone."""
    if not isinstance(document, dict | list):
        found = {
            "found": f"a {JSON_NAMES.get(type(document), 'number')} alone",
            "expected": "an action log (an object)",
        }
        return _refused(Finding("LOG001", found))
    faulty = faults.of(document, limits)
    findings = faulty.findings
    if faulty.readable and (findings or not _sound(document)):
        plain = faults.plain(document) if findings else None
        findings = _merged(findings, schemas.broken(document, limits.reported, plain), limits.reported)
    if not findings:
        findings = list(_overweight(document, limits))
    return _refused(*findings) if findings else Reading(log_of(document))


def _refused(*findings: Finding) -> Reading:
    return Reading(None, findings)


def _merged(faulty: list[Finding], broken: list[Finding], most: int) -> list[Finding]:
    """Both lists, one finding a place: a fraction where an integer belongs is one problem, not two."""
    places = {finding.pointer for finding in faulty}
    return [*faulty, *(finding for finding in broken if finding.pointer not in places)][:most]


# The typed reader ------------------------------------------------------------------------------------


def _accept_typed(data: bytes, limits: Limits) -> Log | None:
    """The log if it is certainly sound and has no keys of its own, else None, which says nothing.

    The decoder drops a doubled key and writes the log out again with one key fewer, so with fewer colons.
    """
    try:
        data = _without_marks(data)
        if b"\\" in data:
            return None
        log = decode(data)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None
    written = encode(log)
    if len(written) != len(data) and written.count(b":") != data.count(b":"):
        return None
    return log if _is_sound(log, data, limits) else None


def _accept_decoded(document: dict[str, Any], limits: Limits) -> Log | None:
    """The same for a decoded log: it is the typed one again, key for key and value for value.

    ``marshal`` knows Python's own types alone, so nothing that only resembles them comes by.
    """
    try:
        marshal.dumps(document)
        log = msgspec.convert(document, Log)
        data = encode(log)
        if msgspec.to_builtins(log) != document or b"\\" in data:
            return None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return log if len(data) <= limits.document_bytes and _is_sound(log, data, limits) else None


def _is_sound(log: Log, data: bytes, limits: Limits) -> bool:
    """Whether a decoded log keeps what its classes leave open: sizes, characters, tiles, and the odd parts."""
    if not limits.as_wide_as_schema:
        return False
    if len(data) > limits.hand_bytes and any(len(encode(hand)) > limits.hand_bytes for hand in log.hands):
        return False
    return _is_clean(data) and all(map(_has_tiles, log.hands)) and _keeps_the_rest(log)


def _without_marks(data: bytes) -> bytes:
    """The text without byte order mark, its harmless escapes as the characters themselves."""
    data = data.removeprefix(BYTE_ORDER_MARK)
    return _ESCAPES.sub(_unescaped, data) if b"\\" in data else data


def _is_clean(data: bytes) -> bool:
    """Whether no string holds a character that no text of a log may hold, or one that is not composed (NFC)."""
    if data.isascii():
        return b"\x7f" not in data
    head, _, tail = data.partition(b'"hands":')
    text = (head if tail.isascii() and b"\x7f" not in tail else data).decode()
    return not _UNCLEAN.search(text) and is_normalized("NFC", text)


def _has_tiles(hand: Hand) -> bool:
    """Whether deal and wall are tiles, two characters each."""
    text = "".join(hand.deal) + (hand.wall or "")
    ranks, suits = text[::2], text[1::2]
    if not ranks.strip("123456789") and not suits.strip("mps"):
        return len(ranks) == len(suits)
    return _TILES.issuperset(map("".join, zip_longest(ranks, suits, fillvalue="")))


def _keeps_the_rest(log: Log) -> bool:
    """Whether what the classes leave to the schema is sound: options, fairness, time stamp, and promised walls."""
    parts = [("options", log.rules.options), ("time_stamp", log.played_at)]
    parts += [("fairness", hand.fairness) for hand in log.hands if hand.fairness is not None]
    if log.records and "wall" in log.records and any(hand.wall is None for hand in log.hands):
        return False
    return all(part is None or _is_sound_part(name, part) for name, part in parts)


def _is_sound_part(name: str, part: Any) -> bool:
    """Whether a part keeps its schema and holds nothing that the schema cannot see; keys of one's own are not read."""
    if isinstance(part, dict) and name != "options" and any(key.startswith("x_") for key in part):
        return False
    return not faults.of(part, DEFAULT).findings and bool(_sound_part[name](part))


# The plain readers -----------------------------------------------------------------------------------


def _accept_quickly(data: bytes, limits: Limits) -> Log | None:
    """The log if it is certainly sound, else None, which says nothing.

    The text is compared with the decoded document written out again. Where they are the same but for white
    space, no key stood twice (the second would be gone), no exponent was read as an integer (it would be
    spelled out), and the schema has seen all there is, but for what keys that begin with x_ hold.
    """
    try:
        data = _without_marks(data)
        document = orjson.loads(data)
        if not _sound(document) or not _is_whole(data, orjson.dumps(document)):
            return None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, UnicodeEncodeError):
        return None
    has_own_keys = b"_" in data and b'"x_' in data
    if (has_own_keys or limits is not DEFAULT) and faults.of(document, limits).findings:
        return None
    return None if any(_overweight(document, limits, data)) else log_of(document)


def _unescaped(escapes: "re.Match[bytes]") -> bytes:
    r"""A run of ``\uXXXX`` as the characters themselves, unless one of them means something in JSON."""
    text: str = json.loads(b'"%b"' % escapes[0])
    return text.encode() if min(text) > "\x7f" else escapes[0]


def _is_whole(data: bytes, written: bytes) -> bool:
    """Whether ``data`` says what ``written`` says, without a fraction, in composed characters (NFC)."""
    if data != written and data.translate(None, _WHITESPACE) != written.translate(None, _WHITESPACE):
        return False
    if b"." in data and _MAYBE_FRACTION.search(data):
        return False
    if data.isascii():
        return True
    head, _, tail = data.partition(b'"hands":')
    return is_normalized("NFC", (head if tail.isascii() else data).decode())


def _overweight(document: dict[str, Any], limits: Limits, data: bytes | None = None) -> Iterator[Finding]:
    """LOG008 for a document, or a hand, of too many bytes as compact JSON; ``data`` is the text if known."""
    size = len(orjson.dumps(document) if data is None else data)
    if size > limits.document_bytes:
        yield faults.beyond("document_bytes", limits.document_bytes, size)
    if size > limits.hand_bytes:
        for position, hand in enumerate(document["hands"]):
            if (size := len(orjson.dumps(hand))) > limits.hand_bytes:
                yield faults.beyond("hand_bytes", limits.hand_bytes, size, ("hands", position))


def _read_exactly(data: bytes, limits: Limits) -> Reading:
    """The verdict on ``data``, in the standard library's own reading of JSON."""
    document, refusal = decode_exactly(data, limits)
    return _refused(refusal) if refusal is not None else check_document(document, limits)


def decode_exactly(data: bytes, limits: Limits) -> tuple[Any, Finding | None]:
    """The document in ``data`` with the traces of its faults (`replay.faults`), or LOG006 to LOG008: why it is none."""
    if len(data) > limits.document_bytes:
        return None, faults.beyond("document_bytes", limits.document_bytes, len(data))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = OTHER_MARKS.get(data[:2], "not UTF-8")
        return None, Finding("LOG007", {"offset": error.start, "problem": problem})
    try:
        return faults.decoded(text.removeprefix("\ufeff")), None
    except json.JSONDecodeError as error:
        return None, _not_json(text, error)
    except RecursionError:
        return None, faults.beyond("depth", limits.depth, faults.depth(text))


def _not_json(text: str, error: json.JSONDecodeError) -> Finding:
    words = next((ours for theirs, ours in _JSON_WORDS.items() if error.msg.startswith(theirs)), "not JSON")
    problem = words if text.lstrip("\ufeff \t\r\n") else "there is nothing in it"
    return Finding("LOG006", {"problem": problem, "line": error.lineno, "column": error.colno})
