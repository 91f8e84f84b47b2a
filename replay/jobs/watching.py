"""Looking on while a worker audits: the lease renewed, each hand's time kept, what a worker died at set aside."""

import logging
import time
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from replay.jobs.queue import Claim, Fenced, renew
from replay.jobs.service import Service
from replay.watch import SetAside

log = logging.getLogger("replay.jobs")
HAND_SECONDS = 5.0
RENEWALS_A_LEASE = 3

Place = tuple[int, int | None]
"""A document's position and a hand's number; None for the document before its first hand."""


@dataclass(slots=True)
class Watch:
    """One job's: `replay.watch.Watch` for the document that ``begin`` named last.

    ``careful`` writes down what is begun before it is, so that the next worker knows what this one died at;
    ``aside`` is what earlier ones died at.
    """

    service: Service
    held: Claim
    careful: bool = False
    aside: frozenset[Place] = frozenset()
    document: int = 0
    hand: int | None = None
    begun: float = 0.0
    renewed: float = 0.0

    def __post_init__(self) -> None:
        self.renewed = time.monotonic()

    def begin(self, document: int) -> bool:
        """A document comes next; False when a worker has died at it before its first hand."""
        self.document, self.hand = document, None
        if (document, None) in self.aside:
            return False
        if self.careful:
            self.write_down()
        return True

    def look(self, hand: int) -> None:
        """The engine is at this hand. Raises `SetAside`, and `Fenced` when the job is no longer this worker's."""
        now = time.monotonic()
        if hand != self.hand:
            self.hand, self.begun = hand, now
            if (self.document, hand) in self.aside:
                raise SetAside("died")
            if self.careful:
                self.write_down()
        elif now - self.begun > HAND_SECONDS:
            raise SetAside("time")
        self.hold()

    def hold(self) -> None:
        """Renew the lease when a third of it is over. Raises `Fenced`."""
        now = time.monotonic()
        if now - self.renewed >= self.service.settings.lease_seconds / RENEWALS_A_LEASE:
            self.renewed = now
            renew(self.service, self.held)

    def write_down(self) -> None:
        """Commit what comes next. Raises `Fenced`."""
        self.renewed = time.monotonic()
        renew(self.service, self.held, current=self.document, current_hand=self.hand)

    def reason(self, error: Exception) -> str:
        """Why a hand is set aside; what is the service's own trouble is raised."""
        if isinstance(error, SetAside):
            log.error("document %d, hand %s was set aside: %s", self.document, self.hand, error.reason)
            return error.reason
        if isinstance(error, Fenced | SQLAlchemyError | OSError):
            raise error
        log.error("the engine failed on document %d, hand %s", self.document, self.hand, exc_info=error)
        return "error"
