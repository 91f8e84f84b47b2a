"""A document whose root is no object is refused in words, whatever it is."""

import pytest

from replay.formats import read_log


@pytest.mark.parametrize(
    "data",
    [
        b"NaN",
        b"1.5",
        b"1e5",
        b"9007199254740993",
        b"9" * 5000,
        b'"\\ud800"',
        b'"x"',
        b"true",
        b"null",
        b"[]",
        b"-Infinity",
    ],
)
def test_a_root_that_is_no_object_is_refused(data: bytes) -> None:
    reading = read_log(data)
    assert reading.log is None
    assert reading.findings[0].code in ("LOG001", "LOG006")
