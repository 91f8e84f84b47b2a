"""The queue: rows that are claimed for a time, renewed, and finished by whoever holds the newest claim.

Nothing is lost by a worker that dies: its lease runs out and a sweep rings the job again. Nothing is counted twice:
a claim raises the fence, and a finish below the fence is refused.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, delete, func, or_, select, update
from sqlmodel import Session, col

from replay.jobs.service import Service, silent
from replay.store.database import clock, insert, now_ms, reading, writing
from replay.store.tables import DONE, QUARANTINED, QUEUED, RUNNING, Heartbeat, Job

MOST_ATTEMPTS = 5
SWEEP_ROWS = 500
FORGOTTEN_MS = 24 * 3_600_000
NOWHERE = {"current": None, "current_hand": None}


class Fenced(Exception):
    """Another worker has claimed the job since: what this one did must not be kept."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A job in hand: only while ``fence`` is the newest may it be finished."""

    job: Job
    fence: int


def claim(service: Service, job_id: str) -> Claim | None:
    """Take the job for one lease; None when it is done, or another has it.

    A lease that lies further ahead than two leases was set by a clock that is wrong, and counts as run out.
    """
    lease = service.settings.lease_seconds * 1000
    now = now_ms()
    free = or_(
        col(Job.state) == QUEUED,
        and_(
            col(Job.state) == RUNNING, or_(col(Job.lease_until) < now, col(Job.lease_until) > now + 2 * lease)
        ),
    )
    with writing(service.engine) as session:
        job = session.execute(
            update(Job)
            .where(col(Job.id) == job_id, free)
            .values(
                state=RUNNING,
                attempts=col(Job.attempts) + 1,
                fence=col(Job.fence) + 1,
                lease_until=now + lease,
                node=service.node,
            )
            .returning(Job)
            .execution_options(synchronize_session=False)
        ).scalar_one_or_none()
        return None if job is None else Claim(job, job.fence)


def renew(service: Service, held: Claim, **also: Any) -> None:
    """Hold the job for another lease. Raises `Fenced` when it is no longer this worker's."""
    with writing(service.engine) as session:
        hold(service, session, held, **also)


def hold(service: Service, session: Session, held: Claim, **also: Any) -> None:
    """The same in a transaction that writes more."""
    lease = service.settings.lease_seconds * 1000
    _update(session, held, lease_until=now_ms() + lease, **also)


def finish(session: Session, held: Claim) -> None:
    """Mark the job done, in the transaction that writes what it came to. Raises `Fenced`."""
    _update(session, held, state=DONE, problem="", **NOWHERE)


def put_back(service: Service, held: Claim, problem: str, counts: bool = True) -> str:
    """Give the job up after a failure: it waits again, or is quarantined after too many tries; returns its state.

    A try that failed for what is no fault of the job's (``counts`` False: a full disk) is not counted.
    """
    tried = held.job.attempts
    state = QUARANTINED if counts and tried >= MOST_ATTEMPTS else QUEUED
    with writing(service.engine) as session:
        attempts = tried if counts else tried - 1
        _update(session, held, state=state, attempts=attempts, problem=problem[:512], **NOWHERE)
    return state


def _update(session: Session, held: Claim, **values: Any) -> None:
    mine = update(Job).where(
        col(Job.id) == held.job.id, col(Job.fence) == held.fence, col(Job.state) == RUNNING
    )
    result: Any = session.execute(mine.values(**values).execution_options(synchronize_session=False))
    if result.rowcount != 1:
        raise Fenced(held.job.id)


def sweep(service: Service, queued: bool = True) -> list[str]:
    """Ring the jobs that nobody has rung for a while, and those whose worker fell silent; returns their ids.

    ``queued`` False leaves out the first: their messages are known to wait still.

    It leaves a sign that this worker has looked. A job that was tried too often is quarantined instead, for a
    person to look at.
    """
    lease = service.settings.lease_seconds * 1000
    late = int(service.settings.ring_seconds * 1000)
    now = now_ms()
    abandoned = and_(
        col(Job.state) == RUNNING, or_(col(Job.lease_until) < now, col(Job.lease_until) > now + 2 * lease)
    )
    unheard = and_(col(Job.state) == QUEUED, col(Job.rung) < now - late)
    with writing(service.engine) as session:
        beat(session, service.node)
        session.execute(
            update(Job)
            .where(or_(abandoned, col(Job.state) == QUEUED), col(Job.attempts) >= MOST_ATTEMPTS)
            .values(state=QUARANTINED, problem="the worker died each time")
            .execution_options(synchronize_session=False)
        )
        due = (
            select(col(Job.id))
            .where(or_(abandoned, unheard) if queued else abandoned)
            .order_by(col(Job.rung))
            .limit(SWEEP_ROWS)
        )
        ids = list(session.execute(due.with_for_update(skip_locked=True)).scalars())
        session.execute(
            update(Job)
            .where(col(Job.id).in_(ids))
            .values(rung=now)
            .execution_options(synchronize_session=False)
        )
    for job_id in ids:
        ring(service, job_id)
    return ids


def beat(session: Session, node: str) -> None:
    """Write down that a worker of this name is there; those long silent are forgotten."""
    now = clock(session)
    sign = insert(session, Heartbeat).values(node=node, at=now)
    session.execute(sign.on_conflict_do_update(index_elements=["node"], set_={"at": now}))
    session.execute(delete(Heartbeat).where(col(Heartbeat.at) < now - FORGOTTEN_MS))


def ring(service: Service, job_id: str) -> bool:
    """Ring the bell; a broker that is down only costs time."""
    try:
        service.ring(job_id)
    except Exception:
        service.deaf = True
        return False
    service.deaf = False
    return True


def rung_at(service: Service, now: int) -> int:
    """When a new job counts as rung: now, as it is about to be; never where nobody can be rung, so that a sweep comes."""
    return 0 if service.deaf or service.ring is silent else now


def free_own(service: Service) -> int:
    """Let go what an earlier process of this node still holds; returns how many jobs that were."""
    with writing(service.engine) as session:
        result: Any = session.execute(
            update(Job)
            .where(col(Job.state) == RUNNING, col(Job.node) == service.node)
            .values(state=QUEUED, rung=0)
            .execution_options(synchronize_session=False)
        )
        return int(result.rowcount)


def waiting(service: Service) -> int:
    """How many jobs are not finished."""
    with reading(service.engine) as session:
        left = select(func.count()).select_from(Job).where(col(Job.state).in_((QUEUED, RUNNING)))
        return int(session.execute(left).scalar_one())


def unfinished(service: Service) -> list[Job]:
    """Every job that is not done, the oldest first."""
    with reading(service.engine) as session:
        left = select(Job).where(col(Job.state) != DONE).order_by(col(Job.created))
        found = list(session.execute(left).scalars())
        session.expunge_all()
        return found


def is_stalled(service: Service, node: str) -> bool:
    """Whether this node holds a job that it no longer renews, or claims none while one has waited for a lease."""
    lease = service.settings.lease_seconds * 1000
    with reading(service.engine) as session:
        now = clock(session)
        waits = select(col(Job.id)).where(col(Job.state) == QUEUED, col(Job.created) < now - lease)
        alive = select(col(Job.id)).where(col(Job.node) == node, col(Job.lease_until) > now)
        silent = select(col(Job.id)).where(
            col(Job.node) == node, col(Job.state) == RUNNING, col(Job.lease_until) < now
        )
        if session.execute(silent.limit(1)).first() is not None:
            return True
        waits_long = session.execute(waits.limit(1)).first() is not None
        return waits_long and session.execute(alive.limit(1)).first() is None


def retry(service: Service, job_id: str) -> bool:
    """Give a quarantined job another round of tries."""
    with writing(service.engine) as session:
        result: Any = session.execute(
            update(Job)
            .where(col(Job.id) == job_id, col(Job.state) == QUARANTINED)
            .values(state=QUEUED, attempts=0, rung=0, aside="[]", problem="", **NOWHERE)
            .execution_options(synchronize_session=False)
        )
        return bool(result.rowcount)
