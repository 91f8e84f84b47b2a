"""Where logs come from: files, folders, standard input, each read once.

A compressed file is held whole, up to the limit for an upload. Plain text may be longer than that where it is
one document a line: it is then read, and held, piece by piece. A pipe is read that holds something or that
somebody is writing to, as with ``<(zcat x)``; for somebody to come it is waited a second, not for ever.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from io import BufferedReader, FileIO
from pathlib import Path
from time import sleep
from typing import Any, BinaryIO

from replay.containers import GZIP, LINE_NAMES, ZIPS, Member, members
from replay.faults import beyond
from replay.intake import digest_of
from replay.limits import DEFAULT, MIB, Limits

STDIN = "-"
STDIN_NAME = "stdin"
SUFFIXES = (".json", *LINE_NAMES, ".gz", ".zip")
REPORTS = ".report.json"
PIECE = 8 * MIB
LOOKS, PAUSE = 20, 0.05
"""How often a pipe is looked at for a writer, and the seconds between: one started beside us may come late."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, or standard input where ``path`` is None; ``problem`` says why there is none."""

    name: str
    path: Path | None = None
    size: int = 0
    problem: OSError | None = None


class NoLogsError(OSError):
    """A folder or a file in which there is no log."""


class NotAFileError(OSError):
    """A socket or a device, which may go on for ever."""


class NoWriterError(OSError):
    """A pipe that holds nothing and that nobody writes to."""


@dataclass(slots=True)
class Document:
    """One member of a source; ``digest`` gives its SHA-256, that of the source where it has no bytes."""

    member: Member
    digest: Callable[[], str]


def sources(arguments: Iterable[str]) -> Iterator[Source]:
    """What is to be read, in the order asked for; what a folder holds, to the bottom, sorted by path."""
    for argument in arguments:
        path = Path(argument)
        if argument == STDIN:
            yield Source(STDIN_NAME)
        elif path.is_dir():
            files = sorted(files_in(path))
            yield from map(file_source, files)
            if not files:
                yield Source(argument, path, problem=NoLogsError(argument))
        else:
            yield file_source(path)


def files_in(folder: Path) -> Iterator[Path]:
    """The logs in a folder and below: by suffix, not hidden, no reports. Links to folders are passed over."""
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            lower = name.lower()
            if lower.endswith(SUFFIXES) and not lower.endswith(REPORTS) and not name.startswith("."):
                path = Path(above, name)
                if may_be_read(path):
                    yield path


def may_be_read(path: Path) -> bool:
    """Whether it is a file, or cannot be looked at, which is then said: a pipe or a device could go on for ever."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def file_source(path: Path) -> Source:
    """A file, with what stands in the way of reading it."""
    try:
        found = path.stat()
    except OSError as error:
        return Source(str(path), path, problem=error)
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISFIFO(found.st_mode):
        return Source(str(path), path, problem=NotAFileError(path))
    return Source(str(path), path, found.st_size)


def documents(source: Source, limits: Limits = DEFAULT) -> Iterator[Document]:
    """The documents of a source one after another. Raises ``OSError`` when it cannot be read."""
    if source.problem is not None:
        raise source.problem
    piece = max(PIECE, limits.document_bytes + 1)
    if source.path is None:
        yield from read(sys.stdin.buffer, source.name, limits, piece)
        return
    with opened(source.path) as stream:
        yield from read(stream, source.name, limits, piece)


def opened(path: Path) -> BinaryIO:
    """A file, or a pipe that holds something or has a writer. Raises ``OSError``."""
    if not path.is_fifo():
        return path.open("rb")
    pipe = Pipe(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    try:
        pipe.begun = beginning(pipe.fileno())
        os.set_blocking(pipe.fileno(), True)
    except OSError:
        pipe.close()
        raise
    return BufferedReader(pipe)


def beginning(pipe: int) -> bytes:
    """What a pipe holds; nothing where its writer has written nothing yet. Raises `NoWriterError`."""
    for _ in range(LOOKS):
        try:
            if held := os.read(pipe, MIB):
                return held
        except BlockingIOError:
            return b""
        sleep(PAUSE)
    raise NoWriterError


class Pipe(FileIO):
    """A pipe whose first bytes have been read already."""

    begun = b""

    def readinto(self, buffer: Any, /) -> int | None:
        """Those bytes, then what follows."""
        if not self.begun:
            return super().readinto(buffer)
        size = min(len(buffer), len(self.begun))
        buffer[:size], self.begun = self.begun[:size], self.begun[size:]
        return size


def up_to(stream: BinaryIO, most: int) -> bytes:
    """At most so many bytes; no room is made for more than come."""
    pieces = []
    while most > 0 and (piece := stream.read(min(most, PIECE))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def read(stream: BinaryIO, name: str, limits: Limits = DEFAULT, piece: int = PIECE) -> Iterator[Document]:
    """The documents in a stream: held whole where it is compressed or short, else line by line.

    ``piece`` is more than a document may have.
    """
    data = up_to(stream, piece)
    if data.startswith((GZIP, *ZIPS)):
        data += up_to(stream, limits.upload_bytes + 1 - len(data))
    elif len(data) == piece and (more := stream.read(1)):
        yield from long_lines(data + more, stream, name, limits, piece)
        return
    for member in members(data, name, limits):
        yield document(member, data)


def document(member: Member, data: bytes) -> Document:
    """A member, and the digest of its bytes or else of those it came from."""
    return Document(member, partial(digest_of, data if member.data is None else member.data))


def long_lines(data: bytes, stream: BinaryIO, name: str, limits: Limits, piece: int) -> Iterator[Document]:
    """The documents of a long stream, one a line; one document that long is beyond every limit."""
    first = next(members(data, name, limits), None)
    if first is not None and first.name == name:
        yield document(first, data)
        return
    before, left = 0, limits.lines
    for block in blocks(data, stream, piece):
        for line in lines(block, name, before, limits):
            if not left:
                yield document(Member(name, None, (beyond("lines", limits.lines, limits.lines + 1),)), block)
                return
            left -= 1
            yield line
        before += block.count(b"\n") or 1


def blocks(data: bytes, stream: BinaryIO, piece: int) -> Iterator[bytes]:
    """Whole lines, about a piece at a time; of a line longer than that, only its beginning.

    ``piece`` is more than a document may have, so what reads the beginning will refuse it.
    """
    while more := up_to(stream, piece):
        end = data.rfind(b"\n") + 1
        if end:
            yield data[:end]
            data = data[end:] + more
        elif len(data) > piece:
            yield data
            data = past_line(more, stream, piece)
        else:
            data += more
    yield data


def past_line(data: bytes, stream: BinaryIO, piece: int) -> bytes:
    """What follows the end of the line that ``data`` is in the middle of."""
    while data and b"\n" not in data:
        data = up_to(stream, piece)
    return data.partition(b"\n")[2]


def lines(block: bytes, name: str, before: int, limits: Limits) -> Iterator[Document]:
    """The documents of some whole lines that ``before`` lines stand ahead of.

    What is limited for an upload as a whole, its bytes and lines, is not judged by a part of it.
    """
    limits = replace(limits, upload_bytes=len(block), lines=len(block))
    blank = block[: len(block) - len(block.lstrip())].count(b"\n")
    for member in members(block, LINE_NAMES[0], limits):
        _, colon, number = member.name.partition(":")
        place = int(number) if colon else blank + 1
        data = None if member.data is None else member.data.strip()
        yield document(replace(member, name=f"{name}:{before + place}", data=data), block)
