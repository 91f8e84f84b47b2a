"""Limits: how large an upload, a document and a hand may be, before anyone looks at what they say."""

from dataclasses import dataclass
from operator import ge

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

LARGEST_INTEGER = 2**53 - 1
"""Integers beyond this, either way, lose digits in programs that hold numbers as doubles."""

DEEPEST_LIMIT = 200
"""No configuration may ask for more nesting than this: readers of JSON recurse, and their stack is finite."""


SCHEMA_COUNTS = (16, 10_000, 2_000, 1_000)
"""Depth, hands, actions and other entries: no log without keys of its own has more and keeps the schema."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most; a field's unit stands beside it.

    A finding LOG008 names the field that was passed. The schema has fixed bounds of its own (2000 actions a
    hand, 10000 hands, 64 characters a name): a limit above them has no effect.
    """

    upload_bytes: int = 64 * MIB  # bytes of one upload as it came
    inflated_bytes: int = GIB  # bytes of all its members together, decompressed
    ratio: int = 50  # decompressed bytes a compressed byte ...
    ratio_free_bytes: int = 64 * MIB  # ... judged only once more bytes than this have come out
    members: int = 10_000  # files in a zip
    lines: int = 200_000  # documents in one NDJSON
    document_bytes: int = 4 * MIB  # bytes of one document
    hand_bytes: int = 256 * KIB  # bytes of one hand, written as compact JSON
    depth: int = 16  # objects and arrays inside one another, the document itself being the first
    hands: int = 10_000  # hands in one document
    actions: int = 2_000  # actions in one hand
    entries: int = 4_096  # entries of any other array or object
    reported: int = 20  # problems reported for one document that cannot be audited
    findings: int = 2_000  # findings of one log; what comes after is not audited

    @property
    def as_wide_as_schema(self) -> bool:
        """Whether these limits let by every depth and count that the schema does."""
        counts = (self.depth, self.hands, self.actions, self.entries)
        return all(map(ge, counts, SCHEMA_COUNTS))

    def __post_init__(self) -> None:
        if self.depth > DEEPEST_LIMIT:
            raise ValueError(f"depth is at most {DEEPEST_LIMIT}, not {self.depth}")


DEFAULT = Limits()
