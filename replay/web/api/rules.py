"""Rule sets that a request names, with the options over them."""

from collections.abc import Mapping
from typing import Any

from replay.profile import MOST_PROBLEMS, OptionProblems
from replay.schemas import pointer, shown
from replay.sense import option_problems
from replay.web.api.problems import Refused, Wrong
from replay.web.languages import words
from replay.web.rulesets.houses import Chosen, chosen
from replay.web.rulesets.options import SHOWN, sense_in_words


def rules_or_refuse(value: str) -> Chosen:
    """The rule set of a value; 422 where there is none, or it can be used no longer."""
    found = chosen(value)
    if found is None or not found.usable:
        raise Refused(422, "422.rules")
    return found


def options_or_refuse(rules: Chosen | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that a rule set can have; without one, what a log's own makes of them is seen when it is audited."""
    alone = list(option_problems(options))[:MOST_PROBLEMS]
    wrong = [place(key, options.get(key), words().phrase(problem, SHOWN)) for key, problem in alone]
    if not wrong and rules is not None:
        wrong = [place(key, options.get(key), said) for key, said in together(rules, options)]
    if wrong:
        raise Refused(422, "422.options", wrong)
    return dict(options)


def together(rules: Chosen, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with options beside the other values of their rule set."""
    try:
        rules.rules(options)
    except OptionProblems as error:
        return [(key, sense_in_words(key, problem)) for key, problem in error.problems]
    return []


def place(key: str, value: Any, said: str) -> Wrong:
    """An option that cannot be as it is."""
    return Wrong(where="body", pointer=pointer(["options", key]), found=shown(value), expected=said)
