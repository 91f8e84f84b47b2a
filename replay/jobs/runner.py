"""Doing one job: claimed, done, finished; what fails is put back with its reason, and nothing is raised."""

import errno
import logging
import time

from sqlalchemy.exc import OperationalError

from replay.jobs.auditing import run_audit
from replay.jobs.lines import say
from replay.jobs.queue import Claim, Fenced, claim, put_back, ring
from replay.jobs.service import Service
from replay.jobs.split import run_split
from replay.store.tables import SPLIT

log = logging.getLogger("replay.jobs")
OUR_TROUBLE = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.EACCES,
    }
)
"""The disk, or this process, has nothing left; it passes, and the job waits."""


def run(service: Service, job_id: str) -> str:
    """Do the job of this id; says what became of it: done, fenced, queued, quarantined or left, or none (not ours)."""
    try:
        held = claim(service, job_id)
    except OperationalError:
        log.exception("job %s could not be claimed", job_id)
        return "left"
    if held is None:
        return "none"
    begun, job = time.monotonic(), held.job
    became = do(service, held)
    say(
        log,
        "job",
        job=job.id,
        kind=job.kind,
        request_id=job.request,
        attempts=job.attempts,
        outcome=became,
        ms=round((time.monotonic() - begun) * 1000),
    )
    return became


def do(service: Service, held: Claim) -> str:
    """Do a claimed job; says what became of it."""
    try:
        if held.job.kind == SPLIT:
            for following in run_split(service, held):
                ring(service, following)
        else:
            run_audit(service, held)
    except Fenced:
        return "fenced"
    except Exception as error:
        log.exception("job %s failed", held.job.id)
        return give_up(service, held, error)
    return "done"


def give_up(service: Service, held: Claim, error: Exception) -> str:
    """Put a job back after a failure; a place without room or a database that is away is not the job's fault."""
    ours = isinstance(error, OperationalError) or (isinstance(error, OSError) and error.errno in OUR_TROUBLE)
    try:
        return put_back(service, held, f"{type(error).__name__}: {error}", counts=not ours)
    except Fenced:
        return "fenced"
    except OperationalError:
        # It cannot even be written down: the lease runs out, and a sweep finds the job.
        log.exception("job %s could not be put back", held.job.id)
        return "left"
