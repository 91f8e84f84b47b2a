"""What a report page shows: findings, hands and money of a report, worded for the reader."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import request, url_for

from replay.catalogue import CATALOGUE
from replay.profile import values
from replay.text import page_of
from replay.text.cited import Quoted
from replay.text.money import ready_line, state_lines, void_scores
from replay.text.objections import all_findings, clause_of, place_of, severity_in
from replay.text.page import Facts, Page
from replay.text.why import clauses, why_paid
from replay.text.wins import fans_of, how_won, price_of, sets_of
from replay.web.loading import Audited
from replay.wording.plain import visible
from replay.wording.render import facts, sentence
from replay.wording.words import Words, listed, signed

SEVERITIES = ("error", "warning", "note")
"""In this order; never one list."""

ENTRY = ("kind", "from", "to", "amount", "at")


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead somewhere; ``url`` is "" where there is nothing to lead to."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Objection:
    """A finding as the page shows it. ``kind`` tells what was objected to from what could not be decided."""

    severity: str
    kind: str
    place: Link
    code: str
    slug: str
    entry: str
    said: str
    act: str
    clause: Quoted | None
    because: list[Link]
    basis: str
    decides: str
    pointer: str
    hand: int | None
    action: int | None


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment as recomputed beside the claimed one; "" where a side has none."""

    number: int | None
    who: str
    recomputed: str
    claimed: str
    why: str
    differs: bool
    first: bool


@dataclass(frozen=True, slots=True)
class Score:
    """What a seat wins or loses: recomputed, claimed, and whether this is the first difference."""

    seat: str
    recomputed: str
    claimed: str
    differs: bool
    first: bool


@dataclass(frozen=True, slots=True)
class Won:
    """A hu: how, with which fans, at what price."""

    place: Link
    how: str
    fan: str
    price: str
    sets: str


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand of the report."""

    number: int
    title: str
    url: str
    calm: bool
    lines: list[str]
    wins: list[Won]
    payments: list[Payment]
    claimed: bool
    clauses: list[Quoted]
    scores: list[Score]
    strict: str
    ready: str
    next_dealer: str


def page_for(loaded: Audited, lang: str) -> Page:
    """What the words of a report are made from."""
    rules = loaded.rules
    if rules is None:
        return page_of(loaded.written, lang, loaded.plain)
    return page_of(loaded.written, lang, loaded.plain, values(rules), rules.readings)


def step_url(loaded: Audited, hand: Any, action: Any = None) -> str:
    """Where an action can be looked at; without one, where the hand begins.

    "" where there is no such hand to walk through.
    """
    step = step_of(loaded, hand, action)
    return "" if step is None else loaded.step_at(hand, step)


def step_of(loaded: Audited, hand: Any, action: Any = None) -> int | None:
    """The step that shows an action, which is the one after it; 0 without one, None without such a hand."""
    log, report = loaded.log, loaded.written["hands"]
    if log is None or loaded.rules is None or not isinstance(hand, int) or not 0 <= hand < len(report):
        return None
    stopped = report[hand]["stopped_at"]
    last = len(log.hands[hand].actions) if stopped is None else stopped + 1
    return min(action + 1, last) if isinstance(action, int) and action >= 0 else 0


# Findings --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filter:
    """Which findings are wanted; "" wants all."""

    severity: str = ""
    seat: str = ""
    code: str = ""

    def wants(self, finding: Facts) -> bool:
        """Whether a finding is one of them."""
        return (
            self.severity in ("", severity_in(finding))
            and self.seat in ("", str(finding.get("seat")))
            and self.code in ("", str(finding.get("code")))
        )

    def __bool__(self) -> bool:
        return bool(self.severity or self.seat or self.code)


def asked_filter(report: Facts) -> Filter:
    """The filter of the address, as far as the report knows what it names."""
    findings = list(all_findings(report))
    given = {name: request.args.get(name, "") for name in ("severity", "seat", "code")}
    known = {
        "severity": set(SEVERITIES),
        "seat": {"0", "1", "2", "3"},
        "code": {str(finding.get("code")) for finding in findings},
    }
    return Filter(**{name: value if value in known[name] else "" for name, value in given.items()})


def wanted(report: Facts, only: Filter) -> list[Facts]:
    """The findings that are wanted: objections, then open questions, then notes."""
    found = [finding for finding in all_findings(report) if only.wants(finding)]
    return sorted(found, key=lambda finding: SEVERITIES.index(severity_in(finding)))


def choices(report: Facts) -> dict[str, list[tuple[str, int]]]:
    """What the findings can be filtered by, with how many there are of each."""
    findings = list(all_findings(report))
    counted = {
        "severity": Counter(severity_in(finding) for finding in findings),
        "seat": Counter(str(finding["seat"]) for finding in findings if finding.get("seat") is not None),
        "code": Counter(str(finding.get("code")) for finding in findings),
    }
    return {
        "severity": [(one, counted["severity"][one]) for one in SEVERITIES if counted["severity"][one]],
        "seat": sorted(counted["seat"].items()),
        "code": sorted(counted["code"].items()),
    }


def objection(page: Page, loaded: Audited, finding: Facts) -> Objection:
    """One finding, with what it rests on."""
    words, hand = page.words, finding.get("hand")
    place = step_url(loaded, hand, finding.get("action"))
    missing = listed((finding.get("params") or {}).get("missing"))
    undecidable = finding.get("kind") == "undecidable"
    because = [Link(words.step(one), step_url(loaded, hand, one)) for one in listed(finding.get("because"))]
    return Objection(
        severity=severity_in(finding),
        kind=str(finding.get("kind")),
        place=Link(place_of(words, finding), place),
        code=visible(finding.get("code", "")),
        slug=visible(finding.get("slug", "")),
        entry=entry_url(finding),
        said=said_of(words, finding),
        act=act_of(page, finding),
        clause=clause_of(words, finding),
        because=because,
        basis=words.say("basis.inferred") if finding.get("basis") == "inferred" else "",
        decides=facts(words, missing) if missing and undecidable else "",
        pointer=visible(finding.get("pointer") or "", 200),
        hand=hand,
        action=finding.get("action"),
    )


def said_of(words: Words, finding: Facts) -> str:
    """A finding as a sentence; what it is and no more, where its facts are not for this reader."""
    if finding.get("withheld"):
        return words.say("shares.withheld", title=words.label(str(finding.get("code")), "title"))
    return sentence(finding, words)


def entry_url(finding: Facts) -> str:
    """Where the catalogue explains the code of a finding; "" for a code that it does not have."""
    code = finding.get("code")
    return url_for("catalogue.finding", code=code) if code in CATALOGUE else ""


def act_of(page: Page, finding: Facts) -> str:
    """The action that a finding is about: who, what, with which tiles; "" where there is none."""
    words = page.words
    action = page.action({"hand": finding.get("hand", -1)}, finding.get("action"))
    if not action:
        return ""
    tiles = "".join(str(one) for one in listed(action.get("tile") or action.get("tiles")))
    said = [words.seat(action.get("seat")), words.label("action", action.get("type"))]
    if action.get("type") == "void":
        said.append(words.label("suit", action.get("suit")))
    return words.say("language.place").join([*said, words.tiles(tiles)] if tiles else said)


# Hands -----------------------------------------------------------------------------------------------


def hand_shown(page: Page, loaded: Audited, hand: Facts) -> HandShown:
    """One hand: how it stands, its wins, its money beside the claim."""
    words, number = page.words, hand["hand"]
    dealer = page.logged(hand).get("dealer")
    title = words.say("report.hand", n=number + 1)
    if dealer is not None:
        title = words.say("report.hand.dealer", n=number + 1, dealer=words.seat(dealer))
    ready, strict = hand.get("ready"), void_scores(hand)
    claimed = page.logged(hand).get("claimed") or {}
    return HandShown(
        number=number,
        title=title,
        url=step_url(loaded, number),
        calm=not hand["findings"] and hand.get("scores") is not None,
        lines=list(state_lines(page, hand)),
        wins=[won(page, loaded, hand, win) for win in hand.get("wins") or []],
        payments=list(payments(page, hand, claimed.get("ledger"))),
        claimed=claimed.get("ledger") is not None,
        clauses=clauses(page, hand.get("ledger") or []),
        scores=list(scores(words, hand)),
        strict=words.scores(strict) if strict is not None else "",
        ready=ready_line(words, ready) if ready is not None else "",
        next_dealer=words.seats(hand["next_dealer"]) if hand.get("next_dealer") else "",
    )


def won(page: Page, loaded: Audited, hand: Facts, win: Facts) -> Won:
    """One hu."""
    words = page.words
    return Won(
        place=Link(words.step(win.get("at")), step_url(loaded, hand["hand"], win.get("at"))),
        how=how_won(page, hand, win),
        fan=fans_of(words, win),
        price=price_of(page, win),
        sets=sets_of(words, win),
    )


def payments(page: Page, hand: Facts, claimed: Any) -> Iterator[Payment]:
    """Every payment, and beside it the claimed one; then what is claimed alone.

    The differences are those that the report holds (SET002); what it does not object to agrees.
    """
    words = page.words
    differences = [
        finding["params"]
        for finding in hand["findings"]
        if finding.get("code") == "SET002" and finding.get("kind") == "mismatch"
    ]
    open_differences = list(differences)
    for number, entry in enumerate(hand.get("ledger") or [], 1):
        found = next((one for one in open_differences if same(one.get("recomputed"), entry)), None)
        if found is not None:
            open_differences.remove(found)
        points = words.points(entry["amount"])
        other = (found.get("claimed") or {}) if found else entry if claimed is not None else {}
        yield Payment(
            number=number,
            who=who_pays(words, entry),
            recomputed=points,
            claimed=claimed_side(words, other, entry) if other else "",
            why=why_paid(page, hand, entry),
            differs=found is not None,
            first=bool(found and found.get("first")),
        )
    for one in open_differences:
        other = one.get("claimed") or {}
        if other:
            why = words.label("ledger", other.get("kind"))
            points = words.points(other.get("amount"))
            yield Payment(None, who_pays(words, other), "", points, why, True, bool(one.get("first")))


def claimed_side(words: Words, claim: Facts, entry: Facts) -> str:
    """A claimed amount; where the claim names another step than the entry, that too."""
    points = words.points(claim.get("amount"))
    if claim.get("at", entry.get("at")) == entry.get("at"):
        return points
    return words.say("language.place").join((points, words.step(claim.get("at"))))


def same(one: Any, other: Facts) -> bool:
    """Whether two entries are the same payment."""
    return isinstance(one, Mapping) and all(one.get(key) == other.get(key) for key in ENTRY)


def who_pays(words: Words, entry: Facts) -> str:
    """Who pays whom."""
    return words.say(
        "web.money.who", source=words.seat(entry.get("from")), target=words.payee(entry.get("to"))
    )


def scores(words: Words, hand: Facts) -> Iterator[Score]:
    """Each seat's points beside the claim, the first difference marked."""
    recomputed, claimed = hand.get("scores"), hand.get("claimed")
    first = True
    for seat in range(4) if recomputed is not None or claimed is not None else ():
        ours = None if recomputed is None else recomputed[seat]
        theirs = None if claimed is None else claimed[seat]
        differs = ours is not None and theirs is not None and ours != theirs
        yield Score(
            words.seat(seat),
            "" if ours is None else signed(ours),
            "" if theirs is None else signed(theirs),
            differs,
            differs and first,
        )
        first = first and not differs
