"""The form that a house rule set is made with: every value of the rule set it starts from, to be changed or kept."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from replay.formats import decode_exactly
from replay.house import LIMITS, free_id, house_id, house_names, is_id, started
from replay.profile import OptionProblems, RuleProfile, profile_ids, values
from replay.schemas import printable
from replay.sense import listed_types, option_problems, value_schemas
from replay.text.catalogue import Cited
from replay.text.values import part_label
from replay.web.languages import lang, words
from replay.web.rulesets.comparing import SECTIONS, sources
from replay.web.rulesets.options import choice_words, found, kind_of, sense_in_words, value_of, word_meanings
from replay.wording.plain import visible

VALUE = "value."
"""What the names of the fields begin with; the key follows, and in a table the row."""

DERIVED = ("dragon_pairs_absorb_gen",)
"""Short forms of other values: they follow from those."""

LONGEST_NAME, LONGEST_ID, LONGEST_LIST = 100, 64, 8000
SHOWN = 200


@dataclass(frozen=True, slots=True)
class Part:
    """A row of a table, as entered."""

    name: str
    label: str
    given: str


@dataclass(frozen=True, slots=True)
class HouseField:
    """A value in the form; ``kind`` is choice, number, table or list.

    ``given`` is what was entered, or ``parts`` row by row; ``hint`` is what a number may be, ``base`` what the rule
    set has that it starts from, and ``sources`` the words for that.
    """

    key: str
    label: str
    kind: str
    choices: list[tuple[str, str]]
    hint: str
    given: str
    parts: list[Part]
    problem: str
    sources: Sequence[Cited]


@dataclass(frozen=True, slots=True)
class Entered:
    """What a form holds: name and id of the rule set, and its values by key, be they possible or not."""

    name: str
    id: str
    values: Mapping[str, Any]


def kind_in_form(key: str) -> str:
    """What a value is entered by."""
    allowed = value_schemas()[key]
    if "properties" in allowed:
        return "table"
    return kind_of(allowed) or "list"


def keys_in_form(section: str) -> list[str]:
    """The keys of a part of the game that are entered."""
    return [key for key in SECTIONS[section].split() if key not in DERIVED]


# As it is shown --------------------------------------------------------------------------------------


def field_sections(
    base: RuleProfile, form: Mapping[str, str], problems: Mapping[str, str]
) -> list[tuple[str, list[HouseField]]]:
    """The fields by the part of the game that they are about; ``form`` is what was entered, {} for nothing yet."""
    plain = values(base)
    return [
        (
            section,
            [field(key, plain[key], base, form, problems.get(key, "")) for key in keys_in_form(section)],
        )
        for section in SECTIONS
    ]


def field(key: str, plain: Any, base: RuleProfile, form: Mapping[str, str], problem: str) -> HouseField:
    """One field, with what was entered or what the base has."""
    allowed, kind = value_schemas()[key], kind_in_form(key)
    return HouseField(
        key=key,
        label=words().label("rule", key),
        kind=kind,
        choices=choice_words(key, allowed) if kind == "choice" else [],
        hint=hint(key, kind),
        given=form.get(VALUE + key, "") if form else typed(plain, kind),
        parts=parts(key, plain, form) if kind == "table" else [],
        problem=problem,
        sources=sources(key, (), [base]),
    )


def typed(value: Any, kind: str) -> str:
    """A value as it is typed."""
    if value is None:
        return ""
    if kind == "list":
        return printable(orjson.dumps(value).decode())
    return str(value).lower() if isinstance(value, bool) else str(value)


def parts(key: str, plain: Mapping[str, int] | None, form: Mapping[str, str]) -> list[Part]:
    """The rows of a table: every one that the schema knows, those of the base first."""
    known = value_schemas()[key]["properties"]
    made = []
    for part in dict.fromkeys((*(plain or ()), *known)):
        name = f"{key}.{part}"
        stated = "" if plain is None or part not in plain else str(plain[part])
        made.append(Part(name, part_label(words(), part), form.get(VALUE + name, "") if form else stated))
    return made


def hint(key: str, kind: str) -> str:
    """What may be entered."""
    allowed, say = value_schemas()[key], words().say
    said = []
    if kind == "number":
        said.append(f"{allowed['minimum']} – {allowed['maximum']}")
    elif kind == "table":
        least, most = bounds(key)
        said.append(f"{least} – {most}")
        said.append(
            say("web.house.empty.gangs" if "null" in listed_types(allowed) else "web.house.empty.row")
        )
    said += [
        say("web.house.word", value=value, meaning=meaning) for value, meaning in word_meanings(key, allowed)
    ]
    if "null" in listed_types(allowed) and kind != "table":
        said.append(say("web.house.empty.none"))
    if kind == "list":
        said.append(say(f"web.house.list.{key}"))
    return " · ".join(said)


def bounds(key: str) -> tuple[int, int]:
    """The least and the most that a row of a table may hold."""
    row = next(iter(value_schemas()[key]["properties"].values()))
    return row["minimum"], row["maximum"]


# As it is read ---------------------------------------------------------------------------------------


def entered(form: Mapping[str, str], base: RuleProfile) -> Entered:
    """What a form says; an id that was not typed is made of the name, else of the id of ``base``."""
    name = plain_text(form.get("name", ""))[:LONGEST_NAME]
    typed_id = plain_text(form.get("id", ""))
    made = typed_id or house_id(name) or f"{base.id[: LONGEST_ID - 6]}-house"
    keys = [key for section in SECTIONS for key in keys_in_form(section)]
    return Entered(name, made if typed_id else free_id(made), {key: value_in(form, key) for key in keys})


def plain_text(text: str) -> str:
    """A line of text in composed characters, without those that hide."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(char for char in composed if char.isprintable()).strip()


def value_in(form: Mapping[str, str], key: str) -> Any:
    """The value that was entered for a key; what cannot be one stays text, for the schema to judge."""
    kind = kind_in_form(key)
    if kind == "table":
        return table_in(form, key)
    if kind == "list":
        return list_in(form.get(VALUE + key, "").strip(), key)
    return value_of(key, number_text(form.get(VALUE + key, "")))


def number_text(text: str) -> str:
    """What was typed, wide digits of an input method as digits."""
    return unicodedata.normalize("NFKC", text).strip()


def table_in(form: Mapping[str, str], key: str) -> dict[str, Any] | None:
    """The rows that something was entered in; None for a table that may be none and is empty."""
    allowed = value_schemas()[key]
    texts = {part: number_text(form.get(f"{VALUE}{key}.{part}", "")) for part in allowed["properties"]}
    rows = {part: int(text) if is_number(text) else text for part, text in texts.items() if text}
    return None if not rows and "null" in listed_types(allowed) else rows


def is_number(text: str) -> bool:
    """Whether a text is a whole number of a length that a value can have."""
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 16


def list_in(text: str, key: str) -> Any:
    """The JSON that was entered for a list; text that is none stays text."""
    if not text:
        return None if "null" in listed_types(value_schemas()[key]) else []
    document, refusal = decode_exactly(text.encode("utf-8", "replace"), LIMITS)
    return text if refusal is not None else document


def made(base: RuleProfile, asked: Entered, origin: Mapping[str, Any] | None) -> dict[str, Any]:
    """The profile document that a form asks for. Raises `Refused` with what is wrong, by key."""
    plain = values(base)
    changes = {key: value for key, value in asked.values.items() if value != plain[key]}
    wrong = {key: problem_words(key, problem, changes[key]) for key, problem in option_problems(changes)}
    if not is_id(asked.id) or asked.id in profile_ids():
        wrong["id"] = words().say("web.house.problem.id")
    if wrong:
        raise Refused(wrong)
    names = dict.fromkeys(base.names, asked.name) if asked.name else named_after(base, origin)
    try:
        return started(base, asked.id, changes, names, origin)
    except OptionProblems as error:
        raise Refused({key: sense_in_words(key, problem) for key, problem in error.problems}) from None


def named_after(base: RuleProfile, origin: Mapping[str, Any] | None) -> dict[str, str]:
    """What a rule set without a name of its own is called: as the version before, else after its base."""
    return house_names(base) if origin is None else dict(base.names)


class Refused(ValueError):
    """Values that no rule set can have; ``problems`` by key, in words."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        self.problems = problems
        super().__init__(", ".join(problems))


def problem_words(key: str, problem: str, value: Any) -> str:
    """What is wrong with one value: what was found, and what was expected."""
    kind = kind_in_form(key)
    if kind == "table" and isinstance(value, Mapping):
        return table_problem(key, value) or words().phrase(problem, SHOWN)
    if kind in ("choice", "number"):
        said = words().say("web.choice.null") if value is None else visible(value, 80)
        return found(key, said)
    return words().phrase(problem, SHOWN)


def table_problem(key: str, rows: Mapping[str, Any]) -> str:
    """The first row of a table that cannot stay as it is, or that is missing; "" where each may stay."""
    allowed = value_schemas()[key]
    least, most = bounds(key)
    for part in (*rows, *allowed.get("required", ())):
        value = rows.get(part)
        if not isinstance(value, int) or not least <= value <= most:
            expected = words().say("web.expected.number", least=least, most=most)
            shown = words().say("web.choice.null") if value is None else visible(value, 80)
            problem = words().say("web.options.found", found=shown, expected=expected)
            return words().say("web.wish.option", rule=part_label(words(), part), value=problem)
    return ""


def default_name(base: RuleProfile, origin: Mapping[str, Any] | None) -> str:
    """The name that the form begins with, on one line and with nothing hidden in it."""
    return plain_text(named_after(base, origin).get(lang(), ""))[:LONGEST_NAME]
