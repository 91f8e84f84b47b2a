"""Operations D1-D4: what a connection is set to, the clock, and migrations there and back."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Engine, inspect, select, text
from sqlalchemy.exc import IntegrityError

from replay.store.database import connect, now_ms, reading, writing
from replay.store.tables import Upload, metadata
from replay.store.upgrade import ForeignRevision, check, config, downgrade, head, revision, upgrade


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    made = connect(database)
    yield made
    made.dispose()


def an_upload(**changes: Any) -> Upload:
    row: dict[str, Any] = {
        "id": "a",
        "owner": "local",
        "sha256": "0" * 64,
        "size": 1,
        "name": "x",
        "created": 1,
    }
    return Upload(**{**row, **changes})


class TestConnections:
    def test_sqlite_is_set_as_the_rules_want_it(self, tmp_path: Path) -> None:
        engine = connect(f"sqlite:///{tmp_path}/replay.db")
        for _ in range(2):
            with engine.connect() as connection:
                found = {
                    name: connection.execute(text(f"PRAGMA {name}")).scalar_one()
                    for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
                }
            assert found == {
                "journal_mode": "wal",
                "synchronous": 2,
                "foreign_keys": 1,
                "busy_timeout": 10_000,
            }

    def test_what_is_read_and_then_written_is_not_lost_among_writers(self, engine: Engine) -> None:
        upgrade(engine)
        with writing(engine) as session:
            session.add(an_upload(size=0))

        def add_one(_: int) -> None:
            with writing(engine) as session:
                row = session.execute(select(Upload).with_for_update()).scalar_one()
                row.size += 1

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(add_one, range(200)))
        with reading(engine) as session:
            assert session.execute(select(Upload)).scalar_one().size == 200

    def test_the_clock_is_the_database_s_own_and_runs(self, engine: Engine) -> None:
        with reading(engine) as session:
            first = session.execute(select(now_ms())).scalar_one()
            later = session.execute(select(now_ms())).scalar_one()
        assert 1_700_000_000_000 < first <= later < 5_000_000_000_000


class TestConstraints:
    """D3: a table row is not validated by SQLModel, so the database refuses what is not sound."""

    @pytest.mark.parametrize(
        "wrong", [{"size": -1}, {"sha256": "0"}, {"owner": "x" * 65}, {"name": "x" * 256}, {"size": 2**53}]
    )
    def test_a_row_that_is_not_sound_is_refused(self, engine: Engine, wrong: dict[str, object]) -> None:
        upgrade(engine)
        with pytest.raises(Exception) as caught, writing(engine) as session:  # noqa: PT011 - each database its own
            session.add(an_upload(**wrong))
        assert type(caught.value).__name__ in ("IntegrityError", "DataError")

    def test_the_same_bytes_of_one_owner_are_one_row(self, engine: Engine) -> None:
        upgrade(engine)
        with writing(engine) as session:
            session.add(an_upload())
        with pytest.raises(IntegrityError), writing(engine) as session:
            session.add(an_upload(id="b"))


class TestMigrations:
    def test_from_nothing_to_the_newest_and_back(self, engine: Engine) -> None:
        assert revision(engine) is None
        with pytest.raises(ForeignRevision):
            check(engine)
        upgrade(engine)
        assert revision(engine) == head()
        check(engine)
        assert set(metadata.tables) <= set(inspect(engine).get_table_names())
        command.check(config(engine))
        downgrade(engine, "-1")
        downgrade(engine, "base")
        assert set(metadata.tables).isdisjoint(inspect(engine).get_table_names())
        upgrade(engine)
        check(engine)

    def test_a_database_of_another_version_is_not_served(self, engine: Engine) -> None:
        upgrade(engine)
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = 'ffff'"))
        with pytest.raises(ForeignRevision, match="ffff"):
            check(engine)
