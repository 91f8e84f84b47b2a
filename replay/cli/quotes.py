"""A single hand as the command line and a line of a batch both give it, and its price as data."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from replay.cli.notation import meld, tile_string, with_winning_tile
from replay.fans import Price
from replay.profile import RuleProfile
from replay.quote import VOIDS, price
from replay.settlement import part_facts
from replay.wording import Words
from replay.wording.plain import visible

Facts = dict[str, Any]

meld_option = click.option(
    "--meld",
    "melds",
    metavar="KIND:TILE",
    multiple=True,
    help="An exposed set: peng, zhi, bu or an (the three gangs), and its tile; may be repeated.",
)
void_option = click.option("--void", type=click.Choice(list(VOIDS)), help="The declared void suit (定缺).")


def asked_hand(hand: str, win: str, melds: Iterable[str], **rest: Any) -> Facts:
    """The hand typed on a command line, as a line of a batch has it."""
    sets = [meld(text) for text in melds]
    tile = tile_string(win)
    facts = {"hand": with_winning_tile(tile_string(hand), tile, sets), "win": tile, "melds": sets, **rest}
    return {**facts, "wild": tile_string(rest["wild"]) if rest["wild"] else None, "how": list(rest["how"])}


def wild_problem(rules: RuleProfile, wild: object, words: Words) -> str:
    """Why a hand with a wildcard cannot be priced (the rule set has none, or it is not done here); or ""."""
    if wild is None:
        return ""
    key = "no_wild" if rules.ting_yong == "none" else "wild"
    return words.say(f"cli.{key}", profile=visible(rules.id))


def priced(facts: Mapping[str, Any], rules: RuleProfile) -> Price | None:
    """The price of a hand as `asked_hand` gives it. Raises `HandProblem`."""
    names = ("melds", "zi_mo", "how", "void")
    return price(facts["hand"], facts["win"], profile=rules, **{name: facts[name] for name in names})


def result(found: Price | None) -> Facts:
    """A price as data."""
    if found is None:
        return {"legal": False}
    shape = {"id": found.shape.id, "fan": found.shape.fan}
    extras = [part_facts(part) for part in found.extras]
    return {"legal": True, "fan": found.fan, "price": found.price, "shape": shape, "extras": extras}


def rules_facts(rules: RuleProfile) -> Facts:
    """Which rules an answer was given by."""
    return {"profile": rules.id, "digest": rules.digest, "options": dict(rules.options)}
