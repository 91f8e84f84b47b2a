"""Nothing foreign acts on the reader's terminal, and no line is wider than asked."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.findings import Finding
from replay.wording import render
from replay.wording.plain import HIDDEN, NAME_WIDTH, clean_name, clip, visible, width, wrap


@settings(deadline=None)
@given(st.text())
def test_a_name_cannot_act_on_the_terminal(name: str) -> None:
    cleaned = clean_name(name)
    assert not any(unicodedata.category(char) in HIDDEN for char in cleaned)
    assert width(cleaned) <= NAME_WIDTH


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\u202egnp.exe", "gnp.exe"),
        ("\u2066a\u2069", "a"),
        ("two\nlines\tand tab", "two lines and tab"),
        ("Z" + "\u0301" * 50, "Z\u0301\u0301"),
        ("\u200b\u200d", ""),
        (None, ""),
        (7, "7"),
        ("龙" * 30, "龙" * 11 + "…"),
    ],
)
def test_hostile_names_lose_what_is_hidden(name: object, cleaned: str) -> None:
    assert clean_name(name) == cleaned


def test_foreign_words_show_what_is_hidden_in_them() -> None:
    assert visible("a\u202eb\x00") == "a\\u202eb\\u0000"
    assert visible("x" * 100, 10) == "x" * 10 + "…"
    assert "\x1b" not in render(Finding("LOG002", {"key": "\x1b[2J"}), "en")


@settings(deadline=None)
@given(st.text(alphabet="ab 中，（）.", max_size=80), st.integers(12, 40))
def test_wrapping_keeps_the_words_and_the_width(line: str, columns: int) -> None:
    lines = wrap(line[:6].strip() + line[6:], columns)
    assert all(width(part) <= columns for part in lines)
    assert "".join(lines).replace(" ", "") == line.replace(" ", "")


def test_no_line_begins_with_a_closing_mark() -> None:
    assert wrap("中中中中中，中中", 10) == ["中中中中", "  中，中中"]


def test_columns_count_wide_characters_twice() -> None:
    assert (width("筒"), width("e\u0301"), width("5p")) == (2, 1, 2)
    assert clip("筒筒筒", 5) == "筒筒…"
