"""Files made to do harm, each with what is to become of it: every line of operations U1 to U3, and PyPI's zip cases.

An upload is kept whatever it holds; what is wrong with it is said in its reports. ``expected`` names, for each
document in order, the codes of its findings, or `CLEAN`.
"""

import gzip
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from replay.limits import MIB
from tests.jobs.working import LOGS

CLEAN = "clean"
LOG: dict[str, Any] = json.loads(LOGS[0])
TEXT = json.dumps(LOG, ensure_ascii=False, separators=(",", ":"))
SOUND = TEXT.encode()


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file, the name that it is sent under, and what each document in it comes to."""

    title: str
    make: Callable[[], bytes]
    expected: tuple[str, ...]
    name: str = "hostile.json"


def plain(title: str, data: bytes | str, *expected: str, name: str = "hostile.json") -> Hostile:
    """A file that is written down here."""
    raw = data.encode() if isinstance(data, str) else data
    return Hostile(title, lambda: raw, expected, name)


def changed(**changes: Any) -> bytes:
    """The sound log with other values at its top."""
    return json.dumps({**LOG, **changes}).encode()


def with_hand(**changes: Any) -> bytes:
    """The same with other values in its hand."""
    return changed(hands=[{**LOG["hands"][0], **changes}])


def with_action(**changes: Any) -> bytes:
    """The same with other values in the hand's first action."""
    first, *others = LOG["hands"][0]["actions"]
    return with_hand(actions=[{**first, **changes}, *others])


def own(value: str) -> bytes:
    """The sound log with this text as a value of its own, which a log may have."""
    return ('{"x_own":' + value + "," + TEXT[1:]).encode()


def dealer(written: str) -> bytes:
    """The sound log with its dealer written so."""
    assert '"dealer":0' in TEXT
    return TEXT.replace('"dealer":0', f'"dealer":{written}', 1).encode()


def repeated(head: bytes, piece: bytes, times: int) -> bytes:
    """A bare deflate stream of so many pieces: a flush forgets all before it, so one packed piece stands for each."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first, each = (packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH) for part in (head, piece))
    return first + each * times + packer.flush()


def sum_of(head: bytes, piece: bytes, times: int) -> int:
    """The CRC-32 of so many pieces."""
    crc = zlib.crc32(head)
    for _ in range(times):
        crc = zlib.crc32(piece, crc)
    return crc


def gzipped(head: bytes, piece: bytes, times: int) -> bytes:
    """A gzip file of one member of so many pieces."""
    size = len(head) + times * len(piece)
    ends = struct.pack("<II", sum_of(head, piece, times), size & 0xFFFFFFFF)
    return b"\x1f\x8b\x08" + b"\0" * 6 + b"\xff" + repeated(head, piece, times) + ends


def encodings() -> Iterator[Hostile]:
    """U1: bytes that are no UTF-8, or more than it."""
    yield plain("byte order mark", b"\xef\xbb\xbf" + SOUND, CLEAN)
    yield plain("two byte order marks", b"\xef\xbb\xbf" * 2 + SOUND, "LOG006")
    yield plain("byte order mark alone", b"\xef\xbb\xbf", "LOG006")
    yield plain("UTF-16", TEXT.encode("utf-16"), "LOG007")
    yield plain("UTF-16, big end first", b"\xfe\xff" + TEXT.encode("utf-16-be"), "LOG007")
    yield plain("UTF-16 without a mark", '{"a": 1}'.encode("utf-16-le"), "LOG006")
    yield plain("UTF-32", TEXT.encode("utf-32"), "LOG007")
    yield plain("GB 18030", json.dumps({**LOG, "id": "成都"}, ensure_ascii=False).encode("gb18030"), "LOG007")
    yield plain("a byte of no character", SOUND.replace(b'"id":"', b'"id":"\xff', 1), "LOG007")
    yield plain("an overlong NUL", SOUND.replace(b'"id":"', b'"id":"\xc0\x80', 1), "LOG007")
    yield plain("a surrogate in bytes", SOUND.replace(b'"id":"', b'"id":"\xed\xa0\x80', 1), "LOG007")
    yield plain(
        "a character beyond the last", SOUND.replace(b'"id":"', b'"id":"\xf5\x80\x80\x80', 1), "LOG007"
    )
    yield plain("cut within a character", '{"id":"成'.encode()[:-1], "LOG007")
    yield plain("a lone surrogate", SOUND.replace(b'"id":"', b'"id":"\\ud83c', 1), "LOG001")
    yield plain("a lone surrogate in an own key", own('"\\udc00"'), "LOG001")
    yield plain("a NUL", SOUND.replace(b'"id":"', b'"id":"\0', 1), "LOG006")
    yield plain("an escaped NUL", SOUND.replace(b'"id":"', b'"id":"\\u0000', 1), "LOG001")
    yield plain("nothing but NUL", b"\0" * 10_000, "LOG006")
    for title, char in (
        ("bidi", "\u202e"),
        ("C0", "\x1b"),
        ("C1", "\x9b"),
        ("DEL", "\x7f"),
        ("isolate", "\u2066"),
    ):
        yield plain(f"a control character ({title})", changed(id=f"a{char}b"), "LOG001")
    yield plain("a line separator", changed(id="a\u2028b"), "LOG001")
    yield plain("not composed", changed(id="e\u0301"), "LOG001")
    yield plain("markup in a name", changed(id="<script>alert(1)</script>"), CLEAN)


def numbers() -> Iterator[Hostile]:
    """U1: numbers that JSON or Python know and a log does not."""
    for written in ("NaN", "Infinity", "-Infinity", "1e400", "1.0", "-0.0", "1e2", "0.5"):
        yield plain(f"{written} as a dealer", dealer(written), "LOG001")
        yield plain(f"{written} of one's own", own(written), "LOG001")
    yield plain("4,301 digits", own("9" * 4301), "LOG001")
    yield plain("a million digits", own("9" * 1_000_000), "LOG001")
    yield plain("a fraction of a million digits", own("0." + "9" * 1_000_000), "LOG001")
    yield plain("an exponent of a million digits", own("1e" + "9" * 1_000_000), "LOG001")
    for number in (2**53, -(2**53), 2**63, 2**64, 10**400):
        yield plain(f"an integer of {number.bit_length()} bits, {number > 0}", own(str(number)), "LOG001")
    for written, code in (
        ("-0", CLEAN),
        ("00", "LOG006"),
        ("+1", "LOG006"),
        ("0x1", "LOG006"),
        ("1_0", "LOG006"),
    ):
        yield plain(f"{written} as a dealer", dealer(written), code)


def shapes() -> Iterator[Hostile]:
    """U1 and U2: depth, size, wrong types, keys."""
    for title, data in (
        ("nothing", b""),
        ("white space", b" \n\t" * 999),
        ("a brace", b"{"),
        ("half", SOUND[:4000]),
    ):
        yield plain(title, data, "LOG006")
    for title, data in (
        ("null", b"null"),
        ("an array", b"[]"),
        ("an object", b"{}"),
        ("a string", b'"log"'),
        ("a number", b"7"),
        ("true", b"true"),
        ("an array of logs", b"[" + SOUND + b"]"),
        ("a reference", b'{"$ref": "http://127.0.0.1:1/schema.json"}'),
        ("another format", changed(format="xuezhan-log/999")),
        ("a format that is no text", changed(format=[1])),
        ("hands that are an object", changed(hands={"0": {}})),
        ("hands that are null", changed(hands=None)),
        ("a hand that is text", changed(hands=["x"])),
        ("actions that are null", with_hand(actions=None)),
        ("a deal of numbers", with_hand(deal=[1, 2, 3, 4])),
        ("a deal of five", with_hand(deal=[*LOG["hands"][0]["deal"], ""])),
        ("an action of no kind", with_action(type="cheat")),
        ("a kind that is a list", with_action(type=["draw"])),
        ("a seat that is text", with_action(seat="0")),
        ("a seat that is true", with_action(seat=True)),
        ("a seat below the first", with_action(seat=-1)),
        ("a seat beyond the last", with_action(seat=4)),
        ("a name of 65 characters", changed(players=[{"name": "长" * 65}, *LOG["players"][1:]])),
        ("a text of 3 MiB", changed(id="x" * 3 * MIB)),
        ("a text that regular expressions fear", changed(id="a" * 60_000 + "!")),
        ("a key that JavaScript knows", changed(__proto__={"admin": True})),
    ):
        yield plain(title, data, "LOG001")
    yield plain("a key twice", SOUND.replace(b'"dealer":0', b'"dealer":0,"dealer":0', 1), "LOG002")
    yield plain(
        "a key twice, once escaped", SOUND.replace(b'"format":', b'"\\u0066ormat":"x","format":', 1), "LOG002"
    )
    yield plain(
        "a rule set that nobody knows", changed(rules={**LOG["rules"], "profile": "casino"}), "LOG003"
    )
    yield plain(
        "an option that nobody knows", changed(rules={**LOG["rules"], "options": {"cheat": 1}}), "LOG004"
    )
    for depth in (17, 1_000, 100_000):
        yield plain(f"{depth} arrays deep", own("[" * depth + "]" * depth), "LOG008")
        yield plain(f"{depth} objects deep", own('{"a":' * depth + "1" + "}" * depth), "LOG008")
    yield plain("100,000 arrays opened", b"[" * 100_000, "LOG008")
    yield plain("a million numbers", own("[" + "0," * 999_999 + "0]"), "LOG008")
    yield plain("a million actions", with_hand(actions=[{}] * 1_000_000), "LOG008")
    yield plain("300,000 hands", changed(hands=[{}] * 300_000), "LOG008")
    yield plain("100,000 keys", own(json.dumps({str(n): n for n in range(100_000)})), "LOG008")
    yield plain("a hand of 300 KiB", with_hand(x_note="x" * 300 * 1024), "LOG008")
    yield plain("a document of 5 MiB", own('"' + "x" * 5 * MIB + '"'), "LOG008")
    yield plain("a document of 60 MiB", b"{" + b" " * 60 * MIB, "LOG008")
    for title, data in (
        ("HTML", b"<!doctype html><script>alert(1)</script>"),
        ("XML entities", b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'),
        ("a PDF", b"%PDF-1.7\n1 0 obj\n"),
        ("YAML", b"!!python/object/apply:os.system ['true']"),
    ):
        yield plain(title, data, "LOG006")
    yield plain("a pickle", b"\x80\x04\x95\x10\0\0\0\0\0\0\0", "LOG007")
    yield plain("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "LOG007")
    lines = [b"{", SOUND, b"[" * 9_999, b"\xff", b'{"a":NaN}', SOUND]
    codes = ("LOG006", CLEAN, "LOG008", "LOG007", "LOG001", CLEAN)
    yield plain("lines of every kind", b"\n".join(lines), *codes, name="day.ndjson")


def gzips() -> Iterator[Hostile]:
    """U3: gzip, sound and not."""
    packed = gzip.compress(SOUND, mtime=0)
    parted = gzip.compress(SOUND[:999], mtime=0) + gzip.compress(SOUND[999:], mtime=0)
    yield plain("gzip of several members", parted, CLEAN, name="a.json.gz")
    yield plain("gzip with padding", packed + b"\0" * 512, CLEAN, name="a.json.gz")
    for title, data in (
        ("gzip with garbage behind", packed + b"garbage"),
        ("gzip cut short", packed[:-9]),
        ("gzip of a head alone", packed[:10]),
        ("gzip with a wrong sum", packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]),
        ("gzip with a wrong length", packed[:-1] + b"\x7f"),
        ("gzip of another method", packed[:2] + b"\x07" + packed[3:]),
        ("gzip with an extra field beyond its end", packed[:3] + b"\x04" + packed[4:10] + b"\xff\xff"),
        ("gzip with a name that never ends", packed[:3] + b"\x08" + packed[4:10] + b"x" * 100_000),
        ("gzip of nothing", gzip.compress(b"", mtime=0)),
        ("gzip of gzip", gzip.compress(packed, mtime=0)),
    ):
        yield plain(title, data, "LOG006", name="a.json.gz")
    yield plain("gzip of 10,001 members", gzip.compress(b"", mtime=0) * 10_001, "LOG008", name="a.gz")
    lines = ("LOG001", "LOG001", "LOG008")
    for title, head, piece, expected, name in (
        ("white space", b"{", b" " * MIB, ("LOG008",), "bomb.json.gz"),
        ("blank lines", b"{}\n{}\n", b"\n" * MIB, lines, "bomb.ndjson.gz"),
        ("one line", b"{}\n{}\n", b"x" * MIB, lines, "bomb.ndjson.gz"),
    ):
        yield Hostile(f"gzip bomb of {title}, 1 GiB", partial(gzipped, head, piece, 1024), expected, name)


def names() -> Iterator[Hostile]:
    """U5: names under which a file is sent."""
    for title, name in (
        ("script", "<script>alert(1)</script>.json"),
        ("right to left", "\u202egpj.exe.json"),
        ("4,096 characters", "n" * 4096 + ".json"),
        ("a path upward", "../../../../hostile-escape.json"),
        ("a path of Windows", "C:\\Windows\\hostile-escape.json"),
        ("an absolute path", "/hostile-escape.json"),
        ("quotes", "a'b&c;d`e$(f).json"),
        ("a device", "CON"),
        ("dots", ".."),
        ("a template", "{{ 7 * 7 }}${7*7}%s%n.json"),
    ):
        data = changed(id=f"named {title}"[:60])
        yield plain(f"sent under a name: {title}", data, CLEAN, name=name)
