"""The cost of an explanation, in opcodes: not a full audit for each combination."""

from math import prod
from pathlib import Path

import pytest

from replay.explain import explain
from replay.explain.variants import CHOICES
from replay.hands import audit_hand
from replay.intake import take_in
from replay.measure import calls, opcodes
from replay.profile import profile_ids
from replay.sitting import log_rules

from .claiming import CASES, EVERYTHING, SAMPLES, Document, claiming, document

AUDITS = 3
LOGS = [
    "chengdu/clean",
    "chengdu/forced-hu-missed",
    "chengdu/guo-shui",
    "chengdu/liuju-hua-zhu-da-jiao",
    "chengdu/misclaimed-settlement",
    "chengdu/void-order",
    "base6/flight",
    "chiyu/settled-liuju",
    "mil-sbr/salasasa-2611",
    "qq/flight",
    "qq-dingque/last-four-free",
    "tingyong/wildcards-and-piao",
    "xueliu/hu-again",
]
"""Hands of the usual length."""


@pytest.mark.parametrize("name", LOGS)
def test_all_rule_sets_together_cost_at_most_three_audits(name: str) -> None:
    explaining, auditing = costs(document(SAMPLES / f"{name}.json"))
    assert explaining <= AUDITS * auditing


def costs(claimed: Document) -> tuple[int, int]:
    """The opcodes of an explanation, and of an audit of every hand."""
    log = take_in(claimed).log
    assert log is not None
    rules, _ = log_rules(log.rules, None)
    assert rules is not None

    def audit_all() -> None:
        lacks = frozenset(log.lacks or ())
        for number, hand in enumerate(log.hands):
            audit_hand(rules, hand, number, log.records or (), lacks)

    def explain_all() -> None:
        explain(log, rules)

    audit_all()  # what is made once a rule set is not counted
    explain_all()
    return opcodes(explain_all), opcodes(audit_all)


@pytest.mark.parametrize(("what", "audits"), [(EVERYTHING, 4), (("scores",), 10)], ids=str)
def test_options_cost_far_less_than_their_combinations(what: tuple[str, ...], audits: int) -> None:
    log = claiming(CASES / "zhaotong-02.json", "qq", {"cap_fan": 4}, what, ("zhaotong", {}))
    combinations = len(profile_ids()) * prod(map(len, CHOICES.values()))
    assert combinations > 1000
    explaining, auditing = costs(log)
    assert explaining <= audits * auditing


def test_a_hand_is_played_once_for_all_rule_sets_that_play_it_alike() -> None:
    path: Path = SAMPLES / "chengdu" / "guo-shui.json"
    log = take_in(path.read_bytes()).log
    assert log is not None
    rules, _ = log_rules(log.rules, None)
    assert rules is not None
    assert len(profile_ids()) > 1
    assert calls(lambda: explain(log, rules), "audit_hand") == len(log.hands)
