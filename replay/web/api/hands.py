"""Hands: as a report has them, and step by step."""

from itertools import islice
from typing import Annotated
from uuid import UUID

from flask import abort
from pydantic import Field

from replay.steps import HandSteps, SeenSteps
from replay.web.api.models import Flag, FrameJson, HandJson, Listing, Paged, Query, Told, Whole
from replay.web.api.operations import operation
from replay.web.api.paging import cut, page_of
from replay.web.hands.pages import walk_or_404
from replay.web.loading import report_or_404

HANDS = "hands"
Seat = Annotated[int | None, Field(ge=0, le=3, description="the seat whose eyes are meant; with hide"), Whole]


class SeenQuery(Query):
    """Whose eyes are meant: with ``hide`` what ``seat`` could not see is left out."""

    seat: Seat = None
    hide: Flag = "false"


class StepsQuery(Paged, SeenQuery):
    """Which steps of a hand, and whose eyes are meant."""


class HandTold(Told):
    """A hand as the report has it; ``last`` is its last step, null where it cannot be walked through."""

    hand: HandJson
    last: int | None


class HandList(Listing):
    """The hands of a report, in their order."""

    items: list[HandJson]


class StepTold(Told):
    """The table after so many actions."""

    frame: FrameJson


class StepList(Listing):
    """The table step by step."""

    items: list[FrameJson]


@operation("GET", "/reports/<uuid:report_id>/hands", HandList, tag=HANDS, query=Paged)
def hands(report_id: UUID, query: Paged) -> HandList:
    """The hands of a report."""
    written = report_or_404(report_id).written["hands"]
    return HandList(items=cut(query, written), **page_of(query, len(written)))


@operation("GET", "/reports/<uuid:report_id>/hands/<int:hand>", HandTold, tag=HANDS)
def hand(report_id: UUID, hand: int) -> HandTold:
    """A hand: its findings, its hu, who pays whom and why."""
    loaded = report_or_404(report_id, hand)
    written = loaded.written["hands"]
    if hand >= len(written):
        abort(404)
    can_walk = loaded.log is not None and loaded.rules is not None
    return HandTold(hand=written[hand], last=walk_or_404(loaded, hand).last if can_walk else None)


@operation(
    "GET", "/reports/<uuid:report_id>/hands/<int:hand>/steps/<int:step>", StepTold, tag=HANDS, query=SeenQuery
)
def step(report_id: UUID, hand: int, step: int, query: SeenQuery) -> StepTold:
    """The table after so many actions: who holds what, and who may do what."""
    walk = walked(report_id, hand, query)
    if step > walk.last:
        abort(404)
    return StepTold(frame=walk.frame(step).to_dict())


@operation("GET", "/reports/<uuid:report_id>/hands/<int:hand>/steps", StepList, tag=HANDS, query=StepsQuery)
def steps(report_id: UUID, hand: int, query: StepsQuery) -> StepList:
    """The steps of a hand, from before its first action on."""
    walk = walked(report_id, hand, query)
    frames = islice(walk.frames(), query.first, query.first + query.size)
    return StepList(items=[one.to_dict() for one in frames], **page_of(query, walk.last + 1))


def walked(report_id: UUID, hand: int, query: SeenQuery) -> HandSteps:
    """The hand to be walked through, as far as it is to be seen; 404 where there is none."""
    walk = walk_or_404(report_or_404(report_id, hand), hand)
    if query.hide != "true":
        return walk
    return SeenSteps(walk.rules, walk.log, walk.number, walk.given, query.seat or 0)
