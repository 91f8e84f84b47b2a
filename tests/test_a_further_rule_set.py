"""A rule set made of values that exist is one JSON file more: no line of code knows of it, and everything does."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent

CAP = 4


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a file more: the rules of one rule set, wildcards and stakes of another."""
    copy = tmp_path_factory.mktemp("further")
    for folder in ("replay", "schemas", "templates", "sample_logs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    profiles = copy / "replay" / "profiles"
    document: dict[str, Any] = json.loads((profiles / "qq-dingque.json").read_text(encoding="utf-8"))
    wild: dict[str, Any] = json.loads((profiles / "tingyong.json").read_text(encoding="utf-8"))
    document["id"] = "lane"
    document["names"] = dict.fromkeys(document["names"], "小巷血战")
    document["values"] |= {"cap_fan": CAP, "hua_zhu_amount": 10}
    for key in ("ting_yong", "piao"):
        document["values"][key] = wild["values"][key]
        document["cites"] |= {key: wild["cites"][key]} if key in wild["cites"] else {}
        document["readings"] |= {key: wild["readings"][key]} if key in wild["readings"] else {}
    (profiles / "lane.json").write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return copy


def replay(checkout: Path, *words: str) -> str:
    """What a command of the copy prints; it must succeed."""
    told = subprocess.run(
        [sys.executable, "-m", "replay", *words], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stderr) == (0, "")
    return told.stdout


def sitting(name: str) -> dict[str, Any]:
    """A legal sitting with wildcards and stakes, to be played under the further rule set."""
    log: dict[str, Any] = json.loads((ROOT / "tests/cases/legal" / f"{name}.json").read_text("utf-8"))
    log["rules"] = {"profile": "lane", "options": {"void": "at_hu", "forced_last": 4}}
    for part in (log, *log["hands"]):
        part.pop("claimed", None)
    return log


def test_it_is_listed_and_shown_with_its_sources(checkout: Path) -> None:
    assert "lane" in replay(checkout, "profiles", "list")
    shown = replay(checkout, "profiles", "show", "lane", "--lang", "zh-Hans")
    assert "小巷血战" in shown
    assert "听用" in shown
    assert "cap_fan" in replay(checkout, "profiles", "diff", "lane", "qq-dingque")


def test_it_prices_a_hand_under_its_own_cap(checkout: Path) -> None:
    hand = ["1m1m2m2m4m4m5m5m6m6m8m8m9m", "--win", "9m", "--void", "s", "--profile", "lane"]
    told = json.loads(replay(checkout, "price", *hand, "--format", "json"))
    assert (told["result"]["fan"], told["result"]["price"]) == (5, 6 * 2 ** (CAP - 1))


def test_a_log_that_names_it_is_audited(checkout: Path, tmp_path: Path) -> None:
    """With wildcards, pengs that hold some, stakes and a 查花猪 of ten bases: clean, zero-sum, under its digest."""
    path = tmp_path / "lane.json"
    path.write_text(json.dumps(sitting("tingyong-06")), encoding="utf-8")
    report = json.loads(replay(checkout, "audit", str(path), "--format", "json"))
    assert (report["rules"]["profile"], report["verdict"]) == ("lane", "clean")
    assert [sum(hand["scores"]) for hand in report["hands"]] == [0, 0]
    pigs = [entry for hand in report["hands"] for entry in hand["ledger"] if entry["kind"] == "hua_zhu"]
    assert {entry["amount"] for entry in pigs} <= {60 * times for times in (1, 2, 4)}
    assert pigs
