"""The catalogue: a page for every finding with its examples, and pages of fans, settlement items and rule sets."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, NoReturn

from flask import Blueprint, Response, abort, make_response, redirect, render_template, url_for

from replay import audit
from replay.catalogue import CATALOGUE
from replay.examples import SIDES, FanExample, Side, example, example_codes, excerpt, place_in
from replay.intake import take_in
from replay.items import ITEMS
from replay.profile import load_profile, profile_ids
from replay.text.catalogue import (
    code_entries,
    code_entry,
    fan_entry,
    fans,
    item_entry,
    known_rules,
    rule_set,
    rule_set_entry,
)
from replay.text.objections import all_findings
from replay.web.errors import answer
from replay.web.hands.faces import TileView, tile_view
from replay.web.hands.pages import step_page, walk_or_404
from replay.web.languages import lang, words
from replay.web.loading import Audited
from replay.web.reports.pages import download
from replay.web.reports.shown import objection, page_for
from replay.web.viewer import public
from replay.wording.words import Words

pages = Blueprint("catalogue", __name__, url_prefix="/catalogue")

KEPT = 32
"""Examples that stay audited; each is one small log."""

ALONE: Mapping[str, object] = {
    "later": None,
    "later_wish": "",
    "later_report": None,
    "earlier_report": None,
}
"""An example is audited once, under the rule set that it names."""


@dataclass(frozen=True, slots=True)
class Shown(Audited):
    """An example with its report, reached from the page of its code."""

    code: str
    side: Side

    def step_at(self, hand: int, step: int, **view: Any) -> str:
        """The step under its code."""
        return url_for("catalogue.step", code=self.code, side=self.side, hand=hand, step=step, **view)

    def home(self) -> str:
        """The page of the code."""
        return url_for("catalogue.finding", code=self.code)

    def called(self, words: Words) -> tuple[str, str]:
        """The code, and which of its examples it is."""
        title = words.label(self.code, "title")
        return f"{self.code} {title}", words.say(f"catalogue.{self.side}")


@lru_cache(maxsize=KEPT)
def audited(code: str, side: Side) -> Shown:
    """An example audited on the spot; raises ``KeyError`` where there is none."""
    data = example(code, side)
    taken = take_in(data)
    return Shown(audit(data).to_dict(), taken.log, taken.document(), data, code, side)


def unknown() -> NoReturn:
    """Answer that the catalogue has no such entry."""
    abort(answer(404, "404.catalogue"))


# Findings --------------------------------------------------------------------------------------------


@pages.get("")
@public
def index() -> str:
    """What the catalogue has: every code, fan, settlement item and rule set."""
    families = groupby(code_entries(words()), key=lambda entry: entry.code.rstrip("0123456789"))
    return render_template(
        "catalogue.html",
        families=[(family, list(entries)) for family, entries in families],
        fans=[(fan, words().label("fan", fan)) for fan in fans()],
        items=[(kind, words().label("ledger", kind)) for kind in ITEMS],
        rule_sets=[rule_set(words(), rules) for rules in known_rules()],
    )


@pages.get("/findings/<code>")
@public
def finding(code: str) -> str:
    """What a code means, why, by which clause, and its two examples."""
    if code not in CATALOGUE:
        unknown()
    shown = {side: audited(code, side) for side in SIDES} if code in example_codes() else {}
    bad = shown.get("bad")
    found = {} if bad is None else found_in(bad)
    return render_template(
        "catalogue_code.html",
        entry=code_entry(words(), code),
        found=objection(page_for(bad, lang()), bad, found) if bad and found else None,
        excerpt=excerpt(bad.data or b"", found) if bad and found else "",
        opened={side: opening(each) for side, each in shown.items()},
    )


def found_in(bad: Shown) -> Mapping[str, Any]:
    """The finding that a bad example is there for; {} where the engine does not find it."""
    place = place_in(bad.code)
    stated = (bad.code, place.hand, place.action, place.seat)
    return next((one for one in all_findings(bad.written) if placed(one) == stated), {})


def placed(one: Mapping[str, Any]) -> tuple[object, ...]:
    """A finding's code and place."""
    return one["code"], one["hand"], one["action"], one["seat"]


def opening(shown: Shown) -> str:
    """Where an example is to be opened: at the step of the finding, or where its hand is settled; "" for no hand.

    The good example is opened where the bad one is.
    """
    log, hands = shown.log, shown.written["hands"]
    place = place_in(shown.code)
    hand = place.hand or 0
    if log is None or shown.rules is None or hand >= len(hands):
        return ""
    last = walk_or_404(shown, hand).last
    if place.action is not None:
        return shown.step_at(hand, min(place.action + 1, last))
    return shown.step_at(hand, last if CATALOGUE[shown.code].kind == "mismatch" else 0)


def example_or_404(code: str, side: str) -> Shown:
    """An example, if there is one."""
    for each in SIDES:
        if each == side and code in example_codes():
            return audited(code, each)
    unknown()


@pages.get("/examples/<code>/<side>/hands/<int:hand>")
@public
def start(code: str, side: str, hand: int) -> Response:
    """A hand of an example begins before its first action."""
    shown = example_or_404(code, side)
    walk_or_404(shown, hand)
    return make_response(redirect(shown.step_at(hand, 0)))


@pages.get("/examples/<code>/<side>/hands/<int:hand>/steps/<int:step>")
@public
def step(code: str, side: str, hand: int, step: int) -> str:
    """A step of an example, as of any hand."""
    return step_page(example_or_404(code, side), hand, step, ALONE)


@pages.get("/examples/<code>/<side>/log.json")
@public
def log_json(code: str, side: str) -> Response:
    """An example, byte for byte."""
    shown = example_or_404(code, side)
    kind = "application/json" if shown.log is not None else "application/octet-stream"
    return download(shown.data or b"", f"{shown.code}-{shown.side}.json", kind)


# Fans, items, rule sets ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandView:
    """An example hand as it is drawn: melds with what they are called, concealed tiles, the winning tile apart."""

    melds: list[tuple[str, list[TileView]]]
    concealed: list[TileView]
    win: TileView
    how: list[str]


def hand_view(shown: FanExample) -> HandView:
    """A winning hand of the catalogue."""
    said = words()
    tiles = [shown.hand[at : at + 2] for at in range(0, len(shown.hand), 2)]
    tiles.remove(shown.win)
    named = [
        (said.label("action" if kind == "peng" else "gang", kind), kind, tile) for kind, tile in shown.melds
    ]
    return HandView(
        melds=[
            (
                said.say("catalogue.meld", kind=label, tile=said.tile(tile)),
                [tile_view(said, tile)] * (3 if kind == "peng" else 4),
            )
            for label, kind, tile in named
        ],
        concealed=[tile_view(said, tile) for tile in tiles],
        win=tile_view(said, shown.win, label="board.winning"),
        how=[said.say(f"catalogue.how.{'zi_mo' if shown.zi_mo else 'dian_pao'}")]
        + [said.label("fan", how) for how in shown.how],
    )


@pages.get("/fans")
@public
def fan_page() -> str:
    """Every fan: what it is, what it is worth in which rule set, and a hand that has it."""
    entries = [fan_entry(words(), fan) for fan in fans()]
    return render_template(
        "catalogue_fans.html", fan_entries=[(entry, hand_view(entry.example)) for entry in entries]
    )


@pages.get("/settlement")
@public
def item_page() -> str:
    """Every kind of payment: what it is, who pays whom, where it occurs and what decides it."""
    return render_template("catalogue_items.html", item_entries=[item_entry(words(), kind) for kind in ITEMS])


@pages.get("/rule-sets")
@public
def rule_sets() -> str:
    """The rule sets that are built in."""
    return render_template(
        "catalogue_rule_sets.html",
        rule_set_entries=[rule_set_entry(words(), rules) for rules in known_rules()],
    )


@pages.get("/rule-sets/<rules_id>")
@public
def rules_page(rules_id: str) -> str:
    """A rule set, value by value, each with the words that it rests on."""
    if rules_id not in profile_ids():
        unknown()
    return render_template("catalogue_rule_set.html", entry=rule_set_entry(words(), load_profile(rules_id)))
