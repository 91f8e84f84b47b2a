"""The page of a player: what their sittings came to, and what was found at their seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from flask import Blueprint, abort, render_template, request, url_for

from replay import RuleProfile, load_profile, profile_ids
from replay.store.played import folded, rules_in
from replay.store.players import (
    Against,
    Group,
    Who,
    against,
    count_sittings,
    groups,
    names,
    others_called,
    sittings,
)
from replay.store.visible import may_see
from replay.web.languages import lang, words
from replay.web.loading import Audited, service
from replay.web.pager import pager
from replay.web.viewer import user
from replay.wording.words import signed

pages = Blueprint("players", __name__)

SITTINGS_A_PAGE = 50
LONGEST = 64


@dataclass(frozen=True, slots=True)
class Shown:
    """A player's name; ``url`` is "" for one who cannot be told from others."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Level:
    """The level that points come to, "" below the first; ``more`` points to the ``next``, "" at the highest."""

    rules: str
    points: int
    name: str
    next: str
    more: int


@dataclass(frozen=True, slots=True)
class Result:
    """What the sittings under one rule set with one base came to."""

    group: Group
    rules: str
    base: str
    points: str


@pages.get("/players")
def show() -> str:
    """A player's page over the reports that whoever asks may see; 404 for one who is in none of them."""
    who = asked()
    seen, engine = may_see(user().id, user().role), service().engine
    total = count_sittings(engine, seen, who)
    others = [] if who.platform else others_called(engine, seen, who)
    if not total and not others:
        abort(404)
    cut = pager(total, SITTINGS_A_PAGE)
    found = [(one, rules_of(one)) for one in groups(engine, seen, who)]
    called = [words().shown(one, LONGEST) for one in names(engine, seen, who)]
    return render_template(
        "player.html",
        who=who,
        title=(called or [words().shown(who.name or who.player, LONGEST)])[0],
        names=called[1:],
        total=total,
        results=[result(group, rules) for group, rules in found],
        bases=len({group.base for group, _ in found}),
        levels=levels(found),
        against=against(engine, seen, who),
        more=more,
        sittings=sittings(engine, seen, who, cut.first, cut.most),
        pager=cut,
        others=[(platform, player, player_url(platform, player, "")) for platform, player in others],
        rules_name=rules_name,
        signed=signed,
    )


def asked() -> Who:
    """Whom the address names; 404 where it names nobody."""
    given = {
        name: request.args.get(name, "").replace("\0", "")[:LONGEST]
        for name in ("platform", "player", "name")
    }
    if given["platform"] and given["player"]:
        return Who(platform=given["platform"], player=given["player"])
    if not folded(given["name"]):
        abort(404)
    return Who(name=given["name"])


def player_url(platform: str, player: str, name: str) -> str:
    """The page of a player of a log; "" where nothing tells them from others."""
    if platform and player:
        return url_for("players.show", platform=platform, player=player)
    return url_for("players.show", name=name) if folded(name) else ""


def players_of(loaded: Audited) -> list[Shown]:
    """The players of a report by seat, each with their page."""
    log = loaded.log
    if log is None:
        return []
    platform = (log.source and log.source.platform) or ""
    return [
        Shown(
            words().shown(one.name, LONGEST) or words().say(f"seat.{seat}"),
            player_url(platform, one.id, one.name),
        )
        for seat, one in enumerate(log.players)
    ]


def more(who: Who, one: Against) -> str:
    """Where the rest of the findings of a code are, "" where there are no more."""
    if one.number <= len(one.places):
        return ""
    return url_for("search.show", player=who.player or who.name, code=one.code)


# Rule sets -------------------------------------------------------------------------------------------


def rules_of(group: Group) -> RuleProfile | None:
    """The rule set of a group as one of its reports states it; None where it cannot be had any more."""
    try:
        written = orjson.loads(service().blobs.read(group.sha256))
    except FileNotFoundError:
        return None
    return rules_in(written["rules"], group.house)


def rules_name(profile: str, rules: RuleProfile | None = None) -> str:
    """What a rule set is called: by itself where it is at hand, else by the built-in one of its id."""
    if rules is None and profile in profile_ids():
        rules = load_profile(profile)
    return words().shown((rules.names.get(lang()) if rules else None) or profile, 100)


def result(group: Group, rules: RuleProfile | None) -> Result:
    """A group in words."""
    base = (
        group.base
        if group.base.isdigit()
        else words().say("players.base.varies" if group.base else "language.unknown")
    )
    points = signed(group.points) if group.settled else words().say("players.unsettled")
    return Result(group, rules_name(group.profile, rules), base, points)


def levels(found: Sequence[tuple[Group, RuleProfile | None]]) -> list[Level]:
    """The level by each table of levels, by the sum of points under all rule sets that have it (rulebook §2.9)."""
    tables: dict[tuple[str, bytes], list[tuple[Group, RuleProfile]]] = {}
    for group, rules in found:
        if rules is not None and rules.levels and group.settled:
            tables.setdefault((group.base, orjson.dumps(rules.levels)), []).append((group, rules))
    return [
        level(
            words().join(dict.fromkeys(rules_name(group.profile, rules) for group, rules in each)),
            sum(group.points for group, _ in each),
            each[0][1].levels or [],
        )
        for each in tables.values()
    ]


def level(rules: str, points: int, table: Sequence[Mapping[str, Any]]) -> Level:
    """The level that so many points come to by a table of rising points."""
    reached = [one for one in table if one["points"] <= points]
    ahead = table[len(reached) :]
    name = str(reached[-1]["name"]) if reached else ""
    if not ahead:
        return Level(rules, points, name, "", 0)
    return Level(rules, points, name, str(ahead[0]["name"]), ahead[0]["points"] - points)
