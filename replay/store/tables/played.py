"""Who played what: what reports are searched by beside their findings."""

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from replay.store.tables.columns import link, longest, maybe_number, number


class Sitting(SQLModel, table=True):
    """What a report says its log is: by which rule set, in which room, when, and the id the platform gave it."""

    __table_args__ = (
        longest("profile", 128),
        longest("base", 32),
        longest("room", 64),
        longest("room_folded", 64),
        longest("platform", 64),
        longest("log", 128),
        Index("ix_sitting_profile", "profile"),
        Index("ix_sitting_room_folded", "room_folded"),
        Index("ix_sitting_played", "played"),
    )
    report_id: str = Field(primary_key=True, foreign_key="report.id", max_length=36)
    profile: str = Field(default="", max_length=128)
    base: str = Field(default="", max_length=32)
    """The base that points are reckoned in; a word where it is not one number, "" where it is not known."""
    room: str = Field(default="", max_length=64)
    room_folded: str = Field(default="", max_length=64)
    """The room as it is looked up."""
    platform: str = Field(default="", max_length=64)
    log: str = Field(default="", max_length=128)
    played: int | None = maybe_number()
    """Milliseconds since 1970, where the log says when it was played."""


class Played(SQLModel, table=True):
    """A player of a log by seat, with what the sitting came to for them where that is settled."""

    __table_args__ = (
        UniqueConstraint("report_id", "seat"),
        CheckConstraint("seat BETWEEN 0 AND 3", name="seat"),
        longest("player", 64),
        longest("name", 64),
        longest("folded", 64),
        Index("ix_played_folded", "folded"),
        Index("ix_played_player", "player"),
    )
    id: str = Field(primary_key=True, max_length=36)
    report_id: str = link("report.id")
    seat: int = number()
    player: str = Field(default="", max_length=64)
    """The id that the platform gave the player."""
    name: str = Field(default="", max_length=64)
    folded: str = Field(default="", max_length=64)
    """The name as it is looked up."""
    points: int | None = maybe_number()
    wins: int = number(default=0)
    errors: int = number(default=0)
    """Findings of severity error at this seat."""
