"""Files of a case: brought by its parties, and only ever given to be saved."""

from typing import BinaryIO, cast
from uuid import UUID

from flask import Response, abort, request

from replay.store.cases.moves import after, may
from replay.store.cases.reading import Case
from replay.store.cases.saying import FILE_BYTES, Kept, attach
from replay.store.cases.writing import NotAllowed, TooLate
from replay.web.cases.acting import answered
from replay.web.cases.forms import Form
from replay.web.cases.pages import actor, case_or_404, pages
from replay.web.footing import service
from replay.web.languages import size
from replay.web.quota import Given, used_bytes
from replay.web.reports import download
from replay.web.security import FORM_ROOM
from replay.web.uploads import file_name

LONGEST_NAME = 255
BINARY = "application/octet-stream"


@pages.post("/<uuid:case_id>/evidence")
def bring(case_id: UUID) -> Response:
    """Add a file, with what it is."""
    request.max_content_length = FILE_BYTES + FORM_ROOM
    return answered(case_or_404(case_id), Form("evidence", request.form), brought)


def brought(case: Case, form: Form) -> None:
    """Keep the file of a form and add it to the case; what is wrong with it the form says."""
    file, text = request.files.get("file"), form.text()
    if file is None or not file.filename:
        form.wrong("file", "file")
    if form.problems or file is None or not file.filename:
        return
    given = Given(file_name(file.filename)[-LONGEST_NAME:], cast(BinaryIO, file.stream))
    if not 0 < given.size <= FILE_BYTES:
        form.wrong("file", "size", most=size(FILE_BYTES))
        return
    asks, quota = actor(), service().settings.quota_bytes
    if quota and used_bytes(service(), asks.id) + given.size > quota:
        form.wrong("file", "quota", quota=size(quota))
        return
    # Asked before the bytes are kept, and again when the entry is made.
    if not may("evidence", case.where, case.standing(asks.id, asks.role)):
        raise TooLate(case.row.state) if after("evidence", case.where) is None else NotAllowed("evidence")
    digest, count = service().blobs.keep(given.pieces(), FILE_BYTES)
    attach(service().engine, case.row.id, asks, Kept(given.name, digest, count), text)


@pages.get("/<uuid:case_id>/evidence/<uuid:file_id>")
def fetch(case_id: UUID, file_id: UUID) -> Response:
    """A file of a case, byte for byte, to be saved under a name of ours: no browser is to open what others brought."""
    case = case_or_404(case_id)
    found = next((file for file in case.files if file.id == str(file_id)), None) or abort(404)
    return download(service().blobs.read(found.sha256), f"evidence-{found.id}", BINARY)
