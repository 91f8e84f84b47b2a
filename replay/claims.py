"""The claimed settlement beside the recomputed one: SET findings, entry by entry. The engine never reads a claim."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from msgspec import UNSET, to_builtins

from replay.findings import Finding
from replay.ledger import Entry, bank
from replay.log import ClaimedEntry, ClaimedHand, ClaimedWin
from replay.state import Win


def compare_hand(
    claim: ClaimedHand, entries: Sequence[Entry], scores: Sequence[int], wins: Sequence[Win]
) -> list[Finding]:
    """What a hand's claim says otherwise than the recomputed settlement (``hand`` and pointer stay open)."""
    found = []
    if claim.scores is not None:
        found += compare_scores(claim.scores, list(scores), entries)
    if claim.ledger is not None:
        found += compare_ledger(claim.ledger, entries)
    if claim.wins is not None:
        found += compare_wins(claim.wins, wins)
    return found


def compare_scores(claimed: list[int], scores: list[int], entries: Sequence[Entry]) -> list[Finding]:
    """SET004 where the claim does not add up to zero with the bank counted, SET001 where it differs."""
    if claimed == scores:
        return []
    facts: dict[str, Any] = {"claimed": claimed, "recomputed": scores}
    found = [Finding("SET001", facts, pointer="claimed/scores")]
    if total := sum(claimed) + bank(entries):
        facts = {"claimed": claimed, "sum": total}
        found.insert(0, Finding("SET004", facts, pointer="claimed/scores"))
    return found


def compare_ledger(claimed: Sequence[ClaimedEntry], entries: Sequence[Entry]) -> list[Finding]:
    """SET002 for every entry that only one side has, the first one marked.

    Entries are matched by kind, payer, payee and amount, and by action where the claim gives one; the order in
    which equal entries stand does not matter.
    """
    if list(map(_fields, claimed)) == list(map(_fields, entries)):
        return []
    open_entries = list(entries)
    unmatched = []
    # A claim that names its action has the first choice among entries that are otherwise equal.
    for at, claim in sorted(enumerate(claimed), key=lambda item: item[1].at is UNSET):
        match = next((entry for entry in open_entries if same_entry(claim, entry)), None)
        if match is None:
            unmatched.append((at, claim))
        else:
            open_entries.remove(match)
    return pair_up(sorted(unmatched, key=lambda item: item[0]), open_entries)


_fields = attrgetter("kind", "source", "target", "amount", "at")


def same_entry(claim: ClaimedEntry, entry: Entry) -> bool:
    """Whether a claimed entry is this one; what the claim leaves out is not compared."""
    return alike(claim, entry) and claim.amount == entry.amount and claim.at in (UNSET, entry.at)


def alike(claim: ClaimedEntry, entry: Entry) -> bool:
    """Whether two entries differ in their amount or action only."""
    return (claim.kind, claim.source, claim.target) == (entry.kind, entry.source, entry.target)


def entry_facts(entry: Entry) -> dict[str, Any]:
    """An entry as a claim would write it."""
    return {
        "kind": entry.kind,
        "from": entry.source,
        "to": entry.target,
        "amount": entry.amount,
        "at": entry.at,
    }


def pair_up(unmatched: Sequence[tuple[int, ClaimedEntry]], left: list[Entry]) -> list[Finding]:
    """The differences of two ledgers: a claimed entry beside the one it was probably meant for, then what is missing."""
    found: list[Finding] = []
    for at, claim in unmatched:
        meant = next((entry for entry in left if alike(claim, entry)), None)
        if meant is not None:
            left.remove(meant)
        found.append(difference(claim, meant, not found, f"claimed/ledger/{at}"))
    for entry in left:
        found.append(difference(None, entry, not found, "claimed/ledger"))
    return found


def difference(claimed: ClaimedEntry | None, recomputed: Entry | None, first: bool, pointer: str) -> Finding:
    """One SET002."""
    facts = {
        "claimed": to_builtins(claimed),
        "recomputed": None if recomputed is None else entry_facts(recomputed),
        "first": first,
    }
    places = {entry.at for entry in (claimed, recomputed) if entry is not None and isinstance(entry.at, int)}
    return Finding("SET002", facts, pointer=pointer, because=tuple(sorted(places)))


def compare_wins(claimed: Sequence[ClaimedWin], wins: Sequence[Win]) -> list[Finding]:
    """SET003 for every hu that is missing, too many, or stated with another fan, price, shape or action."""
    found: list[Finding] = []
    left = list(wins)
    for position, claim in enumerate(claimed):
        pointer = f"claimed/wins/{position}"
        own = [win for win in left if win.seat == claim.seat]
        win = next((win for win in own if claim.at in (None, win.at)), own[0] if own else None)
        if win is None:
            facts = {"field": "win", "claimed": to_builtins(claim), "recomputed": None}
            found.append(Finding("SET003", facts, seat=claim.seat, pointer=pointer))
            continue
        left.remove(win)
        found += compare_win(claim, win, pointer)
    for win in left:
        facts = {"field": "win", "claimed": None, "recomputed": {"seat": win.seat, "at": win.at}}
        found.append(Finding("SET003", facts, action=win.at, seat=win.seat, pointer="claimed/wins"))
    return found


def compare_win(claim: ClaimedWin, win: Win, pointer: str) -> list[Finding]:
    """SET003 for each stated field of one hu that differs; what the claim leaves out is not compared."""
    price = win.price
    counted = sorted({price.shape.id, *[part.id for part in price.extras]})
    actual = {"at": win.at, "fan": price.fan, "price": price.price, "shapes": counted}
    found = []
    for name, value in actual.items():
        claimed = getattr(claim, name)
        if claimed is None:
            continue
        stated = sorted(set(claimed)) if name == "shapes" else claimed
        if stated != value:
            facts = {"field": name, "claimed": claimed, "recomputed": value}
            found.append(Finding("SET003", facts, action=win.at, seat=win.seat, pointer=f"{pointer}/{name}"))
    return found
