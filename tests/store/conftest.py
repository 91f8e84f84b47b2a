"""A database of either kind, with its tables."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from replay.store.database import connect
from tests.tables import make_tables


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    """A database with its tables."""
    made = connect(database)
    make_tables(made)
    yield made
    made.dispose()
