"""What is said in a case: statements, pinned steps, notes on findings, files, further parties."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from replay.limits import MIB
from replay.store.blobs import Blobs
from replay.store.cases.opening import MOST_PARTIES, add_party_row, refuse_staff
from replay.store.cases.writing import Actor, Full, Making, begun, make
from replay.store.database import insert, writing
from replay.store.tables import DisputeEntry, Evidence

MOST_FILES = 10
FILE_BYTES = 10 * MIB
CORRECTED = ("opened", "statement", "pin", "note", "evidence", "asked", "answered", "appealed")
"""Kinds of entries that whoever made them may correct, by another entry of the kind ``statement``."""


class NothingToCorrect(ValueError):
    """The entry that is to be corrected is not one of the actor's own words."""


class IsParty(ValueError):
    """An account is a party already."""


def state_words(engine: Engine, dispute_id: str, actor: Actor, text: str, corrects: int | None = None) -> str:
    """A statement; with ``corrects`` it names the entry of the same actor that it corrects, which stays as it is."""

    def check(made: Making) -> None:
        if corrects is not None:
            _is_correctable(made, corrects)

    body: dict[str, Any] = {"text": text}
    if corrects is not None:
        body["corrects"] = corrects
    return make(engine, dispute_id, "statement", actor, body, check=check)


def _is_correctable(made: Making, position: int) -> None:
    chosen = select(col(DisputeEntry.id)).where(
        col(DisputeEntry.dispute_id) == made.case.id,
        col(DisputeEntry.position) == position,
        col(DisputeEntry.actor) == made.actor.id,
        col(DisputeEntry.kind).in_(CORRECTED),
    )
    if made.session.execute(chosen).first() is None:
        raise NothingToCorrect(position)


def pin_step(engine: Engine, dispute_id: str, actor: Actor, step: int, text: str) -> str:
    """A step of the hand that is to be looked at, and why."""
    return make(engine, dispute_id, "pin", actor, {"text": text}, step=step)


def note_finding(engine: Engine, dispute_id: str, actor: Actor, finding: Mapping[str, Any], text: str) -> str:
    """A note on a finding of the hand: its code, and the action that it is about."""
    named = {"code": finding["code"], "action": finding.get("action")}
    return make(engine, dispute_id, "note", actor, {"finding": named, "text": text})


def add_party(engine: Engine, dispute_id: str, actor: Actor, account: str, seat: int | None) -> str:
    """A further party, named by one that is. Raises `IsParty`, `IsStaff`, and `Full` where there are enough."""

    def check(made: Making) -> None:
        if account in made.parties:
            raise IsParty(account)
        refuse_staff(made.session, [account])
        if len(made.parties) >= MOST_PARTIES:
            raise Full(MOST_PARTIES)

    def also(made: Making, entry_id: str) -> None:
        add_party_row(made.session, made.case.id, account, seat)

    body = {"account": account, "seat": seat}
    return make(engine, dispute_id, "party", actor, body, check=check, also=also)


@dataclass(frozen=True, slots=True)
class Kept:
    """A file whose bytes are kept by their digest already."""

    name: str
    sha256: str
    size: int

    @property
    def stated(self) -> dict[str, Any]:
        """As the entry that brings it and its row hold it."""
        return {"name": self.name, "size": self.size, "sha256": self.sha256}


def refuse_file(engine: Engine, dispute_id: str, actor: Actor) -> None:
    """Raise what `attach` would, before the bytes of a file are kept for nothing."""
    with writing(engine) as session:
        _has_room(begun(session, dispute_id, "evidence", actor))


def attach(engine: Engine, blobs: Blobs, dispute_id: str, actor: Actor, file: Kept, text: str) -> str:
    """A file of the case, with what it is. Raises `Full`, and ``OSError`` where its bytes are not there any more."""
    file_id = str(uuid4())

    def check(made: Making) -> None:
        _has_room(made)
        blobs.need(made.session, [file.sha256])

    def also(made: Making, entry_id: str) -> None:
        row = {"id": file_id, "dispute_id": made.case.id, "entry_id": entry_id, **file.stated}
        made.session.execute(insert(made.session, Evidence).values(**row))

    body = {"text": text, "file": file_id, **file.stated}
    return make(engine, dispute_id, "evidence", actor, body, check=check, also=also)


def _has_room(made: Making) -> None:
    counted = select(func.count()).select_from(Evidence).where(col(Evidence.dispute_id) == made.case.id)
    if made.session.execute(counted).scalar_one() >= MOST_FILES:
        raise Full(MOST_FILES)


def evidence_bytes(session: Session, account: str) -> int:
    """Bytes of the files that someone brought into cases."""
    chosen = (
        select(func.coalesce(func.sum(col(Evidence.size)), 0))
        .join(DisputeEntry, col(Evidence.entry_id) == col(DisputeEntry.id))
        .where(col(DisputeEntry.actor) == account)
    )
    return int(session.execute(chosen).scalar_one())
