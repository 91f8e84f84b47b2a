"""Operations D7-D9, T12, T13: the verdict log's chain is exact among writers, and whatever is changed in it is found."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from replay.jobs.service import Service
from replay.store.checkpoints import signed
from replay.store.database import connect, writing
from replay.store.keys import public_digits, signing_key
from replay.store.tables import Checkpoint, VerdictRow
from replay.store.upgrade import upgrade
from replay.store.verdicts import (
    FIELDS,
    FIRST_PREV,
    append,
    canonical,
    digest_of,
    fields_of,
    head_of,
    row_hash,
    rows_from,
)
from replay.version import __version__
from tests.conftest import SERVER, empty_postgresql
from tests.tables import make_tables

from .verdict_rows import a_case, add_entries, add_rows, change, found, kinds, let_be_changed

KEY = signing_key("11" * 32)
WRITERS, EACH = 8, 200


def head_now(engine: Engine) -> Checkpoint:
    """A checkpoint that nobody keeps in the database."""
    size, head = head_of(engine)
    return signed(size, head, 1, KEY)


class TestARow:
    def test_d7_is_hashed_as_is_spelled_out(self) -> None:
        row = {
            "seq": 1,
            "prev": FIRST_PREV,
            "kind": "case.decided",
            "subject": "5c6e7f4e-0000-4000-8000-000000000000",
            "actor": "local",
            "at": 1_700_000_000_000,
            "engine": "0.1.0",
            "ruleset": "",
            "payload_sha256": digest_of({"text": "过水不能胡"}),
        }
        spelled = (
            '{"actor":"local","at":1700000000000,"engine":"0.1.0","kind":"case.decided",'
            '"payload_sha256":"ac844994bc871afd0a4022a1c3b01546871b2762f3d2e17ff1c99a414c335d90",'
            f'"prev":"{FIRST_PREV}","ruleset":"","seq":1,"subject":"5c6e7f4e-0000-4000-8000-000000000000"}}'
        )
        assert canonical(row).decode() == spelled
        assert row_hash(row) == sha256(bytes(33) + spelled.encode()).hexdigest()
        assert row_hash(row) == "6a4b7f6f728a79da40c099ba921de28669608e406fe869b7b49e0cf854a3d204"

    def test_d7_states_what_was_done_by_whom_with_which_engine(self, engine: Engine) -> None:
        payload = {"text": "过水", "amount": -3}
        with writing(engine) as session:
            made = append(session, kind="a", subject="s", actor="who", payload=payload, ruleset="sha256:x")
        (row,) = rows_from(engine, 1, 10)
        assert fields_of(row) == fields_of(made)
        assert (row.seq, row.prev, row.kind, row.subject, row.actor) == (1, FIRST_PREV, "a", "s", "who")
        assert (row.engine, row.ruleset) == (__version__, "sha256:x")
        assert row.payload_sha256 == sha256('{"amount":-3,"text":"过水"}'.encode()).hexdigest()
        assert 1_700_000_000_000 < row.at < 5_000_000_000_000
        assert head_of(engine) == (1, row.hash)

    @pytest.mark.parametrize("value", [1.5, float("nan"), 2**53, "\ud800", [{"deep": 0.0}]])
    def test_d8_holds_no_fraction_and_nothing_that_has_no_one_form(self, engine: Engine, value: Any) -> None:
        with pytest.raises(ValueError, match=r"fractions|exceeds|codepoints"), writing(engine) as session:
            append(session, kind="a", subject="s", actor="who", payload={"value": value})
        assert head_of(engine) == (0, FIRST_PREV)

    def test_d7_goes_with_the_transaction_that_it_is_about(self, engine: Engine) -> None:
        add_rows(engine, 1)
        with pytest.raises(DBAPIError), writing(engine) as session:
            append_and_fail(session)
        assert head_of(engine)[0] == 1
        add_rows(engine, 1)
        assert found(engine) == []


class TestRights:
    @pytest.mark.parametrize("table", ["verdict_log", "checkpoint"])
    @pytest.mark.parametrize("what", ["UPDATE {} SET at = 0", "DELETE FROM {}"])
    def test_d7_no_row_is_changed_or_deleted(self, engine: Engine, table: str, what: str) -> None:
        add_rows(engine, 2)
        with writing(engine) as session:
            session.add(head_now(engine))
        with pytest.raises(DBAPIError, match="only ever added"):
            change(engine, what.format(table))
        assert found(engine) == []

    def test_d7_the_role_of_the_readme_can_append_and_not_change(self) -> None:
        with empty_postgresql() as url:
            owner = connect(url)
            upgrade(owner)
            role = f"replay_{uuid4().hex}"
            change(owner, f"CREATE ROLE {role} LOGIN", *granted(role))
            served = connect(make_url(url).set(username=role).render_as_string())
            add_rows(served, 2)
            for refused in (
                "UPDATE verdict_log SET at = 0",
                "DELETE FROM verdict_log",
                "TRUNCATE verdict_log",
                "ALTER TABLE verdict_log DISABLE TRIGGER ALL",
            ):
                with pytest.raises(DBAPIError, match=r"permission denied|must be owner"):
                    change(served, refused)
            assert found(served) == []
            served.dispose()
            owner.dispose()
        server = create_engine(f"{SERVER}postgres", isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.execute(text(f"DROP ROLE {role}"))
        server.dispose()


def append_and_fail(session: Session) -> None:
    """A row, and then something in the same transaction that the database refuses."""
    append(session, kind="a", subject="s", actor="who", payload={})
    session.execute(text("INSERT INTO nowhere VALUES (1)"))


def granted(role: str) -> list[str]:
    """The statements of the README, for this role."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    block = readme.partition("```sql\n")[2].partition("```")[0]
    return [one.replace(" replay;", f" {role};") for one in block.splitlines()]


class TestWriters:
    def test_t12_eight_in_two_processes_make_one_exact_chain(self, engine: Engine, database: str) -> None:
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(2, mp_context=spawn) as pool:
            list(pool.map(partial(write_in_threads, database), range(2)))
        chain_is_exact(engine)


def write_in_threads(database: str, number: int) -> None:
    """Half of the writers, in a process of their own."""
    engine = connect(database)
    half = WRITERS // 2
    with ThreadPoolExecutor(half) as pool:
        who = [f"writer-{number * half + one}" for one in range(half)]
        list(pool.map(lambda name: add_rows(engine, EACH, name), who))
    engine.dispose()


def chain_is_exact(engine: Engine) -> None:
    """Every writer's every row is there once and in its order, and each row leads to the next."""
    every = rows_from(engine, 1, WRITERS * EACH + 1)
    assert [row.seq for row in every] == list(range(1, WRITERS * EACH + 1))
    assert [row.prev for row in every] == [FIRST_PREV, *(row.hash for row in every[:-1])]
    for who in range(WRITERS):
        mine = [row.subject for row in every if row.actor == f"writer-{who}"]
        assert mine == [f"writer-{who}-{number}" for number in range(EACH)]
    assert found(engine) == []


COLUMNS = (*FIELDS, "hash")


def other(name: str, row: VerdictRow) -> Any:
    """What could stand in a column instead."""
    value = getattr(row, name)
    if isinstance(value, int):
        return value + 1000
    return ("1" if value[:1] == "0" else "0") + value[1:] if value else "x"


class TestTampering:
    """T13. The triggers are taken away first, as somebody who owns the database can."""

    @pytest.mark.parametrize("column", COLUMNS)
    def test_t13_each_column_of_each_of_50_rows(self, engine: Engine, column: str) -> None:
        add_rows(engine, 50)
        let_be_changed(engine)
        missed = []
        for row in rows_from(engine, 1, 50):
            wrong = other(column, row)
            change(engine, f"UPDATE verdict_log SET {column} = :new WHERE seq = :seq", new=wrong, seq=row.seq)
            if not any(one.facts.get("seq") in (row.seq, row.seq + 1000) for one in found(engine)):
                missed.append(row.seq)
            at = wrong if column == "seq" else row.seq
            old = getattr(row, column)
            change(engine, f"UPDATE verdict_log SET {column} = :old WHERE seq = :at", old=old, at=at)
        assert missed == []
        assert found(engine) == []

    def test_t13_a_row_changed_with_its_own_hash(self, engine: Engine) -> None:
        add_rows(engine, 10)
        let_be_changed(engine)
        for row in rows_from(engine, 1, 9):
            row.actor = "somebody else"
            forged = row_hash(fields_of(row))
            change(
                engine,
                "UPDATE verdict_log SET actor = :actor, hash = :hash WHERE seq = :seq",
                actor=row.actor,
                hash=forged,
                seq=row.seq,
            )
            assert "prev" in kinds(found(engine))

    def test_t13_each_of_50_rows_left_out(self, engine: Engine) -> None:
        add_rows(engine, 50)
        let_be_changed(engine)
        missed = []
        for row in rows_from(engine, 1, 50):
            change(engine, "DELETE FROM verdict_log WHERE seq = :seq", seq=row.seq)
            if not found(engine):
                missed.append(row.seq)
            with writing(engine) as session:
                session.add(VerdictRow(**row.model_dump()))
        assert missed == []
        assert found(engine) == []

    def test_t13_a_row_left_out_and_the_later_ones_numbered_anew(self, engine: Engine) -> None:
        add_rows(engine, 20)
        let_be_changed(engine)
        change(engine, "DELETE FROM verdict_log WHERE seq = 10", "UPDATE log_head SET size = 19")
        for seq in range(11, 21):
            change(engine, "UPDATE verdict_log SET seq = seq - 1 WHERE seq = :seq", seq=seq)
        assert {one.facts["seq"] for one in found(engine) if one.kind == "hash"} == set(range(10, 20))

    @pytest.mark.parametrize("seq", [1, 7, 19])
    def test_t13_two_rows_in_each_others_place(self, engine: Engine, seq: int) -> None:
        add_rows(engine, 20)
        let_be_changed(engine)
        change(
            engine,
            f"UPDATE verdict_log SET seq = 999 WHERE seq = {seq}",
            f"UPDATE verdict_log SET seq = {seq} WHERE seq = {seq + 1}",
            f"UPDATE verdict_log SET seq = {seq + 1} WHERE seq = 999",
        )
        wrong = found(engine)
        assert {one.facts["seq"] for one in wrong if one.kind == "hash"} == {seq, seq + 1}
        assert "prev" in kinds(wrong)

    def test_t13_rows_put_in(self, engine: Engine) -> None:
        add_rows(engine, 5)
        (last,) = rows_from(engine, 5, 1)
        row = {**fields_of(last), "seq": 6, "prev": last.hash}
        with writing(engine) as session:
            session.add(VerdictRow(**row, hash=row_hash(row)))
        assert kinds(found(engine)) == ["size", "head"]

    def test_t13_the_end_cut_off_and_the_head_left(self, engine: Engine) -> None:
        add_rows(engine, 20)
        let_be_changed(engine)
        change(engine, "DELETE FROM verdict_log WHERE seq > 15")
        assert kinds(found(engine)) == ["size", "head"]
        change(engine, "DELETE FROM log_head")
        assert kinds(found(engine)) == ["no_head"]

    @pytest.mark.parametrize("cut", [0, 1, 15, 19])
    def test_t13_the_end_cut_off_with_its_head_is_seen_by_whoever_holds_a_checkpoint(
        self, engine: Engine, cut: int
    ) -> None:
        add_rows(engine, 20)
        held = head_now(engine)
        let_be_changed(engine)
        head = rows_from(engine, cut, 1)[0].hash if cut else FIRST_PREV
        change(
            engine,
            f"DELETE FROM verdict_log WHERE seq > {cut}",
            f"UPDATE log_head SET size = {cut}, hash = '{head}'",
        )
        assert found(engine) == []
        (fault,) = found(engine, held)
        assert (fault.kind, fault.facts) == ("cut", {"size": 20, "last": cut})
        add_rows(engine, 20 - cut, "somebody")
        assert found(engine) == []
        assert kinds(found(engine, held)) == ["checkpoint"]

    def test_t13_a_log_written_anew_is_seen_by_whoever_holds_a_checkpoint(self, engine: Engine) -> None:
        add_rows(engine, 20)
        held, prev = head_now(engine), FIRST_PREV
        let_be_changed(engine)
        for row in rows_from(engine, 1, 20):
            row.prev, row.actor = prev, "somebody" if row.seq == 5 else row.actor
            prev = row_hash(fields_of(row))
            change(
                engine,
                "UPDATE verdict_log SET prev = :prev, actor = :actor, hash = :hash WHERE seq = :seq",
                prev=row.prev,
                actor=row.actor,
                hash=prev,
                seq=row.seq,
            )
        change(engine, f"UPDATE log_head SET hash = '{prev}'")
        assert found(engine) == []
        assert kinds(found(engine, held)) == ["checkpoint"]

    def test_t13_what_is_no_row_at_all_is_a_fault_and_no_failure(self, engine: Engine) -> None:
        add_rows(engine, 3)
        let_be_changed(engine)
        change(engine, f"UPDATE verdict_log SET prev = '{'z' * 64}' WHERE seq = 2")
        assert kinds(found(engine)) == ["prev", "malformed"]
        if engine.dialect.name == "sqlite":
            change(engine, "UPDATE verdict_log SET at = 'noon', subject = x'00ff' WHERE seq = 3")
            assert kinds(found(engine)) == ["prev", "malformed", "malformed"]


class TestEntries:
    """What a row is about is checked with it: the entry of the case, whose payload has the digest."""

    def test_t13_each_column_of_an_entry(self, service: Service) -> None:
        case = a_case(service)
        add_entries(service.engine, case, 3)
        assert found(service.engine) == []
        let_be_changed(service.engine)
        for column, new in {
            "payload": "{}",
            "sha256": "0" * 64,
            "kind": "decided",
            "actor": "x",
            "at": 5,
            "position": 9,
        }.items():
            kept = f"SELECT {column} FROM dispute_entry WHERE position = 1"
            with service.engine.connect() as connection:
                old = connection.execute(text(kept)).scalar_one()
            change(service.engine, f"UPDATE dispute_entry SET {column} = :new WHERE position = 1", new=new)
            wrong = found(service.engine)
            assert [(one.kind, one.facts["seq"]) for one in wrong] == [("entry", 2)], column
            assert wrong[0].facts["name"] == column
            at = 9 if column == "position" else 1
            change(service.engine, f"UPDATE dispute_entry SET {column} = :old WHERE position = {at}", old=old)
        assert found(service.engine) == []

    def test_t13_an_entry_that_is_gone_and_one_that_was_put_in(self, service: Service) -> None:
        case = a_case(service)
        add_entries(service.engine, case, 3)
        let_be_changed(service.engine)
        change(service.engine, "UPDATE dispute_entry SET id = 'another' WHERE position = 2")
        wrong = found(service.engine)
        assert [(one.kind, one.facts.get("seq")) for one in wrong] == [("missing", 3), ("unlogged", None)]
        assert wrong[1].facts == {"subject": "another"}


class TestCheckpoints:
    def test_d9_are_checked_with_the_rows(self, engine: Engine) -> None:
        add_rows(engine, 3)
        good = head_now(engine)
        forged = good.model_copy(update={"at": 2})
        other_head = signed(3, "a" * 64, 1, KEY)
        own = frozenset({public_digits(KEY)})
        assert found(engine, good, signed(0, FIRST_PREV, 1, KEY), keys=own) == []
        assert kinds(found(engine, forged)) == ["signature"]
        assert kinds(found(engine, other_head)) == ["checkpoint"]
        assert kinds(found(engine, signed(4, "a" * 64, 1, KEY))) == ["cut"]
        stranger = signed(good.size, good.head, 1, signing_key("22" * 32))
        assert kinds(found(engine, stranger)) == []
        assert kinds(found(engine, stranger, keys=own)) == ["key"]

    def test_d9_those_of_the_database_too_column_by_column(self, engine: Engine) -> None:
        add_rows(engine, 3)
        with writing(engine) as session:
            session.add(head_now(engine))
        let_be_changed(engine)
        assert found(engine) == []
        for column, new in {
            "size": 2,
            "head": "a" * 64,
            "at": 7,
            "key": public_digits(signing_key("22" * 32)),
            "signature": "0" * 128,
        }.items():
            with engine.connect() as connection:
                old = connection.execute(text(f"SELECT {column} FROM checkpoint")).scalar_one()
            change(engine, f"UPDATE checkpoint SET {column} = :new", new=new)
            assert "signature" in kinds(found(engine)), column
            change(engine, f"UPDATE checkpoint SET {column} = :old", old=old)
        assert found(engine) == []


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=32)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1)
PAYLOADS = st.dictionaries(TEXT, st.recursive(st.none() | st.booleans() | NUMBERS | TEXT, st.lists))


@pytest.fixture(scope="module")
def long_log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A log that every example adds to."""
    made = connect(f"sqlite:///{tmp_path_factory.mktemp('log')}/replay.db")
    make_tables(made)
    yield made
    made.dispose()


@settings(max_examples=25)
@given(st.lists(st.tuples(TEXT, TEXT, PAYLOADS), min_size=1, max_size=4))
def test_d7_whatever_is_appended_verifies(
    long_log: Engine, some: list[tuple[str, str, dict[str, Any]]]
) -> None:
    before, _ = head_of(long_log)
    for kind, subject, payload in some:
        with writing(long_log) as session:
            append(session, kind=f"x{kind[:31]}", subject=subject, actor="x", payload=payload)
    assert head_of(long_log)[0] == before + len(some)
    assert found(long_log) == []
