"""`replay price`: fan and points apart, the cap named, and many hands at once."""

import json
from pathlib import Path
from typing import Any

import pytest

import replay
from replay.wording import Words, text

from .running import CASES, LANGUAGES, lines, run

QI_DUI = "1122335566p7788m"
PRICES = [json.loads(line) for line in (CASES / "prices.ndjson").read_bytes().splitlines()]
KNOWN = [case for case in PRICES if case["profile"] in replay.profile_ids()]


def priced(tmp_path: Path, *asked: Any, more: tuple[str, ...] = ()) -> tuple[list[Any], int]:
    path = tmp_path / "hands.ndjson"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in asked))
    result = run("price", "--batch", path, *more)
    return lines(result), result.exit_code


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hu_is_shown_with_its_fan_one_by_one_and_its_points_apart(lang: str) -> None:
    result = run(
        "price", QI_DUI, "--win", "8m", "--void", "s", "--zi-mo", "--how", "gang_hua", "--lang", lang
    )
    words = Words.of(lang)
    heading, hand, fan, points = result.stdout.splitlines()
    assert words.say("report.cap", fan=words.fan(6)) in heading
    assert words.tile("8m") in heading
    assert words.tiles("1p1p2p2p3p3p5p5p6p6p7m7m8m8m") in hand
    assert words.label("fan", "qi_dui") in fan
    assert words.label("fan", "gang_hua") in fan
    assert fan.endswith(words.fan(4))
    assert words.points(8) in points
    assert result.exit_code == 0


def test_the_cap_is_named_where_it_cuts() -> None:
    said = run("price", QI_DUI, "--win", "8m", "--option", "cap_fan=2").stdout
    assert "seven pairs (qi dui) 3 fan = 3 fan" in said
    assert said.endswith("Points from each payer: 2 points (cut at the cap of 2 fan)\n")


def test_no_cap_is_said_too() -> None:
    options = "--option", "cap_fan=null", "--option", "hua_zhu=fixed", "--option", "hua_zhu_amount=16"
    assert "no cap" in run("price", QI_DUI, "--win", "8m", *options).stdout


def test_melds_are_named_by_kind() -> None:
    melds = "--meld", "peng:3m", "--meld", "zhi:9m", "--meld", "an:4444p"
    said = run("price", "11155p", "--win", "5p", *melds).stdout
    assert "Exposed: peng 3m, direct gang 9m, concealed gang 4p" in said


@pytest.mark.parametrize(
    "hand", ["1122335566p7788m", "1122335566p778m", "112233 5566筒 77,88万", "7788m1122335566p"]
)
def test_tiles_may_be_typed_by_suit_in_characters_and_without_the_winning_one(hand: str) -> None:
    result = lines(run("price", hand, "--win", "8万", "--void", "s", "--format", "json"))[0]["result"]
    assert (result["fan"], result["shape"]["id"]) == (3, "qi_dui")


WILD_HAND = "123m99s", "--win", "1m", "--meld", "peng:4m", "--meld", "peng:6m", "--meld", "peng:8m"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wildcards_are_shown_as_what_they_stand_for(lang: str) -> None:
    result = run("price", *WILD_HAND, "--wild", "9条", "--profile", "tingyong", "--lang", lang)
    words = Words.of(lang)
    assert words.say("cli.price.read_as", tiles=words.tiles("1m1m2m3m4m")) in result.stdout
    assert words.points(160) in result.stdout
    assert result.exit_code == 0


def test_a_hand_without_wildcards_is_shown_as_it_is() -> None:
    result = run("price", *WILD_HAND, "--wild", "8s", "--profile", "tingyong")
    assert result.exit_code == 0
    assert "stand for" not in result.stdout


def test_json_names_the_tiles_that_wildcards_stand_for() -> None:
    asked = *WILD_HAND, "--profile", "tingyong", "--format", "json"
    answer = lines(run("price", *asked, "--wild", "9s"))[0]
    assert (answer["wild"], answer["result"]["read_as"]) == ("9s", "1m1m2m3m4m")
    assert "read_as" not in lines(run("price", *asked, "--wild", "8s"))[0]["result"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_hu_exits_1_and_says_so(lang: str) -> None:
    result = run("price", QI_DUI, "--win", "8m", "--void", "m", "--lang", lang)
    assert result.exit_code == 1
    assert text(lang, "cli.price.why") in result.stdout


def test_a_hand_that_wins_by_self_draw_only_says_that() -> None:
    result = run("price", QI_DUI, "--win", "8m", "--option", "hu_on_discard=false")
    assert result.exit_code == 1
    assert "by self-draw only" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("12345", "--win", "5p"), "“12345” cannot be read as tiles"),
        (("11155p", "--win", "5x"), "“5x” cannot be read as tiles"),
        (("11155p", "--win", "5p"), "With 0 exposed sets there must be 14 concealed tiles; there are 5."),
        (("11155p", "--win", "5p", "--meld", "chi:3m"), "“chi:3m” is no exposed set"),
        (("11155p", "--win", "5p", "--meld", "peng:12m"), "“peng:12m” is no exposed set"),
        (("11111p" + "222333444m", "--win", "4m"), "5 copies of 1p"),
        ((QI_DUI, "--win", "9s"), "9s is not among the concealed tiles"),
        ((QI_DUI, "--win", "8m", "--wild", "2m"), "has no wildcard"),
        ((QI_DUI, "--win", "8m", "--wild", "2x", "--profile", "tingyong"), "“2x” cannot be read as tiles"),
        ((QI_DUI, "--win", "8m", "--wild", "2z", "--profile", "tingyong"), "2z is an honour"),
        ((QI_DUI, "--win", "8m", "--wild", "22m", "--profile", "tingyong"), "is not a tile"),
        ((QI_DUI, "--win", "8m", "--profile", "./nowhere.json"), "./nowhere.json: there is no such file"),
        ((QI_DUI,), "HAND and --win TILE are needed"),
        (("--batch", "nowhere.ndjson"), "nowhere.ndjson: there is no such file"),
    ],
)
def test_what_is_no_hand_or_no_rule_set_exits_2_and_says_why(arguments: tuple[str, ...], said: str) -> None:
    result = run("price", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in " ".join(result.stderr.split())


def test_json_is_a_line_of_a_batch_with_its_result(tmp_path: Path) -> None:
    arguments = QI_DUI, "--win", "8m", "--void", "s", "--format", "json"
    answer = lines(run("price", *arguments))[0]
    again, code = priced(tmp_path, {key: answer[key] for key in answer if key not in ("result", "digest")})
    assert again[0]["result"] == answer["result"]
    assert code == 0


def test_a_batch_answers_every_line_of_the_price_tables(tmp_path: Path) -> None:
    answers, code = priced(tmp_path, *KNOWN)
    assert len(KNOWN) > 60
    assert code == 0
    for case, answer in zip(KNOWN, answers, strict=True):
        result, expected = answer.pop("result"), case["expected"]
        assert answer == case
        assert {key: result[key] for key in expected if key in ("legal", "fan", "price")} == {
            key: expected[key] for key in expected if key in ("legal", "fan", "price")
        }


def test_a_bad_line_has_an_error_and_the_next_is_answered(tmp_path: Path) -> None:
    hand = {"hand": "1p1p2p2p3p3p5p5p6p6p7m7m8m8m", "win": "8m"}
    bad: list[Any] = [
        "{", "[]", {"win": "8m"}, {**hand, "melds": ["peng"]}, {**hand, "zi_mo": 1}, {**hand, "how": "gang_hua"},
        {**hand, "profile": "nothing"}, {**hand, "profile": "./x.json"}, {**hand, "options": {"nothing": 1}},
        {**hand, "win": "9s"}, {**hand, "wild": "2m"}, {**hand, "hand": "x" * 70_000},
    ]  # fmt: skip
    answers, code = priced(tmp_path, *bad, hand)
    assert code == 1
    assert all(answer["error"] and "result" not in answer for answer in answers[:-1])
    assert len(answers) == len(bad) + 1
    assert answers[-1]["result"]["fan"] == 3


def test_profile_and_options_are_for_lines_that_name_none(tmp_path: Path) -> None:
    hand = {"hand": "1p1p2p2p3p3p5p5p6p6p7m7m8m8m", "win": "8m"}
    asked = hand, {**hand, "options": {}}, {**hand, "profile": "chengdu", "options": {}}
    answers, _ = priced(tmp_path, *asked, more=("--profile", "mil-sbr", "--option", "cap_fan=1"))
    assert [answer["result"]["price"] for answer in answers] == [2, 4, 4]


def test_a_batch_comes_from_standard_input_too() -> None:
    result = run("price", "--batch", "-", given=(CASES / "prices.ndjson").read_bytes())
    assert len(lines(result)) == len(PRICES)
