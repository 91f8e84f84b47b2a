"""Running the commands as a shell would, without one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from replay.cli import main

CASES = Path(__file__).parents[1] / "cases"
CLEAN = CASES / "legal" / "chengdu-01.json"
BREACH = CASES / "illegal" / "ACT012-void-suit-kept.json"
LANGUAGES = ("en", "zh-Hans", "zh-Hant")
ENGLISH = {"LC_ALL": "C", "LANGUAGE": ""}


def run(*arguments: object, given: bytes | str | None = None, env: Mapping[str, str] = ENGLISH) -> Result:
    """What a command writes and the code it exits with; an exception that it lets through is raised here."""
    runner = CliRunner(env=dict(env))
    return runner.invoke(
        main, [str(one) for one in arguments], given, catch_exceptions=False, prog_name="replay"
    )


def lines(result: Result) -> list[Any]:
    """What a command wrote, one JSON document a line."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def compact(path: Path) -> bytes:
    """A log as one line."""
    return json.dumps(json.loads(path.read_bytes())).encode()
