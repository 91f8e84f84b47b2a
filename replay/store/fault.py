"""What a check of the verdict log, and of the cases that it holds fast, finds to be wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it was written: which of the texts ``verdicts.fault.…`` says it, and its gaps."""

    kind: str
    facts: Mapping[str, Any]
