"""Links to a report for whoever has them."""

from typing import Annotated, Literal
from uuid import UUID

from flask import Response, abort, url_for
from pydantic import Field

from replay.store.shares import TooMany, make_share, revoke_share, shares_of
from replay.store.tables import Share
from replay.web.api.models import Asked, Id, Moment, Told
from replay.web.api.operations import as_json, operation
from replay.web.api.problems import Refused
from replay.web.footing import service
from replay.web.loading import Loaded, canonical, report_or_404
from replay.web.reports.sharing import LIFETIMES

SHARES = "shares"


class ShareTold(Told):
    """A link that is open; ``seat`` is whose view it shows, null for the whole report."""

    id: Id
    seat: int | None
    created: Moment
    expires: Moment | None


class ShareList(Told):
    """The open links of a report."""

    items: list[ShareTold]


class ShareMade(Told):
    """Where a new link leads. It holds a secret that is told only now."""

    address: str


class ShareAsked(Asked):
    """What a link shows (all, or a seat's view), and how many days it lasts."""

    seat: Annotated[int, Field(ge=0, le=3)] | None = None
    lasts: Literal["1", "7", "30", "never"]


def own_or_404(report_id: UUID) -> Loaded:
    """The report of this id: its owner's alone to share (403)."""
    loaded = report_or_404(report_id)
    return loaded if loaded.own else abort(403)


@operation("GET", "/reports/<uuid:report_id>/shares", ShareList, tag=SHARES, rare=(403,))
def shares(report_id: UUID) -> ShareList:
    """The open links of a report of yours."""
    loaded = own_or_404(report_id)
    found = shares_of(service().engine, loaded.upload.owner, loaded.report.id)
    return ShareList(items=[told(one) for one in found])


def told(one: Share) -> ShareTold:
    """A link."""
    return ShareTold(id=one.id, seat=one.seat, created=one.created, expires=one.expires)


@operation(
    "POST",
    "/reports/<uuid:report_id>/shares",
    ShareMade,
    tag=SHARES,
    statuses=(201,),
    body=ShareAsked,
    rare=(409,),
)
def share(report_id: UUID, body: ShareAsked) -> Response:
    """Make a link to a report of yours; the answer is the only one that ever tells its address."""
    loaded = own_or_404(report_id)
    if body.seat is not None and not loaded.written["hands"]:
        raise Refused(422, "422.seat")
    days = LIFETIMES[body.lasts]
    try:
        secret = make_share(service().engine, loaded.upload.owner, loaded.report.id, body.seat, days)
    except TooMany:
        raise Refused(409, "409.shares") from None
    address = url_for("shares.show", secret=secret, _external=True)
    response = as_json(ShareMade(address=address).model_dump(), 201)
    response.headers["Location"] = address
    return response


@operation("DELETE", "/reports/<uuid:report_id>/shares/<uuid:share_id>", tag=SHARES, statuses=(204,))
def unshare(report_id: UUID, share_id: UUID) -> None:
    """Let a link lead nowhere from now on."""
    loaded = own_or_404(report_id)
    if not revoke_share(service().engine, loaded.upload.owner, loaded.report.id, canonical(share_id)):
        abort(404)
