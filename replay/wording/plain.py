"""Text that is safe to print: nothing hidden in it, no line wider than asked.

Names and other words of a log were written by others. In what we print they may not move the cursor, colour
the terminal, turn the direction of writing, or hide (categories C* and line separators of Unicode).
"""

import re
import unicodedata

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Categories whose characters act instead of being seen."""

CONTROL_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""What a terminal takes for a command: ESC [ … letter."""

MARKS = frozenset({"Mn", "Me"})
NAME_WIDTH = 24
TEXT_LENGTH = 80
OPENERS = "（「『“‘《([{"
CLOSERS = "，。、：；？！）」』”’》,.;:?!)]}"


def visible(value: object, limit: int = TEXT_LENGTH) -> str:
    r"""A foreign text with every hidden character spelled out, cut after ``limit`` characters.

    >>> print(visible("a\x1b[31m" + chr(0x202E)))
    a\u001b[31m\u202e
    """
    shown = []
    for char in str(value)[: limit + 1]:
        hidden = unicodedata.category(char) in HIDDEN
        shown.append(f"\\u{ord(char):04x}" if hidden else char)
    return "".join(shown) if len(shown) <= limit else "".join(shown[:limit]) + "…"


def clean_name(value: object) -> str:
    """A player's name on one line, without hidden characters, at most `NAME_WIDTH` columns; maybe "".

    Marks that pile up on one letter are held to two.

    >>> clean_name("  Li" + chr(0x202E) + chr(27) + "[31m Ming ")
    'Li Ming'
    """
    kept: list[str] = []
    text = CONTROL_SEQUENCE.sub("", str(value if value is not None else "")[:256])
    for char in " ".join(text.split()):
        category = unicodedata.category(char)
        piled = category in MARKS and all(unicodedata.category(mark) in MARKS for mark in kept[-2:])
        if category not in HIDDEN and not piled:
            kept.append(char)
    return clip("".join(kept).strip(), NAME_WIDTH)


def width(text: str) -> int:
    """Columns that ``text`` takes in a terminal: two for a wide character, none for a mark.

    >>> width("5筒"), width("5p")
    (3, 2)
    """
    columns = 0
    for char in text:
        if unicodedata.category(char) not in MARKS:
            columns += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return columns


def clip(text: str, columns: int) -> str:
    """``text`` cut to so many columns, with … where something was cut.

    >>> clip("血战到底", 5)
    '血战…'
    """
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def wrap(line: str, columns: int) -> list[str]:
    """``line`` broken at spaces and between wide characters; its further lines are indented by two more.

    >>> wrap("  one two three", 10)
    ['  one two', '    three']
    """
    indent = line[: len(line) - len(line.lstrip(" "))]
    lines, current = [], indent
    for unit in _units(line[len(indent) :], columns - len(indent) - 2):
        if width(current.rstrip() + unit.rstrip()) > columns or width(current + unit.rstrip()) > columns:
            lines.append(current.rstrip())
            current = indent + "  "
            unit = unit.lstrip(" ")
        current += unit
    return [*lines, current.rstrip()]


def _units(text: str, longest: int) -> list[str]:
    """The pieces a line may be broken between; no closing mark begins one, no opening mark ends one."""
    pieces = re.findall(r" +|[^ ]", text)
    units: list[str] = []
    for piece in pieces:
        if units and _stays(units[-1], piece) and width(units[-1] + piece) <= longest:
            units[-1] += piece
        else:
            units.append(piece)
    return units


def _stays(unit: str, piece: str) -> bool:
    """Whether ``piece`` may not begin a line after ``unit``."""
    if piece[0] in CLOSERS or piece.isspace() or unit[-1] in OPENERS:
        return True
    return not unit[-1].isspace() and width(unit[-1]) < 2 and width(piece) < 2
