"""The cases in tests/cases, and an audit's report laid beside what a case expects."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from replay import profile_ids

FOLDER = Path(__file__).resolve().parent.parent / "cases"
EXPECTED = ".expected.json"

Facts = dict[str, Any]


def names(kind: str) -> list[str]:
    """The names of the cases in a folder: `legal` or `illegal`."""
    found = (FOLDER / kind).glob("*.json")
    return sorted(path.stem for path in found if not path.name.endswith(EXPECTED))


def log_bytes(kind: str, name: str) -> bytes:
    return (FOLDER / kind / f"{name}.json").read_bytes()


def log_of(kind: str, name: str) -> Facts:
    document: Facts = json.loads(log_bytes(kind, name))
    return document


@cache
def expectation(kind: str, name: str) -> Facts:
    document: Facts = json.loads((FOLDER / kind / f"{name}{EXPECTED}").read_text(encoding="utf-8"))
    return document


def profile_of(kind: str, name: str) -> str:
    """The rule set that a case was made under, also where its log is damaged on purpose."""
    if kind == "legal":
        return name.rpartition("-")[0]
    made: str = expectation(kind, name)["from"].partition("/")[0]
    return made


def playable(kind: str) -> list[str]:
    """The cases whose rule set is built in."""
    return [name for name in names(kind) if profile_of(kind, name) in profile_ids()]


def prices() -> Iterator[Facts]:
    """Every single hand of prices.ndjson."""
    for line in (FOLDER / "prices.ndjson").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def errors(report: Facts) -> list[Facts]:
    """Every finding of severity error, those of the document first."""
    found = [*report["findings"], *(finding for hand in report["hands"] for finding in hand["findings"])]
    return [finding for finding in found if finding["severity"] == "error"]


def place(finding: Facts) -> tuple[Any, ...]:
    """What a person would want to see of a finding that should not be there."""
    return tuple(finding[key] for key in ("code", "hand", "action", "seat", "params"))


def entries(ledger: list[Facts]) -> Counter[tuple[Any, ...]]:
    """A ledger as a multiset of what cases state of an entry."""
    return Counter((entry["kind"], entry["from"], entry["to"], entry["amount"]) for entry in ledger)


def net(ledger: list[Facts]) -> list[int]:
    """What a ledger comes to for each seat; the bank has no seat."""
    scores = [0, 0, 0, 0]
    for entry in ledger:
        scores[entry["from"]] -= entry["amount"]
        if entry["to"] is not None:
            scores[entry["to"]] += entry["amount"]
    return scores


def win_facts(win: Facts) -> tuple[Any, ...]:
    """What a case states of a hu; of several readings with one price any may be named."""
    return (*(win[key] for key in ("seat", "at", "from", "tile", "fan", "price")), win["shape"]["fan"])


def check_settlement(report: Facts, expected: Facts) -> None:
    """The report has exactly the settlement expected, and every ledger adds up to its hand's scores."""
    assert len(report["hands"]) == len(expected["hands"])
    for hand, wanted in zip(report["hands"], expected["hands"], strict=True):
        assert hand["scores"] == wanted["scores"]
        assert entries(hand["ledger"]) == entries(wanted["ledger"])
        assert list(map(win_facts, hand["wins"])) == list(map(win_facts, wanted["wins"]))
        assert hand["ready"] == wanted["ready"]
        assert hand["next_dealer"] == wanted["next_dealer"]
        assert net(hand["ledger"]) == hand["scores"]
    assert report["totals"] == expected["totals"]
    assert report["coins"] == expected["coins"]
