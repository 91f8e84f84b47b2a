"""The money of a hand in words: who hu'd with what, who pays whom and why, where the claim first differs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from replay.hands import ILLEGAL_HU
from replay.ledger import Entry, scores
from replay.text.page import Facts, Page
from replay.wording.words import Words, listed, signed


def hand_lines(page: Page, hand: Facts) -> Iterator[str]:
    """One hand: how it stands, its wins, its payments, its scores and what was claimed."""
    words, position, dealer = page.words, hand.get("hand", 0), page.logged(hand).get("dealer")
    if dealer is None:
        yield words.say("report.hand", n=position + 1)
    else:
        yield words.say("report.hand.dealer", n=position + 1, dealer=words.seat(dealer))
    for line in (*state_lines(page, hand), *_wins(page, hand), *_payments(page, hand), *_result(page, hand)):
        yield f"  {line}"


def state_lines(page: Page, hand: Facts) -> Iterator[str]:
    """Calm where there is nothing to object to; else how much there is, and where the audit stopped."""
    words = page.words
    kinds = Counter(finding.get("kind") for finding in hand.get("findings") or [])
    found = page.counts(kinds, ("malformed", "illegal", "mismatch", "undecidable", "unverified"))
    if found:
        yield words.say("report.hand.findings", counts=words.join(found))
    elif hand.get("scores") is not None:
        counted = [*page.played([hand]), page.agreement([hand])]
        yield words.say("report.hand.calm", counts=words.join(counted))
    if hand.get("stopped_at") is not None:
        yield words.say("report.hand.stopped", step=words.step(hand["stopped_at"]))
    elif hand.get("scores") is None:
        yield words.say("report.hand.unsettled")


def _wins(page: Page, hand: Facts) -> Iterator[str]:
    """Every hu: who, on what, from whom, with which fans; 番 and points apart."""
    words, wins = page.words, hand.get("wins") or []
    if wins:
        yield words.say("report.wins")
    elif hand.get("scores") is not None:
        yield words.say("report.wins.none")
    for win in wins:
        said = {"how": how_won(page, hand, win), "fan": fans_of(words, win), "price": price_of(page, win)}
        yield f"  {words.say('report.win', step=words.step(win.get('at')), **said)}"
        if win.get("sets"):
            sets = words.join(words.tiles(one) for one in win["sets"])
            yield f"    {words.say('report.win.sets', sets=sets)}"


def how_won(page: Page, hand: Facts, win: Facts) -> str:
    """By self-draw, on a discard, or by robbing a gang."""
    words, source = page.words, win.get("from")
    seat, tile = words.seat(win.get("seat")), words.tile(win.get("tile"))
    if source is None:
        return words.say("report.win.zi_mo", seat=seat, tile=tile)
    key = "qiang_gang" if _robbed(page, hand, win) else "dian_pao"
    return words.say(f"report.win.{key}", seat=seat, tile=tile, source=words.seat(source))


def _robbed(page: Page, hand: Facts, win: Facts) -> bool:
    """Whether the tile was robbed from a gang: the fan says so, or the log's action before the hu."""
    if any(part.get("id") == "qiang_gang" for part in win.get("extras") or []):
        return True
    at = win.get("at")
    before = at - 1 if isinstance(at, int) else -1
    while page.action(hand, before).get("type") in ("hu", "pass"):
        before -= 1
    return page.action(hand, before).get("type") == "gang"


def _counted(words: Words, win: Facts) -> str:
    """The shape and the extras, each with its fan; "" where the report does not name them."""
    shape = win.get("shape")
    return words.parts([shape, *(win.get("extras") or [])]) if shape else ""


def fans_of(words: Words, win: Facts) -> str:
    """What a hu is worth in 番, part by part where the report names the parts."""
    parts, fan = _counted(words, win), words.fan(win.get("fan"))
    return words.say("report.win.fan", parts=parts, fan=fan) if parts else fan


def price_of(page: Page, win: Facts) -> str:
    """The price in points, and the cap where it cut."""
    words, cap, fan = page.words, page.cap_fan(), win.get("fan")
    cut = isinstance(cap, int) and isinstance(fan, int) and fan > cap
    note = words.say("report.win.capped", fan=words.fan(cap)) if cut else ""
    return words.say("report.win.price", points=words.points(win.get("price")), cap=note)


def void_scores(hand: Facts) -> list[int] | None:
    """A hand's scores as if each hu against the rules were void; None where it has none, or no settlement.

    What a void hu was paid and what a gang before it passed on is left out; nothing is played anew.
    """
    if hand.get("strict_scores") is not None:
        return list(hand["strict_scores"])
    against = {
        one["action"] for one in hand["findings"] if one["code"] in ILLEGAL_HU and one["kind"] == "illegal"
    }
    void = {number for number, win in enumerate(hand["wins"]) if win["at"] in against}
    if hand["scores"] is None or not void:
        return None
    return scores(
        Entry(entry["kind"], entry["from"], entry["to"], entry["amount"], entry["at"])
        for entry in hand["ledger"]
        if entry["because"].get("win") not in void
    )


def _payments(page: Page, hand: Facts) -> Iterator[str]:
    """Every entry of the ledger, numbered, with its reason."""
    words, ledger = page.words, hand.get("ledger") or []
    profile = words.shown((page.report.get("rules") or {}).get("profile"))
    if ledger:
        yield words.say("report.payments", profile=profile, cap=page.cap())
    elif hand.get("scores") is not None:
        yield words.say("report.payments.none")
    for number, entry in enumerate(ledger, 1):
        line = words.say(
            "report.payment",
            n=number,
            source=words.seat(entry.get("from")),
            target=words.payee(entry.get("to")),
            points=words.points(entry.get("amount")),
            why=why_paid(page, hand, entry),
        )
        yield f"  {line}"


def why_paid(page: Page, hand: Facts, entry: Facts) -> str:
    """The reason of a payment, and which payment it gives back."""
    words, because = page.words, entry.get("because") or {}
    why = WHY.get(str(entry.get("kind")), _why_other)(page, hand, entry, because)
    extras = because.get("extras") or because.get("payer_gangs")
    if isinstance(extras, list) and extras:
        why = words.say("report.why.extra", why=why, parts=words.parts(extras))
    if because.get("bonus"):
        why = words.say("report.why.bonus", why=why, points=words.points(because["bonus"]))
    times = because.get("piao")
    if isinstance(times, int) and times > 1:
        why = words.say("report.why.piao", why=why, n=times)
    if entry.get("reverses") is not None:
        why = words.say("report.why.reverses", why=why, n=entry["reverses"] + 1)
    return why


def _why_other(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    """The name of the item, and the step that caused it."""
    kind = page.words.label("ledger", entry.get("kind"))
    if entry.get("at") is None:
        return kind
    return page.words.say("report.why.at", kind=kind, step=page.words.step(entry["at"]))


def _why_hu(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    words, win = page.words, _win_of(hand, entry, because)
    if win is None:
        return _why_other(page, hand, entry, because)
    said = {
        "step": words.step(win.get("at")),
        "fan": words.fan(win.get("fan")),
        "points": price_of(page, win),
    }
    parts = _counted(words, win)
    if not parts:
        return words.say("report.why.win", **said)
    return words.say("report.why.win_parts", parts=parts, **said)


def _win_of(hand: Facts, entry: Facts, because: Facts) -> Facts | None:
    """The hu that an entry pays for: as the entry says, else by step and payee."""
    wins, index = hand.get("wins") or [], because.get("win")
    if isinstance(index, int) and 0 <= index < len(wins):
        found: Facts = wins[index]
        return found
    key = (entry.get("at"), entry.get("to"))
    return next((win for win in wins if (win.get("at"), win.get("seat")) == key), None)


def _gang(page: Page, hand: Facts, at: Any, kind: Any = None) -> str:
    """A gang by its kind, tile and step."""
    words = page.words
    for entry in hand.get("ledger") or []:
        if kind is None and entry.get("kind") == "gang" and (entry.get("because") or {}).get("gang") == at:
            kind = entry["because"].get("kind")
    action = page.action(hand, at)
    gang, step = words.label("gang", kind or action.get("kind") or "any"), words.step(at)
    if action.get("type") == "gang" and "tile" in action:
        return words.say("report.why.gang_tile", gang=gang, tile=words.tile(action["tile"]), step=step)
    return words.say("report.why.gang", gang=gang, step=step)


def _why_gang(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    return _gang(page, hand, because.get("gang", entry.get("at")), because.get("kind"))


def _why_transfer(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    win = _win_of(hand, entry, because) or {}
    step = page.words.step(win.get("at", entry.get("at")))
    return page.words.say("report.why.transfer", win=step, gang=_gang(page, hand, because.get("gang")))


REFUNDS = {
    "not_ready": "refund",
    "gang_pao": "refund_gang_pao",
    "illegal_hu": "refund_illegal_hu",
}


def _why_refund(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    key = REFUNDS.get(str(because.get("reason")), "refund_plain")
    return page.words.say(f"report.why.{key}", gang=_gang(page, hand, because.get("gang")))


def _why_hua_zhu(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    seat = page.words.seat(because.get("hua_zhu", entry.get("from")))
    if because.get("tiles"):
        tiles = page.words.tiles(because["tiles"])
        return page.words.say("report.why.hua_zhu_void", seat=seat, tiles=tiles)
    return page.words.say("report.why.hua_zhu", seat=seat)


def _why_da_jiao(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    words, best, target = page.words, because.get("best"), page.words.payee(entry.get("to"))
    if not because.get("ready"):
        winners = {win.get("seat") for win in hand.get("wins") or []}
        if entry.get("to") in winners:
            return words.say("report.why.da_jiao_hu", target=target)
        return _why_other(page, hand, entry, because)
    said = {"target": target, "ready": words.tile_list(because["ready"])}
    if not isinstance(best, Mapping):
        return words.say("report.why.da_jiao", **said)
    fan = words.fan(best.get("fan"))
    said |= {"tile": words.tile(best.get("tile")), "fan": fan, "points": price_of(page, best)}
    return words.say("report.why.da_jiao_best", parts=_counted(words, best) or fan, **said)


def _why_penalty(page: Page, hand: Facts, entry: Facts, because: Facts) -> str:
    if because.get("illegal_hu") is None:
        return _why_other(page, hand, entry, because)
    return page.words.say("report.why.penalty", step=page.words.step(because["illegal_hu"]))


WHY: dict[str, Callable[[Page, Facts, Facts, Facts], str]] = {
    "hu": _why_hu,
    "gang": _why_gang,
    "transfer": _why_transfer,
    "refund": _why_refund,
    "hua_zhu": _why_hua_zhu,
    "da_jiao": _why_da_jiao,
    "penalty": _why_penalty,
}
"""The reason of each kind of entry that has more to say than its name."""


def _result(page: Page, hand: Facts) -> Iterator[str]:
    """Scores beside the claim, who was ready, who may deal next."""
    words, scores = page.words, hand.get("scores")
    if scores is not None:
        yield words.say("report.scores", scores=words.scores(scores))
        yield from _claimed(words, scores, hand.get("claimed"))
    if hand.get("strict_scores") is not None:
        yield words.say("report.strict", scores=words.scores(hand["strict_scores"]))
    ready = hand.get("ready")
    if ready is not None:
        yield ready_line(words, ready)
    if hand.get("next_dealer"):
        yield words.say("report.next_dealer", seats=words.seats(hand["next_dealer"]))


def _claimed(words: Words, scores: Sequence[Any], claimed: Any) -> Iterator[str]:
    """The claimed scores beside the recomputed ones, and the first seat where they part."""
    if claimed is None:
        yield words.say("report.claimed.none")
    elif list(claimed) == list(scores):
        yield words.say("report.claimed.agrees")
    else:
        yield words.say("report.claimed", scores=words.scores(claimed))
        pairs = zip(listed(claimed), scores, strict=False)
        seat, (one, other) = next((at, pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])
        amounts = {"claimed": signed(one), "recomputed": signed(other)}
        yield words.say("report.claimed.first", seat=words.seat(seat), **amounts)


def ready_line(words: Words, ready: Facts) -> str:
    """Which seats were ready, and for what."""
    if not ready:
        return words.say("report.ready.none")
    seats = [
        words.say("report.ready.seat", seat=words.seat(int(seat)), tiles=words.tile_list(tiles))
        for seat, tiles in sorted(ready.items())
    ]
    return words.say("report.ready", seats=words.say("language.group").join(seats))
