"""What may be done in a case: a table of moves, and who stands where in a case. Nothing here touches a database."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from replay.store.tables.disputes import (
    APPEALED,
    ASKED,
    CLOSED,
    DECIDED,
    OPEN,
    RETAKEN,
    TAKEN,
    WITHDRAWN,
)
from replay.store.tables.people import ADMIN, ARBITER

PARTY, OPENER, HOLDER, FREE, KEEPER, READER = "party", "opener", "holder", "free", "keeper", "reader"
"""What someone can be to a case: between whom it is, who opened it, the arbiter who has it now, an arbiter who may
take it, an admin who may give it to another arbiter, and who may read it beside the parties."""

APPEAL_MS = 30 * 24 * 3_600_000
"""How long a first decision may be appealed."""

FINAL = frozenset({CLOSED, WITHDRAWN})


@dataclass(frozen=True, slots=True)
class Move:
    """Something that is done in a case: by whom, and the state after it by the state before.

    ``again`` holds for the appeal, ``first`` for what comes before it.
    """

    who: frozenset[str]
    first: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)


def _speech(*who: str) -> Move:
    """Words that are added and leave the state as it is."""
    first = {state: state for state in (OPEN, TAKEN, ASKED)}
    return Move(frozenset(who), first, {state: state for state in (APPEALED, RETAKEN, ASKED)})


MOVES: Mapping[str, Move] = {
    "party": _speech(PARTY),
    "statement": _speech(PARTY, HOLDER),
    "pin": _speech(PARTY, HOLDER),
    "note": _speech(PARTY, HOLDER),
    "evidence": _speech(PARTY, HOLDER),
    "taken": Move(frozenset({FREE}), {OPEN: TAKEN}),
    "retaken": Move(frozenset({FREE}), again={APPEALED: RETAKEN}),
    "released": Move(
        frozenset({HOLDER, KEEPER}), {TAKEN: OPEN, ASKED: OPEN}, {RETAKEN: APPEALED, ASKED: APPEALED}
    ),
    "asked": Move(frozenset({HOLDER}), {TAKEN: ASKED}, {RETAKEN: ASKED}),
    "answered": Move(frozenset({PARTY}), {ASKED: TAKEN}, {ASKED: RETAKEN}),
    "decided": Move(frozenset({HOLDER}), {TAKEN: DECIDED, ASKED: DECIDED}),
    "closed": Move(frozenset({HOLDER}), again={RETAKEN: CLOSED, ASKED: CLOSED}),
    "appealed": Move(frozenset({PARTY}), {DECIDED: APPEALED}),
    "withdrawn": Move(frozenset({OPENER}), dict.fromkeys((OPEN, TAKEN, ASKED), WITHDRAWN)),
}
"""Every move but the opening. An arbiter who waits for an answer may decide without it; one who comes no more, or is
none any more, may be relieved by an admin."""

ENTRY_KINDS = ("opened", *MOVES)


@dataclass(frozen=True, slots=True)
class Where:
    """Where a case stands: its state, the arbiters of both instances, when it last changed its state."""

    state: str
    arbiter: str | None = None
    second: str | None = None

    @property
    def appealed(self) -> bool:
        """Whether it is past its first decision."""
        return self.second is not None or self.state in (APPEALED, RETAKEN, CLOSED)

    @property
    def holder(self) -> str | None:
        """The arbiter who has it now."""
        if self.state not in (TAKEN, ASKED, RETAKEN):
            return None
        return self.second if self.appealed else self.arbiter


def after(move: str, where: Where) -> str | None:
    """The state that a move leads to; None where it is not to be made from here."""
    made = MOVES[move]
    return (made.again if where.appealed else made.first).get(where.state)


def moved(move: str, where: Where, actor: str) -> Where | None:
    """Where a case stands after a move that somebody made; None where it is not to be made from here."""
    to = after(move, where)
    if to is None:
        return None
    if move == "taken":
        return replace(where, state=to, arbiter=actor)
    if move == "retaken":
        return replace(where, state=to, second=actor)
    if move == "released":
        return replace(where, state=to, **{"arbiter" if where.second is None else "second": None})
    return replace(where, state=to)


def standings(
    where: Where, account: str, role: str, opener: str, parties: Collection[str], owner: str
) -> frozenset[str]:
    """What someone is to a case. Nobody decides his own: no party, not the owner of the report, and none twice.

    ``owner`` is who owns the report that the case is about.
    """
    found = set()
    if account in parties:
        found.add(PARTY)
    if account == opener:
        found.add(OPENER)
    concerned = account in parties or account == owner
    if role == ARBITER and not concerned:
        # An account that is an arbiter no more has lost what it held.
        if account == where.holder:
            found.add(HOLDER)
        elif not (where.appealed and account == where.arbiter):
            found.add(FREE)
    if role == ADMIN and not concerned:
        found.add(KEEPER)
    if role in (ARBITER, ADMIN) or account == owner:
        found.add(READER)
    return frozenset(found)


def may(move: str, where: Where, standing: Collection[str]) -> bool:
    """Whether someone of this standing can make a move from here."""
    return after(move, where) is not None and not MOVES[move].who.isdisjoint(standing)


def appeal_until(decided_at: int) -> int:
    """When a first decision becomes final."""
    return decided_at + APPEAL_MS
