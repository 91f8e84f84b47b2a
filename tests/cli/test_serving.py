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
from sqlalchemy import select, text

from replay.jobs.ingest import take
from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.database import reading
from replay.store.tables import Heartbeat
from tests.conftest import SERVER, empty_postgresql
from tests.tables import make_tables

from .running import CLEAN, ENGLISH, LANGUAGES, run


def environment(data: Path, **more: str) -> dict[str, str]:
    return {**ENGLISH, "REPLAY_DATA": str(data), "REPLAY_BROKER": "none", **more}


@pytest.fixture
def service(tmp_path: Path) -> Service:
    made = open_service(Settings(data=tmp_path, broker="none"))
    make_tables(made.engine)
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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_config_check_names_all_that_cannot_be_used_and_no_secret(tmp_path: Path, lang: str) -> None:
    bad = {
        "BROKER": "NONE",
        "DATABASE": "mysql://u:geheim@host/x",
        "DATA": f"{tmp_path}/100%",
        "HOST": "0.0.0.0",
        "NODE": "n" * 101,
        "SECRET_KEY": "geheim",
    }
    env = environment(tmp_path, **{f"REPLAY_{name}": value for name, value in bad.items()})
    result = run("config", "check", "--lang", lang, env=env)
    assert result.exit_code == 2
    first, *lines = result.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines] == sorted(f"REPLAY_{name}" for name in bad)
    assert "geheim" not in result.stderr
    assert (("found" in result.stderr), ("cannot" in first)) == ((lang == "en"), (lang == "en"))
    assert list(tmp_path.iterdir()) == []


COMMANDS = ("serve", "web", "worker", "db upgrade", "jobs list", "jobs retry x")


def refusal(what: str, data: Path, lang: str = "en", **more: str) -> str:
    """The one line that a command says when it refuses to begin."""
    done = subprocess.run(
        [sys.executable, "-m", "replay", *what.split(), "--lang", lang],
        env={**os.environ, **environment(data, REPLAY_PORT="0", **more)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("replay: ")
    return line


@pytest.mark.parametrize("what", ["web", "worker", "jobs list", "jobs retry x"])
def test_without_its_tables_a_command_says_what_to_do(tmp_path: Path, what: str) -> None:
    assert "replay db upgrade" in refusal(what, tmp_path)


@pytest.mark.parametrize("what", COMMANDS)
def test_tables_of_an_unknown_version_are_left_alone(service: Service, what: str) -> None:
    with service.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'newer'"))
    assert "replay db upgrade" in refusal(what, service.settings.data)
    with service.engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "newer"
    service.engine.dispose()


@pytest.mark.parametrize("what", COMMANDS)
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, what: str) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    said = refusal(what, taken / "data")
    assert f"{taken}/data (REPLAY_DATA)" in said
    assert "Not a directory" in said


@pytest.mark.parametrize("what", COMMANDS)
def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path: Path, what: str) -> None:
    url = f"postgresql+psycopg://u:geheim@127.0.0.1:{free_port()}/x?password=geheim"
    said = refusal(what, tmp_path, REPLAY_DATABASE=url)
    assert "u:***@127.0.0.1" in said
    assert "(REPLAY_DATABASE)" in said
    assert "geheim" not in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_is_in_the_readers_language(tmp_path: Path, lang: str) -> None:
    begins = {"en": "The database", "zh-Hans": "数据库", "zh-Hant": "資料庫"}[lang]
    missing = f"sqlite:///{tmp_path}/none/replay.db"
    said = refusal("db upgrade", tmp_path / "data", lang, REPLAY_DATABASE=missing)
    assert said.startswith(f"replay: {begins} {missing}")
    assert "unable to open database file" in said
    folder = {"en": "The folder", "zh-Hans": "文件夹", "zh-Hant": "資料夾"}[lang]
    assert folder in refusal("db upgrade", Path("/proc/x"), lang)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "replay.db").write_bytes(b"this is no database" * 100)
    said = refusal("jobs list", tmp_path)
    assert "file is not a database" in said
    assert "(REPLAY_DATA)" in said


def test_a_database_that_the_server_does_not_have_is_named(tmp_path: Path) -> None:
    with empty_postgresql() as url:
        there = run("db", "upgrade", env=environment(tmp_path, REPLAY_DATABASE=url))
        assert there.exit_code == 0
    assert "does not exist" in refusal("db upgrade", tmp_path, REPLAY_DATABASE=f"{SERVER}nobody_made_this")


def test_a_package_that_is_lacking_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in ("psycopg", "redis")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setitem(sys.modules, "redis", None)
    url = "postgresql+psycopg://u:geheim@127.0.0.1/x"
    database = run("db", "upgrade", env=environment(tmp_path, REPLAY_DATABASE=url))
    broker = run("jobs", "list", env=environment(tmp_path, REPLAY_BROKER="redis://:geheim@127.0.0.1"))
    assert (database.exit_code, broker.exit_code) == (2, 2)
    assert "xuezhan-replay[postgresql]" in database.stderr
    assert "xuezhan-replay[redis]" in broker.stderr
    assert "geheim" not in database.stderr + broker.stderr


def test_a_worker_ends_without_a_line_that_is_not_json(service: Service) -> None:
    data = service.settings.data
    with subprocess.Popen(
        [sys.executable, "-m", "replay", "worker"],
        env={**os.environ, **environment(data, REPLAY_BROKER="")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        last = time.monotonic() + 60
        while not sweeps(service):
            assert process.poll() is None
            assert time.monotonic() < last
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert [json.loads(line)["process"] for line in said.splitlines()] == ["worker"] * len(said.splitlines())
    service.engine.dispose()


def sweeps(service: Service) -> bool:
    """Whether a worker has looked for jobs."""
    with reading(service.engine) as session:
        return session.execute(select(Heartbeat)).first() is not None


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
