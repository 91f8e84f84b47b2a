"""The money of a hand in words: who hu'd with what, who pays whom and why, where the claim first differs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from replay.hands import ILLEGAL_HU
from replay.ledger import Entry, scores
from replay.text.page import Facts, Page
from replay.text.why import why_paid
from replay.text.wins import fans_of, how_won, price_of, sets_of
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
        sets = sets_of(words, win)
        if sets:
            yield f"    {words.say('report.win.sets', sets=sets)}"


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


def coins_lines(page: Page) -> Iterator[str]:
    """The coins of the sitting, and how those of a hand follow from its points (rulebook §2.9)."""
    coins, factor, rake = page.report.get("coins"), page.value("coin_factor"), page.value("rake")
    if not coins:
        return
    yield page.words.say("report.coins", scores=page.words.scores(coins))
    if isinstance(factor, int):
        yield page.words.say("report.coins.how", factor=factor, rake=rake if isinstance(rake, int) else 0)


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
