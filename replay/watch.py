"""Somebody who looks on while a log is audited, and may leave a hand aside: the engine itself knows no clock."""

from typing import Protocol

SLICE = 20
"""So many actions are judged between two looks."""


class SetAside(Exception):
    """The hand is not to be audited further; ``reason`` is a variant of AUD002's message: time, died, error."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Watch(Protocol):
    """What an audit asks of who looks on."""

    def look(self, hand: int) -> None:
        """Called before a hand (counted from 0) and after every `SLICE` of its actions; what it raises ends the hand."""

    def reason(self, error: Exception) -> str:
        """Why the hand that ended with this error is set aside; raises the error where it is not the hand's own."""
