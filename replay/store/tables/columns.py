"""What the columns of the tables are made of, and how their constraints are named."""

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, MetaData
from sqlmodel import Field, SQLModel

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
SQLModel.metadata.naming_convention = NAMES
metadata: MetaData = SQLModel.metadata

LARGEST = 2**53 - 1


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    """The column holds one of these words."""
    return CheckConstraint(f"{column} IN ({', '.join(map(repr, values))})", name=column)


def between(column: str, least: int, most: int) -> CheckConstraint:
    """The column holds a number between two."""
    return CheckConstraint(f"{column} BETWEEN {least} AND {most}", name=column)


def longest(column: str, most: int) -> CheckConstraint:
    """The column holds at most so many characters."""
    return CheckConstraint(f"length({column}) <= {most}", name=f"{column}_length")


def digest(column: str) -> CheckConstraint:
    """The column holds a SHA-256 in hexadecimal digits."""
    return CheckConstraint(f"length({column}) = 64", name=column)


def number(**more: Any) -> Any:
    """A column of whole numbers that is never empty."""
    return Field(sa_column=Column(BigInteger, nullable=False), **more)


def maybe_number() -> Any:
    """A column of whole numbers, or nothing."""
    return Field(default=None, sa_column=Column(BigInteger, nullable=True))


def link(to: str) -> Any:
    """A reference that is never empty, with an index."""
    return Field(sa_column=Column(ForeignKey(to), nullable=False, index=True))


def maybe_link(to: str) -> Any:
    """A reference, or nothing, with an index."""
    return Field(default=None, sa_column=Column(ForeignKey(to), nullable=True, index=True))


def counted() -> Any:
    """A primary key that is a number of ours, not the database's."""
    return Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
