"""What a player's sittings came to, over all the reports that someone may see.

A log that is there several times with the same report counts once; of several audits the newest one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, and_, func, select
from sqlmodel import Session, col

from replay.store.database import reading
from replay.store.houses import document_of
from replay.store.played import folded
from replay.store.searching import is_newest, joined
from replay.store.tables import Audit, FindingRow, Played, Report, Sitting

MOST_GROUPS = 50
MOST_NAMES = 20
PLACES = 8
"""Findings of a code that are named one by one."""


@dataclass(frozen=True, slots=True)
class Who:
    """A player: by the id that a platform gave, else by name among the logs of no platform."""

    platform: str = ""
    player: str = ""
    name: str = ""

    def sits(self) -> ColumnElement[bool]:
        """Whether a seat of a sitting is theirs."""
        if self.platform:
            return and_(col(Sitting.platform) == self.platform, col(Played.player) == self.player)
        return and_(col(Sitting.platform) == "", col(Played.folded) == folded(self.name))


@dataclass(frozen=True, slots=True)
class Group:
    """Sittings under one rule set with one base; ``points`` are those of the ``settled`` ones.

    ``sha256`` is of a report among them, ``house`` the document of the house rule set that was asked for.
    """

    profile: str
    base: str
    sittings: int
    settled: int
    hands: int
    points: int
    wins: int
    errors: int
    sha256: str
    house: str | None


@dataclass(frozen=True, slots=True)
class Sat:
    """A sitting of the player."""

    report: Report
    sitting: Sitting
    seat: Played


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding stands: report, position in it, hand, and the id of the log."""

    report: str
    position: int
    hand: int | None
    log: str


@dataclass(frozen=True, slots=True)
class Against:
    """The findings of a code at the player's seats: how many, and where the first few are."""

    code: str
    severity: str
    number: int
    places: Sequence[Place]


def theirs(seen: ColumnElement[bool], who: Who, *columns: Any) -> Select[Any]:
    """The player's seats in the reports that count."""
    counted = _seats(seen, who, func.min(Report.id)).where(is_newest())
    once = counted.group_by(col(Report.sha256), col(Played.seat))
    return _seats(seen, who, *columns).where(col(Report.id).in_(once))


def _seats(seen: ColumnElement[bool], who: Who, *columns: Any) -> Select[Any]:
    return joined(seen, *columns).join(Played, col(Played.report_id) == col(Report.id)).where(who.sits())


def count_sittings(engine: Engine, seen: ColumnElement[bool], who: Who) -> int:
    """How many sittings of theirs there are."""
    with reading(engine) as session:
        counted = select(func.count()).select_from(theirs(seen, who, col(Played.id)).subquery())
        return int(session.execute(counted).scalar_one())


def sittings(engine: Engine, seen: ColumnElement[bool], who: Who, first: int, most: int) -> Sequence[Sat]:
    """Their sittings from a position on, the last first; those without a date come last."""
    order = col(Sitting.played).desc().nulls_last(), col(Report.id), col(Played.seat)
    chosen = theirs(seen, who, Report, Sitting, Played).order_by(*order).offset(first).limit(most)
    with reading(engine) as session:
        found = [Sat(*row) for row in session.execute(chosen).all()]
        session.expunge_all()
    return found


def names(engine: Engine, seen: ColumnElement[bool], who: Who) -> Sequence[str]:
    """The names that they had, the most used first."""
    name = col(Played.name)
    chosen = theirs(seen, who, name).where(name != "").group_by(name)
    with reading(engine) as session:
        return list(session.execute(chosen.order_by(func.count().desc(), name).limit(MOST_NAMES)).scalars())


def groups(engine: Engine, seen: ColumnElement[bool], who: Who) -> Sequence[Group]:
    """What their sittings came to, apart by rule set and base, the most played first."""
    by = col(Sitting.profile), col(Sitting.base), col(Audit.house)
    sums = (
        func.count(),
        func.count(col(Played.points)),
        func.coalesce(func.sum(Report.hands), 0),
        func.coalesce(func.sum(Played.points), 0),
        func.sum(Played.wins),
        func.sum(Played.errors),
        func.min(Report.sha256),
    )
    chosen = theirs(seen, who, *by, *sums).group_by(*by).order_by(func.count().desc(), *by[:2])
    with reading(engine) as session:
        rows = session.execute(chosen.limit(MOST_GROUPS)).all()
        return [_group(session, *row) for row in rows]


def _group(session: Session, profile: str, base: str, house: str | None, *sums: Any) -> Group:
    sittings, settled, hands, points, wins, errors = map(int, sums[:6])
    document = None if house is None else document_of(session, house)
    return Group(
        profile, base, sittings, settled, hands, points, wins, errors, sha256=sums[6], house=document
    )


def against(engine: Engine, seen: ColumnElement[bool], who: Who) -> Sequence[Against]:
    """The findings at their seats by code, each with the places of the latest few."""
    code, severity = col(FindingRow.code), col(FindingRow.severity)
    at_seat = and_(col(FindingRow.report_id) == col(Report.id), col(FindingRow.seat) == col(Played.seat))
    counted = theirs(seen, who, code, severity, func.count()).join(FindingRow, at_seat)
    order = col(Sitting.played).desc().nulls_last(), col(Report.id), col(FindingRow.position)
    rank = func.row_number().over(partition_by=(code, severity), order_by=order).label("rank")
    columns: tuple[Any, ...] = (
        col(Report.id).label("report"),
        col(FindingRow.position),
        col(FindingRow.hand),
        col(Sitting.log),
    )
    ranked = theirs(seen, who, code, severity, *columns, rank).join(FindingRow, at_seat).subquery()
    places: dict[tuple[str, str], list[Place]] = {}
    with reading(engine) as session:
        few = select(ranked).where(ranked.c.rank <= PLACES).order_by(ranked.c.rank)
        for one, graded, *place, _ in session.execute(few):
            places.setdefault((one, graded), []).append(Place(*place))
        rows = session.execute(counted.group_by(code, severity).order_by(code, severity)).all()
    return [Against(one, graded, number, places[one, graded]) for one, graded, number in rows]


def others_called(engine: Engine, seen: ColumnElement[bool], who: Who) -> Sequence[tuple[str, str]]:
    """Players of platforms who have had the name, as platform and id: whether they are the same nobody can say."""
    by = col(Sitting.platform), col(Played.player)
    chosen = (
        joined(seen, *by)
        .join(Played, col(Played.report_id) == col(Report.id))
        .where(col(Sitting.platform) != "", col(Played.folded) == folded(who.name))
    )
    with reading(engine) as session:
        rows = session.execute(chosen.distinct().order_by(*by).limit(MOST_NAMES)).all()
    return [(platform, player) for platform, player in rows]
