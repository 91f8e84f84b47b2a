"""Uploads that are one stream: plain JSON, one document a line, gzip of either."""

import gzip
import json
import tracemalloc
import zlib
from dataclasses import replace

import pytest

from replay.containers import members
from replay.limits import DEFAULT, MIB

from .samples import ONE, PRETTY, TWO, refused, upload, why, zipped


class TestPlain:
    @pytest.mark.parametrize(
        "data", [ONE, ONE + b"\n", PRETTY, b"", b"no json", b"\xef\xbb\xbf" + ONE, b"[\n1,\n2]"]
    )
    def test_json_is_one_document_of_the_very_same_bytes(self, data: bytes) -> None:
        assert upload(data) == [("up", data)]

    @pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n \n"])
    @pytest.mark.parametrize("last", [b"", b"\n"])
    def test_ndjson_is_one_document_a_line(self, end: bytes, last: bytes) -> None:
        found = upload(ONE + end + TWO + last)
        assert found == [("up:1", ONE), (f"up:{1 + end.count(10)}", TWO)]

    def test_ndjson_may_begin_with_a_byte_order_mark_and_blank_lines(self) -> None:
        assert upload(b"\xef\xbb\xbf\n" + ONE + b"\n" + TWO) == [("up:2", ONE), ("up:3", TWO)]

    def test_a_damaged_line_does_not_touch_the_others(self) -> None:
        for lines in (
            [b'{"a":', ONE, TWO],
            [ONE, b"\xff\0{", TWO],
            [ONE, TWO, b"}"],
            [ONE, b"[" * 9000, TWO],
        ):
            assert [data for _, data in upload(b"\n".join(lines))] == lines

    def test_a_name_breaks_a_tie_only(self) -> None:
        assert upload(b"1\n2\n", "a.ndjson") == [("a.ndjson:1", b"1"), ("a.ndjson:2", b"2")]
        assert upload(b"1\n2\n", "a.json") == [("a.json", b"1\n2\n")]
        assert upload(PRETTY, "a.ndjson") == [("a.ndjson", PRETTY)]
        assert upload(ONE + b"\n" + TWO, "a.json") == [("a.json:1", ONE), ("a.json:2", TWO)]

    def test_a_line_that_is_too_long_is_passed_over(self) -> None:
        limits = replace(DEFAULT, document_bytes=20)
        found = list(members(b"\n".join([ONE, b'{"x":"' + b"a" * 99 + b'"}', TWO]), "up", limits))
        assert [member.data for member in found] == [ONE, None, TWO]
        assert why(found[1]) == ("LOG008", "document_bytes")

    def test_a_document_or_upload_that_is_too_long_is_refused(self) -> None:
        assert refused(PRETTY, document_bytes=20) == ("LOG008", "document_bytes")
        assert refused(PRETTY, upload_bytes=20) == ("LOG008", "upload_bytes")

    def test_lines_are_counted(self) -> None:
        found = list(members((ONE + b"\n") * 5, "up", replace(DEFAULT, lines=3)))
        assert [member.data for member in found] == [ONE] * 3 + [None]
        assert why(found[-1]) == ("LOG008", "lines")
        assert len(list(members((ONE + b"\n") * 3, "up", replace(DEFAULT, lines=3)))) == 3


class TestGzip:
    @pytest.mark.parametrize("data", [ONE, PRETTY, b"\xef\xbb\xbf" + ONE])
    def test_holds_one_document(self, data: bytes) -> None:
        assert upload(gzip.compress(data), "a.json.gz") == [("a.json.gz", data)]

    def test_holds_lines_over_several_members_and_padding(self) -> None:
        data = gzip.compress(ONE + b"\n" + TWO[:3]) + gzip.compress(b"") + gzip.compress(TWO[3:]) + b"\0" * 99
        assert upload(data, "a.gz") == [("a.gz:1", ONE), ("a.gz:2", TWO)]

    def test_holds_lines_that_end_at_any_byte_of_a_piece(self) -> None:
        lines = [b'{"%d":"%s"}' % (n, b"x" * (n * 37 % 9001)) for n in range(400)]
        assert [data for _, data in upload(gzip.compress(b"\n".join(lines)))] == lines

    def test_that_ends_early_keeps_the_lines_before(self) -> None:
        noise = [json.dumps({"n": n, "x": zlib.crc32(b"%d" % n)}).encode() for n in range(5000)]
        data = gzip.compress(b"\n".join(noise))
        found = list(members(data[: len(data) // 2], "a.gz"))
        assert len(found) > 1000
        assert [member.data for member in found[:-1]] == noise[: len(found) - 1]
        assert why(found[-1]) == ("LOG006", "a gzip stream that ends early")

    @pytest.mark.parametrize("cut", [3, 9, 10, 15, -1, -8, -9])
    def test_that_ends_early_is_no_document(self, cut: int) -> None:
        assert refused(gzip.compress(ONE)[:cut]) == ("LOG006", "a gzip stream that ends early")

    def test_that_is_damaged_is_no_document(self) -> None:
        data = gzip.compress(ONE)
        for damaged in (
            data + b"garbage",
            data[:-8] + b"\1" + data[-7:],
            data[:2] + b"\7" + data[3:],
            data[:10],
        ):
            assert refused(damaged)[0] == "LOG006"

    @pytest.mark.parametrize(
        "inner", [gzip.compress(ONE), zipped({"a": ONE}), zipped({})], ids=["gzip", "zip", "empty zip"]
    )
    def test_holds_no_further_archive(self, inner: bytes) -> None:
        assert refused(gzip.compress(inner)) == ("LOG006", "an archive inside an archive")

    def test_of_too_many_members_is_not_opened(self) -> None:
        assert refused(gzip.compress(b"") * 11, members=10) == ("LOG008", "members")

    def test_that_inflates_too_far_is_cut_off(self) -> None:
        bomb = gzip.compress(ONE + b"\n" + (b"{}" + b" " * 998 + b"\n") * 10_000)
        found = list(members(bomb, "up", replace(DEFAULT, inflated_bytes=MIB)))
        assert found[0].data == ONE
        assert len(found) < 1100
        assert why(found[-1]) == ("LOG008", "inflated_bytes")

    def test_is_judged_by_its_ratio_only_where_it_is_large(self) -> None:
        data = gzip.compress(ONE + b" " * MIB)
        assert upload(data)[0][1] == ONE + b" " * MIB
        assert refused(data, ratio_free_bytes=1000) == ("LOG008", "ratio")

    def test_bomb_is_cut_off_before_it_fills_memory(self) -> None:
        bomb = b"".join(gzip.compress(b"\n" * (32 * MIB), 9) for _ in range(8))
        for data in (
            bomb,
            gzip.compress(b"{" + b" " * (256 * MIB), 9),
            gzip.compress(b"\n" + b" \n" * (64 * MIB)),
        ):
            tracemalloc.start()
            assert list(members(data, "a.ndjson.gz"))[-1].findings
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert most < 32 * MIB


def test_a_large_upload_is_never_held_inflated() -> None:
    """64 MiB of lines out of a gzip: a few documents' worth of memory at a time."""
    line = json.dumps({"n": 1, "x": "abcdefghij" * 400}).encode() + b"\n"
    data = gzip.compress(line * (64 * MIB // len(line)), 1)
    tracemalloc.start()
    count = sum(1 for _ in members(data, "a.ndjson.gz"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 64 * MIB // len(line)
    assert most < 16 * MIB
