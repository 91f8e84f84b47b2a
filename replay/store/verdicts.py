"""The verdict log: rows that are only ever added, each with a hash over itself and the row before (operations D7).

``hash = SHA-256(0x00 ‖ prev ‖ row)``: ``prev`` are the 32 bytes of the hash before, 32 zeros before the first, and
``row`` is the row without its hash by RFC 8785.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import rfc8785
from sqlalchemy import Engine, select, update
from sqlmodel import Session, col

from replay.store.database import clock, reading
from replay.store.tables import LogHead, VerdictRow
from replay.version import __version__

FIRST_PREV = "0" * 64
FIELDS = ("seq", "prev", "kind", "subject", "actor", "at", "engine", "ruleset", "payload_sha256")
"""What a row holds beside its hash."""

CASE = "case."
"""Begins the kind of a row about an entry of a case: the entry's kind follows, and the subject is its id."""


def append(
    session: Session,
    *,
    kind: str,
    subject: str,
    actor: str,
    payload: Mapping[str, Any],
    engine: str = __version__,
    ruleset: str = "",
) -> VerdictRow:
    """Add a row in the transaction of what it is about, which from then on holds the end of the log.

    The log keeps the digest of the payload alone, and shows it to everybody: what is private and could be guessed
    needs something in it that cannot. Raises ``ValueError`` for a payload that `canonical` refuses.
    """
    digest = digest_of(payload)
    held = select(col(LogHead.size), col(LogHead.hash)).where(col(LogHead.id) == 1).with_for_update()
    size, prev = session.execute(held).one()
    row = {
        "seq": size + 1,
        "prev": prev,
        "kind": kind,
        "subject": subject,
        "actor": actor,
        "at": clock(session),
        "engine": engine,
        "ruleset": ruleset,
        "payload_sha256": digest,
    }
    made = VerdictRow(**row, hash=row_hash(row))
    session.add(made)
    session.flush()
    moved = update(LogHead).where(col(LogHead.id) == 1).values(size=made.seq, hash=made.hash)
    session.execute(moved.execution_options(synchronize_session=False))
    return made


# Hashes ----------------------------------------------------------------------------------------------


def canonical(document: Mapping[str, Any]) -> bytes:
    """What is hashed, as bytes by RFC 8785.

    Raises ``ValueError`` for a fraction, half of a surrogate pair, or a number beyond 2^53 − 1.
    """
    if _has_fraction(document):
        raise ValueError("what is hashed holds no fractions")
    return rfc8785.dumps(dict(document))


def _has_fraction(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_fraction, value))
    return isinstance(value, float)


def digest_of(document: Mapping[str, Any]) -> str:
    """The SHA-256 of a document by RFC 8785."""
    return sha256(canonical(document)).hexdigest()


def row_hash(row: Mapping[str, Any]) -> str:
    """The hash of a row that is given without it. Raises ``ValueError`` for what cannot be one."""
    return sha256(b"\0" + bytes.fromhex(row["prev"]) + canonical(row)).hexdigest()


def fields_of(row: VerdictRow) -> dict[str, Any]:
    """What is hashed of a row."""
    return {name: getattr(row, name) for name in FIELDS}


def written(row: VerdictRow) -> dict[str, Any]:
    """A row as it is given out: what is hashed of it, and the hash."""
    return {**fields_of(row), "hash": row.hash}


# Reading ---------------------------------------------------------------------------------------------


def head_of(engine: Engine) -> tuple[int, str]:
    """How many rows the log has, and the hash of the last."""
    with reading(engine) as session:
        size, last = session.execute(select(col(LogHead.size), col(LogHead.hash))).one()
    return int(size), str(last)


def rows_from(engine: Engine, first: int, most: int) -> list[VerdictRow]:
    """So many rows, from a number on."""
    with reading(engine) as session:
        chosen = select(VerdictRow).where(col(VerdictRow.seq) >= first).order_by(col(VerdictRow.seq))
        found = list(session.execute(chosen.limit(most)).scalars())
        session.expunge_all()
    return found
