"""The Salasasa games of the corpus, one a line, and what an audit finds in each: ``python -m tests.importers.table``."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import orjson

from replay import audit
from replay.findings import Finding

CORPUS = Path(__file__).parents[3] / "shared" / "records" / "salasasa.ndjson.gz"
SHOWN = ("ACT", "HND", "SET", "IMP004", "FAIR")


def row(line: bytes) -> str:
    """One game: its seed, hands that settle as the server says, and every finding about a hand."""
    report = audit(line)
    settled = sum(hand.scores is not None and hand.scores == hand.claimed for hand in report.hands)
    compared = sum(hand.claimed is not None for hand in report.hands)
    seed = orjson.loads(line)["seed"]
    return f"{seed:>5}  {len(report.hands)} hands, {settled} of {compared} as claimed  " + "  ".join(
        named(report.all_findings)
    )


def named(findings: list[Finding]) -> Iterator[str]:
    """Each finding worth a word, once: its code, and hand and seat counted from 1 and 0."""
    seen = dict.fromkeys(
        f"{finding.code} r{finding.hand + 1}" + ("" if finding.seat is None else f" seat {finding.seat}")
        for finding in findings
        if finding.hand is not None and finding.code.startswith(SHOWN)
    )
    return iter(seen)


def main() -> None:
    """Print the table."""
    with gzip.open(CORPUS) as lines:
        for line in lines:
            print(row(line))


if __name__ == "__main__":
    main()
