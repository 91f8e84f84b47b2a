"""What an account has can be taken along, and removed: nothing of it is left but what a case needs."""

import io
import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from sqlalchemy import func, select, update
from sqlmodel import SQLModel

from replay import load_profile
from replay.house import started
from replay.jobs.ingest import Wish, audit_again, take
from replay.jobs.queue import claim, sweep
from replay.jobs.runner import do
from replay.jobs.service import Service
from replay.profile import profile_from
from replay.store.accounts import create
from replay.store.database import reading, writing
from replay.store.exporting import export
from replay.store.houses import house_of, keep_house
from replay.store.removing import AtWork, InCase, close_account, kept_by_cases, remove_files, remove_upload
from replay.store.signing_in import begin, make_token
from replay.store.tables import (
    Account,
    Audit,
    Dispute,
    DisputeEntry,
    Document,
    Evidence,
    HouseRules,
    Job,
    Party,
    Report,
    Share,
    Upload,
)
from tests.jobs.working import ndjson, rows, work

PASSWORD = "correct horse battery staple"
STAYS = {"heartbeat", "log_head", "attempt", "staff_view"}
"""Tables that hold nothing of an account's by which it could be told."""


def counted(service: Service) -> dict[str, int]:
    """How many rows each table has that has any, but for those that hold nothing of an account's."""
    with reading(service.engine) as session:
        tables = {name: table for name, table in SQLModel.metadata.tables.items() if name not in STAYS}
        found = {
            name: session.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in tables.items()
        }
    return {name: number for name, number in found.items() if number}


def files(service: Service) -> set[str]:
    """The digests of the files that are kept."""
    folder = service.blobs.folder
    return {path.parent.name + path.name for path in folder.glob("??/*") if path.is_file()}


def house(service: Service, owner: str, number: int) -> str:
    """A version of a house rule set of one name."""
    document = json.loads(json.dumps(started(load_profile("chengdu"), "our-room")))
    document["names"]["en"] = f"Our room {number}"
    return keep_house(service.engine, owner, profile_from(document), document)


def taken(service: Service, owner: str, count: int = 3, wish: Wish | None = None) -> str:
    """An upload of several logs that is audited."""
    upload = take(service, [ndjson(count, broken=1)], "day.ndjson", wish, owner=owner).upload
    work(service)
    return upload


def report_of(service: Service, upload: str) -> str:
    """The first report on an upload."""
    audits = {one.id for one in rows(service, Audit, upload_id=upload)}
    return str(next(one.id for one in rows(service, Report) if one.audit_id in audits))


def disputed(service: Service, upload: str, account: str, words: str = "not so") -> str:
    """A case of an account about a report of an upload, with a file that it brought."""
    digest, size = service.blobs.keep([words.encode()])
    case, entry = str(uuid4()), str(uuid4())
    about: dict[str, Any] = {"kind": "record", "report_id": report_of(service, upload), "hand": 0}
    with writing(service.engine) as session:
        service.blobs.need(session, [digest])
        session.add(Dispute(id=case, opener=account, state="open", created=1, changed=1, **about))
        session.flush()
        said = json.dumps({"text": words})
        session.add(
            DisputeEntry(
                id=entry,
                dispute_id=case,
                position=0,
                kind="open",
                actor=account,
                at=1,
                payload=said,
                sha256="0" * 64,
            )
        )
        session.add(Party(id=str(uuid4()), dispute_id=case, account=account, seat=1))
        session.flush()
        session.add(
            Evidence(id=str(uuid4()), dispute_id=case, entry_id=entry, name="x.txt", size=size, sha256=digest)
        )
    return case


def shared(service: Service, upload: str, owner: str) -> None:
    """A link to a report of an upload."""
    with writing(service.engine) as session:
        session.add(
            Share(
                id=str(uuid4()),
                owner=owner,
                report_id=report_of(service, upload),
                sha256=uuid4().hex * 2,
                created=1,
            )
        )


@pytest.fixture
def mei(service: Service) -> str:
    """The id of an account that has something of everything."""
    made = create(service.engine, "Mei", "player", PASSWORD)
    begin(service.engine, made)
    make_token(service.engine, made, "bot", None)
    upload = taken(service, made)
    audit_again(service, upload, Wish("chengdu", None, None))
    work(service)
    shared(service, upload, made)
    return made


class TestAnUpload:
    def test_leaves_nothing(self, service: Service, mei: str) -> None:
        (upload,) = rows(service, Upload)
        assert {"finding", "sitting", "played", "share", "job"} <= counted(service).keys()
        assert len(files(service)) >= 4
        assert remove_upload(service.engine, service.blobs, mei, upload.id)
        assert counted(service) == {"account": 1, "sign_in": 1, "token": 1}
        assert files(service) == set()

    def test_of_another_is_not_removed(self, service: Service, mei: str) -> None:
        (upload,) = rows(service, Upload)
        before = counted(service)
        assert not remove_upload(service.engine, service.blobs, "somebody", upload.id)
        assert not remove_upload(service.engine, service.blobs, mei, str(uuid4()))
        assert counted(service) == before

    def test_leaves_the_files_that_another_s_upload_is_made_of(self, service: Service, mei: str) -> None:
        before = files(service)
        other = taken(service, "somebody")
        (upload,) = rows(service, Upload, owner=mei)
        remove_upload(service.engine, service.blobs, mei, upload.id)
        assert len(files(service)) <= len(before)
        for report in rows(service, Report):
            service.blobs.read(report.sha256)
        for document in rows(service, Document, upload_id=other):
            assert document.pack is None or service.blobs.read(document.pack)
        assert remove_upload(service.engine, service.blobs, "somebody", other)
        assert files(service) == set()

    def test_that_a_case_is_about_stays(self, service: Service, mei: str) -> None:
        (upload,) = rows(service, Upload)
        disputed(service, upload.id, mei)
        before, kept = counted(service), files(service)
        with pytest.raises(InCase):
            remove_upload(service.engine, service.blobs, mei, upload.id)
        assert (counted(service), files(service)) == (before, kept)

    def test_that_waits_goes_and_one_that_is_worked_at_stays(self, service: Service) -> None:
        upload = take(service, [ndjson(3)], "day.ndjson", owner="mei").upload
        (job,) = rows(service, Job)
        held = claim(service, job.id)
        assert held is not None
        with pytest.raises(AtWork):
            remove_upload(service.engine, service.blobs, "mei", upload)
        with writing(service.engine) as session:
            session.execute(update(Job).values(lease_until=1))
        assert remove_upload(service.engine, service.blobs, "mei", upload)
        assert counted(service) == {}
        # The worker that fell silent comes back: nothing is left to be written.
        assert do(service, held) in ("fenced", "queued", "left")
        assert counted(service) == {}
        assert sweep(service) == []


class TestFiles:
    def test_that_were_removed_meanwhile_are_missed_by_who_refers_to_them(self, service: Service) -> None:
        digest, _ = service.blobs.keep([b"data"])
        with writing(service.engine) as session:
            service.blobs.need(session, [digest])
        remove_files(service.engine, service.blobs, [digest])
        with pytest.raises(OSError, match="removed meanwhile"), writing(service.engine) as session:
            service.blobs.need(session, [digest])

    def test_an_upload_whose_file_goes_before_its_row_is_not_taken_in(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep = service.blobs.keep

        def keep_and_lose(*given: Any) -> tuple[str, int]:
            digest, size = keep(*given)
            remove_files(service.engine, service.blobs, [digest])
            return digest, size

        monkeypatch.setattr(type(service.blobs), "keep", lambda self, *given: keep_and_lose(*given))
        with pytest.raises(OSError, match="removed meanwhile"):
            take(service, [b"{}"], "x.json", owner="mei")
        assert counted(service) == {}
        monkeypatch.undo()
        assert take(service, [b"{}"], "x.json", owner="mei").fresh


class TestAnAccount:
    def test_leaves_a_row_without_a_name(self, service: Service, mei: str) -> None:
        house(service, mei, 5)
        house(service, mei, 6)
        assert close_account(service.engine, service.blobs, mei) == []
        assert counted(service) == {"account": 1}
        assert files(service) == set()
        (account,) = rows(service, Account)
        assert (account.id, account.name, account.folded, account.password) == (mei, "", None, "")

    def test_leaves_what_others_have(self, service: Service, mei: str) -> None:
        other = create(service.engine, "Li", "player", PASSWORD)
        begin(service.engine, other)
        upload = taken(service, other)
        shared(service, upload, other)
        house(service, other, 5)
        close_account(service.engine, service.blobs, mei)
        left = counted(service)
        assert [left[name] for name in ("account", "sign_in", "share", "house_rules", "upload")] == [
            2,
            1,
            1,
            1,
            1,
        ]
        for report in rows(service, Report):
            assert service.blobs.read(report.sha256)

    def test_leaves_what_a_case_is_about_with_its_rules(self, service: Service, mei: str) -> None:
        versions = [house(service, mei, number) for number in (3, 4, 5)]
        row = house_of(service.engine, mei, versions[1])
        assert row is not None
        second = take(service, [ndjson(2)], "two.ndjson", Wish(row.name, None, row.id), owner=mei).upload
        work(service)
        case = disputed(service, second, mei)
        assert [one.id for one in kept_by_cases(service.engine, mei)] == [second]
        assert close_account(service.engine, service.blobs, mei) == [second]
        left = counted(service)
        assert {name for name in ("share", "token", "sign_in") if name in left} == set()
        assert [one.id for one in rows(service, Upload)] == [second]
        assert {one.id for one in rows(service, HouseRules)} == set(versions[:2])
        assert [one.report_id for one in rows(service, Dispute, id=case)] == [report_of(service, second)]
        (evidence,) = rows(service, Evidence)
        assert service.blobs.read(evidence.sha256) == b"not so"
        needed = {one.sha256 for one in [*rows(service, Upload), *rows(service, Report), evidence]}
        assert files(service) == needed | {one.pack for one in rows(service, Document)}

    def test_is_closed_whole_or_not_at_all(self, service: Service, mei: str) -> None:
        take(service, [b"{}"], "x.json", owner=mei)
        (waiting,) = [one for one in rows(service, Job) if one.state == "queued"]
        claim(service, waiting.id)
        before = counted(service)
        with pytest.raises(AtWork):
            close_account(service.engine, service.blobs, mei)
        assert counted(service) == before
        assert rows(service, Account)[0].name == "Mei"


@pytest.fixture
def packed(service: Service, mei: str) -> Iterator[ZipFile]:
    """What the account takes along, after it said something in a case."""
    (upload,) = rows(service, Upload)
    disputed(service, upload.id, mei, "she passed")
    house(service, mei, 5)
    taken(service, "somebody", 2)
    with ZipFile(io.BytesIO(b"".join(export(service.engine, service.blobs, mei)))) as opened:
        yield opened


class TestAnExport:
    def test_holds_all_that_is_the_account_s(self, service: Service, mei: str, packed: ZipFile) -> None:
        assert packed.testzip() is None
        (upload,) = rows(service, Upload, owner=mei)
        place, names = f"uploads/{upload.id}/", packed.namelist()
        assert packed.read(f"{place}upload.ndjson") == ndjson(3, broken=1)
        about = json.loads(packed.read(f"{place}about.json"))
        assert (about["name"], len(about["audits"])) == ("day.ndjson", 2)
        reports = [name for name in names if name.startswith(f"{place}audits/")]
        assert len(reports) == 6
        assert {json.loads(packed.read(name))["format"] for name in reports} == {"xuezhan-report/1"}
        assert len([name for name in names if name.startswith("rule-sets/")]) == 1
        (case,) = [name for name in names if name.endswith("case.json")]
        assert json.loads(packed.read(case))["entries"][0]["payload"] == {"text": "she passed"}
        assert [packed.read(name) for name in names if "/evidence/" in name] == [b"she passed"]
        account = json.loads(packed.read("account.json"))
        assert (account["name"], account["tokens"][0]["name"], len(account["shares"])) == ("Mei", "bot", 1)

    def test_holds_nothing_of_others(self, service: Service, packed: ZipFile) -> None:
        (other,) = rows(service, Upload, owner="somebody")
        assert [name for name in packed.namelist() if other.id in name] == []

    def test_holds_no_secret_and_no_hash_of_one(self, service: Service, packed: ZipFile) -> None:
        tables = {"account": ("password",), "token": ("sha256",), "sign_in": ("id",), "share": ("sha256",)}
        everything = b"".join(packed.read(name) for name in packed.namelist())
        with reading(service.engine) as session:
            for name, columns in tables.items():
                table = SQLModel.metadata.tables[name]
                for column in columns:
                    kept = session.execute(select(table.c[column])).scalars().all()
                    assert kept
                    assert [one for one in kept if one.encode() in everything] == []
        assert b"argon2" not in everything

    def test_comes_in_pieces(self, service: Service, mei: str) -> None:
        pieces = export(service.engine, service.blobs, mei)
        assert next(pieces)[:2] == b"PK"
        assert len(list(pieces)) > 5


def test_the_same_bytes_of_another_can_be_audited_again(service: Service) -> None:
    first, second = (take(service, [ndjson(2)], "x.ndjson", owner=owner).upload for owner in ("mei", "li"))
    work(service)
    remove_upload(service.engine, service.blobs, "mei", first)
    audit_again(service, second, Wish("mil-sbr", None, None))
    work(service)
    assert {one.state for one in rows(service, Job)} == {"done"}
