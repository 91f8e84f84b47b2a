"""The keys of a hand page: one table, for the help that lists them and for the script that obeys them."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """Keys of one meaning, as `KeyboardEvent.key` has them, ``Shift+`` before those that are pressed with it.

    ``does`` are ways of the page (`replay.web.hands.ways`) or doings of the script; the first that there is, is taken.
    ``says`` is the text of the help.
    """

    keys: tuple[str, ...]
    does: str
    says: str


SIGNS = {
    "ArrowRight": "→",
    "ArrowLeft": "←",
    "ArrowDown": "↓",
    "ArrowUp": "↑",
    "Escape": "Esc",
    "PageDown": "PgDn",
    "PageUp": "PgUp",
    ">": "Shift .",
    "<": "Shift ,",
}

SEATS = "stepping.key.seats"

DOINGS = frozenset({"play", "faster", "slower", "copy", "help", "close"})
"""What the script does without a way of the page."""

KEYS = (
    Key(("ArrowRight", "j"), "forward", "stepping.go.forward"),
    Key(("ArrowLeft", "k"), "back", "stepping.go.back"),
    Key(("ArrowDown",), "next_decision", "stepping.go.next_decision"),
    Key(("ArrowUp",), "previous_decision", "stepping.go.previous_decision"),
    Key(("Shift+ArrowDown",), "next_any", "stepping.go.next_any"),
    Key(("Shift+ArrowUp",), "previous_any", "stepping.go.previous_any"),
    Key((".", "PageDown"), "next_finding", "stepping.go.next_finding"),
    Key((",", "PageUp"), "previous_finding", "stepping.go.previous_finding"),
    Key((">", "Shift+PageDown"), "next_error", "stepping.go.next_error"),
    Key(("<", "Shift+PageUp"), "previous_error", "stepping.go.previous_error"),
    Key(("Home",), "first previous_hand", "stepping.key.home"),
    Key(("End",), "last next_hand", "stepping.key.end"),
    Key(("[",), "previous_hand", "stepping.go.previous_hand"),
    Key(("]",), "next_hand", "stepping.go.next_hand"),
    Key(("Space",), "play", "stepping.key.play"),
    Key(("+", "="), "faster", "stepping.key.faster"),
    Key(("-",), "slower", "stepping.key.slower"),
    Key(("1",), "seat0", SEATS),
    Key(("2",), "seat1", SEATS),
    Key(("3",), "seat2", SEATS),
    Key(("4",), "seat3", SEATS),
    Key(("v",), "next_seat", "stepping.key.next_seat"),
    Key(("a",), "arbiter", "stepping.key.arbiter"),
    Key(("h",), "hide", "stepping.key.hide"),
    Key(("r",), "marks", "stepping.key.marks"),
    Key(("n",), "spoilers", "stepping.key.spoilers"),
    Key(("f",), "tab_findings", "stepping.tab.findings"),
    Key(("l",), "tab_ledger", "stepping.tab.ledger"),
    Key(("t",), "tab_log", "stepping.tab.log"),
    Key(("w",), "tab_wall", "stepping.tab.wall"),
    Key(("c",), "copy", "stepping.key.copy"),
    Key(("?",), "help", "stepping.key.help"),
    Key(("Escape",), "close", "stepping.key.close"),
)


def sign(key: str) -> str:
    """A key as it stands in the help.

    >>> sign("Shift+ArrowDown"), sign("+"), sign(">")
    ('Shift ↓', '+', 'Shift .')
    """
    _, shift, named = key.rpartition("Shift+")
    return f"Shift {SIGNS.get(named, named)}" if shift else SIGNS.get(key, key)


def listed_keys(ways: Collection[str]) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """What the help says, and for each of it the keys: as the browser calls them, what they do, how they are shown.

    Keys for ``ways`` that a page has not are not its keys.
    """
    found: dict[str, list[tuple[str, str, str]]] = {}
    for one in KEYS:
        if DOINGS.union(ways).isdisjoint(one.does.split()):
            continue
        found.setdefault(one.says, []).extend((key, one.does, sign(key)) for key in one.keys)
    return list(found.items())
