"""Links to a report for whoever has them: making and revoking one, and what it leads to."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for

from replay.steps import HandSteps, SeenSteps, log_seen, report_seen
from replay.store.attempts import MINUTE_MS, Rate, attempt
from replay.store.shares import TooMany, make_share, revoke_share
from replay.web.errors import answer
from replay.web.footing import service
from replay.web.hands.pages import step_page
from replay.web.languages import lang, stands_for
from replay.web.loading import Loaded, canonical, contents_of, report_or_404, shared_with
from replay.web.reports.pages import report_page, succession
from replay.web.reports.sharing import LIFETIMES, VIEWS, WHOLE, shows
from replay.web.reports.shown import page_for, scores, step_url
from replay.web.security import small_form
from replay.web.viewer import public
from replay.wording import Words

pages = Blueprint("shares", __name__)

WRONG_LINKS = Rate("wrong link", 30, MINUTE_MS)
"""Of one address: nobody finds a link by trying."""


@dataclass(frozen=True, slots=True)
class Shared(Loaded):
    """A report that is seen by a link: its pages lie under the link's secret."""

    secret: str = ""

    @property
    def shared(self) -> bool:
        """It is."""
        return True

    @property
    def own(self) -> bool:
        """A link is nobody's own."""
        return False

    def step_at(self, hand: int, step: int, **view: Any) -> str:
        """The step under its link."""
        return url_for("shares.step", secret=self.secret, hand=hand, step=step, **view)

    def home(self) -> str:
        """Where the link leads to."""
        return url_for("shares.show", secret=self.secret)

    def called(self, words: Words) -> tuple[str, str]:
        """What was shared, and the name of the document."""
        name = words.shown(self.document.name, 60) or words.say("web.nameless")
        return words.say("shares.shared"), name


@dataclass(frozen=True, slots=True)
class SeatShared(Shared):
    """A report of which a link shows the hands as one seat sees them.

    What that seat could not see is not in what the pages are made from (`replay.steps.redacted`).
    """

    seat: int = 0

    @property
    def only(self) -> int | None:
        """That seat."""
        return self.seat

    def step_at(self, hand: int, step: int, **view: Any) -> str:
        """The step under its link, which says what it is seen as."""
        for fixed in ("seat", "hide", "nospoilers"):
            view.pop(fixed, None)
        return Shared.step_at(self, hand, step, **view)

    def seen(self, walk: HandSteps) -> HandSteps:
        """The hand as the seat sees it."""
        return SeenSteps(walk.rules, walk.log, walk.number, walk.given, self.seat)


# What a link leads to --------------------------------------------------------------------------------


def shared_or_404(secret: str, hand: int | None = None, step: int = 0) -> Shared:
    """What the link of this secret shows, at a step of a hand; 404 whatever is wrong with it.

    Who tries wrong ones too often is told to wait (429).
    """
    found = shared_with(secret)
    if found is None:
        wait = attempt(service().engine, (WRONG_LINKS, request.remote_addr or ""))
        abort(answer(429) if wait else 404)
    share, seen = found
    written, log, plain, data = contents_of(seen)
    rest = (seen.report, seen.audit, seen.upload, seen.document, seen.standing, secret)
    if share.seat is None:
        return Shared(written, log, plain, data, *rest)
    if hand is not None and plain is not None and hand < len(written["hands"]):
        written, plain = (
            report_seen(written, hand, share.seat),
            log_seen(plain, hand, step, share.seat),
        )
    return SeatShared(written, log, plain, None, *rest, share.seat)


@pages.get("/s/<secret>")
@public
def show(secret: str) -> str:
    """The shared report; of one seat's view, the hands there are to be looked at."""
    shared = shared_or_404(secret)
    return hands_page(shared) if isinstance(shared, SeatShared) else report_page(shared)


def hands_page(shared: SeatShared) -> str:
    """The hands of a link that shows one seat's view: where each begins, and what it came to."""
    words = page_for(shared, lang()).words
    hands = [
        (hand["hand"], step_url(shared, hand["hand"]), list(scores(words, hand)))
        for hand in shared.written["hands"]
    ]
    return render_template(
        "shared_hands.html", shared=shared, words=words, hands=hands, shows=shows(words, shared.seat)
    )


@pages.get("/s/<secret>/hands/<int:hand>/steps/<int:step>")
@public
def step(secret: str, hand: int, step: int) -> str:
    """A step of a hand, whole or as one seat sees it."""
    shared = shared_or_404(secret, hand, step)
    return step_page(shared, hand, step, succession(shared))


# Making and revoking ---------------------------------------------------------------------------------


def own_report(report_id: UUID) -> Loaded:
    """The report of this id, of whoever asks: nobody shares what is not theirs (404, 403)."""
    loaded = report_or_404(report_id)
    return loaded if loaded.own else abort(403)


@pages.post("/reports/<uuid:report_id>/shares")
def make(report_id: UUID) -> Response:
    """Make a link; the page that says it is the only one that ever does."""
    small_form()
    loaded = own_report(report_id)
    view, lasts = request.form.get("view", ""), request.form.get("lasts", "")
    if view not in VIEWS or lasts not in LIFETIMES:
        abort(422)
    seat = None if view == WHOLE else int(view)
    if seat is not None and not loaded.written["hands"]:
        abort(422)
    try:
        secret = make_share(service().engine, loaded.upload.owner, loaded.report.id, seat, LIFETIMES[lasts])
    except TooMany:
        abort(answer(409, "409.shares"))
    stands_for(loaded.home())
    words = page_for(loaded, lang()).words
    address = url_for("shares.show", secret=secret, _external=True)
    page = render_template(
        "share_made.html",
        loaded=loaded,
        words=words,
        address=address,
        shows=shows(words, seat),
        seat=seat,
        lasts=lasts,
    )
    return make_response(page, 201)


@pages.post("/reports/<uuid:report_id>/shares/<uuid:share_id>/revoke")
def revoke(report_id: UUID, share_id: UUID) -> Response:
    """Let a link lead nowhere from now on; one that does not any more stays so."""
    small_form()
    loaded = own_report(report_id)
    revoke_share(service().engine, loaded.upload.owner, loaded.report.id, canonical(share_id))
    return make_response(redirect(f"{loaded.home()}#shares", 303))
