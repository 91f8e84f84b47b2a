"""Doing one job: claimed, done, finished; what fails is put back with its reason, and nothing is raised."""

import logging

from replay.jobs.auditing import run_audit
from replay.jobs.queue import Fenced, claim, put_back, ring
from replay.jobs.service import Service
from replay.jobs.split import run_split
from replay.store.tables import SPLIT

log = logging.getLogger("replay.jobs")


def run(service: Service, job_id: str) -> str:
    """Do the job of this id; says what became of it: done, fenced, queued or quarantined, or none (not ours)."""
    held = claim(service, job_id)
    if held is None:
        return "none"
    try:
        if held.job.kind == SPLIT:
            for following in run_split(service, held):
                ring(service, following)
        else:
            run_audit(service, held)
    except Fenced:
        return "fenced"
    except Exception as error:
        log.exception("job %s failed", job_id)
        try:
            return put_back(service, held, f"{type(error).__name__}: {error}")
        except Fenced:
            return "fenced"
    return "done"
