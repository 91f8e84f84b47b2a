"""Cutting what is long into pages."""

from dataclasses import dataclass

from flask import request


@dataclass(frozen=True, slots=True)
class Pager:
    """One page of many: ``number`` counts from 1, ``name`` is its argument in the address."""

    number: int
    pages: int
    most: int
    name: str

    @property
    def first(self) -> int:
        """The position of the page's first item."""
        return (self.number - 1) * self.most

    @property
    def stop(self) -> int:
        """The position after its last."""
        return self.first + self.most


def pager(total: int, most: int, name: str = "page") -> Pager:
    """The page asked for; the nearest there is where it is out of range."""
    pages = max(1, -(-total // most))
    asked = request.args.get(name, 1, type=int)
    return Pager(min(max(asked, 1), pages), pages, most, name)
