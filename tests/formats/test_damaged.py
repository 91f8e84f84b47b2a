"""Damaged logs: the quick and the exact reader, and the two validators, come to one verdict."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import faults, schemas
from replay.formats import check_document, read_document, read_log
from replay.limits import DEFAULT
from replay.log import encode

from .samples import compact, exact, log, quick, typed

NUMBERS = [0, 1, -1, 4, 7, 2**53, -(2**53), 10**20, 10**400, 1.0, 0.5, -0.0, 1e22, 1e-7]
TEXTS = ["", "1m", "1m\n", "5p ", "0m", "draw", "ji\u0301", "é", "\0", "x_", "0e1.5", "\ud800"]
TILES = ["1m" * 13, "1m" * 13 + "\n", "1m" * 55 + "\n"]
NESTED = [
    [],
    {},
    [1],
    ["1m", "1m", "1m"],
    {"x_a": [[[1.0]]]},
    {"type": "draw", "seat": 0},
    [[[[[[[[[[[1]]]]]]]]]]],
]
ODD = st.sampled_from([None, True, False, *NUMBERS, *TEXTS, *TILES, *NESTED])
KEYS = st.sampled_from(
    ["type", "seat", "tile", "x_a", "X_a", "x_", "ms", "wall", "from", "é", "a\n", "", "pon"]
)


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    """A log with some values replaced, some keys added and some taken away."""
    document = log()
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
        at: Any = document
        while True:
            places = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not places:
                break
            place = draw(st.sampled_from(places))
            if isinstance(at[place], dict | list) and draw(st.integers(0, 4)):
                at = at[place]
                continue
            damage(draw, at, place)
            break
    return document


def damage(draw: st.DrawFn, at: Any, place: Any) -> None:
    how = draw(st.sampled_from(["replace", "delete", "add", "double"]))
    if how == "replace":
        at[place] = deepcopy(draw(ODD))
    elif how == "delete":
        del at[place]
    elif isinstance(at, dict):
        at[draw(KEYS)] = deepcopy(draw(ODD))
    else:
        at.append(deepcopy(at[place] if how == "double" else draw(ODD)))


WRITERS: list[Callable[[object], bytes]] = [
    compact,
    lambda document: json.dumps(document).encode(),
    lambda document: json.dumps(document, indent=1, ensure_ascii=False).encode(errors="replace"),
    lambda document: b"\xef\xbb\xbf" + compact(document),
]
WOUNDS: list[tuple[bytes, bytes]] = [
    (b'"seat"', b'"seat":0,"seat"'),
    (b'"type"', b'"\\u0074ype"'),
    (b'"type"', b'"\\u0074ype":1,"type"'),
    (b'"tile"', b'"ti\\u006ce"'),
    (b'"id":"', b'"id":"\\u4e00\\u003a\\u002e'),
    (b'"id":"', b'"id":"1.0,:0e1'),
    (b'"id":"', b'"id":"\\u4e00\\u0022,\\u0022x_a\\u0022:\\u0022'),
    (b'"name":"', b'"name":"e\xcc\x81'),
    (b'"id":"', b'"id":"\\ud83c\\udc04\\/\\"'),
    (b'"id":"', b'"id":"\\ud83c'),
    (b":1", b":1.0"),
    (b":0", b":0e0"),
    (b":1", b":1E0"),
    (b":2", b":-0"),
    (b":2", b":" + b"2" * 5000),
    (b":3", b":NaN"),
    (b"[", b"[ \t\r\n"),
    (b"]", b",]"),
    (b"}", b',"x_a":[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]}'),
    (b"}", b',"x_a":1e22}'),
    (b"}", b',"\\u0078_a":' + b"[" * 300 + b"]" * 300 + b"}"),
    (b'"', b"\xff"),
]


@st.composite
def wounded(draw: st.DrawFn) -> bytes:
    """The text of such a log, written in some way, with some bytes changed."""
    data = draw(st.sampled_from(WRITERS))(draw(damaged()))
    for old, new in draw(st.lists(st.sampled_from(WOUNDS), max_size=2)):
        parts = data.split(old)
        if len(parts) > 1:
            cut = draw(st.integers(1, len(parts) - 1))
            data = old.join(parts[:cut]) + new + old.join(parts[cut:])
    return data


@settings(max_examples=400, deadline=None)
@given(wounded())
def test_the_quick_readers_accept_only_what_the_exact_one_accepts(data: bytes) -> None:
    reading = exact(data)
    assert (reading.log is None) == bool(reading.findings)
    for accepted in (typed(data), quick(data)):
        assert accepted is None or encode(accepted) == encode(reading.log)
    assert read_log(data) == reading
    for finding in reading.findings:
        assert finding.code in ("LOG001", "LOG002", "LOG006", "LOG007", "LOG008")
        json.dumps([finding.params, finding.pointer], ensure_ascii=False).encode()


@settings(max_examples=300, deadline=None)
@given(damaged())
def test_both_validators_come_to_one_verdict_on_what_json_is(document: dict[str, Any]) -> None:
    assert read_document(document) == check_document(document)
    if faults.of(document, DEFAULT).findings:
        return
    verdict = schemas.authority("log").is_valid(document)
    assert schemas.quick_validator("log").is_valid(document) == verdict
    assert (check_document(document).log is not None) == verdict
    assert bool(schemas.broken(document, 20)) != verdict


@settings(max_examples=200, deadline=None)
@given(damaged())
def test_looking_where_the_quick_reader_points_loses_no_error(document: dict[str, Any]) -> None:
    if not faults.of(document, DEFAULT).findings:
        whole = [(e.absolute_path, e.message) for e in schemas.authority("log").iter_errors(document)]
        assert [(e.absolute_path, e.message) for e in schemas._errors(document, 10_000, None)] == whole
