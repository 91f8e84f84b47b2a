"""Searching reports, and what a player's sittings came to; both among what whoever asks may see."""

from typing import Annotated, Literal, cast

from flask import abort
from pydantic import Field

from replay.store.played import folded
from replay.store.players import (
    Against,
    Group,
    Sat,
    Who,
    against,
    count_sittings,
    groups,
    names,
    others_called,
    sittings,
)
from replay.store.searching import MOST, Hit, Wanted, count, search
from replay.store.tables import Played
from replay.store.visible import may_see
from replay.web.api.audits import Verdict
from replay.web.api.models import Flag, Id, Listing, Moment, Paged, Told, Whole
from replay.web.api.operations import operation
from replay.web.api.paging import page_of
from replay.web.footing import service
from replay.web.viewer import user

SEARCH = "search"
Sought = Annotated[str, Field(max_length=128)]
Name = Annotated[str, Field(max_length=64)]
When = Annotated[int | None, Field(ge=0, le=2**53 - 1, description="milliseconds since 1970"), Whole]


class SearchQuery(Paged):
    """What is searched for; without any of it, all. ``open``: nothing to object to, but questions left open.

    ``until`` is not included. ``superseded``: reports that a later audit supersedes as well.
    """

    player: Sought = ""
    room: Sought = ""
    code: Annotated[str, Field(max_length=8, pattern="^[A-Z0-9]*$")] = ""
    profile: Sought = ""
    since: When = None
    until: When = None
    verdict: Literal["clean", "open", "findings", "unreplayable", "quarantined"] | None = None
    superseded: Flag = "false"


class PlayerSeat(Told):
    """Who sat at a seat; what the sitting came to for them is null where it is not settled."""

    seat: int
    platform: str
    player: str
    name: str
    points: int | None
    wins: int
    errors: int


class HitTold(Told):
    """A report that was found; ``first`` is the position of its first finding that is wanted."""

    id: Id
    verdict: Verdict
    complete: bool
    hands: int
    errors: int
    findings: int
    first: int | None
    profile: str
    room: str
    platform: str
    log: str
    document: str
    played: Moment | None
    players: list[PlayerSeat]


class HitList(Listing):
    """Reports, those played last first; of more than ``most`` no more are counted or listed."""

    most: int
    items: list[HitTold]


class PlayerQuery(Paged):
    """A player: by the id that a platform gave, or by name among the logs of no platform."""

    platform: Name = ""
    player: Name = ""
    name: Name = ""


class GroupTold(Told):
    """What the sittings under one rule set with one base came to; ``points`` are those of the settled ones."""

    profile: str
    base: str
    sittings: int
    settled: int
    hands: int
    points: int
    wins: int
    errors: int


class PlaceTold(Told):
    """Where a finding stands: its report, its position in it, and the hand."""

    report: Id
    position: int
    hand: int | None


class AgainstTold(Told):
    """The findings of a code at the player's seats: how many, and where the latest few are."""

    code: str
    severity: Literal["error", "warning", "note"]
    number: int
    places: list[PlaceTold]


class SatTold(Told):
    """A sitting of the player."""

    report: Id
    profile: str
    room: str
    log: str
    played: Moment | None
    seat: PlayerSeat


class OtherTold(Told):
    """A player of a platform who has had the name."""

    platform: str
    player: str


class PlayerTold(Listing):
    """A player: their names, what their sittings came to, what was found, and the sittings by page."""

    names: list[str]
    results: list[GroupTold]
    findings: list[AgainstTold]
    others: list[OtherTold]
    items: list[SatTold]


@operation("GET", "/reports", HitList, tag=SEARCH, query=SearchQuery)
def reports(query: SearchQuery) -> HitList:
    """Reports that you may see: all, or those that are searched for."""
    seen, engine = may_see(user().id, user().role), service().engine
    wanted = Wanted(
        player=query.player.strip(),
        room=query.room.strip(),
        code=query.code,
        profile=query.profile,
        since=query.since,
        until=query.until,
        verdict=query.verdict or "",
        superseded=query.superseded == "true",
    )
    total = min(count(engine, seen, wanted), MOST)
    first = min(query.first, total)
    found = search(engine, seen, wanted, first, min(query.size, total - first)) if total else []
    return HitList(most=MOST, items=[told_hit(one) for one in found], **page_of(query, total))


def told_hit(hit: Hit) -> HitTold:
    """A report that was found."""
    report, sitting = hit.report, hit.sitting
    return HitTold.model_validate(
        {
            "id": report.id,
            "verdict": report.verdict,
            "complete": report.complete,
            "hands": report.hands,
            "errors": report.errors,
            "findings": hit.findings,
            "first": hit.first,
            "profile": sitting.profile,
            "room": sitting.room,
            "platform": sitting.platform,
            "log": sitting.log,
            "document": hit.document,
            "played": sitting.played,
            "players": [told_seat(sitting.platform, one) for one in hit.players],
        }
    )


def told_seat(platform: str, one: Played) -> PlayerSeat:
    """Who sat at a seat."""
    return PlayerSeat(
        seat=one.seat,
        platform=platform,
        player=one.player,
        name=one.name,
        points=one.points,
        wins=one.wins,
        errors=one.errors,
    )


@operation("GET", "/players", PlayerTold, tag=SEARCH, query=PlayerQuery, rare=(404,))
def player(query: PlayerQuery) -> PlayerTold:
    """What a player's sittings came to; 404 for one who is in none of the reports that you may see."""
    who = Who(query.platform, query.player) if query.platform and query.player else Who(name=query.name)
    if not who.platform and not folded(who.name):
        abort(404)
    seen, engine = may_see(user().id, user().role), service().engine
    total = count_sittings(engine, seen, who)
    others = [] if who.platform else others_called(engine, seen, who)
    if not total and not others:
        abort(404)
    return PlayerTold(
        names=list(names(engine, seen, who)),
        results=[told_group(one) for one in groups(engine, seen, who)],
        findings=[told_against(one) for one in against(engine, seen, who)],
        others=[OtherTold(platform=platform, player=one) for platform, one in others],
        items=[told_sat(one) for one in sittings(engine, seen, who, query.first, query.size)],
        **page_of(query, total),
    )


def told_group(one: Group) -> GroupTold:
    """A group of sittings."""
    return GroupTold(**{name: getattr(one, name) for name in GroupTold.model_fields})


def told_against(one: Against) -> AgainstTold:
    """The findings of a code."""
    places = [PlaceTold(report=each.report, position=each.position, hand=each.hand) for each in one.places]
    severity = cast(Literal["error", "warning", "note"], one.severity)
    return AgainstTold(code=one.code, severity=severity, number=one.number, places=places)


def told_sat(one: Sat) -> SatTold:
    """A sitting."""
    sitting = one.sitting
    return SatTold(
        report=one.report.id,
        profile=sitting.profile,
        room=sitting.room,
        log=sitting.log,
        played=sitting.played,
        seat=told_seat(sitting.platform, one.seat),
    )
