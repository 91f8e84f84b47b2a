"""The values of a rule set in words."""

import json
from collections.abc import Mapping

from replay.wording.lookup import has_text
from replay.wording.plain import visible
from replay.wording.words import Words

SHOWN = 200
SWITCH = {True: "true", False: "false", None: "null"}
FAN_TABLES = ("shapes", "extras", "own_gangs", "payer_gangs")


def value_words(words: Words, key: str, value: object) -> str:
    """A value of a rule set in words; one that has none as JSON says it."""
    if isinstance(value, Mapping):
        return words.join(part_words(words, key, part, worth) for part, worth in value.items())
    if isinstance(value, list | tuple):
        return words.join(row_words(words, row) for row in value)
    plain = isinstance(value, bool) or value is None
    name = SWITCH[value] if plain else str(value)  # type: ignore[index]
    for label in (f"web.choice.{key}.{name}", *((f"web.choice.{name}",) if plain else ())):
        if has_text(words.lang, label):
            return words.say(label)
    return visible(json.dumps(value, ensure_ascii=False), SHOWN)


def part_words(words: Words, key: str, part: object, worth: object) -> str:
    """What stands in a table of a rule set: so much of a fan or of a gang."""
    said = words.fan(worth) if key in FAN_TABLES else visible(worth)
    return words.say("report.win.part", name=part_label(words, part), fan=said)


def part_label(words: Words, part: object) -> str:
    """What a key inside a value is called: a fan, or a kind of gang."""
    return words.label("web.part" if has_text(words.lang, f"web.part.{part}") else "fan", part)


def row_words(words: Words, row: object) -> str:
    """One of several in a list: a level with its points, or fan that do not go together."""
    if isinstance(row, Mapping):
        return words.say(
            "web.value.level", name=visible(row.get("name"), 64), points=words.points(row.get("points"))
        )
    if isinstance(row, list | tuple):
        return words.say("language.plus").join(part_label(words, part) for part in row)
    return visible(row)
