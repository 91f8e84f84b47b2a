"""The schemas in schemas/: valid, closed, shut off from the network, and read alike by both readers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from referencing import Registry

from replay import schemas
from replay.resources import folder

FILES = sorted(folder("schemas").glob("*.schema.json"))
LOG = schemas.schema("log")
ACTION = LOG["$defs"]["action"]
TYPES = ["swap", "void", "piao", "draw", "discard", "peng", "gang", "hu", "pass", "replace", "ting", "flee"]


NAMED = ("properties", "patternProperties", "$defs", "dependentSchemas")
DATA = ("examples", "const", "enum", "required", "default")


def subschemas(node: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema, itself first."""
    if isinstance(node, list):
        for each in node:
            yield from subschemas(each)
    elif isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key not in DATA:
                yield from subschemas(list(value.values()) if key in NAMED else value)


def branches() -> dict[str, str]:
    """The reference that each action type leads to, by the chain of if, then and else."""
    found: dict[str, str] = {}
    node = ACTION
    while "if" in node:
        found[node["if"]["properties"]["type"]["const"]] = node["then"]["$ref"]
        node = node["else"]
    return found


def last_branch() -> dict[str, Any]:
    node: dict[str, Any] = ACTION
    while "if" in node:
        node = node["else"]
    return node


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def with_examples() -> Iterator[Any]:
    for path in FILES:
        document = read(path)
        for position, example in enumerate(document.get("examples", ())):
            yield pytest.param(document, {}, example, id=f"{path.name}-{position}")
        for name, entry in document.get("$defs", {}).items():
            for position, example in enumerate(entry.get("examples", ()) if isinstance(entry, dict) else ()):
                where = {"$ref": f"#/$defs/{'action' if name in TYPES else name}"}
                yield pytest.param(document, where, example, id=f"{path.name}-{name}-{position}")


def both(document: dict[str, Any], where: dict[str, Any], instance: Any) -> tuple[bool, bool]:
    """The two verdicts on an instance of one part of a schema."""
    schema = {"$schema": document["$schema"], "$defs": document["$defs"], **where} if where else document
    slow = jsonschema.Draft202012Validator(schema, registry=Registry()).is_valid(instance)
    return slow, jsonschema_rs.Draft202012Validator(schema, offline=True).is_valid(instance)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
class TestEverySchema:
    def test_is_a_draft_2020_12_schema(self, path: Path) -> None:
        document = read(path)
        assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        jsonschema.Draft202012Validator.check_schema(document)

    def test_has_a_stable_name_that_no_host_serves(self, path: Path) -> None:
        assert read(path)["$id"].startswith("urn:xuezhan-replay:schema:")

    def test_refers_to_nothing_outside_itself(self, path: Path) -> None:
        document = read(path)
        references = {node["$ref"] for node in subschemas(document) if "$ref" in node}
        assert all(reference.startswith("#/") for reference in references)


def test_the_log_schema_has_no_keyword_that_is_slow_read_differently_or_hard_to_explain() -> None:
    shunned = {"oneOf", "anyOf", "uniqueItems", "unevaluatedProperties", "unevaluatedItems", "format"}
    assert not [node for node in subschemas(LOG) if shunned & node.keys()]


@pytest.mark.parametrize(("document", "where", "example"), list(with_examples()))
def test_every_example_in_a_schema_is_valid(
    document: dict[str, Any], where: dict[str, Any], example: Any
) -> None:
    assert both(document, where, example) == (True, True)


def test_the_log_and_the_report_have_examples() -> None:
    for name in ("log", "report"):
        assert schemas.schema(name)["examples"]
    assert all(LOG["$defs"][kind]["examples"] for kind in TYPES)


class TestActionTypes:
    def test_are_one_enum(self) -> None:
        assert sorted(last_branch()["properties"]["type"]["enum"]) == sorted(TYPES)

    def test_have_an_entry_and_a_branch_each(self) -> None:
        assert branches() == {kind: f"#/$defs/{kind}" for kind in branches()}
        assert sorted(branches()) == sorted(TYPES)

    @pytest.mark.parametrize("kind", TYPES)
    def test_are_closed_but_for_x_keys(self, kind: str) -> None:
        entry = LOG["$defs"][kind]
        assert entry["additionalProperties"] is False
        assert entry["patternProperties"] == {"^x_": True}
        assert {"type", "seat", "ms", "by"} <= set(entry["properties"])
        assert {"type", "seat"} <= set(entry["required"])

    @pytest.mark.parametrize("kind", TYPES)
    def test_want_each_required_key_and_no_other(self, kind: str) -> None:
        where = {"$ref": "#/$defs/action"}
        example = LOG["$defs"][kind]["examples"][0]
        for key in LOG["$defs"][kind]["required"]:
            assert both(LOG, where, {k: v for k, v in example.items() if k != key}) == (False, False)
        assert both(LOG, where, {**example, "other": 1}) == (False, False)
        assert both(LOG, where, {**example, "x_other": [1, {}]}) == (True, True)


class TestStrings:
    """Python's ``$`` matches before a last line break, and JSON Schema means it not to."""

    @pytest.mark.parametrize(
        ("entry", "value"),
        [
            ("tile", "5p"),
            ("thirteen_tiles", "1m" * 13),
            ("wall", "1m" * 56),
            ("wall", "9s" * 84),
            ("hex_digest", "0f" * 32),
            ("word", "cap_fan"),
            ("label", "房间 7"),
            ("salt", "pepper"),
            ("time_stamp", "2024-05-01T20:15:00Z"),
            ("time_stamp", "2024-12-31T23:59:60.123456+08:00"),
        ],
    )
    def test_hold_no_line_break_and_nothing_before_or_after(self, entry: str, value: str) -> None:
        where = {"$ref": f"#/$defs/{entry}"}
        assert both(LOG, where, value) == (True, True)
        for damaged in (f"{value}\n", f"\n{value}", f"{value}\u2028", f"{value}\0"):
            assert both(LOG, where, damaged) == (False, False)

    @pytest.mark.parametrize(
        ("entry", "value"),
        [
            ("tile", "0m"),
            ("tile", "8z"),
            ("thirteen_tiles", "1m" * 12),
            ("thirteen_tiles", "1m" * 12 + "8z"),
            ("wall", "1m" * 85),
            ("wall", "m1" * 56),
            ("wall", ""),
            ("word", "Cap"),
            ("time_stamp", "2024-13-01T20:15:00Z"),
            ("time_stamp", "2024-05-01 20:15"),
            ("time_stamp", "٢٠٢٤-05-01T20:15:00Z"),
        ],
    )
    def test_keep_to_their_form(self, entry: str, value: str) -> None:
        assert both(LOG, {"$ref": f"#/$defs/{entry}"}, value) == (False, False)

    @pytest.mark.parametrize("entry", ["label", "text"])
    @pytest.mark.parametrize("code", [0, 9, 0x1F, 0x7F, 0x9F, 0x200E, 0x202E, 0x2066, 0x2069, 0x61C, 0xFEFF])
    def test_hold_no_character_that_steers_a_display(self, entry: str, code: int) -> None:
        assert both(LOG, {"$ref": f"#/$defs/{entry}"}, f"a{chr(code)}b") == (False, False)

    def test_are_measured_in_characters(self) -> None:
        assert both(LOG, {"$ref": "#/$defs/label"}, "🀄" * 64) == (True, True)
        assert both(LOG, {"$ref": "#/$defs/label"}, "🀄" * 65) == (False, False)


class TestNumbers:
    @pytest.mark.parametrize("entry", ["integer", "count", "amount", "ms"])
    def test_are_bounded(self, entry: str) -> None:
        where = {"$ref": f"#/$defs/{entry}"}
        least: int = {"integer": -(2**53 - 1), "count": 0, "amount": 1, "ms": 0}[entry]
        for value in (least, 2**53 - 1):
            assert both(LOG, where, value) == (True, True)
        for odd in (least - 1, 2**53, 10**30, True, "1", None):
            assert both(LOG, where, odd) == (False, False)

    @pytest.mark.parametrize("value", [-1, 4, True, False, "0", None, [0]])
    def test_of_a_seat_are_0_to_3_and_no_booleans(self, value: object) -> None:
        assert both(LOG, {"$ref": "#/$defs/seat"}, value) == (False, False)


class TestFairness:
    """FAIR003 is for later: a scheme that nobody here knows, and one with keys missing, are no LOG001."""

    WHERE = {"$ref": "#/$defs/fairness"}  # noqa: RUF012 read only

    @pytest.mark.parametrize("scheme", ["wall-sha256", "salasasa", "another"])
    def test_may_lack_the_keys_of_its_scheme(self, scheme: str) -> None:
        assert both(LOG, self.WHERE, {"scheme": scheme}) == (True, True)

    def test_of_an_unknown_scheme_holds_strings_and_integers(self) -> None:
        assert both(LOG, self.WHERE, {"scheme": "another", "a": "b", "c": 1}) == (True, True)
        assert both(LOG, self.WHERE, {"scheme": "another", "a": [1]}) == (False, False)

    def test_of_a_known_scheme_holds_its_own_keys_only(self) -> None:
        assert both(LOG, self.WHERE, {"scheme": "salasasa", "block": 1}) == (False, False)
        assert both(LOG, self.WHERE, {"scheme": "wall-sha256", "commitment": "0"}) == (False, False)


class TestReport:
    """What formats.md §2 says of a report beyond its keys."""

    REPORT = schemas.schema("report")

    def changed(self, **changes: Any) -> tuple[bool, bool]:
        return both(self.REPORT, {}, {**self.REPORT["examples"][1], **changes})

    def hand(self, **changes: Any) -> tuple[bool, bool]:
        return self.changed(hands=[{**self.REPORT["examples"][1]["hands"][0], **changes}])

    def test_of_an_unreplayable_log_has_no_hands_and_a_finding(self) -> None:
        broken = self.REPORT["examples"][0]
        assert both(self.REPORT, {}, broken) == (True, True)
        assert both(self.REPORT, {}, {**broken, "findings": []}) == (False, False)
        assert self.changed(verdict="unreplayable") == (False, False)

    def test_that_is_clean_says_whether_it_is_complete(self) -> None:
        whole = self.REPORT["examples"][1]
        assert both(self.REPORT, {}, {k: v for k, v in whole.items() if k != "complete"}) == (False, False)
        assert self.changed(complete=False) == (True, True)

    def test_of_a_stopped_hand_settles_nothing(self) -> None:
        assert self.hand(stopped_at=3) == (False, False)

    @pytest.mark.parametrize("ready", [None, {}, {"0": ["3p"], "3": ["1m", "9s"]}])
    def test_names_ready_tiles_by_seat(self, ready: object) -> None:
        assert self.hand(ready=ready) == (True, True)

    @pytest.mark.parametrize("ready", [{"4": ["3p"]}, {"0\n": ["3p"]}, {"0": ["3x"]}, {"0": "3p"}, []])
    def test_refuses_other_seats_and_tiles(self, ready: object) -> None:
        assert self.hand(ready=ready) == (False, False)

    def test_may_hold_the_scores_of_a_strict_audit(self) -> None:
        assert self.hand(strict_scores=[0, 0, 0, 0]) == (True, True)
        assert self.hand(unheard_of=1) == (False, False)

    @pytest.mark.parametrize(
        ("kind", "severity"),
        [("illegal", "warning"), ("undecidable", "error"), ("lossy", "error"), ("unverified", "note")],
    )
    def test_has_one_severity_for_a_kind(self, kind: str, severity: str) -> None:
        finding = {**self.REPORT["$defs"]["finding"]["examples"][0], "kind": kind, "severity": severity}
        assert both(self.REPORT, {"$ref": "#/$defs/finding"}, finding) == (False, False)


def test_a_reference_to_a_host_is_never_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema is ours, and still: neither reader would fetch what it refers to."""
    elsewhere = {"$ref": "http://127.0.0.1:9/other.json"}
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.Draft202012Validator(elsewhere, offline=True)
    monkeypatch.setattr(schemas, "schema", lambda name: elsewhere)
    with pytest.raises(Exception, match="Unresolvable"):
        schemas.authority.__wrapped__("log").is_valid({})
