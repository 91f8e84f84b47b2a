"""Working without a broker, and the sweep that keeps every worker honest."""

import logging
import random
import sqlite3
from contextlib import closing
from threading import Event, Thread

from replay.jobs.queue import sweep
from replay.jobs.runner import run
from replay.jobs.service import Service

log = logging.getLogger("replay.worker")
IDLE_SECONDS = 0.2
SPREAD = 0.3
"""Sweeps of several workers drift apart by so much of their interval."""


def keep_sweeping(service: Service, stop: Event) -> None:
    """Sweep until told to stop; a sweep that fails is tried again."""
    chance = random.Random()  # noqa: S311 - it spreads load, nothing rests on it
    while not stop.is_set():
        try:
            sweep(service)
            if service.settings.embedded:
                forget_heard(service.settings.broker_url)
        except Exception:
            log.exception("a sweep failed")
        stop.wait(service.settings.sweep_seconds * chance.uniform(1 - SPREAD, 1 + SPREAD))


def forget_heard(broker_url: str) -> None:
    """Delete the messages that were read: the built-in broker keeps every one, for ever."""
    path = broker_url.partition("///")[2]
    with closing(sqlite3.connect(path, timeout=10)) as broker, broker:
        broker.execute("DELETE FROM kombu_message WHERE visible = 0")


def start_sweeping(service: Service) -> Event:
    """Sweep in a thread of its own; setting the event ends it."""
    stop = Event()
    Thread(target=keep_sweeping, args=(service, stop), name="sweeper", daemon=True).start()
    return stop


def work_without_broker(service: Service, stop: Event) -> None:
    """Do every job that a sweep finds, until told to stop."""
    while not stop.is_set():
        try:
            due = sweep(service)
        except Exception:
            log.exception("a sweep failed")
            due = []
        for job_id in due:
            run(service, job_id)
            if stop.is_set():
                return
        if not due:
            stop.wait(IDLE_SECONDS)
