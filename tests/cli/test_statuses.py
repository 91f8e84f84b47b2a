"""The exit statuses are those that README.md states."""

import json
from pathlib import Path

import pytest

import replay
from replay.profile import default_profile
from replay.resources import folder

from .running import BREACH, CASES, CLEAN, run

BROKEN = CASES / "illegal" / "LOG001-bad-tile.json"
MISCLAIMED = folder("sample_logs") / "chengdu" / "misclaimed-settlement.json"
HU, NO_HU = ("123m456m789m11155p", "--win", "5p"), ("123m456m789m11259p", "--win", "5p")
PROFILE = Path(replay.__file__).parent / "profiles" / f"{default_profile()}.json"

STATUSES: list[tuple[int, tuple[object, ...]]] = [
    (0, ("audit", CLEAN)),
    (0, ("audit", BREACH, "--fail-on", "never")),
    (1, ("audit", BREACH)),
    (2, ("audit", BROKEN, "--fail-on", "never")),
    (2, ("audit", BREACH, "nowhere.json")),
    (0, ("explain", CLEAN)),
    (1, ("explain", MISCLAIMED)),
    (2, ("explain", BROKEN)),
    (2, ("explain", CLEAN, "nowhere.json")),
    (0, ("validate", CLEAN, BREACH)),
    (1, ("validate", BROKEN)),
    (2, ("validate", BROKEN, "nowhere.json")),
    (0, ("price", *HU, "--void", "s")),
    (1, ("price", *NO_HU, "--void", "s")),
    (2, ("price", "1x", "--win", "5p")),
    (0, ("waits", "1112345678999p", "--void", "s")),
    (1, ("waits", "1112345678m159p", "--void", "s")),
    (2, ("waits", "1m")),
    (0, ("import", CLEAN, "-o", "-")),
    (2, ("import", BROKEN, "-o", "-")),
    (2, ("import", CLEAN, "-o", "nowhere/out.json")),
    (0, ("profiles", "list")),
    (0, ("profiles", "show", default_profile())),
    (2, ("profiles", "show", "nothing")),
    (0, ("profiles", "diff", default_profile(), "mil-sbr")),
    (2, ("profiles", "diff", default_profile(), "nothing")),
    (0, ("profiles", "new", "--from", default_profile(), "-o", "-")),
    (2, ("profiles", "new", "--from", "nothing", "-o", "-")),
    (2, ("profiles", "new", "--from", default_profile(), "--option", "gen=some", "-o", "-")),
    (0, ("profiles", "check", PROFILE)),
    (1, ("profiles", "check", CLEAN)),
    (2, ("profiles", "check", "nowhere.json")),
    (0, ("bench", "--rounds", "1", folder("sample_logs") / "chengdu" / "clean.json")),
    (2, ("bench", BROKEN)),
    (2, ("bench", "nowhere.json")),
    *((2, (command, "--nonsense")) for command in ("audit", "validate", "price", "waits", "import", "bench")),
]


@pytest.mark.parametrize(("status", "arguments"), STATUSES, ids=str)
def test_a_command_exits_as_the_readme_says(status: int, arguments: tuple[object, ...]) -> None:
    assert run(*arguments).exit_code == status


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (0, {"hand": "1m2m3m4m5m6m7m8m9m1p1p1p5p5p", "win": "5p"}),
        (0, {"hand": "1m2m3m4m5m6m7m8m9m1p1p2p5p9p", "win": "5p"}),
        (1, {"hand": "1m", "win": "5p"}),
    ],
)
def test_a_batch_exits_as_the_readme_says(tmp_path: Path, status: int, line: dict[str, str]) -> None:
    path = tmp_path / "hands.ndjson"
    path.write_text(json.dumps(line))
    assert run("price", "--batch", path).exit_code == status
