"""The registry of mutations: a legal log is changed so that one named rule is broken, at a known place.

A mutation of actions looks at the table before each action and yields changes; one of whole logs yields broken logs.
What is expected follows from the model of `mutations_table`, never from the engine.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from replay.profile import RuleProfile, load_profile

from .generator import Action, Document
from .mutations_table import Scene, scenes

Codes = frozenset[str]
Place = tuple[str, int | None, int | None, int | None]
"""Code, hand, action and seat of a finding."""

After = Literal["go", "stop", "ignore"]
"""The hand goes on changed, is audited no further, or goes on as if nothing had been (formats §5)."""

WRECKED: Codes = frozenset(
    {
        "ACT001", "ACT002", "ACT003", "ACT004", "ACT005", "ACT006", "ACT007", "ACT008", "ACT012", "ACT013",
        "ACT015", "ACT016", "ACT017", "ACT020", "ACT021", "ACT022", "ACT023", "ACT026", "ACT027",
        "ACT030", "ACT031", "HND001", "HND002", "HND003", "HND004",
    }
)  # fmt: skip
"""What the rest of a hand may earn, whose seats hold other tiles or play in another order than it was written for."""

AT_A_CUT: Codes = frozenset({"HND002", "ACT030", "HND001", "HND004"})
"""What a log may earn where it stops: no end, a tile that nobody claimed or declined; or an end with another dealer."""


@dataclass(frozen=True, slots=True)
class Change:
    """``actions`` in place of those from ``at`` to ``until``; the finding stands at ``place`` with ``seat``.

    ``beside`` may stand at the same action; ``also`` are further findings (code, action, seat) that must be there.
    """

    at: int
    until: int
    actions: tuple[Action, ...]
    place: int | None
    seat: int | None
    beside: Codes = frozenset()
    also: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken log; ``then`` may follow after the place, ``at_end`` at the count of the hand's actions.

    ``stopped`` is whether the hand is audited no further, ``kept`` whether its scores are those of the legal log.
    """

    log: Document | bytes
    place: Place
    beside: Codes = frozenset()
    also: tuple[Place, ...] = ()
    then: Codes = frozenset()
    at_end: Codes = frozenset()
    stopped: bool = False
    kept: bool = False
    params: dict[str, Any] = field(default_factory=dict)


OfActions = Callable[[Scene], Iterator[Change]]
OfLogs = Callable[[Document], Iterator[Broken]]


@dataclass(frozen=True, slots=True)
class Mutation:
    """A named way to break one rule; ``clause`` states the rule."""

    name: str
    code: str
    clause: str
    after: After
    then: Codes
    changes: OfActions | None = None
    logs: OfLogs | None = None
    records: OfLogs | None = None


REGISTRY: dict[str, Mutation] = {}


def enter(mutation: Mutation) -> None:
    """Put it on the list; every name once."""
    assert mutation.name not in REGISTRY
    assert mutation.clause
    REGISTRY[mutation.name] = mutation


def mutation(code: str, after: After = "go", then: Codes | None = None) -> Callable[[OfActions], OfActions]:
    """A mutation of a hand's actions; ``then`` is what may come later, by default what a wrecked hand may."""

    def register(function: OfActions) -> OfActions:
        later = then if then is not None else WRECKED if after == "go" else frozenset()
        enter(Mutation(function.__name__, code, function.__doc__ or "", after, later, changes=function))
        return function

    return register


def of_logs(code: str) -> Callable[[OfLogs], OfLogs]:
    """A mutation of a whole log, which says itself what is expected."""

    def register(function: OfLogs) -> OfLogs:
        enter(Mutation(function.__name__, code, function.__doc__ or "", "ignore", frozenset(), logs=function))
        return function

    return register


def of_records(code: str) -> Callable[[OfLogs], OfLogs]:
    """A mutation of another program's record."""

    def register(function: OfLogs) -> OfLogs:
        name, clause = function.__name__, function.__doc__ or ""
        enter(Mutation(name, code, clause, "ignore", frozenset(), records=function))
        return function

    return register


@dataclass(frozen=True, slots=True)
class Case:
    """A mutation that applies to a log at one place."""

    mutation: Mutation
    log: Document
    hand: int = -1
    change: Change | None = None
    whole: Broken | None = None

    def broken(self) -> Iterator[Broken]:
        """The broken logs: with the rest of the hand as it was, and cut short where the hand goes on changed."""
        if self.change is None:
            assert self.whole is not None
            yield self.whole
            return
        change, code, hand = self.change, self.mutation.code, self.hand
        actions = self.log["hands"][hand]["actions"]
        after = self.mutation.after
        place = (code, hand, change.place, change.seat)
        also = tuple((other, hand, at, seat) for other, at, seat in change.also)
        start = [*actions[: change.at], *change.actions]
        yield Broken(
            with_actions(self.log, hand, [*start, *actions[change.until :]]),
            place,
            change.beside,
            also,
            then=self.mutation.then,
            stopped=after == "stop",
            kept=after == "ignore",
        )
        if after == "go" and change.until < len(actions):
            cut = with_actions(self.log, hand, start)
            yield Broken(cut, place, change.beside, also, at_end=AT_A_CUT)


def with_actions(log: Document, hand: int, actions: list[Action]) -> Document:
    """The log with other actions in one hand."""
    return with_hand(log, hand, {**log["hands"][hand], "actions": actions})


def with_hand(log: Document, number: int, hand: Document) -> Document:
    """The log with another hand in one place."""
    return {**log, "hands": [*log["hands"][:number], hand, *log["hands"][number + 1 :]]}


def rules_of(log: Document) -> RuleProfile:
    """The rule set of a log, with its options."""
    return load_profile(log["rules"]["profile"], log["rules"].get("options"))


def cases(log: Document, wanted: Collection[str] = REGISTRY) -> dict[str, list[Case]]:
    """The wanted mutations that apply to a legal log, each with every place that it finds there."""
    found: dict[str, list[Case]] = {}
    rules = rules_of(log)
    mutations = [REGISTRY[name] for name in wanted]
    steps = [(each, each.changes) for each in mutations if each.changes is not None]
    for number in range(len(log["hands"]) if steps else 0):
        for scene in scenes(rules, log, number):
            for each, changes in steps:
                for change in changes(scene):
                    found.setdefault(each.name, []).append(Case(each, log, number, change))
    for each in mutations:
        for whole in each.logs(log) if each.logs is not None else ():
            found.setdefault(each.name, []).append(Case(each, log, whole=whole))
    return found


# Writing changes down --------------------------------------------------------------------------------


def instead(scene: Scene, kind: str, seat: int, /, *beside: str, **more: Any) -> Change:
    """An action in place of the next one, judged where it stands."""
    action = {"type": kind, "seat": seat, **more}
    return Change(scene.at, scene.at + 1, (action,), scene.at, seat, frozenset(beside))


def before(scene: Scene, kind: str, seat: int, /, *beside: str, **more: Any) -> Change:
    """An action put before the next one, judged where it stands."""
    action = {"type": kind, "seat": seat, **more}
    return Change(scene.at, scene.at, (action,), scene.at, seat, frozenset(beside))
