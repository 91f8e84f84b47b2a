"""Files by the SHA-256 of what they hold: written beside their place, then moved there whole."""

import errno
import hashlib
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from sqlmodel import Session

from replay.store.database import together


class TooLarge(ValueError):
    """More bytes than allowed; ``most`` is how many."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most} bytes")


FILES = "files"
"""What is held while files are deleted, and shared by all that refer to files."""

PIECE = 256 * 1024
"""Bytes that are read at a time."""

FORGOTTEN_SECONDS = 24 * 3600
"""A file that is still incoming after so long was left by a process that died."""


class Blobs:
    """A folder of files, each named by its digest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.incoming = folder / "incoming"
        self.incoming.mkdir(parents=True, exist_ok=True)
        self._forget_unfinished()

    def path(self, digest: str) -> Path:
        """Where the file of this digest stands, if it is there."""
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise ValueError("not a digest")
        return self.folder / digest[:2] / digest[2:]

    def keep(self, pieces: Iterable[bytes], most: int | None = None) -> tuple[str, int]:
        """Store what comes in pieces; returns its digest and size. Raises `TooLarge`; then nothing is kept."""
        digest, size = hashlib.sha256(), 0
        beside = self.incoming / uuid4().hex
        try:
            with beside.open("xb") as stream:
                for piece in pieces:
                    size += len(piece)
                    if most is not None and size > most:
                        raise TooLarge(most)
                    digest.update(piece)
                    stream.write(piece)
                target = self.path(digest.hexdigest())
                if not _holds(target, size):
                    stream.flush()
                    os.fsync(stream.fileno())
                    self._make(target.parent)
                    beside.replace(target)
            # Of what was there already too: its writer may have died before its name was safe.
            sync_folder(target.parent)
        finally:
            # What went wrong is to be told, not that the disk lets nothing be tidied either.
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        return digest.hexdigest(), size

    def _make(self, folder: Path) -> None:
        """Make a folder whose own name lasts, too."""
        if not folder.is_dir():
            folder.mkdir(exist_ok=True)
            sync_folder(self.folder)

    def _forget_unfinished(self) -> None:
        """Remove what processes that died left half written."""
        long_ago = time.time() - FORGOTTEN_SECONDS
        with suppress(OSError):
            for path in self.incoming.iterdir():
                if path.stat().st_mtime < long_ago:
                    path.unlink(missing_ok=True)

    def remove(self, digest: str) -> None:
        """Delete the file of this digest, which no row refers to (`replay.store.removing`)."""
        self.path(digest).unlink(missing_ok=True)

    def need(self, session: Session, digests: Iterable[str]) -> None:
        """Hold files to the end of a transaction that refers to them.

        Raises ``OSError`` for one that was removed since it was kept, because of rows that were: what wants it is to
        be tried again.
        """
        together(session, FILES)
        for digest in digests:
            if not self.path(digest).exists():
                raise OSError(errno.EIO, "a file was removed meanwhile")

    def digest_at(self, digest: str) -> str | None:
        """The SHA-256 of what stands there now, which is another where the file was changed; None for no file."""
        made = hashlib.sha256()
        try:
            with self.path(digest).open("rb") as stream:
                while piece := stream.read(PIECE):
                    made.update(piece)
        except (FileNotFoundError, ValueError):
            return None
        return made.hexdigest()

    def read(self, digest: str, start: int = 0, size: int | None = None) -> bytes:
        """What the file of this digest holds, or a part of it."""
        with self.path(digest).open("rb") as stream:
            stream.seek(start)
            return stream.read() if size is None else stream.read(size)


def _holds(path: Path, size: int) -> bool:
    """Whether a file of that size stands there: files get their names whole, so it holds what its name says."""
    try:
        return path.stat().st_size == size
    except FileNotFoundError:
        return False


def sync_folder(folder: Path) -> None:
    """Make the names in a folder last through a power failure."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
