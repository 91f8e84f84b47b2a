"""Money: which payments a gang, a hu and a liuju make, one small function an item.

Each item is looked up by the value the profile gives its key; amounts are points. Entries are made in the order in
which the rules settle: gangs and hu as they happen, at a liuju first 查花猪, then 查大叫, then 退税 (rulebook §2.6).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from replay.fans import Part, Price, gang_parts
from replay.ledger import Entry, scores
from replay.state import Gang, Seat, Table, Win
from replay.tiles import KINDS, SUIT_FIELD, SUIT_OF, TILES, kinds_in
from replay.waits import DEAD_WAIT, suits_of

MIL_PENALTY = 24
"""What a false or barred hu costs where `penalties` is mil (rulebook §4)."""


@dataclass(slots=True)
class Settlement:
    """The ledger of a hand while it is written, and who was ready when the wall ran out."""

    table: Table
    entries: list[Entry] = field(default_factory=list)
    ready: dict[int, int] | None = None

    def pay(
        self, item: str, source: int, target: int | None, amount: int, at: int | None, /, **facts: Any
    ) -> int:
        """Enter a payment and return its position, or -1 where nothing is due."""
        if amount <= 0 or source == target:
            return -1
        reverses = facts.pop("reverses", None)
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
    shares = GANG_SHARES[gang.kind](gang, payers, rules)
    made = [
        book.pay("gang", payer, gang.seat, share * rules.base, gang.at, gang=gang.at, kind=gang.kind)
        for payer, share in shares
    ]
    gang.entries = tuple(position for position in made if position >= 0)


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


def give_back(book: Settlement, gang: Gang, at: int | None, reason: str) -> None:
    """The gang's income returns to those who paid it, a reversed entry each."""
    for position in () if gang.released else gang.entries:
        paid = book.entries[position]
        if paid.target is not None:
            book.pay(
                "refund",
                paid.target,
                paid.source,
                paid.amount,
                at,
                gang=gang.at,
                reason=reason,
                reverses=position,
            )
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
    for payer in payers:
        amount = price_for(table, win, payer) + bonus
        book.pay("hu", payer, win.seat, amount, win.at, win=number, price=win.price.price, bonus=bonus)
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
        book.pay("transfer", gang.seat, win.seat, income, win.at, gang=gang.at, win=number)
        gang.released = True


def _transfer_return(book: Settlement, win: Win, number: int) -> None:
    give_back(book, win.gangs[-1], win.at, "gang_pao")


TRANSFERS: dict[str, Callable[[Settlement, Win, int], None]] = {
    "none": lambda book, win, number: None,
    "last": _transfer_last,
    "chain": _transfer_chain,
    "return": _transfer_return,
}


def _mil_penalty(book: Settlement, win: Win) -> None:
    """A false or barred hu pays 24 to nobody, returns its gang income and earns nothing (rulebook §4)."""
    book.pay("penalty", win.seat, None, MIL_PENALTY, win.at, illegal_hu=win.at)
    for gang in book.table.gangs:
        if gang.seat == win.seat:
            give_back(book, gang, win.at, "illegal_hu")


PENALTIES: dict[str, Callable[[Settlement, Win], None]] = {
    "none": lambda book, win: None,
    "mil": _mil_penalty,
}


# Liuju -----------------------------------------------------------------------------------------------


def is_liuju(table: Table) -> bool:
    """Whether the wall ran out with two or more seats in play and nothing else ended the hand."""
    return not table.end and not table.left and len(table.in_play()) >= 2


def is_hua_zhu(table: Table, seat: Seat) -> bool:
    """花猪: a void-suit tile in the concealed hand, or three suits where none was declared (rulebook §6.4)."""
    if table.rules.void == "none":
        return False
    if table.rules.void == "declared" and seat.void >= 0:
        return bool(seat.hand & SUIT_FIELD[seat.void])
    return suits_of(seat) == 7


def ready_waits(table: Table, seat: Seat) -> int:
    """The kinds that make the seat ready at a liuju: none for a huazhu."""
    if is_hua_zhu(table, seat):
        return 0
    return DEAD_WAIT[table.rules.dead_wait](table.rules, seat, lambda: open_tiles(table))


def open_tiles(table: Table) -> list[int]:
    """How many of each kind lie open: discards that nobody took, and melds."""
    counts = [0] * KINDS
    for seat in table.seats:
        for tile in seat.discards:
            counts[tile] += 1
        for meld in seat.melds:
            # The tile a meld claimed is counted where it was discarded.
            counts[meld.tile] += (3 if meld.kind == "peng" else 4) - (meld.source is not None)
    return counts


def best_price(table: Table, seat: Seat, waits: int) -> tuple[Price, int]:
    """The dearest hu the seat waits for, as a discard without anything of the moment, and its tile."""
    best: tuple[Price, int] | None = None
    for tile in kinds_in(waits):
        seat.take(tile)
        price = table.pricer.price(seat.winning(False, ("pair_wait",) if seat.held(tile) == 2 else ()))
        seat.take(tile, -1)
        if price is not None and (best is None or price.price > best[0].price):
            best = price, tile
    if best is None:
        raise ValueError("a seat that waits for nothing has no best price")
    return best


@dataclass(slots=True)
class Reveal:
    """The hands laid open at a liuju: who is huazhu, who ready and what each ready seat could have won at best."""

    hua_zhu: list[int]
    ready: dict[int, int]
    best: dict[int, tuple[Price, int]]


def reveal(table: Table) -> Reveal:
    """Look at the hands of the seats in play."""
    in_play = table.in_play()
    hua_zhu = [seat.number for seat in in_play if is_hua_zhu(table, seat)]
    waits = {seat.number: ready_waits(table, seat) for seat in in_play}
    ready = {number: kinds for number, kinds in waits.items() if kinds}
    return Reveal(hua_zhu, ready, {n: best_price(table, table.seats[n], kinds) for n, kinds in ready.items()})


def settle_liu_ju(book: Settlement) -> None:
    """查花猪, 查大叫, 退税, in this order."""
    table = book.table
    seen = reveal(table)
    book.ready = seen.ready
    if table.rules.liu_ju == "nothing":
        return
    settle_hua_zhu(book, seen)
    settle_da_jiao(book, seen)
    if table.rules.refund == "not_ready":
        for gang in table.gangs:
            if table.seats[gang.seat].hu_at is None and gang.seat not in seen.ready:
                give_back(book, gang, None, "not_ready")


def settle_hua_zhu(book: Settlement, seen: Reveal) -> None:
    """查花猪: what each huazhu owes, and to whom."""
    table = book.table
    amount_of = HUA_ZHU[table.rules.hua_zhu]
    for pig in seen.hua_zhu:
        if table.rules.hua_zhu_passive == "exempt" and is_passive(table.seats[pig]):
            continue
        for payee in HUA_ZHU_PAYEES[table.rules.hua_zhu_payees](table, seen):
            book.pay("hua_zhu", pig, payee, amount_of(table, seen, payee), None, hua_zhu=pig)


def is_passive(seat: Seat) -> bool:
    """A huazhu that could not help it: every own discard was of the void suit (rulebook §4)."""
    return all(SUIT_OF[tile] == seat.void for tile in seat.discards)


def value_of(table: Table, seen: Reveal, payee: int | None) -> int:
    """The best price of a ready payee, else the dearest price at which it hu'd, else nothing."""
    if payee is None:
        return 0
    if payee in seen.best:
        return seen.best[payee][0].price
    return max((win.price.price for win in table.wins if win.seat == payee), default=0)


def _cap_price(table: Table, seen: Reveal, payee: int | None) -> int:
    cap = table.rules.cap_fan
    if cap is None:
        raise ValueError("hua_zhu: cap needs a cap_fan")
    return table.pricer.points(cap)


HUA_ZHU: dict[str, Callable[[Table, Reveal, int | None], int]] = {
    "none": lambda table, seen, payee: 0,
    "cap": _cap_price,
    "best_times": lambda table, seen, payee: value_of(table, seen, payee) * table.rules.hua_zhu_amount,
    "base_times": lambda table, seen, payee: table.rules.base * table.rules.hua_zhu_amount,
    "fixed": lambda table, seen, payee: table.rules.hua_zhu_amount,
    "best_or_fixed": lambda table, seen, payee: max(value_of(table, seen, payee), table.rules.hua_zhu_amount),
}


def _in_play_payees(table: Table, seen: Reveal) -> list[int | None]:
    return [seat.number for seat in table.in_play() if seat.number not in seen.hua_zhu]


def _all_payees(table: Table, seen: Reveal) -> list[int | None]:
    return [seat.number for seat in table.seats if seat.number not in seen.hua_zhu]


def _ready_or_hu_payees(table: Table, seen: Reveal) -> list[int | None]:
    return [seat.number for seat in table.seats if seat.hu_at is not None or seat.number in seen.ready]


HUA_ZHU_PAYEES: dict[str, Callable[[Table, Reveal], list[int | None]]] = {
    "in_play": _in_play_payees,
    "all": _all_payees,
    "ready_or_hu": _ready_or_hu_payees,
    "bank": lambda table, seen: [None],
}


def settle_da_jiao(book: Settlement, seen: Reveal) -> None:
    """查大叫: a seat in play that is not ready pays each ready seat its best price."""
    table = book.table
    for seat in table.in_play():
        number = seat.number
        if number in seen.ready or (number in seen.hua_zhu and not pays_da_jiao(table, seat)):
            continue
        for payee in DA_JIAO_PAYEES[table.rules.da_jiao_payees](table, seen):
            facts = ready_facts(seen, payee)
            book.pay("da_jiao", number, payee, value_of(table, seen, payee), None, **facts)


def pays_da_jiao(table: Table, pig: Seat) -> bool:
    """Whether a huazhu pays 查大叫 as well: where the rule set says so, or only counts it as not ready."""
    rules = table.rules
    return rules.hua_zhu_pays_da_jiao or (rules.hua_zhu_passive == "exempt" and is_passive(pig))


def ready_facts(seen: Reveal, payee: int) -> dict[str, Any]:
    """What a 查大叫 entry rests on: the waits of the one paid and the best of them."""
    if payee not in seen.ready:
        return {}
    price, tile = seen.best[payee]
    return {"ready": [TILES[kind] for kind in kinds_in(seen.ready[payee])], "best": best_facts(price, tile)}


def best_facts(price: Price, tile: int) -> dict[str, Any]:
    """A best price as the report writes it."""
    return {
        "tile": TILES[tile],
        "fan": price.fan,
        "price": price.price,
        "shape": {"id": price.shape.id, "fan": price.shape.fan},
        "extras": [part_facts(part) for part in price.extras],
    }


def part_facts(part: Part) -> dict[str, Any]:
    """An extra as the report writes it; ``fan`` is per unit."""
    return {"id": part.id, "fan": part.fan, "count": part.times}


DA_JIAO_PAYEES: dict[str, Callable[[Table, Reveal], list[int]]] = {
    "ready": lambda table, seen: list(seen.ready),
    "ready_or_hu": lambda table, seen: [
        seat.number for seat in table.seats if seat.hu_at is not None or seat.number in seen.ready
    ],
}


# The next hand ---------------------------------------------------------------------------------------

ANY_SEAT = [0, 1, 2, 3]


def next_dealers(table: Table) -> list[int]:
    """The seats that may deal next (rulebook §2.7)."""
    return NEXT_DEALER[table.rules.next_dealer](table)


def first_hu_deals(table: Table) -> list[int]:
    """The first seat to hu; nobody: the same dealer; several on one tile: as `next_dealer_tie` says."""
    if not table.wins:
        return [table.dealer]
    first = table.wins[0]
    same = [win.seat for win in table.wins if win.source is not None and taken_together(first, win)]
    if len(same) < 2 or first.source is None:
        return [first.seat]
    return NEXT_DEALER_TIE[table.rules.next_dealer_tie](first.source, same)


def taken_together(first: Win, other: Win) -> bool:
    """Whether two hu took one tile: the one that the same action laid down."""
    return first.source == other.source and first.window == other.window


def discarder_deals(table: Table) -> list[int]:
    """The seat that discarded the first hu's tile; its winner after a self-draw; nobody: the same dealer."""
    if not table.wins:
        return [table.dealer]
    first = table.wins[0]
    return [first.seat if first.source is None else first.source]


NEXT_DEALER: dict[str, Callable[[Table], list[int]]] = {
    "first_hu": first_hu_deals,
    "discarder": discarder_deals,
    "any": lambda table: list(ANY_SEAT),
}

NEXT_DEALER_TIE: dict[str, Callable[[int, list[int]], list[int]]] = {
    "discarder": lambda source, winners: [source],
    "any_of_them": lambda source, winners: sorted({source, *winners}),
}
