"""What of a finding's facts is words of ours, and what of them is left in English."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from replay import OptionProblems, profile_ids
from replay.catalogue import CATALOGUE
from replay.findings import Finding
from replay.profile import FOLDER, profile_from
from replay.wording.lookup import words_of
from replay.wording.phrases import SECTION, phrase

CHINESE = ("zh-Hans", "zh-Hant")
PHRASES = {key: said for key, said in words_of("en").items() if key.startswith(SECTION)}

QUOTED = re.compile(
    r"""“[^”]*”|「[^」]*」|"(?:[^"\\]|\\.)*["…]?|'(?:[^'\\]|\\.)*['…]?|\{[^}]*\}|\[[^\]]*\]"""
)
TWO_WORDS = re.compile(r"[A-Za-z']{2,} [A-Za-z']{2,}")


def prose(finding: Finding) -> Iterator[tuple[str, object]]:
    """The facts of a finding that are words of ours."""
    for name, kind in CATALOGUE[finding.code].params.items():
        value = finding.params.get(name)
        if kind == "phrase" and value is not None:
            yield name, value
        elif kind == "phrases":
            yield from ((name, one) for one in finding.params.get(name, ()))


def untranslated(fact: object, wanted: object = None) -> list[str]:
    """English words of a fact that are left in Chinese, but for what is quoted."""
    said = [phrase(lang, fact, 1000, wanted) for lang in CHINESE]
    return [one for one in said if TWO_WORDS.search(QUOTED.sub("", one))]


def assert_said(*findings: Finding) -> None:
    """Nothing that these findings hold stays English."""
    left = [
        (finding.code, name, fact)
        for finding in findings
        if finding.kind != "undecidable"
        for name, fact in prose(finding)
        if untranslated(fact, finding.params.get("expected"))
    ]
    assert left == []


TOO_MUCH = {"base": 1_000_000, "cap_fan": 30, "coin_factor": 1_000_000}
"""Options by which one payment could grow beyond what a number holds anywhere."""


def problems(document: dict[str, Any], options: dict[str, Any]) -> list[str]:
    """What is said against a rule set or its options."""
    with pytest.raises(OptionProblems) as caught:
        profile_from(document, options)
    return [problem for _, problem in caught.value.problems]


def own_rules(**changes: Any) -> dict[str, Any]:
    """A rule set as a file holds it, with some of its values changed."""
    document: dict[str, Any] = json.loads((FOLDER / f"{profile_ids()[0]}.json").read_text(encoding="utf-8"))
    document["values"] |= changes
    return document
