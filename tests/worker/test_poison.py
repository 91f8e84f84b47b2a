"""Operations R6, T7 with real workers: a hand that kills the engine is set aside alone, the others are audited."""

import json
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import orjson
import pytest

from replay import audit
from replay.jobs.ingest import take
from replay.jobs.queue import waiting
from replay.store.tables import FindingRow, Job, Report
from tests.jobs.working import LOGS, reports, rows
from tests.worker.poisoned import POISONS
from tests.worker.running import put_up, until
from worker import keeper
from worker.keeper import Kept, keep

DOCUMENTS, HANDS = 20, 10
POISONED = (11, 4)
"""The document and the hand in it, of 200 hands in one chunk."""


def chunk() -> tuple[list[bytes], str]:
    """Documents of ten hands each, and the deal of the one hand that is dealt otherwise."""
    first, other = (json.loads(log) for log in LOGS[:2])
    whole = {key: first[key] for key in ("format", "rules", "players") if key in first}
    logs = []
    for number in range(DOCUMENTS):
        log = {**whole, "id": f"log-{number}", "hands": [first["hands"][0]] * HANDS}
        if number == POISONED[0]:
            log["hands"] = [*log["hands"]]
            log["hands"][POISONED[1]] = other["hands"][0]
        logs.append(json.dumps(log).encode())
    return logs, "".join(other["hands"][0]["deal"])


@pytest.mark.parametrize("kind", sorted(POISONS))
def test_t7_one_hand_is_set_aside_and_199_are_audited(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, deal = chunk()
    assert deal != "".join(json.loads(logs[0])["hands"][0]["deal"])
    monkeypatch.setenv("POISON_DEAL", deal)
    monkeypatch.setenv("POISON_KIND", kind)
    monkeypatch.setattr(keeper, "WATCH_SECONDS", 0.5)
    monkeypatch.setattr(keeper, "START_SECONDS", 0.0)
    service = put_up(tmp_path, monkeypatch)
    worker = Kept([sys.executable, "-m", "tests.worker.poisoned"], node="node-0")
    taken = take(service, [b"\n".join(logs)], "chunk.ndjson")
    stop = Event()
    keeping = Thread(target=keep, args=([worker], service, stop))
    keeping.start()
    try:
        until(lambda: not waiting(service), seconds=120)
        assert worker.process is not None
        assert worker.process.poll() is None
    finally:
        stop.set()
        keeping.join()
    chunks = [job for job in rows(service, Job) if job.kind == "audit"]
    assert [job.state for job in chunks] == ["done"]
    assert chunks[0].attempts <= 5
    check(service, taken.audit, logs)
    service.engine.dispose()


def check(service: Any, audit_id: str, logs: list[bytes]) -> None:
    """199 hands have the library's verdict, one has none; no hand is counted twice or not at all (R7)."""
    written = [orjson.loads(report) for report in reports(service, audit_id)]
    expected = [orjson.loads(audit(log).to_json()) for log in logs]
    assert len(written) == DOCUMENTS
    audited = aside = 0
    for number, (ours, theirs) in enumerate(zip(written, expected, strict=True)):
        for hand, whole in zip(ours["hands"], theirs["hands"], strict=True):
            if (number, hand["hand"]) == POISONED:
                assert "AUD002" in [one["code"] for one in hand["findings"]]
                assert hand["scores"] is None
                aside += 1
            else:
                without = [one for one in whole["findings"] if one["code"] != "HND004"]
                assert [one for one in hand["findings"] if one["code"] != "HND004"] == without
                assert (hand["scores"], hand["ledger"]) == (whole["scores"], whole["ledger"])
                audited += 1
    assert (audited, aside) == (DOCUMENTS * HANDS - 1, 1)
    kept = rows(service, Report, audit_id=audit_id)
    assert [row.position for row in kept if row.verdict == "quarantined"] == [POISONED[0]]
    found = [one for row in kept for one in rows(service, FindingRow, report_id=row.id)]
    assert [one.hand for one in found if one.code == "AUD002"] == [POISONED[1]]
