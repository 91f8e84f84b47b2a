"""A foreign record that is not what it seems."""

from reprlib import Repr

from replay.findings import Finding

FOUND_CHARACTERS = 80

_SHORT = Repr()
_SHORT.maxlevel = 3
_SHORT.maxstring = _SHORT.maxother = FOUND_CHARACTERS


class Malformed(Exception):
    """A foreign record holds something else than its format has at ``pointer``."""

    def __init__(self, pointer: str, found: object, expected: str) -> None:
        self.pointer = pointer
        self.found = shown(found)
        self.expected = expected
        super().__init__(f"{pointer}: found {self.found}, expected {expected}")

    def finding(self) -> Finding:
        """The LOG001 of it."""
        return Finding("LOG001", {"found": self.found, "expected": self.expected}, pointer=self.pointer)


def shown(found: object) -> str:
    """A foreign value in at most 80 characters, however large or deep it is."""
    try:
        return _SHORT.repr(found)[:FOUND_CHARACTERS]
    except ValueError:  # Python writes no integer of more than some thousand digits
        return "a number of too many digits"
