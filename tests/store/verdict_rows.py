"""Verdict logs to look at: rows, entries of a case, and a database that lets itself be tampered with."""

from typing import Any

from sqlalchemy import Engine, text

from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.store.blobs import Blobs
from replay.store.cases.opening import About, Looked, open_case
from replay.store.cases.saying import state_words
from replay.store.cases.writing import Actor
from replay.store.database import writing
from replay.store.tables import Checkpoint, Report
from replay.store.verdicts import append
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
    about = About("legality", report.id, 0)
    return open_case(service.engine, "local", about, Looked("1" * 64, "2" * 64, ""), {"text": "x"}, {})


def add_entries(engine: Engine, case: str, count: int) -> None:
    """So many further entries of a case, each with its row."""
    for number in range(count):
        state_words(engine, case, Actor("local", "local"), f"This is number {number}.")


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


def found(
    engine: Engine, *held: Checkpoint, keys: frozenset[str] = frozenset(), blobs: Blobs | None = None
) -> list[Fault]:
    """All that is wrong."""
    return list(verify(engine, held, keys, blobs))


def kinds(faults: list[Fault]) -> list[str]:
    """What is wrong, in short."""
    return [one.kind for one in faults]
