"""T13 for what hangs on the verdict log: whatever is changed in a case, its parties or its files is found."""

from typing import Any

import pytest
from sqlalchemy import text

from replay.jobs.ingest import take as take_in
from replay.jobs.service import Service
from replay.store.cases.deciding import Decision, Effect, answer, appeal, ask, decide, release, take
from replay.store.cases.opening import About, Looked, open_case
from replay.store.cases.reading import Case, case_of
from replay.store.cases.saying import Kept, add_party, attach, state_words
from replay.store.cases.writing import Actor
from replay.store.tables import Dispute, Evidence, Party, Report
from tests.jobs.working import LOGS, rows, work

from .verdict_rows import change, found, kinds, let_be_changed

OWNER, OTHER = Actor("owner", "player"), Actor("other", "player")
FIRST, SECOND = Actor("first", "arbiter"), Actor("second", "arbiter")
DECISION = Decision("legal", "illegal", {"document": "000"}, "So.", "", (Effect(0, 1, 2),))

OTHERWISE: dict[str, dict[str, Any]] = {
    "dispute": {
        "kind": "record",
        "hand": 1,
        "action": None,
        "code": "ACT001",
        "entry": 1,
        "opener": "other",
        "state": "open",
        "arbiter": "second",
        "second": None,
        "created": 5,
        "changed": 5,
    },
    "party": {"id": "another", "account": "somebody", "seat": 3},
    "evidence": {"id": "another", "name": "b.txt", "size": 1, "sha256": "4" * 64},
}
"""What could stand in each column instead; references are changed by tests of their own."""


def read(service: Service, case: str) -> Case:
    found = case_of(service.engine, case)
    assert found is not None
    return found


def a_report(service: Service, log: int = 0) -> str:
    """The id of a new report that `OWNER` owns."""
    before = {row.id for row in rows(service, Report)}
    take_in(service, [LOGS[log]], f"game{log}.json", owner=OWNER.id)
    work(service)
    (made,) = {row.id for row in rows(service, Report)} - before
    return str(made)


def opened(service: Service, report: str) -> str:
    about, looked = About("legality", report, 0, action=3), Looked("1" * 64, "2" * 64, "")
    return open_case(service.engine, OWNER.id, about, looked, {"text": "Look."}, {OTHER.id: 2})


def brought(service: Service, case: str, data: bytes, name: str) -> None:
    kept = Kept(name, *service.blobs.keep([data]))
    attach(service.engine, service.blobs, case, OTHER, kept, "")


@pytest.fixture
def case(service: Service) -> str:
    """A case that went its whole way and is closed, with four parties and three files; its rows may be changed."""
    engine, made = service.engine, opened(service, a_report(service))
    for number, data in enumerate((b"one", b"two", b"three")):
        brought(service, made, data, f"{number}.txt")
    add_party(engine, made, OWNER, "third-party", None)
    take(engine, made, SECOND, read(service, made).where)
    release(engine, made, SECOND, "")
    take(engine, made, FIRST, read(service, made).where)
    ask(engine, made, FIRST, [OTHER.id], "When?")
    answer(engine, made, OTHER, "Then.")
    decide(engine, made, FIRST, read(service, made).where, DECISION)
    appeal(engine, made, OTHER, "No.")
    take(engine, made, SECOND, read(service, made).where)
    decide(engine, made, SECOND, read(service, made).where, DECISION)
    assert found(engine, blobs=service.blobs) == []
    let_be_changed(engine)
    return made


def each(service: Service, table: str) -> list[str]:
    """The ids of the rows of a table."""
    with service.engine.connect() as connection:
        return list(connection.execute(text(f"SELECT id FROM {table} ORDER BY id")).scalars())


COLUMNS = [(table, column) for table, columns in OTHERWISE.items() for column in columns]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_t13_each_column_of_each_row(service: Service, case: str, table: str, column: str) -> None:
    missed = []
    for row in each(service, table):
        with service.engine.connect() as connection:
            old = connection.execute(
                text(f"SELECT {column} FROM {table} WHERE id = :id"), {"id": row}
            ).scalar_one()
        new, at = OTHERWISE[table][column], "another" if column == "id" else row
        change(service.engine, f"UPDATE {table} SET {column} = :new WHERE id = :id", new=new, id=row)
        told = found(service.engine)
        if not any(one.facts["case"] == case for one in told):
            missed.append(row)
        change(service.engine, f"UPDATE {table} SET {column} = :old WHERE id = :at", old=old, at=at)
    assert missed == []
    assert found(service.engine, blobs=service.blobs) == []


def test_t13_every_column_is_changed_by_a_test() -> None:
    for table in (Dispute, Party, Evidence):
        name = str(table.__tablename__)
        references = {"dispute_id", "entry_id", "report_id"} | ({"id"} if table is Dispute else set())
        assert set(table.model_fields) - references == set(OTHERWISE[name])


def test_t13_references_to_another_case_entry_or_report(service: Service, case: str) -> None:
    another_report = a_report(service, 1)
    other = opened(service, another_report)
    assert found(service.engine) == []
    entry = read(service, other).entries[0].id
    changes = [
        ("dispute", "report_id", another_report, read(service, case).row.report_id, case),
        *(("evidence", "dispute_id", other, case, one) for one in each(service, "evidence")),
        *(("evidence", "entry_id", entry, row.entry_id, row.id) for row in rows(service, Evidence)),
        *(
            ("party", "dispute_id", other, case, row.id)
            for row in read(service, case).parties
            if row.account == "third-party"
        ),
    ]
    for table, column, new, old, row in changes:
        put = f"UPDATE {table} SET {column} = :value WHERE id = :id"
        change(service.engine, put, value=new, id=row)
        assert case in {one.facts["case"] for one in found(service.engine)}, (table, column)
        change(service.engine, put, value=old, id=row)
    assert found(service.engine) == []


@pytest.mark.parametrize("table", ["party", "evidence"])
def test_t13_each_row_taken_away(service: Service, case: str, table: str) -> None:
    model = {"party": Party, "evidence": Evidence}[table]
    for row in rows(service, model):
        change(service.engine, f"DELETE FROM {table} WHERE id = :id", id=row.id)
        assert kinds(found(service.engine)) == [{"party": "party_gone", "evidence": "file_gone"}[table]]
        values = row.model_dump()
        names = ", ".join(values)
        gaps = ", ".join(f":{name}" for name in values)
        change(service.engine, f"INSERT INTO {table} ({names}) VALUES ({gaps})", **values)
    assert found(service.engine) == []


def test_t13_rows_put_in(service: Service, case: str) -> None:
    entry = read(service, case).entries[0].id
    change(
        service.engine,
        f"INSERT INTO party (id, dispute_id, account, seat) VALUES ('new', '{case}', 'somebody', NULL)",
        "INSERT INTO evidence (id, dispute_id, entry_id, name, size, sha256) "
        f"VALUES ('new', '{case}', '{entry}', 'n', 1, '{'5' * 64}')",
    )
    assert sorted(kinds(found(service.engine))) == ["file_added", "party_added"]


def test_t13_a_case_put_in_that_nobody_opened(service: Service, case: str) -> None:
    change(
        service.engine,
        "INSERT INTO dispute (id, kind, report_id, hand, opener, state, created, changed) "
        f"SELECT 'new', kind, report_id, hand, opener, 'open', 1, 1 FROM dispute WHERE id = '{case}'",
    )
    (fault,) = found(service.engine)
    assert (fault.kind, fault.facts) == ("case_entries", {"case": "new"})


def test_t13_two_files_in_each_others_place(service: Service, case: str) -> None:
    one, two, _ = rows(service, Evidence)
    swap = "UPDATE evidence SET sha256 = :digest WHERE id = :id"
    change(service.engine, swap, digest=one.sha256, id=two.id)
    change(service.engine, swap, digest=two.sha256, id=one.id)
    subjects = {fault.facts["subject"] for fault in found(service.engine) if fault.kind == "file"}
    assert subjects == {one.entry_id, two.entry_id}


def test_t13_bytes_of_files(service: Service, case: str) -> None:
    for row in rows(service, Evidence):
        path = service.blobs.path(row.sha256)
        data = path.read_bytes()
        path.write_bytes(data[:-1] + b"x")
        (fault,) = found(service.engine, blobs=service.blobs)
        assert (fault.kind, fault.facts["subject"]) == ("bytes", row.entry_id)
        path.unlink()
        assert kinds(found(service.engine, blobs=service.blobs)) == ["bytes_gone"]
        assert found(service.engine) == []
        path.write_bytes(data)
    assert found(service.engine, blobs=service.blobs) == []


def test_t13_entries_that_could_not_be_made_or_followed_are_told(service: Service, case: str) -> None:
    """Of an entry that is left out with its row, the case tells, too."""
    last = read(service, case).entries[-1].id
    change(
        service.engine,
        "DELETE FROM verdict_log WHERE subject = :last",
        "DELETE FROM dispute_entry WHERE id = :last",
        "UPDATE log_head SET size = size - 1, hash = (SELECT hash FROM verdict_log ORDER BY seq DESC LIMIT 1)",
        last=last,
    )
    wrong = {one.facts["name"] for one in found(service.engine) if one.kind == "case"}
    assert wrong == {"state", "changed"}
    third = read(service, case).entries[2].id
    change(service.engine, "DELETE FROM evidence WHERE entry_id = :one", one=third)
    change(service.engine, "DELETE FROM dispute_entry WHERE id = :one", one=third)
    assert kinds(found(service.engine)) == ["missing", "case_unreadable"]


def test_each_case_is_looked_at_by_itself(service: Service, case: str) -> None:
    other = opened(service, a_report(service, 1))
    state_words(service.engine, other, OTHER, "x")
    change(service.engine, "UPDATE dispute SET state = 'withdrawn' WHERE id = :id", id=other)
    (fault,) = found(service.engine)
    assert fault.facts == {"case": other, "name": "state", "found": "withdrawn", "expected": "open"}
