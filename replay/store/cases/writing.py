"""One move in a case: who may make it is asked, and state, entry and log are written, in one transaction."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import orjson
from sqlalchemy import Engine, func, select, update
from sqlmodel import Session, col

from replay.store.cases.moves import FREE, HOLDER, KEEPER, MOVES, PARTY, Where, may, moved, standings
from replay.store.database import clock, insert, writing
from replay.store.tables import Audit, Dispute, DisputeEntry, Party, Report, Upload
from replay.store.verdicts import append, canonical

MOST_ENTRIES = 500
KEPT_BACK = 20
"""Entries of a case that only staff may still make, so that nobody keeps a case from being decided."""

LONGEST_TEXT = 4_000


class NotAllowed(PermissionError):
    """Who asks may read the case but not do this."""


class TooLate(RuntimeError):
    """The case does not stand where this could be done: somebody was faster, or it is over. ``state`` is where."""

    def __init__(self, state: str) -> None:
        self.state = state
        super().__init__(f"the case is {state}")


class Full(RuntimeError):
    """A case holds no more of this; ``most`` is how many."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"a case holds at most {most}")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something: an account and its role at that moment."""

    id: str
    role: str


@dataclass(slots=True)
class Making:
    """A move that is being made: the case as it stood, and what else of it can be asked in the transaction."""

    session: Session
    case: Dispute
    actor: Actor
    parties: frozenset[str]
    to: Where
    now: int


Also = Callable[[Making, str], None]
"""What is done beside the entry, whose id it is given."""


def where(case: Dispute) -> Where:
    """Where a case stands."""
    return Where(case.state, case.arbiter, case.second)


def owner_of(session: Session, report_id: str) -> str:
    """Who owns a report."""
    chosen = (
        select(col(Upload.owner))
        .join(Audit, col(Audit.upload_id) == col(Upload.id))
        .join(Report, col(Report.audit_id) == col(Audit.id))
        .where(col(Report.id) == report_id)
    )
    return str(session.execute(chosen).scalar_one())


def parties_of(session: Session, dispute_id: str) -> frozenset[str]:
    """The accounts that a case is between."""
    chosen = select(col(Party.account)).where(col(Party.dispute_id) == dispute_id)
    return frozenset(session.execute(chosen).scalars())


def make(
    engine: Engine,
    dispute_id: str,
    move: str,
    actor: Actor,
    body: Mapping[str, Any],
    step: int | None = None,
    check: Callable[[Making], None] | None = None,
    also: Also | None = None,
) -> str:
    """Make a move as a whole or not at all; the id of its entry.

    ``check`` may refuse it, ``also`` does what belongs to it. Raises `NotAllowed`, `TooLate` and `Full`.
    """
    with writing(engine) as session:
        made = begun(session, dispute_id, move, actor)
        if check is not None:
            check(made)
        _go_on(made)
        entry_id = add_entry(session, made.case, move, actor.id, body, made.now, step)
        if also is not None:
            also(made, entry_id)
        return entry_id


def begun(session: Session, dispute_id: str, move: str, actor: Actor) -> Making:
    """The case, held to the end of the transaction, where the move may be made.

    Raises `NotAllowed`, `TooLate` and `Full`.
    """
    held = select(Dispute).where(col(Dispute.id) == dispute_id).with_for_update()
    case = session.execute(held).scalar_one()
    parties = parties_of(session, case.id)
    stands = where(case)
    standing = standings(
        stands, actor.id, actor.role, case.opener, parties, owner_of(session, case.report_id)
    )
    to = moved(move, stands, actor.id)
    if to is None:
        raise TooLate(case.state)
    if not may(move, stands, standing):
        # An arbiter who could have had it comes after the one who has: that is a matter of time, not of right.
        late = FREE in standing and HOLDER in MOVES[move].who and PARTY not in MOVES[move].who
        raise TooLate(case.state) if late else NotAllowed(move)
    most = MOST_ENTRIES if {HOLDER, FREE, KEEPER} & standing else MOST_ENTRIES - KEPT_BACK
    if count_entries(session, case.id) >= most:
        raise Full(most)
    return Making(session, case, actor, parties, to, clock(session))


def _go_on(made: Making) -> None:
    """The state moved on, if it still stands where it was seen; else somebody was faster."""
    case, to = made.case, made.to
    values = {"state": to.state, "arbiter": to.arbiter, "second": to.second, "changed": made.now}
    stands = col(Dispute.id) == case.id, col(Dispute.state) == case.state
    guarded = update(Dispute).where(*stands).values(**values)
    done = made.session.execute(guarded, execution_options={"synchronize_session": False})
    if done.rowcount != 1:  # type: ignore[attr-defined]
        raise TooLate(case.state)


def count_entries(session: Session, dispute_id: str) -> int:
    """How many entries a case has."""
    chosen = select(func.count()).select_from(DisputeEntry).where(col(DisputeEntry.dispute_id) == dispute_id)
    return int(session.execute(chosen).scalar_one())


def add_entry(
    session: Session,
    case: Dispute,
    kind: str,
    actor: str,
    body: Mapping[str, Any],
    at: int,
    step: int | None = None,
    looked: Mapping[str, Any] | None = None,
) -> str:
    """An entry of a case and its row in the verdict log; the id of the entry.

    ``looked`` says what the case is about by its digests; a later entry looks at what the first one did. Raises
    ``ValueError`` for a text that is too long.
    """
    if len(str(body.get("text", ""))) > LONGEST_TEXT:
        raise ValueError(f"a text has at most {LONGEST_TEXT} characters")
    position, entry_id = count_entries(session, case.id), str(uuid4())
    looked = dict(looked or _looked(session, case.id)) | {"hand": case.hand, "step": step}
    payload = {
        "format": "xuezhan-case-entry/1",
        "case": case.id,
        "position": position,
        "kind": kind,
        "actor": actor,
        "at": at,
        "looked_at": looked,
        "body": dict(body),
    }
    text = canonical(payload)
    row = {
        "id": entry_id,
        "dispute_id": case.id,
        "position": position,
        "kind": kind,
        "actor": actor,
        "at": at,
        "payload": text.decode(),
        "sha256": hashlib.sha256(text).hexdigest(),
    }
    session.execute(insert(session, DisputeEntry).values(**row))
    append(
        session,
        kind=f"case.{kind}",
        subject=entry_id,
        actor=actor,
        payload=payload,
        ruleset=str(looked.get("rules") or ""),
    )
    return entry_id


def _looked(session: Session, dispute_id: str) -> dict[str, Any]:
    """The digests of what the first entry looked at."""
    first = select(col(DisputeEntry.payload)).where(
        col(DisputeEntry.dispute_id) == dispute_id, col(DisputeEntry.position) == 0
    )
    looked: dict[str, Any] = orjson.loads(session.execute(first).scalar_one())["looked_at"]
    return looked
