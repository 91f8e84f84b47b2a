"""Every code has a log that shows it and a near miss that does not; the catalogue grows only with both."""

import json
from pathlib import Path
from typing import Any

import pytest

from replay import audit
from replay.catalogue import CATALOGUE, severity_of
from replay.resources import folder

NOT_YET: frozenset[str] = frozenset()
"""Codes of rules that no built rule set has."""

OF_THE_AUDIT = {"AUD001", "AUD002"}
"""No log has these: the audit itself was not finished (tests/engine/test_watching.py, tests/jobs/test_jobs.py)."""

FOLDER = folder("sample_logs") / "findings"
FOLDERS = sorted(path.name for path in FOLDER.iterdir() if (path / "bad.json").exists())


def found_in(path: Path) -> list[tuple[str, int | None, int | None, int | None]]:
    """Every finding of a log with its place."""
    found = audit(path.read_bytes()).all_findings
    return [(finding.code, finding.hand, finding.action, finding.seat) for finding in found]


def expected_of(code: str) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads((FOLDER / code / "expected.json").read_text(encoding="utf-8"))
    return expected


def test_every_code_has_its_folder() -> None:
    assert set(FOLDERS) == set(CATALOGUE) - NOT_YET - OF_THE_AUDIT


@pytest.mark.parametrize("code", FOLDERS)
def test_the_bad_log_yields_the_code_at_its_place(code: str) -> None:
    expected = expected_of(code)
    assert expected["code"] == code
    place = (code, expected["hand"], expected["action"], expected["seat"])
    assert place in found_in(FOLDER / code / "bad.json")


@pytest.mark.parametrize("code", FOLDERS)
def test_the_good_log_stays_free_of_it(code: str) -> None:
    assert code not in {found[0] for found in found_in(FOLDER / code / "good.json")}


@pytest.mark.parametrize("code", FOLDERS)
def test_the_good_log_is_clean(code: str) -> None:
    report = audit((FOLDER / code / "good.json").read_bytes())
    assert [finding for finding in report.all_findings if severity_of(finding) == "error"] == []
    assert report.verdict == "clean"
    assert report.hands


@pytest.mark.parametrize("code", FOLDERS)
def test_nothing_stands_before_the_defect(code: str) -> None:
    expected = expected_of(code)
    if expected["action"] is None:
        return
    for finding in audit((FOLDER / code / "bad.json").read_bytes()).all_findings:
        if severity_of(finding) == "error" and finding.action is not None and finding.code != code:
            assert (finding.hand or 0, finding.action) >= (expected["hand"], expected["action"])
