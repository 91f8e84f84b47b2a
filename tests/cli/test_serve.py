"""`replay serve` as a process: what it says and when, a port that is taken, and its end (operations T23)."""

import json
import logging
import os
import re
import signal
import socket
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from replay.jobs.ingest import take
from replay.jobs.queue import is_stalled
from replay.jobs.service import open_service
from replay.settings import Settings
from replay.store.upgrade import upgrade
from tests.browser.serving import END_SECONDS, children, command_of, is_ready, serving, started, until
from worker.keeper import START_SECONDS, Kept, command, watch

from .running import CLEAN


def test_says_where_it_answers_and_where_the_sample_can_be_walked_through(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        assert is_ready(served.url)
        with urlopen(f"{served.url}{served.hand[1:]}") as answer:
            page = answer.read().decode()
        assert answer.status == 200
        assert re.search(r'class="sentence"[^>]*>[^<]+', page)
        assert 'data-nav="forward"' in page
        kept = children(served.process.pid)
        assert sorted(command_of(pid)[-2] for pid in kept) == ["web", "worker"]
    assert [pid for pid in kept if command_of(pid)] == []
    assert "Ended" in served.said.read_text()


@pytest.mark.parametrize(("lang", "said"), [("en", "is taken by"), ("zh-Hans", "占用"), ("zh-Hant", "占用")])
def test_a_port_that_is_taken_is_named_and_nothing_is_begun(tmp_path: Path, lang: str, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        process = started(tmp_path, "--lang", lang, REPLAY_PORT=str(port))
        assert process.wait(END_SECONDS) == 2
    words = (tmp_path / "said").read_text()
    assert str(port) in words
    assert said in words
    assert len(words.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_ctrl_c_ends_it_before_it_is_ready(tmp_path: Path) -> None:
    process = started(tmp_path)
    while "starting" not in (tmp_path / "said").read_text():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(END_SECONDS) == 0


def test_a_keeper_that_is_killed_takes_its_processes_with_it(tmp_path: Path) -> None:
    process = started(tmp_path)
    said = tmp_path / "said"
    until(lambda: re.search(r"http://\S+/", said.read_text()), process, said)
    kept = children(process.pid)
    assert len(kept) == 2
    process.kill()
    process.wait()
    last = time.monotonic() + END_SECONDS
    while any(command_of(pid) for pid in kept):
        assert time.monotonic() < last, [command_of(pid) for pid in kept]
        time.sleep(0.1)


def test_a_worker_is_given_a_minute_to_start_however_short_the_leases_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = open_service(Settings(data=tmp_path, broker="none", lease_seconds=1))
    upgrade(service.engine)
    take(service, [CLEAN.read_bytes()], "clean.json")
    worker = Kept([sys.executable, "-c", "input()", "--kept"], node="node-0")
    worker.start()
    assert worker.process is not None
    try:
        while not is_stalled(service, "node-0"):
            time.sleep(0.1)
        watch(worker, service, worker.started + START_SECONDS - 1)
        assert worker.process.poll() is None
        with caplog.at_level(logging.ERROR, logger="replay.keeper"):
            watch(worker, service, worker.started + START_SECONDS + 1)
        assert worker.process.poll() == -signal.SIGKILL
    finally:
        worker.kill()
        service.engine.dispose()
    assert [record.facts["node"] for record in caplog.records] == ["node-0"]  # type: ignore[attr-defined]


def test_the_keeper_names_what_it_keeps_by_what_it_does(tmp_path: Path) -> None:
    assert Kept(command("web")).named() == {"of": "web"}
    assert Kept(command("worker"), node="here-0").named() == {"of": "worker", "node": "here-0"}
    process, said = started(tmp_path), tmp_path / "said"
    until(lambda: re.search(r"http://\S+/", said.read_text()), process, said)
    (web,) = (pid for pid in children(process.pid) if "web" in command_of(pid))
    os.kill(web, signal.SIGKILL)
    until(lambda: re.search("process ended", said.read_text()), process, said)
    process.send_signal(signal.SIGTERM)
    assert process.wait(END_SECONDS) == 0
    lines = [json.loads(line) for line in said.read_text().splitlines() if line.startswith("{")]
    assert [(one["of"], one["status"]) for one in lines if one["event"] == "process ended"] == [("web", -9)]
