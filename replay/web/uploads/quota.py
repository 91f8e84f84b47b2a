"""How much one user may have taken in: bytes kept, house rule sets too, and uploads within an hour (operations §5).

One form is one upload for the rate, whatever it carries. The rows do not hold which form they came by, only its
request id, which a client may choose: of the uploads under one id as many count as one as a form can carry, so that
an id used again gains nothing over forms that are full. Samples, and bytes that are here already, never count.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from sqlalchemy import func, select
from sqlmodel import Session, col

from replay.jobs.service import Service
from replay.limits import KIB
from replay.store.cases.saying import evidence_bytes
from replay.store.database import clock, now_ms, reading
from replay.store.houses import is_kept, sha256_of, used_by_houses
from replay.store.tables import SPLIT, Job, Upload
from replay.web.security import PARTS
from replay.web.uploads.samples import sample_digests

HOUR_MS = 3_600_000
PIECE = 256 * KIB
MOST_FILES = PARTS - 4
"""Files of one form; its other parts are text, rule set and sample."""

A_FORM = MOST_FILES + 2
"""Uploads that one form can come to: its files, its text, a sample."""


@dataclass(frozen=True, slots=True)
class Given:
    """Bytes that were sent, under a name; nothing is kept yet."""

    name: str
    stream: BinaryIO

    def pieces(self) -> Iterator[bytes]:
        """The bytes, from the first on."""
        self.stream.seek(0)
        while piece := self.stream.read(PIECE):
            yield piece

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self.stream.seek(0, 2)

    @property
    def digest(self) -> str:
        """Their SHA-256."""
        made = hashlib.sha256()
        for piece in self.pieces():
            made.update(piece)
        return made.hexdigest()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is taken in: ``rate``, possible again in so many milliseconds, at ``again``; or ``quota``."""

    why: str
    used: int = 0
    more: int = 0
    wait_ms: int = 0
    again: int = 0


def used_bytes(service: Service, owner: str) -> int:
    """How many bytes of a user are kept."""
    with reading(service.engine) as session:
        return _used(session, owner)


def _used(session: Session, owner: str) -> int:
    kept = select(func.coalesce(func.sum(col(Upload.size)), 0))
    ours = kept.where(col(Upload.owner) == owner, col(Upload.sha256).not_in(sample_digests()))
    files = evidence_bytes(session, owner)
    return int(session.execute(ours).scalar_one()) + used_by_houses(session, owner) + files


def house_refusal(service: Service, owner: str, text: str) -> Refusal | None:
    """Why a user may not keep this document of a house rule set; None where it may be kept, or is kept already.

    Documents count by their bytes, and for no rate: of their versions there is a most.
    """
    quota, more = service.settings.quota_bytes, len(text.encode())
    if not quota:
        return None
    with reading(service.engine) as session:
        used = _used(session, owner)
        full = used + more > quota and not is_kept(session, owner, sha256_of(text))
    return Refusal("quota", used=used, more=more) if full else None


def refusal(service: Service, owner: str, sent: Sequence[Given]) -> Refusal | None:
    """Why a user may not send this now; None where it may be taken in."""
    most, quota = service.settings.uploads_an_hour, service.settings.quota_bytes
    with reading(service.engine) as session:
        ends = _ends(session, owner) if most else []
        used = _used(session, owner) if quota else 0
        full = most and len(ends) >= most
        if not full and not (quota and used + sum(one.size for one in sent) > quota):
            return None
        # Reading all of it again costs time, and only now matters.
        fresh = _fresh(session, owner, sent)
        now = clock(session)
    more = sum(fresh.values())
    if full and fresh:
        again = ends[len(ends) - most]
        return Refusal("rate", wait_ms=max(again - now, 0), again=again)
    return Refusal("quota", used=used, more=more) if quota and fresh and used + more > quota else None


def _fresh(session: Session, owner: str, sent: Sequence[Given]) -> dict[str, int]:
    """What is neither here already nor a sample: size by digest."""
    sizes = {one.digest: one.size for one in sent}
    known = select(col(Upload.sha256)).where(col(Upload.owner) == owner, col(Upload.sha256).in_(list(sizes)))
    here = {*session.execute(known).scalars(), *sample_digests()}
    return {digest: size for digest, size in sizes.items() if digest not in here}


def _ends(session: Session, owner: str) -> list[int]:
    """When each upload of the last hour stops counting, the earliest first."""
    recent = (
        select(col(Job.request), col(Upload.created))
        .join(Job, (col(Job.upload_id) == col(Upload.id)) & (col(Job.kind) == SPLIT))
        .where(
            col(Upload.owner) == owner,
            col(Upload.created) > now_ms() - HOUR_MS,
            col(Upload.sha256).not_in(sample_digests()),
        )
        .order_by(col(Upload.created).desc())
    )
    times: dict[str, list[int]] = defaultdict(list)
    for request, created in session.execute(recent):
        times[request].append(created)
    return sorted(created + HOUR_MS for one in times.values() for created in one[::A_FORM])
