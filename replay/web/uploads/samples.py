"""The sample logs that come with the service."""

import hashlib
from functools import cache
from pathlib import Path

from replay.resources import folder


def samples() -> list[str]:
    """The sample logs there are, as folder and name."""
    top = folder("sample_logs")
    found = [path.relative_to(top).with_suffix("") for path in sorted(top.glob("*/*.json"))]
    return [path.as_posix() for path in found if path.suffix != ".report"]


def sample_path(name: str) -> Path:
    """The file of a sample log."""
    return folder("sample_logs") / f"{name}.json"


@cache
def sample_digests() -> frozenset[str]:
    """SHA-256 of each sample log."""
    return frozenset(hashlib.sha256(sample_path(name).read_bytes()).hexdigest() for name in samples())
