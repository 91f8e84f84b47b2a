"""Pricing hands line by line: NDJSON in, the same lines with their results out."""

from collections.abc import Callable, Iterable
from typing import BinaryIO

import orjson

from replay.cli.options import Options, rules_named
from replay.cli.program import CLEAN, FOUND, Refused
from replay.cli.quotes import Facts, priced, result, wild_problem
from replay.profile import OptionProblems, RuleProfile, UnknownProfile, load_profile
from replay.quote import HandProblem
from replay.wording import Words

ENGLISH = Words.of("en")
"""The language of the problems in the data, as in a report."""

LONGEST = 64 * 1024
"""Bytes of one line; a hand needs a few hundred."""


def price_lines(lines: Iterable[bytes], out: BinaryIO, profile: str, options: Options) -> int:
    """Answer every line that is not blank; ``profile`` and ``options`` stand where a line names none.

    Returns the exit code: 1 as soon as one line has an error.
    """
    code = CLEAN
    resolve = Rules(profile, options).of
    for line in lines:
        if line.strip():
            answer = answered(line, resolve)
            code = FOUND if "error" in answer else code
            out.write(orjson.dumps(answer) + b"\n")
    return code


class Rules:
    """The rule sets that the lines name, each resolved once; a line may name a built-in one only."""

    def __init__(self, profile: str, options: Options) -> None:
        self.profile, self.options = profile, options
        self.known: dict[tuple[str | None, bytes], RuleProfile] = {}

    def of(self, asked: Facts) -> RuleProfile:
        """The rule set of a line. Raises `Refused`, `UnknownProfile` or `OptionProblems`."""
        name, options = asked.get("profile"), asked.get("options", self.options)
        key = (name, orjson.dumps(options, option=orjson.OPT_SORT_KEYS))
        if key not in self.known:
            self.known[key] = self.resolved(name, options)
        return self.known[key]

    def resolved(self, name: str | None, options: Options) -> RuleProfile:
        """The rule set ``name``, or the one that was asked for where the line names none."""
        return rules_named(self.profile, options, ENGLISH) if name is None else load_profile(name, options)


def answered(line: bytes, resolve: Callable[[Facts], RuleProfile]) -> Facts:
    """A line with its result, or with what is wrong with it."""
    if len(line) > LONGEST:
        return {"error": f"a line of {len(line)} bytes; the most is {LONGEST}"}
    try:
        asked = orjson.loads(line)
    except ValueError:
        return {"error": "not JSON"}
    problem = misshapen(asked)
    if problem:
        return {**(asked if isinstance(asked, dict) else {}), "error": problem}
    try:
        rules = resolve(asked)
        wild = wild_problem(rules, asked.get("wild"), ENGLISH)
        return {**asked, **({"error": wild} if wild else {"result": result(priced(USUAL | asked, rules))})}
    except UnknownProfile as error:
        known = ", ".join(error.known)
        return {**asked, "error": ENGLISH.say("cli.unknown.profile", name=asked.get("profile"), known=known)}
    except OptionProblems as error:
        said = "; ".join(f"{option}: {problem}" for option, problem in error.problems)
        return {**asked, "error": said}
    except (HandProblem, Refused) as error:
        return {**asked, "error": str(error)}


USUAL: Facts = {"melds": [], "zi_mo": False, "how": [], "void": None, "wild": None}
"""What a line means that does not say."""

SHAPES: dict[str, tuple[str, Callable[[object], bool]]] = {
    "hand": ("a tile string", lambda value: isinstance(value, str)),
    "win": ("a tile", lambda value: isinstance(value, str)),
    "melds": ("a list of [kind, tile]", lambda value: isinstance(value, list) and all(map(is_meld, value))),
    "zi_mo": ("true or false", lambda value: isinstance(value, bool)),
    "how": ("a list of names", lambda value: is_names(value)),
    "void": ("a suit or null", lambda value: value is None or isinstance(value, str)),
    "wild": ("a tile or null", lambda value: value is None or isinstance(value, str)),
    "profile": ("the id of a rule set", lambda value: isinstance(value, str)),
    "options": ("an object", lambda value: isinstance(value, dict)),
}
"""What each key of a line holds."""


def misshapen(asked: object) -> str:
    """What a line lacks, or holds of another type; "" where there is nothing of the kind."""
    if not isinstance(asked, dict):
        return "not an object"
    if missing := [key for key in ("hand", "win") if key not in asked]:
        return f"{missing[0]} is missing"
    wrong = [key for key, (_, fits) in SHAPES.items() if key in asked and not fits(asked[key])]
    return f"{wrong[0]}: expected {SHAPES[wrong[0]][0]}" if wrong else ""


def is_names(value: object) -> bool:
    """Whether it is a list of strings."""
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def is_meld(value: object) -> bool:
    """Whether it is a kind and a tile."""
    return is_names(value) and isinstance(value, list) and len(value) == 2
