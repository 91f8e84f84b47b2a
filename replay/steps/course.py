"""The course of a whole hand: at each step who has a choice, what happened there, and how the scores stand."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from replay.steps.frames import Offer
from replay.steps.seats import offers
from replay.steps.walk import HandSteps, Play

CHOICES = frozenset({"hu", "peng", "gang", "own_hu", "own_gang", "replace", "ting", "swap", "void", "piao"})
"""Offers that leave a seat a choice; to draw is none, and who may always leave has nothing new to decide by it."""

CLAIMS = ("hu", "peng", "gang")
"""What is done with the tile of another."""


class Stand(Struct, frozen=True):
    """A step of the course.

    ``deciding`` are the seats whose choice arises here, ``claimants`` those that may take the tile that lies there.
    ``event`` is ``win`` or ``claim`` where the action that led here was a hu or took a tile, else "".
    """

    step: int
    deciding: tuple[int, ...]
    claimants: tuple[int, ...]
    event: str
    seat: int | None
    scores: tuple[int, ...]


class Course(Struct, frozen=True):
    """Every step of a hand, from 0 to its last."""

    stands: tuple[Stand, ...]

    def decisions(self, seats: Sequence[int]) -> tuple[int, ...]:
        """The steps at which a choice of one of these seats arises."""
        return tuple(stand.step for stand in self.stands if set(seats) & set(stand.deciding))


def course_of(walk: HandSteps) -> Course:
    """The course of a hand, played once."""
    return Course(tuple(_stands(walk)))


def is_choice(offer: Offer) -> bool:
    """Whether an offer leaves its seat a choice: what 过水 bars or was passed does not, nor a bound discard."""
    if offer.state not in ("open", "must"):
        return False
    return offer.what in CHOICES or (offer.what == "discard" and offer.tile is None)


def _stands(walk: HandSteps) -> Iterator[Stand]:
    play = Play(walk)
    before: list[set[Offer]] = [set(), set(), set(), set()]
    yield _stand(play, before)
    while play.may_go_on():
        play.advance()
        yield _stand(play, before)


def _stand(play: Play, before: list[set[Offer]]) -> Stand:
    """The step that is played; ``before`` are the choices of the step before it, and then those of this one."""
    table, step = play.table, play.done
    now = [set() if play.beyond else set(filter(is_choice, offers(table, seat))) for seat in table.seats]
    deciding = tuple(number for number in range(4) if now[number] - before[number])
    before[:] = now
    final = play.of.audited.scores if step == play.of.last else None
    action: Any = play.of.hand.actions[step - 1] if step else None
    return Stand(
        step=step,
        deciding=deciding,
        claimants=tuple(number for number in range(4) if any(one.what in CLAIMS for one in now[number])),
        event=_event(play, action),
        seat=None if action is None else action.seat,
        scores=tuple(play.audited.book.scores() if final is None else final),
    )


def _event(play: Play, action: Any) -> str:
    """Whether the action that led here was a hu, or took the discard of another."""
    if action is None or play.beyond == "unknown":
        return ""
    if any(win.at == play.done - 1 for win in play.table.wins):
        return "win"
    taken = any(claim.at == play.done - 1 for claims in play.taken.values() for claim in claims)
    return "claim" if taken else ""
