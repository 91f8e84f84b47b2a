"""Which files of a zip are refused before they are opened, judged by the zip's directory alone."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from stat import S_ISDIR, S_ISREG
from zipfile import ZipInfo

_LOCAL_HEADER = 30
_LOCAL_LENGTHS = slice(26, 30)
"""In a local header: two bytes for the length of the name, two for the extra field's, low byte first."""

_ENCRYPTED = 0x1 | 0x40
"""General purpose flags 0 (encrypted) and 6 (strong encryption)."""


def refusals(data: bytes, infos: Sequence[ZipInfo], directory: int) -> list[str]:
    """For each file of a zip why it is refused, or ""; the directory begins in ``data`` at ``directory``."""
    crossing = _crossing(data, infos, directory)
    return [
        _name_problem(info.orig_filename)
        or ("an encrypted file in a zip" if info.flag_bits & _ENCRYPTED else "")
        or ("" if _is_regular(info) else "a link or device in a zip")
        or ("files that overlap in a zip" if crossing[position] else "")
        for position, info in enumerate(infos)
    ]


def shared_names(infos: Sequence[ZipInfo]) -> dict[str, list[int]]:
    """Each name that several files of a zip have, with their numbers, counted from 1."""
    numbers: dict[str, list[int]] = {}
    for number, info in enumerate(infos, 1):
        if not is_passed_over(info):
            numbers.setdefault(info.orig_filename, []).append(number)
    return {name: places for name, places in numbers.items() if len(places) > 1}


def is_passed_over(info: ZipInfo) -> bool:
    """Whether it is a folder, or lies in the one that a Mac adds, in which no file is the user's."""
    return info.filename.endswith("/") or info.filename.startswith("__MACOSX/")


def _name_problem(name: str) -> str:
    """What is wrong with a name, were it ever used as a path; ours never is.

    >>> [bool(_name_problem(name)) for name in ("a/b.json", "a/../b", "/a", "c:x", "a\\\\b", "a\\0", "")]
    [False, True, True, True, True, True, True]
    """
    if not name or "\0" in name:
        return "a file without a plain name in a zip"
    if name.startswith("/") or "\\" in name or name[1:2] == ":":
        return "an absolute name in a zip"
    return "a name that climbs out of a zip" if ".." in PurePosixPath(name).parts else ""


def _is_regular(info: ZipInfo) -> bool:
    """A file or a folder; a mode of 0 is a system that has none."""
    mode = info.external_attr >> 16
    return not mode & 0o170000 or S_ISREG(mode) or S_ISDIR(mode)


def _crossing(data: bytes, infos: Sequence[ZipInfo], directory: int) -> list[bool]:
    """For each file whether its bytes, header included, reach into another's or into the directory."""
    crossing = [False] * len(infos)
    order = sorted(range(len(infos)), key=lambda position: infos[position].header_offset)
    reach, widest = 0, -1
    for position in order:
        info = infos[position]
        start = info.header_offset
        lengths = data[start : start + _LOCAL_HEADER][_LOCAL_LENGTHS]
        size = (
            int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little") + info.compress_size
        )
        if start < reach:
            crossing[position] = crossing[widest] = True
        end = start + _LOCAL_HEADER + size
        crossing[position] |= end > directory
        if end > reach:
            reach, widest = end, position
    return crossing
