"""`replay explain`: the rule sets by which a claim is right, in words and as data."""

import json
from pathlib import Path

import pytest

from replay.resources import folder
from tests.explain.claiming import CASES as LEGAL
from tests.explain.claiming import claiming

from .running import BREACH, LANGUAGES, lines, run

SAMPLES = folder("sample_logs")
CLEAN = SAMPLES / "chengdu" / "clean.json"
MISCLAIMED = SAMPLES / "chengdu" / "misclaimed-settlement.json"


@pytest.fixture
def capped(tmp_path: Path) -> Path:
    """A log that only one rule set explains, with a cap."""
    path = tmp_path / "capped.json"
    log = claiming(LEGAL / "zhaotong-02.json", "qq", {"cap_fan": 4}, stated=("qq", {}))
    path.write_text(json.dumps(log))
    return path


def test_names_the_one_that_explains_it(capped: Path) -> None:
    said = " ".join(run("explain", capped).stdout.split())
    assert "is right under this rule set: - QQ Sichuan mahjong, bloody battle room, cap in fan: 4" in said


def test_lists_all_that_the_money_does_not_tell_apart() -> None:
    said = " ".join(run("explain", CLEAN).stdout.split())
    assert "its money does not tell them apart: - Chengdu, bloody battle (named by the log)" in said
    assert "- Zhaotong, bloody battle" in said


def test_tells_the_first_difference_of_the_others() -> None:
    result = run("explain", MISCLAIMED)
    said = " ".join(result.stdout.split())
    assert result.exit_code == 1
    assert "is right under no built-in rule set" in said
    assert "differs first in hand 1. Claimed: hu, seat 0 pays seat 3 2 points (step 39)" in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_says_in_every_language_that_legality_is_left_out(lang: str) -> None:
    said = "".join(run("explain", CLEAN, "--lang", lang).stdout.split())
    words = {"en": "guoshuiandforcedlasttiles", "zh-Hans": "不问动作是否合规", "zh-Hant": "不問動作是否合規"}
    assert words[lang] in said


def test_gives_each_document_a_line_of_data(capped: Path) -> None:
    first, second = lines(run("explain", capped, CLEAN, "--format", "json"))
    assert [(one["profile"], one["options"]) for one in first["right"]] == [("qq", {"cap_fan": 4})]
    assert [one["profile"] for one in second["right"]] == ["chengdu", "zhaotong"]
    assert second["others"][0]["difference"]["code"] == "SET002"
    assert second["format"] == "xuezhan-explanation/1"


def test_a_log_that_claims_nothing_cannot_be_explained() -> None:
    result = run("explain", BREACH)
    claimed = any(hand.get("claimed") for hand in json.loads(BREACH.read_bytes())["hands"])
    assert not claimed
    assert result.exit_code == 2
    assert "there is nothing to explain" in " ".join(result.stdout.split())


def test_a_log_that_cannot_be_read_says_why() -> None:
    result = run("explain", "-", given=b'{"format": "xuezhan-log/1"}')
    assert result.exit_code == 2
    assert "LOG001" in result.stdout


def test_several_documents_are_headed_by_their_names(capped: Path) -> None:
    said = run("explain", capped, CLEAN).stdout
    assert said.startswith(f"== {capped}\n")
