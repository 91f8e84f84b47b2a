"""Files by digest: whole or not there."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from replay.store.blobs import Blobs, TooLarge


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_is_kept_is_found_by_its_digest_and_in_parts(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    digest, size = blobs.keep([b"abc", b"", b"defg"])
    assert (digest, size) == (sha256(b"abcdefg").hexdigest(), 7)
    assert blobs.read(digest) == b"abcdefg"
    assert blobs.read(digest, 2, 3) == b"cde"


def test_the_same_bytes_are_one_file(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    assert blobs.keep([b"abc"]) == blobs.keep([b"a", b"bc"])
    assert len(files(tmp_path)) == 1


def test_too_many_bytes_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(TooLarge):
        Blobs(tmp_path).keep([b"abc", b"d"], most=3)
    assert files(tmp_path) == []


def test_bytes_that_stop_coming_leave_nothing(tmp_path: Path) -> None:
    def cut() -> Iterator[bytes]:
        yield b"abc"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        Blobs(tmp_path).keep(cut())
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["", "../" + "0" * 61, "0" * 63, "0" * 65, "A" * 64, "0" * 63 + "/"])
def test_a_name_that_is_no_digest_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a digest"):
        Blobs(tmp_path).path(name)
