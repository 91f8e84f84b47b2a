"""A single hand as the command line and a line of a batch both give it, and its price as data."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from replay.cli.notation import meld, tile_string, with_winning_tile
from replay.cli.program import Refused
from replay.prices import Price, part_facts
from replay.profile import RuleProfile
from replay.quote import MELD_KINDS, VOIDS, price
from replay.tiles import tile_string as tiles_written
from replay.tiles import tiles_of
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
wild_option = click.option("--wild", metavar="TILE", help="The tile that stands for any other (听用).")
void_option = click.option("--void", type=click.Choice(list(VOIDS)), help="The declared void suit (定缺).")


def asked_hand(hand: str, melds: Iterable[str], words: Words, win: str = "") -> Facts:
    """The tiles typed on a command line, as a line of a batch has them. Raises `Refused`.

    Without ``win`` the hand is one that waits: a tile fewer.
    """
    sets = [typed_meld(text, words) for text in melds]
    tiles, tile = typed_tiles(hand, words), typed_tiles(win, words)
    expected = (14 if win else 13) - 3 * len(sets)
    if win:
        tiles = with_winning_tile(tiles, tile, expected)
    if len(tiles) != 2 * expected or len(tile) > 2:
        said = {"expected": expected, "found": len(tiles) // 2, "melds": len(sets)}
        raise Refused(words.say("cli.hand.count", **said))
    return {"hand": tiles, "melds": sets, **({"win": tile} if win else {})}


def typed_tiles(text: str, words: Words) -> str:
    """Tiles as typed, as a tile string. Raises `Refused`."""
    tiles = tile_string(text)
    if tiles is None:
        raise Refused(words.say("cli.hand.tiles", text=visible(text)))
    return tiles


def typed_wild(text: str | None, words: Words) -> str | None:
    """The wildcard as typed, as the name of a tile. Raises `Refused`."""
    return None if text is None else typed_tiles(text, words)


def typed_meld(text: str, words: Words) -> tuple[str, str]:
    """Kind and tile of a meld as typed. Raises `Refused`."""
    found = meld(text)
    if found is None or found[0] not in MELD_KINDS:
        raise Refused(words.say("cli.hand.meld", text=visible(text), kinds=words.join(MELD_KINDS)))
    return found


def wild_problem(rules: RuleProfile, wild: object, words: Words) -> str:
    """Why a hand with a wildcard cannot be priced: the rule set has none; or ""."""
    return words.say("cli.no_wild", profile=visible(rules.id)) if wild and rules.ting_yong == "none" else ""


def priced(facts: Mapping[str, Any], rules: RuleProfile) -> Price | None:
    """The price of a hand as `asked_hand` gives it. Raises `HandProblem`."""
    names = ("melds", "zi_mo", "how", "void", "wild")
    return price(facts["hand"], facts["win"], profile=rules, **{name: facts[name] for name in names})


def result(found: Price | None) -> Facts:
    """A price as data."""
    if found is None:
        return {"legal": False}
    shape = {"id": found.shape.id, "fan": found.shape.fan}
    extras = [part_facts(part) for part in found.extras]
    priced = {"legal": True, "fan": found.fan, "price": found.price, "shape": shape, "extras": extras}
    return {**priced, **({"read_as": read_as(found)} if found.hand else {})}


def read_as(found: Price) -> str:
    """The concealed tiles of a hand with wildcards, each as what it stands for."""
    return tiles_written(tiles_of(found.hand))


def rules_facts(rules: RuleProfile) -> Facts:
    """Which rules an answer was given by."""
    return {"profile": rules.id, "digest": rules.digest, "options": dict(rules.options)}
