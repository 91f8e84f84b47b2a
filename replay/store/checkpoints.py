"""Checkpoints: how long the verdict log was and what its last hash was, signed, in the database and beside it (D9).

What is signed is ``{at, format, head, key, size}`` by RFC 8785. A checkpoint as a file is the same with its signature.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from replay.settings import KEY_DIGITS
from replay.store.blobs import sync_folder
from replay.store.database import clock, insert, reading, writing
from replay.store.keys import is_signed, public_digits
from replay.store.tables import LARGEST, Checkpoint, LogHead
from replay.store.verdicts import canonical

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = "xuezhan-checkpoint/1"
EVERY_ROWS = 100
EVERY_MS = 3_600_000
SIGNATURE_DIGITS = 128
LONGEST_FILE = 4096
"""Bytes of a checkpoint's file; it has a tenth of that."""


class NoCheckpoint(ValueError):
    """A file that holds no checkpoint."""


class LogDiffers(RuntimeError):
    """The log has as many rows as at an earlier checkpoint, and not the head that it had then."""


# What one is -----------------------------------------------------------------------------------------


def signed_bytes(checkpoint: Checkpoint) -> bytes:
    """The bytes that are signed."""
    return canonical(_stated(checkpoint))


def _stated(checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "size": checkpoint.size,
        "head": checkpoint.head,
        "at": checkpoint.at,
        "key": checkpoint.key,
    }


def is_sound(checkpoint: Checkpoint) -> bool:
    """Whether the key that a checkpoint names has signed it."""
    try:
        return is_signed(checkpoint.key, checkpoint.signature, signed_bytes(checkpoint))
    except (ValueError, TypeError):
        return False


def signed(size: int, head: str, at: int, key: "Ed25519PrivateKey") -> Checkpoint:
    """A checkpoint, signed."""
    made = Checkpoint(size=size, head=head, at=at, key=public_digits(key), signature="")
    made.signature = key.sign(signed_bytes(made)).hex()
    return made


def file_bytes(checkpoint: Checkpoint) -> bytes:
    """A checkpoint as a file."""
    return canonical({**_stated(checkpoint), "signature": checkpoint.signature}) + b"\n"


def read_checkpoint(data: bytes) -> Checkpoint:
    """The checkpoint in a file; whether it is sound is asked of it. Raises `NoCheckpoint`."""
    try:
        found = json.loads(data) if len(data) <= LONGEST_FILE else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not _is_formed(found):
        raise NoCheckpoint
    return Checkpoint(**{name: value for name, value in found.items() if name != "format"})


def _is_formed(found: Mapping[str, Any]) -> bool:
    return (
        found.keys() == {"format", "size", "head", "at", "key", "signature"}
        and found["format"] == FORMAT
        and all(type(found[name]) is int and 0 <= found[name] <= LARGEST for name in ("size", "at"))
        and all(isinstance(found[name], str) for name in ("head", "key", "signature"))
        and all(KEY_DIGITS.fullmatch(found[name]) for name in ("head", "key"))
        and len(found["signature"]) == SIGNATURE_DIGITS
    )


# Making ----------------------------------------------------------------------------------------------


def is_due(engine: Engine) -> bool:
    """Whether there are new rows, and a hundred was reached or an hour has passed since the last checkpoint."""
    last = select(col(Checkpoint.size), col(Checkpoint.at)).order_by(col(Checkpoint.size).desc()).limit(1)
    with reading(engine) as session:
        size = session.execute(select(col(LogHead.size))).scalar_one()
        before, at = session.execute(last).one_or_none() or (0, 0)
        late = clock(session) - at >= EVERY_MS
    return bool(size > before and (late or size // EVERY_ROWS > before // EVERY_ROWS))


def make_checkpoint(engine: Engine, key: "Ed25519PrivateKey", folder: Path) -> Checkpoint:
    """Sign the head as it is now, or take the checkpoint of this size that there is; its file is written too.

    Raises `LogDiffers`.
    """
    with writing(engine) as session:
        size, head = session.execute(select(col(LogHead.size), col(LogHead.hash))).one()
        made = signed(size, head, clock(session), key)
        session.execute(insert(session, Checkpoint).values(**made.model_dump()).on_conflict_do_nothing())
        kept = _at(session, size)
        session.expunge_all()
    if kept is None or kept.head != head:
        raise LogDiffers
    write_file(kept, folder)
    return kept


def write_file(checkpoint: Checkpoint, folder: Path) -> Path:
    """Write a checkpoint beside the database; one of that size that says something else is left as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    data = file_bytes(checkpoint)
    beside = folder / f".{checkpoint.size}.{token_urlsafe(8)}.part"
    try:
        with beside.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        for name in (checkpoint.size, f"{checkpoint.size}-{checkpoint.head[:16]}"):
            path = folder / f"{name}.json"
            try:
                os.link(beside, path)
            except FileExistsError:
                if path.read_bytes() != data:
                    continue
            break
    finally:
        beside.unlink(missing_ok=True)
    sync_folder(folder)
    return path


def files_in(folder: Path) -> Iterator[tuple[Path, Checkpoint | None]]:
    """The checkpoints that were written beside the database, in order of their names; None for what is none."""
    for path in sorted(folder.glob("[0-9]*.json")):
        try:
            with path.open("rb") as stream:
                yield path, read_checkpoint(stream.read(LONGEST_FILE + 1))
        except NoCheckpoint:
            yield path, None


# Reading ---------------------------------------------------------------------------------------------


def newest_checkpoint(engine: Engine) -> Checkpoint | None:
    """The checkpoint of the longest log; None before the first."""
    return next(iter(checkpoints_of(engine, 1)), None)


def checkpoints_of(engine: Engine, most: int, first: int = 0) -> list[Checkpoint]:
    """So many checkpoints, the newest first, from a position on."""
    with reading(engine) as session:
        chosen = select(Checkpoint).order_by(col(Checkpoint.size).desc()).offset(first).limit(most)
        found = list(session.execute(chosen).scalars())
        session.expunge_all()
    return found


def count_checkpoints(engine: Engine) -> int:
    """How many checkpoints there are."""
    with reading(engine) as session:
        return int(session.execute(select(func.count()).select_from(Checkpoint)).scalar_one())


def checkpoint_at(engine: Engine, size: int) -> Checkpoint | None:
    """The checkpoint of a log of this size, if one was made."""
    if size > LARGEST:
        return None
    with reading(engine) as session:
        found = _at(session, size)
        session.expunge_all()
    return found


def _at(session: Session, size: int) -> Checkpoint | None:
    return session.execute(select(Checkpoint).where(col(Checkpoint.size) == size)).scalar_one_or_none()
