"""`replay waits`: the tiles a hand is ready for, each with its price."""

import pytest

from replay.wording import Words, text

from .running import LANGUAGES, lines, run

NINE_GATES = "1112345678999p"


def test_every_tile_that_completes_the_hand_is_named_with_its_price() -> None:
    answer = lines(run("waits", NINE_GATES, "--void", "s", "--format", "json"))[0]
    assert [wait["tile"] for wait in answer["waits"]] == [f"{rank}p" for rank in range(1, 10)]
    assert [wait["fan"] for wait in answer["waits"]] == [4, 3, 3, 3, 3, 3, 3, 3, 4]
    assert [wait["price"] for wait in answer["waits"]] == [8, 4, 4, 4, 4, 4, 4, 4, 8]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_text_names_fan_and_points(lang: str) -> None:
    result = run("waits", "23456m77p", "--meld", "peng:1m", "--meld", "an:9m", "--lang", lang)
    words = Words.of(lang)
    ready, *each = result.stdout.splitlines()
    assert words.tile_list(["1m", "4m", "7m"]) in ready
    assert [words.fan(fan) in line for line, fan in zip(each, (2, 1, 1), strict=True)] == [True] * 3
    assert words.points(2) in each[0]
    assert result.exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_that_is_not_ready_exits_1(lang: str) -> None:
    result = run("waits", "1133557799m123p", "--lang", lang)
    assert result.exit_code == 1
    assert text(lang, "cli.waits.none", profile="chengdu") in result.stdout


def test_a_wait_that_only_a_fifth_copy_could_meet_has_no_price() -> None:
    hand, never = "2222m111333p555m", ("--option", "dead_wait=never")
    assert run("waits", hand).exit_code == 1
    result = run("waits", hand, *never)
    assert result.exit_code == 0
    assert "2m: no such tile is left to come." in result.stdout


def test_where_only_a_self_draw_wins_its_price_is_shown() -> None:
    answer = lines(run("waits", NINE_GATES, "--option", "hu_on_discard=false", "--format", "json"))[0]
    assert all(wait["legal"] for wait in answer["waits"])


def test_a_hand_of_14_is_no_waiting_hand() -> None:
    result = run("waits", NINE_GATES + "1p")
    assert result.exit_code == 2
    assert "there must be 13 concealed tiles; there are 14" in result.stderr


def test_a_hand_with_a_wildcard_waits_for_whatever_it_can_complete() -> None:
    pengs = "--meld", "peng:4m", "--meld", "peng:6m", "--meld", "peng:8m"
    asked = "2399s", *pengs, "--profile", "tingyong", "--format", "json"
    plain, wild = (lines(run("waits", *asked, *more))[0] for more in ((), ("--wild", "2s")))
    assert [wait["tile"] for wait in plain["waits"]] == ["1s", "4s"]
    assert [wait["tile"] for wait in wild["waits"]] == ["1s", "2s", "3s", "4s", "5s", "9s"]
    assert wild["waits"][0]["read_as"] == "1s2s3s9s9s"


def test_a_wildcard_is_refused_where_the_rules_have_none() -> None:
    result = run("waits", NINE_GATES, "--wild", "2m")
    assert result.exit_code == 2
    assert "has no wildcard" in result.stderr
