"""Keeping processes up: one that ends is started again, and one that does nothing while work waits is replaced."""

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread

from replay.jobs.lines import say
from replay.jobs.queue import is_stalled
from replay.jobs.service import Service

log = logging.getLogger("replay.keeper")
LOOK_SECONDS = 0.5
WATCH_SECONDS = 10.0
START_SECONDS = 60.0
"""A worker is given so long to start, however short the leases are: on a busy machine it takes a while."""

GRACE_SECONDS = 30.0
SLOWEST_RESTART = 10.0


@dataclass(slots=True)
class Kept:
    """A process that is to be there; ``node`` is a worker's name in its leases, empty for others."""

    command: Sequence[str]
    node: str = ""
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    restarts: int = 0
    not_before: float = field(default=0.0)

    def start(self) -> None:
        """Start it, in the environment of this process."""
        environ = {**os.environ, **({"REPLAY_NODE": self.node} if self.node else {})}
        # A group of its own: Ctrl-C reaches the keeper alone, and a worker dies with its children.
        # Its standard input ends with the keeper, however that ends: then it is to end as well (`end_with_keeper`).
        self.process = subprocess.Popen(  # noqa: S603
            self.command, env=environ, stdin=subprocess.PIPE, start_new_session=True
        )
        self.started = time.monotonic()

    def named(self) -> dict[str, str]:
        """What it is called in the lines of the keeper."""
        what = [word for word in self.command if not word.startswith("-")][-1]
        return {"of": what, **({"node": self.node} if self.node else {})}

    def kill(self) -> None:
        """End it at once, with what it started."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.let_go()

    def let_go(self) -> None:
        """Close what this process held of one that has ended."""
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()

    def look(self, now: float) -> None:
        """Start it again when it has ended; later each time when it ends soon after each start."""
        if self.process is not None and self.process.poll() is None:
            return
        if self.process is not None:
            brief = now - self.started < SLOWEST_RESTART
            self.restarts = self.restarts + 1 if brief else 0
            self.not_before = now + min(0.1 * 2**self.restarts, SLOWEST_RESTART) * bool(self.restarts)
            say(log, "process ended", logging.WARNING, **self.named(), status=self.process.returncode)
            self.let_go()
            self.process = None
        if now >= self.not_before:
            self.start()


def command(*words: str) -> list[str]:
    """A `replay` command in this installation's own Python, which ends with the keeper that starts it."""
    return [sys.executable, "-m", "replay", *words, "--kept"]


def end_with_keeper() -> None:
    """End this process, as SIGTERM does, when its standard input ends: nobody keeps it any more."""

    def wait() -> None:
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=wait, name="keeper", daemon=True).start()


def keep(kept: Sequence[Kept], service: Service, stop: Event) -> None:
    """Keep the processes up until told to stop, then end them."""
    watched = time.monotonic()
    while not stop.wait(LOOK_SECONDS):
        now = time.monotonic()
        for one in kept:
            one.look(now)
        if now - watched >= WATCH_SECONDS:
            watched = now
            for one in kept:
                watch(one, service, now)
    end(kept)


def watch(one: Kept, service: Service, now: float) -> None:
    """Replace a worker that has claimed nothing for a minute while work waits."""
    patience = max(START_SECONDS, service.settings.lease_seconds)
    if not one.node or one.process is None or now - one.started < patience:
        return
    if is_stalled(service, one.node):
        say(log, "worker does nothing while work waits; it is replaced", logging.ERROR, **one.named())
        one.kill()


def end(kept: Sequence[Kept]) -> None:
    """Ask every process to end, and end those that do not."""
    for one in kept:
        if one.process is not None and one.process.poll() is None:
            one.process.send_signal(signal.SIGTERM)
    last = time.monotonic() + GRACE_SECONDS
    for one in kept:
        if one.process is not None:
            with suppress(subprocess.TimeoutExpired):
                one.process.wait(max(last - time.monotonic(), 0.1))
            one.kill()
