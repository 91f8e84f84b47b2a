"""Findings: what an audit has to say, as data; the words are chosen when it is shown.

A finding names its code, where it stands and the facts of the case (`params`). Severity, slug and clause
follow from the catalogue and the rule set, so two audits of one log differ only where the log does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["illegal", "mismatch", "malformed", "undecidable", "unverified", "lossy"]
Basis = Literal["recorded", "inferred"]
Severity = Literal["error", "warning", "note"]

SEVERITY_OF: Mapping[str, Severity] = {
    "illegal": "error",
    "mismatch": "error",
    "malformed": "error",
    "undecidable": "warning",
    "unverified": "warning",
    "lossy": "note",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing an audit found: a code, a place (counted from 0) and the facts it rests on.

    ``kind`` empty means the kind the catalogue gives the code; ``because`` are earlier action positions of
    the same hand; ``pointer`` is a JSON Pointer (RFC 6901) into the log; ``rule`` is the key whose clause it
    cites where that hangs on the case and not on the code.
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)
    hand: int | None = None
    action: int | None = None
    seat: int | None = None
    because: tuple[int, ...] = ()
    basis: Basis = "recorded"
    kind: str = ""
    pointer: str = ""
    rule: str = ""
