"""Operations D9: checkpoints say what is spelled out, are made when they are due, and stand outside the database too."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import Engine

from replay.jobs import checkpointing
from replay.jobs.checkpointing import (
    checkpoint_now,
    folder_of,
    keep_checkpoints,
    key_path,
    known_key,
    own_key,
)
from replay.jobs.service import Service
from replay.settings import BadSettings, Settings, settings_from
from replay.store import checkpoints
from replay.store.checkpoints import (
    LogDiffers,
    NoCheckpoint,
    checkpoint_at,
    checkpoints_of,
    count_checkpoints,
    file_bytes,
    files_in,
    is_due,
    is_sound,
    make_checkpoint,
    newest_checkpoint,
    read_checkpoint,
    signed,
    signed_bytes,
    write_file,
)
from replay.store.keys import new_signing_key, public_digits, signing_key
from replay.store.verdicts import FIRST_PREV, head_of
from worker.loop import work_without_broker

from .verdict_rows import add_rows, change, found, kinds, let_be_changed

KEY = signing_key("11" * 32)


class TestWhatIsSigned:
    """A worked vector: the first key of RFC 8032 §7.1, signed once by another program (openssl)."""

    SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    HEAD = "6a4b7f6f728a79da40c099ba921de28669608e406fe869b7b49e0cf854a3d204"
    BYTES = (
        '{"at":1700000000000,"format":"xuezhan-checkpoint/1","head":"'
        + HEAD
        + '","key":"'
        + PUBLIC
        + '","size":1}'
    )
    SIGNATURE = (
        "9001e3602ce5ea39a5b169f5032216a98be7e871b5ec60115fc3f4cf02c45e9d"
        "6289cadbb9c729b79ef1e1cb5c1a984a8c7f805fb37d7580febe76e2b49e1201"
    )

    def test_d9_is_spelled_out(self) -> None:
        made = signed(1, self.HEAD, 1_700_000_000_000, signing_key(self.SECRET))
        assert signed_bytes(made) == self.BYTES.encode()
        assert (made.key, made.signature) == (self.PUBLIC, self.SIGNATURE)
        assert is_sound(made)

    def test_d9_is_in_the_file_with_its_signature(self) -> None:
        made = signed(1, self.HEAD, 1_700_000_000_000, signing_key(self.SECRET))
        assert json.loads(file_bytes(made)) == {**json.loads(self.BYTES), "signature": self.SIGNATURE}
        assert read_checkpoint(file_bytes(made)) == made

    @pytest.mark.parametrize(
        "change",
        [
            {"size": 2},
            {"head": "0" * 64},
            {"at": 0},
            {"key": "0" * 64},
            {"signature": "0" * 128},
            {"signature": "x" * 128},
            {"key": "ff" * 32},
        ],
    )
    def test_d9_no_other_is_sound(self, change: dict[str, Any]) -> None:
        assert not is_sound(signed(1, self.HEAD, 1, signing_key(self.SECRET)).model_copy(update=change))

    @pytest.mark.parametrize(
        "change",
        [
            {"size": -1},
            {"size": 1.0},
            {"size": True},
            {"size": 2**53},
            {"head": "A" * 64},
            {"head": "a" * 64 + "\n"},
            {"key": None},
            {"signature": "aa"},
            {"format": "xuezhan-checkpoint/2"},
            {"more": 1},
        ],
    )
    def test_u1_a_file_that_is_none_is_refused(self, change: dict[str, Any]) -> None:
        good = json.loads(file_bytes(signed(1, self.HEAD, 1, KEY)))
        with pytest.raises(NoCheckpoint):
            read_checkpoint(json.dumps({**good, **change}).encode())

    @pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"[" * 4000, b" " * 5000, b'{"format":1}'])
    def test_u1_what_is_no_json_of_it_is_refused(self, data: bytes) -> None:
        with pytest.raises(NoCheckpoint):
            read_checkpoint(data)


class TestWhenOneIsDue:
    def test_d9_at_every_hundredth_row_and_when_an_hour_has_passed(
        self, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert not is_due(engine)
        add_rows(engine, 1)
        assert is_due(engine)
        make_checkpoint(engine, KEY, tmp_path)
        assert not is_due(engine)
        add_rows(engine, 98)
        assert not is_due(engine)
        add_rows(engine, 1)
        assert is_due(engine)
        assert make_checkpoint(engine, KEY, tmp_path).size == 100
        add_rows(engine, 1)
        assert not is_due(engine)
        monkeypatch.setattr(checkpoints, "EVERY_MS", 0)
        assert is_due(engine)
        make_checkpoint(engine, KEY, tmp_path)
        assert not is_due(engine)

    def test_d9_a_worker_makes_them(self, service: Service) -> None:
        add_rows(service.engine, 1)
        stop = Event()
        worker = Thread(target=work_without_broker, args=(service, stop))
        worker.start()
        try:
            while newest_checkpoint(service.engine) is None or not list(files_in(folder_of(service))):
                assert worker.is_alive()
        finally:
            stop.set()
            worker.join()
        (made,) = checkpoints_of(service.engine, 9)
        assert (made.size, made.head) == head_of(service.engine)


class TestMaking:
    def test_d9_signs_the_head_and_writes_it_outside_the_database(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        add_rows(engine, 3)
        made = make_checkpoint(engine, KEY, tmp_path / "there")
        assert (made.size, made.head) == head_of(engine)
        assert made.key == public_digits(KEY)
        assert is_sound(made)
        assert newest_checkpoint(engine) == checkpoint_at(engine, 3) == made
        assert list(files_in(tmp_path / "there")) == [(tmp_path / "there" / "3.json", made)]
        assert (tmp_path / "there" / "3.json").read_bytes() == file_bytes(made)
        assert found(engine) == []

    def test_d9_the_same_head_is_signed_once(self, engine: Engine, tmp_path: Path) -> None:
        add_rows(engine, 3)
        with ThreadPoolExecutor(6) as pool:
            made = list(pool.map(lambda _: make_checkpoint(engine, KEY, tmp_path), range(12)))
        assert {file_bytes(one) for one in made} == {file_bytes(made[0])}
        assert count_checkpoints(engine) == 1
        assert [path.name for path in tmp_path.glob("*.json*")] == ["3.json"]
        assert [path.name for path in tmp_path.glob(".*part")] == []

    def test_d9_one_that_says_something_else_is_not_written_over(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        old, new = signed(3, "a" * 64, 1, KEY), signed(3, "b" * 64, 2, KEY)
        assert write_file(old, tmp_path).name == "3.json"
        assert write_file(new, tmp_path).name == f"3-{'b' * 16}.json"
        assert write_file(old, tmp_path).name == "3.json"
        assert [one for _, one in files_in(tmp_path)] == [new, old]

    def test_d9_a_log_that_differs_from_an_earlier_checkpoint_gets_none(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        add_rows(engine, 3)
        make_checkpoint(engine, KEY, tmp_path)
        let_be_changed(engine)
        change(engine, "DELETE FROM verdict_log", f"UPDATE log_head SET size = 0, hash = '{FIRST_PREV}'")
        add_rows(engine, 3, "somebody")
        with pytest.raises(LogDiffers):
            make_checkpoint(engine, KEY, tmp_path)
        assert kinds(found(engine)) == ["checkpoint"]

    def test_d9_a_file_that_is_lacking_is_written_later(self, service: Service) -> None:
        add_rows(service.engine, 1)
        keep_checkpoints(service)
        (path,) = (path for path, _ in files_in(folder_of(service)))
        before = path.read_bytes()
        path.unlink()
        keep_checkpoints(service)
        assert path.read_bytes() == before

    def test_d2_what_fails_is_told_and_tried_again(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def full(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        add_rows(service.engine, 1)
        monkeypatch.setattr(checkpointing, "make_checkpoint", full)
        with caplog.at_level(logging.ERROR, logger="replay.checkpoints"):
            keep_checkpoints(service)
        assert [record.facts["error"] for record in caplog.records] == ["OSError"]  # type: ignore[attr-defined]
        assert newest_checkpoint(service.engine) is None
        monkeypatch.undo()
        keep_checkpoints(service)
        assert newest_checkpoint(service.engine) is not None

    def test_d9_a_size_that_no_log_has_has_none(self, engine: Engine) -> None:
        assert checkpoint_at(engine, 0) is None
        assert checkpoint_at(engine, 10**30) is None


class TestTheKey:
    def test_d9_is_made_once_and_nobody_else_may_read_it(self, service: Service) -> None:
        assert known_key(service) is None
        with ThreadPoolExecutor(6) as pool:
            keys = set(pool.map(lambda _: public_digits(own_key(service)), range(12)))
        assert keys == {known_key(service)}
        assert key_path(service).stat().st_mode & 0o777 == 0o600
        assert [path.name for path in service.settings.data.glob("signing_key*")] == ["signing_key"]

    def test_d9_one_that_is_given_is_taken(self, service: Service, tmp_path: Path) -> None:
        service.settings = service.settings.model_copy(update={"signing_key": TestWhatIsSigned.SECRET})
        assert known_key(service) == checkpoint_now(service).key == TestWhatIsSigned.PUBLIC
        assert not key_path(service).exists()
        kept = tmp_path / "key"
        kept.write_text(TestWhatIsSigned.SECRET + "\n")
        given = settings_from({"REPLAY_SIGNING_KEY_FILE": str(kept)})
        assert given == Settings(signing_key=TestWhatIsSigned.SECRET)

    @pytest.mark.parametrize("wrong", ["aa", "A" * 64, "g" * 64, "a" * 65])
    def test_d9_another_is_refused_and_not_shown(self, wrong: str) -> None:
        with pytest.raises(BadSettings, match=f"found {len(wrong)} characters") as caught:
            settings_from({"REPLAY_SIGNING_KEY": wrong})
        assert wrong not in str(caught.value)
        with pytest.raises(ValueError, match="64 hexadecimal digits"):
            signing_key(wrong)

    def test_d9_two_are_not_the_same(self) -> None:
        assert new_signing_key() != new_signing_key()
