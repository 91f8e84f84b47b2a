"""No case of public.json is dropped in silence: each is a test, or stands here with the reason why not."""

import re
from pathlib import Path

from .public import CASES

WHY_NOT = {
    "H22": "门清 and 中张 as doubling fans are in no document and no rule set here",
    "T14": "a hu that was asked for and refused is no action of a log, so there is nothing to reverse",
    "X15": "a request that was refused is no action of a log; the state it would have left is not seen",
}
"""The cases that no test can hold, and why."""

TESTS = re.compile(r"^def test_([A-Z]\d\d)_", re.MULTILINE)


def asked_for() -> set[str]:
    """The cases that a test is named after, and the hands with values."""
    modules = sorted(Path(__file__).parent.glob("test_public_*.py"))
    named = {case for module in modules for case in TESTS.findall(module.read_text(encoding="utf-8"))}
    return named | {name for name, case in CASES.items() if "values" in case}


def test_every_case_is_a_test_or_has_a_reason() -> None:
    assert asked_for() | WHY_NOT.keys() == CASES.keys()
    assert not asked_for() & WHY_NOT.keys()
    assert len(CASES) == 84


READINGS_LEFT = {
    "R19": {"plus5", "flat5", "S12_x3"},
    "R24": {"literal"},
    "K07": {"S3"},
    "T02": {"split_unsourced", "S4_payers_again", "none"},
    "P03": {"inside"},
    "E03": {"sum"},
}
"""Readings of the amounts that no value of a key here gives: rulebook.md decides for another."""


def test_every_reading_of_the_amounts_is_asked_or_set_aside() -> None:
    modules = sorted(Path(__file__).parent.glob("test_public_*.py"))
    text = "".join(module.read_text(encoding="utf-8") for module in modules if module != Path(__file__))
    told = {name: set(case["deltas_ABCD"]) for name, case in CASES.items() if "deltas_ABCD" in case}
    asked = {name: {each for each in told[name] if f'"{each}"' in text} for name in told}
    left = {name: told[name] - asked[name] for name in told}
    assert left == {name: READINGS_LEFT.get(name, set()) for name in told}
