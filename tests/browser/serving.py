"""The service as `replay serve` runs it, for a browser to look at."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

READY_SECONDS = 60.0
END_SECONDS = 35.0
"""Operations T23: what SIGTERM may take."""


@dataclass(frozen=True, slots=True)
class Served:
    """A running service: its address, the first hand of its sample, its process and what it writes."""

    url: str
    hand: str
    process: subprocess.Popen[bytes]
    said: Path

    def workers(self) -> list[int]:
        """The worker processes."""
        return [pid for pid in children(self.process.pid) if "worker" in command_of(pid)]

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing is audited meanwhile."""
        assert self.workers()
        self.signal(signal.SIGSTOP)
        # One that was stopped while it wrote would keep the pages waiting for the database.
        while not all(is_free(self.said.parent / "data" / name) for name in ("replay.db", "broker.db")):
            self.signal(signal.SIGCONT)
            time.sleep(0.05)
            self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to every worker."""
        for pid in self.workers():
            os.kill(pid, number)
            while number == signal.SIGSTOP and state_of(pid) != "T":
                time.sleep(0.01)


def is_free(database: Path) -> bool:
    """Whether nobody is writing to an SQLite database."""
    with closing(sqlite3.connect(database, timeout=0.2, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
    return True


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for thread in threads for child in thread.read_text().split()]


def command_of(pid: int) -> list[str]:
    """The words of a process's command; none for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
    except OSError:
        return []


def state_of(pid: int) -> str:
    """What a process is at: T is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def started(folder: Path, *more: str, **environ: str) -> subprocess.Popen[bytes]:
    """`replay serve` on a free port, with a folder of its own for what it keeps and says."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("REPLAY_")}
    ours = {"REPLAY_DATA": str(folder / "data"), "REPLAY_PORT": "0", "REPLAY_UPLOADS_AN_HOUR": "0"}
    env = {**known, **ours, "LC_ALL": "C.UTF-8", **environ}
    with (folder / "said").open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "replay", "serve", *more], env=env, stdout=said, stderr=subprocess.STDOUT
        )


def until(
    what: Callable[[], re.Match[str] | None], process: subprocess.Popen[bytes], said: Path
) -> re.Match[str]:
    """What comes true while the service runs; fails with what it said when it ends or takes too long."""
    last = time.monotonic() + READY_SECONDS
    while time.monotonic() < last and process.poll() is None:
        found = what()
        if found is not None:
            return found
        time.sleep(0.1)
    raise AssertionError(f"the service is not ready ({process.poll()}): {said.read_text()}")


def is_ready(url: str) -> bool:
    """Whether the service says that uploads can be taken and are worked on, as a worker tells after its first sweep."""
    last = time.monotonic() + READY_SECONDS
    while time.monotonic() < last:
        with suppress(HTTPError), urlopen(f"{url}readyz") as answer:
            return bool(answer.status == 200)
        time.sleep(0.2)
    return False


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """A service that has said that it is ready and its sample audited; told to end at last, which it must."""
    process, said = started(folder), folder / "said"
    try:
        found = until(lambda: re.search(r"(http://\S+/)(reports/\S+)", said.read_text()), process, said)
        yield Served(found[1], "/" + found[2], process, said)
        process.send_signal(signal.SIGTERM)
        assert process.wait(END_SECONDS) == 0, said.read_text()
    finally:
        if process.poll() is None:
            process.kill()
