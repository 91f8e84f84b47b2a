"""What a case is about, found in its report, and what the engine says about just that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import abort

from replay.steps import HandSteps, steps
from replay.store.tables.disputes import AMOUNT, BEHAVIOUR, DISPUTE_KINDS, LEGALITY, RECORD, Dispute
from replay.text.cited import Quoted
from replay.text.objections import severity_in
from replay.text.page import Facts, Page
from replay.text.why import clauses
from replay.web.loading import Loaded
from replay.web.reports.pages import rules_shown
from replay.web.reports.shown import Objection, Payment, objection, payments

OF_RECORDS = ("LOG", "IMP", "FAI")
OF_MONEY = "SET"
"""What the codes of findings about records, and about money, begin with."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A hand of a report, and of that hand an action, a finding or an entry of the recomputed ledger."""

    loaded: Loaded
    hand: int
    action: int | None = None
    code: str | None = None
    entry: int | None = None

    @property
    def written(self) -> Facts:
        """The hand as the report has it."""
        found: Facts = self.loaded.written["hands"][self.hand]
        return found

    @property
    def findings(self) -> Sequence[Facts]:
        """The finding that it is about, or those about the action or the hand."""
        found: Sequence[Facts] = self.written["findings"]
        if self.entry is not None:
            return [one for one in found if str(one["code"]).startswith(OF_MONEY) and self._is_of_entry(one)]
        if self.code is not None:
            return [one for one in found if (one["code"], one["action"]) == (self.code, self.action)]
        return found if self.action is None else [one for one in found if one["action"] == self.action]

    def _is_of_entry(self, finding: Facts) -> bool:
        paid, said = self.paid or {}, (finding.get("params") or {}).get("recomputed")
        return isinstance(said, Mapping) and all(said.get(key) == paid.get(key) for key in said)

    @property
    def paid(self) -> Facts | None:
        """The entry of the ledger that it is about."""
        ledger: Sequence[Facts] = self.written.get("ledger") or []
        return None if self.entry is None else ledger[self.entry]

    @property
    def at(self) -> int | None:
        """The action to look at; None for the hand as a whole."""
        at: int | None = self.action if self.paid is None else self.paid["at"]
        return at

    @property
    def likely(self) -> str:
        """The kind of case that is most likely meant."""
        if self.entry is not None or (self.code or "").startswith(OF_MONEY):
            return AMOUNT
        return RECORD if (self.code or "").startswith(OF_RECORDS) else LEGALITY

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of cases there can be about it."""
        return (AMOUNT, RECORD, BEHAVIOUR) if self.entry is not None else DISPUTE_KINDS

    def walk(self) -> HandSteps | None:
        """The hand to be walked through; None where its table is not known."""
        log, rules = self.loaded.log, self.loaded.rules
        if log is None or rules is None or self.hand >= len(log.hands):
            return None
        return self.loaded.seen(steps(rules, log, self.hand, self.written["findings"]))

    def arguments(self) -> dict[str, Any]:
        """It as an address says it."""
        named = {"action": self.action, "finding": self.code, "entry": self.entry}
        return {"report": self.loaded.report.id, "hand": self.hand, **named}

    def ruling(self, kind: str) -> str:
        """What the engine says to a case of a kind, as a ruling would; "" where it judges no such thing."""
        severities = {severity_in(one) for one in self._judged(kind)}
        if kind == BEHAVIOUR:
            return ""
        if kind == AMOUNT:
            return "recomputed" if self.written.get("scores") is not None or self.paid is not None else "open"
        wrong, right = ("illegal", "legal") if kind == LEGALITY else ("faulty", "sound")
        return wrong if "error" in severities else "open" if "warning" in severities else right

    def _judged(self, kind: str) -> Sequence[Facts]:
        if kind == RECORD and self.code is None:
            return [one for one in self.written["findings"] if str(one["code"]).startswith(OF_RECORDS)]
        return self.findings


def subject_or_404(loaded: Loaded, given: Mapping[str, str]) -> Subject:
    """What a form or an address names in a report; what is not there is not found (404)."""
    hand, action, entry = (_number(given.get(name, "")) for name in ("hand", "action", "entry"))
    hands = loaded.written["hands"]
    if hand is None or hand >= len(hands):
        abort(404)
    code = given.get("finding") or None
    subject = Subject(loaded, hand, action, code, entry)
    actions = len(loaded.log.hands[hand].actions) if loaded.log is not None else 0
    if entry is not None:
        there = entry < len(hands[hand].get("ledger") or []) and action is None and code is None
    elif code is not None:
        there = bool(subject.findings)
    else:
        there = action is None or action < actions
    return subject if there else abort(404)


def _number(given: str) -> int | None:
    if not given:
        return None
    return int(given) if given.isascii() and given.isdigit() and len(given) < 7 else abort(404)


def subject_of(row: Dispute, loaded: Loaded) -> Subject:
    """What a case is about."""
    return Subject(loaded, row.hand, row.action, row.code, row.entry)


@dataclass(frozen=True, slots=True)
class Told:
    """What the engine says about the subject, worded; ``claimed`` tells whether the log claims payments at all."""

    objections: Sequence[Objection]
    payment: Payment | None
    clauses: Sequence[Quoted]
    claimed: bool
    rules: Mapping[str, Any]


def told(page: Page, subject: Subject) -> Told:
    """What the engine says about it, with the clauses, and the amount beside the claimed one."""
    paid, logged = subject.paid, page.logged(subject.written).get("claimed") or {}
    ledger = logged.get("ledger")
    found = None
    if subject.entry is not None:
        found = list(payments(page, subject.written, ledger))[subject.entry]
    return Told(
        [objection(page, subject.loaded, one) for one in subject.findings],
        found,
        clauses(page, [paid]) if paid is not None else [],
        ledger is not None,
        rules_shown(page, subject.loaded),
    )
