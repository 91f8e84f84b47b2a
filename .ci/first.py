"""Runs the README's first command as a stranger would, looks at what it brings up, and ends it.

Arguments: the folder of a fresh clone, and the command. Exits with 1 and a word on stderr for whatever does not hold.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

START_SECONDS = 180
READY_SECONDS = 60
END_SECONDS = 35
PLACE = re.compile(r"(http://\S+?/)(reports/\S+/steps/\d+)")


def commands(folder: Path) -> Iterator[tuple[int, list[str]]]:
    """The processes that run the clone's own Python, with their words."""
    python = os.fsencode(folder / ".venv" / "bin")
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if line.startswith(python):
            yield int(process.name), line.decode().split("\0")[:-1]


def status(url: str) -> tuple[int, str]:
    """What an address answers; 0 for nothing."""
    try:
        with urlopen(url, timeout=10) as answer:  # noqa: S310 - it is our own address
            return answer.status, answer.read().decode()
    except URLError as error:
        return getattr(error, "code", 0), str(error)


def main(folder: Path, command: str) -> None:
    """Start, look, end. Raises ``AssertionError`` for what does not hold."""
    said = folder / "first-command.out"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REPLAY_")}
    with said.open("wb") as out:
        shell = subprocess.Popen(  # noqa: S603
            ["/bin/bash", "-euc", command], cwd=folder, env=environ, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        begun = time.monotonic()
        while not (place := PLACE.search(said.read_text())):
            assert shell.poll() is None, f"it ended with {shell.returncode}"
            assert time.monotonic() - begun < START_SECONDS, f"not ready in {START_SECONDS} s"
            time.sleep(0.2)
        print(f"ready after {time.monotonic() - begun:.0f} s: {place[0]}")
        look(place[1], place[1] + place[2])
        (serve,) = [pid for pid, words in commands(folder) if words[-1] == "serve"]
        begun = time.monotonic()
        os.kill(serve, signal.SIGTERM)
        assert shell.wait(END_SECONDS) == 0, f"it ended with {shell.returncode}"
        assert list(commands(folder)) == [], "processes are left behind"
        print(f"ended after {time.monotonic() - begun:.1f} s")
    except (AssertionError, subprocess.TimeoutExpired):
        sys.stderr.write(said.read_text())
        raise
    finally:
        for pid, _ in commands(folder):
            os.kill(pid, signal.SIGKILL)


def look(home: str, hand: str) -> None:
    """The service is ready, and the page of the hand holds a step."""
    begun = time.monotonic()
    while status(f"{home}readyz")[0] != 200:
        assert time.monotonic() - begun < READY_SECONDS, status(f"{home}readyz")
        time.sleep(0.5)
    code, page = status(hand)
    assert code == 200, page
    assert re.search(r'class="sentence"[^>]*>[^<]+<', page), page


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve(), sys.argv[2])
    except (AssertionError, subprocess.TimeoutExpired) as error:
        sys.exit(f"the README's first command: {error}")
