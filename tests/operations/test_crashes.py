"""Operations T4: a crash at every statement and commit of what takes an upload in and works on it, at every step of
keeping a file, and between a commit and its bell. Afterwards a lease runs out, a sweep finds the job, and the work is
done once.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select

from replay import audit
from replay.jobs.ingest import take
from replay.jobs.queue import sweep
from replay.jobs.runner import run
from replay.jobs.service import Service, open_service
from replay.settings import settings_from
from replay.store.blobs import Blobs
from replay.store.database import writing
from replay.store.tables import Audit, Document, FindingRow, Job, Report, Upload, metadata
from tests.jobs.working import expire, ndjson, reports, rows, work

from .running import variables

LINES = 3
DATA = ndjson(LINES, broken=1)
EVENTS = ("before_cursor_execute", "begin", "commit")
CALLS = [(os, "fsync"), (Path, "replace")]
EXIT = 70
EXPECTED = [audit(line) for line in DATA.splitlines()]


class Crash(BaseException):
    """The process is gone: nothing of ours catches it."""


@dataclass
class Points:
    """Counts the points at which a process may end, and ends it at the one asked for; None only counts."""

    last: int | None = None
    die: Callable[[], None] | None = None
    seen: list[str] = field(default_factory=list)
    dead: bool = False

    def reach(self, name: str) -> None:
        """A point is reached. A process that has ended does nothing more: not even what tidies up."""
        if self.dead:
            raise Crash(name)
        self.seen.append(name)
        if self.last is not None and len(self.seen) > self.last:
            self.dead = True
            if self.die:
                self.die()
            raise Crash(name)


@contextmanager
def watched(service: Service, points: Points) -> Iterator[None]:
    """Make a point of each statement, begin and commit, each step of keeping a file, and each bell: before and after."""

    def before(name: str) -> Callable[..., None]:
        return lambda *_: points.reach(name)

    def around(name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def done(*args: Any, **more: Any) -> Any:
            points.reach(f"before {name}")
            result = do(*args, **more)
            points.reach(f"after {name}")
            return result

        return done

    listeners = {name: before(name) for name in EVENTS}
    with pytest.MonkeyPatch.context() as patch:
        for name, listener in listeners.items():
            event.listen(service.engine, name, listener)
        for owner, name in CALLS:
            patch.setattr(owner, name, around(name, getattr(owner, name)))
        patch.setattr(service, "ring", around("bell", service.ring))
        try:
            yield
        finally:
            for name, listener in listeners.items():
                event.remove(service.engine, name, listener)


def coming(points: Points) -> Iterator[bytes]:
    """The upload's bytes as they come, with a point before, between and after them."""
    for piece in (DATA[:50], DATA[50:]):
        points.reach("piece")
        yield piece
    points.reach("piece")


def live(service: Service, points: Points) -> None:
    """An upload taken in, split and audited, each as its process does it."""
    take(service, coming(points), "three.ndjson")
    for _ in range(2):
        for job_id in sweep(service):
            run(service, job_id)


def forget(service: Service) -> None:
    """Everything as at the beginning. Tables that are only ever added to refuse even a deletion of nothing."""
    service.engine.dispose()
    with writing(service.engine) as session:
        for table in reversed(metadata.sorted_tables):
            if session.scalar(select(func.count()).select_from(table)):
                session.execute(table.delete())
    shutil.rmtree(service.blobs.folder)
    service.blobs = Blobs(service.blobs.folder)


def recover(service: Service) -> None:
    """What happens after a crash: the client asks again where it had no answer, leases run out, sweeps find the rest."""
    if not rows(service, Upload):
        take(service, [DATA], "three.ndjson")
    expire(service)
    work(service)


def done_once(service: Service) -> None:
    """Nothing is lost and nothing is double: each row once, each report with the library's bytes, each file whole."""
    (upload,) = rows(service, Upload)
    (kept,) = rows(service, Audit)
    assert service.blobs.read(upload.sha256) == DATA
    assert (upload.documents, len(rows(service, Document))) == (LINES, LINES)
    assert reports(service, kept.id) == [report.to_json() for report in EXPECTED]
    assert [row.position for row in rows(service, Report)] == list(range(LINES))
    assert len(rows(service, FindingRow)) == sum(len(report.all_findings) for report in EXPECTED)
    jobs = [(job.kind, job.state) for job in rows(service, Job)]
    assert sorted(jobs) == [("audit", "done"), ("split", "done")]
    for path in service.blobs.folder.glob("??/*"):
        assert sha256(path.read_bytes()).hexdigest() == path.parent.name + path.name


def count_points(service: Service) -> int:
    """How many points an undisturbed life has."""
    points = Points()
    with watched(service, points):
        live(service, points)
    done_once(service)
    print(f"{len(points.seen)} points, of which {points.seen.count('commit')} commits")
    assert {*EVENTS, "piece", "before fsync", "after replace", "before bell", "after bell"} <= set(
        points.seen
    )
    return len(points.seen)


def test_t4_a_crash_at_any_point_loses_nothing_and_counts_nothing_twice(service: Service) -> None:
    for at in range(count_points(service)):
        forget(service)
        points = Points(at)
        with suppress(Crash), watched(service, points):
            live(service, points)
        assert points.dead
        recover(service)
        done_once(service)


def test_t4_a_process_that_is_gone_at_a_point_loses_nothing_either(service: Service) -> None:
    """The same with processes that end at once, at some of the points: what they had in memory is gone with them."""
    count = count_points(service)
    settings = service.settings
    environ = variables(settings.data, DATABASE=settings.database, BROKER="none", RING_SECONDS="0.001")
    for at in range(2, count, count // 3):
        forget(service)
        died = subprocess.run(
            [sys.executable, "-m", __name__, str(at)], env=environ, cwd=Path(__file__).parents[2]
        )
        assert died.returncode == EXIT
        recover(service)
        done_once(service)


if __name__ == "__main__":
    mine, end = (
        open_service(settings_from(os.environ), node="one"),
        Points(int(sys.argv[1]), lambda: os._exit(EXIT)),
    )
    with watched(mine, end):
        live(mine, end)
