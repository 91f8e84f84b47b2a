"""Many records in one upload, of programs that we know and of others: each ends in its report, none blocks another."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay import audit
from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.tables import Audit, Document, Job, Report, Upload
from replay.web import create_app
from tests.containers.samples import zipped
from tests.jobs.working import reports, rows
from tests.tables import make_tables
from tests.web.asking import Browser

RECORDS = Path(__file__).parent.parent / "records"
UNKNOWN = "a record of an unknown format"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """A browser before a service with nothing in it."""
    service = open_service(Settings(data=tmp_path / "data", broker="none", ring_seconds=0.001), node="one")
    make_tables(service.engine)
    yield Browser(create_app(service).test_client(), service)
    service.engine.dispose()


def audited(browser: Browser, files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    """The files uploaded as one zip and worked on: each document's report by the document's name."""
    place = browser.upload(zipped(files), "records.zip")
    service: Service = browser.service
    (upload,) = rows(service, Upload)
    (kept,) = rows(service, Audit)
    documents = rows(service, Document)
    assert {job.state for job in rows(service, Job)} == {"done"}
    assert upload.documents == len(documents) == len(rows(service, Report))
    assert browser.get(place).status_code == 200
    found = [json.loads(report) for report in reports(service, kept.id)]
    return {
        document.name.removeprefix("records.zip/"): report
        for document, report in zip(documents, found, strict=True)
    }


def codes(report: dict[str, Any]) -> list[str]:
    """What a report says that no hand could be audited of."""
    assert report["verdict"] == "unreplayable"
    return [finding["code"] for finding in report["findings"]]


def is_audited(report: dict[str, Any], record: bytes) -> None:
    """The report is that of the library, over hands that were played again."""
    assert report["verdict"] in ("clean", "findings")
    assert report["hands"]
    assert report["importer"]["name"] == "salasasa"
    assert report == json.loads(audit(record).to_json())


@pytest.mark.shared
def test_all_records_as_one_zip_each_end_in_their_report(browser: Browser, shared: Path) -> None:
    files = {path.name: path.read_bytes() for path in sorted((shared / "records").iterdir())}
    found = audited(browser, files)
    lines = {
        f"{name}:{number}": line
        for name, data in files.items()
        if name.endswith(".ndjson.gz")
        for number, line in enumerate(gzip.decompress(data).splitlines(), 1)
    }
    assert set(found) == {*lines, "README.md", "salasasa-labels.json"}
    counted = Counter(name.partition(".")[0] for name in lines)
    assert (counted["salasasa"], len(counted)) == (48, 5)
    for name, line in lines.items():
        if name.startswith("salasasa"):
            is_audited(found[name], line)
        else:
            assert codes(found[name]) == ["LOG001"]
            assert found[name]["findings"][0]["params"]["found"] == UNKNOWN
    assert codes(found["README.md"]) == ["LOG006"]
    assert codes(found["salasasa-labels.json"]) == ["LOG001"]


def test_records_of_known_and_unknown_formats_in_one_zip_each_end_in_their_report(browser: Browser) -> None:
    games = {path.name: path.read_bytes() for path in sorted(RECORDS.glob("salasasa-*.json.gz"))}
    others = {
        "other.json": b'{"config": {"fanCap": 3}, "initial": {"dealer": 0}, "actions": []}',
        "fractions.ndjson": b'{"t": 1.5, "rounds": []}\n' * 2,
        "notes.txt": "打了四圈".encode(),
        "picture.png": b"\x89PNG\r\n\x1a\n\0\0",
        "empty.json": b"",
        "broken.json": b'{"record": {',
    }
    found = audited(browser, {**others, **games})
    assert len(games) == 5
    for name, record in games.items():
        is_audited(found[name], gzip.decompress(record))
    for name in ("other.json", "fractions.ndjson:1", "fractions.ndjson:2"):
        assert codes(found[name]) == ["LOG001"]
        assert found[name]["findings"][0]["params"]["found"] == UNKNOWN
    rest = {name: codes(found[name]) for name in ("notes.txt", "picture.png", "empty.json", "broken.json")}
    assert rest == {
        "notes.txt": ["LOG006"],
        "picture.png": ["LOG007"],
        "empty.json": ["LOG006"],
        "broken.json": ["LOG006"],
    }
