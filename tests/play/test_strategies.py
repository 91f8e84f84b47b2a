"""What is drawn covers the profile schema: every value that it lists, every key that is not a part of a price table."""

from typing import Any

import pytest

from replay import profile_ids
from replay.profile import load_profile, values
from replay.sense import value_schemas

from .strategies import OPTION_SETS, VALUES, makes_sense, option_sets

OF_PRICES = {"shapes", "extras", "absorb_gen", "dragon_pairs_absorb_gen", "excludes"}
"""The parts of a price table: play does not depend on them, and each rule set has its own."""


def test_every_key_is_drawn() -> None:
    assert set(VALUES) == set(value_schemas()) - OF_PRICES


@pytest.mark.parametrize("key", sorted(VALUES))
def test_every_listed_value_is_drawn(key: str) -> None:
    allowed: dict[str, Any] = dict(value_schemas()[key])
    listed = [True, False] if allowed.get("type") == "boolean" else allowed.get("enum", VALUES[key][:2])
    assert all(value in VALUES[key] for value in listed)
    assert len(VALUES[key]) > 1


@pytest.mark.parametrize("key", sorted(VALUES))
def test_every_value_is_of_some_game(key: str) -> None:
    for value in VALUES[key]:
        assert any(makes_sense(profile, {key: value}) for profile in profile_ids())


@pytest.mark.parametrize("name", sorted(OPTION_SETS))
def test_a_set_of_options_changes_most_rule_sets(name: str) -> None:
    able = [profile for profile in profile_ids() if name in option_sets(profile)]
    assert len(able) > len(profile_ids()) // 3
    changed = any(values(load_profile(p, OPTION_SETS[name])) != values(load_profile(p)) for p in able)
    assert changed or not OPTION_SETS[name]
