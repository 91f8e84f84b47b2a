"""Timings of the steps of an audit (run with --benchmark-enable); the counters beside them gate."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from replay import audit
from replay.cli.bench import stamped, waits_made
from replay.formats import read_log
from replay.hands import audit_hand
from replay.log import decode, log_of
from replay.measure import hand_opcodes
from replay.profile import load_profile
from replay.schemas import quick_validator
from replay.sitting import log_rules
from replay.state import Table

CASES = sorted((Path(__file__).parent.parent / "cases" / "legal").glob("chengdu-0?.json"))
DOCUMENT = stamped(json.loads((CASES[0].parent / "chengdu-02.json").read_bytes()))
DATA = orjson.dumps(DOCUMENT)
LOG = log_of(DOCUMENT)


def test_time_of_json_loads_which_the_others_are_measured_by(benchmark: Any) -> None:
    assert benchmark(json.loads, DATA)["id"] == DOCUMENT["id"]


def test_time_of_validating_a_decoded_log(benchmark: Any) -> None:
    assert benchmark(quick_validator("log").is_valid, DOCUMENT)


def test_time_from_bytes_to_a_valid_document(benchmark: Any) -> None:
    assert benchmark(read_log, DATA).log == LOG


def test_time_of_auditing_a_hand(benchmark: Any) -> None:
    rules = load_profile("chengdu")
    assert benchmark(audit_hand, rules, LOG.hands[0], 0, (), frozenset()).scores is not None


def test_time_from_bytes_to_a_report(benchmark: Any) -> None:
    assert benchmark(audit, DATA).verdict == "clean"


def test_time_of_setting_the_table_for_one_step(benchmark: Any) -> None:
    rules = load_profile("chengdu")
    assert benchmark(Table, rules, LOG.hands[0], (), frozenset()).left == 56


def test_an_action_of_a_hand_played_to_the_end_runs_at_most_350_opcodes() -> None:
    assert hand_opcodes(load_profile("chengdu"), LOG) <= 350


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_an_action_of_short_hands_with_many_hu_runs_at_most_450_opcodes(path: Path) -> None:
    log = log_of(stamped(json.loads(path.read_bytes())))
    rules, _ = log_rules(log.rules, None)
    assert rules is not None
    assert hand_opcodes(rules, log) <= 450


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_waits_are_made_anew_only_when_thirteen_tiles_change(path: Path) -> None:
    log = decode(path.read_bytes())
    rules, _ = log_rules(log.rules, None)
    assert rules is not None
    for number, hand in enumerate(log.hands):
        made, most = waits_made(rules, hand, number, log)
        assert made <= most
