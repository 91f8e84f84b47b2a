"""Who uses the service: accounts, how they are signed in, tokens, what was tried, what is shared and who looked."""

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from replay.store.tables.columns import (
    LARGEST,
    between,
    digest,
    link,
    longest,
    maybe_number,
    number,
    one_of,
)

PLAYER, ARBITER, ADMIN = "player", "arbiter", "admin"
ROLES = (PLAYER, ARBITER, ADMIN)


class Account(SQLModel, table=True):
    """Someone who may sign in. ``folded`` is the name as it is looked up.

    One that is closed keeps its id, so that what cases say stays true; its name and its password are gone.
    """

    __table_args__ = (
        UniqueConstraint("folded"),
        one_of("role", ROLES),
        longest("name", 64),
        longest("folded", 64),
        longest("password", 256),
        between("created", 0, LARGEST),
    )
    id: str = Field(primary_key=True, max_length=36)
    name: str = Field(max_length=64)
    folded: str | None = Field(default=None, max_length=64)
    role: str = Field(max_length=16)
    password: str = Field(max_length=256)
    """Its argon2id hash, with salt and costs; "" is no password, which nobody can sign in with."""
    created: int = number()
    password_at: int = number()
    """When the password was last set."""
    barred: int | None = maybe_number()
    """Since when an admin lets it sign in no more."""
    closed: int | None = maybe_number()
    """Since when it is no account any more."""


class SignIn(SQLModel, table=True):
    """A browser that is signed in; the id is the SHA-256 of what its cookie holds."""

    __tablename__ = "sign_in"
    __table_args__ = (digest("id"),)
    id: str = Field(primary_key=True, max_length=64)
    account_id: str = link("account.id")
    created: int = number()
    seen: int = number()
    expires: int = number()


class Token(SQLModel, table=True):
    """A secret by which a program acts for an account; kept is its SHA-256."""

    __table_args__ = (UniqueConstraint("sha256"), digest("sha256"), longest("name", 64))
    id: str = Field(primary_key=True, max_length=36)
    account_id: str = link("account.id")
    name: str = Field(max_length=64)
    sha256: str = Field(max_length=64)
    created: int = number()
    expires: int | None = maybe_number()
    used: int | None = maybe_number()
    revoked: int | None = maybe_number()


class Attempt(SQLModel, table=True):
    """Something that may be tried only so often: the SHA-256 of what was tried and from where, and when."""

    __table_args__ = (digest("subject"), Index("ix_attempt_subject_at", "subject", "at"))
    id: str = Field(primary_key=True, max_length=36)
    subject: str = Field(max_length=64)
    at: int = number()


class Share(SQLModel, table=True):
    """A link to a report for whoever has its secret, of which the SHA-256 is kept; of one seat's view, or all."""

    __table_args__ = (
        UniqueConstraint("sha256"),
        digest("sha256"),
        CheckConstraint("seat IS NULL OR seat BETWEEN 0 AND 3", name="seat"),
        longest("owner", 64),
        Index("ix_share_owner_created", "owner", "created"),
    )
    id: str = Field(primary_key=True, max_length=36)
    owner: str = Field(max_length=64)
    report_id: str = link("report.id")
    sha256: str = Field(max_length=64)
    seat: int | None = maybe_number()
    created: int = number()
    expires: int | None = maybe_number()
    revoked: int | None = maybe_number()


class StaffView(SQLModel, table=True):
    """That someone looked at a hand that is not theirs, because of a case; never changed nor deleted."""

    __tablename__ = "staff_view"
    __table_args__ = (
        longest("account", 64),
        longest("what", 32),
        Index("ix_staff_view_report_at", "report_id", "at"),
    )
    id: str = Field(primary_key=True, max_length=36)
    account: str = Field(max_length=64)
    report_id: str = Field(max_length=36)
    hand: int | None = maybe_number()
    what: str = Field(max_length=32)
    """What of it was looked at, as `replay.store.visible.WHAT` names it."""
    dispute_id: str | None = Field(default=None, max_length=36)
    at: int = number()
