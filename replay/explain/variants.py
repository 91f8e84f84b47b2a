"""A rule set with some of its common options changed: what is tried, without being built before it must be."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter
from typing import Any

import orjson

from replay.profile import RuleProfile, values

OPTIONS = ("cap_fan", "base", "zi_mo_bonus", "gang_zhi", "gang_zhi_others", "transfer")
"""The common options: what rooms agree on beside their rule set, as far as money hangs on it."""

STATED = (*OPTIONS, "coin_factor", "rake")
"""Of the options that a log states, those that are carried over to other rule sets."""

CHOICES: Mapping[str, tuple[Any, ...]] = {
    "cap_fan": (2, 3, 4, 5, 6, 7, 8, 9, 10, None),
    "zi_mo_bonus": ("none", "add_base"),
    "gang_zhi": (1, 2),
    "gang_zhi_others": (0, 1),
    "transfer": ("none", "last", "chain", "return"),
}
"""What is tried of each common option; the base is worked out from the claim instead."""

DECLARES, PLAYS_ON, KNOWS_FLIGHT = "declares", "plays_on", "knows_flight"
"""Stand beside the keys of a rule set: whether a void suit is declared, whether winners play on, what 逃跑 is at all."""


class Spent(Exception):
    """Raised where a search has done as much as it may."""


@dataclass(slots=True)
class Work:
    """What a search has done and the ``most`` that it may do, None for any amount.

    A hand settled anew and a hand priced anew are one each. Counted instead of timed, it ends at the same place always.
    ``stopped`` tells that more was asked for.
    """

    most: int | None = None
    done: int = 0
    stopped: bool = False

    def add(self, amount: int = 1) -> None:
        """Something more is about to be done; raises `Spent` where it may not be."""
        if self.most is not None and self.done >= self.most:
            self.stopped = True
            raise Spent
        self.done += amount


@lru_cache(maxsize=256)
def facts_of(rules: RuleProfile) -> Mapping[str, Hashable]:
    """The values of a rule set as they can be compared and looked up."""
    found: dict[str, Hashable] = {key: _plain(value) for key, value in values(rules).items()}
    return {
        **found,
        DECLARES: rules.void == "declared",
        PLAYS_ON: rules.ends == "wall",
        KNOWS_FLIGHT: rules.flee != "none",
    }


def _plain(value: Any) -> Hashable:
    return orjson.dumps(value) if isinstance(value, dict | list) else value


@dataclass(slots=True, eq=False)
class Variant:
    """A rule set and the options changed over it; ``facts`` are its values, made without building it."""

    plain: RuleProfile
    options: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Hashable] = field(init=False)
    _rules: RuleProfile | None = None

    def __post_init__(self) -> None:
        self.options = {
            key: value for key, value in self.options.items() if getattr(self.plain, key) != value
        }
        self.facts = {**facts_of(self.plain), **self.options} if self.options else facts_of(self.plain)

    @property
    def rules(self) -> RuleProfile:
        """The rule set; its digest and stated options are still those of the plain one."""
        if self._rules is None:
            self._rules = changed(self.plain, tuple(self.options.items())) if self.options else self.plain
        return self._rules

    def with_options(self, options: Mapping[str, Any]) -> "Variant":
        """The same with more options changed."""
        return Variant(self.plain, {**self.options, **options}) if options else self

    def looked_up(self, keys: tuple[str, ...]) -> tuple[Hashable, ...]:
        """The values of so many keys."""
        found: tuple[Hashable, ...] = getter_of(keys)(self.facts)
        return found

    @property
    def makes_sense(self) -> bool:
        """Whether a rule set can have these values together."""
        return not (self.facts["hua_zhu"] == "cap" and self.facts["cap_fan"] is None)


@lru_cache(maxsize=512)
def changed(plain: RuleProfile, options: tuple[tuple[str, Any], ...]) -> RuleProfile:
    """A rule set with some values changed; made once, so that its prices are looked up once."""
    return replace(plain, **dict(options))


@lru_cache(maxsize=512)
def getter_of(keys: tuple[str, ...]) -> Any:
    """What takes so many values out of a mapping, always as a tuple."""
    if len(keys) < 2:
        return lambda facts: tuple(facts[key] for key in keys)
    return itemgetter(*keys)
