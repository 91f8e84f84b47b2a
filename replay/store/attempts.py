"""What may be tried only so often: counted in the database, so that every process knows (operations U10)."""

import hashlib
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import Engine, delete, select
from sqlmodel import col

from replay.store.database import alone, clock, writing
from replay.store.tables import Attempt

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


@dataclass(frozen=True, slots=True)
class Rate:
    """So many tries of a kind within a time."""

    kind: str
    most: int
    within_ms: int


SIGN_IN_ADDRESS = Rate("sign-in address", 10, MINUTE_MS)
SIGN_IN_ACCOUNT = Rate("sign-in account", 10, MINUTE_MS)
SIGN_UP = Rate("sign-up", 5, HOUR_MS)
PASSWORD = Rate("password", 10, MINUTE_MS)
"""Of one account that is signed in: to change it, or to close the account."""

TOKENS = Rate("tokens", 20, HOUR_MS)
EXPORT = Rate("export", 10, HOUR_MS)
PDF = Rate("pdf", 10, 10 * MINUTE_MS)
OPENED = Rate("cases opened", 30, HOUR_MS)
"""What is said in a case stays for good, so nobody opens more than would be read."""

AGAIN = Rate("audits again", 60, HOUR_MS)
"""Of uploads that are there already: each is work for all of it."""

LONGEST_MS = HOUR_MS
"""No rate looks further back: older tries are forgotten."""


def attempt(engine: Engine, *tried: tuple[Rate, str]) -> int:
    """Count a try of each rate by its value; 0 where it may go on, else the milliseconds to wait, and none is counted.

    A try that is refused is not counted, so that whoever keeps on trying locks nobody out for longer.
    """
    subjects = {_subject(rate, value): rate for rate, value in tried}
    with writing(engine) as session:
        for subject in sorted(subjects):
            alone(session, f"attempts of {subject}")
        now = clock(session)
        waits = 0
        for subject, rate in subjects.items():
            mine = select(col(Attempt.at)).where(
                col(Attempt.subject) == subject, col(Attempt.at) > now - rate.within_ms
            )
            times = list(session.execute(mine.order_by(col(Attempt.at).desc()).limit(rate.most)).scalars())
            if len(times) >= rate.most:
                waits = max(waits, times[-1] + rate.within_ms - now, 1)
        if waits:
            return waits
        session.execute(delete(Attempt).where(col(Attempt.at) < now - LONGEST_MS))
        session.add_all([Attempt(id=str(uuid4()), subject=subject, at=now) for subject in subjects])
    return 0


def _subject(rate: Rate, value: str) -> str:
    return hashlib.sha256(f"{rate.kind}\0{value}".encode("utf-8", "replace")).hexdigest()
