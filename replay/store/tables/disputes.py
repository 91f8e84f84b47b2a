"""What is disputed: cases with their parties and entries, and the verdict log that holds them fast.

A table cannot well be called ``case``, which is a word of SQL: its rows are disputes.
"""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, String, UniqueConstraint
from sqlmodel import Field, SQLModel

from replay.store.tables.columns import (
    counted,
    digest,
    link,
    longest,
    maybe_number,
    number,
    one_of,
)

LEGALITY, AMOUNT, RECORD, BEHAVIOUR = "legality", "amount", "record", "behaviour"
DISPUTE_KINDS = (LEGALITY, AMOUNT, RECORD, BEHAVIOUR)

OPEN, TAKEN, ASKED, DECIDED, APPEALED, RETAKEN, CLOSED, WITHDRAWN = (
    "open",
    "taken",
    "asked",
    "decided",
    "appealed",
    "retaken",
    "closed",
    "withdrawn",
)
DISPUTE_STATES = (OPEN, TAKEN, ASKED, DECIDED, APPEALED, RETAKEN, CLOSED, WITHDRAWN)
"""``asked``: the arbiter waits for an answer. ``decided`` may be appealed once, ``closed`` no more."""


class Dispute(SQLModel, table=True):
    """A case about a hand of a report: an action, a finding or an amount of it, or the hand as a whole.

    What it is about never changes; its state follows from its entries, and is kept beside them to be asked for.
    """

    __table_args__ = (
        one_of("kind", DISPUTE_KINDS),
        one_of("state", DISPUTE_STATES),
        longest("opener", 64),
        longest("arbiter", 64),
        longest("second", 64),
        longest("code", 8),
        Index("ix_dispute_state_created", "state", "created"),
    )
    id: str = Field(primary_key=True, max_length=36)
    kind: str = Field(max_length=16)
    report_id: str = link("report.id")
    hand: int = number()
    action: int | None = maybe_number()
    code: str | None = Field(default=None, max_length=8)
    """The code of the finding that it is about."""
    entry: int | None = maybe_number()
    """The position, from 0, of the entry of the recomputed ledger that it is about."""
    opener: str = Field(max_length=64)
    state: str = Field(max_length=16)
    arbiter: str | None = Field(default=None, max_length=64)
    second: str | None = Field(default=None, max_length=64)
    """The arbiter of the appeal."""
    created: int = number()
    changed: int = number()


class Party(SQLModel, table=True):
    """Who a case is between: an account, and the seat it says it had."""

    __table_args__ = (
        UniqueConstraint("dispute_id", "account"),
        CheckConstraint("seat IS NULL OR seat BETWEEN 0 AND 3", name="seat"),
        longest("account", 64),
        Index("ix_party_account", "account"),
    )
    id: str = Field(primary_key=True, max_length=36)
    dispute_id: str = link("dispute.id")
    account: str = Field(max_length=64)
    seat: int | None = maybe_number()


class DisputeEntry(SQLModel, table=True):
    """One thing that was said or done in a case, never changed nor deleted; a correction is an entry of its own."""

    __tablename__ = "dispute_entry"
    __table_args__ = (
        UniqueConstraint("dispute_id", "position"),
        digest("sha256"),
        longest("actor", 64),
        longest("kind", 16),
    )
    id: str = Field(primary_key=True, max_length=36)
    dispute_id: str = link("dispute.id")
    position: int = number()
    kind: str = Field(max_length=16)
    actor: str = Field(max_length=64)
    at: int = number()
    payload: str = Field(sa_column=Column(String, nullable=False))
    """What it says, as JSON by RFC 8785."""
    sha256: str = Field(max_length=64)
    """Of the payload; the verdict log holds the same."""


class VerdictRow(SQLModel, table=True):
    """A row of the verdict log: ``hash`` is over the row and the hash of the one before (operations D7)."""

    __tablename__ = "verdict_log"
    __table_args__ = (
        digest("prev"),
        digest("payload_sha256"),
        digest("hash"),
        CheckConstraint("seq >= 1", name="seq"),
        longest("kind", 32),
        longest("subject", 64),
        longest("actor", 64),
        Index("ix_verdict_log_subject", "subject"),
    )
    seq: int = counted()
    prev: str = Field(max_length=64)
    kind: str = Field(max_length=32)
    subject: str = Field(max_length=64)
    actor: str = Field(max_length=64)
    at: int = number()
    engine: str = Field(max_length=32)
    ruleset: str = Field(max_length=71)
    payload_sha256: str = Field(max_length=64)
    hash: str = Field(max_length=64)


class LogHead(SQLModel, table=True):
    """The one row that says how long the verdict log is and what its last hash is; appending holds it."""

    __tablename__ = "log_head"
    __table_args__ = (CheckConstraint("id = 1", name="one"), digest("hash"))
    id: int = counted()
    size: int = number()
    hash: str = Field(max_length=64)


class Checkpoint(SQLModel, table=True):
    """The head of the verdict log at a size, signed (Ed25519) by a key of this service (operations D9)."""

    __table_args__ = (digest("head"), longest("key", 64), longest("signature", 128))
    size: int = counted()
    head: str = Field(max_length=64)
    at: int = number()
    key: str = Field(max_length=64)
    """The public key, in hexadecimal digits."""
    signature: str = Field(max_length=128)


class Evidence(SQLModel, table=True):
    """A file of a case, by the entry that brought it; its bytes are kept by digest."""

    __table_args__ = (digest("sha256"), longest("name", 255))
    id: str = Field(primary_key=True, max_length=36)
    dispute_id: str = link("dispute.id")
    entry_id: str = Field(sa_column=Column(ForeignKey("dispute_entry.id"), nullable=False, index=True))
    name: str = Field(max_length=255)
    size: int = number()
    sha256: str = Field(max_length=64)
