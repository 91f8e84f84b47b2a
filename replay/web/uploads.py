"""The start page, taking uploads in, and the page of an upload."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import orjson
from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.datastructures import FileStorage

from replay import load_profile, profile_ids
from replay.jobs.ingest import Taken, Wish, audit_again, take
from replay.limits import KIB
from replay.resources import folder
from replay.store.tables import Audit, Upload
from replay.web.languages import lang, words
from replay.web.loading import (
    OWNER,
    audits_of,
    canonical,
    documents_of,
    progress_of,
    recent,
    service,
    upload_or_404,
)
from replay.web.logs import request_id
from replay.web.pager import pager
from replay.web.security import FORM_ROOM, PARTS

pages = Blueprint("uploads", __name__)

PIECE = 256 * KIB
RECENT = 20
DOCUMENTS_A_PAGE = 200
MOST_FILES = PARTS - 4
"""The other parts of the form are text, rule set and sample."""

VERDICTS = ("findings", "unreplayable", "quarantined", "clean")
FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
PASTED = "pasted.json"


@pages.get("/")
def index() -> str:
    """The form, the samples, and what was taken in last."""
    return start()


def start(problem: str = "") -> str:
    """The start page, with what is wrong about the form that was sent."""
    return render_template(
        "index.html",
        problem=problem,
        uploads=recent(RECENT),
        taken=request.args.getlist("taken"),
        samples=samples(),
        profiles=profiles(),
        limits=service().limits,
        most_files=MOST_FILES,
    )


@pages.post("/uploads")
def upload() -> Any:
    """Take files, pasted text or a sample in; one upload leads to its page, several to the list."""
    if request.mimetype not in FORMS:
        abort(415)
    request.max_form_memory_size = service().limits.document_bytes + FORM_ROOM
    profile = request.form.get("profile") or None
    if profile is not None and profile not in profile_ids():
        return make_response(start(words().say("web.problem.profile")), 422)
    sources = list(given())
    if not sources:
        return make_response(start(words().say("web.problem.nothing")), 422)
    taken = [
        take(service(), pieces, name, Wish(profile), owner=OWNER, request=request_id())
        for name, pieces in sources
    ]
    if len(taken) > 1:
        return redirect(url_for(".index", taken=[one.upload for one in taken]), 303)
    return redirect(place_of(taken[0]), 303)


def place_of(taken: Taken) -> str:
    """The page of an upload; it says so where the same bytes were there before."""
    if taken.fresh:
        return url_for(".show", upload_id=taken.upload)
    return url_for(".show", upload_id=taken.upload, audit=taken.audit, again=1)


def given() -> Iterator[tuple[str, Iterator[bytes]]]:
    """What was sent, each with its name: files first, then pasted text, then a sample."""
    for file in request.files.getlist("file"):
        if file.filename:
            yield file_name(file.filename), pieces_of(file)
    text = request.form.get("text", "")
    if text.strip():
        yield PASTED, iter((text.encode("utf-8", "surrogatepass"),))
    sample = request.form.get("sample")
    if sample in samples():
        path = folder("sample_logs") / f"{sample}.json"
        yield path.name, iter((path.read_bytes(),))


def pieces_of(file: FileStorage) -> Iterator[bytes]:
    """An uploaded file, piece by piece."""
    while piece := file.stream.read(PIECE):
        yield piece


def file_name(given: str) -> str:
    """The last part of a file's name without characters that hide; it is only ever shown."""
    last = given.replace("\\", "/").rpartition("/")[2]
    return "".join(char if char.isprintable() else "�" for char in last)


def samples() -> list[str]:
    """The sample logs there are, as folder and name."""
    top = folder("sample_logs")
    found = [path.relative_to(top).with_suffix("") for path in sorted(top.glob("*/*.json"))]
    return [path.as_posix() for path in found if path.suffix != ".report"]


def profiles() -> list[tuple[str, str]]:
    """The rule sets there are, by id and name."""
    return [(one, load_profile(one).names.get(lang()) or one) for one in profile_ids()]


@pages.get("/uploads/<uuid:upload_id>")
def show(upload_id: UUID) -> str:
    """An upload: what it is, and what is inside with each report's verdict."""
    found = upload_or_404(upload_id)
    audits = audits_of(found)
    audit = chosen(audits)
    progress = progress_of(found, audit)
    verdict = request.args.get("verdict", "")
    verdict = verdict if verdict in VERDICTS else ""
    total = progress.verdicts.get(verdict, 0) if verdict else found.documents or 0
    cut = pager(total, DOCUMENTS_A_PAGE)
    return render_template(
        "upload.html",
        upload=found,
        audit=audit,
        audits=[(one, wish_of(one), one.supersedes) for one in audits],
        newest=audits[0],
        wish=wish_of(audit),
        progress=progress,
        verdict=verdict,
        verdicts=VERDICTS,
        documents=documents_of(found, audit, verdict, cut.first, cut.most),
        pager=cut,
        profiles=profiles(),
        again="again" in request.args,
        options=orjson.loads(audit.options),
    )


def chosen(audits: list[Audit]) -> Audit:
    """The audit asked for, else the newest; 404 for one of another upload."""
    asked = request.args.get("audit")
    if not asked:
        return audits[0]
    wanted = canonical(asked)
    return next((one for one in audits if one.id == wanted), None) or abort(404)


def wish_of(audit: Audit) -> str:
    """The rule set of an audit in words."""
    if audit.profile is None:
        return words().say("web.profile.own")
    return dict(profiles()).get(audit.profile, audit.profile)


@pages.post("/uploads/<uuid:upload_id>/audits")
def again(upload_id: UUID) -> Response:
    """Audit an upload under another rule set; the reports there are stay."""
    found = upload_or_404(upload_id)
    profile = request.form.get("profile") or None
    if profile is not None and profile not in profile_ids():
        abort(422)
    audit = audit_again(service(), found.id, Wish(profile), request=request_id())
    return make_response(redirect(url_for(".show", upload_id=found.id, audit=audit), 303))


@pages.get("/api/uploads/<uuid:upload_id>")
def state(upload_id: UUID) -> Response:
    """How far an upload's audit is, for a page that waits."""
    found = upload_or_404(upload_id)
    progress = progress_of(found, chosen(audits_of(found)))
    return jsonify(
        state=progress.state,
        documents=progress.documents,
        done=progress.done,
        text=said_of(found, progress.done),
    )


def said_of(upload: Upload, done: int) -> str:
    """How far it is, in words."""
    if upload.documents is None:
        return words().say("web.progress.split")
    return words().say("web.progress.audit", done=done, all=upload.documents)
