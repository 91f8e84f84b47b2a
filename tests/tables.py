"""Tables as the migrations leave them: made once a process for SQLite, and copied."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine

from replay.store.database import connect
from replay.store.upgrade import upgrade


@cache
def newest() -> bytes:
    """A SQLite database with the tables of the newest revision and nothing in them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "replay.db"
        engine = connect(f"sqlite:///{path}")
        upgrade(engine)
        engine.dispose()
        return path.read_bytes()


def make_tables(engine: Engine) -> None:
    """Give an empty database its tables."""
    if engine.dialect.name != "sqlite":
        upgrade(engine)
        return
    path = Path(str(engine.url.database))
    assert not path.exists()
    path.write_bytes(newest())
