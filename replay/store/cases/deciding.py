"""What an arbiter does with a case, and what its parties do about that: take, ask, answer, decide, appeal, withdraw."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import Engine, select
from sqlmodel import col

from replay.store.cases.moves import Where, appeal_until
from replay.store.cases.writing import Actor, Making, NotAllowed, TooLate, make, where
from replay.store.tables import DisputeEntry
from replay.store.tables.disputes import AMOUNT, BEHAVIOUR, LEGALITY, RECORD

MOST_EFFECTS = 12
LARGEST_AMOUNT = 10**9

RULINGS = {
    LEGALITY: ("legal", "illegal", "open"),
    AMOUNT: ("recomputed", "claimed", "other", "open"),
    RECORD: ("sound", "faulty", "open"),
    BEHAVIOUR: ("founded", "unfounded", "open"),
}
"""What can be decided of each kind of case; ``open``: what is known does not decide it."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A payment that a decision orders, beside the recomputed ledger: one seat pays another. Raises ``ValueError``."""

    source: int
    target: int
    amount: int

    def __post_init__(self) -> None:
        if self.source == self.target or not {self.source, self.target} <= set(range(4)):
            raise ValueError("a payment is between two seats")
        if not 1 <= self.amount <= LARGEST_AMOUNT:
            raise ValueError("a payment is a positive amount")

    def stated(self) -> dict[str, int]:
        """As an entry holds it."""
        return {"from": self.source, "to": self.target, "amount": self.amount}


def net(effects: Iterable[Effect]) -> tuple[int, int, int, int]:
    """What each seat wins or loses by payments; together nothing, since each is paid by one seat to another."""
    seats = [0, 0, 0, 0]
    for one in effects:
        seats[one.source] -= one.amount
        seats[one.target] += one.amount
    return seats[0], seats[1], seats[2], seats[3]


@dataclass(frozen=True, slots=True)
class Decision:
    """What an arbiter decides: the ruling beside the engine's ("" where it judges no such thing), by which clause.

    ``canned`` names wordings that every language has, ``text`` is in the arbiter's own words.
    """

    ruling: str
    engine: str
    clause: Mapping[str, str]
    text: str
    canned: str = ""
    effects: Sequence[Effect] = field(default=())

    @property
    def agrees(self) -> bool | None:
        """Whether it says what the engine says; None where the engine says nothing."""
        return self.ruling == self.engine if self.engine else None

    def stated(self) -> dict[str, Any]:
        """As an entry holds it."""
        return {
            "ruling": self.ruling,
            "engine": self.engine,
            "agrees": self.agrees,
            "clause": dict(self.clause),
            "text": self.text,
            "canned": self.canned,
            "effects": [one.stated() for one in self.effects],
        }


def take(engine: Engine, dispute_id: str, actor: Actor, stands: Where) -> str:
    """An arbiter takes a case, or its appeal where it was decided once."""
    return make(engine, dispute_id, "retaken" if stands.appealed else "taken", actor, {})


def release(engine: Engine, dispute_id: str, actor: Actor, text: str) -> str:
    """The arbiter gives it back for another to take."""
    return make(engine, dispute_id, "released", actor, {"text": text})


def ask(engine: Engine, dispute_id: str, actor: Actor, whom: Sequence[str], text: str) -> str:
    """The arbiter asks parties for more. Raises ``ValueError`` for somebody who is none."""

    def check(made: Making) -> None:
        if not whom or not set(whom) <= made.parties:
            raise ValueError("only parties can be asked")

    return make(engine, dispute_id, "asked", actor, {"whom": list(whom), "text": text}, check=check)


def answer(engine: Engine, dispute_id: str, actor: Actor, text: str) -> str:
    """A party who was asked answers; the arbiter has the case again. Raises `NotAllowed` for another."""

    def check(made: Making) -> None:
        if actor.id not in _asked(made):
            raise NotAllowed("answered")

    return make(engine, dispute_id, "answered", actor, {"text": text}, check=check)


def _asked(made: Making) -> Sequence[str]:
    """Whom the arbiter asked last."""
    chosen = select(col(DisputeEntry.payload)).where(
        col(DisputeEntry.dispute_id) == made.case.id, col(DisputeEntry.kind) == "asked"
    )
    last = chosen.order_by(col(DisputeEntry.position).desc()).limit(1)
    whom: Sequence[str] = orjson.loads(made.session.execute(last).scalar_one())["body"]["whom"]
    return whom


def decide(engine: Engine, dispute_id: str, actor: Actor, stands: Where, decision: Decision) -> str:
    """The arbiter decides; an appeal is decided for good. Raises ``ValueError`` for a ruling of another kind."""
    if not 0 <= len(decision.effects) <= MOST_EFFECTS:
        raise ValueError("too many payments")

    def check(made: Making) -> None:
        if decision.ruling not in RULINGS[made.case.kind]:
            raise ValueError(f"no ruling of a case about {made.case.kind}")
        # What was decided in one instance is not to count for the other that began meanwhile.
        if where(made.case).appealed != stands.appealed:
            raise TooLate(made.case.state)

    move = "closed" if stands.appealed else "decided"
    return make(engine, dispute_id, move, actor, decision.stated(), check=check)


def appeal(engine: Engine, dispute_id: str, actor: Actor, text: str) -> str:
    """A party appeals the first decision, while that can be done."""

    def check(made: Making) -> None:
        # Nothing can be said in a case that is decided, so it last changed when it was.
        if made.now > appeal_until(made.case.changed):
            raise TooLate(made.case.state)

    return make(engine, dispute_id, "appealed", actor, {"text": text}, check=check)


def withdraw(engine: Engine, dispute_id: str, actor: Actor, text: str) -> str:
    """Its opener takes it back before it is decided."""
    return make(engine, dispute_id, "withdrawn", actor, {"text": text})
