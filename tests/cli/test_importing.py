"""`replay import`: a log is written whole or not at all, and what it lacks is told."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from replay import intake
from replay.findings import Finding
from replay.importers import Importer

from .running import CLEAN, compact, run

LOG = json.loads(CLEAN.read_bytes())
RECORD = json.dumps({"made_by": "another program", "game": 7}).encode()


@pytest.fixture(autouse=True)
def _another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A foreign format of which game 13 contradicts itself."""

    def read(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
        if document["game"] == 13:
            return LOG, [Finding("LOG002", {"key": "game"})]
        return LOG, [Finding("IMP001", {"fact": "pass", "effect": "no pass is known."})]

    foreign = Importer("another", "1", lambda document: "made_by" in document, read)
    monkeypatch.setattr(intake, "detect", lambda document: foreign if foreign.knows(document or {}) else None)


def test_a_record_becomes_a_log_and_its_losses_are_told(tmp_path: Path) -> None:
    record, out = tmp_path / "record.json", tmp_path / "game.json"
    record.write_bytes(RECORD)
    result = run("import", record, "-o", out)
    assert result.exit_code == 0
    assert json.loads(out.read_bytes()) == LOG
    assert "IMP001" in result.stderr
    assert "the passes: no pass is known." in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert run("audit", out).exit_code == 0


def test_many_records_become_a_line_each_and_one_that_cannot_is_named(tmp_path: Path) -> None:
    records = tmp_path / "records.ndjson"
    records.write_bytes(b"\n".join([RECORD, b'{"nobody": "knows"}', RECORD]))
    result = run("import", records, "-o", "-")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [LOG, LOG]
    assert f"{records}:2: could not be converted." in " ".join(result.stderr.split())
    assert result.exit_code == 2


def test_a_record_that_contradicts_itself_exits_1(tmp_path: Path) -> None:
    result = run("import", "-", "-o", tmp_path / "out.json", given=RECORD.replace(b"7", b"13"))
    assert result.exit_code == 1
    assert "LOG002" in result.stderr


def test_a_log_of_our_own_stays_what_it_is(tmp_path: Path) -> None:
    result = run("import", "-", "-o", tmp_path / "out.json", given=compact(CLEAN))
    assert result.exit_code == 0
    assert result.stderr == ""
    assert json.loads((tmp_path / "out.json").read_bytes()) == LOG


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_text("mine")
    refused = run("import", "-", "-o", out, given=RECORD)
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert out.read_text() == "mine"
    assert run("import", "-", "-o", out, "--force", given=RECORD).exit_code == 0
    assert json.loads(out.read_bytes()) == LOG


def test_nothing_is_written_where_nothing_could_be_converted(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert run("import", "-", "-o", out, given=b"{}").exit_code == 2
    assert run("import", "nowhere.json", "-o", out).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named_and_left_as_it_was(tmp_path: Path) -> None:
    result = run("import", "-", "-o", tmp_path / "none" / "out.json", given=RECORD)
    assert result.exit_code == 2
    assert "there is no such file or folder" in result.stderr
    assert list(tmp_path.iterdir()) == []
