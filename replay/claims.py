"""The claimed settlement beside the recomputed one: SET findings, entry by entry. The engine never reads a claim."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from msgspec import UNSET, to_builtins

from replay.events import Win
from replay.findings import Finding
from replay.grounds import ENTRY_KEYS, deciding, fan_key, gang_at, gang_key
from replay.ledger import Entry, bank
from replay.log import ClaimedEntry, ClaimedHand, ClaimedWin
from replay.profile import RuleProfile
from replay.state import Table


def compare_hand(
    claim: ClaimedHand, entries: Sequence[Entry], scores: Sequence[int], table: Table
) -> list[Finding]:
    """What a hand's claim says otherwise than the recomputed settlement (``hand`` and pointer stay open)."""
    found: list[Finding] = []
    paid: list[Finding] = []
    if claim.ledger is not None:
        paid = compare_ledger(claim.ledger, entries, table)
    if claim.scores is not None and claim.scores != (due := list(scores)):
        # A claim that has a ledger of its own says itself what went to the bank.
        banked = bank(entries) if claim.ledger is None else claimed_bank(claim.ledger)
        found += compare_scores(claim.scores, due, banked)
    found += paid
    if claim.wins is not None:
        found += compare_wins(claim.wins, table)
    return found


def claimed_bank(claimed: Sequence[ClaimedEntry]) -> int:
    """What the bank received by the claim."""
    return sum(entry.amount for entry in claimed if entry.target is None)


def compare_scores(claimed: list[int], scores: list[int], banked: int) -> list[Finding]:
    """SET001 for a claim that differs, after SET004 where it does not add up to zero with the bank counted.

    Both compare sums, and which payment makes a sum differ it does not tell: they cite no clause, SET002 does.
    """
    facts: dict[str, Any] = {"claimed": claimed, "recomputed": scores}
    found = [Finding("SET001", facts, pointer="claimed/scores")]
    if total := sum(claimed) + banked:
        facts = {"claimed": claimed, "sum": total}
        found.insert(0, Finding("SET004", facts, pointer="claimed/scores"))
    return found


def compare_ledger(claimed: Sequence[ClaimedEntry], entries: Sequence[Entry], table: Table) -> list[Finding]:
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
    return pair_up(sorted(unmatched, key=lambda item: item[0]), open_entries, table)


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


def pair_up(unmatched: Sequence[tuple[int, ClaimedEntry]], left: list[Entry], table: Table) -> list[Finding]:
    """The differences of two ledgers: a claimed entry beside the one it was probably meant for, then what is missing."""
    found: list[Finding] = []
    for at, claim in unmatched:
        meant = next((entry for entry in left if alike(claim, entry)), None)
        if meant is not None:
            left.remove(meant)
        found.append(difference(claim, meant, not found, f"claimed/ledger/{at}", table))
    for entry in left:
        found.append(difference(None, entry, not found, "claimed/ledger", table))
    return found


def difference(
    claimed: ClaimedEntry | None, recomputed: Entry | None, first: bool, pointer: str, table: Table
) -> Finding:
    """One SET002."""
    if recomputed is not None:
        rule = deciding(recomputed, table)
    else:
        rule = claimed_key(claimed, table) if claimed is not None else ""
    facts = {
        "claimed": to_builtins(claimed),
        "recomputed": None if recomputed is None else entry_facts(recomputed),
        "first": first,
    }
    places = {entry.at for entry in (claimed, recomputed) if entry is not None and isinstance(entry.at, int)}
    return Finding("SET002", facts, pointer=pointer, because=tuple(sorted(places)), rule=rule)


def claimed_key(claim: ClaimedEntry, table: Table) -> str:
    """The key that would decide an entry that is claimed alone."""
    gang = gang_at(table, claim.at) if claim.kind == "gang" else None
    return ENTRY_KEYS.get(claim.kind, "") if gang is None else gang_key(gang, claim.source)


MISSING_WIN = "win_shape"
"""The words on what a complete hand is: what a hu hangs on that only one side has."""


def compare_wins(claimed: Sequence[ClaimedWin], table: Table) -> list[Finding]:
    """SET003 for every hu that is missing, too many, or stated with another fan, price, shape or action."""
    found: list[Finding] = []
    left = list(table.wins)
    for position, claim in enumerate(claimed):
        pointer = f"claimed/wins/{position}"
        own = [win for win in left if win.seat == claim.seat]
        win = next((win for win in own if claim.at in (None, win.at)), own[0] if own else None)
        if win is None:
            facts = {"field": "win", "claimed": to_builtins(claim), "recomputed": None}
            found.append(Finding("SET003", facts, seat=claim.seat, pointer=pointer, rule=MISSING_WIN))
            continue
        left.remove(win)
        found += compare_win(claim, win, pointer, table.rules)
    for win in left:
        facts = {"field": "win", "claimed": None, "recomputed": {"seat": win.seat, "at": win.at}}
        missing = Finding("SET003", facts, pointer="claimed/wins", rule=MISSING_WIN)
        found.append(replace(missing, action=win.at, seat=win.seat))
    return found


def compare_win(claim: ClaimedWin, win: Win, pointer: str, rules: RuleProfile) -> list[Finding]:
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
            place, rule = f"{pointer}/{name}", value_key(name, claimed, win, rules)
            found.append(Finding("SET003", facts, action=win.at, seat=win.seat, pointer=place, rule=rule))
    return found


def value_key(name: str, claimed: Any, win: Win, rules: RuleProfile) -> str:
    """The key that decides the field of a hu that differs: of fan the one whose fan are missing, where one is."""
    price, parts = win.price, (win.price.shape, *win.price.extras)
    if name == "price":
        return "cap_fan" if rules.cap_fan is not None and price.fan > rules.cap_fan else "scale"
    if name == "fan":
        short = [part.id for part in parts if part.fan * part.times == price.fan - claimed]
        return fan_key(rules.cites, short[0] if short else price.shape.id)
    if name == "shapes":
        apart = sorted({part.id for part in parts} ^ set(claimed))
        return fan_key(rules.cites, apart[0])
    return MISSING_WIN
