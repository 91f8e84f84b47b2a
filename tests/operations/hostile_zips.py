"""Zips made to do harm (operations U3), put together byte by byte where Python's own writer will not."""

import gzip
import io
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from replay.limits import MIB

from .hostile import CLEAN, SOUND, Hostile, changed, gzipped, repeated, sum_of

LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
DEFLATED, STORED = zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED
OTHER = changed(id="other")


def zipped(*files: tuple[str, bytes], how: int = DEFLATED, **changes: int) -> bytes:
    """A zip of files, the last one's entry changed."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", how) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that stand twice
        for number, (name, data) in enumerate(files, 1):
            info = zipfile.ZipInfo(name)
            info.compress_type = how
            if number == len(files):
                for key, value in changes.items():
                    setattr(info, key, value)
            archive.writestr(info, data)
    return target.getvalue()


def beside(name: str, data: bytes = OTHER, **changes: int) -> bytes:
    """A zip of a sound game and a file of this name."""
    return zipped(("sound.json", SOUND), (name, data), **changes)


def patched(data: bytes, *patches: tuple[bytes, int, str, int]) -> bytes:
    """The zip with numbers changed: in the last header of a kind, at an offset, in a format."""
    made = bytearray(data)
    for signature, offset, kind, value in patches:
        struct.pack_into(kind, made, made.rindex(signature) + offset, value)
    return bytes(made)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a zip's directory: a name, and where its file stands."""

    name: bytes
    at: int
    packed: int
    size: int
    crc: int


def directory(files: bytes, entries: Sequence[Entry]) -> bytes:
    """Bytes of files with a directory that says of them what it likes."""
    lines = b"".join(
        CENTRAL
        + struct.pack(
            "<HHHHHHIIIHHHHHII", 20, 20, 0, 8, 0, 0, e.crc, e.packed, e.size, len(e.name), 0, 0, 0, 0, 0, e.at
        )
        + e.name
        for e in entries
    )
    count = len(entries) & 0xFFFF
    return files + lines + END + struct.pack("<HHHHIIH", 0, 0, count, count, len(lines), len(files), 0)


def local(name: bytes, packed: bytes, size: int, crc: int) -> bytes:
    """A deflated file with its local header."""
    return (
        LOCAL
        + struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0, crc, len(packed), size, len(name), 0)
        + name
        + packed
    )


def kernel_shared() -> bytes:
    """Many names for one compressed kernel: the overlapping bomb of CVE-2024-0450."""
    text = b" " * MIB
    packed, crc = repeated(b"", text, 1), zlib.crc32(text)
    file = local(b"0", packed, len(text), crc)
    return directory(file, [Entry(b"%d" % n, 0, len(packed), len(text), crc) for n in range(500)])


def quoted() -> bytes:
    """Fifield's bomb: each file holds, in a stored block, the header of the next, and all end in one kernel."""
    text = b" " * MIB
    kernel, count = repeated(b"", text, 1), 50
    parts: list[bytes] = []
    tail = local(b"%02d" % (count - 1), kernel, len(text), zlib.crc32(text))
    packed, sizes, crcs = [len(kernel)], [len(text)], [zlib.crc32(text)]
    content = text
    for number in reversed(range(count - 1)):
        header = tail[: 30 + 2]
        block = b"\0" + struct.pack("<HH", len(header), len(header) ^ 0xFFFF)
        content = header + content
        stream = block + tail
        crcs.append(zlib.crc32(content))
        sizes.append(len(content))
        packed.append(len(stream))
        tail = local(b"%02d" % number, stream, len(content), crcs[-1])
    place, entries = 0, []
    for number in range(count):
        n = count - 1 - number
        entries.append(Entry(b"%02d" % number, place, packed[n], sizes[n], crcs[n]))
        place += 30 + 2 + 5
    parts.append(tail)
    return directory(b"".join(parts), entries)


def bombs(count: int, size: int) -> bytes:
    """A zip of so many files of so many MiB of white space."""
    white = b" " * MIB
    packed, text, crc = repeated(b"{", white, size), size * MIB + 1, sum_of(b"{", white, size)
    files, entries = b"", []
    for number in range(count):
        name = b"%d.json" % number
        entries.append(Entry(name, len(files), len(packed), text, crc))
        files += local(name, packed, text, crc)
    return directory(files, entries)


def bomb_in_bomb(size: int) -> bytes:
    """A zip of a sound game and a gzip of so many MiB of blank lines."""
    return beside("x.ndjson.gz", gzipped(b"", b"\n" * MIB, size))


def of_names() -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    """Names in a zip: labels, never paths."""
    for name in (
        "../hostile-escape.json",
        "a/../../hostile-escape.json",
        "/tmp/hostile-escape.json",
        "C:hostile-escape.json",
        "C:/hostile-escape.json",
        "a\\..\\hostile-escape.json",
        "\\\\host\\share\\hostile-escape.json",
    ):
        yield f"zip with {name}", beside(name), (CLEAN, "LOG006")
    yield "zip with NUL in a name", beside("x.json").replace(b"x.json", b"x\0json"), (CLEAN, "LOG006")
    yield "zip with an empty name", zipped(("sound.json", SOUND), ("", OTHER)), (CLEAN, "LOG006")
    yield (
        "zip with a name twice",
        zipped(("a.json", SOUND), ("b.json", OTHER), ("a.json", b"1")),
        ("LOG002", CLEAN),
    )
    for title, name in (
        ("script", "<script>alert(1)</script>.json"),
        ("right to left", "\u202egpj.json"),
        ("5,000 characters", "n" * 5000),
        ("a line feed", "a\nb.json"),
        ("a device", "CON"),
    ):
        yield f"zip with a name: {title}", beside(name), (CLEAN, CLEAN)


def of_kinds() -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    """Kinds of files in a zip, and how they are packed."""
    bad = (CLEAN, "LOG006")
    yield "zip with a link", beside("l", b"/etc/passwd", external_attr=(stat.S_IFLNK | 0o777) << 16), bad
    yield "zip with a device", beside("d", b"", external_attr=(stat.S_IFBLK | 0o777) << 16), bad
    yield "zip with a pipe", beside("p", b"", external_attr=(stat.S_IFIFO | 0o777) << 16), bad
    yield (
        "zip with an encrypted file",
        patched(beside("x.json"), (LOCAL, 6, "<H", 1), (CENTRAL, 8, "<H", 1)),
        bad,
    )
    yield (
        "zip with strong encryption",
        patched(beside("x.json"), (LOCAL, 6, "<H", 65), (CENTRAL, 8, "<H", 65)),
        bad,
    )
    yield "zip in a zip", beside("x.zip", zipped(("a.json", SOUND))), bad
    packed = gzip.compress(OTHER, mtime=0)
    yield "gzip in a zip", beside("x.gz", packed), (CLEAN, CLEAN)
    yield "gzip in a zip, cut short", beside("x.gz", packed[:-9]), bad
    yield "gzip in gzip in a zip", beside("x.gz", gzip.compress(packed, mtime=0)), bad
    yield "zip in gzip in a zip", beside("x.gz", gzip.compress(zipped(("a.json", SOUND)), mtime=0)), bad
    yield "zip with bzip2", beside("x.json", compress_type=zipfile.ZIP_BZIP2), bad
    yield "zip with lzma", beside("x.json", compress_type=zipfile.ZIP_LZMA), bad
    yield (
        "zip of a method nobody knows",
        patched(beside("x.json"), (LOCAL, 8, "<H", 77), (CENTRAL, 10, "<H", 77)),
        bad,
    )
    yield "zip of folders", zipped(("a/", b""), ("a/b/", b"")), ("LOG006",)
    yield "zip of nothing", zipped(), ("LOG006",)
    yield "zip of a Mac's shadows", zipped(("a.json", SOUND), ("__MACOSX/._a.json", b"\0\5")), (CLEAN,)


def of_lies() -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    """Zips that say of themselves what is not so."""
    whole, stored = beside("x.json"), beside("x.json", how=STORED)
    bad = (CLEAN, "LOG006")
    yield "zip cut short", whole[:-30], ("LOG006",)
    yield "zip of a head alone", LOCAL + b"\0" * 26, ("LOG006",)
    yield "zip with junk before it", b"MZ\x90\0" + whole, ("LOG007",)
    yield "zip with words before it", b"junk " + whole, ("LOG007",)
    yield "zip with junk behind it", whole + b"junk" * 9, (CLEAN, CLEAN)
    yield "zip with a wrong sum", patched(whole, (CENTRAL, 16, "<I", 1)), bad
    yield "zip with damage inside", stored.replace(b'"other"', b'"0ther"'), bad
    yield "zip that says a file is smaller", patched(whole, (LOCAL, 22, "<I", 9), (CENTRAL, 24, "<I", 9)), bad
    yield "zip that says a file is larger", patched(whole, (CENTRAL, 24, "<I", 2**31)), (CLEAN, CLEAN)
    yield "zip that says less is packed", patched(whole, (CENTRAL, 20, "<I", 9)), bad
    yield "zip whose names differ within", whole.replace(b"x.json", b"y.json", 1), bad
    yield "zip with a descriptor that lies", descriptor(), bad
    yield "zip64 of lies", zip64(), bad
    yield "zip with a file beyond its end", patched(whole, (CENTRAL, 42, "<I", 2**31)), bad
    yield "zip whose directory is elsewhere", patched(whole, (END, 16, "<I", 2**31)), ("LOG006", "LOG006")
    yield "zip whose directory has no size", patched(whole, (END, 12, "<I", 0)), ("LOG006",)
    yield "zip with files that overlap", patched(stored, (CENTRAL, 42, "<I", 4)), ("LOG006", "LOG006")
    yield "zip of one kernel under 500 names", kernel_shared(), ("LOG006",) * 500
    yield "zip of Fifield's, 50 files in one", quoted(), ("LOG006",) * 50


def descriptor() -> bytes:
    """A file written as a stream, with sizes behind it that are not its own."""
    target = io.BytesIO()

    class Stream(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            return target.write(data)

    with zipfile.ZipFile(Stream(), "w", DEFLATED) as archive:
        archive.writestr("sound.json", SOUND)
        archive.writestr("x.json", OTHER)
    return patched(target.getvalue(), (b"PK\7\x08", 12, "<I", 5), (CENTRAL, 24, "<I", 5))


def zip64() -> bytes:
    """A directory entry whose extra field says that the file has four exabytes."""
    extra = struct.pack("<HHQQ", 1, 16, 2**62, 2**62)
    info = zipfile.ZipInfo("x.json")
    info.extra = extra
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("sound.json", SOUND)
        archive.writestr(info, OTHER)
    return patched(target.getvalue(), (CENTRAL, 20, "<I", 2**32 - 1), (CENTRAL, 24, "<I", 2**32 - 1))


def many(count: int) -> bytes:
    """A zip of so many empty files."""
    return zipped(*((f"{number}.json", b"") for number in range(count)), how=STORED)


def zips() -> Iterator[Hostile]:
    """Every zip."""
    for title, data, expected in (*of_names(), *of_kinds(), *of_lies()):
        yield Hostile(title, partial(bytes, data), expected, "hostile.zip")
    large: list[tuple[str, Callable[[], bytes], tuple[str, ...]]] = [
        ("zip of 10,001 files", partial(many, 10_001), ("LOG008",)),
        ("zip bomb of one file, 1 GiB", partial(bombs, 1, 1024), ("LOG008",)),
        ("zip bomb of 30 files, 3 MiB each", partial(bombs, 30, 3), ("LOG006",) * 21 + ("LOG008",)),
        ("zip bomb of a gzip bomb, 1 GiB", partial(bomb_in_bomb, 1024), (CLEAN, "LOG008")),
        ("zip bomb of 15 files, 100 MiB each", partial(bombs, 15, 100), ("LOG008",) * 15),
    ]
    for title, make, expected in large:
        yield Hostile(title, make, expected, "hostile.zip")
