"""Inputs longer than a piece are read piece by piece, and come to the same documents."""

from collections.abc import Iterator
from dataclasses import replace
from gzip import compress
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from replay.cli.inputs import Document, read
from replay.containers import Member, members
from replay.limits import Limits

SMALL = Limits(document_bytes=24)
LINES = st.lists(st.sampled_from([b'{"a": 1}', b'{"b": "' + b"x" * 60 + b'"}', b"", b"{", b" {} ", b"\r"]))


def documents(data: bytes, name: str, piece: int, limits: Limits = SMALL) -> Iterator[Document]:
    return read(BytesIO(data), name, limits, piece)


@given(LINES, st.integers(min_value=30, max_value=90))
def test_a_long_stream_gives_the_documents_of_the_whole(lines: list[bytes], piece: int) -> None:
    data = b"\n".join([b'{"first": 1}', b"{}", *lines])
    whole = [(member.name, member.data) for member in members(data, "x.ndjson", SMALL)]
    assert [(one.member.name, one.member.data) for one in documents(data, "x.ndjson", piece)] == whole


@given(LINES, st.integers(min_value=30, max_value=90), st.integers(min_value=1, max_value=6))
def test_lines_are_counted_over_all_pieces(lines: list[bytes], piece: int, most: int) -> None:
    few = replace(SMALL, lines=most)
    data = b"\n".join([b'{"first": 1}', b"{}", *lines])
    whole = [refusal(member) for member in members(data, "x.ndjson", few)]
    assert [refusal(one.member) for one in documents(data, "x.ndjson", piece, few)] == whole


def refusal(member: Member) -> tuple[str, list[object]]:
    """A member, and the limits that it goes beyond."""
    return member.name, [finding.params["limit"] for finding in member.findings]


def test_no_room_is_made_for_what_a_limit_allows_and_does_not_come() -> None:
    huge = Limits(document_bytes=2**53 - 1, upload_bytes=2**53 - 1)
    for data in (b"{}", compress(b"{}")):
        assert [one.member.data for one in documents(data, "x", 2**53, huge)] == [b"{}"]


def test_a_line_longer_than_a_piece_is_refused_once_and_the_next_is_read() -> None:
    data = b'{}\n{"long": "' + b"x" * 500 + b'"}\n{"after": 1}\n'
    found = [one.member for one in documents(data, "x.ndjson", 64)]
    assert [(member.name, member.data) for member in found] == [
        ("x.ndjson:1", b"{}"),
        ("x.ndjson:2", None),
        ("x.ndjson:3", b'{"after": 1}'),
    ]
    assert [finding.code for finding in found[1].findings] == ["LOG008"]


def test_one_document_longer_than_a_piece_is_refused_as_a_whole() -> None:
    found = [one.member for one in documents(b'{"long":\n[' + b"1,\n" * 500 + b"1]}", "x.json", 64)]
    assert [(member.name, member.data) for member in found] == [("x.json", None)]
    assert [finding.code for finding in found[0].findings] == ["LOG008"]


def test_no_more_than_a_few_pieces_are_held() -> None:
    class Counting(BytesIO):
        ahead = 0

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert 0 < size <= 64
            self.ahead += 1
            return super().read(size)

    stream = Counting(b'{"a": 1}\n' * 1000)
    found = read(stream, "x.ndjson", SMALL, 64)
    next(found)
    assert stream.ahead <= 3
    assert sum(1 for _ in found) == 999
