"""The command as a process: bytes, signals, pipes and terminals."""

import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import IO

import pytest

from .running import CLEAN, compact

REPLAY = [sys.executable, "-c", "from replay.cli import main; main(prog_name='replay')"]
ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


def started(*arguments: object, **more: object) -> "subprocess.Popen[bytes]":
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": ENV}
    return subprocess.Popen([*REPLAY, *map(str, arguments)], cwd=ROOT, **{**pipes, **more})  # type: ignore[call-overload, no-any-return]


def on_terminal(*arguments: object) -> tuple[bytes, bytes, int]:
    """What a command writes to a terminal on standard error, what to a pipe, and its exit code."""
    ours, theirs = pty.openpty()
    with started(*arguments, stdin=theirs, stderr=theirs) as process:
        os.close(theirs)
        assert process.stdout is not None
        out, seen = process.stdout.read(), b""
        while chunk := terminal(ours):
            seen += chunk
    os.close(ours)
    return seen, out, process.returncode


def terminal(descriptor: int) -> bytes:
    """What stands on the terminal; Linux ends it with an error."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


@pytest.fixture
def days(tmp_path: Path) -> Path:
    """A file of logs whose reports are more than a pipe holds."""
    path = tmp_path / "days.ndjson"
    path.write_bytes((compact(CLEAN) + b"\n") * 40)
    return path


def test_the_output_is_utf_8_whatever_the_locale() -> None:
    plain = {**ENV, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    out, err = started("audit", CLEAN, "nowhere.json", "--lang", "zh-Hans", env=plain).communicate()
    assert "没有问题" in out.decode("utf-8")
    assert "没有这个文件" in err.decode("utf-8")


def test_a_reader_that_goes_away_is_no_error_message(days: Path) -> None:
    with started("audit", days) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.wait(30) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_ctrl_c_exits_130_without_a_traceback() -> None:
    with started("audit", "-", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"{")
        process.stdin.flush()
        drained(process.stdin)
        waits_for_more(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert b"Traceback" not in process.stderr.read()


def waits_for_more(pid: int) -> None:
    """Return when the process sleeps and goes on sleeping: it has taken what there was and reads again."""
    asleep = 0
    for _ in range(2000):
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        asleep = asleep + 1 if state == "S" else 0
        if asleep == 5:
            return
        time.sleep(0.02)
    raise AssertionError("the command never came to wait for more input")


def drained(pipe: IO[bytes]) -> None:
    """Return when everything that was written to a pipe has been read from it."""
    for _ in range(2000):
        if not int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder):
            return
        time.sleep(0.01)
    raise AssertionError("the command never read its input")


def test_a_terminal_sees_a_bar_and_the_pipe_only_reports(days: Path) -> None:
    seen, out, code = on_terminal("audit", days, "--format", "json", "--lang", "en")
    assert b"Auditing" in seen
    assert seen.rstrip().endswith(b"40 logs, 120 hands: 40 clean.")
    assert out.count(b"\n") == 40
    assert b"Auditing" not in out
    assert code == 0


def test_a_complaint_on_a_terminal_stands_beside_the_bar(days: Path) -> None:
    seen, out, code = on_terminal("audit", "nowhere.json", days, "--format", "json", "--lang", "zh-Hans")
    assert "nowhere.json：没有这个文件或文件夹。".encode() in seen
    assert out.count(b"\n") == 40
    assert code == 2


def test_a_pipe_sees_no_bar(days: Path) -> None:
    _, err = started("audit", days, "--format", "json", env={**ENV, "LC_ALL": "C"}).communicate()
    assert err == b"40 logs, 120 hands: 40 clean.\n"


def test_without_inputs_at_a_terminal_there_is_help() -> None:
    seen, out, code = on_terminal("audit")
    assert b"Usage: replay audit" in seen + out
    assert b"Example:" in seen + out
    assert code == 2
