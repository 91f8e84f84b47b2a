"""From bytes to a document: a log is read whole and exactly, or refused with every reason why.

Two readers stand here. The quick one accepts sound logs and says nothing else; whatever it does not accept is
read again by the exact one, which decides. A test holds the two to one verdict over damaged logs.
Nothing is repaired: a byte order mark at the head is the only thing dropped.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unicodedata import is_normalized

import orjson

from replay import faults, schemas
from replay.findings import Finding
from replay.limits import DEFAULT, Limits

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = {b"\xff\xfe": "UTF-16, not UTF-8", b"\xfe\xff": "UTF-16, not UTF-8"}

_WHITESPACE = b" \t\r\n"
_ESCAPES = re.compile(rb"\\u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*")
_MAYBE_FRACTION = re.compile(rb"\.[0-9]+(?:[eE][+-]?[0-9]+)?[ \t\r\n]*[,\]}]")
_sound = schemas.quick_validator("log").is_valid

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
    """A document, or why there is none: ``document`` is None exactly when there are findings."""

    document: dict[str, Any] | None
    findings: tuple[Finding, ...] = ()


def read_log(data: bytes, limits: Limits = DEFAULT) -> Reading:
    """The log in ``data`` (UTF-8 JSON), or findings LOG001, LOG002, LOG006 to LOG008; never an exception."""
    if len(data) > limits.document_bytes:
        return _refused(faults.beyond("document_bytes", limits.document_bytes, len(data)))
    document = _accept_quickly(data, limits)
    return Reading(document) if document is not None else _read_exactly(data, limits)


def check_document(document: dict[str, Any], limits: Limits = DEFAULT) -> Reading:
    """The same for a log that is decoded already; it holds only what JSON can, in Python's own types."""
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
    return _refused(*findings) if findings else Reading(document)


def _refused(*findings: Finding) -> Reading:
    return Reading(None, findings)


def _merged(faulty: list[Finding], broken: list[Finding], most: int) -> list[Finding]:
    """Both lists, one finding a place: a fraction where an integer belongs is one problem, not two."""
    places = {finding.pointer for finding in faulty}
    return [*faulty, *(finding for finding in broken if finding.pointer not in places)][:most]


def _accept_quickly(data: bytes, limits: Limits) -> dict[str, Any] | None:
    """The document if it is certainly sound, else None, which says nothing.

    The text is compared with the decoded document written out again. Where they are the same but for white
    space, no key stood twice (the second would be gone), no exponent was read as an integer (it would be
    spelled out), and the schema has seen all there is, but for what keys that begin with x_ hold.
    """
    data = data.removeprefix(BYTE_ORDER_MARK)
    try:
        if b"\\" in data:
            data = _ESCAPES.sub(_unescaped, data)
        document = orjson.loads(data)
        if not _sound(document) or not _is_whole(data, orjson.dumps(document)):
            return None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, UnicodeEncodeError):
        return None
    has_own_keys = b"_" in data and b'"x_' in data
    if (has_own_keys or limits is not DEFAULT) and faults.of(document, limits).findings:
        return None
    return None if any(_overweight(document, limits, data)) else document


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
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = OTHER_MARKS.get(data[:2], "not UTF-8")
        return _refused(Finding("LOG007", {"offset": error.start, "problem": problem}))
    try:
        document = faults.decoded(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return _refused(_not_json(text, error))
    except RecursionError:
        return _refused(faults.beyond("depth", limits.depth, faults.depth(text)))
    return check_document(document, limits)


def _not_json(text: str, error: json.JSONDecodeError) -> Finding:
    words = next((ours for theirs, ours in _JSON_WORDS.items() if error.msg.startswith(theirs)), "not JSON")
    problem = words if text.strip("\ufeff \t\r\n") else "there is nothing in it"
    return Finding("LOG006", {"problem": problem, "line": error.lineno, "column": error.colno})
