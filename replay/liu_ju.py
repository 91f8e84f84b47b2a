"""流局: what a hand owes that ended with an empty wall: 查花猪, 查大叫, 退税, in this order (rulebook §2.6)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from replay.prices import Price, part_facts
from replay.settlement import Settlement, give_back
from replay.state import Seat, Table
from replay.tiles import KINDS, SUIT_FIELD, SUIT_OF, TILES, kinds_in
from replay.waits import DEAD_WAIT, copies_in, is_thirteen, real_suits, real_tiles


def is_liuju(table: Table) -> bool:
    """Whether the wall ran out with two or more seats in play and nothing else ended the hand."""
    return not table.end and not table.left and len(table.in_play()) >= 2


def is_hua_zhu(table: Table, seat: Seat) -> bool:
    """花猪: a void-suit tile in the concealed hand, or three suits where none was declared (rulebook §6.4)."""
    if table.rules.void == "none":
        return False
    if table.rules.void == "declared" and seat.void >= 0:
        return bool(real_tiles(seat) & SUIT_FIELD[seat.void])
    return real_suits(seat) == 7


def ready_waits(table: Table, seat: Seat) -> int:
    """The kinds that make a seat ready at a liuju that is no huazhu."""
    if table.irregular and not is_thirteen(seat):
        return 0
    return DEAD_WAIT[table.rules.dead_wait](table.rules, seat, lambda: open_tiles(table))


def open_tiles(table: Table) -> list[int]:
    """How many of each kind lie open: discards that nobody took, melds, and self-drawn tiles that winners laid aside."""
    counts = [0] * KINDS
    for seat in table.seats:
        for tile in seat.discards:
            counts[tile] += 1
        for meld in seat.melds:
            for kind in {meld.tile, seat.wild} - {-1}:
                counts[kind] += copies_in(meld, kind, seat.wild)
            # The tile a meld claimed is counted where it was discarded.
            counts[meld.tile] -= meld.source is not None
    for win in table.wins:
        if win.source is None and table.seats[win.seat].locked_at is not None:
            counts[win.tile] += 1
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

    in_play: list[int]
    hua_zhu: list[int]
    ready: dict[int, int]
    best: dict[int, tuple[Price, int]]


def reveal(table: Table) -> Reveal:
    """Look at the hands of the seats in play."""
    seen = Reveal([], [], {}, {})
    for seat in table.in_play():
        seen.in_play.append(seat.number)
        if is_hua_zhu(table, seat):
            seen.hua_zhu.append(seat.number)
        elif kinds := ready_waits(table, seat):
            seen.ready[seat.number] = kinds
            seen.best[seat.number] = best_price(table, seat, kinds)
    return seen


def settle_liu_ju(book: Settlement) -> None:
    """查花猪, 查大叫, 退税, in this order."""
    table = book.table
    if table.rules.liu_ju == "nothing":
        return
    seen = reveal(table)
    book.ready = seen.ready
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
            book.pay("hua_zhu", pig, payee, amount_of(table, seen, payee), None, {"hua_zhu": pig})


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
    "base_times": lambda table, seen, payee: table.base * table.rules.hua_zhu_amount,
    "fixed": lambda table, seen, payee: table.rules.hua_zhu_amount,
    "best_or_fixed": lambda table, seen, payee: max(value_of(table, seen, payee), table.rules.hua_zhu_amount),
}


def _in_play_payees(table: Table, seen: Reveal) -> list[int | None]:
    return [number for number in seen.in_play if number not in seen.hua_zhu]


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
    for number in seen.in_play:
        if number in seen.ready or (number in seen.hua_zhu and not pays_da_jiao(table, table.seats[number])):
            continue
        for payee in DA_JIAO_PAYEES[table.rules.da_jiao_payees](table, seen):
            book.pay("da_jiao", number, payee, value_of(table, seen, payee), None, ready_facts(seen, payee))


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


DA_JIAO_PAYEES: dict[str, Callable[[Table, Reveal], list[int]]] = {
    "ready": lambda table, seen: list(seen.ready),
    "ready_or_hu": lambda table, seen: [
        seat.number for seat in table.seats if seat.hu_at is not None or seat.number in seen.ready
    ],
}
