"""What the owner of a report is shown of its links, and of who looked at it by office."""

from dataclasses import dataclass

from flask import url_for

from replay.store.accounts import names_of
from replay.store.shares import MOST_LIVE, shares_of
from replay.store.tables import Share
from replay.store.visible import views_of
from replay.web.footing import service
from replay.web.languages import lang, moment
from replay.web.loading import Loaded
from replay.web.reports.shown import page_for
from replay.wording import Words

LIFETIMES = {"1": 1, "7": 7, "30": 30, "never": None}
"""How many days a link may last, as its form says it."""

WHOLE = "all"
VIEWS = (WHOLE, "0", "1", "2", "3")
"""What a link may show: the whole report, or the hands as one seat sees them."""

VIEWS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Looked:
    """That staff looked: when, who ("" for an account that is closed), at what, and where the case is that was why."""

    at: str
    who: str
    what: str
    case: str


@dataclass(frozen=True, slots=True)
class Sharing:
    """The links of a report that are open, each with what it shows, and the latest views by staff."""

    links: list[tuple[Share, str]]
    looked: list[Looked]
    may_have: int = MOST_LIVE
    views: tuple[str, ...] = VIEWS
    lifetimes: tuple[str, ...] = tuple(LIFETIMES)


def sharing(loaded: Loaded) -> Sharing:
    """What its owner shares of a report, and who else looked at it."""
    engine, report, words = service().engine, loaded.report.id, page_for(loaded, lang()).words
    links = [(share, shows(words, share.seat)) for share in shares_of(engine, loaded.upload.owner, report)]
    return Sharing(links, looked(words, report))


def shows(words: Words, seat: int | None) -> str:
    """What a link shows, in words."""
    if seat is None:
        return words.say("shares.view.all")
    return words.say("shares.view.seat", seat=words.seat(seat))


def place(words: Words, hand: int | None) -> str:
    """The report, or a hand of it."""
    return words.say("shares.looked.report") if hand is None else words.hand(hand)


def looked(words: Words, report_id: str) -> list[Looked]:
    """Who looked at a report by office, the latest first."""
    engine = service().engine
    found = views_of(engine, report_id, VIEWS_SHOWN)
    names = names_of(engine, {view.account for view in found}) if found else {}
    return [
        Looked(
            at=moment(view.at),
            who=names.get(view.account, ""),
            what=f"{place(words, view.hand)} · {words.say(f'shares.looked.what.{view.what}')}",
            case="" if view.dispute_id is None else url_for("cases.show", case_id=view.dispute_id),
        )
        for view in found
    ]
