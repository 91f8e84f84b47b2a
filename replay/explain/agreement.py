"""Whether an outcome is what the log claims, and if not where it differs first.

What a claim leaves out is not compared, as in an audit (`replay.claims`); here the first difference is enough, and it
is looked for without the rest.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec import UNSET, Struct, to_builtins

from replay.claims import entry_facts
from replay.events import Win
from replay.explain.settling import GANG_MONEY, Outcome, payment
from replay.explain.variants import Variant
from replay.findings import Finding
from replay.ledger import Entry, scores
from replay.log import ClaimedEntry, ClaimedHand, ClaimedSitting, ClaimedWin, Log


class Unit(Struct, frozen=True):
    """Hands whose money is claimed together: one of them, or all where totals or coins are claimed.

    ``target`` is what the claim gives each seat in points, ``payments`` what it says is paid; None where it says nothing
    of that.
    """

    hands: tuple[int, ...]
    target: list[int] | None
    hand: ClaimedHand | None = None
    sums: ClaimedSitting | None = None
    payments: frozenset[tuple[Any, ...]] | None = None

    @classmethod
    def of_hand(cls, number: int, claim: ClaimedHand) -> "Unit":
        """What is claimed of one hand."""
        paid = None if claim.ledger is None else frozenset(map(payment, claim.ledger))
        return cls((number,), claim.scores or ledger_scores(claim.ledger), claim, payments=paid)

    @classmethod
    def of_all(cls, count: int, claim: ClaimedSitting) -> "Unit":
        """What is claimed of all hands together."""
        return cls(tuple(range(count)), claim.totals, sums=claim)

    def agrees(self, found: Sequence[Outcome], variant: Variant) -> bool:
        """Whether these outcomes are what is claimed; most that are not are seen by the scores."""
        if self.target is not None and self.target != summed(found):
            return False
        return self.difference(found, variant) is None

    def difference(self, found: Sequence[Outcome], variant: Variant) -> Finding | None:
        """The first thing that these outcomes make otherwise than the claim; None where they agree."""
        if self.hand is not None:
            return hand_difference(self.hand, found[0], self.hands[0])
        return sums_difference(self.sums, found, variant.facts) if self.sums is not None else None

    def unclaimed(self, entry: Entry) -> Finding:
        """A payment that is not claimed, beside the one it was probably meant for."""
        ledger = self.hand.ledger or () if self.hand is not None else ()
        alike = [at for at, claim in enumerate(ledger) if _pair(claim) == _pair(entry)]
        exact = [at for at in alike if ledger[at].at == entry.at] or alike
        if not exact:
            return placed(payment_difference(None, entry, "claimed/ledger"), self.hands[0])
        difference = payment_difference(ledger[exact[0]], entry, f"claimed/ledger/{exact[0]}")
        return placed(difference, self.hands[0])

    @property
    def claims(self) -> list[str]:
        """What is claimed: scores, ledger, wins, totals, coins."""
        return claims_of(self.hand) if self.hand is not None else claims_of(self.sums)

    def mendable(self, found: Sequence[Outcome], more: bool) -> bool:
        """Whether the common options could make outcomes without any of them what is claimed.

        Who pays whom for what hands are worth hangs on none of them, nor do the fan of a hu, but for one that a
        self-draw may add where ``more`` says so.
        """
        claim = self.hand
        if claim is None:
            return True
        if claim.ledger is not None and paid_hands(claim.ledger) != paid_hands(found[0].entries):
            return False
        wins = {(win.seat, win.at): win for win in found[0].wins}
        stated = [(one.fan, wins.get((one.seat, one.at or -1))) for one in claim.wins or ()]
        return all(
            fan is None
            or win is None
            or fan == win.price.fan + (more and fan > win.price.fan and win.source is None)
            for fan, win in stated
        )

    def compares(self, variant: Variant) -> bool:
        """Whether there is anything to compare: coins alone are no claim on a rule set that reckons in points."""
        only_coins = self.sums is not None and self.sums.totals is None
        return not (only_coins and variant.facts["coin_factor"] is None)


def units_of(log: Log) -> list[Unit]:
    """What a log claims, hand by hand, and the sums over them last."""
    units = [
        Unit.of_hand(number, hand.claimed)
        for number, hand in enumerate(log.hands)
        if hand.claimed is not None and claims_of(hand.claimed)
    ]
    if log.claimed is not None and claims_of(log.claimed):
        units.append(Unit.of_all(len(log.hands), log.claimed))
    return units


CLAIMS = ("scores", "ledger", "wins", "totals", "coins")


def claims_of(claimed: ClaimedHand | ClaimedSitting | None) -> list[str]:
    """What a claim speaks of."""
    return [name for name in CLAIMS if getattr(claimed, name, None) is not None]


def ledger_scores(ledger: Sequence[ClaimedEntry] | None) -> list[int] | None:
    """What claimed entries come to for each seat."""
    if ledger is None:
        return None
    return scores(Entry(one.kind, one.source, one.target, one.amount, None) for one in ledger)


def paid_hands(entries: Sequence[ClaimedEntry] | Sequence[Entry]) -> Counter[Any]:
    """Who pays whom how often for what hands are worth."""
    return Counter([_pair(entry) for entry in entries if entry.kind not in GANG_MONEY])


# One hand --------------------------------------------------------------------------------------------


def hand_difference(claim: ClaimedHand, found: Outcome, number: int) -> Finding | None:
    """The first payment that differs, else the first hu, else the scores."""
    if claim.ledger is not None and (difference := ledger_difference(claim.ledger, found.entries)):
        return placed(difference, number)
    if claim.wins is not None and (difference := win_difference(claim.wins, found.wins)):
        return placed(difference, number)
    if claim.scores is not None and claim.scores != found.scores:
        facts = {"claimed": claim.scores, "recomputed": found.scores}
        return placed(Finding("SET001", facts, pointer="claimed/scores"), number)
    return None


def placed(finding: Finding, number: int) -> Finding:
    """The finding in its hand."""
    return Finding(
        finding.code,
        finding.params,
        hand=number,
        action=finding.action,
        seat=finding.seat,
        because=finding.because,
        pointer=f"/hands/{number}/{finding.pointer}",
    )


_whole = attrgetter("kind", "source", "target", "amount", "at")
_pair = attrgetter("kind", "source", "target")


def ledger_difference(claimed: Sequence[ClaimedEntry], entries: Sequence[Entry]) -> Finding | None:
    """The first claimed entry without its like, beside the one it was probably meant for; else one that is missing."""
    if list(map(_whole, claimed)) == list(map(_whole, entries)):
        return None
    whole, amounts = Counter(map(_whole, entries)), Counter(map(payment, entries))
    # A claim that names its action has the first choice among entries that are otherwise equal.
    named = [claim.at is not UNSET for claim in claimed]
    order = (
        range(len(claimed)) if all(named) or not any(named) else sorted(range(len(claimed)), key=_last(named))
    )
    rest = []
    for position in order:
        claim = claimed[position]
        amount, full = payment(claim), _whole(claim)
        if not amounts[amount] or (named[position] and not whole[full]):
            rest.append(position)
            if isinstance(order, range):
                break
            continue
        amounts[amount] -= 1
        whole[full] -= 1
    if rest:
        return unlike(claimed, min(rest), entries)
    left = [entry for entry in entries if amounts[payment(entry)]]
    return payment_difference(None, left[0], "claimed/ledger") if left else None


def _last(named: Sequence[bool]) -> Callable[[int], bool]:
    return lambda position: not named[position]


def unlike(claimed: Sequence[ClaimedEntry], at: int, entries: Sequence[Entry]) -> Finding:
    """A claimed entry without its like, beside an entry of the same kind and seats that no other claim is like."""
    claim = claimed[at]
    pair = _pair(claim)
    others = Counter([one.amount for one in claimed if _pair(one) == pair])
    own = [entry for entry in entries if _pair(entry) == pair]
    meant = [entry for entry in own if not others[entry.amount]] or own
    return payment_difference(claim, meant[0] if meant else None, f"claimed/ledger/{at}")


def payment_difference(claim: ClaimedEntry | None, meant: Entry | None, pointer: str) -> Finding:
    """SET002 for one payment, as an audit states it."""
    facts = {
        "claimed": to_builtins(claim),
        "recomputed": None if meant is None else entry_facts(meant),
        "first": True,
    }
    places = {one.at for one in (claim, meant) if one is not None}
    because = sorted(place for place in places if isinstance(place, int))
    return Finding("SET002", facts, pointer=pointer, because=tuple(because))


def win_difference(claimed: Sequence[ClaimedWin], wins: Sequence[Win]) -> Finding | None:
    """The first hu that is claimed otherwise, is not there, or is not claimed."""
    left = list(wins)
    for position, claim in enumerate(claimed):
        own = [win for win in left if win.seat == claim.seat]
        win = next((win for win in own if claim.at in (None, win.at)), own[0] if own else None)
        pointer = f"claimed/wins/{position}"
        if win is None:
            facts = {"field": "win", "claimed": to_builtins(claim), "recomputed": None}
            return Finding("SET003", facts, seat=claim.seat, pointer=pointer)
        left.remove(win)
        for field, value in win_facts(win).items():
            stated = getattr(claim, field)
            if stated is not None and (sorted(set(stated)) if field == "shapes" else stated) != value:
                facts = {"field": field, "claimed": stated, "recomputed": value}
                return Finding("SET003", facts, action=win.at, seat=win.seat, pointer=f"{pointer}/{field}")
    for win in left[:1]:
        facts = {"field": "win", "claimed": None, "recomputed": {"seat": win.seat, "at": win.at}}
        return Finding("SET003", facts, action=win.at, seat=win.seat, pointer="claimed/wins")
    return None


def win_facts(win: Win) -> Mapping[str, Any]:
    """A hu as a claim would state it."""
    price = win.price
    counted = sorted({price.shape.id, *[part.id for part in price.extras]})
    return {"at": win.at, "fan": price.fan, "price": price.price, "shapes": counted}


# The sums over the hands -----------------------------------------------------------------------------


def summed(found: Sequence[Outcome]) -> list[int]:
    """The scores of several hands as one."""
    return (
        found[0].scores
        if len(found) == 1
        else list(map(sum, zip(*[one.scores for one in found], strict=True)))
    )


def sums_difference(
    claim: ClaimedSitting, found: Sequence[Outcome], facts: Mapping[str, Any]
) -> Finding | None:
    """Totals that differ, else coins; coins are reckoned as in an audit, a hand at a time (rulebook §6.11)."""
    totals = summed(found)
    if claim.totals is not None and claim.totals != totals:
        told = {"claimed": claim.totals, "recomputed": totals}
        return Finding("SET005", told, pointer="/claimed/totals")
    factor = facts["coin_factor"]
    if claim.coins is None or factor is None:
        return None
    rake = (facts["rake"] or 0) * len(found)
    coins = [total * factor - rake for total in totals]
    if claim.coins == coins:
        return None
    return Finding("SET006", {"claimed": claim.coins, "recomputed": coins}, pointer="/claimed/coins")
