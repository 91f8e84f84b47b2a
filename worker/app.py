"""The Celery application, set up by the settings: the built-in broker, Redis, RabbitMQ, or none.

A message is a doorbell that names a job. Losing one costs time, never a job.
"""

import os
import sqlite3
from functools import cache
from typing import Any

from celery import Celery
from kombu.entity import Queue
from kombu.transport import sqlalchemy as built_in

from replay.jobs.runner import run
from replay.jobs.service import Bell, Service, open_service, silent
from replay.settings import NO_BROKER, Settings, settings_from

QUEUE = "audit"
TASK = "replay.run"
POLLING_SECONDS = 0.2

PATIENCE_SECONDS = 1
"""The bell waits no longer for a broker to answer: who uploads waits for the bell."""

ONCE_MORE = {"max_retries": 1, "interval_start": 0, "interval_step": 0.05, "interval_max": 0.1}
"""A connection may have been cut since it was used last. Without a policy a broker that refuses is tried for ever."""

COMMON: dict[str, Any] = {
    "task_ignore_result": True,
    "task_serializer": "json",
    "accept_content": ["json"],
    "task_default_queue": QUEUE,
    "task_acks_late": True,
    "task_reject_on_worker_lost": False,  # the lease recovers it; True loops on poison
    "worker_prefetch_multiplier": 1,
    "worker_cancel_long_running_tasks_on_connection_loss": True,
    "worker_hijack_root_logger": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "worker_max_tasks_per_child": 500,
    "worker_max_memory_per_child": 400_000,  # kB; prefork only, as the limits are
    "task_soft_time_limit": 60,
    "task_time_limit": 90,
    "worker_soft_shutdown_timeout": 30,
}


class Messages(sqlite3.Connection):
    """A connection to the built-in broker's file: a message may be lost with the power, for a job never is."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.execute("PRAGMA journal_mode=WAL")
        self.execute("PRAGMA synchronous=NORMAL")


def transport(settings: Settings) -> dict[str, Any]:
    """What the broker of these settings needs beside its URL."""
    url = settings.broker_url
    if url.startswith("sqla+"):
        return {
            "broker_transport_options": {"connect_args": {"timeout": 10, "factory": Messages}},
            "worker_enable_remote_control": False,
        }
    if url.startswith("redis"):
        return {
            "broker_transport_options": {
                "visibility_timeout": 600,
                "unacked_restore_interval": 10,
                "unacked_restore_throttle": 1,
                "socket_keepalive": True,
                "health_check_interval": 25,
                "global_keyprefix": "replay:",
            },
            "worker_enable_remote_control": True,  # without it and gossip a worker never comes back after Redis does
        }
    quorum = {"x-queue-type": "quorum", "x-delivery-limit": 20, "x-dead-letter-exchange": "replay.dead"}
    return {
        "broker_transport_options": {"confirm_publish": True},
        "broker_heartbeat": 60,
        "task_queues": [Queue(QUEUE, queue_arguments=quorum)],  # type: ignore[no-untyped-call]
    }


def celery_app(settings: Settings) -> Celery:
    """A Celery application for these settings."""
    app = Celery("replay")
    app.conf.update(COMMON, broker_url=settings.broker_url, **transport(settings))
    if settings.embedded:
        # The transport takes no such option.
        built_in.Transport.polling_interval = POLLING_SECONDS
    return app


def bell(settings: Settings) -> Bell:
    """Rings the workers through the broker; says nothing where there is none."""
    if settings.broker_url == NO_BROKER:
        return silent
    app = celery_app(settings)
    app.conf.broker_connection_timeout = PATIENCE_SECONDS

    def ring(job_id: str) -> None:
        app.send_task(TASK, args=[job_id], retry=True, retry_policy=ONCE_MORE)

    return ring


@cache
def service(pid: int) -> Service:
    """The service of this process: no connection is carried over a fork."""
    settings = settings_from(os.environ)
    return open_service(settings, bell(settings), node=settings.node_name)


def worker_app(settings: Settings) -> Celery:
    """The application with its one task, for the processes that do the work."""
    app = celery_app(settings)

    @app.task(name=TASK)  # type: ignore[untyped-decorator]
    def run_job(job_id: str) -> None:
        """Do a job, if it still waits."""
        run(service(os.getpid()), job_id)

    return app
