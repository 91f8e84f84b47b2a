"""The situations of public.json, by id; what a test expects of one stands there."""

import json
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

FILE = Path(__file__).resolve().parent.parent / "cases" / "public.json"

CASES: dict[str, Facts] = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))["cases"]}


def deltas(case: str, reading: str, base: int = 1) -> list[int]:
    """What each seat nets in a situation under one of its readings, in points of a base."""
    found: list[int] = CASES[case]["deltas_ABCD"][reading]
    return [base * points for points in found]
