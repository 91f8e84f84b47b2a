"""Mutations of what a log claims: scores, ledger, hu and sums of hands that ended by hu, settled here anew."""

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from replay.profile import RuleProfile

from .generator import Document
from .mutations import Broken, of_logs, rules_of, with_hand
from .mutations_table import Scene, scenes

PLAIN: dict[str, tuple[Any, ...]] = {
    "transfer": ("last", "return", "none"),
    "zi_mo_bonus": ("none", "add_base"),
    "zi_mo_payers": ("in_play",),
    "dian_gang_hua": ("zi_mo",),
    "gang_pao_payer": ("discarder",),
    "gang_zhi_others": (0,),
    "payer_gangs": (None,),
    "penalties": ("none",),
    "gang_timing": ("at_once",),
    "piao": ("off",),
    "xiang_gong": ("off",),
    "void_breach": ("illegal",),
}
"""The values under which hu and gangs are settled as below."""

Entry = dict[str, Any]


def entry(kind: str, source: int, target: int, amount: int, at: int) -> Entry:
    """A payment as a log claims it."""
    return {"kind": kind, "from": source, "to": target, "amount": amount, "at": at}


def ledger(scene: Scene) -> list[Entry]:
    """What hu and gangs paid (rulebook §2.4-5), with 呼叫转移 or the gang given back."""
    rules = scene.rules
    found = []
    for gang in scene.gangs:
        found += [entry("gang", payer, gang.seat, amount, gang.at) for payer, amount in gang.paid]
    given: set[int] = set()
    for win in scene.wins:
        bonus = scene.base if win.source is None and rules.zi_mo_bonus == "add_base" else 0
        found += [entry("hu", payer, win.seat, win.price + bonus, win.at) for payer in win.payers]
        for gang in win.gangs[-1:]:
            income = sum(amount for _, amount in gang.paid)
            if rules.transfer == "last" and income and gang.seat != win.seat:
                found.append(entry("transfer", gang.seat, win.seat, income, win.at))
            elif rules.transfer == "return" and gang.at not in given:
                given.add(gang.at)
                found += [entry("refund", gang.seat, payer, amount, win.at) for payer, amount in gang.paid]
    return found


def balance(entries: list[Entry]) -> list[int]:
    """The score of each seat."""
    scores = [0, 0, 0, 0]
    for each in entries:
        scores[each["from"]] -= each["amount"]
        scores[each["to"]] += each["amount"]
    return scores


def claim(scene: Scene) -> Document | None:
    """What a true claim says of a hand that ended by hu; None where it ended by the wall, or a seat fled."""
    if not scene.ended or any(player.fled for player in scene.players):
        return None
    entries = ledger(scene)
    wins = [{"seat": win.seat, "at": win.at, "price": win.price} for win in scene.wins]
    return {"scores": balance(entries), "ledger": entries, "wins": wins}


def plain(rules: RuleProfile) -> bool:
    """Whether hu and gangs are settled as here."""
    return all(getattr(rules, key) in values for key, values in PLAIN.items())


def claimed(log: Document) -> tuple[Document, list[int]]:
    """The log with true claims, and the hands that have one."""
    rules, told_log, numbers = rules_of(log), log, []
    for number, hand in enumerate(log["hands"] if plain(rules) else ()):
        *_, scene = scenes(rules, log, number)
        found = claim(scene)
        if found is not None:
            told_log = with_hand(told_log, number, {**hand, "claimed": found})
            numbers.append(number)
    if len(numbers) == len(log["hands"]):
        scores = [hand["claimed"]["scores"] for hand in told_log["hands"]]
        totals = [sum(column) for column in zip(*scores, strict=True)]
        told_log = {**told_log, "claimed": {"totals": totals}}
        if rules.coin_factor is not None:
            rake = (rules.rake or 0) * len(numbers)
            told_log["claimed"]["coins"] = [total * rules.coin_factor - rake for total in totals]
    return told_log, numbers


def told(log: Document) -> Iterator[tuple[Document, int, Random]]:
    """For each hand with a claim: the log with all claims, the hand's number, and chance."""
    whole, numbers = claimed(log)
    for number in numbers:
        hand = whole["hands"][number]
        own = {**hand, "claimed": copy.deepcopy(hand["claimed"])}
        yield with_hand(whole, number, own), number, Random(f"{log['id']} {number}")


@of_logs("SET001")
def claims_other_scores(log: Document) -> Iterator[Broken]:
    """The claimed scores are those of the settlement."""
    for told_log, number, chance in told(log):
        more, less = chance.sample(range(4), 2)
        scores = told_log["hands"][number]["claimed"]["scores"]
        scores[more] += 1
        scores[less] -= 1
        yield Broken(told_log, ("SET001", number, None, None), kept=True)


@of_logs("SET004")
def claims_scores_that_do_not_add_up(log: Document) -> Iterator[Broken]:
    """What one seat wins another loses."""
    for told_log, number, chance in told(log):
        told_log["hands"][number]["claimed"]["scores"][chance.randrange(4)] += chance.choice((-3, 1, 8))
        place = ("SET004", number, None, None)
        yield Broken(told_log, place, frozenset({"SET001"}), (("SET001", number, None, None),), kept=True)


@of_logs("SET002")
def claims_another_amount(log: Document) -> Iterator[Broken]:
    """Each payment is of its amount."""
    for told_log, number, chance in told(log):
        chance.choice(told_log["hands"][number]["claimed"]["ledger"])["amount"] += chance.randint(1, 9)
        yield Broken(told_log, ("SET002", number, None, None), kept=True)


@of_logs("SET002")
def claims_a_payment_less(log: Document) -> Iterator[Broken]:
    """Each payment is in the ledger."""
    for told_log, number, chance in told(log):
        entries = told_log["hands"][number]["claimed"]["ledger"]
        entries.pop(chance.randrange(len(entries)))
        yield Broken(told_log, ("SET002", number, None, None), kept=True)


@of_logs("SET002")
def claims_a_payment_twice(log: Document) -> Iterator[Broken]:
    """No payment is in the ledger that nobody owed."""
    for told_log, number, chance in told(log):
        entries = told_log["hands"][number]["claimed"]["ledger"]
        entries.append(dict(chance.choice(entries)))
        yield Broken(told_log, ("SET002", number, None, None), kept=True)


@of_logs("SET003")
def claims_another_price(log: Document) -> Iterator[Broken]:
    """A hu is worth its price."""
    for told_log, number, chance in told(log):
        win = chance.choice(told_log["hands"][number]["claimed"]["wins"])
        win["price"] += chance.randint(1, 9)
        yield Broken(told_log, ("SET003", number, win["at"], win["seat"]), kept=True)


@of_logs("SET003")
def claims_a_hu_less(log: Document) -> Iterator[Broken]:
    """Each hu of the hand is claimed."""
    for told_log, number, chance in told(log):
        wins = told_log["hands"][number]["claimed"]["wins"]
        win = wins.pop(chance.randrange(len(wins)))
        yield Broken(told_log, ("SET003", number, win["at"], win["seat"]), kept=True)


@of_logs("SET003")
def claims_a_hu_of_another_seat(log: Document) -> Iterator[Broken]:
    """No hu is claimed that the hand does not have."""
    for told_log, number, chance in told(log):
        wins = told_log["hands"][number]["claimed"]["wins"]
        losers = sorted({0, 1, 2, 3} - {win["seat"] for win in wins})
        seat = chance.choice(losers)
        wins.append({"seat": seat, "price": 1})
        yield Broken(told_log, ("SET003", number, None, seat), kept=True)


@of_logs("SET005")
def claims_other_totals(log: Document) -> Iterator[Broken]:
    """The claimed totals are the sums of the hands."""
    yield from other_sums(log, "totals", "SET005")


@of_logs("SET006")
def claims_other_coins(log: Document) -> Iterator[Broken]:
    """The claimed coins are totals times the room's factor, less the rake."""
    yield from other_sums(log, "coins", "SET006")


def other_sums(log: Document, key: str, code: str) -> Iterator[Broken]:
    """One of the sitting's sums is one too many."""
    told_log, _ = claimed(log)
    if key in told_log.get("claimed", {}):
        told_log["claimed"][key][Random(log["id"]).randrange(4)] += 1
        yield Broken(told_log, (code, None, None, None), kept=True)
