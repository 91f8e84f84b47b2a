"""The tables of a database, brought to the newest revision; a database of another is not served."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine

FOLDER = Path(__file__).parent / "migrations"


class ForeignRevision(RuntimeError):
    """The database is at a revision that this version does not serve."""


def config(engine: Engine | None = None) -> Config:
    """Alembic's configuration, on this engine's connection."""
    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    made.attributes["engine"] = engine
    return made


def head() -> str:
    """The newest revision."""
    return str(ScriptDirectory.from_config(config()).get_current_head())


def revision(engine: Engine) -> str | None:
    """The revision a database is at; None before the first."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine, to: str = "head") -> None:
    """Bring the tables to a revision, upward. Raises `ForeignRevision` where this version does not know theirs."""
    found = revision(engine)
    try:
        ScriptDirectory.from_config(config()).get_revisions(found or ())
    except CommandError:
        raise ForeignRevision(f"the database is at revision {found}, which is not known") from None
    command.upgrade(config(engine), to)


def downgrade(engine: Engine, to: str) -> None:
    """Take the tables back to a revision."""
    command.downgrade(config(engine), to)


def check(engine: Engine) -> None:
    """Raise `ForeignRevision` unless the database is at the newest revision."""
    found = revision(engine)
    if found != head():
        raise ForeignRevision(f"the database is at revision {found or 'none'}, expected {head()}")
