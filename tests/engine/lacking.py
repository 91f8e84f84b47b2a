"""Cases with a fact taken out of their log, and what a report leaves open for it."""

from collections.abc import Callable
from typing import Any

from replay import audit

from .cases import Facts, errors, log_of, playable

FACTS = ["void", "swap", "dealer", "gang_kind", "rob", "pass", "ends", "options"]
LEGAL = [("legal", name) for name in playable("legal")]
ILLEGAL = [("illegal", name) for name in playable("illegal") if name[:3] in ("ACT", "HND", "CLE", "SET")]

OF_A_HAND = ("holdings", "indicator", "direction")
"""Facts that a hand may leave out without its log saying so."""

Kept = list[list[int]]
"""By hand: where each action that was kept stood in the log it comes from."""


def derived(
    kind: str, name: str, *lacks: str, drop: Callable[[Facts], bool] | None = None
) -> tuple[Facts, Kept]:
    """A case that lacks these facts, without the actions that ``drop`` picks."""
    log = log_of(kind, name)
    log["lacks"] = list(lacks)
    kept = []
    for hand in log["hands"]:
        stay = [at for at, action in enumerate(hand["actions"]) if drop is None or not drop(action)]
        kept.append([*stay, len(hand["actions"])])
        hand["actions"] = [hand["actions"][at] for at in stay]
    return log, kept


def forget_claimed_places(log: Facts) -> None:
    """Claimed entries and hu say at which action: those places are others now."""
    for hand in log["hands"]:
        for claim in [*hand.get("claimed", {}).get("wins", ()), *hand.get("claimed", {}).get("ledger", ())]:
            claim.pop("at", None)


def without(fact: str, kind: str, name: str) -> tuple[Facts, Kept]:
    """A case with one fact taken out of its log, as far as a log shows it."""
    drop = {"void": lambda action: action["type"] == "void", "pass": lambda action: action["type"] == "pass"}
    log, kept = derived(kind, name, fact, drop=drop.get(fact))
    if fact == "pass":
        log["records"] = [each for each in log.get("records", ()) if each != "pass"]
    if fact == "options":
        log["rules"].pop("options", None)
    if fact in drop:
        forget_claimed_places(log)
    return log, kept


def opened(report: Facts) -> list[Facts]:
    """The questions that a report leaves open."""
    everywhere = [*report["findings"], *(finding for hand in report["hands"] for finding in hand["findings"])]
    return [finding for finding in everywhere if finding["kind"] == "undecidable"]


def check_opened(report: Facts, lacks: list[str]) -> None:
    """Each open question is a warning, is asked once a hand, and names facts that the log lacks."""
    found = opened(report)
    for finding in found:
        assert finding["severity"] == "warning"
        assert finding["params"].keys() == {"missing"}
        assert set(finding["params"]["missing"]) <= {*lacks, *OF_A_HAND}
        assert finding["params"]["missing"]
    asked = [(finding["hand"], finding["code"]) for finding in found]
    assert len(asked) == len(set(asked))
    assert report["complete"] is False or not found


def illegal(report: Facts, kept: Kept) -> set[tuple[Any, ...]]:
    """The illegal acts of a report, at the places that they have in the whole log.

    A missed forced hu has none: it stands at the pass where that is recorded, else where the tile was gone (formats §5).
    """
    found = set()
    for finding in errors(report):
        if finding["kind"] == "illegal":
            action = None if finding["code"] == "HND001" else finding["action"]
            at = None if action is None else kept[finding["hand"]][action]
            found.add((finding["code"], finding["hand"], at, finding["seat"]))
    return found


def whole(kind: str, name: str) -> set[tuple[Any, ...]]:
    """The illegal acts of a case as it stands."""
    log = log_of(kind, name)
    return illegal(audit(log).to_dict(), [list(range(len(hand["actions"]) + 1)) for hand in log["hands"]])
