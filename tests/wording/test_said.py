"""English words inside a finding's facts are said in each language, wherever findings come from."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from replay import OptionProblems, UnknownProfile, audit, load_profile, profile_ids
from replay.containers import members
from replay.findings import Finding
from replay.formats import read_log
from replay.importers import failure
from replay.importers.malformed import shown
from replay.limits import DEFAULT
from replay.wording import render
from replay.wording.phrases import match

from ..containers.samples import ONE, why, zipped
from ..findings.test_each_code import FOLDER as EXAMPLES
from ..findings.test_each_code import FOLDERS
from ..formats.samples import KINDS, log
from ..formats.test_damaged import damaged, wounded
from ..importers.samples import SEEDS, imported, salasasa, ticks
from ..importers.test_malformed import WRONG, put
from .phrases import CHINESE, TOO_MUCH, TWO_WORDS, assert_said, own_rules, problems, prose, untranslated


@pytest.mark.parametrize("code", FOLDERS)
def test_the_bad_log_of_each_code_is_said(code: str) -> None:
    assert_said(*audit((EXAMPLES / code / "bad.json").read_bytes()).all_findings)


@settings(max_examples=150, deadline=None)
@given(wounded())
def test_damaged_bytes_are_said(data: bytes) -> None:
    assert_said(*read_log(data).findings)


@settings(max_examples=100, deadline=None)
@given(damaged())
def test_damaged_logs_are_said(document: dict[str, Any]) -> None:
    assert_said(*audit(document).all_findings)


@pytest.mark.parametrize("value", [None, "x y", 1.5, {"a b": 1}, [["a b"]], {1, 2}])
def test_a_wrong_value_anywhere_is_said(value: object) -> None:
    def places(part: Any) -> Iterator[tuple[Any, Any]]:
        for key in list(part) if isinstance(part, dict) else range(len(part)):
            yield part, key
            if isinstance(part[key], dict | list):
                yield from places(part[key])

    document = log()
    for holder, key in list(places(document)):
        kept, holder[key] = holder[key], value
        assert_said(*audit(document).all_findings)
        holder[key] = kept


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_that_is_missing_or_unknown_is_said(kind: str) -> None:
    for key in ("type", "seat", "tile"):
        document = log()
        action = document["hands"][0]["actions"][KINDS.index(kind)]
        action.pop(key, None)
        action["of_mine"] = 1
        assert_said(*audit(document).all_findings)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("without", [(), ("side",), ("side", "conf"), ("side", "conf", "final")])
def test_an_import_is_said(seed: int, without: tuple[str, ...]) -> None:
    assert_said(*imported(salasasa(seed, *without)).findings)


@pytest.mark.parametrize(("pointer", "value"), WRONG, ids=lambda value: str(shown(value))[:40])
def test_a_record_that_is_not_what_it_seems_is_said(pointer: str, value: object) -> None:
    record = salasasa(53)
    put(record, pointer, value)
    findings = imported(record).findings
    assert_said(*findings)
    for name, fact in (one for finding in findings for one in prose(finding)):
        assert name != "expected" or match(str(fact)) or "/" in str(fact)


def test_what_a_hand_of_a_record_lacks_is_said() -> None:
    for at, tick in enumerate((["d"], ["liuju", "new"], ["liuju"], ["strange words here"])):
        record = salasasa(2199, "final")
        ticks(record).insert(20 * at, tick)
        assert_said(*imported(record).findings)
    for change in (1, -1):
        record = salasasa(2199)
        record["final"][0]["score"] += change
        record["side"][0]["decisions"] = record["side"][0]["decisions"][::2]
        assert_said(*imported(record).findings)


def test_a_record_of_a_strange_format_and_an_importer_that_fails_are_said() -> None:
    assert_said(*audit({"made by": "x"}).all_findings)
    try:
        raise ZeroDivisionError
    except ZeroDivisionError as error:
        found = failure(error, "faulty 3")
    assert_said(found)
    assert "ZeroDivisionError" in render(found, "zh-Hans")


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04 and no more",
        b"\x1f\x8b\x08 and no more",
        zipped({}),
        zipped({"../up.json": ONE}),
        zipped({"/root.json": ONE}),
        zipped({"inner.zip": zipped({"a.json": ONE})}),
        zipped({"a.json": ONE}, how=14),
        zipped({"a.json": ONE})[:-60] + b"PK\x05\x06",
    ],
    ids=["zip", "gzip", "empty", "climbing", "absolute", "nested", "lzma", "cut"],
)
def test_an_upload_that_cannot_be_read_is_said_and_not_called_json(data: bytes) -> None:
    (member,) = members(data, "up", DEFAULT)
    code, _ = why(member)
    assert code == "LOG006"
    assert_said(*member.findings)
    assert render(member.findings[0], "en").startswith("Not readable: ")
    for lang in CHINESE:
        said = render(member.findings[0], lang)
        assert "JSON" not in said
        assert not TWO_WORDS.search(said)


@pytest.mark.parametrize(
    "options",
    [
        {"bse": 1}, {"zzzzzz": 1}, {"base": 0}, {"base": 1.5}, {"base": "one two"}, {"cap_fan": "none at all"},
        {"tiles": 4}, {"shapes": 1}, {"shapes": {"no such": 1}}, {"own_gangs": 3}, {"excludes": "a b"},
        {"excludes": [["gen", "jin_gou_diao"]]}, {"rob_gang": "yes it is"}, {"levels": 1}, {"ends_on_bust": 1},
        {"hua_zhu": "cap", "cap_fan": None}, {"scale": "exp", "shapes": {"ping_hu": 0}, "absorb_gen": {}},
        {"absorb_gen": {"long_qi_dui": 1}, "dragon_pairs_absorb_gen": True}, TOO_MUCH,
    ],
    ids=str,
)  # fmt: skip
def test_options_that_cannot_be_used_are_said(options: dict[str, Any]) -> None:
    for problem in problems(own_rules(), options):
        assert_said(Finding("LOG004", {"option": "o", "problem": problem}))
        assert match(problem)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("values/tiles", "all of them"), ("values/base", -1), ("values/base", 10**9), ("values/base", 2.0),
        ("values/excludes", [["gen"]]), ("values/excludes", [["gen", "gen"]]), ("values/more here", 1),
        ("values/excludes", [["gen", "gang"]] * 60), ("more", 1), ("id", ""), ("id", "a B"), ("id", "x" * 70),
        ("format", "2"), ("default", "yes it is"), ("names/en", ""), ("names/de", "ein Name"),
        ("values/ends_on_bust", "no it is"), ("cites/no key", {}), ("readings/base", {}),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_with_a_rule_set_of_ones_own_is_said(path: str, value: object) -> None:
    document = own_rules()
    *way, last = path.split("/")
    holder = document
    for key in way:
        holder = holder[key]
    holder[last] = value
    for problem in problems(document, {}):
        assert match(problem) or problem.startswith(("{", "["))
        assert not untranslated(problem)


def test_two_unknown_keys_at_once_are_said() -> None:
    document = own_rules()
    document |= {"a b": 1, "c d": 2}
    document["values"] |= {"a b": 1, "c d": 2}
    assert [
        problem for problem in problems(document, {}) if untranslated(problem) or not match(problem)
    ] == []


def test_a_rule_set_that_is_unknown_is_said() -> None:
    with pytest.raises(UnknownProfile) as caught:
        load_profile("of the room")
    assert not untranslated(caught.value)
    with pytest.raises(OptionProblems) as problem:
        load_profile(profile_ids()[0], {"base": 0})
    assert not untranslated(problem.value)
