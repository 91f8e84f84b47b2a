"""The verdict log for everybody: what it promises, its rows and its checkpoints. It names nobody."""

from flask import Blueprint, Response, abort, render_template, request, url_for

from replay.jobs.checkpointing import keep_checkpoints
from replay.store.checkpoints import checkpoint_at, checkpoints_of, count_checkpoints, file_bytes
from replay.store.tables import LARGEST
from replay.store.verdicts import canonical, head_of, rows_from, written
from replay.web.footing import service
from replay.web.pager import pager
from replay.web.reports.pages import download
from replay.web.security import SAFE
from replay.web.viewer import public

pages = Blueprint("verdict_log", __name__, url_prefix="/verdict-log")

ROWS_SHOWN = 50
CHECKPOINTS_SHOWN = 20
ROWS_AT_ONCE = 1000
"""Rows of one export; the next begins after them."""


@pages.after_app_request
def after_a_change(response: Response) -> Response:
    """Whatever was changed may have made a checkpoint due."""
    if request.method not in SAFE:
        keep_checkpoints(service())
    return response


@pages.get("")
@public
def index() -> str:
    """How long the log is, what it promises and how that is verified; checkpoints and rows, the newest first."""
    engine = service().engine
    size, head = head_of(engine)
    cut = pager(size, ROWS_SHOWN)
    last = size - cut.first
    first = max(last - ROWS_SHOWN, 0) + 1
    return render_template(
        "verdict_log.html",
        size=size,
        head=head,
        checkpoints=checkpoints_of(engine, CHECKPOINTS_SHOWN),
        checkpoint_count=count_checkpoints(engine),
        rows=rows_from(engine, first, last - first + 1)[::-1],
        exports=[(at, min(at + ROWS_AT_ONCE - 1, size)) for at in newest_exports(size)],
        pager=cut,
    )


def newest_exports(size: int) -> list[int]:
    """Where the first export begins, and the last one if that is another."""
    return sorted({1, (size - 1) // ROWS_AT_ONCE * ROWS_AT_ONCE + 1}) if size else []


@pages.get("/rows")
@public
def rows() -> Response:
    """Rows as they are hashed, with their hash, a JSON document a line; where more follow, a link leads to them."""
    first = min(max(request.args.get("from", 1, type=int), 1), LARGEST)
    found = rows_from(service().engine, first, ROWS_AT_ONCE + 1)
    shown = found[:ROWS_AT_ONCE]
    data = b"".join(canonical(written(row)) + b"\n" for row in shown)
    response = download(data, f"verdict-log-{first}.ndjson", "application/x-ndjson")
    if len(found) > len(shown):
        response.headers["Link"] = f'<{url_for(".rows")}?from={found[-1].seq}>; rel="next"'
    return response


@pages.get("/checkpoints/<int:size>.json")
@public
def checkpoint(size: int) -> Response:
    """A checkpoint as it is verified, byte for byte as it was written beside the database."""
    found = checkpoint_at(service().engine, size)
    if found is None:
        abort(404)
    return download(file_bytes(found), f"checkpoint-{size}.json", "application/json")
