"""A clause as it is read: where it stands and what it says; a value that was agreed on is said in the reader's words."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from replay.profile import OPTIONS
from replay.sense import value_keys
from replay.text.values import value_words
from replay.wording.plain import visible
from replay.wording.words import Words

LONGEST_PLACE, LONGEST_QUOTE = 200, 1_000
CUT = "…"
"""Ends a value that is longer than a clause may be."""

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A clause, and what it is the clause of ("" where nobody says).

    ``document``, ``section`` and ``text`` are what a report holds; ``source`` and ``said`` are them for a reader.
    ``worded`` tells that it is no quotation but a value that was agreed on.
    """

    document: str
    section: str
    text: str
    rule: str
    source: str
    said: str
    worded: bool


def quoted(words: Words, clause: Facts, rule: str = "") -> Quoted:
    """A clause of a report or of a rule set for a reader."""
    document, section, text = (str(clause.get(name, "")) for name in ("document", "section", "text"))
    agreed = agreed_value(section, text.removesuffix(CUT))
    if agreed is None:
        place = {"document": visible(document, LONGEST_PLACE), "section": visible(section, LONGEST_PLACE)}
        source, said = words.say("web.report.source", **place), visible(text, LONGEST_QUOTE)
    else:
        source, said = agreed_source(words, document), value_words(words, section, agreed[0])
        said += CUT if text.endswith(CUT) else ""
    return Quoted(document, section, text, rule, source, said, agreed is not None)


def agreed_value(section: str, text: str) -> tuple[object] | None:
    """The value that was agreed on for a key of the rule set; None for a quotation."""
    if section not in value_keys():
        return None
    for whole in (text, *as_far_as_whole(text)):
        try:
            return (json.loads(whole),)
        except (ValueError, RecursionError):
            continue
    return None


def as_far_as_whole(text: str) -> Iterator[str]:
    """What is whole of a table or a list that was cut short (`replay.profile.agreed`), closed again."""
    for opening, between, closing in (("[{", "}, {", "}]"), ("[[", "], [", "]]"), ("{", ", ", "}")):
        if text.startswith(opening) and between in text:
            yield text[: text.rindex(between)] + closing


def agreed_source(words: Words, document: str) -> str:
    """Where a value was agreed on: for this game, or in the rule set of a house."""
    if document == OPTIONS:
        return words.say("cases.clause.agreed")
    return words.say("cases.clause.house", document=visible(document, LONGEST_PLACE))


def place_of_clause(words: Words, clause: Facts) -> str:
    """Where a clause stands, as short as it goes: document and section."""
    one = quoted(words, clause)
    return one.source if one.worded else visible(f"{one.document} {one.section}")


def clause_line(words: Words, one: Quoted, *, marks: bool = True) -> str:
    """A clause in a line of text: of what, where it stands, what it says, between marks unless told otherwise."""
    if one.worded:
        rule = one.rule or words.label("rule", one.section)
        return words.say("report.clause.agreed", rule=rule, source=one.source, value=one.said)
    text = visible(one.text, 600)
    facts = {
        "document": visible(one.document),
        "section": visible(one.section),
        "text": words.say("language.quote", text=text) if marks else text,
    }
    if not one.rule:
        return words.say("report.clause.bare", **facts)
    return words.say("report.clause", rule=one.rule, **facts)
