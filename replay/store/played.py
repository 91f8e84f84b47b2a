"""Who played what: the rows that reports are searched by, written with each report, and for those that lack them."""

import logging
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4

import orjson
from sqlalchemy import Engine, and_, select
from sqlmodel import Session, SQLModel, col

from replay import OptionProblems, RuleProfile, UnknownProfile, load_profile
from replay import Report as EngineReport
from replay.catalogue import severity_of
from replay.intake import take_in
from replay.limits import Limits
from replay.log import Log
from replay.store.blobs import Blobs
from replay.store.database import insert, reading, writing
from replay.store.houses import document_of, stored_rules
from replay.store.tables import QUARANTINED, Audit, Document, Played, Report, Sitting
from replay.wording.plain import HIDDEN

LONGEST = 64
"""Characters of a name, a room or an id that are kept."""

AT_ONCE = 20
"""Reports that are filled in by one transaction: nobody is to wait for it."""

log = logging.getLogger("replay.played")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a report and its log say of who played what; the counts are by seat."""

    profile: str
    base: str
    log_id: str
    log: Log | None
    totals: Sequence[int] | None = None
    wins: Counter[int] = field(default_factory=Counter)
    errors: Counter[int] = field(default_factory=Counter)


def folded(text: str) -> str:
    r"""A name as it is looked up: by NFKC and casefold, without what is hidden, at most `LONGEST` characters.

    >>> folded("  Ｌｉ Ming\u202e "), folded("STRASSE") == folded("straße")
    ('li ming', True)
    """
    seen = "".join(one for one in unicodedata.normalize("NFKC", text) if _is_seen(one))
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())[:LONGEST].strip()


def _is_seen(one: str) -> bool:
    return one.isspace() or unicodedata.category(one) not in HIDDEN


def facts_of(report: EngineReport) -> Facts:
    """What is found in a report that was just made."""
    rules, read = report.rules, report.log
    return Facts(
        profile=(rules.id if rules else report.stated_profile) or "",
        base=str(rules.base) if rules else "",
        log_id=report.source.log_id or "",
        log=read,
        totals=report.totals,
        wins=Counter(win.seat for hand in report.hands for win in hand.table.wins),
        errors=Counter(
            one.seat for one in report.all_findings if one.seat is not None and severity_of(one) == "error"
        ),
    )


def facts_in(written: Mapping[str, Any], rules: RuleProfile | None, read: Log | None) -> Facts:
    """The same, found in a report as it is kept; ``read`` is the log that it is about."""
    hands = written["hands"]
    found = [*written["findings"], *(one for hand in hands for one in hand["findings"])]
    return Facts(
        profile=written["rules"]["profile"] or "",
        base=str(rules.base) if rules else "",
        log_id=written["log"]["id"] or "",
        log=read,
        totals=written["totals"],
        wins=Counter(win["seat"] for hand in hands for win in hand["wins"]),
        errors=Counter(
            one["seat"] for one in found if one["seat"] is not None and one["severity"] == "error"
        ),
    )


def rows_of(report_id: str, facts: Facts) -> list[SQLModel]:
    """The rows of a report: its sitting, and its players by seat where a log was read."""
    source = facts.log.source if facts.log else None
    room = _kept((source and source.room) or "")
    sitting = Sitting(
        report_id=report_id,
        profile=_kept(facts.profile, 128),
        base=facts.base[:32],
        room=room,
        room_folded=folded(room),
        platform=_kept((source and source.platform) or ""),
        log=_kept(facts.log_id, 128),
        played=played_at(facts.log.played_at if facts.log else None),
    )
    players = facts.log.players if facts.log else []
    return [
        sitting,
        *(
            Played(
                id=str(uuid4()),
                report_id=report_id,
                seat=seat,
                player=_kept(player.id),
                name=_kept(player.name),
                folded=folded(player.name),
                points=facts.totals[seat] if facts.totals else None,
                wins=facts.wins[seat],
                errors=facts.errors[seat],
            )
            for seat, player in enumerate(players)
        ),
    ]


def _kept(text: str, most: int = LONGEST) -> str:
    """A text as both databases keep it: PostgreSQL has no NUL."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")[:most]


def played_at(stamp: str | None) -> int | None:
    """A date and time by RFC 3339 as milliseconds since 1970; None for none, and for a day that there is not.

    A leap second is the second before it.

    >>> played_at("1970-01-01T08:00:01.5+08:00"), played_at("2016-12-31T23:59:60Z"), played_at("2023-02-30T00:00:00Z")
    (1500, 1483228799000, None)
    """
    if stamp is None:
        return None
    stated = stamp.upper()
    if stated[17:19] == "60":
        stated = stated[:17] + "59" + stated[19:]
    try:
        moment = datetime.fromisoformat(stated)
    except ValueError:
        return None
    since = moment - datetime.fromisoformat("1970-01-01T00:00:00Z")
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000


# Reports that lack their rows ------------------------------------------------------------------------


def reindex(engine: Engine, blobs: Blobs, limits: Limits, most: int = AT_ONCE) -> int:
    """Fill in the rows of reports of an older version, so many at once; returns how many, 0 when none lacks them.

    Several may do it at the same time. What the disk cannot give just now is raised, to be tried again.
    """
    with reading(engine) as session:
        chosen = (
            select(Report, Audit, Document)
            .join(Audit, col(Report.audit_id) == col(Audit.id))
            .join(
                Document,
                and_(
                    col(Document.upload_id) == col(Audit.upload_id),
                    col(Document.position) == col(Report.position),
                ),
            )
            .join(Sitting, col(Sitting.report_id) == col(Report.id), isouter=True)
            .where(col(Sitting.report_id).is_(None))
            .order_by(col(Report.id))
            .limit(most)
        )
        found = [
            (report, document, None if audit.house is None else document_of(session, audit.house))
            for report, audit, document in session.execute(chosen).all()
        ]
        session.expunge_all()
    rows = [rows_of(one.id, _facts(blobs, limits, one, document, house)) for one, document, house in found]
    with writing(engine) as session:
        for each in rows:
            _add_once(session, each)
    return len(rows)


def _add_once(session: Session, rows: Sequence[SQLModel]) -> None:
    """Write the rows of a report, unless another has done so meanwhile."""
    sitting, *players = rows
    written = insert(session, Sitting).values(**sitting.model_dump())
    added = session.execute(
        written.on_conflict_do_nothing().returning(col(Sitting.report_id))
    ).scalar_one_or_none()
    if added is not None:
        session.add_all(players)


def _facts(blobs: Blobs, limits: Limits, report: Report, document: Document, house: str | None) -> Facts:
    """What is found in a kept report; next to nothing in one whose file is lost or cannot be read any more."""
    try:
        written = orjson.loads(blobs.read(report.sha256))
        return facts_in(written, rules_in(written["rules"], house), _log(blobs, limits, report, document))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        log.exception("nothing is found in report %s", report.id)
        return Facts(profile="", base="", log_id="", log=None)


def _log(blobs: Blobs, limits: Limits, report: Report, document: Document) -> Log | None:
    """The log of a report; None of a document that nobody could read, and of one that workers died at."""
    if document.pack is None or (report.verdict == QUARANTINED and not report.hands):
        return None
    return take_in(blobs.read(document.pack, document.start, document.size), limits).log


def rules_in(stated: Mapping[str, Any], house: str | None) -> RuleProfile | None:
    """The rule set of a kept report; None where it had none, or has none any more."""
    if stated["digest"] is None:
        return None
    try:
        if house is not None:
            return stored_rules(house, stated["options"])
        return load_profile(stated["profile"], stated["options"])
    except (UnknownProfile, OptionProblems):
        return None
