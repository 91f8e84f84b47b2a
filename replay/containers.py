"""From an upload to documents: plain JSON, one document a line (NDJSON), gzip of either, or a zip of any of these.

What an upload is follows from its bytes; its name only breaks a tie. Everything is a function of bytes in
memory: no file is read or written, and the names inside a zip are labels, never paths. Bytes that come out of
compression are counted while they come, and no more of them are held than one document may have.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from gzip import BadGzipFile, GzipFile
from io import BytesIO
from itertools import chain, islice
from re import compile as pattern
from typing import cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipExtFile, ZipFile, ZipInfo

from replay.faults import beyond
from replay.findings import Finding
from replay.formats import BYTE_ORDER_MARK
from replay.limits import DEFAULT, Limits
from replay.schemas import brief, printable
from replay.zips import is_passed_over, refusals, shared_names

GZIP = b"\x1f\x8b"
GZIP_DEFLATED = GZIP + b"\x08"
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
CENTRAL = b"PK\x01\x02"
LINE_NAMES = (".ndjson", ".jsonl")
CHUNK = 256 * 1024
SHOWN_PLACES = 10

Chunks = Iterator[bytes | Finding]
"""Pieces of one stream, in order; a finding, always the last piece, says why it goes no further."""

_LINE = pattern(rb"\S[^\n]*")


@dataclass(frozen=True, slots=True)
class Member:
    """One document of an upload, still as bytes, or why it cannot be had: ``data`` is None exactly then."""

    name: str
    data: bytes | None
    findings: tuple[Finding, ...] = ()


def members(data: bytes, name: str, limits: Limits = DEFAULT) -> Iterator[Member]:
    """The documents in an upload, in its order; what is wrong with one does not touch the others.

    A line of NDJSON is called ``name:line``, a file in a zip ``name/file``. ``data`` of a line is the line without
    the white space around it. Findings are LOG002 (a name that several files of a zip have: none of them is read),
    LOG006 (nothing can be read there) and LOG008 (limits).
    """
    if len(data) > limits.upload_bytes:
        yield Member(name, None, (beyond("upload_bytes", limits.upload_bytes, len(data)),))
    elif data.startswith(ZIPS):
        yield from _zipped(data, name, limits)
    elif data.startswith(GZIP):
        yield from _documents(_gunzipped(data, _Meter(len(data), limits)), name, limits, inside=True)
    else:
        yield from _documents(iter((data,)), name, limits)


class _Meter:
    """Counts what comes out of an upload's compression."""

    def __init__(self, compressed: int, limits: Limits) -> None:
        self.compressed, self.limits, self.out = compressed, limits, 0

    def passed(self, size: int) -> Finding | None:
        """LOG008 once ``size`` more bytes are too many, in all or for what was compressed."""
        self.out += size
        limits = self.limits
        if self.out > limits.inflated_bytes:
            return beyond("inflated_bytes", limits.inflated_bytes, self.out)
        if self.out > limits.ratio_free_bytes and self.out > limits.ratio * self.compressed:
            return beyond("ratio", limits.ratio, self.out // max(self.compressed, 1))
        return None


def _unreadable(problem: str) -> Finding:
    return Finding("LOG006", {"problem": problem, "line": 1, "column": 1})


def _shared(name: str, places: list[int]) -> Finding:
    """LOG002 for a name that several files of a zip have, with the places of the first ones."""
    numbers = [f"#{place}" for place in places[:SHOWN_PLACES]] + ["…"] * (len(places) > SHOWN_PLACES)
    return Finding("LOG002", {"reason": "zip", "key": f"{brief(name)} ({', '.join(numbers)})"})


def _metered(stream: GzipFile | ZipExtFile, meter: _Meter) -> Chunks:
    """A decompressed stream piece by piece, as far as the meter lets it."""
    while chunk := stream.read1(CHUNK):
        over = meter.passed(len(chunk))
        yield over or chunk
        if over:
            return


def _gunzipped(data: bytes, meter: _Meter) -> Chunks:
    """What a gzip file holds: its members one after another are one stream, zeros at the end are padding."""
    if (streams := data.count(GZIP_DEFLATED)) > meter.limits.members:
        yield beyond("members", meter.limits.members, streams)
        return
    try:
        with GzipFile(fileobj=BytesIO(data)) as stream:
            yield from _metered(stream, meter)
    except EOFError:
        yield _unreadable("a gzip stream that ends early")
    except (BadGzipFile, zlib.error):
        yield _unreadable("a damaged gzip stream")


def _zipped(data: bytes, name: str, limits: Limits) -> Iterator[Member]:
    """What a zip file holds. The directory is not read before its entries are few enough."""
    if (entries := data.count(CENTRAL)) > limits.members:
        yield Member(name, None, (beyond("members", limits.members, entries),))
        return
    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, ValueError, NotImplementedError, OverflowError):
        yield Member(name, None, (_unreadable("a damaged zip file"),))
        return
    infos = archive.infolist()
    problems = refusals(data, infos, archive.start_dir)
    meter = _Meter(len(data), limits)
    if not infos:
        yield Member(name, None, (_unreadable("a zip file without files"),))
    shared = shared_names(infos)
    for number, (info, problem) in enumerate(zip(infos, problems, strict=True), 1):
        label = f"{name}/{printable(info.orig_filename)}"
        if places := shared.get(info.orig_filename):
            if number == places[0]:
                yield Member(label, None, (_shared(info.orig_filename, places),))
        elif problem:
            yield Member(label, None, (_unreadable(problem),))
        elif not is_passed_over(info):
            yield from _documents(_opened(_unzipped(archive, info, meter), meter), label, limits, inside=True)
        if _spent(meter):
            return


def _spent(meter: _Meter) -> bool:
    """Whether the meter has stopped one file already: the rest of the archive is not looked at."""
    return meter.passed(0) is not None


def _unzipped(archive: ZipFile, info: ZipInfo, meter: _Meter) -> Chunks:
    """What one file of a zip holds."""
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        yield _unreadable("a file in a zip that is neither stored nor deflated")
        return
    try:
        with archive.open(info) as stream:
            yield from _metered(cast(ZipExtFile, stream), meter)
    except (BadZipFile, EOFError, zlib.error, ValueError, NotImplementedError, RuntimeError):
        yield _unreadable("a damaged file in a zip")


def _opened(chunks: Chunks, meter: _Meter) -> Chunks:
    """A file of a zip, unpacked where it is gzip: that packs one stream and is no archive of others."""
    first = next(chunks, b"")
    if isinstance(first, Finding) or not first.startswith(GZIP):
        yield from chain((first,), chunks)
        return
    pieces, size, most = [], 0, meter.limits.upload_bytes
    for chunk in chain((first,), chunks):
        if isinstance(chunk, Finding):
            yield chunk
            return
        size += len(chunk)
        if size > most:
            yield beyond("upload_bytes", most, size)
            return
        pieces.append(chunk)
    yield from _gunzipped(b"".join(pieces), meter)


def _documents(chunks: Chunks, name: str, limits: Limits, inside: bool = False) -> Iterator[Member]:
    """The documents of one stream; whether it is one, or one a line, is seen from its beginning."""
    most = limits.document_bytes
    head, last = _head(chunks, most)
    chunks = chain((head.removeprefix(BYTE_ORDER_MARK),), (last,) if last else (), chunks)
    if inside and head.startswith((GZIP, *ZIPS)):
        yield Member(name, None, (_unreadable("an archive inside an archive"),))
    elif _is_lines(head, name):
        lines = _lines(chunks, most)
        for number, line in islice(lines, limits.lines):
            found = (line,) if isinstance(line, Finding) else ()
            yield Member(f"{name}:{number}", None if isinstance(line, Finding) else line, found)
        if next(lines, None):
            yield Member(name, None, (beyond("lines", limits.lines, limits.lines + 1),))
    elif last:
        yield Member(name, None, (last,))
    elif len(head) > most:
        yield Member(name, None, (beyond("document_bytes", most, len(head)),))
    else:
        yield Member(name, head)


def _head(chunks: Chunks, most: int) -> tuple[bytes, Finding | None]:
    """The beginning of a stream, longer than ``most`` bytes if it is; and its finding if it came to one."""
    pieces: list[bytes] = []
    size = 0
    for chunk in chunks:
        if isinstance(chunk, Finding):
            return b"".join(pieces), chunk
        pieces.append(chunk)
        size += len(chunk)
        if size > most:
            break
    return b"".join(pieces), None


def _is_lines(head: bytes, name: str) -> bool:
    """Whether a stream is one document a line: one of its first two lines is an object already.

    Looking at two lets the first be a broken one. A name that says so counts where they are both no object,
    unless the whole is one.
    """
    head = head.removeprefix(BYTE_ORDER_MARK)
    first = [match[0] for match in islice(_LINE.finditer(head), 2)]
    if len(first) == 2 and first[0].startswith(b"{") and any(map(_is_object, first)):
        return True
    return name.lower().removesuffix(".gz").endswith(LINE_NAMES) and not _is_object(head)


def _is_object(text: bytes) -> bool:
    if not text.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _lines(chunks: Iterable[bytes | Finding], most: int) -> Iterator[tuple[int, bytes | Finding]]:
    """Each line that is not blank, by its number from 1; of one that is too long only how long it is."""
    begun: list[bytes] = []
    number, size = 1, 0
    for chunk in chunks:
        if isinstance(chunk, Finding):
            yield number, chunk
            return
        end = chunk.find(b"\n")
        begun.append(chunk if end < 0 else chunk[:end])
        size += len(begun[-1])
        if size > most:
            begun.clear()
        if end < 0:
            continue
        yield from _line(number, b"".join(begun), size, most)
        last = chunk.rfind(b"\n")
        for match in _LINE.finditer(chunk, end, last):
            number += chunk.count(b"\n", end, match.start())
            end = match.start()
            yield from _line(number, match[0], len(match[0]), most)
        number += chunk.count(b"\n", end, last + 1)
        begun = [chunk[last + 1 :]]
        size = len(begun[0])
    yield from _line(number, b"".join(begun), size, most)


def _line(number: int, line: bytes, size: int, most: int) -> Iterator[tuple[int, bytes | Finding]]:
    if size > most:
        yield number, beyond("document_bytes", most, size)
    elif line := line.strip():
        yield number, line
