"""Working without a broker, and the sweep that keeps every worker honest."""

import logging
import random
import sqlite3
from contextlib import closing
from threading import Event, Thread

from replay.jobs.checkpointing import keep_checkpoints
from replay.jobs.queue import sweep
from replay.jobs.runner import run
from replay.jobs.service import Service
from replay.store.played import reindex

log = logging.getLogger("replay.worker")
IDLE_SECONDS = 0.2
PUT_BACK = frozenset({"none", "queued", "left"})
"""What becomes of a job that nothing was done for."""

BREATH_SECONDS = 0.05
"""Between two pieces of what an older version left to be filled in, audits go on."""

SPREAD = 0.3
"""Sweeps of several workers drift apart by so much of their interval."""


def keep_sweeping(service: Service, stop: Event) -> None:
    """Sweep until told to stop; a sweep that fails is tried again."""
    chance = random.Random()  # noqa: S311 - it spreads load, nothing rests on it
    while not stop.is_set():
        try:
            if service.settings.embedded:
                sweep(service, queued=not forget_heard(service.settings.broker_url))
            else:
                sweep(service)
        except Exception:
            log.exception("a sweep failed")
        keep_checkpoints(service)
        stop.wait(service.settings.sweep_seconds * chance.uniform(1 - SPREAD, 1 + SPREAD))


def forget_heard(broker_url: str) -> bool:
    """Delete the messages that were read, which the built-in broker keeps for ever; whether any still waits."""
    path = broker_url.partition("///")[2]
    with closing(sqlite3.connect(path, timeout=10)) as broker, broker:
        if broker.execute("SELECT 1 FROM sqlite_master WHERE name = 'kombu_message'").fetchone() is None:
            return False
        broker.execute("DELETE FROM kombu_message WHERE visible = 0")
        return broker.execute("SELECT 1 FROM kombu_message LIMIT 1").fetchone() is not None


def start_sweeping(service: Service) -> Event:
    """Sweep in a thread of its own; setting the event ends it."""
    stop = Event()
    Thread(target=keep_sweeping, args=(service, stop), name="sweeper", daemon=True).start()
    return stop


def fill_in(service: Service, stop: Event) -> None:
    """Fill in what reports of an older version are searched by, until none lacks it; what fails is tried again."""
    while not stop.is_set():
        pause = BREATH_SECONDS
        try:
            if not reindex(service.engine, service.blobs, service.limits):
                return
        except Exception:
            log.exception("filling in failed")
            pause = service.settings.sweep_seconds
        stop.wait(pause)


def start_filling_in(service: Service, stop: Event) -> None:
    """Fill in, in a thread of its own."""
    Thread(target=fill_in, args=(service, stop), name="filler", daemon=True).start()


def work_without_broker(service: Service, stop: Event) -> None:
    """Do every job that a sweep finds, until told to stop."""
    while not stop.is_set():
        try:
            due = sweep(service)
        except Exception:
            log.exception("a sweep failed")
            due = []
        keep_checkpoints(service)
        idle = True
        for job_id in due:
            idle &= run(service, job_id) in PUT_BACK
            if stop.is_set():
                return
        if idle:
            stop.wait(IDLE_SECONDS)
