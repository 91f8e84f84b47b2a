"""Taking a log in: bytes or a document, of our own format or of one that an importer knows."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
import rfc8785

from replay.findings import Finding
from replay.formats import BYTE_ORDER_MARK, check_document, read_document, read_log
from replay.importers import detect, importers
from replay.limits import DEFAULT, Limits
from replay.log import Log
from replay.report import Source


@dataclass(slots=True)
class Intake:
    """A log as it was given and as it was read; ``log`` is None exactly when it cannot be audited.

    ``imported`` is what an importer made of a record of another program.
    """

    given: bytes | Mapping[str, Any]
    log: Log | None
    findings: tuple[Finding, ...]
    importer: Mapping[str, str] | None = None
    imported: Mapping[str, Any] | None = None

    def source(self) -> Source:
        """Id, digest and importer, for the report."""
        return Source(self.log.id if self.log else None, partial(digest_of, self.given), self.importer)

    def document(self) -> Mapping[str, Any] | None:
        """The log in plain JSON values, with its keys of its own; None where there is none."""
        if self.log is None or self.imported is not None:
            return self.imported if self.log is not None else None
        given = self.given
        document: Mapping[str, Any] = (
            orjson.loads(given.removeprefix(BYTE_ORDER_MARK)) if isinstance(given, bytes) else given
        )
        return document


def digest_of(given: bytes | Mapping[str, Any]) -> str:
    """SHA-256 in hexadecimal: of the bytes given, or of the RFC 8785 bytes of a document (formats §2).

    A document without such bytes (it holds what JSON does not) is named by its text as Python writes it.
    """
    if isinstance(given, Mapping):
        given = canonical(given)
    return hashlib.sha256(given).hexdigest()


def canonical(document: Mapping[str, Any]) -> bytes:
    """The document's RFC 8785 bytes, or as near to them as it lets one come."""
    try:
        return rfc8785.dumps(dict(document))
    except (rfc8785.CanonicalizationError, RecursionError, ValueError):
        pass
    try:
        return repr(document).encode(errors="backslashreplace")
    except RecursionError:
        return b"a document too deep to be written"


def take_in(data: bytes | Mapping[str, Any], limits: Limits = DEFAULT) -> Intake:
    """Read a log, through an importer where it is not of our own format."""
    foreign = data if isinstance(data, Mapping) and OUR_KEYS.isdisjoint(data) else None
    if foreign is None:
        reading = read_log(data, limits) if isinstance(data, bytes) else read_document(dict(data), limits)
        if reading.log is not None or isinstance(data, Mapping):
            return Intake(data, reading.log, reading.findings)
        foreign = decoded(data, limits)
        if foreign is None:
            return Intake(data, None, reading.findings)
    return read_foreign(data, foreign, limits)


def read_foreign(given: bytes | Mapping[str, Any], foreign: Mapping[str, Any], limits: Limits) -> Intake:
    """The log that an importer makes of another program's record; LOG001 when none knows it."""
    importer = detect(foreign)
    if importer is None:
        names = ", ".join(entry.name for entry in importers())
        facts = {
            "found": "a record of an unknown format",
            "expected": f"xuezhan-log/1, or a record of: {names}",
        }
        return Intake(given, None, (Finding("LOG001", facts),))
    imported = importer.convert(foreign)
    named = {"name": imported.name, "version": imported.version}
    if imported.log is None:
        return Intake(given, None, imported.findings, named)
    checked = check_document(imported.log, limits)
    return Intake(given, checked.log, (*imported.findings, *checked.findings), named, imported.log)


OUR_KEYS = frozenset({"format", "hands", "rules"})
"""A document with one of these at its top is taken for a log of ours, however broken."""


def decoded(data: bytes, limits: Limits) -> Mapping[str, Any] | None:
    """The foreign document in bytes that are no log of ours, or None; it may hold fractions."""
    if len(data) > limits.document_bytes:
        return None
    try:
        document = orjson.loads(data)
    except ValueError:
        return None
    return document if isinstance(document, dict) and OUR_KEYS.isdisjoint(document) else None
