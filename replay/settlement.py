"""Money: which payments a gang, a hu and a liuju make, one small function an item.

Each item is looked up by the value the profile gives its key; amounts are points. Entries are made in the order in
which the rules settle: gangs and hu as they happen, at a liuju first 查花猪, then 查大叫, then 退税 (rulebook §2.6).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from replay.events import Gang, Win
from replay.ledger import Entry, scores
from replay.prices import gang_parts
from replay.state import Table

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
        """Enter a payment and return its position, or -1 where nothing is due.

        Between seats that raised a stake (飘) it is multiplied (rulebook §6.8); what gives an entry back is not again.
        """
        if amount <= 0 or source == target:
            return -1
        if target is not None and reverses is None:
            times = PIAO[self.table.rules.piao](self.table, source, target)
            if times > 1:
                amount, facts = times * amount, {**facts, "piao": times}
        self.entries.append(Entry(item, source, target, amount, at, facts, reverses))
        return len(self.entries) - 1

    def scores(self) -> list[int]:
        """The hand's score of each seat."""
        return scores(self.entries)


def _stakes(table: Table, one: int, other: int) -> int:
    """Twofold for each of the two that raised a stake (001 特殊规则 1; rulebook §6.8)."""
    return 1 << sum(table.seats[seat].piao_at is not None for seat in (one, other))


PIAO: dict[str, Callable[[Table, int, int], int]] = {"off": lambda table, one, other: 1, "on": _stakes}
"""What a payment between two seats is multiplied by."""


# Gangs -----------------------------------------------------------------------------------------------


def settle_gang(book: Settlement, gang: Gang) -> None:
    """刮风下雨: the income of a gang, from the seats still in play (000 §2.8-9)."""
    rules = book.table.rules
    payers = book.table.others_in_play(gang.seat)
    facts = {"gang": gang.at, "kind": gang.kind}
    made = [
        book.pay("gang", payer, gang.seat, share * book.table.base, gang.at, facts)
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
        if paid.target is not None and paid.source not in NOT_PAID_BACK[book.table.rules.flee](book.table):
            told = {"gang": gang.at, "reason": reason, **facts}
            book.pay("refund", paid.target, paid.source, paid.amount, at, told, position)
    gang.released = True


def winners_gone(table: Table) -> list[int]:
    """The seats that hu'd and left."""
    return [flight.seat for flight in table.flights if flight.winner]


NOT_PAID_BACK: dict[str, Callable[[Table], list[int]]] = {
    "none": lambda table: [],
    "base6": lambda table: [],
    "qq": winners_gone,
}
"""Who gets no 退税 although it paid: by 004 §4.2 a winner who left (则不再退给已经逃跑的胡家)."""


# Hu --------------------------------------------------------------------------------------------------


def settle_hu(book: Settlement, win: Win) -> None:
    """The price of a hu from whoever owes it, and what becomes of the gang before it."""
    table = book.table
    number = len(table.wins) - 1
    if losers := XIANG_GONG[table.rules.xiang_gong](table, win):
        settle_xiang_gong(book, win, losers)
        return
    if win.illegal and table.rules.penalties == "mil":
        PENALTIES["mil"](book, win)
        return
    payers = hu_payers(table, win)
    bonus = table.base if win.source is None and table.rules.zi_mo_bonus == "add_base" else 0
    facts = {"win": number, "price": win.price.price, "bonus": bonus}
    for payer in payers:
        book.pay("hu", payer, win.seat, price_for(table, win, payer) + bonus, win.at, facts)
    if win.gangs and win.source is not None:
        TRANSFERS[table.rules.transfer](book, win, number)


def _lost_their_wait(table: Table, win: Win) -> list[int]:
    """相公: seats that were ready, ganged, and were not ready after it and still are not (000 §4)."""
    return [
        seat.number
        for seat in table.seats
        if seat.lost_wait is not None and not seat.waits and seat.number != win.seat
    ]


XIANG_GONG: dict[str, Callable[[Table, Win], list[int]]] = {
    "off": lambda table, win: [],
    "on": _lost_their_wait,
}
"""The seats that pay in the place of everybody when another hus."""

XIANG_GONG_FAN = 4
"""000 §4: 听后杠玩家给其他玩家每人4番的银子."""


def settle_xiang_gong(book: Settlement, win: Win, losers: Iterable[int]) -> None:
    """相公: each pays the three others the price of four fan, and every other payment of the hand is void."""
    table = book.table
    for position, paid in enumerate(list(book.entries)):
        if paid.target is not None and paid.kind != "refund":
            told = {"reason": "xiang_gong", "win": len(table.wins) - 1}
            book.pay("refund", paid.target, paid.source, paid.amount, win.at, told, position)
    for gang in table.gangs:
        gang.released = True
    price = table.pricer.points(XIANG_GONG_FAN)
    for loser in losers:
        facts = {
            "xiang_gong": loser,
            "gang": table.seats[loser].lost_wait,
            "fan": XIANG_GONG_FAN,
            "price": price,
        }
        for other in table.seats:
            book.pay("xiang_gong", loser, other.number, price, win.at, facts)


def settle_breaches(book: Settlement) -> None:
    """What a hand that is over owes for void suits that were not played first."""
    VOID_BREACH[book.table.rules.void_breach](book)


def _to_the_pot(book: Settlement) -> None:
    """A seat in play that broke the order and holds its void suit to the end pays the bank (rulebook §4 novikov-sbr)."""
    table = book.table
    for seat in table.in_play():
        if seat.number in table.breaches and seat.hand & seat.void_tiles:
            facts = {"void_breach": "mps"[seat.void]}
            book.pay("penalty", seat.number, None, table.rules.void_breach_amount, None, facts)


VOID_BREACH: dict[str, Callable[[Settlement], None]] = {
    "illegal": lambda book: None,
    "pot": _to_the_pot,
}
"""What discarding another suit before the void one costs; against the rules, it costs nothing."""


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
    "in_play": lambda table, win: table.others_in_play(win.seat),
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
        paid = [book.entries[position] for position in gang.entries]
        income = sum(entry.amount // entry.because.get("piao", 1) for entry in paid)
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
