"""Logs whose claim is what a rule set makes of them, whichever rule set they name."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from replay import audit
from replay.explain import Explained, explain
from replay.intake import take_in
from replay.sitting import log_rules

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_logs"
CASES = ROOT / "tests" / "cases" / "legal"
EVERYTHING = ("scores", "ledger", "wins")

Document = dict[str, Any]
Stated = tuple[str, Mapping[str, Any]]


def document(path: Path) -> Document:
    """A log as plain JSON values."""
    found: Document = json.loads(path.read_bytes())
    return found


def claiming(
    path: Path,
    profile: str,
    options: Mapping[str, Any] | None = None,
    what: tuple[str, ...] = EVERYTHING,
    stated: Stated | None = None,
) -> Document:
    """A log that claims what a rule set makes of it; it names ``stated``, or what it named before."""
    log = document(path)
    log.pop("claimed", None)
    for hand in log["hands"]:
        hand.pop("claimed", None)
    report = audit(log, profile=profile, options=options).to_dict()
    for hand, settled in zip(log["hands"], report["hands"], strict=True):
        claim = {name: part for name, part in claims_of(settled).items() if name in what}
        hand |= {"claimed": claim} if claim else {}
    sums = {name: report[name] for name in ("totals", "coins") if name in what}
    log |= {"claimed": sums} if sums else {}
    if stated is not None:
        log["rules"] = {"profile": stated[0], "options": dict(stated[1])}
    return log


def claims_of(settled: Mapping[str, Any]) -> Document:
    """The money of a hand as a platform would claim it."""
    keys = ("kind", "from", "to", "amount", "at")
    return {
        "scores": settled["scores"],
        "ledger": [{key: entry[key] for key in keys} for entry in settled["ledger"]],
        "wins": [{key: win[key] for key in ("seat", "at", "fan", "price")} for win in settled["wins"]],
    }


def explained(log: Mapping[str, Any]) -> Explained:
    """What explains a log's claims."""
    taken = take_in(dict(log)).log
    assert taken is not None
    rules, _ = log_rules(taken.rules, None)
    assert rules is not None
    return explain(taken, rules)


def named(found: Explained) -> list[tuple[str, dict[str, Any]]]:
    """The rule sets that do, with their options."""
    return [(one.profile, dict(one.options)) for one in found.right]
