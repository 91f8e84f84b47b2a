"""Verdict logs to look at: rows, entries of a case, and a database that lets itself be tampered with."""

from typing import Any
from uuid import uuid4

from sqlalchemy import Engine, text

from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.store.database import writing
from replay.store.tables import Checkpoint, Dispute, DisputeEntry, Report
from replay.store.verdicts import append, canonical, digest_of
from replay.store.verifying import Fault, verify
from tests.jobs.working import LOGS, rows, work

ONLY_ADDED = ("verdict_log", "checkpoint", "dispute_entry", "staff_view")


def add_rows(engine: Engine, count: int, who: str = "local") -> None:
    """So many rows about nothing that is kept, each in a transaction of its own."""
    for number in range(count):
        with writing(engine) as session:
            append(session, kind="note", subject=f"{who}-{number}", actor=who, payload={"number": number})


def a_case(service: Service) -> str:
    """The id of a case about a report."""
    take(service, [LOGS[0]], "game.json")
    work(service)
    (report,) = rows(service, Report)
    made = Dispute(
        id=str(uuid4()),
        kind="legality",
        report_id=report.id,
        hand=0,
        opener="local",
        state="open",
        created=1,
        changed=1,
    )
    with writing(service.engine) as session:
        session.add(made)
    return made.id


def add_entries(engine: Engine, case: str, count: int) -> None:
    """So many entries of a case, each with its row, as a case makes them."""
    for position in range(count):
        entry: dict[str, Any] = {"kind": "statement", "actor": "local", "at": 1000 + position}
        payload = {"format": "xuezhan-case-entry/1", "case": case, "position": position, **entry}
        made = DisputeEntry(
            id=str(uuid4()),
            dispute_id=case,
            position=position,
            payload=canonical(payload).decode(),
            sha256=digest_of(payload),
            **entry,
        )
        with writing(engine) as session:
            session.add(made)
            append(session, kind="case.statement", subject=made.id, actor="local", payload=payload)


def let_be_changed(engine: Engine) -> None:
    """Take away the triggers that refuse changes, as somebody who owns the database can."""
    with engine.begin() as connection:
        for table in ONLY_ADDED:
            if engine.dialect.name == "postgresql":
                connection.execute(text(f"DROP TRIGGER {table}_only_added ON {table}"))
            else:
                connection.execute(text(f"DROP TRIGGER {table}_no_update"))
                connection.execute(text(f"DROP TRIGGER {table}_no_delete"))


def change(engine: Engine, *statements: str, **values: Any) -> None:
    """Run statements in one transaction."""
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement), values)


def found(engine: Engine, *held: Checkpoint, keys: frozenset[str] = frozenset()) -> list[Fault]:
    """All that is wrong."""
    return list(verify(engine, held, keys))


def kinds(faults: list[Fault]) -> list[str]:
    """What is wrong, in short."""
    return [one.kind for one in faults]
