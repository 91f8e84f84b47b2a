"""The options of a rule set as a form, and its values in words: all by the schema of rule sets, value by value."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from replay import load_profile, profile_ids
from replay.profile import MOST_PROBLEMS, OptionProblems, RuleProfile, values
from replay.schemas import printable
from replay.sense import listed_types, named_values, option_problems, value_keys, value_schemas
from replay.text.values import value_words
from replay.web.languages import lang, words
from replay.wording import has_text
from replay.wording.plain import visible

OPTION, NULL = "option.", "null."
"""What the names of the fields begin with: a value, and the tick for having no number."""

SWITCH = {"true": True, "false": False}
SHOWN = 200


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of the form; ``kind`` is choice or number, ``choices`` are value and words.

    ``words`` are the values that may be typed for a number, with what they mean. ``given`` and ``no_number`` are what
    was entered, ``problem`` is what is wrong with it.
    """

    key: str
    label: str
    kind: str
    choices: list[tuple[str, str]]
    least: int | None
    most: int | None
    nullable: bool
    words: list[tuple[str, str]]
    stated: list[str]
    given: str
    no_number: bool
    problem: str


@dataclass(frozen=True, slots=True)
class AskedOptions:
    """What a form asks for: values by key, and what is wrong by key, in words."""

    values: Mapping[str, Any]
    problems: Mapping[str, str]


def kind_of(allowed: Mapping[str, Any]) -> str:
    """What a value is entered by: choice or number; "" for what a form does not offer."""
    if "enum" in allowed:
        return "choice" if len(allowed["enum"]) > 1 else ""
    kinds = listed_types(allowed)
    if kinds == ["boolean"]:
        return "choice"
    return "number" if "integer" in kinds else ""


def choices_of(allowed: Mapping[str, Any]) -> list[str]:
    """The values of a choice, as a form writes them."""
    return [str(one) for one in allowed["enum"]] if "enum" in allowed else list(SWITCH)


def choice_words(key: str, allowed: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The values of a choice, as a form writes them and in words."""
    return [(one, worded(key, SWITCH.get(one, one))) for one in choices_of(allowed)]


def word_meanings(key: str, allowed: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What may be typed instead of a number, and what it means."""
    return [(one, worded(key, one)) for one in named_values(allowed)]


def worded(key: str, value: object) -> str:
    """A value of a rule set in words; one that has none as JSON says it."""
    return value_words(words(), key, value)


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Options one by one, each with its value."""
    return [
        words().say("web.wish.option", rule=words().label("rule", key), value=worded(key, value))
        for key, value in sorted(options.items())
    ]


# The form --------------------------------------------------------------------------------------------


def fields(form: Mapping[str, str], problems: Mapping[str, str]) -> list[OptionField]:
    """Every option that a form can offer, with what was entered and what is wrong with it."""
    rules = [load_profile(one) for one in profile_ids()]
    stated = [(one.names.get(lang()) or one.id, values(one)) for one in rules]
    made = []
    for key, allowed in value_schemas().items():
        kind = kind_of(allowed)
        if not kind:
            continue
        made.append(
            OptionField(
                key=key,
                label=words().label("rule", key),
                kind=kind,
                choices=choice_words(key, allowed) if kind == "choice" else [],
                least=allowed.get("minimum"),
                most=allowed.get("maximum"),
                nullable="null" in listed_types(allowed),
                words=word_meanings(key, allowed),
                stated=stated_of(key, stated),
                given=form.get(OPTION + key, ""),
                no_number=NULL + key in form,
                problem=problems.get(key, ""),
            )
        )
    return made


def stated_of(key: str, rules: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """What each rule set has, those with the same value together; said once where all have the same."""
    names: dict[str, list[str]] = {}
    for name, each in rules:
        names.setdefault(worded(key, each[key]), []).append(name)
    if len(names) == 1:
        return [words().say("web.options.same", value=value) for value in names]
    return [
        words().say("web.options.stated", profile=words().join(those), value=value)
        for value, those in names.items()
    ]


def asked_options(
    form: Mapping[str, str], rules: Callable[[Mapping[str, Any]], RuleProfile] | None
) -> AskedOptions:
    """What a form asks for; ``rules`` are the rule set with options applied.

    Without them, what a log's own rule set makes of the options is seen when it is audited.
    """
    asked: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for key, text in entered(form):
        if text and NULL + key in form:
            wrong[key] = found(key, words().say("web.options.both"))
        else:
            asked[key] = value_of(key, text)
    for key, problem in list(option_problems(asked))[:MOST_PROBLEMS]:
        wrong[key] = in_words(key, problem, asked[key])
    if rules is not None and not wrong and asked:
        try:
            rules(asked)
        except OptionProblems as error:
            wrong |= {key: sense_in_words(key, problem) for key, problem in error.problems}
    return AskedOptions(asked, wrong)


def entered(form: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each option that something was entered for, as it is meant: wide digits of an input method are digits."""
    keys = dict.fromkeys(name.partition(".")[2] for name in form if name.startswith((OPTION, NULL)))
    for key in keys:
        text = unicodedata.normalize("NFKC", form.get(OPTION + key, "")).strip()
        if text or NULL + key in form:
            yield key, text


def value_of(key: str, text: str) -> Any:
    """The value that was entered; text that cannot be one stays text, for the schema to judge."""
    allowed = value_schemas().get(key, {})
    if not text:
        return None
    if "enum" in allowed:
        return next((one for one in allowed["enum"] if str(one) == text), text)
    if text in SWITCH:
        return SWITCH[text]
    digits = text.removeprefix("-")
    is_number = "integer" in listed_types(allowed) and digits.isascii() and digits.isdigit()
    return int(text) if is_number and len(digits) <= 16 else text


def in_words(key: str, problem: str, value: object) -> str:
    """What is wrong with one value by itself."""
    if key not in value_keys() or not kind_of(value_schemas()[key]):
        return (
            words().say("web.options.unknown") if key not in value_keys() else words().phrase(problem, SHOWN)
        )
    return found(key, words().say("web.choice.null") if value is None else visible(printable(str(value)), 80))


def found(key: str, what: str) -> str:
    """That something was found, and what is expected."""
    allowed, said = value_schemas()[key], words().say
    if kind_of(allowed) == "choice":
        named = words().join(name for _, name in choice_words(key, allowed))
        expected = said("web.expected.choice", choices=named)
    else:
        expected = said("web.expected.number", least=allowed["minimum"], most=allowed["maximum"])
    for value, meaning in word_meanings(key, allowed):
        expected = said("web.expected.named", expected=expected, value=value, meaning=meaning)
    if "null" in listed_types(allowed):
        expected = said("web.expected.either", expected=expected)
    return said("web.options.found", found=what, expected=expected)


def sense_in_words(key: str, problem: str) -> str:
    """What is wrong with a value beside the others of its rule set."""
    label = f"web.sense.{key}"
    return words().say(label) if has_text(lang(), label) else words().phrase(problem, SHOWN)
