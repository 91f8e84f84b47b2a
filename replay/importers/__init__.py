"""Importers: records of other programs, read into our log format with an account of what they lack.

Each format is one module of this folder that enters itself with `importer`. A record is known by its content alone.
What it does not hold is never invented: every loss is an IMP finding and an entry in ``lacks``.
"""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from replay.findings import Finding
from replay.importers.malformed import Malformed

Reader = Callable[[Mapping[str, Any]], tuple[dict[str, Any], list[Finding]]]
"""Turns a record into a log and the findings of the import; raises `Malformed`."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a foreign record: a log document, or None, and the findings of the import."""

    log: dict[str, Any] | None
    findings: tuple[Finding, ...]
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Importer:
    """A foreign format: ``knows`` tells its records by their content, ``read`` turns one into a log."""

    name: str
    version: str
    knows: Callable[[Mapping[str, Any]], bool]
    read: Reader

    def convert(self, document: Mapping[str, Any]) -> Imported:
        """The record as a log; one that is not what it seems gives LOG001 at the place that is wrong."""
        try:
            log, findings = self.read(document)
        except Malformed as error:
            return Imported(None, (error.finding(),), self.name, self.version)
        return Imported(log, tuple(findings), self.name, self.version)


_IMPORTERS: list[Importer] = []


def importer(
    name: str, version: str, knows: Callable[[Mapping[str, Any]], bool]
) -> Callable[[Reader], Reader]:
    """Enter a reader of a foreign format."""

    def enter(read: Reader) -> Reader:
        _IMPORTERS.append(Importer(name, version, knows, read))
        return read

    return enter


def importers() -> tuple[Importer, ...]:
    """Every importer, in the order of their names."""
    return tuple(sorted(_IMPORTERS, key=lambda entry: entry.name))


def detect(document: object) -> Importer | None:
    """The importer whose format the decoded document is, or None."""
    if not isinstance(document, Mapping):
        return None
    return next((entry for entry in importers() if entry.knows(document)), None)


for _module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")
