"""Taking a log in: bytes or a document, of our own format or of one that an importer knows."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
import rfc8785

from replay.findings import Finding
from replay.formats import check_document, read_log
from replay.importers import detect
from replay.limits import DEFAULT, Limits
from replay.report import Source


@dataclass(slots=True)
class Intake:
    """A log as it was given and as it was read; ``document`` is None exactly when it cannot be audited."""

    given: bytes | Mapping[str, Any]
    document: Mapping[str, Any] | None
    findings: tuple[Finding, ...]
    importer: Mapping[str, str] | None = None

    def source(self) -> Source:
        """Id, digest and importer, for the report."""
        document = self.document or {}
        log_id = document.get("id")
        return Source(
            log_id if isinstance(log_id, str) else None, partial(digest_of, self.given), self.importer
        )

    def stated_rules(self) -> Mapping[str, Any]:
        """What the document says about its rules."""
        rules: Mapping[str, Any] = (self.document or {}).get("rules", {})
        return rules


def digest_of(given: bytes | Mapping[str, Any]) -> str:
    """SHA-256 in hexadecimal: of the bytes given, or of the RFC 8785 bytes of a document (formats §2).

    A document without such bytes (it holds what JSON does not) is named by its text as Python writes it.
    """
    if isinstance(given, Mapping):
        try:
            given = rfc8785.dumps(dict(given))
        except (rfc8785.CanonicalizationError, RecursionError):
            given = repr(given).encode(errors="backslashreplace")
    return hashlib.sha256(given).hexdigest()


def take_in(data: bytes | Mapping[str, Any], limits: Limits = DEFAULT) -> Intake:
    """Read a log, through an importer where it is not of our own format."""
    if isinstance(data, Mapping):
        document = dict(data)
        foreign = document if "format" not in document else None
        reading = check_document(document, limits) if foreign is None or detect(foreign) is None else None
    else:
        reading = read_log(data, limits)
        foreign = decoded(data, limits) if reading.document is None else None
    importer = detect(foreign)
    if importer is None or foreign is None:
        assert reading is not None
        return Intake(data, reading.document, reading.findings)
    imported = importer.convert(foreign)
    named = {"name": imported.name, "version": imported.version}
    if imported.log is None:
        return Intake(data, None, imported.findings, named)
    checked = check_document(imported.log, limits)
    return Intake(data, checked.document, (*imported.findings, *checked.findings), named)


def decoded(data: bytes, limits: Limits) -> Any:
    """The document in bytes that are no log of ours, or None; a foreign one may hold fractions."""
    if len(data) > limits.document_bytes:
        return None
    try:
        document = orjson.loads(data)
    except ValueError:
        return None
    return document if isinstance(document, dict) and "format" not in document else None
