"""Deterministic counters of an audit: opcodes run and waits worked out. Counters gate, clocks only inform."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from replay.hands import audit_hand
from replay.log import Log
from replay.profile import RuleProfile


def opcodes(run: Callable[[], object]) -> int:
    """How many bytecode instructions a call runs, in itself and in all it calls."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def calls(run: Callable[[], object], name: str) -> int:
    """How often a call reaches functions of this name."""
    count = 0

    def profile(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_name == name

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def hand_opcodes(rules: RuleProfile, log: Log) -> float:
    """Opcodes an action over all hands of a valid log, everything an audit of a hand does included."""
    records, lacks = log.records or (), frozenset(log.lacks or ())

    def audit_all() -> None:
        for number, hand in enumerate(log.hands):
            audit_hand(rules, hand, number, records, lacks)

    audit_all()  # what is made once a rule set is not counted
    return opcodes(audit_all) / sum(len(hand.actions) for hand in log.hands)
