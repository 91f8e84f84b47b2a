"""Money made anew from the course of a hand is the money of a full audit, under every rule set and option."""

from pathlib import Path

import pytest

from replay.explain.course import Played
from replay.explain.settling import outcome
from replay.explain.variants import CHOICES, Variant, Work
from replay.hands import audit_hand
from replay.intake import take_in
from replay.profile import load_profile, profile_ids

from .claiming import SAMPLES

FOLDERS = [SAMPLES / name for name in profile_ids()]
LOGS = [path for folder in FOLDERS for path in sorted(folder.glob("*.json")) if path.suffixes == [".json"]]
OPTIONS = [(option, value) for option, values in CHOICES.items() for value in values[:4]]


def settles_alike(path: Path, variants: list[Variant], own: Variant) -> int:
    """How many hands were settled under other rule sets, each as an audit settles it."""
    log = take_in(path.read_bytes()).log
    assert log is not None
    played, count = Played(log, own, Work()), 0
    for variant in [one for one in variants if one.makes_sense]:
        for number, hand in enumerate(log.hands):
            course = played.course(number, variant)
            if isinstance(course, str):
                continue
            found = outcome(course, variant, False)
            lacks = frozenset(log.lacks or ())
            audited = audit_hand(variant.rules, hand, number, log.records or (), lacks)
            entries = None if found is None else [entry.to_dict() for entry in found.entries]
            assert entries == [entry.to_dict() for entry in audited.book.entries], (variant.plain.id, number)
            count += 1
    return count


def own_of(path: Path) -> Variant:
    """The rule set that a log names."""
    log = take_in(path.read_bytes()).log
    assert log is not None
    return Variant(load_profile(log.rules.profile, log.rules.options))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_under_every_rule_set(path: Path) -> None:
    own = own_of(path)
    variants = [own, *(Variant(load_profile(name)) for name in profile_ids())]
    assert settles_alike(path, variants, own) > 0 or own.plain.id in ("chengdu", "zhaotong")


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_under_every_common_option_of_its_own(path: Path) -> None:
    own = own_of(path)
    settles_alike(path, [own.with_options({option: value}) for option, value in OPTIONS], own)


def test_what_an_option_does_not_touch_is_not_settled_again() -> None:
    path = SAMPLES / "chengdu" / "clean.json"
    own = own_of(path)
    log = take_in(path.read_bytes()).log
    assert log is not None
    played = Played(log, own, Work())
    course = played.course(0, own)
    assert not isinstance(course, str)
    assert "gang_bu" not in course.touched
    other = own.with_options({"gang_bu": 5})
    assert outcome(course, other, False) is outcome(course, own, False)
