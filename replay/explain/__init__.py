"""Which rule sets explain what a log claims: its money under each of them, and under the common options.

The course of the game is played once, under the rule set that the log names; then only money is made anew, and of it
only what a rule set or an option touches. Whether the actions were legal is left out: 过水 and the forced last tiles
decide what may be done, not what it pays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from replay.explain.search import Candidate, Proposal, Search, Verdict
from replay.explain.variants import OPTIONS, Spent, Variant, Work
from replay.findings import Finding
from replay.log import Log
from replay.profile import RuleProfile
from replay.report import finding_dict

FORMAT = "xuezhan-explanation/1"

LEFT_OUT = ("guo_shui", "forced_last")
"""Common options that decide what is legal; no claim about money can tell them apart."""


class Explanation(Struct, frozen=True):
    """A rule set beside the claim. ``options`` are its values that are not the rule set's own.

    ``status`` is right, differs, impossible or uncompared; ``same`` are other values of single options that the log
    cannot tell apart; ``changes`` counts the options that neither the rule set nor the log states.
    """

    profile: str
    own: bool
    options: Mapping[str, Any]
    changes: int
    status: str
    difference: Finding | None
    reason: str
    hand: int | None
    same: Mapping[str, Sequence[Any]]
    rules: RuleProfile

    def to_dict(self) -> dict[str, Any]:
        """The explanation as data."""
        difference = self.difference
        return {
            "profile": self.profile,
            "own": self.own,
            "options": dict(self.options),
            "changes": self.changes,
            "status": self.status,
            "difference": None if difference is None else finding_dict(difference, self.rules),
            "reason": self.reason or None,
            "hand": self.hand,
            "same": {option: list(values) for option, values in self.same.items()},
        }


@dataclass(frozen=True, slots=True)
class Explained:
    """What explains a log's claims: ``right`` are those that do, ``others`` those that do not as they stand.

    Of all that do, they are those with the fewest changed options, and with as few as it needs the rule set that the
    log names. The fewest changes come first, then that rule set. ``claims`` is what is claimed; ``left_out`` the hands
    whose course is not known, ``lacks`` what the record does not hold. ``untried`` are rule sets that the search did not
    come to before its work was spent, ``cut`` tells that it was.
    """

    log_id: str
    stated: str
    claims: Sequence[str]
    left_out: Sequence[int]
    lacks: Sequence[str]
    right: Sequence[Explanation]
    others: Sequence[Explanation]
    untried: Sequence[RuleProfile] = ()
    cut: bool = False

    @property
    def claimed(self) -> bool:
        """Whether there is a claim that can be compared."""
        compared = any(one.status in ("differs", "impossible") for one in self.others)
        return bool(self.right) or bool(self.untried) or compared

    def to_dict(self) -> dict[str, Any]:
        """The whole as data; `LEFT_OUT` says what no such search can decide."""
        return {
            "format": FORMAT,
            "log": self.log_id,
            "stated": self.stated,
            "claims": list(self.claims),
            "hands_left_out": list(self.left_out),
            "lacks": list(self.lacks),
            "not_judged": ["legality", *LEFT_OUT],
            "tried": list(OPTIONS),
            "untried": [one.id for one in self.untried],
            "cut": self.cut,
            "right": [one.to_dict() for one in self.right],
            "others": [one.to_dict() for one in self.others],
        }


def explain(log: Log, own: RuleProfile, most: int | None = None) -> Explained:
    """Which rule sets and common options explain what a valid log claims; ``own`` is the rule set that it names.

    First every rule set as it stands, with and without the common options that the log states; where none is right,
    the fewest further options that make one right. Where the log's own is not among these, the fewest that make it
    right. The search ends where it has done ``most`` (`Work`); None lets it go on to the end.
    """
    search = Search(log, own, Work(most))
    judged, right = as_they_stand(search)
    right = right or search.fewest(judged)
    if not any(one.candidate.own for one in right):
        right += search.fewest([each for each in judged if each[0].own])
    explained = {one.candidate for one in right}
    shown = [explanation(search, one) for one in sorted(right, key=by_rank)]
    return Explained(
        log.id,
        own.id,
        list(dict.fromkeys(name for unit in search.units for name in unit.claims)),
        sorted(search.left_out),
        sorted(log.lacks or ()),
        shown,
        [
            stated(candidate, candidate.tried()[0], verdict, 0, {})
            for candidate, verdict in judged
            if candidate not in explained
        ],
        [one.plain.plain for one in search.all[len(judged) :]] if search.units else [],
        search.work.stopped,
    )


def as_they_stand(search: Search) -> tuple[list[tuple[Candidate, Verdict]], list[Proposal]]:
    """What every rule set makes of the claims as it stands, as far as the work reaches, and those that are right."""
    judged: list[tuple[Candidate, Verdict]] = []
    right: list[Proposal] = []
    try:
        for candidate in search.all if search.units else ():
            shown, beside = candidate.tried()
            verdict = search.judge(candidate, shown)
            if verdict.status == "right":
                right.append(Proposal(0, candidate, shown))
            elif beside is not None and search.is_right(candidate, beside):
                right.append(Proposal(0, candidate, beside))
            judged.append((candidate, verdict))
    except Spent:
        pass  # those not judged are told as untried
    return judged, right


def by_rank(one: Proposal) -> tuple[int, bool, int]:
    """The fewest changes first, then the log's own rule set, then the fewest options."""
    return one.cost, not one.candidate.own, len(one.variant.options)


def explanation(search: Search, one: Proposal) -> Explanation:
    """A rule set that makes the claims right."""
    try:
        same = search.alternatives(one.candidate, one.variant)
    except Spent:
        same = {}
    return stated(one.candidate, one.variant, Verdict("right"), one.cost, same)


def stated(
    candidate: Candidate, variant: Variant, verdict: Verdict, changes: int, same: Mapping[str, Sequence[Any]]
) -> Explanation:
    """A rule set with what became of it."""
    return Explanation(
        candidate.id,
        candidate.own,
        {**candidate.kept, **variant.options},
        changes,
        verdict.status,
        verdict.difference,
        verdict.reason,
        verdict.hand,
        same,
        variant.plain,
    )


__all__ = ["Explained", "Explanation", "explain"]
