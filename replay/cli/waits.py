"""`replay waits`: what a hand is ready for, and what each of those tiles would make it worth."""

from typing import Any

import click
import orjson

from replay.cli.options import (
    Options,
    format_option,
    lang_option,
    option_option,
    profile_option,
    rules_named,
)
from replay.cli.program import CLEAN, FOUND, Refused
from replay.cli.quotes import (
    Facts,
    asked_hand,
    meld_option,
    priced,
    result,
    rules_facts,
    typed_wild,
    void_option,
    wild_option,
    wild_problem,
)
from replay.prices import Price
from replay.profile import RuleProfile, default_profile
from replay.quote import HandProblem, waits
from replay.text import COLUMNS
from replay.wording import Words
from replay.wording.plain import visible, wrap


@click.command("waits")
@click.argument("hand")
@meld_option
@void_option
@wild_option
@profile_option("The rule set, one of `replay profiles list` or a .json file; by default the first.")
@option_option
@format_option
@lang_option
@click.pass_context
def waits_command(
    ctx: click.Context,
    hand: str,
    melds: tuple[str, ...],
    void: str | None,
    wild: str | None,
    profile: str | None,
    options: Options,
    output: str,
    words: Words,
) -> None:
    """Tell what a hand waits for, with the price of each tile.

    HAND is the 13 concealed tiles, three fewer for every exposed set, one by one (1m1m5p) or by suit (11m5p).
    The price is that of a discard, or of a self-draw where the rules know no other hu, without anything that
    depends on how it is won.

    \b
    Exit status: 0 ready, 1 not ready, 2 the hand or the rule set could not be used.

    \b
    Example:
      replay waits 1112345678999p --void s
      replay waits 23456m77p --meld peng:1m --meld an:9m --format json
    """
    rules = rules_named(profile or default_profile(), options, words)
    facts = {**asked_hand(hand, melds, words), "void": void, "wild": typed_wild(wild, words)}
    if problem := wild_problem(rules, wild, words):
        raise Refused(problem)
    try:
        tiles = waits(**facts, profile=rules)
    except HandProblem as error:
        raise Refused(words.say("cli.hand", problem=visible(error, 300))) from None
    found = {tile: worth(facts, tile, rules) for tile in tiles}
    if output == "json":
        listed = [{"tile": tile, **result(price)} for tile, price in found.items()]
        click.echo(orjson.dumps({**rules_facts(rules), **facts, "waits": listed}))
    else:
        click.echo("\n".join(line for one in waits_lines(found, rules, words) for line in wrap(one, COLUMNS)))
    ctx.exit(CLEAN if tiles else FOUND)


def worth(facts: Facts, tile: str, rules: RuleProfile) -> Price | None:
    """The price of the hand with ``tile``; None where the hand holds all four and no fifth can come."""
    whole: dict[str, Any] = {**facts, "hand": facts["hand"] + tile, "win": tile, "how": []}
    try:
        return priced({**whole, "zi_mo": False}, rules) or priced({**whole, "zi_mo": True}, rules)
    except HandProblem:
        return None


def waits_lines(found: dict[str, Price | None], rules: RuleProfile, words: Words) -> list[str]:
    """The tiles, each with its fan and its points."""
    profile = visible(rules.id)
    if not found:
        return [words.say("cli.waits.none", profile=profile)]
    tiles = words.tile_list(list(found))
    return [
        words.say("cli.waits.ready", tiles=tiles, profile=profile),
        *(f"  {wait_line(tile, price, words)}" for tile, price in found.items()),
    ]


def wait_line(tile: str, price: Price | None, words: Words) -> str:
    """One tile."""
    if price is None:
        return words.say("cli.waits.dead", tile=words.tile(tile))
    parts = words.parts([result(price)["shape"], *result(price)["extras"]])
    said = {"fan": words.fan(price.fan), "points": words.points(price.price)}
    return words.say("cli.waits.wait", tile=words.tile(tile), parts=parts, **said)
