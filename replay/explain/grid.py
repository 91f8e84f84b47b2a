"""Which common options could make a claim right, worked out in few settlements.

The cap and the bonus of a self-draw touch what hands are worth, the other options what gangs are; the base multiplies
both. So each of the two parts is settled for its own options alone, once for all rule sets that are alike in the rest,
and what the options come to together is the sum of two parts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from operator import sub
from typing import Any

from replay.events import Gang
from replay.explain.agreement import Unit
from replay.explain.course import Course
from replay.explain.settling import GANG_MONEY, MOST_FAN, Four, Outcome, fan_of, outcome
from replay.explain.variants import Variant
from replay.ledger import scores
from replay.prices import SCALES

HAND_OPTIONS = ("cap_fan", "zi_mo_bonus")
GANG_OPTIONS = ("gang_zhi", "gang_zhi_others", "transfer")
LARGEST_BASE = 1_000_000

BY_BASE = ("hua_zhu", "flee")
"""The kinds of entries that are so many bases or points, where no best price stands beside them."""

Setting = tuple[Any, ...]
Choices = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Match:
    """Settings that make the claim of some hands right, each kind by itself; ``base`` None leaves the base alone.

    ``untouched`` are options that do not matter to these hands.
    """

    hands: Sequence[Setting]
    gangs: Sequence[Setting]
    base: int | None
    untouched: Sequence[str]


@dataclass(slots=True, eq=False)
class Grid:
    """The money of some hands by common options, for rule sets that are alike in all else.

    ``family`` is one of them, with a base of 1 where a base is a number; ``fan`` the most fan that a cap could cut.
    """

    courses: Sequence[Course]
    family: Variant
    choices: Choices
    untouched: Sequence[str]
    fan: int = 0
    settled: dict[Setting, list[Outcome] | None] = field(default_factory=dict)
    hands: dict[Setting, tuple[Four, Four] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, courses: Sequence[Course], variant: Variant, choices: Choices) -> "Grid":
        """The grid of a rule set, its base 1, and those like it; only options that touch these hands have choices."""
        touched = {key for course in courses for key in course.touched}
        own = {option: (variant.facts[option],) for option in choices}
        untouched = [one for one in choices if one not in touched]
        made = cls(
            courses, variant, own | {one: choices[one] for one in choices if one in touched}, untouched
        )
        made.fan = max([one.fan for one in made.outcomes({}) or ()], default=0)
        return made

    def outcomes(self, options: Mapping[str, Any]) -> list[Outcome] | None:
        """The money of every hand with these options; None where one has none or the options do not go together."""
        variant = self.family.with_options(options)
        if not variant.makes_sense:
            return None
        found = [outcome(course, variant, False) for course in self.courses]
        settled = [one for one in found if one is not None]
        return settled if len(settled) == len(found) else None

    def matches(self, unit: Unit) -> Iterator[Match]:
        """The settings by which the hands come to what is claimed of them."""
        hands: dict[Any, list[Setting]] = self.by_part(HAND_OPTIONS, self.hand_part)
        if unit.target is None:
            for settings in hands.values():
                yield Match(settings, (), self.stated_base(unit, settings[0]), self.untouched)
            return
        gangs = self.by_part(GANG_OPTIONS, self.gang_part)
        free = isinstance(self.family.facts["base"], int)
        for (hand, sums), gang in product(hands, gangs):
            due = less(unit.target, sums)
            widest = due.index(max(due))
            count = hand[widest] + gang[widest]
            if count and due[widest] % count:
                continue
            base = solved(due, added([hand, gang]))
            if base is not None and (free or base < 2):
                yield Match(hands[hand, sums], gangs[gang], base if free and base else None, self.untouched)

    def by_part(self, options: Sequence[str], part: Any) -> dict[Any, list[Setting]]:
        """The settings of some options by what they come to."""
        found: dict[Any, list[Setting]] = {}
        for setting in self.settings(options):
            worth = part(setting)
            if worth is not None:
                found.setdefault(worth, []).append(setting)
        return found

    def settings(self, options: Sequence[str]) -> list[Setting]:
        """Every way to choose these options."""
        return list(product(*(self.choices[option] for option in options)))

    def hand_part(self, setting: Setting) -> tuple[Four, Four] | None:
        """What the hands are worth, and the sums beside that no base changes."""
        worth = self.cutting(setting[0]), setting[1]
        if worth not in self.hands:
            self.hands[worth] = self.hand_worth(*worth)
        return self.hands[worth]

    def hand_worth(self, cap: int, bonus: str) -> tuple[Four, Four] | None:
        """The same; a base more for a self-draw stands outside the cap, so it comes to the same under any."""
        if bonus != "add_base" or cap == self.uncut:
            return self.settled_hands(cap, bonus)
        plain = self.settled_hands(cap, "none")
        with_bonus, without = (self.settled_hands(self.uncut, one) for one in ("add_base", "none"))
        if plain is None or with_bonus is None or without is None:
            return None
        return added([plain[0], less(with_bonus[0], without[0])]), plain[1]

    def settled_hands(self, cap: int, bonus: str) -> tuple[Four, Four] | None:
        """The same, settled; what a cap leaves follows from the fan without settling anything anew."""
        if cap != self.uncut and bonus == "none":
            found = self.settle_once(HAND_OPTIONS, (self.uncut, bonus))
            cut = [self.cut_down(one, cap) for one in found or ()]
            if found and None not in cut:
                return added([one for one in cut if one is not None]), added(
                    [self.parts(one)[2] for one in found]
                )
        found = self.settle_once(HAND_OPTIONS, (cap, bonus))
        if found is None:
            return None
        parts = [self.parts(one) for one in found]
        return added([one[0] for one in parts]), added([one[2] for one in parts])

    def parts(self, one: Outcome) -> tuple[Four, Four, Four]:
        """The money of a hand in parts."""
        return one.parts(self.family.facts["hua_zhu"] == "fixed")

    def cut_down(self, uncut: Outcome, cap: int) -> Four | None:
        """What the hands are worth under a cap, from what they are worth without; None where fan do not tell."""
        facts = self.family.facts
        if facts["payer_gangs"] is not None or str(facts["hua_zhu"]).startswith("best"):
            return None
        points, hua_zhu = SCALES[str(facts["scale"])], facts["hua_zhu"]
        found = [0, 0, 0, 0]
        for entry in uncut.entries:
            kind, stated = entry.kind, fan_of(entry)
            if kind in GANG_MONEY and (
                entry.reverses is None or uncut.entries[entry.reverses].kind == "gang"
            ):
                continue
            if kind == "penalty" or (hua_zhu == "fixed" and kind == "hua_zhu"):
                continue
            if kind == "hu":
                fan = uncut.wins[entry.because["win"]].price.fan
            elif stated is not None:
                fan = stated
            elif kind in BY_BASE:
                fan = MOST_FAN if kind == "hua_zhu" and hua_zhu == "cap" else 0
            else:
                return None
            amount = entry.amount if fan <= cap else entry.amount * points(1, cap) // points(1, fan)
            found[entry.source] -= amount
            if entry.target is not None:
                found[entry.target] += amount
        return tuple(found)

    def gang_part(self, setting: Setting) -> Four | None:
        """What the gangs are worth; the shares of a direct gang are so many bases each."""
        direct, others, transfer = setting
        if transfer == "chain" and self.single:
            transfer = "last"
        if "gang_zhi" in self.untouched:
            return self.settled_gangs((direct, others, transfer))
        one, more = (self.settled_gangs((1, share, transfer)) for share in (0, 1))
        if one is None or more is None:
            return None
        found = self.settle_once(GANG_OPTIONS, (1, 0, transfer)) or []
        fed = added([self.of_direct_gangs(*each) for each in zip(self.courses, found, strict=True)])
        return added([one, times(fed, direct - 1), times(less(more, one), others)])

    def of_direct_gangs(self, course: Course, settled: Outcome) -> Four:
        """What the direct gangs are worth, with what was passed on and given back of it."""
        direct = {gang.at for _, gang in course.events if isinstance(gang, Gang) and gang.kind == "zhi"}
        kept = [
            one for one in settled.entries if one.kind in GANG_MONEY and one.because.get("gang") in direct
        ]
        return tuple(scores(kept))

    def settled_gangs(self, setting: Setting) -> Four | None:
        """The same, settled."""
        found = self.settle_once(GANG_OPTIONS, setting)
        return None if found is None else added([one.parts(False)[1] for one in found])

    def settle_once(self, options: Sequence[str], setting: Setting) -> list[Outcome] | None:
        """The money with a setting of these options."""
        if setting not in self.settled:
            self.settled[setting] = self.outcomes(dict(zip(options, setting, strict=True)))
        return self.settled[setting]

    def cutting(self, cap: int | None) -> int:
        """The cap, or the one that any cap is like that cuts nothing."""
        return cap if cap is not None and cap < self.fan else self.uncut

    @property
    def single(self) -> bool:
        """Whether no hu followed more than one gang, so that the last of them is all of them."""
        return all(len(win.gangs) < 2 for course in self.courses for win in course.wins)

    @property
    def uncut(self) -> int:
        """A cap that cuts nothing."""
        return MOST_FAN

    def stated_base(self, unit: Unit, setting: Setting) -> int | None:
        """The base by which the first price that is claimed would be right."""
        found = self.settle_once(HAND_OPTIONS, (self.cutting(setting[0]), *setting[1:]))
        claims = unit.hand.wins if unit.hand is not None else None
        for claim in claims or ():
            for win in found[0].wins if found else ():
                if claim.seat == win.seat and claim.price and claim.at in (None, win.at):
                    return solved([claim.price], [win.price.price]) or None
        return None


def added(vectors: Sequence[Four]) -> Four:
    """Several scores as one."""
    return vectors[0] if len(vectors) == 1 else tuple(map(sum, zip(*vectors, strict=True)))


def less(one: Sequence[int], other: Sequence[int]) -> Four:
    """The difference of two scores."""
    return tuple(map(sub, one, other))


def times(one: Sequence[int], number: int) -> Four:
    """Scores so many times over."""
    return tuple([number * each for each in one])


def solved(due: Sequence[int], units: Sequence[int]) -> int | None:
    """The base that makes so many units the amounts due: 0 where none is needed, None where none does.

    >>> solved([12, -12], [2, -2]), solved([0, 0], [0, 0]), solved([3, -3], [2, -2])
    (6, 0, None)
    """
    for amount, count in zip(due, units, strict=True):
        if count:
            base, rest = divmod(amount, count)
            if rest or not 0 < base <= LARGEST_BASE:
                return None
            return base if [base * one for one in units] == list(due) else None
    return None if any(due) else 0
