"""`replay profiles`: every rule set, every value, its clause, and what tells two of them apart."""

import json
from pathlib import Path
from typing import Any

import pytest

import replay
from replay.profile import FOLDER, values
from replay.sense import value_keys
from replay.wording import Words

from .running import CLEAN, LANGUAGES, lines, run

ONE, OTHER = replay.profile_ids()[:2]


def own_room(folder: Path, **changes: Any) -> Path:
    """A rule set of one's own: a built-in one with other values."""
    document = json.loads((FOLDER / f"{ONE}.json").read_bytes())
    document["id"] = "our-room"
    document["values"].update(changes)
    path = folder / "our-room.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_set_is_listed_with_its_name(lang: str) -> None:
    said = run("profiles", "list", "--lang", lang).stdout
    for name in replay.profile_ids():
        assert f"{name} " in said
        assert replay.load_profile(name).names[lang] in said


def test_the_list_as_json_has_digests() -> None:
    found = {one["id"]: one["digest"] for one in lines(run("profiles", "list", "--format", "json"))}
    assert found == {name: replay.load_profile(name).digest for name in replay.profile_ids()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_value_is_shown_with_its_clause_and_its_reading(lang: str) -> None:
    said = "".join(run("profiles", "show", ONE, "--lang", lang).stdout.split())
    rules = replay.load_profile(ONE)
    for key, value in values(rules).items():
        assert "".join(f"{key} = {json.dumps(value)}".split()) in said
    assert all("".join(clause.text.split()) in said for clause in rules.cites.values())
    assert all("".join(texts[lang].split()) in said for texts in rules.readings.values())


def test_a_rule_set_as_json_holds_everything() -> None:
    shown = lines(run("profiles", "show", ONE, "--option", "cap_fan=4", "--format", "json"))[0]
    assert shown["values"] == {**values(replay.load_profile(ONE)), "cap_fan": 4}
    assert shown["options"] == {"cap_fan": 4}
    assert set(shown["cites"]) == set(replay.load_profile(ONE).cites)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_difference_shows_both_values_with_their_clauses(lang: str) -> None:
    said = run("profiles", "diff", ONE, OTHER, "--lang", lang).stdout
    one, other = values(replay.load_profile(ONE)), values(replay.load_profile(OTHER))
    heads = [line.split("（")[0].split(" (")[0] for line in said.splitlines() if not line.startswith(" ")]
    assert heads == [key for key in value_keys() if one[key] != other[key]]
    assert Words.of(lang).label("rule", "cap_fan") in said


def test_a_difference_as_json_has_a_line_a_key() -> None:
    found = {
        one["key"]: one["sides"] for one in lines(run("profiles", "diff", ONE, OTHER, "--format", "json"))
    }
    cap = [(side["profile"], side["value"]) for side in found["cap_fan"]]
    assert cap == [(name, replay.load_profile(name).cap_fan) for name in (ONE, OTHER)]
    assert all(side["clause"]["text"] for side in found["cap_fan"])


def test_a_rule_set_does_not_differ_from_itself() -> None:
    assert run("profiles", "diff", ONE, ONE).stdout == "The two rule sets do not differ.\n"


def test_a_rule_set_of_ones_own_is_checked_and_can_be_used(tmp_path: Path) -> None:
    path = own_room(tmp_path, cap_fan=2)
    assert run("profiles", "check", path).exit_code == 0
    diff = lines(run("profiles", "diff", ONE, path, "--format", "json"))
    assert [one["key"] for one in diff] == ["cap_fan"]
    said = run("price", "1122335566p7788m", "--win", "8m", "--profile", path).stdout
    assert "our-room, cap 2 fan" in said
    assert (
        lines(run("audit", CLEAN, "--profile", path, "--format", "json"))[0]["rules"]["profile"] == "our-room"
    )


def test_what_is_wrong_with_a_rule_set_is_named_by_place(tmp_path: Path) -> None:
    result = run("profiles", "check", own_room(tmp_path, cap_fan="high", scale="steep"))
    assert result.exit_code == 1
    assert "values/cap_fan: " in result.stdout
    assert "values/scale: " in result.stdout


def test_what_is_no_rule_set_at_all_exits_2(tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("no JSON")
    assert run("profiles", "check", tmp_path / "text.json").exit_code == 2
    assert run("profiles", "check", tmp_path / "nowhere.json").exit_code == 2
    assert run("profiles", "show", "nothing").exit_code == 2
    assert run("profiles", "show", ONE, "--option", "nothing=1").exit_code == 2
