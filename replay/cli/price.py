"""`replay price`: what a winning hand is worth, one on the command line or many in a file."""

import sys
from typing import Any

import click
import orjson

from replay.cli.batch import price_lines
from replay.cli.options import (
    Options,
    format_option,
    lang_option,
    option_option,
    profile_option,
    rules_named,
    unreadable,
)
from replay.cli.price_text import price_text
from replay.cli.program import CLEAN, FOUND, Refused
from replay.cli.quotes import (
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
from replay.cli.usage import Misused
from replay.fans import SITUATIONS
from replay.profile import default_profile
from replay.quote import HandProblem
from replay.wording import Words
from replay.wording.plain import visible


@click.command("price")
@click.argument("hand", required=False)
@click.option("--win", metavar="TILE", help="The tile that completes the hand.")
@meld_option
@click.option("--zi-mo", is_flag=True, help="Won on the own draw.")
@click.option("--how", multiple=True, type=click.Choice(SITUATIONS), help="How it was won; may be repeated.")
@void_option
@wild_option
@click.option("--batch", metavar="FILE", type=click.Path(), help="Price every line of FILE (- is stdin).")
@profile_option("The rule set, one of `replay profiles list` or a .json file; by default the first.")
@option_option
@format_option
@lang_option
@click.pass_context
def price_command(
    ctx: click.Context,
    /,
    hand: str | None,
    win: str | None,
    batch: str | None,
    profile: str | None,
    options: Options,
    output: str,
    words: Words,
    melds: tuple[str, ...],
    how: tuple[str, ...],
    **asked: Any,
) -> None:
    """Price a winning hand: shape, fan and points.

    HAND is the concealed tiles, one by one (1m1m5p) or by suit (11m5p, 11万5筒). The winning tile is one of
    them; it is added where the hand is one tile short.

    --batch takes NDJSON: objects with hand and win, and as far as they matter profile, options, melds (lists
    of kind and tile), zi_mo, how, void, wild. Each comes back on a line of its own with "result" added, or
    with "error", and then the exit status is 1. --profile and --option are for lines that name none.

    \b
    Exit status: 0 a legal hu, 1 no legal hu, 2 the hand or the rule set could not be used.

    \b
    Example:
      replay price 11155p --win 5p --meld peng:3m --meld zhi:9m --meld peng:4p --zi-mo --void s
      replay price 1122335566p77m88m --win 8m --void s --option cap_fan=3 --lang zh-Hans
      replay price --batch hands.ndjson > priced.ndjson
    """
    if batch is not None:
        ctx.exit(price_file(batch, profile, options, words))
    if hand is None or win is None:
        raise Misused(words.say("cli.price.needs"), ctx, words)
    rules = rules_named(profile or default_profile(), options, words)
    typed = {"how": list(how), "wild": typed_wild(asked.pop("wild"), words)}
    facts = {**asked_hand(hand, melds, words, win), **asked, **typed}
    if problem := wild_problem(rules, facts["wild"], words):
        raise Refused(problem)
    try:
        found = priced(facts, rules)
    except HandProblem as error:
        raise Refused(words.say("cli.hand", problem=visible(error, 300))) from None
    if output == "json":
        click.echo(orjson.dumps({**rules_facts(rules), **facts, "result": result(found)}))
    else:
        click.echo(price_text(facts, rules, found, words))
    ctx.exit(CLEAN if found else FOUND)


def price_file(name: str, profile: str | None, options: Options, words: Words) -> int:
    """Price every line of a file; returns the exit code."""
    named = profile or default_profile()
    rules_named(named, options, words)
    try:
        with click.open_file(name, "rb") as stream:
            return price_lines(stream, sys.stdout.buffer, named, options)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Refused(unreadable(words, name, error)) from None
