"""`replay web`, `worker`, `config check` and `jobs`: what a keeper sees, and lines of JSON once a process is up."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from replay.jobs.ingest import take
from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.upgrade import upgrade

from .running import CLEAN, ENGLISH, LANGUAGES, run


def environment(data: Path, **more: str) -> dict[str, str]:
    return {**ENGLISH, "REPLAY_DATA": str(data), "REPLAY_BROKER": "none", **more}


@pytest.fixture
def service(tmp_path: Path) -> Service:
    made = open_service(Settings(data=tmp_path, broker="none"))
    upgrade(made.engine)
    return made


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


def asked_at(port: int) -> int | None:
    """The status of /healthz; None while nobody listens."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", "/healthz", headers={"X-Request-Id": "from-outside-42"})
            with connection.getresponse() as answer:
                return answer.status
        except ConnectionError:
            return None


def test_config_check_shows_the_limits_of_a_user(tmp_path: Path) -> None:
    result = run("config", "check", env=environment(tmp_path, REPLAY_UPLOADS_AN_HOUR="7"))
    assert "REPLAY_UPLOADS_AN_HOUR=7  #" in result.stdout
    assert f"REPLAY_QUOTA_BYTES={5 * 1024**3}  #" in result.stdout
    bad = run(
        "config", "check", env=environment(tmp_path, REPLAY_QUOTA_BYTES="5GiB", REPLAY_UPLOADS_AN_HOUR="-1")
    )
    assert bad.exit_code == 2
    assert [line.partition(":")[0] for line in bad.stderr.splitlines()[1:]] == [
        "REPLAY_QUOTA_BYTES",
        "REPLAY_UPLOADS_AN_HOUR",
    ]


@pytest.mark.parametrize("what", ["web", "worker"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_its_tables_a_process_says_what_to_do(tmp_path: Path, what: str, lang: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "replay", what, "--lang", lang],
        env={**os.environ, **environment(tmp_path, REPLAY_PORT=str(free_port()))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "replay db upgrade" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_web_process_writes_nothing_but_lines(service: Service) -> None:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "replay", "web"],
        env={**os.environ, **environment(service.settings.data, REPLAY_PORT=str(port))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    last = time.monotonic() + 60
    while (status := asked_at(port)) is None:
        assert time.monotonic() < last
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    stdout, stderr = process.communicate(timeout=60)
    assert (status, stdout) == (200, "")
    lines = [json.loads(line) for line in stderr.splitlines()]
    assert {line["process"] for line in lines} == {"web"}
    asked = [line for line in lines if line["event"] == "request"]
    assert [(line["route"], line["request_id"], line["status"]) for line in asked] == [
        ("/healthz", "from-outside-42", 200)
    ]


def test_jobs_that_wait_are_listed_and_one_that_is_not_quarantined_is_not_retried(service: Service) -> None:
    env = environment(service.settings.data)
    assert "Nothing waits." in run("jobs", "list", env=env).stdout
    take(service, [CLEAN.read_bytes()], "clean.json")
    listed = run("jobs", "list", env=env)
    assert (listed.exit_code, "split  queued" in listed.stdout) == (0, True)
    assert run("jobs", "retry", listed.stdout.split()[0], env=env).exit_code == 2
