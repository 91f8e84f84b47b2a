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
    f"{name}/{path.stem}"
    for name in profile_ids()
    for path in sorted((SAMPLES / name).glob("*.json"))
    if not path.stem.endswith(".report")
]
"""The samples of every rule set."""


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


def test_work_is_counted_and_ends_where_it_is_spent() -> None:
    log = take_in(claiming(CASES / "zhaotong-02.json", "qq", {"cap_fan": 4}, stated=("zhaotong", {}))).log
    assert log is not None
    rules, _ = log_rules(log.rules, None)
    assert rules is not None
    whole = explain(log, rules)
    assert (whole.cut, whole.untried) == (False, [])
    assert explain(log, rules, 10_000) == whole
    none, some = explain(log, rules, 0), explain(log, rules, 40)
    assert (none.cut, len(none.untried), none.right, none.others) == (True, len(profile_ids()), [], [])
    assert some.cut
    assert 0 < calls(lambda: explain(log, rules, 40), "settle") <= 40
    listed = [one.profile for one in (*some.right, *some.others)] + [one.id for one in some.untried]
    assert sorted(listed) == sorted(profile_ids())


def test_a_hand_is_played_once_for_all_rule_sets_that_play_it_alike() -> None:
    path: Path = SAMPLES / "chengdu" / "guo-shui.json"
    log = take_in(path.read_bytes()).log
    assert log is not None
    rules, _ = log_rules(log.rules, None)
    assert rules is not None
    assert len(profile_ids()) > 1
    assert calls(lambda: explain(log, rules), "audit_hand") == len(log.hands)
