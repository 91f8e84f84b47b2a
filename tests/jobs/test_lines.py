"""Operations §7, ASVS 16.4.1: one line of JSON for whatever happens, with no name and no body in it."""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.jobs.ingest import take
from replay.jobs.lines import Lines, say
from replay.jobs.queue import waiting
from replay.jobs.service import open_service
from replay.settings import settings_from
from replay.store.upgrade import upgrade

from .working import LOGS

ID = "2f7c0c1e-8d0f-4f0e-9a55-0d8f6c4d9a11"


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    made = logging.getLogger("replay.test_lines")
    made.setLevel(logging.INFO)
    yield made
    made.handlers.clear()


@pytest.fixture
def written(log: logging.Logger) -> list[str]:
    """The lines that are written, as text."""
    found: list[str] = []

    class Reader(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(self.format(record))

    reader = Reader()
    reader.setFormatter(Lines("test"))
    log.addHandler(reader)
    return found


def read(written: list[str]) -> dict[str, Any]:
    (line,) = written
    assert line.isascii()
    assert line.isprintable()
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_says_when_how_bad_what_and_the_facts(log: logging.Logger, written: list[str]) -> None:
    say(log, "job", logging.WARNING, job=ID, ms=12)
    line = read(written)
    assert (line["level"], line["process"], line["event"]) == ("warning", "test", "job")
    assert (line["job"], line["ms"], line["pid"]) == (ID, 12, os.getpid())
    assert line["time"].endswith("+00:00")


@pytest.mark.parametrize(
    "text", ["a\nb", "a\rb", "\x1b[31m", "\u2028\u2029\x85", "\u202e", "\ud800", "\0", "王芳"]
)
def test_whatever_stands_in_the_facts_it_stays_one_plain_line(
    log: logging.Logger, written: list[str], text: str
) -> None:
    say(log, "job", fact=text, deep={"inner": [text]}, strange=Path("here"))
    assert (read(written)["fact"], read(written)["deep"]) == (text, {"inner": [text]})


def test_no_fact_takes_the_place_of_what_every_line_has(log: logging.Logger, written: list[str]) -> None:
    say(log, "job", time="never", process="other", pid=0)
    line = read(written)
    assert (line["process"], line["pid"]) == ("test", os.getpid())
    assert line["time"] != "never"


def test_of_an_exception_its_type_and_places_are_written_and_never_its_words(
    log: logging.Logger, written: list[str]
) -> None:
    try:
        try:
            raise KeyError("Wang Fang")
        except KeyError as error:
            raise ValueError("Wang Fang's log") from error
    except ValueError:
        log.exception("job %s of %s failed", ID, "Wang Fang")
    line = read(written)
    assert (line["event"], line["error"], line["from"]) == (f"job {ID} of … failed", "ValueError", "KeyError")
    assert [place.rpartition(":")[0] for place in line["at"]] == [__file__]
    assert "Wang" not in str(line)


@pytest.mark.parametrize(
    ("said", "given", "event"),
    [
        ("took %d ms", (5,), "took 5 ms"),
        ("cannot reach %s: %s", ("amqp://guest:secret@host", OSError("secret")), "cannot reach …: OSError"),
        ("%(n)d of %(name)s", ({"n": 1, "name": "x"},), "%(n)d of %(name)s"),
        ("too few %s %s", (1,), "too few %s %s"),
        ("100%", (), "100%"),
    ],
)
def test_of_what_is_put_into_words_only_numbers_ids_and_types_are_said(
    said: str, given: tuple[Any, ...], event: str
) -> None:
    record = logging.LogRecord("elsewhere", logging.WARNING, __file__, 1, said, given, None)
    assert read([Lines("test").format(record)])["event"] == event


def test_a_worker_and_what_it_stands_on_write_nothing_but_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real process: Celery's own words, warnings, and what a thread dies of come out as lines too."""
    monkeypatch.setenv("REPLAY_DATA", str(tmp_path))
    monkeypatch.setenv("REPLAY_SWEEP_SECONDS", "0.2")
    service = open_service(settings_from(os.environ))
    upgrade(service.engine)
    take(service, [LOGS[0]], "Wang-Fang.json", request="from-outside-42")
    noisy = (
        "import warnings, threading, replay.jobs.lines as lines, celery.utils.log as log\n"
        "install = lines.install\n"
        "def loud(name):\n"
        "    install(name)\n"
        "    warnings.warn('first\\nsecond')\n"
        "    log.get_logger('celery.worker').error('no %s', 'luck')\n"
        "    threading.Thread(target=lambda: 1 // 0).start()\n"
        "lines.install = loud\n"
        "from replay.cli import main\n"
        "main(['worker'])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", noisy], stderr=subprocess.PIPE, text=True)
    last = time.monotonic() + 60
    while waiting(service) and time.monotonic() < last:
        time.sleep(0.05)
    process.terminate()
    _, stderr = process.communicate(timeout=60)
    lines = [json.loads(line) for line in stderr.splitlines()]
    assert {line["process"] for line in lines} == {"worker"}
    jobs = [line for line in lines if line["event"] == "job"]
    assert [(job["kind"], job["outcome"], job["request_id"]) for job in jobs] == [
        ("split", "done", "from-outside-42"),
        ("audit", "done", "from-outside-42"),
    ]
    events = [line["event"] for line in lines]
    assert "no …" in events
    assert [line["error"] for line in lines if line["event"] == "uncaught"] == ["ZeroDivisionError"]
    assert any("second" in event for event in events)
    assert "Wang-Fang" not in stderr
    service.engine.dispose()
