"""A finding as a sentence that a player can read."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from replay.catalogue import CATALOGUE, Code, ParamType
from replay.findings import Finding
from replay.wording.lookup import has_text
from replay.wording.plain import visible
from replay.wording.words import Words, listed, signed

Params = Mapping[str, Any]

LONG = 160
"""The most characters that are shown of a text."""


def render(finding: Finding | Mapping[str, Any], lang: str, names: Iterable[object] = ()) -> str:
    """The finding in words of ``lang``; ``names`` are the players' names by seat, as the log holds them.

    Takes a finding or the dict of one in a report. A fact that is missing is shown as unknown, a code that
    the catalogue does not have by the message it came with. Raises ``KeyError`` for an unknown language only.

    >>> render(Finding("ACT012", {"tile": "5p", "void": "m", "held": "1m9m"}, seat=2), "zh-Hans")
    '丙打出5筒，但手里还有定缺（万）的19万没打完，应先打缺门的牌。'
    """
    return sentence(finding, Words.of(lang, names))


def sentence(finding: Finding | Mapping[str, Any], words: Words) -> str:
    """The finding in ``words``."""
    if isinstance(finding, Finding):
        code, kind, seat, params = finding.code, finding.kind, finding.seat, finding.params
        message = ""
    else:
        code, kind, seat = finding.get("code", ""), finding.get("kind", ""), finding.get("seat")
        params, message = finding.get("params") or {}, finding.get("message", "")
    entry = CATALOGUE.get(code)
    if entry is None:
        return visible(message or code, 400)
    if kind == "undecidable":
        return _undecidable(entry, params, words)
    written = _written(entry, params, words)
    said = words.say(_template(entry, params, words.lang), seat=words.seat(seat), **written)
    return said[:1].upper() + said[1:]


def _undecidable(entry: Code, params: Params, words: Words) -> str:
    """Which question stays open, and which facts it needs."""
    key = f"{entry.code}.question"
    question = words.say(key if has_text(words.lang, key) else f"{entry.code}.title")
    missing = listed(params.get("missing"))
    if not missing:
        return words.say("undecidable.bare", question=question)
    return words.say("undecidable.message", question=question, missing=facts(words, missing))


def facts(words: Words, names: Any) -> str:
    """Facts that a log may lack, in words."""
    return words.join(words.label("fact", name) for name in listed(names))


def _template(entry: Code, params: Params, lang: str) -> str:
    """The key of the message that fits: by a fact that is null, by the reason, by the deciding fact."""
    variants = [f"no_{name}" for name in entry.params if params.get(name, "") is None]
    variants += [str(params[name]) for name in ("reason", entry.by) if params.get(name)]
    keys = (f"{entry.code}.message.{variant}" for variant in variants)
    return next((key for key in keys if has_text(lang, key)), f"{entry.code}.message")


def _written(entry: Code, params: Params, words: Words) -> dict[str, str]:
    """Every fact of the code as text; "?" for one the finding does not hold."""
    written = {}
    for name, kind in entry.params.items():
        if name in params:
            written[name] = WRITE[kind](words, params[name], params)
        else:
            written[name] = "" if kind == "flag" else words.say("language.unknown")
    return written


def _held(words: Words, value: Any, params: Params) -> str:
    """What a seat holds: a number of tiles, or the tiles themselves."""
    return words.tiles(value) if isinstance(value, str) else words.say("unit.held", n=visible(value))


def _entry(words: Words, value: Any, params: Params) -> str:
    """A payment."""
    if not isinstance(value, Mapping):
        return words.say("language.none") if value is None else visible(value)
    said = words.say(
        "unit.entry",
        kind=words.label("ledger", value.get("kind")),
        source=words.seat(value.get("from")),
        target=words.payee(value.get("to")),
        points=words.points(value.get("amount")),
    )
    at = value.get("at")
    return said if at is None else words.say("unit.entry.at", entry=said, step=words.step(at))


def _field(words: Words, value: Any, params: Params) -> str:
    """A value of a claimed win; which one, says the fact ``field``."""
    if value is None:
        return words.say("language.none")
    return FIELDS.get(str(params.get("field")), _any)(words, value)


def _phrase(words: Words, value: Any, params: Params) -> str:
    """Words of ours, with what they quote."""
    return words.phrase(value, LONG, params.get("expected"))


def _any(words: Words, value: Any) -> str:
    return words.tile(value)


def _win(words: Words, value: Any) -> str:
    """A win as claimed or as played: where, and what it is worth, as far as given."""
    if not isinstance(value, Mapping):
        return visible(value)
    shown = [
        FIELDS[name](words, value[name])
        for name in ("at", "tile", "fan", "price", "shapes")
        if value.get(name) is not None
    ]
    return words.join([words.seat(value["seat"]), *shown] if "seat" in value else shown)


FIELDS: dict[str, Callable[[Words, Any], str]] = {
    "at": lambda words, value: words.step(value),
    "fan": lambda words, value: words.fan(value),
    "price": lambda words, value: words.points(value),
    "shapes": lambda words, value: words.join(words.label("fan", name) for name in listed(value)),
    "tile": _any,
    "win": _win,
}

WRITE: dict[ParamType, Callable[[Words, Any, Params], str]] = {
    "action": lambda words, value, _: words.label("action", value),
    "actions": lambda words, value, _: words.join(words.label("action", name) for name in listed(value)),
    "at": lambda words, value, _: visible(value + 1 if isinstance(value, int) else value),
    "entry": _entry,
    "fact": lambda words, value, _: words.label("fact", value),
    "facts": lambda words, value, _: facts(words, value),
    "fan": lambda words, value, _: words.fan(value),
    "field": _field,
    "flag": lambda words, value, _: words.say("flag.first") if value else "",
    "gang": lambda words, value, _: words.label("gang", value),
    "held": _held,
    "int": lambda words, value, _: visible(value),
    "limit": lambda words, value, _: words.label("limit", value),
    "meld_list": lambda words, value, _: words.join(words.tiles(meld) for meld in listed(value)),
    "phrase": _phrase,
    "phrases": lambda words, value, _: words.join(words.phrase(item) for item in listed(value)),
    "points": lambda words, value, _: words.points(value),
    "scores": lambda words, value, _: words.scores(value),
    "seat": lambda words, value, _: words.seat(value),
    "seats": lambda words, value, _: words.seats(value),
    "step": lambda words, value, _: words.step(value),
    "sum": lambda words, value, _: signed(value),
    "suit": lambda words, value, _: words.label("suit", value),
    "suits": lambda words, value, _: words.join(words.label("suit", suit) for suit in listed(value)),
    "text": lambda words, value, _: visible(value, LONG),
    "texts": lambda words, value, _: words.join(visible(item) for item in listed(value)),
    "tile": lambda words, value, _: words.tile(value) if value is not None else words.say("language.none"),
    "tile_list": lambda words, value, _: words.tile_list(value),
    "tiles": lambda words, value, _: words.tiles(value),
    "value": lambda words, value, _: words.tile(value),
}
"""How each type of fact is written."""
