"""`replay validate`: whether a file is a log, without judging a hand."""

import json
from pathlib import Path

import pytest

from replay.wording import text

from .running import BREACH, CASES, CLEAN, LANGUAGES, lines, run

FAULTY = sorted(path for path in (CASES / "illegal").glob("LOG*.json") if ".expected." not in path.name)


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_every_fault_of_a_file_is_named_with_its_code_and_exits_1(path: Path) -> None:
    result = run("validate", path)
    assert result.exit_code == 1
    assert path.name.split("-")[0] in result.stdout


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_breach_of_the_rules_is_no_fault_of_the_file(lang: str) -> None:
    result = run("validate", BREACH, CLEAN, "--lang", lang)
    assert result.exit_code == 0
    hands = text(lang, "count.hands.other", n=3)
    said = text(lang, "cli.valid", name=CLEAN, format="xuezhan-log/1", hands=hands)
    assert "".join(said.split()) in "".join(result.stdout.split())


def test_json_gives_a_line_a_document_with_pointers() -> None:
    bad = CASES / "illegal" / "LOG001-bad-tile.json"
    faulty, sound = lines(run("validate", bad, CLEAN, "--format", "json"))
    assert (faulty["valid"], faulty["format"], sound["valid"], sound["hands"]) == (False, None, True, 3)
    assert [finding["pointer"] for finding in faulty["findings"]] == ["/hands/0/actions/65/tile"]


def test_an_honour_in_an_action_is_a_fault_where_the_rules_have_none(tmp_path: Path) -> None:
    log = json.loads(CLEAN.read_bytes())
    log["hands"][0]["actions"][-1]["tile"] = "1z"
    path = tmp_path / "honour.json"
    path.write_text(json.dumps(log))
    assert run("validate", path).exit_code == 1


def test_a_file_that_cannot_be_read_exits_2() -> None:
    result = run("validate", "nowhere.json", CLEAN)
    assert result.exit_code == 2
    assert "sound" in result.stdout
