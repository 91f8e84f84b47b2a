"""Options that several commands share, and the rule set that they come to."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from replay.cli.language import OPTION, spoken
from replay.cli.program import Refused
from replay.house import LIMITS as HOUSE_LIMITS
from replay.house import Objection, Unreadable, house_rules, objections, read_house
from replay.limits import DEEPEST_LIMIT, DEFAULT, LARGEST_INTEGER, Limits
from replay.profile import (
    OptionProblems,
    RuleProfile,
    UnknownProfile,
    load_profile,
    profile_ids,
)
from replay.sense import option_problems, value_keys
from replay.text.cited import clause_line, quoted
from replay.wording import Words, languages, render
from replay.wording.plain import visible

Command = TypeVar("Command", bound=Callable[..., Any])
Options = dict[str, Any]

LIMITS = tuple(field.name for field in fields(Limits))

_POSITIVE = re.compile("[1-9][0-9]{0,15}")


def _words(ctx: click.Context, param: click.Parameter, lang: str | None) -> Words:
    return Words.of(lang) if lang else spoken(ctx)


def lang_option(command: Command) -> Command:
    """``--lang``: the language of what is written for people, as ``words``."""
    return click.option(
        OPTION,
        "words",
        type=click.Choice(languages()),
        callback=_words,
        help="Language of the text; by default that of the locale.",
    )(command)


def format_option(command: Command) -> Command:
    """``--format``: ``text`` for people, or ``json``, as ``output``."""
    return click.option(
        "--format",
        "output",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, or JSON for programs.",
    )(command)


def _complete_profile(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in profile_ids() if name.startswith(begun)]


def profile_option(text: str) -> Callable[[Command], Command]:
    """``--profile``: the id of a rule set, or a file that holds one."""
    return click.option("--profile", metavar="ID|FILE", shell_complete=_complete_profile, help=text)


def _pairs(ctx: click.Context, param: click.Parameter, given: Iterable[str]) -> Options:
    options: Options = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise Refused(spoken(ctx).say("cli.option.form", text=visible(pair)))
        options[key] = plain_value(value)
    return options


def plain_value(text: str) -> Any:
    """What a value on the command line means: JSON where it is JSON, else the text itself.

    >>> plain_value("3"), plain_value("null"), plain_value("add_base"), plain_value('["a"]')
    (3, None, 'add_base', ['a'])
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def option_option(command: Command) -> Command:
    """``--option key=value``, any number of times, as ``options``."""
    return click.option(
        "--option",
        "options",
        metavar="KEY=VALUE",
        multiple=True,
        callback=_pairs,
        help="Override one value of the rule set, such as cap_fan=3; may be repeated. JSON, else text.",
    )(command)


def _complete_limit(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    return [CompletionItem(f"{name}=") for name in LIMITS if name.startswith(begun)]


def _limits(ctx: click.Context, param: click.Parameter, given: Iterable[str]) -> Limits:
    words = spoken(ctx)
    asked = dict(asked_limit(pair, words) for pair in given)
    return replace(DEFAULT, **asked) if asked else DEFAULT


def asked_limit(pair: str, words: Words) -> tuple[str, int]:
    """A limit as typed, name and value. Raises `Refused`."""
    name, equals, value = pair.partition("=")
    if not equals:
        raise Refused(words.say("cli.limit.form", text=visible(pair)))
    if name not in LIMITS:
        raise Refused(unknown(words, "limit", name, LIMITS))
    most = DEEPEST_LIMIT if name == "depth" else LARGEST_INTEGER
    if not _POSITIVE.fullmatch(value) or int(value) > most:
        raise Refused(words.say("cli.limit", limit=name, value=visible(value), most=most))
    return name, int(value)


def limit_option(command: Command) -> Command:
    """``--limit name=value``, any number of times, as ``limits``."""
    return click.option(
        "--limit",
        "limits",
        metavar="NAME=VALUE",
        multiple=True,
        callback=_limits,
        shell_complete=_complete_limit,
        help="Set a limit of what is read, such as document_bytes=8388608; may be repeated. "
        f"NAME is one of {', '.join(LIMITS)}.",
    )(command)


# The rule set ----------------------------------------------------------------------------------------


def rules_named(name: str, options: Options, words: Words) -> RuleProfile:
    """The rule set ``name``: the id of a built-in one, or else a file that holds one. Raises `Refused`."""
    check_options(options, words)
    try:
        if not is_file(name):
            return load_profile(name, options)
        document = document_in(name, words)
        found = objections(document)
        if found:
            raise Refused(
                "\n".join(
                    [words.say("cli.profile.broken", name=visible(name, 200)), *objection_lines(words, found)]
                )
            )
        return house_rules(document, options)
    except UnknownProfile as error:
        raise Refused(unknown(words, "profile", name, error.known)) from None
    except OptionProblems as error:
        raise Refused("\n".join(problem_lines(words, error))) from None


def is_file(name: str) -> bool:
    """Whether a rule set is named by its file: no built-in one has this id, and it looks like a path or is one."""
    if name in profile_ids():
        return False
    return name.endswith(".json") or os.sep in name or Path(name).is_file()


def check_options(options: Options, words: Words) -> None:
    """Refuse options that no rule set has or can have, before anything is read. Raises `Refused`."""
    said = []
    for option, problem in option_problems(options):
        if option in value_keys():
            said.append(words.say("cli.option", option=option, problem=words.phrase(problem, 300)))
        else:
            said.append(unknown(words, "option", option, value_keys()))
    if said:
        raise Refused("\n".join(said))


def problem_lines(words: Words, error: OptionProblems) -> list[str]:
    """What is wrong with a rule set, place by place."""
    return [
        words.say("cli.profile.problem", place=visible(place, 200), problem=words.phrase(problem, 300))
        for place, problem in error.problems
    ]


def objection_lines(words: Words, found: Iterable[Objection]) -> Iterator[str]:
    """What is wrong with a rule set's document, place by place, each with the clause that it is about."""
    for one in found:
        problem = words.phrase(one.problem, 300)
        yield words.say("cli.profile.problem", place=visible(one.place, 200), problem=problem)
        if one.key is not None:
            yield from (f"  {line}" for line in about(words, one))


def about(words: Words, one: Objection) -> Iterator[str]:
    """What the parameter of an objection is called, and the clause or the reading that it rests on."""
    rule = words.label("rule", one.key)
    if one.clause is not None:
        yield clause_line(words, quoted(words, asdict(one.clause), rule), marks=False)
    elif one.reading is not None:
        yield words.say("cli.profile.about", rule=rule, text=visible(one.reading[words.lang], 600))


def document_in(name: str, words: Words) -> dict[str, Any]:
    """The JSON object in a file, no larger than a rule set may be. Raises `Refused`."""
    try:
        with Path(name).open("rb") as stream:
            return read_house(stream.read(HOUSE_LIMITS.document_bytes + 1))
    except OSError as error:
        raise Refused(unreadable(words, name, error)) from None
    except Unreadable as error:
        said = (render(finding, words.lang) for finding in error.findings)
        shown = visible(name, 200)
        raise Refused(
            "\n".join(words.say("cli.profile.unread", name=shown, problem=one) for one in said)
        ) from None


def unknown(words: Words, what: str, name: str, known: Iterable[str]) -> str:
    """That there is no such thing, what may have been meant, and what there is."""
    known = list(known)
    said = words.say(f"cli.unknown.{what}", name=visible(name), known=words.join(known))
    guesses = get_close_matches(name, known, 1)
    if not guesses:
        return said
    return words.say("cli.guess", guess=guesses[0]) + words.say("language.sentence") + said


FILE_TROUBLES: dict[type[OSError], str] = {
    FileNotFoundError: "missing",
    PermissionError: "denied",
    IsADirectoryError: "folder",
}


def unreadable(words: Words, name: str, error: OSError) -> str:
    """Why a file could not be read or written."""
    shown = visible(name, 200)
    for kind, key in FILE_TROUBLES.items():
        if isinstance(error, kind):
            return words.say(f"cli.{key}", name=shown)
    return words.say("cli.unread", name=shown, problem=visible(error.strerror or error))
