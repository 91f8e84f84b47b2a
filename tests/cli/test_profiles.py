"""`replay profiles`: every rule set, every value, its clause, and what tells two of them apart."""

import json
from pathlib import Path
from typing import Any

import pytest

import replay
from replay.house import LIMITS, LONGEST_PROSE
from replay.profile import FOLDER, profile_from, values
from replay.schemas import authority
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


def one_line(said: str) -> str:
    """What was said, whatever lines it was broken into."""
    return "".join(said.split())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_with_a_rule_set_is_named_by_place_with_the_clause_it_is_about(
    tmp_path: Path, lang: str
) -> None:
    result = run("profiles", "check", own_room(tmp_path, cap_fan="high", scale="steep"), "--lang", lang)
    assert result.exit_code == 1
    said, words = one_line(result.stdout), Words.of(lang)
    for key, problem in {
        "cap_fan": 'found "high", expected integer or null from 1 to 30',
        "scale": 'found "steep", expected one of exp, exp0, lin',
    }.items():
        place = f"values/{key}"
        told = words.say("cli.profile.problem", place=place, problem=words.phrase(problem, 300))
        assert one_line(told) in said
    clause = replay.load_profile(ONE).cites["scale"]
    facts = {"document": clause.document, "section": clause.section, "text": clause.text}
    assert one_line(words.say("report.clause", rule=words.label("rule", "scale"), **facts)) in said


def test_a_key_that_is_missing_is_told_with_its_clause(tmp_path: Path) -> None:
    path = own_room(tmp_path)
    document = json.loads(path.read_bytes())
    del document["values"]["forced_last"], document["cites"]
    path.write_text(json.dumps(document))
    said = one_line(run("profiles", "check", path).stdout)
    assert one_line("values: 'forced_last' is a required property") in said
    assert one_line(replay.load_profile(ONE).cites["forced_last"].text) in said


def test_values_that_make_no_sense_together_are_told_with_their_clause(tmp_path: Path) -> None:
    result = run("profiles", "check", own_room(tmp_path, hua_zhu="cap", cap_fan=None))
    assert result.exit_code == 1
    assert "values/hua_zhu: found cap" in result.stdout
    assert one_line(replay.load_profile(ONE).cites["hua_zhu"].text) in one_line(result.stdout)


def test_a_rule_set_that_cannot_be_used_stops_an_audit_by_it_in_the_same_words(tmp_path: Path) -> None:
    result = run("audit", CLEAN, "--profile", own_room(tmp_path, scale="steep"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "this rule set cannot be used" in result.stderr
    assert "values/scale: found" in result.stderr
    assert one_line(replay.load_profile(ONE).cites["scale"].text) in one_line(result.stderr)


def test_the_id_of_a_built_in_rule_set_stands_for_its_values_alone(tmp_path: Path) -> None:
    document = json.loads((FOLDER / f"{ONE}.json").read_bytes())
    path = tmp_path / "copy.json"
    path.write_text(json.dumps(document))
    assert run("profiles", "check", path).exit_code == 0
    document["values"]["cap_fan"] = 5
    path.write_text(json.dumps(document))
    result = run("profiles", "check", path)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"id: found {ONE}, expected an id of its own")


def test_a_value_that_was_changed_and_cites_its_old_words_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    assert run("profiles", "new", "--from", ONE, "-o", path).exit_code == 0
    assert "Note" not in run("profiles", "check", path).stdout
    document = json.loads(path.read_bytes())
    document["values"]["forced_last"] = 3
    path.write_text(json.dumps(document))
    result = run("profiles", "check", path)
    assert result.exit_code == 0
    assert "Note: forced_last (" in result.stdout


class TestNew:
    """`replay profiles new`: a complete file to start from."""

    @pytest.mark.parametrize("base", replay.profile_ids())
    def test_a_copy_is_complete_sound_and_has_the_values_and_words_of_its_base(
        self, tmp_path: Path, base: str
    ) -> None:
        path = tmp_path / "our-room.json"
        result = run("profiles", "new", "--from", base, "-o", path)
        assert (result.exit_code, result.stdout) == (0, "")
        document = json.loads(path.read_bytes())
        assert [error.message for error in authority("profile").iter_errors(document)] == []
        rules, plain = profile_from(document), replay.load_profile(base)
        assert (rules.id, rules.digest) == ("our-room", plain.digest)
        assert (rules.cites, rules.readings) == (plain.cites, plain.readings)
        assert document["default"] is False
        assert document["x_from"] == {"profile": base, "digest": plain.digest}
        assert run("profiles", "check", path).exit_code == 0
        assert run("profiles", "diff", base, path).stdout == "The two rule sets do not differ.\n"

    def test_what_is_changed_cites_the_house_rule_set_itself(self, tmp_path: Path) -> None:
        path = tmp_path / "our-room.json"
        options = ("--option", "forced_last=0", "--option", "base=2")
        assert run("profiles", "new", "--from", ONE, *options, "-o", path).exit_code == 0
        rules, plain = profile_from(json.loads(path.read_bytes())), replay.load_profile(ONE)
        assert (rules.forced_last, rules.base) == (0, 2)
        said = {key: rules.cites[key] for key in ("forced_last", "base")}
        assert [(clause.document, clause.text) for clause in said.values()] == [
            (rules.id, "0"),
            (rules.id, "2"),
        ]
        assert all(clause.reported for clause in said.values())
        assert {key: rules.readings[key]["en"] for key in ("forced_last", "base")} == dict.fromkeys(
            ("forced_last", "base"), "set by the house"
        )
        others = {*plain.readings} - {"forced_last", "base"}
        assert {key: rules.readings[key] for key in others} == {key: plain.readings[key] for key in others}
        assert "Note" not in run("profiles", "check", path).stdout

    def test_a_short_form_takes_its_values_along(self, tmp_path: Path) -> None:
        path = tmp_path / "our-room.json"
        run("profiles", "new", "--from", ONE, "--option", "absorb_gen={}", "-o", path)
        rules = profile_from(json.loads(path.read_bytes()))
        assert (rules.absorb_gen, rules.dragon_pairs_absorb_gen) == ({}, False)
        assert {rules.cites[key].document for key in ("absorb_gen", "dragon_pairs_absorb_gen")} == {rules.id}

    def test_its_id_and_name_are_as_asked_or_made_of_the_file_s(self, tmp_path: Path) -> None:
        for name, more, expected in (
            ("Our Room.json", (), "our-room"),
            ("our-room.json", ("--id", "table-2"), "table-2"),
            ("我们.json", (), f"{ONE}-house"),
            (f"{ONE}.json", (), f"{ONE}-house"),
        ):
            assert run("profiles", "new", "--from", ONE, *more, "-o", tmp_path / name).exit_code == 0
            assert json.loads((tmp_path / name).read_bytes())["id"] == expected
        run("profiles", "new", "--from", ONE, "--name", "Table 2", "-o", tmp_path / "named.json")
        assert set(json.loads((tmp_path / "named.json").read_bytes())["names"].values()) == {"Table 2"}
        assert (
            run("profiles", "new", "--from", ONE, "--id", "No id", "-o", tmp_path / "x.json").exit_code == 2
        )

    def test_it_starts_from_a_rule_set_of_ones_own_as_well(self, tmp_path: Path) -> None:
        first, second = tmp_path / "first.json", tmp_path / "second.json"
        run("profiles", "new", "--from", ONE, "--option", "forced_last=0", "-o", first)
        assert run("profiles", "new", "--from", first, "--option", "base=3", "-o", second).exit_code == 0
        document = json.loads(second.read_bytes())
        assert (document["id"], document["x_from"]["profile"]) == ("second", ONE)
        assert (document["values"]["forced_last"], document["values"]["base"]) == (0, 3)
        assert document["readings"]["forced_last"]["en"] == "set by the house"

    def test_a_file_that_is_there_is_kept_unless_forced(self, tmp_path: Path) -> None:
        path = tmp_path / "our-room.json"
        path.write_text("mine")
        result = run("profiles", "new", "--from", ONE, "-o", path)
        assert (result.exit_code, path.read_text()) == (2, "mine")
        assert "--force" in result.stderr
        assert run("profiles", "new", "--from", ONE, "-o", path, "--force").exit_code == 0
        assert run("profiles", "check", path).exit_code == 0

    def test_it_is_written_to_standard_output_on_request(self) -> None:
        written = json.loads(run("profiles", "new", "--from", ONE, "-o", "-").stdout)
        assert (written["id"], profile_from(written).digest) == (
            f"{ONE}-house",
            replay.load_profile(ONE).digest,
        )

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (("--from", "casino"), "There is no rule set"),
            (("--from", ONE, "--option", "gen=some"), "cannot be used"),
            (("--from", ONE, "--option", "cap_fan=null", "--option", "hua_zhu=cap"), "cap_fan is null"),
        ],
    )
    def test_what_it_cannot_be_made_of_is_refused_and_nothing_written(
        self, tmp_path: Path, more: tuple[str, ...], said: str
    ) -> None:
        result = run("profiles", "new", *more, "-o", tmp_path / "x.json")
        assert result.exit_code == 2
        assert said in result.stderr
        assert list(tmp_path.iterdir()) == []


class TestFile:
    """A file stands for a rule set wherever one is asked for."""

    def test_it_needs_no_ending_where_no_built_in_rule_set_has_its_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        own_room(tmp_path, cap_fan=2).rename(tmp_path / "rules")
        for name in ("rules", "./rules", tmp_path / "rules"):
            report = lines(run("audit", CLEAN, "--profile", name, "--format", "json"))[0]
            assert report["rules"]["profile"] == "our-room"

    def test_it_does_not_hide_a_built_in_rule_set(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        own_room(tmp_path, cap_fan=2).rename(tmp_path / ONE)
        report = lines(run("audit", CLEAN, "--profile", ONE, "--format", "json"))[0]
        assert report["rules"]["digest"] == replay.load_profile(ONE).digest

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"{", "Not readable"),
            (b"[]", "an array alone"),
            (b'{"id": "a", "id": "b"}', "stands twice"),
            (b"\xff{}", "Not UTF-8"),
            (b'{"x_deep": ' + b"[" * 9 + b"]" * 9 + b"}", "depth of nesting"),
            (b"[" * 100_000, "depth of nesting"),
            (b'{"x_long": "' + b"a" * LIMITS.document_bytes + b'"}', "size of the document"),
            (b'{"id": "\\ud800"}', "half characters"),
        ],
        ids=["json", "array", "twice", "utf-8", "deep", "deeper", "long", "surrogate"],
    )
    def test_one_that_holds_no_rule_set_is_refused_in_words(
        self, tmp_path: Path, data: bytes, said: str
    ) -> None:
        path = tmp_path / "bad.json"
        path.write_bytes(data)
        for command in (("profiles", "check", path), ("audit", CLEAN, "--profile", path)):
            result = run(*command)
            assert result.exit_code == 2
            assert said in " ".join(result.stderr.split())

    def test_a_fraction_is_told_as_what_it_is(self, tmp_path: Path) -> None:
        result = run("profiles", "check", own_room(tmp_path, base=1.5))
        assert result.exit_code == 1
        assert "values/base: found 1.5, expected integer from 1 to 1000000" in result.stdout


def test_what_is_no_rule_set_at_all_exits_2(tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("no JSON")
    assert run("profiles", "check", tmp_path / "text.json").exit_code == 2
    assert run("profiles", "check", tmp_path / "nowhere.json").exit_code == 2
    assert run("profiles", "show", "nothing").exit_code == 2
    assert run("profiles", "show", ONE, "--option", "nothing=1").exit_code == 2


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "name", ["\udcff\udcfe", "x" * (LONGEST_PROSE + 1), ""], ids=["bytes", "long", "none"]
)
def test_a_name_that_cannot_be_one_is_refused_in_one_sentence(tmp_path: Path, name: str, lang: str) -> None:
    out = tmp_path / "our-room.json"
    result = run("profiles", "new", "--from", ONE, "--name", name, "-o", out, "--lang", lang)
    assert result.exit_code == 2
    said = Words.of(lang).say("cli.profile.name", most=LONGEST_PROSE)
    assert result.stderr == f"replay: {said}\n"
    assert not out.exists()


def test_a_name_may_be_as_long_as_a_name_can_be(tmp_path: Path) -> None:
    out = tmp_path / "our-room.json"
    assert run("profiles", "new", "--from", ONE, "--name", "血" * LONGEST_PROSE, "-o", out).exit_code == 0
    assert run("profiles", "check", out).exit_code == 0


def test_of_a_list_is_told_how_many_entries_it_may_have(tmp_path: Path) -> None:
    result = run("profiles", "new", "--from", ONE, "--option", "levels=[]", "-o", tmp_path / "our-room.json")
    assert result.exit_code == 2
    assert "found [], expected array or null of 1 to 100 entries" in result.stderr


@pytest.mark.parametrize(
    ("key", "number", "said"),
    [
        (
            "x_far",
            "1152921504606846976",
            "x_far: found 1152921504606846976, expected an integer from -(2^53-1)",
        ),
        ("x_far", "1.5", "x_far: found a fraction"),
        ("cap_fan", "9" * 6000, "values/cap_fan: found 9999"),
        ("cap_fan", "1e999", "values/cap_fan: found 1e999, expected integer or null"),
        ("cap_fan", "6.0", "values/cap_fan: found 6.0, expected integer or null"),
    ],
    ids=["large", "fraction", "digits", "exponent", "point"],
)
def test_a_number_is_told_as_it_is_written(tmp_path: Path, key: str, number: str, said: str) -> None:
    path = own_room(tmp_path, cap_fan=4)
    text = path.read_text()
    if key == "cap_fan":
        path.write_text(text.replace('"cap_fan": 4', f'"cap_fan": {number}'))
    else:
        path.write_text(text.replace("{", f'{{"{key}": {number}, ', 1))
    result = run("profiles", "check", path)
    assert result.exit_code == 1
    assert one_line(said) in one_line(result.stdout)


@pytest.mark.parametrize("part", ["cites", "readings", "names", "x_note"])
def test_the_id_of_a_built_in_rule_set_stands_for_its_words_too(tmp_path: Path, part: str) -> None:
    document = json.loads((FOLDER / f"{ONE}.json").read_bytes())
    if part == "cites":
        next(iter(document["cites"].values()))["text"] = "forged"
    elif part == "readings":
        document["readings"]["base"] = dict.fromkeys(LANGUAGES, "forged")
    else:
        document[part] = dict.fromkeys(LANGUAGES, "forged")
    path = tmp_path / "copy.json"
    path.write_text(json.dumps(document))
    result = run("profiles", "check", path)
    assert result.exit_code == 1
    assert "expected an id of its own" in result.stdout
