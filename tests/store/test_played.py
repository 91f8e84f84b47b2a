"""Who played what: the rows are written with each report, and filled in for reports of an older version."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from replay import audit, load_profile
from replay.intake import take_in
from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.store.database import writing
from replay.store.played import Facts, facts_in, facts_of, folded, reindex, rows_of
from replay.store.tables import Played, Report, Sitting
from replay.store.upgrade import upgrade
from tests.jobs.working import rows, work

from .test_migrations import service as first_version

SAMPLES = Path(__file__).parent.parent.parent / "sample_logs"
GUO_SHUI = (SAMPLES / "chengdu" / "guo-shui.json").read_bytes()
FOREIGN = (SAMPLES / "mil-sbr" / "salasasa-2611.json").read_bytes()

old = first_version


def kept(service: Service) -> dict[str, list[dict[str, Any]]]:
    """Both tables, without the ids that are chance."""
    players = sorted(rows(service, Played), key=lambda row: (row.report_id, row.seat))
    return {
        "sitting": [
            row.model_dump() for row in sorted(rows(service, Sitting), key=lambda row: row.report_id)
        ],
        "played": [row.model_dump(exclude={"id"}) for row in players],
    }


def forget(service: Service) -> None:
    """Leave the database as a version left it that kept no such rows."""
    with writing(service.engine) as session:
        session.execute(delete(Played))
        session.execute(delete(Sitting))


def index(service: Service, most: int = 20) -> int:
    """Fill in what lacks."""
    return reindex(service.engine, service.blobs, service.limits, most)


def test_the_rows_are_written_with_the_report(service: Service) -> None:
    log = json.loads(GUO_SHUI)
    log["source"] = {"platform": "gf", "room": "Ｒoom 7"}
    log["played_at"] = "2024-05-01T20:15:00+08:00"
    log["players"] = [{"id": f"p{seat}", "name": name} for seat, name in enumerate(("LI", "wang", "", "Ⅷ"))]
    take(service, [json.dumps(log).encode()], "game.json")
    work(service)
    (report,) = rows(service, Report)
    (sitting,) = rows(service, Sitting)
    assert sitting.model_dump() == {
        "report_id": report.id,
        "profile": "chengdu",
        "base": "1",
        "room": "Ｒoom 7",
        "room_folded": "room 7",
        "platform": "gf",
        "log": log["id"],
        "played": 1714565700000,
    }
    written = json.loads(service.blobs.read(report.sha256))
    found = [one for one in written["hands"][0]["findings"] if one["severity"] == "error"]
    players = kept(service)["played"]
    assert [(one["player"], one["name"], one["folded"]) for one in players] == [
        ("p0", "LI", "li"),
        ("p1", "wang", "wang"),
        ("p2", "", ""),
        ("p3", "Ⅷ", "viii"),
    ]
    assert [one["points"] for one in players] == written["totals"]
    assert [one["errors"] for one in players] == [[e["seat"] for e in found].count(seat) for seat in range(4)]
    wins = [win["seat"] for hand in written["hands"] for win in hand["wins"]]
    assert sum(one["wins"] for one in players) == len(wins) > 0
    assert sum(one["errors"] for one in players) == 1


@pytest.mark.parametrize("data", [GUO_SHUI, FOREIGN, b"[]"], ids=["ours", "foreign", "broken"])
def test_a_kept_report_says_what_a_fresh_one_does(data: bytes) -> None:
    report = audit(data)
    written = json.loads(report.to_json())
    fresh = facts_of(report)
    assert facts_in(written, report.rules, take_in(data).log) == fresh
    assert len(rows_of("", fresh)) == (1 if data == b"[]" else 5)


def test_what_lacks_is_filled_in_in_pieces_and_is_what_was_there(service: Service) -> None:
    take(service, [GUO_SHUI], "a.json")
    take(service, [FOREIGN], "b.json")
    take(service, [b"[]"], "c.json")
    work(service)
    before = kept(service)
    assert len(before["sitting"]) == 3
    assert len(before["played"]) == 8
    assert index(service) == 0
    forget(service)
    assert [index(service, 2) for _ in range(3)] == [2, 1, 0]
    assert kept(service) == before


def test_filling_in_twice_at_once_writes_each_row_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(service, [GUO_SHUI], "a.json")
    work(service)
    before = kept(service)
    forget(service)
    from replay.store import played

    facts, others = played._facts, [True]

    def meanwhile(*given: Any) -> Facts:
        if others:
            others.clear()
            assert index(service) == 1
        return facts(*given)

    monkeypatch.setattr(played, "_facts", meanwhile)
    assert index(service) == 1
    assert kept(service) == before


def test_a_report_whose_file_is_lost_is_passed_over_once(service: Service) -> None:
    take(service, [GUO_SHUI], "a.json")
    work(service)
    forget(service)
    (report,) = rows(service, Report)
    service.blobs.path(report.sha256).unlink()
    assert [index(service), index(service)] == [1, 0]
    (sitting,) = rows(service, Sitting)
    assert (sitting.report_id, sitting.profile) == (report.id, "")


def test_a_disk_that_cannot_be_read_now_is_tried_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(service, [GUO_SHUI], "a.json")
    work(service)
    before = kept(service)
    forget(service)

    def fails(*given: Any) -> bytes:
        raise OSError(5, "input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(type(service.blobs), "read", fails)
        with pytest.raises(OSError, match="input/output"):
            index(service)
    assert index(service) == 1
    assert kept(service) == before


def test_d4_reports_of_the_first_version_are_filled_in(old: Service) -> None:
    upgrade(old.engine)
    assert index(old) == 1
    (report,) = rows(old, Report)
    log = json.loads((Path(__file__).parent / "v1" / "guo-shui.json").read_bytes())
    after = kept(old)
    assert [(one["report_id"], one["name"]) for one in after["played"]] == [
        (report.id, player["name"]) for player in log["players"]
    ]
    assert (after["sitting"][0]["profile"], after["sitting"][0]["log"]) == ("chengdu", log["id"])


def test_a_base_that_is_no_number_is_a_word() -> None:
    rules = load_profile("zimo")
    assert facts_in(
        {"hands": [], "findings": [], "rules": {"profile": rules.id}, "log": {"id": None}, "totals": None},
        rules,
        None,
    ).base == str(rules.base)
    assert not str(rules.base).isdigit()


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Ｌｉ　Ming", "li ming"),
        ("ﬀ", "ff"),
        ("a\u200bb\u202ec", "abc"),
        ("  ", ""),
        ("李明", "李明"),
        ("\ufdfa" * 64, None),
        ("a\0b", "ab"),
    ],
)
def test_a_name_is_looked_up_as_it_is_seen(name: str, seen: str | None) -> None:
    assert len(folded(name)) <= 64
    assert folded(folded(name)) == folded(name)
    assert seen is None or folded(name) == seen
