"""Reports as they are searched for, and those of one player; both only among what someone may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, and_, exists, false, func, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from replay.store.database import reading
from replay.store.played import folded
from replay.store.tables import Audit, Document, FindingRow, Played, Report, Sitting, Upload

MOST = 10_000
"""Hits that are counted, and can be leafed through."""

MOST_PROFILES = 100
OPEN, CLEAN = "open", "clean"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for; "" and None want all. ``since`` and ``until`` are milliseconds, the second not included.

    ``verdict`` may be ``open`` (nothing to object to, but questions left open). With a player, ``code`` is of a
    finding at that player's seat, or at none. ``superseded``: reports that a later audit supersedes as well.
    """

    player: str = ""
    room: str = ""
    code: str = ""
    profile: str = ""
    since: int | None = None
    until: int | None = None
    verdict: str = ""
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A report that was found: how many findings it has, and the position of the first that is wanted, if any."""

    report: Report
    sitting: Sitting
    document: str
    players: Sequence[Played]
    findings: int
    first: int | None


def matching(seen: ColumnElement[bool], wanted: Wanted, *columns: Any) -> Select[Any]:
    """The reports that someone may see and that are wanted."""
    chosen = joined(seen, *columns)
    if not wanted.superseded:
        chosen = chosen.where(is_newest())
    if wanted.player:
        chosen = chosen.where(
            exists().where(col(Played.report_id) == col(Report.id), is_called(wanted.player))
        )
    if wanted.room:
        chosen = chosen.where(_holds(col(Sitting.room_folded), wanted.room))
    if wanted.code:
        chosen = chosen.where(exists().where(col(FindingRow.report_id) == col(Report.id), _is_wanted(wanted)))
    if wanted.profile:
        chosen = chosen.where(col(Sitting.profile) == wanted.profile)
    if wanted.since is not None:
        chosen = chosen.where(col(Sitting.played) >= wanted.since)
    if wanted.until is not None:
        chosen = chosen.where(col(Sitting.played) < wanted.until)
    if wanted.verdict:
        chosen = chosen.where(_has_verdict(wanted.verdict))
    return chosen


def joined(seen: ColumnElement[bool], *columns: Any) -> Select[Any]:
    """Reports that someone may see, with their audit, upload and sitting."""
    return (
        select(*columns)
        .select_from(Report)
        .join(Audit, col(Report.audit_id) == col(Audit.id))
        .join(Upload, col(Audit.upload_id) == col(Upload.id))
        .join(Sitting, col(Sitting.report_id) == col(Report.id))
        .where(seen)
    )


def is_newest() -> ColumnElement[bool]:
    """Whether no later audit of the upload has come to a report on the same document."""
    later, its = aliased(Audit), aliased(Report)
    after = or_(
        col(later.created) > col(Audit.created),
        and_(col(later.created) == col(Audit.created), col(later.id) < col(Audit.id)),
    )
    return ~exists().where(
        col(later.upload_id) == col(Audit.upload_id),
        col(its.audit_id) == col(later.id),
        col(its.position) == col(Report.position),
        after,
    )


def is_called(player: str) -> ColumnElement[bool]:
    """Whether a player has this id, or a name that holds this."""
    by_id = col(Played.player) == player
    return or_(by_id, _holds(col(Played.folded), player)) if folded(player) else by_id


def _holds(column: Any, text: str) -> ColumnElement[bool]:
    """Whether a folded column holds a text, whatever characters of a pattern are in it; nothing holds a blank."""
    sought = folded(text)
    held: ColumnElement[bool] = column.contains(sought, autoescape=True) if sought else false()
    return held


def _is_wanted(wanted: Wanted) -> ColumnElement[bool]:
    """Whether a finding is wanted: of the code, else an objection; at the player's seat, or at none."""
    one = col(FindingRow.code) == wanted.code if wanted.code else col(FindingRow.severity) == "error"
    if not wanted.player:
        return one
    seat = exists().where(
        col(Played.report_id) == col(FindingRow.report_id),
        col(Played.seat) == col(FindingRow.seat),
        is_called(wanted.player),
    )
    return and_(one, or_(col(FindingRow.seat).is_(None), seat))


def _has_verdict(verdict: str) -> ColumnElement[bool]:
    if verdict == OPEN:
        return and_(col(Report.verdict) == CLEAN, col(Report.complete).is_(False))
    if verdict == CLEAN:
        return and_(col(Report.verdict) == CLEAN, col(Report.complete).is_(True))
    return col(Report.verdict) == verdict


def count(engine: Engine, seen: ColumnElement[bool], wanted: Wanted) -> int:
    """How many reports are wanted, counted up to one more than `MOST`."""
    some = matching(seen, wanted, col(Report.id)).limit(MOST + 1).subquery()
    with reading(engine) as session:
        return int(session.execute(select(func.count()).select_from(some)).scalar_one())


def search(engine: Engine, seen: ColumnElement[bool], wanted: Wanted, first: int, most: int) -> Sequence[Hit]:
    """The reports that are wanted, played last first, from a position on; those without a date come last."""
    chosen = matching(seen, wanted, Report, Sitting, col(Document.name)).join(Document, is_its_document())
    order = col(Sitting.played).desc().nulls_last(), col(Report.id)
    with reading(engine) as session:
        rows = session.execute(chosen.order_by(*order).offset(first).limit(most)).all()
        ids = [report.id for report, _, _ in rows]
        players, counted = players_of(session, ids), _counted(session, ids)
        firsts = _firsts(session, ids, wanted)
        session.expunge_all()
    return [
        Hit(
            report,
            sitting,
            name,
            players.get(report.id, ()),
            counted.get(report.id, 0),
            firsts.get(report.id),
        )
        for report, sitting, name in rows
    ]


def is_its_document() -> ColumnElement[bool]:
    """Whether a document is what a report is about."""
    return and_(col(Document.upload_id) == col(Upload.id), col(Document.position) == col(Report.position))


def players_of(session: Session, ids: Sequence[str]) -> dict[str, list[Played]]:
    """Who played, by report, in order of the seats."""
    chosen = select(Played).where(col(Played.report_id).in_(ids)).order_by(col(Played.seat))
    found: dict[str, list[Played]] = {}
    for one in session.execute(chosen).scalars():
        found.setdefault(one.report_id, []).append(one)
    return found


def _counted(session: Session, ids: Sequence[str]) -> dict[str, int]:
    its = col(FindingRow.report_id)
    counted = select(its, func.count()).where(its.in_(ids)).group_by(its)
    return {row[0]: row[1] for row in session.execute(counted)}


def _firsts(session: Session, ids: Sequence[str], wanted: Wanted) -> dict[str, int]:
    its = col(FindingRow.report_id)
    chosen = select(its, func.min(FindingRow.position)).where(its.in_(ids), _is_wanted(wanted)).group_by(its)
    return {row[0]: row[1] for row in session.execute(chosen)}


def profiles(engine: Engine, seen: ColumnElement[bool]) -> Sequence[str]:
    """The rule sets that reports which someone may see were made by."""
    name = col(Sitting.profile)
    chosen = joined(seen, name).where(name != "").distinct().order_by(name).limit(MOST_PROFILES)
    with reading(engine) as session:
        return list(session.execute(chosen).scalars())
