"""`replay catalogue`: every entry of the registries is explained in every language, and the list has them all."""

import pytest

from replay.catalogue import CATALOGUE
from replay.examples import example_path
from replay.fans import EXTRAS, SHAPES
from replay.items import ITEMS
from replay.profile import load_profile, profile_ids, values
from replay.wording import text

from .running import LANGUAGES, lines, run

FANS = [*SHAPES, *EXTRAS]
SECTIONS = {"findings": list(CATALOGUE), "fans": FANS, "items": list(ITEMS), "rules": profile_ids()}


def squeezed(said: str) -> str:
    """Text without its spaces and line ends, as lines are broken anywhere in Chinese."""
    return "".join(said.split())


def explained(name: str, lang: str) -> str:
    """What the command says of a name."""
    result = run("catalogue", name, "--lang", lang)
    assert result.exit_code == 0, result.output
    assert all(line == line.rstrip() for line in result.stdout.splitlines())
    return squeezed(result.stdout)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_list_has_every_entry_by_name(lang: str) -> None:
    listed = run("catalogue", "--lang", lang).stdout.splitlines()
    for section, names in SECTIONS.items():
        begin = listed.index(text(lang, f"catalogue.{section}")) + 1
        assert [line.split()[0] for line in listed[begin : begin + len(names)]] == names


def test_the_list_as_json_has_a_line_an_entry() -> None:
    found = [(one["section"], one["id"]) for one in lines(run("catalogue", "--format", "json"))]
    assert found == [(section, name) for section, names in SECTIONS.items() for name in names]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_is_explained_under_its_heads(lang: str) -> None:
    for code, entry in CATALOGUE.items():
        said = explained(code, lang)
        heads = [text(lang, f"catalogue.{head}") for head in ("what", "why", "clause", "after", "bad")]
        assert [squeezed(head) for head in heads if squeezed(head) not in said] == []
        for field in ("title", "what", "why"):
            assert squeezed(text(lang, f"{code}.{field}")) in said
        assert entry.slug in said


def test_the_files_of_the_examples_can_be_audited() -> None:
    shown = "".join(run("catalogue", "ACT023").stdout.split())
    for path, status in ((example_path("ACT023", "bad"), 1), (example_path("ACT023", "good"), 0)):
        assert str(path) in shown
        assert run("audit", path).exit_code == status


def test_a_code_is_found_by_its_slug_and_in_small_letters() -> None:
    assert explained("guo-shui", "en") == explained("act023", "en") == explained("ACT023", "en")


def test_a_code_quotes_the_clause_of_every_rule_set() -> None:
    said = explained("ACT023", "en")
    quoted = [load_profile(one).cites.get("guo_shui") for one in profile_ids()]
    assert all(squeezed(clause.text) in said for clause in quoted if clause is not None)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_fan_is_explained_with_its_worth_and_its_hand(lang: str) -> None:
    for fan in FANS:
        said = explained(fan, lang)
        assert squeezed(text(lang, f"fan_what.{fan}")) in said
        assert squeezed(text(lang, f"fan.{fan}")) in said
        having = [
            one for one in profile_ids() if fan in {**load_profile(one).shapes, **load_profile(one).extras}
        ]
        assert all(one in said for one in having)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_payment_is_explained_with_what_decides_it(lang: str) -> None:
    for kind, item in ITEMS.items():
        said = explained(kind, lang)
        assert squeezed(text(lang, f"item.{kind}.what")) in said
        assert squeezed(text(lang, f"item.{kind}.who")) in said
        occurs = any(item.occurs(load_profile(one)) for one in profile_ids())
        assert all((f"({key})" in said) == occurs for key in item.keys)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_set_is_shown_with_its_values(lang: str) -> None:
    for one in profile_ids():
        rules, said = load_profile(one), explained(one, lang)
        assert squeezed(rules.names[lang] + rules.summary[lang]) in said
        assert all(f"({key}):" in said for key in values(rules))


def test_a_name_of_two_entries_shows_both() -> None:
    found = lines(run("catalogue", "gang", "--format", "json"))
    assert [one.get("fan") or one.get("kind") for one in found] == ["gang", "gang"]
    said = explained("gang", "en")
    assert squeezed(text("en", "fan_what.gang")) in said
    assert squeezed(text("en", "item.gang.what")) in said


def test_an_entry_as_json_holds_what_the_text_says() -> None:
    (entry,) = lines(run("catalogue", "ACT023", "--format", "json"))
    assert (entry["code"], entry["slug"], entry["severity"]) == ("ACT023", "guo-shui", "error")
    assert {rules["id"] for clause in entry["clauses"] for rules in clause["rule_sets"]} <= set(profile_ids())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_that_is_not_there_exits_2_with_words(lang: str) -> None:
    result = run("catalogue", "ACT999\x1b", "--lang", lang)
    assert result.exit_code == 2
    assert text(lang, "catalogue.unknown", name="ACT999\\u001b") in result.stderr


def test_names_are_completed() -> None:
    env = {"_REPLAY_COMPLETE": "bash_complete", "COMP_WORDS": "replay catalogue ACT02", "COMP_CWORD": "2"}
    completed = run(env=env).stdout
    assert all(code in completed for code in CATALOGUE if code.startswith("ACT02"))
