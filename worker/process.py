"""One worker process: what it held before is freed, then it works until it is told to stop."""

import os
import signal
from threading import Event
from typing import Any

from celery.apps.worker import install_worker_term_handler
from celery.bootsteps import StartStopStep
from celery.signals import setup_logging, worker_ready, worker_shutdown

from replay.jobs.queue import free_own
from replay.jobs.service import open_service
from replay.settings import NO_BROKER, Settings
from replay.store.upgrade import check
from worker.app import service, worker_app
from worker.loop import start_filling_in, start_sweeping, work_without_broker

SOLO = ("--pool", "solo", "--without-gossip", "--without-mingle", "--without-heartbeat")
"""The built-in broker has no fanout, and a killed child of a pool would hang the others."""


class EndsQuietly(StartStopStep):  # type: ignore[misc]
    """Ends warmly at SIGTERM, as Celery does, without the plain line that it writes among those of JSON."""

    def start(self, parent: Any) -> None:
        """Take the place of the handler that Celery has set up by now."""
        install_worker_term_handler(parent, verbose=False)


def work(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT. Raises `ForeignRevision` on a database of another version."""
    if settings.broker_url == NO_BROKER:
        without_broker(settings)
    else:
        with_broker(settings)


def without_broker(settings: Settings) -> None:
    """Sweep and work in this process alone."""
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    # Nobody rings, so a job waits no longer than it takes to be looked for.
    mine = open_service(settings.model_copy(update={"ring_seconds": 0.01}), node=settings.node_name)
    check(mine.engine)
    free_own(mine)
    start_filling_in(mine, stop)
    work_without_broker(mine, stop)


def with_broker(settings: Settings) -> None:
    """Work on what is rung through Celery, and sweep beside it."""
    mine = service(os.getpid())
    check(mine.engine)
    free_own(mine)
    stops: list[Event] = []
    connected: dict[str, Any] = {"weak": False}

    def ready(**_: Any) -> None:
        stops.append(start_sweeping(mine))
        start_filling_in(mine, stops[-1])

    def over(**_: Any) -> None:
        for stop in stops:
            stop.set()

    def as_it_is(**_: Any) -> None:
        """Leave the lines of this process as they are: Celery sets up its own unless somebody says so."""

    setup_logging.connect(as_it_is, **connected)
    worker_ready.connect(ready, **connected)
    worker_shutdown.connect(over, **connected)
    pool = SOLO if settings.embedded else ("--concurrency", str(settings.workers))
    # RabbitMQ keeps a dead worker's mailbox for a while, and lets no other of its name open it.
    name = f"{settings.node_name}.{os.getpid()}@replay"
    app = worker_app(settings)
    app.steps["worker"].add(EndsQuietly)
    app.worker_main(
        ["--quiet", "worker", "--hostname", name, "--loglevel", "WARNING", "--queues", "audit", *pool]
    )
