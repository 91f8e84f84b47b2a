"""Money: which payments a gang, a hu and a liuju make, one small function an item.

Each item is looked up by the value the profile gives its key; amounts are points. Entries are made in the order in
which the rules settle: gangs and hu as they happen, at a liuju first 查花猪, then 查大叫, then 退税 (rulebook §2.6).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from replay.ledger import Entry, scores
from replay.prices import gang_parts
from replay.state import Gang, Table, Win

MIL_PENALTY = 24
"""What a false or barred hu costs where `penalties` is mil (rulebook §4)."""


@dataclass(slots=True)
class Settlement:
    """The ledger of a hand while it is written, and who was ready when the wall ran out."""

    table: Table
    entries: list[Entry] = field(default_factory=list)
    ready: dict[int, int] | None = None

    def pay(
        self,
        item: str,
        source: int,
        target: int | None,
        amount: int,
        at: int | None,
        facts: Mapping[str, Any],
        reverses: int | None = None,
    ) -> int:
        """Enter a payment and return its position, or -1 where nothing is due."""
        if amount <= 0 or source == target:
            return -1
        self.entries.append(Entry(item, source, target, amount, at, facts, reverses))
        return len(self.entries) - 1

    def scores(self) -> list[int]:
        """The hand's score of each seat."""
        return scores(self.entries)


# Gangs -----------------------------------------------------------------------------------------------


def settle_gang(book: Settlement, gang: Gang) -> None:
    """刮风下雨: the income of a gang, from the seats still in play (000 §2.8-9)."""
    rules = book.table.rules
    payers = [seat.number for seat in book.table.in_play() if seat.number != gang.seat]
    facts = {"gang": gang.at, "kind": gang.kind}
    made = [
        book.pay("gang", payer, gang.seat, share * rules.base, gang.at, facts)
        for payer, share in GANG_SHARES[gang.kind](gang, payers, rules)
    ]
    gang.entries = tuple([position for position in made if position >= 0])


def _zhi_shares(gang: Gang, payers: list[int], rules: Any) -> list[tuple[int, int]]:
    return [(payer, rules.gang_zhi if payer == gang.feeder else rules.gang_zhi_others) for payer in payers]


def _bu_shares(gang: Gang, payers: list[int], rules: Any) -> list[tuple[int, int]]:
    if not gang.fresh and rules.gang_bu_kept == "zero":
        return []
    return [(payer, rules.gang_bu) for payer in payers]


GANG_SHARES: dict[str, Callable[[Gang, list[int], Any], list[tuple[int, int]]]] = {
    "zhi": _zhi_shares,
    "bu": _bu_shares,
    "an": lambda gang, payers, rules: [(payer, rules.gang_an) for payer in payers],
}


def give_back(book: Settlement, gang: Gang, at: int | None, reason: str, **facts: Any) -> None:
    """The gang's income returns to those who paid it, a reversed entry each."""
    for position in () if gang.released else gang.entries:
        paid = book.entries[position]
        if paid.target is not None:
            told = {"gang": gang.at, "reason": reason, **facts}
            book.pay("refund", paid.target, paid.source, paid.amount, at, told, position)
    gang.released = True


# Hu --------------------------------------------------------------------------------------------------


def settle_hu(book: Settlement, win: Win) -> None:
    """The price of a hu from whoever owes it, and what becomes of the gang before it."""
    table = book.table
    number = len(table.wins) - 1
    if win.illegal and table.rules.penalties == "mil":
        PENALTIES["mil"](book, win)
        return
    payers = hu_payers(table, win)
    bonus = table.rules.base if win.source is None and table.rules.zi_mo_bonus == "add_base" else 0
    facts = {"win": number, "price": win.price.price, "bonus": bonus}
    for payer in payers:
        book.pay("hu", payer, win.seat, price_for(table, win, payer) + bonus, win.at, facts)
    if win.gangs and win.source is not None:
        TRANSFERS[table.rules.transfer](book, win, number)


def hu_payers(table: Table, win: Win) -> list[int]:
    """Who pays the hu: the discarder or the robbed seat; for a self-draw those that the rule set names."""
    rules = table.rules
    if win.source is None:
        last = table.gangs[-1] if "gang_hua" in win.how and table.gangs else None
        if last is not None and last.feeder is not None and rules.dian_gang_hua == "dian_pao":
            return [last.feeder]
        return ZI_MO_PAYERS[rules.zi_mo_payers](table, win)
    if win.gangs and rules.gang_pao_payer == "feeder_of_zhi":
        feeder = win.gangs[-1].feeder
        if feeder is not None and feeder != win.seat:
            return [feeder]
    return [win.source]


ZI_MO_PAYERS: dict[str, Callable[[Table, Win], list[int]]] = {
    "in_play": lambda table, win: [seat.number for seat in table.in_play() if seat.number != win.seat],
    "all": lambda table, win: [seat.number for seat in table.seats if seat.number != win.seat],
}


def price_for(table: Table, win: Win, payer: int) -> int:
    """The price of the hu for one payer: where gangs enter it, the payer's own raise what he owes (杠进杠出)."""
    worth = table.rules.payer_gangs
    if worth is None:
        return win.price.price
    added = sum(part.fan * part.times for part in gang_parts(table.seats[payer].melds, worth))
    return table.pricer.points(win.price.fan + added)


def _transfer_last(book: Settlement, win: Win, number: int) -> None:
    """呼叫转移: each winner receives the full income of the gang, the discarder pays the difference (000 §2.7)."""
    _transfer(book, win, number, win.gangs[-1:])


def _transfer_chain(book: Settlement, win: Win, number: int) -> None:
    """As `last`, for every gang made in the turn."""
    _transfer(book, win, number, win.gangs)


def _transfer(book: Settlement, win: Win, number: int, gangs: Iterable[Gang]) -> None:
    for gang in gangs:
        income = sum(book.entries[position].amount for position in gang.entries)
        book.pay("transfer", gang.seat, win.seat, income, win.at, {"gang": gang.at, "win": number})
        gang.released = True


def _transfer_return(book: Settlement, win: Win, number: int) -> None:
    give_back(book, win.gangs[-1], win.at, "gang_pao", win=number)


TRANSFERS: dict[str, Callable[[Settlement, Win, int], None]] = {
    "none": lambda book, win, number: None,
    "last": _transfer_last,
    "chain": _transfer_chain,
    "return": _transfer_return,
}


def _mil_penalty(book: Settlement, win: Win) -> None:
    """A false or barred hu pays 24 to nobody, returns its gang income and earns nothing (rulebook §4)."""
    book.pay("penalty", win.seat, None, MIL_PENALTY, win.at, {"illegal_hu": win.at})
    for gang in book.table.gangs:
        if gang.seat == win.seat:
            give_back(book, gang, win.at, "illegal_hu")


PENALTIES: dict[str, Callable[[Settlement, Win], None]] = {
    "none": lambda book, win: None,
    "mil": _mil_penalty,
}
