"""`replay db reindex`: what reports of an older version are searched by is filled in by hand."""

from pathlib import Path

from replay.jobs.ingest import take
from replay.jobs.service import Service
from tests.jobs.working import LOGS, work
from tests.store.test_played import forget, kept

from .running import run


def test_it_fills_in_and_says_how_much(service: Service) -> None:
    for number, data in enumerate(LOGS[:2]):
        take(service, [data], f"{number}.json")
    work(service)
    before = kept(service)
    forget(service)
    settings = service.settings
    env = {"REPLAY_DATA": str(settings.data), "REPLAY_DATABASE": settings.database, "REPLAY_BROKER": "none"}
    said = [run("db", "reindex", env=env), run("db", "reindex", "--lang", "zh-Hans", env=env)]
    assert [(one.exit_code, one.stdout) for one in said] == [
        (0, "2 reports filled in.\n"),
        (0, "已补0份报告。\n"),
    ]
    assert kept(service) == before


def test_a_database_of_another_version_is_refused(tmp_path: Path) -> None:
    env = {"REPLAY_DATA": str(tmp_path / "data"), "REPLAY_BROKER": "none"}
    said = run("db", "reindex", env=env)
    assert said.exit_code == 2
    assert "replay db upgrade" in said.stderr
