"""`--limit NAME=VALUE`: a limit set on the command line reaches whatever reads."""

import dataclasses
import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replay.limits import Limits
from replay.wording import text

from .running import CLEAN, ENGLISH, LANGUAGES, compact, lines, run

COMMANDS = {
    "audit": ("audit", "--format", "json"),
    "validate": ("validate", "--format", "json"),
    "import": ("import", "-o", "-"),
}
LINE = compact(CLEAN)
LOG = json.loads(LINE)


def padded(size: int) -> bytes:
    """The clean log with a key of its own, so that it has so many bytes more."""
    return json.dumps({**LOG, "x_note": "n" * size}).encode()


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.json", "b.json"):
            archive.writestr(name, LINE)


def nested(path: Path) -> None:
    path.write_text(json.dumps({**LOG, "x_deep": [[[[[[[[]]]]]]]]}))


FILES: dict[str, Callable[[Path], object]] = {
    "plain": lambda path: path.write_bytes(LINE),
    "gzip": lambda path: path.write_bytes(gzip.compress(LINE + b" " * 100_000)),
    "lines": lambda path: path.write_bytes(b"\n".join([LINE, LINE])),
    "zip": zipped,
    "nested": nested,
}
REACHED = [
    ("plain", "upload_bytes", 1000),
    ("plain", "document_bytes", 1000),
    ("plain", "hand_bytes", 100),
    ("plain", "depth", 3),
    ("plain", "hands", 2),
    ("plain", "actions", 20),
    ("plain", "entries", 2),
    ("nested", "depth", 8),
    ("gzip", "inflated_bytes", 50_000),
    ("gzip", "document_bytes", 50_000),
    ("lines", "lines", 1),
    ("zip", "members", 1),
    ("zip", "inflated_bytes", len(LINE) + 1),
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("file", "name", "value"), REACHED)
def test_a_limit_reaches_the_reader_that_keeps_it(
    tmp_path: Path, command: str, file: str, name: str, value: int
) -> None:
    path = tmp_path / "input"
    FILES[file](path)
    assert run(*COMMANDS[command], path).exit_code == 0
    result = run(*COMMANDS[command], path, "--limit", f"{name}={value}")
    assert result.exit_code == (1 if command == "validate" else 2)
    if command == "import":
        assert "LOG008" in result.stderr
    else:
        found = {finding["params"].get("limit") for one in lines(result) for finding in one["findings"]}
        assert name in found


def test_the_ratio_may_be_judged_from_the_first_byte(tmp_path: Path) -> None:
    path = tmp_path / "input.gz"
    FILES["gzip"](path)
    few = ("--limit", "ratio=2", "--limit", "ratio_free_bytes=1")
    (report,) = lines(run("audit", path, "--format", "json", *few))
    assert report["findings"][0]["params"]["limit"] == "ratio"


def test_only_so_many_problems_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**LOG, "hands": [{}, {}, {}]}))
    (report,) = lines(run("audit", path, "--format", "json", "--limit", "reported=2"))
    assert len(report["findings"]) == 2


@pytest.mark.parametrize("output", ["text", "json"])
def test_a_document_beyond_the_usual_limits_is_read_where_more_is_allowed(
    tmp_path: Path, output: str
) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(padded(9 * 2**20))
    asked = ("audit", path, "--format", output)
    assert run(*asked).exit_code == 2
    assert run(*asked, "--limit", "document_bytes=10000000").exit_code == 0


def test_of_a_limit_set_twice_the_last_counts() -> None:
    twice = ("--limit", "depth=1", "--limit", "depth=16")
    assert run("validate", CLEAN, *twice).exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_limit_names_those_there_are_and_the_nearest(command: str, lang: str) -> None:
    result = run(*COMMANDS[command], CLEAN, "--limit", "document_byte=1", "--lang", lang)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert text(lang, "cli.guess", guess="document_bytes") in result.stderr
    assert all(field.name in result.stderr for field in dataclasses.fields(Limits))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("value", ["", "0", "-1", "1.5", "x", "９", str(2**53), "9" * 5000])
def test_a_value_that_a_limit_cannot_have_says_what_was_expected(value: str, lang: str) -> None:
    result = run("audit", CLEAN, "--lang", lang, "--limit", f"lines={value}")
    assert result.exit_code == 2
    shown = value if len(value) <= 80 else value[:80] + "…"
    said: Any = {"limit": "lines", "value": shown, "most": 2**53 - 1}
    assert result.stderr == f"replay: {text(lang, 'cli.limit', **said)}\n"


def test_depth_is_limited_itself() -> None:
    assert "from 1 to 200" in run("audit", CLEAN, "--limit", "depth=201").stderr
    assert run("audit", CLEAN, "--limit", "depth=200").exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_limit_without_a_value_shows_how_one_is_set(lang: str) -> None:
    result = run("validate", CLEAN, "--lang", lang, "--limit", "depth")
    assert result.exit_code == 2
    assert result.stderr == f"replay: {text(lang, 'cli.limit.form', text='depth')}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_every_limit(command: str) -> None:
    said = " ".join(run(command, "--help").stdout.split())
    assert "--limit NAME=VALUE" in said
    assert all(field.name in said for field in dataclasses.fields(Limits))


def test_names_of_limits_are_completed() -> None:
    typed = {"COMP_WORDS": "replay audit --limit document", "COMP_CWORD": "3"}
    assert "document_bytes=" in run(env={**ENGLISH, "_REPLAY_COMPLETE": "bash_complete", **typed}).stdout
