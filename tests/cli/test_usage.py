"""A command line that does not fit its command is answered in the language asked for."""

from typing import Any

import pytest

from replay.wording import text

from .running import CASES, CLEAN, LANGUAGES, run

BROKEN = CASES / "illegal" / "LOG001-bad-tile.json"
LOCALES = {"en": "C", "zh-Hans": "zh_CN.UTF-8", "zh-Hant": "zh_TW.UTF-8"}
FORMATS = {"en": "text, json", "zh-Hans": "text、json", "zh-Hant": "text、json"}

MISUSES: list[tuple[tuple[object, ...], str, dict[str, Any]]] = [
    (("validate",), "missing", {"name": "INPUTS"}),
    (("import", CLEAN), "missing", {"name": "-o / --output"}),
    (("completion",), "missing", {"name": "SHELL"}),
    (("audit", CLEAN, "--nothing"), "option", {"name": "--nothing"}),
    (("--nothing",), "option", {"name": "--nothing"}),
    (("audit", CLEAN, "--format"), "value", {"name": "--format"}),
    (("audit", CLEAN, "--strict=1"), "flag", {"name": "--strict"}),
    (("nothing",), "command", {"name": "nothing"}),
    (("profiles", "nothing"), "command", {"name": "nothing"}),
    (("waits", "1m", "2m", "3m"), "extra", {"given": "2m 3m"}),
    (("bench", "--rounds", "many"), "number", {"name": "--rounds"}),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("arguments", "key", "facts"), MISUSES, ids=str)
def test_what_does_not_fit_is_said_in_the_language_asked_for(
    arguments: tuple[object, ...], key: str, facts: dict[str, Any], lang: str
) -> None:
    locale = {"LC_ALL": LOCALES[lang], "LANGUAGE": ""}
    result = run(*arguments, env=locale)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert text(lang, f"cli.usage.{key}", **facts) in result.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("given", ["--lang={}", "--lang {}"])
def test_the_language_is_heard_wherever_it_stands(given: str, lang: str) -> None:
    asked = given.format(lang).split()
    for arguments in ((*asked, "--nothing"), ("--nothing", *asked)):
        assert text(lang, "cli.usage.option", name="--nothing") in run("audit", *arguments).stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_choice_that_there_is_not_names_those_there_are(lang: str) -> None:
    result = run("audit", CLEAN, "--format", "xml", "--lang", lang)
    assert text(lang, "cli.usage.choice", name="--format", known=FORMATS[lang]) in result.stderr


def test_a_language_that_there_is_not_is_refused_in_that_of_the_locale() -> None:
    assert "--lang is one of: en, zh-Hans, zh-Hant." in run("audit", CLEAN, "--lang", "fr").stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_nearest_option_and_command_are_guessed(lang: str) -> None:
    assert text(lang, "cli.guess", guess="--format") in run("audit", "--formt", "json", "--lang", lang).stderr
    assert text(lang, "cli.guess", guess="audit") in run("audti", "--lang", lang).stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_usage_and_the_way_to_help_are_shown(lang: str) -> None:
    said = run("validate", "--lang", lang).stderr.splitlines()
    assert said[0].startswith(text(lang, "cli.usage"))
    assert said[0].endswith("replay validate [OPTIONS] INPUTS...")
    assert said[1] == text(lang, "cli.usage.help", command="replay validate")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_price_without_a_hand_says_what_is_needed(lang: str) -> None:
    assert text(lang, "cli.price.needs") in run("price", "--lang", lang).stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_option_of_the_rules_without_a_value_shows_how_one_is_set(lang: str) -> None:
    result = run("audit", CLEAN, "--option", "cap_fan", "--lang", lang)
    assert text(lang, "cli.option.form", text="cap_fan") in result.stderr


def test_nothing_typed_acts_on_the_terminal() -> None:
    for arguments in (("\x1b[2J",), ("audit", "--\x1b[2J"), ("waits", "1m", "\x1b[2J")):
        assert "\x1b" not in run(*arguments).output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_bench_labels_its_rows_in_the_language_asked_for(lang: str) -> None:
    said = run("bench", "--rounds", "1", "--lang", lang).stdout
    rows = ("loads", "valid", "read", "judge", "audit", "decoded", "written", "waits", "opcodes")
    assert [row for row in rows if text(lang, f"cli.bench.{row}") not in said] == []
    assert text(lang, "cli.bench.made", hand=text(lang, "unit.hand", n=1)) in said
    assert text(lang, "cli.bench.budget", most="2.0x") in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_bench_says_why_a_log_cannot_be_measured(lang: str) -> None:
    for name, key in ((BROKEN, "bench.no_log"), ("nowhere.json", "missing")):
        result = run("bench", name, "--lang", lang)
        assert result.stderr == f"replay: {text(lang, f'cli.{key}', name=name)}\n"
