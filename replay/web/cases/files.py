"""Files of a case: brought by its parties, and only ever given to be saved."""

from hashlib import sha256
from pathlib import PurePosixPath
from typing import BinaryIO, cast
from uuid import UUID

from flask import Response, abort, request

from replay.store.cases.reading import Case
from replay.store.cases.saying import FILE_BYTES, Kept, attach, refuse_file
from replay.store.removing import remove_files
from replay.web.cases.acting import answered
from replay.web.cases.forms import Form
from replay.web.cases.pages import actor, case_or_404, pages
from replay.web.errors import answer
from replay.web.footing import service
from replay.web.languages import size
from replay.web.reports.pages import download
from replay.web.security import FORM_ROOM
from replay.web.uploads.pages import file_name
from replay.web.uploads.quota import Given, used_bytes
from replay.web.uploads.taking import in_turn

LONGEST_NAME = 255
BINARY = "application/octet-stream"
HARMLESS = (".txt", ".png", ".jpg", ".jpeg", ".webp", ".pdf", ".json", ".csv", ".zip", ".mp4")
"""How the name of a file may end when it is saved, if its own does; every other ends with ``.bin``."""


@pages.post("/<uuid:case_id>/evidence")
def bring(case_id: UUID) -> Response:
    """Add a file, with what it is."""
    large_form()
    return answered(case_or_404(case_id), Form("evidence", request.form), brought)


def large_form() -> None:
    """A form with a file of a case is as large as the file may be, and a little more (413)."""
    request.max_content_length = FILE_BYTES + FORM_ROOM
    # What has not been cut into lines yet counts as held in memory, even of a file.
    request.max_form_memory_size = FILE_BYTES + FORM_ROOM


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
    with in_turn():
        if room_for(given, form):
            kept(case, given, text)


def room_for(given: Given, form: Form) -> bool:
    """Whether whoever asks may have so much kept; if not, the form says so."""
    quota = service().settings.quota_bytes
    if not quota or used_bytes(service(), actor().id) + given.size <= quota:
        return True
    form.wrong("file", "quota", quota=size(quota))
    return False


def kept(case: Case, given: Given, text: str) -> None:
    """Keep the bytes of a file and make it one of the case; of one that the case refuses nothing stays."""
    engine, blobs, asks = service().engine, service().blobs, actor()
    refuse_file(engine, case.row.id, asks)
    digest, count = blobs.keep(given.pieces(), FILE_BYTES)
    try:
        attach(engine, blobs, case.row.id, asks, Kept(given.name, digest, count), text)
    except Exception:
        remove_files(engine, blobs, [digest])
        raise


@pages.get("/<uuid:case_id>/evidence/<uuid:file_id>")
def fetch(case_id: UUID, file_id: UUID) -> Response:
    """A file of a case, byte for byte, to be saved under a name of ours: no browser is to open what others brought."""
    case = case_or_404(case_id)
    data = evidence_of(case, str(file_id))
    if data is None:
        return answer(410, "410.file")
    return download(data, saved_name(case, str(file_id)), BINARY)


def saved_name(case: Case, file_id: str) -> str:
    """The name of ours under which a file is saved, ending so that it can be looked at."""
    ends = [PurePosixPath(file.name).suffix.lower() for file in case.files if file.id == file_id]
    return f"evidence-{file_id}{ends[0] if ends[0] in HARMLESS else '.bin'}"


def evidence_of(case: Case, file_id: str) -> bytes | None:
    """The bytes of a file of a case; None where they, or the row, are not what its entry says. 404 for no file."""
    found = next((file for file in case.files if file.id == file_id), None) or abort(404)
    stated = next((entry.body for entry in case.entries if entry.id == found.entry_id), {})
    if (stated.get("file"), stated.get("sha256")) != (found.id, found.sha256):
        return None
    try:
        data = service().blobs.read(found.sha256)
    except FileNotFoundError:
        return None
    return data if sha256(data).hexdigest() == found.sha256 else None
