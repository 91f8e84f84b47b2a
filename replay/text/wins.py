"""A hu in words: how it was won, with which fans, at what price."""

from collections.abc import Iterable
from typing import Any

from replay.grounds import fan_key
from replay.text.page import Facts, Page
from replay.wording.words import Words, listed


def how_won(page: Page, hand: Facts, win: Facts) -> str:
    """By self-draw, on a discard, or by robbing a gang."""
    words, source = page.words, win.get("from")
    seat, tile = words.seat(win.get("seat")), words.tile(win.get("tile"))
    if source is None:
        return words.say("report.win.zi_mo", seat=seat, tile=tile)
    key = "qiang_gang" if robbed(page, hand, win) else "dian_pao"
    return words.say(f"report.win.{key}", seat=seat, tile=tile, source=words.seat(source))


def robbed(page: Page, hand: Facts, win: Facts) -> bool:
    """Whether the tile was robbed from a gang: the fan says so, or the log's action before the hu."""
    if any(part.get("id") == "qiang_gang" for part in win.get("extras") or []):
        return True
    at = win.get("at")
    before = at - 1 if isinstance(at, int) else -1
    while page.action(hand, before).get("type") in ("hu", "pass"):
        before -= 1
    return page.action(hand, before).get("type") == "gang"


def counted(words: Words, win: Facts) -> str:
    """The shape and the extras, each with its fan; "" where the report does not name them."""
    shape = win.get("shape")
    return words.parts([shape, *(win.get("extras") or [])]) if shape else ""


def fans_of(words: Words, win: Facts) -> str:
    """What a hu is worth in 番, part by part where the report names the parts."""
    parts, fan = counted(words, win), words.fan(win.get("fan"))
    return words.say("report.win.fan", parts=parts, fan=fan) if parts else fan


def cited_fans(page: Page, win: Facts, more: Iterable[Facts] = (), fan: Any = None) -> str:
    """What a hand is worth in 番, each part with the place of its clause; ``more`` are fans of the payer's own."""
    words, shape, parts = page.words, win.get("shape"), listed(win.get("extras"))
    total = words.fan(win.get("fan") if fan is None else fan)
    if not shape:
        return total
    named = [page.cited(words.part(part), cite_of(page, part)) for part in (shape, *parts, *more)]
    return words.say("report.win.fan", parts=words.say("language.plus").join(named), fan=total)


def cite_of(page: Page, part: Facts) -> str:
    """The key under which the report has the words for a fan."""
    return fan_key(page.cites(), str(part.get("id")))


def price_of(page: Page, win: Facts) -> str:
    """The price in points, and the cap where it cut."""
    words, cap, fan = page.words, page.cap_fan(), win.get("fan")
    cut = isinstance(cap, int) and isinstance(fan, int) and fan > cap
    note = words.say("report.win.capped", fan=words.fan(cap)) if cut else ""
    return words.say("report.win.price", points=words.points(win.get("price")), cap=note)


def sets_of(words: Words, hand: Facts) -> str:
    """The sets of a hand; "" where the report does not take it apart."""
    sets = listed(hand.get("sets"))
    return words.join(words.tiles(one) for one in sets) if sets else ""


def win_of(hand: Facts, entry: Facts, because: Facts) -> Facts | None:
    """The hu that an entry pays for: as the entry says, else by step and payee."""
    wins, index = hand.get("wins") or [], because.get("win")
    if isinstance(index, int) and 0 <= index < len(wins):
        found: Facts = wins[index]
        return found
    key = (entry.get("at"), entry.get("to"))
    return next((win for win in wins if (win.get("at"), win.get("seat")) == key), None)
