"""Importers: records of other programs, read into our log format with an account of what they lack.

Each format is one module of this folder that enters itself with `importer`. A record is known by its content alone.
What it does not hold is never invented: every loss is an IMP finding and an entry in ``lacks``. An importer that
fails, by a fault of its own, costs the one record.
"""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from traceback import walk_tb
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
        """The record as a log; LOG001 for one that is not what it seems, or that the importer fails on."""
        try:
            log, findings = self.read(document)
            return Imported(log, tuple(findings), self.name, self.version)
        except Malformed as error:
            found = error.finding()
        except Exception as error:  # whatever it is, the other records go on
            found = failure(error, f"{self.name} {self.version}")
        return Imported(None, (found,), self.name, self.version)


def failure(error: Exception, name: str) -> Finding:
    """LOG001 for the importer ``name``, with the place in its program where it failed."""
    *_, (frame, line) = walk_tb(error.__traceback__)
    facts = {
        "reason": "importer",
        "found": f"{name}: {type(error).__name__} at {frame.f_globals.get('__name__')}:{line}",
        "expected": "a record that its importer can read",
    }
    return Finding("LOG001", facts)


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
    return next((entry for entry in importers() if recognised(document, entry)), None)


def recognised(document: Mapping[str, Any], entry: Importer) -> bool:
    """Whether an importer knows a document; one that fails at a look at it does not."""
    try:
        return entry.knows(document)
    except Exception:
        return False


for _module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")
