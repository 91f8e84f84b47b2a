"""The start page, taking uploads in, and the page of an upload."""

import logging
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, BinaryIO, cast
from uuid import UUID

import orjson
from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from replay.jobs.ingest import Taken, Wish, audit_again
from replay.jobs.lines import say
from replay.jobs.queue import retry, ring
from replay.store.attempts import AGAIN
from replay.store.blobs import TooLarge
from replay.store.tables import Audit, Upload
from replay.web.errors import answer, status_of
from replay.web.languages import stands_for, words
from replay.web.loading import (
    aside_of,
    audits_of,
    canonical,
    count_uploads,
    documents_of,
    progress_of,
    recent,
    service,
    upload_or_404,
)
from replay.web.logs import log, request_id
from replay.web.pager import pager
from replay.web.rulesets.houses import chosen as chosen_rules
from replay.web.rulesets.houses import offered, rules_of, versions
from replay.web.rulesets.options import asked_options, fields, option_words
from replay.web.security import FORM_ROOM, small_form
from replay.web.tries import retry_after, too_often, too_often_words
from replay.web.uploads.quota import MOST_FILES, Given, Refusal, used_bytes
from replay.web.uploads.samples import sample_path, samples
from replay.web.uploads.taking import (
    in_turn,
    quota_words,
    rate_words,
    take_one,
    wait_to_audit,
    why_not,
)
from replay.web.viewer import owner

pages = Blueprint("uploads", __name__)

RECENT = 20
DOCUMENTS_A_PAGE = 200
ASIDE_SHOWN = 20

VERDICTS = ("findings", "unreplayable", "quarantined", "clean")
FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
PASTED = "pasted.json"


@pages.get("/")
def index() -> str:
    """The form, the samples, and what was taken in last."""
    return start()


def start(problem: str = "") -> str:
    """The start page, with what is wrong about the form that was sent; what was entered stays."""
    if problem:
        stands_for(url_for(".index"))
    cut = pager(count_uploads(), RECENT)
    settings = service().settings
    return render_template(
        "index.html",
        problem=problem,
        text=request.form.get("text", "") if problem else "",
        profile=request.form.get("profile", "") if problem else "",
        uploads=recent(cut.first, RECENT),
        pager=cut,
        taken=request.args.getlist("taken"),
        samples=samples(),
        profiles=offered(),
        limits=service().limits,
        most_files=MOST_FILES,
        quota=settings.quota_bytes,
        used=used_bytes(service(), owner()) if settings.quota_bytes else 0,
        rate=settings.uploads_an_hour,
    )


@pages.post("/uploads")
def upload() -> Any:
    """Take files, pasted text or a sample in; one upload leads to its page, several to the list.

    All of it or nothing: what cannot be taken in is refused before anything is kept.
    """
    if request.mimetype not in FORMS:
        abort(415)
    request.max_form_memory_size = service().limits.document_bytes + FORM_ROOM
    profile = request.form.get("profile") or None
    rules = chosen_rules(profile) if profile is not None else None
    if profile is not None and rules is None:
        return make_response(start(words().say("web.problem.profile")), 422)
    if rules is not None and not rules.usable:
        return make_response(start(words().say("web.house.outdated")), 422)
    if len(request.files.getlist("file")) > MOST_FILES:
        return answer(413, "413.files")
    sent = given()
    if not sent:
        return make_response(start(words().say("web.problem.nothing")), 422)
    if any(one.size > service().limits.upload_bytes for one in sent):
        raise TooLarge(service().limits.upload_bytes)
    with in_turn():
        no = why_not(sent)
        return refused(no) if no else take_all(sent, Wish() if rules is None else rules.wish())


def refused(no: Refusal) -> Response:
    """The start page with why nothing was taken in.

    A rate is 429. A full quota is the reader's own limit and 413: 507 would say that the disk is full.
    """
    if no.why == "quota":
        return make_response(start(quota_words(no)), 413)
    response = make_response(start(rate_words(no)), 429)
    response.headers["Retry-After"] = retry_after(no.wait_ms)
    return response


def take_all(sent: Sequence[Given], wish: Wish) -> Any:
    """Take everything in; where that fails midway, the answer says what was kept and what was not."""
    taken: list[Taken] = []
    for one in sent:
        try:
            taken.append(take_one(one, wish))
        except Exception as error:
            if not taken:
                raise
            return half_taken(sent, len(taken), error)
    if len(taken) > 1:
        return redirect(url_for(".index", taken=[one.upload for one in taken]), 303)
    return redirect(place_of(taken[0]), 303)


def half_taken(sent: Sequence[Given], kept: int, error: Exception) -> Response:
    """That only the first ``kept`` were kept, and why: a page that needs no database."""
    status, said = status_of(error), words().say
    say(log, "failure", logging.ERROR, exc_info=error, request_id=request_id(), status=status)
    names = [words().shown(one.name) for one in sent]
    text = said("web.problem.half", kept=words().join(names[:kept]), lost=words().join(names[kept:]))
    title = said(f"web.error.{status}.title")
    page = render_template("error.html", status=status, title=title, text=text, request_id=request_id())
    return make_response(page, status)


def place_of(taken: Taken) -> str:
    """The page of an upload; it says so where the same bytes were there before."""
    if taken.fresh:
        return url_for(".show", upload_id=taken.upload)
    return url_for(".show", upload_id=taken.upload, audit=taken.audit, again=1)


def given() -> list[Given]:
    """What was sent, each with its name: files first, then pasted text, then a sample."""
    found = [
        Given(file_name(file.filename), cast(BinaryIO, file.stream))
        for file in request.files.getlist("file")
        if file.filename
    ]
    text = request.form.get("text", "")
    if text.strip():
        found.append(Given(PASTED, BytesIO(text.encode("utf-8", "surrogatepass"))))
    sample = request.form.get("sample")
    if sample in samples():
        path = sample_path(sample)
        found.append(Given(path.name, BytesIO(path.read_bytes())))
    return found


def file_name(given: str) -> str:
    """The last part of a file's name without characters that hide; it is only ever shown."""
    last = given.replace("\\", "/").rpartition("/")[2]
    return "".join(char if char.isprintable() else "�" for char in last)


@pages.get("/uploads/<uuid:upload_id>")
def show(upload_id: UUID) -> str:
    """An upload: what it is, and what is inside with each report's verdict."""
    return upload_page(upload_or_404(upload_id), {}, {})


def upload_page(found: Upload, form: Mapping[str, str], problems: Mapping[str, str]) -> str:
    """The page of an upload, with a form for another audit as it was entered and what is wrong with it."""
    audits = audits_of(found)
    audit = chosen(audits)
    versions(one.house for one in audits if one.house is not None)
    progress = progress_of(found, audit)
    verdict = request.args.get("verdict", "")
    verdict = verdict if verdict in VERDICTS else ""
    total = progress.verdicts.get(verdict, 0) if verdict else found.documents or 0
    cut = pager(total, DOCUMENTS_A_PAGE)
    aside = aside_of(found, audit)
    return render_template(
        "upload.html",
        upload=found,
        audit=audit,
        audits=[(one, wish_of(one)) for one in audits],
        newest=audits[0],
        wish=wish_of(audit),
        progress=progress,
        aside=aside[:ASIDE_SHOWN],
        aside_more=max(len(aside) - ASIDE_SHOWN, 0),
        verdict=verdict,
        verdicts=VERDICTS,
        documents=documents_of(found, audit, verdict, cut.first, cut.most),
        pager=cut,
        profiles=offered(),
        again="again" in request.args,
        retried="retried" in request.args and not aside,
        form=form,
        problems=problems,
        fields=fields(form, problems),
    )


def chosen(audits: list[Audit]) -> Audit:
    """The audit asked for, else the newest; 404 for one of another upload."""
    asked = request.args.get("audit")
    if not asked:
        return audits[0]
    wanted = canonical(asked)
    return next((one for one in audits if one.id == wanted), None) or abort(404)


def wish_of(audit: Audit, of: str | None = None) -> str:
    """The rule set of an audit in words, with the options over it; ``of`` owns it, where that is not who asks."""
    rules = rules_of(audit, of)
    options = option_words(orjson.loads(audit.options))
    return words().say("web.wish", rules=rules, options=words().join(options)) if options else rules


@pages.post("/uploads/<uuid:upload_id>/audits")
def again(upload_id: UUID) -> Response:
    """Audit an upload under another rule set or options; the reports there are stay.

    Options that cannot be used give the page again (422), with each of them named, and nothing is begun. What is
    asked for too often is refused (429): each is work for all of the upload.
    """
    small_form()
    found = upload_or_404(upload_id)
    profile = request.form.get("profile") or None
    rules = chosen_rules(profile) if profile is not None else None
    if profile is not None and (rules is None or not rules.usable):
        abort(422)
    asked = asked_options(request.form, rules.rules if rules is not None else None)
    if asked.problems:
        stands_for(url_for(".show", upload_id=found.id))
        return make_response(upload_page(found, request.form, asked.problems), 422)
    wish = Wish(None, asked.values) if rules is None else rules.wish(asked.values)
    wait = wait_to_audit()
    if wait:
        return too_often(answer(429, detail=too_often_words(AGAIN, wait)), wait)
    audit = audit_again(service(), found.id, wish, request=request_id())
    return make_response(redirect(url_for(".show", upload_id=found.id, audit=audit), 303))


@pages.post("/uploads/<uuid:upload_id>/retry")
def try_again(upload_id: UUID) -> Response:
    """Try work that was set aside anew: the job of the form, or all of this audit without one."""
    small_form()
    found = upload_or_404(upload_id)
    audit = chosen(audits_of(found))
    only = request.form.get("job")
    for job in aside_of(found, audit):
        if (only is None or job.id == only) and retry(service(), job.id):
            ring(service(), job.id)
    return make_response(redirect(url_for(".show", upload_id=found.id, audit=audit.id, retried=1), 303))


def said_of(upload: Upload, done: int) -> str:
    """How far it is, in words."""
    if upload.documents is None:
        return words().say("web.progress.split")
    return words().say("web.progress.audit", done=done, all=upload.documents)
