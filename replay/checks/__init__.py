"""The checks: what the rules have to say about an action before it is applied.

A check is called with the table as it stands, the acting seat, the kind of tile (or NONE) and the action, and
returns the findings it has, or None. It changes nothing. Where a finding leaves its place open (action, seat), it
stands at the action being judged.
"""

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from replay.findings import Finding
from replay.profile import RuleProfile
from replay.state import Table

Check = Callable[[Table, int, int, Any], Sequence[Finding] | None]
Condition = Callable[[RuleProfile], bool]

ACTION_TYPES = (
    "swap",
    "void",
    "piao",
    "draw",
    "discard",
    "peng",
    "gang",
    "hu",
    "pass",
    "replace",
    "ting",
    "flee",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A check and when it can speak: its action types and rule sets, with a wall only, before the first discard only."""

    run: Check
    types: tuple[str, ...]
    when: Condition
    order: int
    needs_wall: bool
    until_opened: bool


_REGISTRY: list[Entry] = []


def check(
    *types: str,
    when: Condition = lambda rules: True,
    order: int = 50,
    needs_wall: bool = False,
    until_opened: bool = False,
) -> Callable[[Check], Check]:
    """Enter a check for actions of these types under the rule sets that ``when`` lets through.

    Checks of one action run by ``order``, then by name: whose turn it is (10), what it needs (30), the rest (50).
    ``needs_wall`` leaves it out where no wall is recorded, ``until_opened`` after the hand's first discard.
    """

    def enter(function: Check) -> Check:
        _REGISTRY.append(Entry(function, types, when, order, needs_wall, until_opened))
        return function

    return enter


@lru_cache(maxsize=512)
def checks_for(rules: RuleProfile, walled: bool, opened: bool) -> dict[str, tuple[Check, ...]]:
    """The checks of each action type that can speak, in the order in which they run.

    Under this rule set, with a recorded wall or without, and before or after the first discard.
    """
    entries = sorted(_REGISTRY, key=lambda entry: (entry.order, entry.run.__module__, entry.run.__name__))
    return {
        kind: tuple(
            entry.run
            for entry in entries
            if kind in entry.types
            and entry.when(rules)
            and (walled or not entry.needs_wall)
            and not (opened and entry.until_opened)
        )
        for kind in ACTION_TYPES
    }


for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
    import_module(f"{__name__}.{module}")
