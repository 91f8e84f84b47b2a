"""Removing an upload with all that was made of it: asked first, then done."""

from typing import Any
from uuid import UUID

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for

from replay.store.removing import AtWork, InCase, is_in_case, remove_upload
from replay.store.tables import Upload
from replay.web.footing import service
from replay.web.languages import stands_for, words
from replay.web.loading import upload_or_404
from replay.web.viewer import owner

pages = Blueprint("removing", __name__)


def own_or_404(upload_id: UUID) -> Upload:
    """The upload of this id, if it is one's own: seeing it for a case is not enough."""
    found = upload_or_404(upload_id)
    return found if found.owner == owner() else abort(404)


@pages.get("/uploads/<uuid:upload_id>/delete")
def ask(upload_id: UUID) -> str:
    """What goes with the upload, and the form that removes it."""
    found = own_or_404(upload_id)
    problem = words().say("accounts.remove.in_case") if is_in_case(service().engine, found.id) else ""
    return page(found, problem)


def page(found: Upload, problem: str) -> str:
    """The same, with why it stays."""
    if request.method == "POST":
        stands_for(url_for(".ask", upload_id=found.id))
    return render_template("upload_remove.html", upload=found, problem=problem)


@pages.post("/uploads/<uuid:upload_id>/delete")
def remove(upload_id: UUID) -> Any:
    """Remove it; where a case is about it, or a worker is at it, it stays (409)."""
    found = own_or_404(upload_id)
    try:
        if not remove_upload(service().engine, service().blobs, owner(), found.id):
            abort(404)
    except InCase:
        return make_response(page(found, words().say("accounts.remove.in_case")), 409)
    except AtWork:
        return make_response(page(found, words().say("accounts.remove.at_work")), 409)
    return redirect(url_for("uploads.index"), 303)
