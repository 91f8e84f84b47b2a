"""Operations D4: a database that an early version left, with rows and with work under way, is brought up and served."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Engine, text

from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.tables import Audit, FindingRow, Job, Report, Upload
from replay.store.upgrade import ForeignRevision, check, config, downgrade, head, revision, upgrade
from replay.web import create_app
from tests.jobs.working import rows, work
from tests.web.asking import Browser, links, text_of

V1 = Path(__file__).parent / "v1"
"""The database as SQL that both databases read, and the files beside it."""

TABLES = ("upload", "audit", "document", "job", "report", "finding")


@pytest.fixture
def service(database: str, tmp_path: Path) -> Iterator[Service]:
    """A service on the database and the files of the first version."""
    settings = Settings(data=tmp_path / "data", database=database, broker="none", ring_seconds=0.001)
    made = open_service(settings, node="one")
    with made.engine.begin() as connection:
        for statement in (V1 / "database.sql").read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                connection.execute(text(statement))
    for path in V1.glob("*.json"):
        made.blobs.keep([path.read_bytes()])
    yield made
    made.engine.dispose()


def kept(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """Every row of the first version's tables."""
    with engine.connect() as connection:
        return {
            table: [
                dict(row._mapping) for row in connection.execute(text(f"SELECT * FROM {table} ORDER BY id"))
            ]
            for table in TABLES
        }


def test_d4_rows_of_the_first_version_are_all_there_after_the_upgrade(service: Service) -> None:
    before = kept(service.engine)
    assert {table: len(found) for table, found in before.items()} == {
        "upload": 2,
        "audit": 2,
        "document": 1,
        "job": 3,
        "report": 1,
        "finding": 1,
    }
    upgrade(service.engine)
    after = kept(service.engine)
    for table, found in before.items():
        assert [{**new, **old} for old, new in zip(found, after[table], strict=True)] == after[table]


def test_d4_the_first_version_is_not_served_before_the_upgrade(service: Service) -> None:
    assert revision(service.engine) == "0001" != head()
    with pytest.raises(ForeignRevision, match="0001"):
        check(service.engine)
    upgrade(service.engine)
    check(service.engine)


def test_d4_the_tables_are_those_of_the_code_after_the_upgrade_and_each_step_back_and_forth(
    service: Service,
) -> None:
    upgrade(service.engine)
    command.check(config(service.engine))
    before = kept(service.engine)
    downgrade(service.engine, "-1")
    assert revision(service.engine) != head()
    upgrade(service.engine)
    command.check(config(service.engine))
    assert kept(service.engine) == before
    downgrade(service.engine, "0001")
    upgrade(service.engine)
    command.check(config(service.engine))
    assert kept(service.engine) == before


def test_d4_reports_of_the_first_version_are_served_and_waiting_work_is_done(service: Service) -> None:
    upgrade(service.engine)
    browser = Browser(create_app(service).test_client(), service)
    (report,) = rows(service, Report)
    assert browser.get(f"/reports/{report.id}/report.json").data == (V1 / "guo-shui.report.json").read_bytes()
    page = browser.read(f"/reports/{report.id}")
    assert "ACT023" in page
    assert [url for url in links(page) if "/hands/0" in url]
    assert work(service) == ["done", "done"]
    (waited,) = rows(service, Upload, name="broken.json")
    assert "Cannot be replayed" in text_of(browser.read(f"/uploads/{waited.id}"))
    (audit,) = rows(service, Audit, upload_id=waited.id)
    (made,) = rows(service, Report, audit_id=audit.id)
    assert [finding.code for finding in rows(service, FindingRow, report_id=made.id)] == ["LOG006"]
    assert {job.state for job in rows(service, Job)} == {"done"}


def test_d4_an_upload_of_the_first_version_is_known_again(service: Service) -> None:
    upgrade(service.engine)
    browser = Browser(create_app(service).test_client(), service)
    (upload,) = rows(service, Upload, name="guo-shui.json")
    answer = browser.send((V1 / "guo-shui.json").read_bytes(), "again.json")
    assert (answer.status_code, answer.location.partition("?")[0]) == (303, f"/uploads/{upload.id}")
    assert len(rows(service, Upload)) == 2
