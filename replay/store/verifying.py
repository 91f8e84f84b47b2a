"""Whether the verdict log is as it was written: every row, the cases that the rows are about, every checkpoint (D9).

A row that was changed, left out or put elsewhere is found. Rows cut off the end, or a log written anew as a whole,
are found by whoever holds a checkpoint from before. Only so many rows are held at a time.
"""

from collections.abc import Generator, Iterable, Iterator
from hashlib import sha256

import orjson
from sqlalchemy import Engine, and_, select, text
from sqlmodel import Session, col

from replay.store.blobs import Blobs
from replay.store.cases.verifying import cases_verified
from replay.store.checkpoints import is_sound
from replay.store.database import reading
from replay.store.fault import Fault as Fault
from replay.store.tables import Checkpoint, DisputeEntry, LogHead, VerdictRow
from replay.store.verdicts import CASE, FIRST_PREV, fields_of, row_hash

AT_ONCE = 500
"""Rows that are read at a time."""

ENTRY_FORMAT = "xuezhan-case-entry/1"
ENTRY_COLUMNS = {
    "case": "dispute_id",
    "position": "position",
    "at": "at",
    "kind": "kind",
    "actor": "actor",
}
"""What the payload of an entry states, and the columns that hold it as well."""


def verify(
    engine: Engine,
    held: Iterable[Checkpoint] = (),
    keys: frozenset[str] = frozenset(),
    blobs: Blobs | None = None,
) -> Iterator[Fault]:
    """All that is wrong with the log, and with the cases that it holds fast, as they are at this moment.

    ``held`` are checkpoints from outside the database. ``keys`` are those that may sign; none: any. With ``blobs`` the
    files of cases are hashed anew.
    """
    with reading(engine) as session:
        if engine.dialect.name == "postgresql":
            # Rows that are added meanwhile are not seen; SQLite's reading is such by itself.
            session.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
        last = yield from rows_verified(session)
        yield from head_verified(session, *last)
        yield from unlogged(session)
        yield from cases_verified(session, blobs)
        for one in stored(session):
            yield from checkpoint_verified(session, one, last[0], keys)
        for one in held:
            yield from checkpoint_verified(session, one, last[0], keys)


# Rows ------------------------------------------------------------------------------------------------


def rows_verified(session: Session) -> Generator[Fault, None, tuple[int, str]]:
    """Each row against its hash, the one before, and the entry that it is about; returns the last number and hash."""
    seq, prev = 0, FIRST_PREV
    about = and_(col(DisputeEntry.id) == col(VerdictRow.subject), col(VerdictRow.kind).startswith(CASE))
    chosen = select(VerdictRow, DisputeEntry).join(DisputeEntry, about, isouter=True)
    chosen = chosen.order_by(col(VerdictRow.seq)).limit(AT_ONCE)
    after: int | None = None
    while True:
        beyond = chosen if after is None else chosen.where(col(VerdictRow.seq) > after)
        page = session.execute(beyond).all()
        for row, entry in page:
            yield from row_faults(row, seq + 1, prev)
            if str(row.kind).startswith(CASE):
                yield from entry_faults(row, entry)
            seq, prev = row.seq if isinstance(row.seq, int) else seq + 1, row.hash
        session.expunge_all()
        if len(page) < AT_ONCE:
            return seq, prev
        after = page[-1][0].seq


def row_faults(row: VerdictRow, seq: int, prev: str) -> Iterator[Fault]:
    """What is wrong with a row where one of this number is expected, after that hash."""
    if row.seq != seq:
        yield Fault("number", {"seq": row.seq, "found": row.seq, "expected": seq})
    if row.prev != prev:
        yield Fault("prev", {"seq": row.seq, "found": row.prev, "expected": prev})
    try:
        expected = row_hash(fields_of(row))
    except (ValueError, TypeError):
        yield Fault("malformed", {"seq": row.seq})
        return
    if row.hash != expected:
        yield Fault("hash", {"seq": row.seq, "found": row.hash, "expected": expected})


def entry_faults(row: VerdictRow, entry: DisputeEntry | None) -> Iterator[Fault]:
    """What is wrong with the entry of a case that a row is about."""
    if entry is None:
        yield Fault("missing", {"seq": row.seq, "subject": row.subject})
        return
    digest = sha256(str(entry.payload).encode(errors="surrogatepass")).hexdigest()
    told: list[tuple[str, object, object]] = [
        ("payload", digest, row.payload_sha256),
        ("sha256", entry.sha256, row.payload_sha256),
        ("kind", f"{CASE}{entry.kind}", row.kind),
        ("actor", entry.actor, row.actor),
        *((name, getattr(entry, name), stated) for name, stated in _stated(entry).items()),
    ]
    wrong = {name: (found, expected) for name, found, expected in reversed(told) if found != expected}
    for name, (found, expected) in reversed(wrong.items()):
        facts = {"seq": row.seq, "subject": row.subject, "name": name}
        yield Fault("entry", {**facts, "found": found, "expected": expected})


def _stated(entry: DisputeEntry) -> dict[str, object]:
    """The columns of an entry that its payload states as well; {} where it is of another format."""
    try:
        payload = orjson.loads(entry.payload)
    except ValueError:
        return {}
    if not isinstance(payload, dict) or payload.get("format") != ENTRY_FORMAT:
        return {}
    return {column: payload.get(name) for name, column in ENTRY_COLUMNS.items()}


def head_verified(session: Session, seq: int, last: str) -> Iterator[Fault]:
    """The row that says how long the log is, against the last row."""
    head = session.execute(select(LogHead)).scalar_one_or_none()
    if head is None:
        yield Fault("no_head", {})
        return
    if head.size != seq:
        yield Fault("size", {"found": seq, "expected": head.size})
    if head.hash != last:
        yield Fault("head", {"found": last, "expected": head.hash})


def unlogged(session: Session) -> Iterator[Fault]:
    """Entries of cases that no row is about."""
    logged = select(col(VerdictRow.seq)).where(col(VerdictRow.subject) == col(DisputeEntry.id)).exists()
    chosen = select(col(DisputeEntry.id)).where(~logged).order_by(col(DisputeEntry.id)).limit(AT_ONCE)
    after = ""
    while True:
        page = list(session.execute(chosen.where(col(DisputeEntry.id) > after)).scalars())
        yield from (Fault("unlogged", {"subject": one}) for one in page)
        if len(page) < AT_ONCE:
            return
        after = page[-1]


# Checkpoints -----------------------------------------------------------------------------------------


def stored(session: Session) -> Iterator[Checkpoint]:
    """The checkpoints of the database, the earliest first."""
    chosen = select(Checkpoint).order_by(col(Checkpoint.size)).limit(AT_ONCE)
    after = -1
    while True:
        page = list(session.execute(chosen.where(col(Checkpoint.size) > after)).scalars())
        session.expunge_all()
        yield from page
        if len(page) < AT_ONCE:
            return
        after = page[-1].size


def checkpoint_verified(
    session: Session, one: Checkpoint, last: int, keys: frozenset[str]
) -> Iterator[Fault]:
    """A checkpoint's signature and key, and the head of the log when it had that size."""
    if not is_sound(one):
        yield Fault("signature", {"size": one.size, "key": one.key})
    if keys and one.key not in keys:
        yield Fault("key", {"size": one.size, "found": one.key, "expected": ", ".join(sorted(keys))})
    then = select(col(VerdictRow.hash)).where(col(VerdictRow.seq) == one.size)
    head = FIRST_PREV if one.size == 0 else session.execute(then).scalar_one_or_none()
    if head is None:
        yield Fault("cut", {"size": one.size, "last": last})
    elif head != one.head:
        yield Fault("checkpoint", {"size": one.size, "found": head, "expected": one.head})
