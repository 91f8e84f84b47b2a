"""Searching reports: who played, where, when, by which rules, and what was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for

from replay.catalogue import CATALOGUE
from replay.store.searching import MOST, Hit, Wanted, count, profiles, search
from replay.store.visible import may_see
from replay.text.objections import all_findings
from replay.web.languages import words
from replay.web.loading import report_or_404, service
from replay.web.pager import pager
from replay.web.players import Shown, player_url, rules_name
from replay.web.reports.shown import step_url
from replay.web.viewer import user

pages = Blueprint("search", __name__)

HITS_A_PAGE = 20
LONGEST_FIELD = 128
VERDICTS = ("findings", "open", "clean", "unreplayable", "quarantined")
FIELDS = ("player", "room", "code", "profile", "from", "to", "verdict", "superseded")


@dataclass(slots=True)
class Form:
    """What was typed, what that asks for, and by field what is wrong with it."""

    typed: Mapping[str, str]
    wanted: Wanted = field(default_factory=Wanted)
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def asks(self) -> bool:
        """Whether anything was typed."""
        return any(self.typed.values())


@dataclass(frozen=True, slots=True)
class Line:
    """A report that was found, as the list shows it."""

    hit: Hit
    log: str
    rules: str
    players: list[Shown]
    first: str


@pages.get("/search")
def show() -> str:
    """The form, and the reports that it finds among those that whoever asks may see."""
    form = read_form()
    seen = may_see(user().id, user().role)
    engine = service().engine
    total = 0 if form.problems else count(engine, seen, form.wanted)
    cut = pager(min(total, MOST), HITS_A_PAGE)
    hits = search(engine, seen, form.wanted, cut.first, cut.most) if total else []
    return render_template(
        "search.html",
        form=form,
        total=total,
        most=MOST,
        pager=cut,
        lines=[line(hit) for hit in hits],
        codes=codes(),
        profiles=named_profiles(profiles(engine, seen), form.typed["profile"]),
        verdicts=VERDICTS,
        longest=LONGEST_FIELD,
    )


@pages.get("/reports/<uuid:report_id>/findings/<int:position>")
def finding(report_id: UUID, position: int) -> Response:
    """To the step that a finding is about; to its report where there is no such step."""
    loaded = report_or_404(report_id)
    found = list(all_findings(loaded.written))
    if position >= len(found):
        abort(404)
    place = step_url(loaded, found[position]["hand"], found[position]["action"])
    return make_response(redirect(place or loaded.home(), 303))


def read_form() -> Form:
    """The form as the address has it."""
    typed = {name: request.args.get(name, "").replace("\0", "").strip()[:LONGEST_FIELD] for name in FIELDS}
    form = Form(typed)
    since, until = day(form, "from"), day(form, "to")
    if since and until and since > until:
        form.problems["to"] = words().say("search.problem.order", since=typed["from"], until=typed["to"])
    form.wanted = Wanted(
        player=typed["player"],
        room=typed["room"],
        code=typed["code"].upper(),
        profile=typed["profile"],
        since=None if since is None else moment_of(since),
        until=None if until is None else moment_of(until) + DAY_MS,
        verdict=typed["verdict"] if typed["verdict"] in VERDICTS else "",
        superseded=bool(typed["superseded"]),
    )
    return form


DAY_MS = 24 * 3_600_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def day(form: Form, name: str) -> date | None:
    """The day in a field; None where it is empty or holds none, which is then a problem of the form."""
    typed = form.typed[name]
    if not typed:
        return None
    try:
        return date.fromisoformat(typed)
    except ValueError:
        form.problems[name] = words().say("search.problem.day", typed=words().shown(typed, 40))
        return None


def moment_of(one: date) -> int:
    """The milliseconds at which a day begins, in UTC."""
    return (datetime(one.year, one.month, one.day, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)


def line(hit: Hit) -> Line:
    """A hit in words."""
    first = "" if hit.first is None else url_for(".finding", report_id=hit.report.id, position=hit.first)
    return Line(
        hit=hit,
        log=words().shown(hit.sitting.log or hit.document, 80) or words().say("web.nameless"),
        rules=rules_name(hit.sitting.profile),
        players=[
            Shown(words().shown(one.name, 64), player_url(hit.sitting.platform, one.player, one.name))
            for one in hit.players
            if one.name
        ],
        first=first,
    )


def named_profiles(found: Any, chosen: str) -> list[tuple[str, str]]:
    """The rule sets to choose from, with their names; the one that was chosen is among them."""
    ids = sorted({*found, *([chosen] if chosen else [])})
    return [(one, rules_name(one)) for one in ids]


def codes() -> list[tuple[str, list[tuple[str, str]]]]:
    """The codes of findings by what is judged, each with its title."""
    every = sorted(CATALOGUE)
    return [
        (stage, [(one, words().label(one, "title")) for one in group])
        for stage, group in groupby(every, key=lambda one: one[:-3])
    ]
