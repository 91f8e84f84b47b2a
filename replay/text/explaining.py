"""Which rule sets explain a claim, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from replay.explain import Explained, Explanation
from replay.explain.search import MOST_CHANGES
from replay.explain.variants import OPTIONS
from replay.text.values import value_words
from replay.wording import render
from replay.wording.plain import visible
from replay.wording.words import Words


def explained_lines(explained: Explained, words: Words) -> Iterator[str]:
    """All that the search came to, line by line."""
    yield headline(explained, words)
    for one in explained.right:
        yield f"  - {set_words(one, words)}"
        if one.same:
            yield f"    {same_words(one, words)}"
    if explained.others and explained.claims:
        yield ""
        yield words.say("explain.others")
        yield from (f"  - {why_words(one, words)}" for one in explained.others)
    yield ""
    yield from notes(explained, words)


def headline(explained: Explained, words: Words) -> str:
    """Whether anything explains the claim, and whether it is the only one."""
    told = {"id": visible(explained.log_id, 128), "most": MOST_CHANGES}
    if not explained.claimed:
        return words.say("explain.unclaimed", **told)
    if not explained.right:
        return words.say("explain.cut.none" if explained.cut else "explain.none", **told)
    return words.say("explain.right.one" if len(explained.right) == 1 else "explain.right.many", **told)


def set_words(one: Explanation, words: Words) -> str:
    """A rule set with its options."""
    said = visible(one.rules.names.get(words.lang) or one.profile)
    if one.options:
        said = words.say("explain.set", profile=said, options=options_words(one.options, words))
    return words.say("explain.set.own", set=said) if one.own else said


def options_words(options: Mapping[str, Any], words: Words) -> str:
    """Options with their values."""
    return words.say("language.group").join(
        words.say("explain.option", rule=words.label("rule", key), value=value_words(words, key, value))
        for key, value in options.items()
    )


def same_words(one: Explanation, words: Words) -> str:
    """The options by which the log cannot tell the rule set from another; "" where there are none."""
    said = [
        words.say(
            "explain.same.values",
            rule=words.label("rule", key),
            values=words.join(value_words(words, key, value) for value in values),
        )
        for key, values in one.same.items()
    ]
    return words.say("explain.same", options=words.say("language.group").join(said)) if said else ""


def why_words(one: Explanation, words: Words) -> str:
    """Why a rule set does not explain the claim: the first difference, or why it was another game."""
    named = set_words(one, words)
    if one.status == "impossible":
        told = {"hand": words.hand(one.hand), "reason": words.say(f"explain.reason.{one.reason}")}
        return words.say("explain.impossible", set=named, **told)
    if one.difference is None:
        return words.say("explain.uncompared", set=named)
    found = one.difference
    place = words.say("explain.sums") if found.hand is None else words.hand(found.hand)
    said = render(found, words.lang, words.names)
    return words.say("explain.differs", set=named, place=place, said=said)


def notes(explained: Explained, words: Words) -> Iterator[str]:
    """What the search left out, and what it tried."""
    if explained.left_out:
        hands = words.join(map(words.hand, explained.left_out))
        yield words.say("explain.left_out", hands=hands)
    if explained.lacks:
        yield words.say(
            "explain.lacks", facts=words.join(words.label("fact", fact) for fact in explained.lacks)
        )
    yield words.say("explain.legality")
    labels = words.say("language.group").join(words.label("rule", option) for option in OPTIONS)
    yield words.say("explain.tried", most=MOST_CHANGES, options=labels)
    if explained.right:
        yield words.say("explain.listed")
    if explained.untried:
        names = (visible(rules.names.get(words.lang) or rules.id) for rules in explained.untried)
        yield words.say("explain.cut.sets", sets=words.join(names))
    if explained.cut:
        yield words.say("explain.cut.options")
