"""Uploads that are a zip: what is read, what is refused, and that no damage raises."""

import gzip
import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.containers import members
from replay.formats import read_log
from replay.limits import DEFAULT, MIB

from .samples import ONE, PRETTY, TWO, refused, upload, why, zipped


def entry(name: str, data: bytes = ONE, **changes: int) -> bytes:
    """A zip of two files, the first sound, the second with parts of its directory entry changed."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("sound.json", ONE)
        info = zipfile.ZipInfo(name)
        for key, value in changes.items():
            setattr(info, key, value)
        archive.writestr(info, data)
    return target.getvalue()


def named(*files: tuple[str, bytes]) -> bytes:
    """A zip of files whose names may stand in it more than once."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own writer warns of such names
        for name, data in files:
            archive.writestr(name, data)
    return target.getvalue()


class TestZip:
    @pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    def test_holds_documents_and_lines(self, how: int) -> None:
        data = zipped({"a.json": PRETTY, "b/": b"", "b/c.ndjson": ONE + b"\n" + TWO}, how)
        assert upload(data, "u.zip") == [
            ("u.zip/a.json", PRETTY),
            ("u.zip/b/c.ndjson:1", ONE),
            ("u.zip/b/c.ndjson:2", TWO),
        ]

    @pytest.mark.parametrize(
        ("data", "problem"),
        [
            (entry("../x.json"), "a name that climbs out of a zip"),
            (entry("a/../../x.json"), "a name that climbs out of a zip"),
            (entry("/etc/x.json"), "an absolute name in a zip"),
            (entry("C:x.json"), "an absolute name in a zip"),
            (entry("a\\x.json"), "an absolute name in a zip"),
            (entry("x.json").replace(b"x.json", b"x\0json"), "a file without a plain name in a zip"),
            (
                entry("l", b"/etc/passwd", external_attr=(stat.S_IFLNK | 0o777) << 16),
                "a link or device in a zip",
            ),
            (entry("l", b"", external_attr=(stat.S_IFIFO | 0o777) << 16), "a link or device in a zip"),
            (entry("x.gz", gzip.compress(gzip.compress(ONE))), "an archive inside an archive"),
            (entry("x.gz", gzip.compress(zipped({"a": ONE}))), "an archive inside an archive"),
            (entry("x.gz", gzip.compress(ONE)[:-9]), "a gzip stream that ends early"),
            (entry("x.zip", zipped({"a": ONE})), "an archive inside an archive"),
            (
                entry("x.json", compress_type=zipfile.ZIP_BZIP2),
                "a file in a zip that is neither stored nor deflated",
            ),
            (
                entry("x.json", compress_type=zipfile.ZIP_LZMA),
                "a file in a zip that is neither stored nor deflated",
            ),
        ],
    )
    def test_refuses_a_file_and_reads_the_others(self, data: bytes, problem: str) -> None:
        sound, bad = members(data, "u")
        assert (sound.name, sound.data) == ("u/sound.json", ONE)
        assert why(bad) == ("LOG006", problem)
        assert bad.name.isprintable()

    def test_unpacks_what_is_gzip_itself(self) -> None:
        data = zipped({"a.json.gz": gzip.compress(PRETTY), "b.ndjson.gz": gzip.compress(ONE + b"\n" + TWO)})
        assert upload(data, "u.zip") == [
            ("u.zip/a.json.gz", PRETTY),
            ("u.zip/b.ndjson.gz:1", ONE),
            ("u.zip/b.ndjson.gz:2", TWO),
        ]

    def test_counts_what_comes_out_of_gzip_in_it(self) -> None:
        bomb = zipped({"a.json.gz": gzip.compress(b" " * 3 * MIB)})
        assert refused(bomb, inflated_bytes=2 * MIB) == ("LOG008", "inflated_bytes")
        assert refused(bomb, ratio_free_bytes=MIB) == ("LOG008", "ratio")
        assert refused(bomb, upload_bytes=len(bomb)) == ("LOG008", "upload_bytes")

    def test_refuses_an_encrypted_file(self) -> None:
        data = bytearray(entry("x.json"))
        for signature, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            data[data.rindex(signature) + flags] |= 1
        sound, bad = members(bytes(data), "u")
        assert sound.data == ONE
        assert why(bad) == ("LOG006", "an encrypted file in a zip")

    def test_says_where_a_name_stands_twice_and_reads_none_of_those_files(self) -> None:
        said, other = members(named(("a.json", ONE), ("b.json", PRETTY), ("a.json", TWO)), "u")
        assert (said.name, said.data) == ("u/a.json", None)
        assert [(finding.code, finding.params["key"]) for finding in said.findings] == [
            ("LOG002", "a.json (#1, #3)")
        ]
        assert (other.name, other.data) == ("u/b.json", PRETTY)

    def test_says_once_how_many_have_a_name_and_shows_the_first_places(self) -> None:
        (said,) = members(named(*[("n" * 500, ONE)] * 30), "u")
        key = said.findings[0].params["key"]
        assert key.endswith("… (#1, #2, #3, #4, #5, #6, #7, #8, #9, #10, …)")
        assert len(key) <= 160

    def test_folders_of_one_name_are_passed_over(self) -> None:
        assert upload(named(("a/", b""), ("a/", b""), ("a/b.json", ONE)), "u") == [("u/a/b.json", ONE)]

    def test_refuses_files_that_overlap(self) -> None:
        data = bytearray(entry("x.json", b'{"c": 3}' * 9))
        struct.pack_into("<I", data, data.rindex(b"PK\1\2") + 42, 4)
        for member in members(bytes(data), "u"):
            assert why(member) == ("LOG006", "files that overlap in a zip")

    def test_refuses_the_overlapping_bomb_that_shares_one_kernel(self) -> None:
        data = bytearray(zipped({f"{n}.json": ONE for n in range(5)}))
        position = -1
        while (position := data.find(b"PK\1\2", position + 1)) >= 0:
            struct.pack_into("<I", data, position + 42, 0)
        assert {why(member)[1] for member in members(bytes(data), "u")} == {"files that overlap in a zip"}

    def test_refuses_a_file_that_is_damaged_inside(self) -> None:
        data = bytearray(zipped({"a.json": ONE, "b.json": TWO}, zipfile.ZIP_STORED))
        data[data.index(ONE) + 3] ^= 1
        damaged, sound = members(bytes(data), "u")
        assert why(damaged) == ("LOG006", "a damaged file in a zip")
        assert sound.data == TWO

    def test_that_is_cut_or_empty_is_refused(self) -> None:
        assert refused(zipped({"a": ONE})[:-30]) == ("LOG006", "a damaged zip file")
        assert refused(b"PK\3\4") == ("LOG006", "a damaged zip file")
        assert refused(zipped({})) == ("LOG006", "a zip file without files")

    def test_of_too_many_files_is_not_opened(self) -> None:
        data = zipped({f"{n}.json": ONE for n in range(11)})
        assert refused(data, members=10) == ("LOG008", "members")
        assert len(upload(data)) == 11

    def test_that_inflates_too_far_in_all_its_files_is_cut_off(self) -> None:
        data = zipped({f"{n}.json": ONE + b" " * MIB for n in range(20)})
        found = list(members(data, "u", replace(DEFAULT, inflated_bytes=3 * MIB)))
        assert [member.data is None for member in found] == [False, False, True]
        assert why(found[-1]) == ("LOG008", "inflated_bytes")

    def test_passes_over_the_folder_that_a_mac_adds(self) -> None:
        assert upload(zipped({"a.json": ONE, "__MACOSX/._a.json": b"\0\5\x16\7"}), "u") == [("u/a.json", ONE)]

    def test_file_larger_than_its_entry_says_is_refused(self) -> None:
        data = bytearray(zipped({"a.json": ONE + b" " * 5000}))
        for signature, size in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
            struct.pack_into("<I", data, data.index(signature) + size, len(ONE))
        assert refused(bytes(data)) == ("LOG006", "a damaged file in a zip")


ARCHIVES: list[Callable[[], bytes]] = [
    lambda: gzip.compress(ONE + b"\n" + TWO, mtime=0),
    lambda: zipped({"a.json": ONE, "b/c.ndjson": ONE + b"\n" + TWO}),
    lambda: zipped({"a.json": ONE, "b.json": TWO}, zipfile.ZIP_STORED),
    lambda: ONE + b"\n" + TWO,
]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(ARCHIVES),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=4),
    st.integers(0, 400),
)
def test_no_damage_to_an_upload_raises(
    make: Callable[[], bytes], bytes_at: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(make())
    for position, value in bytes_at:
        data[position % len(data)] = value
    damaged = bytes(data[: -cut or None]) if cut < len(data) else bytes(data)
    for member in members(damaged, "u", replace(DEFAULT, inflated_bytes=MIB)):
        assert (member.data is None) == bool(member.findings)
        if member.data is not None:
            read_log(member.data)
