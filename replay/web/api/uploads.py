"""Uploads: taking them in, what they hold, how far their audits are, and auditing them again."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, BinaryIO, cast
from uuid import UUID

from flask import Response, abort, request, url_for
from pydantic import Field

from replay.jobs.ingest import Taken, Wish
from replay.limits import MIB
from replay.store.blobs import TooLarge
from replay.store.removing import AtWork, InCase, remove_upload
from replay.store.tables import Audit, Upload
from replay.web.api.audits import UPLOADS, AuditTold, ProgressTold, told_audit, told_progress
from replay.web.api.models import (
    Id,
    Listing,
    Moment,
    Paged,
    Query,
    Rules,
    Told,
)
from replay.web.api.operations import Media, as_json, operation
from replay.web.api.paging import page_of
from replay.web.api.problems import Refused
from replay.web.api.rules import rules_or_refuse
from replay.web.footing import service
from replay.web.languages import words
from replay.web.loading import (
    Progress,
    audits_of,
    count_uploads,
    progress_of,
    recent,
    upload_or_404,
)
from replay.web.tries import retry_after
from replay.web.uploads.pages import FORMS, file_name
from replay.web.uploads.quota import PIECE, Given
from replay.web.uploads.removing import own_or_404
from replay.web.uploads.taking import in_turn, quota_words, rate_words, take_one, why_not
from replay.web.viewer import owner

RAW = (
    "application/json",
    "application/x-ndjson",
    "application/gzip",
    "application/zip",
    "application/octet-stream",
)
FORM = FORMS[0]
IN_MEMORY = MIB
"""A body is held in memory up to this, then in a file."""

NAMELESS = "upload"


class UploadLine(Told):
    """An upload with its newest audit."""

    id: Id
    name: str
    sha256: str
    size: int
    created: Moment
    documents: int | None
    audit: AuditTold
    progress: ProgressTold


class UploadTold(UploadLine):
    """An upload with every audit of it, the newest first."""

    audits: list[AuditTold]


class UploadList(Listing):
    """Uploads, the newest first."""

    items: list[UploadLine]


class TakenTold(Told):
    """What was taken in: ``fresh`` is false where the same bytes were here already."""

    id: Id
    audit: Id
    fresh: bool


class TakeQuery(Query):
    """How what is sent is called, and by which rule set it is audited (without: each log's own)."""

    name: Annotated[str, Field(max_length=255)] = ""
    rules: Rules | None = None


# As they are told ------------------------------------------------------------------------------------


def line(upload: Upload, audit: Audit, progress: Progress) -> dict[str, Any]:
    """The facts of an upload."""
    return {
        "id": upload.id,
        "name": upload.name,
        "sha256": upload.sha256,
        "size": upload.size,
        "created": upload.created,
        "documents": upload.documents,
        "audit": told_audit(audit),
        "progress": told_progress(upload, progress),
    }


# What can be asked for -------------------------------------------------------------------------------


@operation("GET", "/uploads", UploadList, tag=UPLOADS, query=Paged)
def uploads(query: Paged) -> UploadList:
    """Your uploads, the newest first."""
    items = [UploadLine(**line(*each)) for each in recent(query.first, query.size)]
    return UploadList(items=items, **page_of(query, count_uploads()))


@operation(
    "POST",
    "/uploads",
    TakenTold,
    tag=UPLOADS,
    statuses=(200, 201),
    query=TakeQuery,
    body=Media((*RAW, FORM)),
    rare=(429,),
)
def take_in(query: TakeQuery) -> Response:
    """Take a log or an archive of logs in, as the body or as the file of a form; the same bytes are one upload."""
    rules = rules_or_refuse(query.rules) if query.rules is not None else None
    with body_sent() as stream:
        given = Given(file_name(query.name) or form_name() or NAMELESS, stream)
        if not given.size:
            raise Refused(422, "422.nothing")
        if given.size > service().limits.upload_bytes:
            raise TooLarge(service().limits.upload_bytes)
        taken = kept(given, Wish() if rules is None else rules.wish())
    told = TakenTold(id=taken.upload, audit=taken.audit, fresh=taken.fresh)
    response = as_json(told.model_dump(), 201 if taken.fresh else 200)
    response.headers["Location"] = url_for("api.upload", upload_id=taken.upload)
    return response


@contextmanager
def body_sent() -> Iterator[BinaryIO]:
    """What was sent, to be read from its beginning."""
    if request.mimetype == FORM:
        files = [one for one in request.files.getlist("file") if one.filename]
        if len(files) != 1 or len(request.files) != 1:
            raise Refused(422, "422.nothing")
        yield cast(BinaryIO, files[0].stream)
        return
    if request.mimetype not in RAW:
        raise Refused(415, "415.upload")
    request.max_content_length = most = service().limits.upload_bytes
    with SpooledTemporaryFile(IN_MEMORY) as held:
        for piece in pieces_sent():
            held.write(piece)
            if held.tell() > most:
                raise TooLarge(most)
        yield cast(BinaryIO, held)


def pieces_sent() -> Iterator[bytes]:
    """The body, piece by piece."""
    while piece := request.stream.read(PIECE):
        yield piece


def form_name() -> str:
    """The name of the file of a form; "" where the body is the file."""
    file = request.files.get("file") if request.mimetype == FORM else None
    return file_name(file.filename or "") if file is not None else ""


def kept(given: Given, wish: Wish) -> Taken:
    """Keep what was sent. Raises `Refused` where there is no room for it, or not yet."""
    with in_turn():
        no = why_not([given])
        if no is None:
            return take_one(given, wish)
    if no.why == "quota":
        raise Refused(413, "413.quota", detail=quota_words(no))
    raise Refused(429, detail=rate_words(no), headers={"Retry-After": retry_after(no.wait_ms)})


@operation("GET", "/uploads/<uuid:upload_id>", UploadTold, tag=UPLOADS)
def upload(upload_id: UUID) -> UploadTold:
    """An upload, with all of its audits."""
    found = upload_or_404(upload_id)
    audits = audits_of(found)
    its = line(found, audits[0], progress_of(found, audits[0]))
    return UploadTold(**its, audits=[told_audit(one) for one in audits])


@operation("DELETE", "/uploads/<uuid:upload_id>", tag=UPLOADS, statuses=(204,), rare=(409,))
def remove(upload_id: UUID) -> None:
    """Remove an upload with all that was made of it; where a case is about it, or a worker at it, it stays (409)."""
    found = own_or_404(upload_id)
    try:
        if not remove_upload(service().engine, service().blobs, owner(), found.id):
            abort(404)
    except InCase:
        raise Refused(409, "409.in_case", detail=words().say("accounts.remove.in_case")) from None
    except AtWork:
        raise Refused(409, "409.at_work", detail=words().say("accounts.remove.at_work")) from None
