"""What is uploaded, audited and worked on: uploads, documents, audits, house rule sets, jobs, reports, findings."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

from replay.store.tables.columns import LARGEST, between, link, longest, number, one_of

QUEUED, RUNNING, DONE, QUARANTINED = "queued", "running", "done", "quarantined"
STATES = (QUEUED, RUNNING, DONE, QUARANTINED)
SPLIT, AUDIT = "split", "audit"
KINDS = (SPLIT, AUDIT)
SPLITS = text("kind = 'split'")
FIRST = text("supersedes IS NULL")


class Upload(SQLModel, table=True):
    """Bytes that somebody uploaded, kept whatever they are worth; the same bytes of one owner are one upload."""

    __table_args__ = (
        UniqueConstraint("owner", "sha256"),
        Index("ix_upload_owner_created", "owner", "created"),
        Index("ix_upload_sha256", "sha256"),
        CheckConstraint("length(sha256) = 64", name="sha256"),
        between("size", 0, LARGEST),
        longest("name", 255),
        longest("owner", 64),
    )
    id: str = Field(primary_key=True, max_length=36)
    owner: str = Field(max_length=64)
    sha256: str = Field(max_length=64)
    size: int = number()
    name: str = Field(max_length=255)
    created: int = number()
    documents: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    """How many documents it holds; None until it is split."""


class Document(SQLModel, table=True):
    """One document of an upload: where its bytes stand in a pack, or why it has none (findings as JSON)."""

    __table_args__ = (
        UniqueConstraint("upload_id", "position"),
        Index("ix_document_pack", "pack"),
        between("size", 0, LARGEST),
        longest("name", 4096),
    )
    id: str = Field(primary_key=True, max_length=36)
    upload_id: str = link("upload.id")
    position: int = number()
    name: str = Field(max_length=4096)
    pack: str | None = Field(default=None, max_length=64)
    start: int = number()
    size: int = number()
    findings: str = Field(default="[]")


class Audit(SQLModel, table=True):
    """An upload audited under one rule set by one engine; a later one may name it as superseded."""

    __table_args__ = (UniqueConstraint("upload_id", "ruleset", "engine"),)
    id: str = Field(primary_key=True, max_length=36)
    upload_id: str = link("upload.id")
    ruleset: str = Field(max_length=64)
    """SHA-256 of profile, options and version of a house rule set as asked for."""
    profile: str | None = Field(default=None, max_length=64)
    """The rule set asked for; None: each log's own."""
    options: str = Field(default="{}")
    house: str | None = Field(
        default=None, sa_column=Column(String(36), ForeignKey("house_rules.id"), nullable=True)
    )
    """The version of the house rule set asked for: it never changes, so that its reports can be made again."""
    engine: str = Field(max_length=32)
    supersedes: str | None = Field(default=None, sa_column=Column(ForeignKey("audit.id"), nullable=True))
    created: int = number()


class HouseRules(SQLModel, table=True):
    """A version of a house rule set, never changed nor deleted; a later one of its owner and name supersedes it.

    The versions of a name are one chain: one of them supersedes none, and each is superseded once at most.
    """

    __tablename__ = "house_rules"
    __table_args__ = (
        UniqueConstraint("owner", "sha256"),
        UniqueConstraint("supersedes"),
        Index(
            "uq_house_rules_first", "owner", "name", unique=True, sqlite_where=FIRST, postgresql_where=FIRST
        ),
        Index("ix_house_rules_owner_created", "owner", "created"),
        between("size", 0, LARGEST),
        CheckConstraint("length(soundness) = 64", name="soundness"),
        CheckConstraint("length(sha256) = 64", name="sha256"),
        CheckConstraint("length(digest) = 71", name="digest"),
        longest("name", 64),
        longest("owner", 64),
    )
    id: str = Field(primary_key=True, max_length=36)
    owner: str = Field(max_length=64)
    name: str = Field(max_length=64)
    """The id that the document gives itself."""
    digest: str = Field(max_length=71)
    """Of the resolved values, as a report states it."""
    sha256: str = Field(max_length=64)
    """Of the document."""
    size: int = number()
    """Bytes of the document."""
    names: str
    """What it is called, by language, as JSON: lists never read the document."""
    soundness: str = Field(max_length=64)
    """SHA-256 of the schema by which the document was found sound."""
    document: str = Field(sa_column=Column(String, nullable=False))
    supersedes: str | None = Field(
        default=None, sa_column=Column(ForeignKey("house_rules.id"), nullable=True)
    )
    created: int = number()


class Job(SQLModel, table=True):
    """Work to be done: to split an upload, or to audit its documents from ``first`` up to ``stop``.

    The row is the job; a message is only a doorbell. ``fence`` counts the claims: who holds an older one may no
    longer finish.
    """

    __table_args__ = (
        one_of("state", STATES),
        one_of("kind", KINDS),
        between("attempts", 0, LARGEST),
        between("fence", 0, LARGEST),
        CheckConstraint("(kind = 'audit') = (audit_id IS NOT NULL)", name="audit"),
        UniqueConstraint("audit_id", "first"),
        Index("uq_job_split", "upload_id", unique=True, sqlite_where=SPLITS, postgresql_where=SPLITS),
        Index("ix_job_state_rung", "state", "rung"),
    )
    id: str = Field(primary_key=True, max_length=36)
    kind: str = Field(max_length=16)
    upload_id: str = link("upload.id")
    audit_id: str | None = Field(default=None, sa_column=Column(ForeignKey("audit.id"), index=True))
    first: int = number(default=0)
    stop: int = number(default=0)
    state: str = Field(default=QUEUED, max_length=16)
    attempts: int = number(default=0)
    fence: int = number(default=0)
    lease_until: int = number(default=0)
    created: int = number(default=0)
    rung: int = number(default=0)
    node: str = Field(default="", max_length=128)
    current: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    """The document being audited, committed before it is begun once the job has died twice."""
    current_hand: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    """The hand of it that is being audited; None while the document is read."""
    aside: str = Field(default="[]", sa_column=Column(String, nullable=False, server_default="[]"))
    """What a worker died at, as JSON: [document, hand or null] each."""
    problem: str = Field(default="", max_length=512)
    request: str = Field(default="", max_length=64)
    """The id of the web request that caused it."""


class Heartbeat(SQLModel, table=True):
    """When a worker of this name last looked for jobs left behind."""

    node: str = Field(primary_key=True, max_length=128)
    at: int = number()


class Report(SQLModel, table=True):
    """What the audit of one document came to; the report itself is a file of this digest."""

    __table_args__ = (
        UniqueConstraint("audit_id", "position"),
        Index("ix_report_sha256", "sha256"),
        one_of("verdict", ("clean", "findings", "unreplayable", "quarantined")),
    )
    id: str = Field(primary_key=True, max_length=36)
    audit_id: str = link("audit.id")
    position: int = number()
    verdict: str = Field(max_length=16)
    complete: bool
    hands: int = number()
    errors: int = number()
    sha256: str = Field(max_length=64)


class FindingRow(SQLModel, table=True):
    """A finding of a report, to be counted and searched; its words are in the report."""

    __tablename__ = "finding"
    __table_args__ = (UniqueConstraint("report_id", "position"), Index("ix_finding_code", "code"))
    id: str = Field(primary_key=True, max_length=36)
    report_id: str = link("report.id")
    position: int = number()
    code: str = Field(max_length=8)
    severity: str = Field(max_length=16)
    kind: str = Field(max_length=16)
    hand: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    action: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    seat: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
