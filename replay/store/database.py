"""The database: connections as the rules want them, transactions that lose nothing, and its own clock."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Any

from sqlalchemy import BigInteger, Engine, create_engine, event, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlmodel import Session

BUSY_MS = 10_000
PRAGMAS = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "busy_timeout": str(BUSY_MS),
}
READ_ONLY = {"read_only": True}
_TURN = Lock()
"""Held by the one thread of this process that writes to SQLite."""

TIMEOUTS = "-c statement_timeout=15000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=60000"


class now_ms(FunctionElement[int]):  # noqa: N801 - it stands in SQL as a function does
    """Milliseconds since 1970 by the database's clock."""

    type = BigInteger()
    inherit_cache = True


@compiles(now_ms, "sqlite")
def _now_sqlite(element: Any, compiler: Any, **more: Any) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


@compiles(now_ms, "postgresql")
def _now_postgresql(element: Any, compiler: Any, **more: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"


def connect(url: str) -> Engine:
    """An engine for the database of this URL: SQLite or PostgreSQL."""
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, connect_args={"options": TIMEOUTS})
    engine = create_engine(url, connect_args={"timeout": BUSY_MS / 1000})

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, record: Any) -> None:
        # The driver's own BEGIN comes too late to keep another writer from what was read.
        connection.isolation_level = None
        for name, value in PRAGMAS.items():
            connection.execute(f"PRAGMA {name}={value}")

    reopen_when_writable(engine)

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        reads = connection.get_execution_options().get("read_only", False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def reopen_when_writable(engine: Engine) -> None:
    """Let the process write again once its database may be written.

    A SQLite file that could not be written when it was opened stays so while any connection of the process is open,
    and one that an error still refers to is open until that is collected.
    """
    stale: list[bool] = []

    @event.listens_for(engine, "handle_error")
    def let_go(context: Any) -> None:
        if "readonly database" in str(context.original_exception):
            context.is_disconnect = True
            engine.dispose()
            stale.append(True)

    @event.listens_for(engine, "do_connect")
    def collect(*_: Any) -> None:
        if stale:
            stale.clear()
            gc.collect()


def insert(session: Session, table: type[Any]) -> Any:
    """An INSERT that can say what becomes of a row that is there already."""
    dialect = {"sqlite": sqlite, "postgresql": postgresql}[session.get_bind().dialect.name]
    return dialect.insert(table)


def clock(session: Session) -> int:
    """What the database's clock says now."""
    return int(session.execute(select(now_ms())).scalar_one())


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """One transaction that may write: committed as a whole or not at all.

    Threads take turns on SQLite, which has one writer anyway and lets those that wait for it draw lots: among eight
    threads beside a worker one lost for two seconds and more.
    """
    turn = _TURN if engine.dialect.name == "sqlite" else nullcontext()
    with turn, Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


def alone(session: Session, name: str) -> None:
    """Wait until no other transaction holds ``name``, and hold it to the end of this one.

    SQLite has one transaction that writes, which holds everything.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(func.hashtext(name))))


def together(session: Session, name: str) -> None:
    """Wait until no other transaction has ``name`` to itself (`alone`), and let none have it to the end of this one."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock_shared(func.hashtext(name))))


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """One transaction that only reads, and waits for no writer."""
    with engine.connect().execution_options(**READ_ONLY) as connection, Session(connection) as session:
        yield session
