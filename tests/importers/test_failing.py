"""An importer with a fault of its own costs the one record, and says where it failed."""

from pathlib import Path
from typing import Any

import pytest

import replay
from replay import importers
from replay.importers import Importer, detect
from replay.schemas import quick_validator
from replay.wording import text

from ..cli.running import CLEAN, LANGUAGES, compact, lines, run

RECORD = b'{"made_by": "another program"}'


def knows(document: Any) -> bool:
    return "made_by" in document


def read(document: Any) -> Any:
    raise ZeroDivisionError(document["made_by"])


def unfinished(document: Any) -> Any:
    return {}, None


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Importer:
    """A registered importer that raises on every record."""
    entry = Importer("faulty", "3", knows, read)
    monkeypatch.setattr(importers, "_IMPORTERS", [*importers.importers(), entry])
    return entry


@pytest.fixture
def day(tmp_path: Path, failing: Importer) -> Path:
    """A record that the importer fails on, between two sound logs."""
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\n".join([compact(CLEAN), RECORD, compact(CLEAN)]))
    return path


def test_the_finding_names_the_importer_and_the_place(failing: Importer) -> None:
    report = replay.audit(RECORD).to_dict()
    (finding,) = report["findings"]
    line = read.__code__.co_firstlineno + 1
    assert finding["code"] == "LOG001"
    assert finding["params"]["found"] == f"faulty 3: ZeroDivisionError at {__name__}:{line}"
    assert finding["message"].startswith("The importer failed on this record (faulty 3: ")
    assert report["importer"] == {"name": "faulty", "version": "3"}
    assert quick_validator("report").is_valid(report)


def test_the_other_documents_are_audited(day: Path) -> None:
    result = run("audit", day, "--format", "json")
    assert [report["verdict"] for report in lines(result)] == ["clean", "unreplayable", "clean"]
    assert result.exit_code == 2


def test_the_other_documents_are_validated(day: Path) -> None:
    result = run("validate", day, "--format", "json")
    assert [check["valid"] for check in lines(result)] == [True, False, True]
    assert result.exit_code == 1


def test_the_other_documents_are_imported(day: Path) -> None:
    result = run("import", day, "-o", "-")
    assert len(lines(result)) == 2
    assert "LOG001" in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_said_in_the_language_asked_for(day: Path, lang: str) -> None:
    said = text(lang, "LOG001.message.importer", found="|").partition("|")[0]
    assert "".join(said.split()) in "".join(run("audit", day, "--lang", lang).stdout.split())


def test_what_an_importer_gives_back_may_be_faulty_too() -> None:
    result = Importer("faulty", "3", knows, unfinished).convert({})
    assert result.log is None
    assert "TypeError at replay.importers:" in result.findings[0].params["found"]


def test_an_importer_that_fails_at_a_look_at_a_document_does_not_know_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blind = Importer("blind", "1", read, read)
    monkeypatch.setattr(importers, "_IMPORTERS", [blind, Importer("faulty", "3", knows, read)])
    entry = detect({"made_by": "another program"})
    assert entry is not None
    assert entry.name == "faulty"
    assert detect({"by": "nobody"}) is None
