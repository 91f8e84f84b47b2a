"""What is no file is read where somebody writes to it, and else refused; it is not waited for without end."""

import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from replay.cli import inputs
from replay.wording import text

from .running import CLEAN, LANGUAGES, compact, lines, run
from .test_process import ENV, REPLAY, ROOT, drained


@contextmanager
def written(path: Path, data: bytes, late: float = 0) -> Iterator[None]:
    """A pipe that somebody writes to, who may come late."""

    def write() -> None:
        time.sleep(late)
        with path.open("r+b", buffering=0) as stream:  # which has a reader from the start
            stream.write(data)
            drained(stream)

    os.mkfifo(path)
    writer = threading.Thread(target=write)
    writer.start()
    yield
    writer.join()


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is waited for."""
    monkeypatch.setattr(inputs, "PAUSE", 0)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", [("audit",), ("validate",), ("import", "-o", "-")])
def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path: Path, command: tuple[str, ...], lang: str) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    result = run(*command, pipe, "--lang", lang)
    assert result.exit_code == 2
    assert f"replay: {text(lang, 'cli.pipe', name=pipe)}" in result.stderr


@pytest.mark.usefixtures("_impatient")
def test_a_pipe_that_nobody_writes_to_does_not_stop_the_rest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run("audit", tmp_path / "pipe", CLEAN, "--format", "json")
    assert [report["verdict"] for report in lines(result)] == ["clean"]
    assert result.exit_code == 2


@pytest.mark.parametrize("count", [1, 40])
def test_a_pipe_that_somebody_writes_to_is_read_to_its_end(tmp_path: Path, count: int) -> None:
    with written(tmp_path / "pipe", b"\n".join([compact(CLEAN)] * count)):
        result = run("audit", tmp_path / "pipe", "--format", "json")
    assert [report["verdict"] for report in lines(result)] == ["clean"] * count
    assert result.exit_code == 0


def test_a_writer_may_come_a_little_late(tmp_path: Path) -> None:
    with written(tmp_path / "pipe", compact(CLEAN), late=0.3):
        assert run("audit", tmp_path / "pipe").exit_code == 0


def test_a_writer_that_has_written_nothing_yet_is_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    asked = [*REPLAY, "audit", str(pipe)]
    with pipe.open("r+b", buffering=0) as writer, subprocess.Popen(asked, cwd=ROOT, env=ENV) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        writer.write(compact(CLEAN))
        drained(writer)
        writer.close()
        assert process.wait(30) == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_device_and_a_socket_are_refused(tmp_path: Path, lang: str) -> None:
    place = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        result = run("audit", "/dev/zero", place, "--lang", lang)
    assert result.exit_code == 2
    said = [f"replay: {text(lang, 'cli.device', name=name)}" for name in ("/dev/zero", place)]
    assert result.stderr.splitlines()[:2] == said


@pytest.mark.parametrize(
    "typed",
    ['audit <(cat "$0")', 'audit /dev/stdin < "$0"', 'cat "$0" | replay audit /dev/stdin', "audit /dev/fd/3"],
)
def test_what_a_shell_hands_over_is_read(typed: str) -> None:
    program = 'replay() { "$PYTHON" -c \'from replay.cli import main; main()\' "$@"; }; '
    line = typed if "| replay" in typed else f"replay {typed}"
    line += ' 3< "$0"' if "/dev/fd/3" in typed else ""
    env = {**ENV, "PYTHON": REPLAY[0], "LC_ALL": "C"}
    done = subprocess.run(
        ["bash", "-c", program + line, str(CLEAN)], cwd=ROOT, env=env, capture_output=True, check=False
    )
    assert done.stderr == b""
    assert done.returncode == 0
    assert b"Nothing to object to: 3 hands" in done.stdout
