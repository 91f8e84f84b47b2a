"""The golden reports of the sample logs: ``python -m tests.goldens`` makes every one anew, to be reviewed as a diff."""

import json
from pathlib import Path

from replay import audit

FOLDER = Path(__file__).parent.parent / "sample_logs"


def samples() -> list[Path]:
    """Every sample log, sorted."""
    return sorted(path for path in FOLDER.glob("*/*.json") if not path.name.endswith(".report.json"))


def golden_of(sample: Path) -> Path:
    """Where a sample's report is kept."""
    return sample.with_suffix(".report.json")


def report_of(sample: Path) -> str:
    """The report of a sample, written to be read."""
    report = audit(sample.read_bytes(), strict=True).to_dict()
    return json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Write every golden, and remove those without a sample."""
    for path in FOLDER.glob("*/*.report.json"):
        path.unlink()
    for sample in samples():
        golden_of(sample).write_text(report_of(sample), encoding="utf-8")


if __name__ == "__main__":
    main()
