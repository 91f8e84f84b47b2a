"""The verdict log for everybody: its rows as they are hashed, and its signed checkpoints."""

from typing import Annotated, Any

from flask import abort
from pydantic import Field

from replay.store.checkpoints import checkpoint_at, checkpoints_of, count_checkpoints
from replay.store.tables import LARGEST, Checkpoint
from replay.store.verdicts import head_of, rows_from, written
from replay.web.api.models import LARGEST_PAGE, USUAL_PAGE, Listing, Moment, Paged, Query, Told, Whole
from replay.web.api.operations import operation
from replay.web.api.paging import page_of
from replay.web.footing import service

VERDICT_LOG = "verdict log"


class RowQuery(Query):
    """The number of the first row, and of how many."""

    first: Annotated[int, Field(ge=1, le=LARGEST), Whole] = 1
    size: Annotated[int, Field(ge=1, le=LARGEST_PAGE), Whole] = USUAL_PAGE


class RowTold(Told):
    """A row: what is hashed of it, and the hash."""

    seq: int
    prev: str
    kind: str
    subject: str
    actor: str
    at: Moment
    engine: str
    ruleset: str
    payload_sha256: str
    hash: str


class RowList(Told):
    """Rows of the log in their order, and how long it is; ``next`` is the number of the row after them."""

    size: int
    head: str
    next: int | None
    items: list[RowTold]


class CheckpointTold(Told):
    """The head of the log at a size, signed (Ed25519) by the key."""

    size: int
    head: str
    at: Moment
    key: str
    signature: str


class CheckpointList(Listing):
    """Checkpoints, the newest first."""

    items: list[CheckpointTold]


@operation("GET", "/verdict-log", RowList, tag=VERDICT_LOG, query=RowQuery, anyone=True)
def verdict_log(query: RowQuery) -> RowList:
    """Rows of the verdict log, from a number on."""
    size, head = head_of(service().engine)
    found = [RowTold(**written(row)) for row in rows_from(service().engine, query.first, query.size)]
    more = bool(found) and found[-1].seq < size
    return RowList(size=size, head=head, next=found[-1].seq + 1 if more else None, items=found)


@operation("GET", "/verdict-log/checkpoints", CheckpointList, tag=VERDICT_LOG, query=Paged, anyone=True)
def checkpoints(query: Paged) -> CheckpointList:
    """The checkpoints of the verdict log, the newest first."""
    engine = service().engine
    found = checkpoints_of(engine, query.size, query.first)
    return CheckpointList(items=[told(one) for one in found], **page_of(query, count_checkpoints(engine)))


@operation("GET", "/verdict-log/checkpoints/<int:size>", CheckpointTold, tag=VERDICT_LOG, anyone=True)
def checkpoint(size: int) -> CheckpointTold:
    """The checkpoint of a log of this size."""
    found = checkpoint_at(service().engine, size)
    return told(found) if found is not None else abort(404)


def told(one: Checkpoint) -> CheckpointTold:
    """A checkpoint."""
    facts: dict[str, Any] = {name: getattr(one, name) for name in CheckpointTold.model_fields}
    return CheckpointTold(**facts)
