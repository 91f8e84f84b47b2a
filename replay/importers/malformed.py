"""A foreign record that is not what it seems."""

from replay.findings import Finding

FOUND_CHARACTERS = 80


class Malformed(Exception):
    """A foreign record holds something else than its format has at ``pointer``."""

    def __init__(self, pointer: str, found: object, expected: str) -> None:
        self.pointer = pointer
        self.found = repr(found)[:FOUND_CHARACTERS]
        self.expected = expected
        super().__init__(f"{pointer}: found {self.found}, expected {expected}")

    def finding(self) -> Finding:
        """The LOG001 of it."""
        return Finding("LOG001", {"found": self.found, "expected": self.expected}, pointer=self.pointer)
