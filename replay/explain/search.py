"""The search: every rule set as it stands, and where none explains a claim, the fewest options that do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import takewhile
from operator import attrgetter
from typing import Any

from msgspec import Struct

from replay.explain.agreement import Unit, units_of
from replay.explain.course import Course, Played
from replay.explain.grid import GANG_OPTIONS, HAND_OPTIONS, Choices, Grid, Match
from replay.explain.settling import GANG_MONEY, MOST_FAN, Claimed, Outcome, outcome_within
from replay.explain.variants import CHOICES, OPTIONS, STATED, Spent, Variant, Work, facts_of
from replay.findings import Finding
from replay.ledger import Entry
from replay.log import Log
from replay.profile import OptionProblems, RuleProfile, UnknownProfile, load_profile, profile_ids

MOST_CHANGES = 3
"""Options changed at most over what a rule set or the log states."""

BARE = {
    "cap_fan": MOST_FAN,
    "zi_mo_bonus": "none",
    "gang_zhi": 1,
    "gang_zhi_others": 0,
    "transfer": "none",
}
"""Common options that tell rule sets apart by nothing of their own."""

fields = attrgetter("kind", "source", "target", "amount", "at")

MOST_TRIED = 400
"""Combinations tried at most on the whole log."""


class Verdict(Struct, frozen=True):
    """What a rule set makes of a claim: ``right``, ``differs``, ``impossible`` or ``uncompared``.

    ``difference`` is the first of those that differ, ``reason`` why a hand cannot have been played by it, ``hand``
    which; ``unit`` the position of what is claimed there.
    """

    status: str
    difference: Finding | None = None
    reason: str = ""
    hand: int | None = None
    unit: int = 0


RIGHT, UNCOMPARED = Verdict("right"), Verdict("uncompared")


@dataclass(slots=True, eq=False)
class Candidate:
    """A rule set to be tried: as it stands, and with the common options that the log states.

    ``kept`` are options of the log's own rule set that no search changes; ``own`` tells that the log names it.
    """

    id: str
    own: bool
    kept: Mapping[str, Any]
    plain: Variant
    stated: Variant

    def tried(self) -> tuple[Variant, Variant | None]:
        """The rule set as it is tried first and shown, and the other way: as the log states it, and as it stands."""
        if self.stated.options == self.plain.options:
            return self.plain, None
        return (self.stated, self.plain) if self.own else (self.plain, self.stated)

    def cost(self, options: Mapping[str, Any]) -> int:
        """How many of these options neither the rule set nor the log has."""
        one, other = self.plain.facts, self.stated.facts
        return sum([value != one[key] and value != other[key] for key, value in options.items()])


class Proposal(Struct, frozen=True):
    """Options that make one claim right, and how many of them are changes."""

    cost: int
    candidate: Candidate
    variant: Variant


def candidates(log: Log, own: RuleProfile) -> list[Candidate]:
    """Every built-in rule set, after the one that the log names, which may be another."""
    stated = dict(own.options)
    kept = {key: value for key, value in stated.items() if key not in OPTIONS}
    common = {key: value for key, value in stated.items() if key in OPTIONS}
    carried = {key: value for key, value in kept.items() if key in STATED}
    mine = Variant(without(own, kept))
    named = Candidate(own.id, True, kept, mine, mine.with_options(common))
    options = tuple(carried.items()), tuple(common.items())
    return [named, *(other_candidate(name, *options) for name in profile_ids() if name != own.id)]


@lru_cache(maxsize=256)
def other_candidate(
    name: str, carried: tuple[tuple[str, Any], ...], common: tuple[tuple[str, Any], ...]
) -> Candidate:
    """A built-in rule set with what it keeps of the log's options, and with what it may be stated with."""
    plain = Variant(load_profile(name), dict(carried))
    stated = plain.with_options(dict(common))
    return Candidate(name, False, dict(carried), plain, stated if stated.makes_sense else plain)


def without(own: RuleProfile, kept: Mapping[str, Any]) -> RuleProfile:
    """The rule set with these of its options alone; as it is where they need the others, or it is not built in."""
    try:
        return load_profile(own.id, kept or None)
    except (UnknownProfile, OptionProblems):
        return own


@cache
def known_values() -> Mapping[str, Sequence[Any]]:
    """What is tried of each common option, and what the built-in rule sets have of it."""
    held = [facts_of(load_profile(name)) for name in profile_ids()]
    return {
        option: list(dict.fromkeys([*tried, *(facts[option] for facts in held)]))
        for option, tried in CHOICES.items()
    }


@dataclass(slots=True, eq=False)
class Search:
    """A log's claims against every rule set; what is worked out once is kept."""

    log: Log
    own: RuleProfile
    work: Work
    units: list[Unit] = field(init=False)
    all: list[Candidate] = field(init=False)
    played: Played = field(init=False)
    choices: Choices = field(init=False)
    left_out: set[int] = field(default_factory=set)
    found: dict[Any, list[Match]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.units = units_of(self.log)
        self.all = candidates(self.log, self.own)
        self.played = Played(self.log, self.all[0].stated, self.work)
        plain, stated = self.all[0].plain.facts, self.all[0].stated.facts
        self.choices = {
            option: list(dict.fromkeys([*known, plain[option], stated[option]]))
            for option, known in known_values().items()
        }

    def judge(self, candidate: Candidate, variant: Variant) -> Verdict:
        """What a rule set makes of the log's claims, as far as the first that it does not make right."""
        compared = False
        for position, unit in enumerate(self.units):
            settled = self.settled(candidate, variant, unit, unit.payments)
            if isinstance(settled, Verdict):
                return settled
            if settled is None or not unit.compares(variant):
                continue
            compared = True
            difference = unit.difference(settled, variant)
            if difference is not None:
                return Verdict("differs", difference, hand=difference.hand, unit=position)
        return RIGHT if compared else UNCOMPARED

    def is_right(self, candidate: Candidate, variant: Variant) -> bool:
        """Whether a rule set makes every claim right, of those that can be compared."""
        compared = False
        for unit in self.units:
            settled = self.settled(candidate, variant, unit, unit.payments)
            if isinstance(settled, Verdict):
                return False
            if settled is None or not unit.compares(variant):
                continue
            compared = True
            if not unit.agrees(settled, variant):
                return False
        return compared

    def settled(
        self, candidate: Candidate, variant: Variant, unit: Unit, claimed: Claimed | None = None
    ) -> list[Outcome] | Verdict | None:
        """The money of a claim's hands; None where their course is not known, a verdict where it is another game.

        With ``claimed`` also at the first payment that is not among them.
        """
        found = []
        for number in unit.hands:
            course = self.played.course(number, variant)
            if course == "stopped":
                self.left_out.add(number)
                return None
            if isinstance(course, str):
                return Verdict("impossible", reason=course, hand=number)
            money = outcome_within(course, variant, candidate.own, claimed)
            if isinstance(money, Entry):
                differs = unit.unclaimed(money)
                return Verdict("differs", differs, hand=number, unit=self.units.index(unit))
            if money is None:
                return Verdict("impossible", reason="shape", hand=number)
            found.append(money)
        return found

    # Options -----------------------------------------------------------------------------------------

    def proposals(self, candidate: Candidate, verdict: Verdict) -> Iterator[Proposal]:
        """Options by which what the rule set first makes wrong would be right, with few changes."""
        if verdict.status != "differs" or pays_another(verdict.difference):
            return
        unit = self.units[verdict.unit]
        plain = candidate.plain
        bare = plain.with_options(BARE | ({"base": 1} if isinstance(plain.facts["base"], int) else {}))
        settled = self.settled(candidate, bare, unit)
        if not isinstance(settled, list) or not unit.mendable(
            settled, "add_fan" in self.choices["zi_mo_bonus"]
        ):
            return
        matches = self.matches(unit, bare, settled)
        facts = candidate.stated.facts
        for match in matches:
            base = facts["base"] if match.base is None else match.base
            gangs = match.gangs or [tuple(facts[option] for option in GANG_OPTIONS)]
            for options in combined(match.hands, gangs, base):
                changes = {key: value for key, value in options.items() if key not in match.untouched}
                cost = candidate.cost(changes)
                variant = plain.with_options(changes) if cost <= MOST_CHANGES else None
                if variant is not None and variant.makes_sense:
                    yield Proposal(cost, candidate, variant)

    def matches(self, unit: Unit, bare: Variant, settled: Sequence[Outcome]) -> list[Match]:
        """The settings that make a claim right, found once for all rule sets that are alike but for the options.

        ``bare`` is one of them without options of its own, ``settled`` the money of the claim's hands under it.
        """
        entries = [tuple(map(fields, one.entries)) for one in settled]
        key = (unit.hands, unit.sums is None, bare.facts["scale"], bare.facts["base"], tuple(entries))
        if key not in self.found:
            courses = [self.played.course(number, bare) for number in unit.hands]
            grid = Grid.of([one for one in courses if isinstance(one, Course)], bare, self.choices)
            self.found[key] = list(grid.matches(unit))
        return self.found[key]

    def fewest(self, verdicts: Sequence[tuple[Candidate, Verdict]]) -> list[Proposal]:
        """Of all that explains the claims with changed options, what does with the fewest changes.

        Where the work is spent, what had been found by then.
        """
        right: list[Proposal] = []
        try:
            offered = [one for candidate, verdict in verdicts for one in self.proposals(candidate, verdict)]
            offered.sort(key=lambda one: one.cost)
            for one in offered[:MOST_TRIED]:
                if right and one.cost > right[0].cost:
                    break
                if self.is_right(one.candidate, one.variant):
                    right.append(one)
        except Spent:
            pass  # `Search.work` tells of it
        return right

    def alternatives(self, candidate: Candidate, variant: Variant) -> dict[str, list[Any]]:
        """Other values of a common option that the log cannot tell from the one there is, option by option."""
        found = {}
        money = [(unit, self.settled(candidate, variant, unit)) for unit in self.units]
        known = [(unit, settled) for unit, settled in money if isinstance(settled, list)]
        for option, values in self.choices.items():
            touched = [each for each in known if self.touched(option, variant, each[0])]
            same: list[Any] = []
            for others in apart(option, values, variant.facts[option]):
                same += takewhile(partial(self.is_same, candidate, variant, touched, option), others)
            if same:
                found[option] = [value for value in values if value in same]
        return found

    def touched(self, option: str, variant: Variant, unit: Unit) -> bool:
        """Whether an option can touch the money of these hands."""
        courses = [self.played.course(number, variant) for number in unit.hands]
        return any(isinstance(course, Course) and option in course.touched for course in courses)

    def is_same(
        self,
        candidate: Candidate,
        variant: Variant,
        money: Sequence[tuple[Unit, Sequence[Outcome]]],
        option: str,
        value: Any,
    ) -> bool:
        """Whether another value leaves these claims right that are right; a cap is tried only where it cuts."""
        other = None
        if option == "cap_fan":
            if value is None and variant.facts["hua_zhu"] == "cap":
                return False
            cap = variant.facts["cap_fan"]
            money = [each for each in money if any(cut(one.fan, value, cap) for one in each[1])]
        for unit, _ in money:
            other = other or variant.with_options({option: value})
            changed = self.settled(candidate, other, unit, unit.payments)
            if not isinstance(changed, list) or not unit.agrees(changed, other):
                return False
        return True


def pays_another(difference: Finding | None) -> bool:
    """Whether somebody pays for a hand what the claim does not have him pay at all: no option makes that right."""
    if difference is None or difference.code != "SET002" or difference.params["claimed"] is not None:
        return False
    return difference.params["recomputed"]["kind"] not in GANG_MONEY


def apart(option: str, values: Sequence[Any], own: Any) -> list[list[Any]]:
    """The other values of an option in lists, in each of which nothing is the same after one that is not.

    Caps are such lists upward and downward: where one makes a difference, one farther off makes no smaller one.
    """
    others = [value for value in values if value != own]
    if option != "cap_fan":
        return [[value] for value in others]
    height = {value: MOST_FAN if value is None else value for value in values}
    others.sort(key=height.__getitem__)
    above = [value for value in others if height[value] > height[own]]
    return [above, others[: len(others) - len(above)][::-1]]


def cut(fan: int, one: Any, other: Any) -> bool:
    """Whether one of two caps leaves another number of so many fan than the other."""
    return min(fan, MOST_FAN if one is None else one) != min(fan, MOST_FAN if other is None else other)


def combined(hands: Sequence[Any], gangs: Sequence[Any], base: Any) -> Iterator[dict[str, Any]]:
    """Every setting of hands with every one of gangs, as options."""
    for hand in hands:
        for gang in gangs:
            settings = (*hand, *gang, base)
            yield dict(zip((*HAND_OPTIONS, *GANG_OPTIONS, "base"), settings, strict=True))
