"""The phrases for English words inside a fact: each is found again, said by the code, and safe with any text."""

import ast
import json
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.findings import Finding
from replay.formats import _JSON_WORDS, check_document
from replay.schemas import schema
from replay.sense import expected, value_schemas
from replay.wording import Words, render
from replay.wording.lookup import words_of
from replay.wording.phrases import BESIDE, GAPS, LONGEST, Phrase, match, phrase
from replay.wording.plain import visible

from .phrases import (
    CHINESE,
    PHRASES,
    QUOTED,
    TOO_MUCH,
    TWO_WORDS,
    own_rules,
    problems,
    untranslated,
)

ROOT = Path(__file__).parent.parent.parent
PLACES = [*sorted((ROOT / "replay" / "importers").rglob("*.py"))] + [
    ROOT / "replay" / f"{room}.py"
    for room in (
        "faults",
        "formats",
        "containers",
        "zips",
        "schemas",
        "semantics",
        "intake",
        "sense",
        "profile",
        "house",
    )
]
"""Where facts are put into words."""

# The words -------------------------------------------------------------------------------------------


def test_every_phrase_is_found_again_by_itself() -> None:
    samples = {"n": "7", "m": "8", "key": '"k"', "value": "'v'", "option": "base", "other": "gen"}
    samples |= {"error": "KeyError", "place": "here:7", "form": "{a, b?}"}
    for key, template in PHRASES.items():
        gaps = [name for _, name, _, _ in string.Formatter().parse(template) if name]
        parts = {name: samples.get(name, f"<{name}>") for name in gaps}
        fact = template.format_map(parts)
        if key.endswith(BESIDE):
            base = PHRASES[key.removesuffix(BESIDE)]
            wanted = base.format_map({name: parts.get(name, "7") for name in ("n", "name")})
            assert phrase("zh-Hans", fact, 1000, wanted) == words_of("zh-Hans")[key].format_map(parts)
        else:
            assert match(fact) == (key, parts)


def test_the_gaps_of_a_phrase_do_not_touch() -> None:
    for template in PHRASES.values():
        pieces = list(string.Formatter().parse(template))
        assert all(words for words, _, _, _ in pieces[1:])


def test_every_kind_of_gap_is_used() -> None:
    used = {name for said in PHRASES.values() for _, name, _, _ in string.Formatter().parse(said)}
    assert set(GAPS) <= used


def test_english_says_a_fact_as_it_is() -> None:
    for template in PHRASES.values():
        assert phrase("en", template, 1000) == template


@pytest.mark.parametrize("lang", CHINESE)
def test_no_phrase_is_left_in_english(lang: str) -> None:
    said = {key: words_of(lang)[key] for key in PHRASES}
    assert [key for key, one in said.items() if TWO_WORDS.search(QUOTED.sub("", one))] == []


# Where they come from --------------------------------------------------------------------------------


def literals(path: Path) -> Iterator[str]:
    """Every text in a module that is no docstring, with a NUL for what is put in at run time."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed |= {id(piece) for piece in node.values}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "\0" for one in node.values)


def holds(template: str, words: str) -> bool:
    """Whether the pieces of a text of the code stand in a phrase one after another."""
    at = 0
    for piece in filter(None, words.split("\0")):
        found = template.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


@pytest.mark.parametrize("path", PLACES, ids=lambda path: str(path.relative_to(ROOT / "replay")))
def test_every_english_text_of_the_code_is_a_phrase_or_part_of_one(path: Path) -> None:
    strange = [
        words
        for words in literals(path)
        if TWO_WORDS.search(words.replace("\0", "x")) and words not in _JSON_WORDS and match(words) is None
        if not any(holds(template, words) for template in PHRASES.values())
    ]
    assert strange == []


def titles(part: Any) -> Iterator[str]:
    """Every title in a schema: what a refusal says was expected."""
    if isinstance(part, dict):
        if isinstance(part.get("title"), str):
            yield part["title"]
        yield from (title for one in part.values() for title in titles(one))
    elif isinstance(part, list):
        yield from (title for one in part for title in titles(one))


def test_every_title_of_the_schema_is_a_phrase() -> None:
    assert [title for title in titles(schema("log")) if match(title) is None] == []
    assert [title for title in titles(schema("log")) if untranslated(title)] == []


VALIDATOR = "phrase.schema."
"""Phrases of the library that judges a rule set; it is asked for each of them below."""

FILLED = ("7", "x", "'x'", "{x}")
"""What may stand where a text of the code has something put in."""


def keys_said(words: str) -> Iterator[str]:
    """The phrases that a text of the code can become, or that stand in it."""
    for one in {words.replace("\0", filled) for filled in FILLED}:
        found = match(one)
        if found is not None:
            yield found[0]
            for part in found[1].values():
                yield from keys_said(part)
        yield from (
            key
            for key, template in PHRASES.items()
            if key.endswith(BESIDE) and Phrase.of(key, template).parts(f"'{one}'") is not None
        )


def put_together() -> Iterator[str]:
    """What the code puts together from several texts."""
    yield from map(expected, value_schemas().values())
    yield from problems(own_rules(), {"bse": 1})
    yield from problems(own_rules(), TOO_MUCH)
    yield from problems(own_rules(), {"excludes": [["gen", "jin_gou_diao"]]})
    for alone in ("text", True, None, 1):
        yield str(check_document(alone).findings[0].params["found"])  # type: ignore[arg-type]


def test_every_phrase_is_said_by_something() -> None:
    rooms = [*PLACES, ROOT / "replay" / "profile.py", ROOT / "replay" / "fairness.py"]
    texts = {*titles(schema("log")), *put_together(), *(words for path in rooms for words in literals(path))}
    said = {key for words in texts for key in keys_said(words)}
    assert {key for key in PHRASES if not key.startswith(VALIDATOR)} - said == set()


# What is not ours ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mine", ['"an array of 2"', "'no dealer'", "'7 hands'", '"x", expected "not JSON"'])
def test_what_is_quoted_stays_as_it_is(mine: str) -> None:
    assert mine in phrase("zh-Hans", f"found {mine}, expected boolean")
    assert phrase("zh-Hans", '"one of a, b') == '"one of a, b'


def test_words_of_the_file_are_no_phrase_where_a_fact_is_the_files() -> None:
    finding = Finding("LOG002", {"key": "an array of 2"})
    assert "an array of 2" in render(finding, "zh-Hans")


def test_what_a_record_holds_is_told_from_what_its_importer_says() -> None:
    facts = {"found": "'no dealer'", "expected": "the key dealer"}
    assert render(Finding("LOG001", facts), "zh-Hans") == "文件格式不符：应为键dealer，实为没有dealer。"
    facts["expected"] = "an integer"
    assert render(Finding("LOG001", facts), "zh-Hans") == "文件格式不符：应为整数，实为'no dealer'。"


def test_a_fact_without_a_phrase_is_shown_safely_and_short() -> None:
    assert phrase("zh-Hans", "of nobody\x1b") == "of nobody\\u001b"
    assert phrase("zh-Hant", "an array of 2" * 100, 20) == visible("an array of 2" * 100, 20)
    assert phrase("zh-Hans", f"no key {chr(34)}{chr(0x202E)}{chr(34)}") == '没有键"\\u202e"'


HOSTILE = [
    "found " + "a, expected " * 2000,
    "found " * 300 + ", expected " * 60,
    " in " * 250,
    ": " * 500,
    '"' + "\\" * 1000,
    "'" * 1000,
    "[" * 1000 + " is not one of",
    "Additional properties are not allowed (" * 25,
    " does not match any of the regexes: " * 27,
    "an integer from " + " to " * 240,
    "{" * 500 + "}" * 500,
]


def steps(fact: str) -> int:
    """The lines of Python that are run to say a fact."""
    count = 0

    def step(frame: Any, event: str, arg: Any) -> Any:
        nonlocal count
        count += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        phrase("zh-Hans", fact)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("fact", HOSTILE, ids=lambda fact: fact[:12])
def test_a_hostile_fact_costs_no_more_the_longer_it_is(fact: str) -> None:
    """Nothing is tried twice: the work is one pass over the phrases for each gap of three levels."""
    phrase("zh-Hans", "to build the table first")
    most = 60 * len(PHRASES) * 20
    assert steps(fact[: LONGEST - 1]) < most
    assert steps(fact * 10) < most


@settings(deadline=None)
@given(st.text(), st.text())
def test_whatever_stands_in_a_gap_comes_out_of_it(one: str, two: str) -> None:
    said = phrase("zh-Hans", f"found {json.dumps(one)}, expected one of {json.dumps(two)}", 100_000)
    if len(one) + len(two) < 100:
        assert json.dumps(one) in said
        assert json.dumps(two) in said


@settings(deadline=None)
@given(st.text(st.sampled_from("ab, :'\"{}[]expected found in one of 7"), max_size=60))
def test_no_fact_stops_a_message(fact: str) -> None:
    assert Words.of("zh-Hant").phrase(fact, 1000) or not fact
