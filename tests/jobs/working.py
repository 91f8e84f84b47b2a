"""Working the queue in process, as a worker without a broker does."""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import select, update
from sqlmodel import col

from replay.jobs.queue import sweep, waiting
from replay.jobs.runner import run
from replay.jobs.service import Service
from replay.store.database import reading, writing
from replay.store.tables import Job, Report

CASES = Path(__file__).parent.parent / "cases" / "legal"
LOGS = [
    path.read_bytes() for path in sorted(CASES.glob("chengdu-0?.json"))[:5] if ".expected" not in path.name
]


def ndjson(count: int, broken: int | None = None) -> bytes:
    """So many logs, each with an id of its own; the one at ``broken`` is not JSON."""
    lines = []
    for number in range(count):
        log = json.loads(LOGS[number % len(LOGS)])
        log["id"] = f"log-{number}"
        lines.append(b"{" if number == broken else json.dumps(log).encode())
    return b"\n".join(lines) + b"\n"


def work(service: Service, rounds: int = 100) -> list[str]:
    """Sweep and do what is rung until nothing waits; returns what became of each job."""
    became = []
    for _ in range(rounds):
        became += [run(service, job_id) for job_id in sweep(service)]
        if not waiting(service):
            return became
    raise AssertionError(f"still waiting after {rounds} rounds: {became}")


def expire(service: Service) -> None:
    """Let every lease run out."""
    with writing(service.engine) as session:
        session.execute(update(Job).values(lease_until=1))


def rows(service: Service, table: type[Any], **where: Any) -> list[Any]:
    """The rows of a table, in order of their position where they have one."""
    with reading(service.engine) as session:
        chosen = select(table).filter_by(**where)
        found = list(session.execute(chosen).scalars())
        session.expunge_all()
    return sorted(found, key=lambda row: getattr(row, "position", 0))


def reports(service: Service, audit: str) -> list[bytes]:
    """The reports of an audit, in the order of its documents."""
    with reading(service.engine) as session:
        kept = select(col(Report.sha256)).where(col(Report.audit_id) == audit).order_by(col(Report.position))
        return [service.blobs.read(digest) for digest in session.execute(kept).scalars()]
