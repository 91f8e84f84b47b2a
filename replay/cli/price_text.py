"""The price of a single hand in words: what it is, its fan one by one, then the points."""

from replay.cli.quotes import Facts, priced, read_as, result
from replay.prices import Price
from replay.profile import RuleProfile
from replay.text import COLUMNS
from replay.text.page import Page
from replay.wording import Words
from replay.wording.plain import visible, wrap


def price_text(facts: Facts, rules: RuleProfile, found: Price | None, words: Words) -> str:
    """A hand and its price, or that it is no hu."""
    hand = words.tiles(facts["hand"])
    said = [heading(facts, rules, found, words), words.say("cli.price.hand", tiles=hand)]
    if facts["melds"]:
        melds = words.join(named_meld(words, *one) for one in facts["melds"])
        said.append(words.say("cli.price.melds", melds=melds))
    if found is not None and found.hand:
        said.append(words.say("cli.price.read_as", tiles=words.tiles(read_as(found))))
    if found is not None:
        said += worth(rules, found, words)
    elif not facts["zi_mo"] and priced({**facts, "zi_mo": True}, rules):
        said.append(words.say("cli.price.zi_mo_only"))
    else:
        said.append(words.say("cli.price.why"))
    return "\n".join(line for one in said for line in wrap(one, COLUMNS))


def heading(facts: Facts, rules: RuleProfile, found: Price | None, words: Words) -> str:
    """Whether it is a hu, of which tile, by which rule set with which cap."""
    key = "illegal" if found is None else "zi_mo" if facts["zi_mo"] else "hu"
    page = Page(words, {}, {}, {"cap_fan": rules.cap_fan}, {})
    named = {"profile": visible(rules.id), "cap": page.cap()}
    return words.say(f"cli.price.{key}", tile=words.tile(facts["win"]), **named)


def named_meld(words: Words, kind: str, tile: str) -> str:
    """A meld by its kind and its tile."""
    label = words.label("action", "peng") if kind == "peng" else words.label("gang", kind)
    return words.say("cli.price.meld", kind=label, tile=words.tile(tile))


def worth(rules: RuleProfile, found: Price, words: Words) -> list[str]:
    """Fan and points on lines of their own, and where the cap cut."""
    parts = words.parts([result(found)["shape"], *result(found)["extras"]])
    cut = rules.cap_fan is not None and found.fan > rules.cap_fan
    note = words.say("report.win.capped", fan=words.fan(rules.cap_fan)) if cut else ""
    return [
        words.say("cli.price.fan", parts=parts, fan=words.fan(found.fan)),
        words.say("cli.price.points", points=words.points(found.price), cap=note),
    ]
