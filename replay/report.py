"""The audit report, `xuezhan-report/1`: what an audit came to, as data that others can read.

The same log, profile and engine version give the same bytes: keys sorted, no time of day, no host name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from replay.catalogue import kind_of, parameter_of, severity_of, slug_of
from replay.events import Win
from replay.findings import Finding
from replay.grounds import keys_of
from replay.hands import HandAudit, strict_scores
from replay.log import Log
from replay.prices import part_facts
from replay.profile import RuleProfile
from replay.reasons import written_entries
from replay.sets import winning_sets
from replay.tiles import TILES, kinds_in
from replay.version import __version__
from replay.wording import render

FORMAT = "xuezhan-report/1"
ENGINE = "xuezhan-replay"
LANGUAGE = "en"
"""The language of the messages in the data; for people they are rendered anew in theirs."""


@dataclass(slots=True)
class Source:
    """Where a report's log came from: its id, the digest of its bytes (worked out when asked), and its importer."""

    log_id: str | None
    digest: Callable[[], str]
    importer: Mapping[str, str] | None = None


@dataclass
class Report:
    """The result of an audit.

    ``rules`` is None, and ``hands`` empty, where the document could not be read. ``findings`` are those that
    belong to no hand; ``all_findings`` those of the hands too. ``log`` is what was read, None where nothing was.
    """

    source: Source
    rules: RuleProfile | None
    findings: Sequence[Finding]
    hands: Sequence[HandAudit]
    totals: list[int] | None = None
    coins: list[int] | None = None
    strict: bool = False
    replayable: bool = True
    stated_profile: str | None = None
    log: Log | None = None

    @cached_property
    def all_findings(self) -> list[Finding]:
        """Every finding, those of the document first, then hand by hand."""
        return [*self.findings, *(finding for hand in self.hands for finding in hand.findings)]

    @property
    def verdict(self) -> str:
        """``clean``, ``findings`` (at least one error) or ``unreplayable`` (no hand could be audited)."""
        return "unreplayable" if not self.replayable else verdict_of(self.all_findings)

    @property
    def complete(self) -> bool:
        """Whether every question was answered: nothing undecidable, no hand stopped."""
        return self.replayable and is_complete(self.all_findings) and not any(map(stopped, self.hands))

    def to_dict(self) -> dict[str, Any]:
        """The report as formats §2 writes it."""
        hands = [hand_dict(hand, self.rules, self.strict) for hand in self.hands]
        return {
            "format": FORMAT,
            "engine": {"name": ENGINE, "version": __version__},
            "log": {"id": self.source.log_id, "sha256": self.source.digest()},
            "importer": dict(self.source.importer) if self.source.importer else None,
            "rules": self._rules(hands),
            "verdict": self.verdict,
            "complete": self.complete,
            "findings": [finding_dict(finding, self.rules) for finding in self.findings],
            "hands": hands,
            "totals": self.totals,
            "coins": self.coins,
        }

    def to_json(self) -> bytes:
        """The report as UTF-8 JSON with sorted keys, without a line end."""
        return orjson.dumps(self.to_dict(), option=orjson.OPT_SORT_KEYS)

    def _rules(self, hands: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        if self.rules is None:
            return {
                "profile": self.stated_profile,
                "digest": None,
                "options": {},
                "readings": [],
                "cites": {},
            }
        return {
            "profile": self.rules.id,
            "digest": self.rules.digest,
            "options": dict(self.rules.options),
            "readings": readings_used(self.rules, self.all_findings, self.hands),
            "cites": cites_used(self.rules, hands),
        }


def verdict_of(findings: Iterable[Finding]) -> str:
    """``findings`` where one of them is an error, else ``clean``."""
    return "findings" if any(severity_of(finding) == "error" for finding in findings) else "clean"


def is_complete(findings: Iterable[Finding]) -> bool:
    """Whether no question was left open."""
    return all(finding.kind != "undecidable" for finding in findings)


def stopped(hand: HandAudit) -> bool:
    """Whether the hand has no settlement: its table is not known, or it was cut short."""
    return hand.scores is None


def finding_dict(finding: Finding, rules: RuleProfile | None) -> dict[str, Any]:
    """A finding with its slug, severity, message and clause."""
    return {
        "code": finding.code,
        "slug": slug_of(finding),
        "severity": severity_of(finding),
        "kind": kind_of(finding),
        "basis": finding.basis,
        "hand": finding.hand,
        "action": finding.action,
        "seat": finding.seat,
        "pointer": finding.pointer,
        "params": dict(finding.params),
        "message": render(finding, LANGUAGE),
        "clause": clause_dict(rules, parameter_of(finding)),
        "because": list(finding.because),
    }


def clause_dict(rules: RuleProfile | None, parameter: str) -> dict[str, Any] | None:
    """The words that a parameter rests on; None where it cites none."""
    clause = rules.cites.get(parameter) if rules is not None and parameter else None
    if clause is None:
        return None
    return {"document": clause.document, "section": clause.section, "text": clause.text}


def hand_dict(hand: HandAudit, rules: RuleProfile | None, strict: bool) -> dict[str, Any]:
    """One hand of the report."""
    settled = hand.scores is not None
    ready = hand.ready
    written = {
        "hand": hand.number,
        "verdict": "unreplayable" if hand.stopped_at is not None else verdict_of(hand.findings),
        "complete": settled and is_complete(hand.findings),
        "stopped_at": hand.stopped_at,
        "findings": [finding_dict(finding, rules) for finding in hand.findings],
        "wins": [win_dict(win) for win in hand.table.wins],
        "ledger": written_entries(hand.book),
        "scores": hand.scores,
        "claimed": hand.claimed,
        "ready": None
        if ready is None
        else {str(n): [TILES[k] for k in kinds_in(m)] for n, m in ready.items()},
        "next_dealer": hand.next_dealer,
    }
    if strict:
        written["strict_scores"] = strict_scores(hand)
    return written


def win_dict(win: Win) -> dict[str, Any]:
    """A hu of the report."""
    price = win.price
    return {
        "seat": win.seat,
        "at": win.at,
        "from": win.source,
        "tile": TILES[win.tile],
        "fan": price.fan,
        "price": price.price,
        "shape": {"id": price.shape.id, "fan": price.shape.fan},
        "extras": [part_facts(part) for part in price.extras],
        "sets": winning_sets(win),
    }


def cites_used(rules: RuleProfile, hands: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The words that the payments of these hands rest on, by the keys that their entries name."""
    keys = {key for hand in hands for entry in hand["ledger"] for key in entry["because"]["rules"]}
    return {key: clause_dict(rules, key) for key in sorted(keys & rules.cites.keys())}


# Readings --------------------------------------------------------------------------------------------


def readings_used(rules: RuleProfile, findings: Iterable[Finding], hands: Iterable[HandAudit]) -> list[str]:
    """The readings (what the documents leave open) that this verdict rests on, in the order of the keys."""
    used = {parameter_of(finding).partition(".")[0] for finding in findings}
    for hand in hands:
        keys = {key for entry in hand.book.entries for key in keys_of(entry, hand.table)}
        used.update(key.partition(".")[0] for key in keys)
        for win in hand.table.wins:
            used.update(part.id for part in win.price.extras)
            used.add(win.price.shape.id)
            if any(part.id == "gen" for part in win.price.extras):
                used.add("extras")
            if win.robbed:
                used.add("rob_gang")
    return [f"{key}: {words[LANGUAGE]}" for key, words in sorted(rules.readings.items()) if key in used]
