"""What each seat may do now: known before the next action is read, from the table alone."""

from collections.abc import Callable, Sequence

from replay.prices import Price
from replay.profile import RuleProfile
from replay.state import Bar, Phase, Seat, Table
from replay.tiles import BIT, SHIFT, SUIT_OF, SUITED_KINDS

# Prices of a hu that could be made -------------------------------------------------------------------


def how_claimed(table: Table, seat: Seat) -> tuple[str, ...]:
    """The situations that the seat's hu on the tile lying there would have: 杠上炮, 抢杠, 海底."""
    how = []
    if table.phase is Phase.ADDED:
        how.append("qiang_gang")
    if table.pao:
        how.append("gang_pao")
    if not table.left:
        how.append("hai_di")
    if seat.held(table.last) == 1:
        how.append("pair_wait")
    return tuple(how)


def how_drawn(table: Table, seat: Seat) -> tuple[str, ...]:
    """The situations that the seat's self-drawn hu would have: 杠上花, 海底, 天胡, 地胡.

    地胡 is the seat's own first draw, before it did anything else and before anybody's peng or gang.
    """
    how = []
    if table.chain:
        how.append("gang_hua")
    if not table.left:
        how.append("hai_di")
    if table.calm and not seat.discards and seat.locked_at is None:
        how.append("tian_hu" if seat.number == table.dealer else "di_hu")
    if seat.held(table.drawn) == 2:
        how.append("pair_wait")
    return tuple(how)


def claim_price(table: Table, seat: Seat) -> Price | None:
    """What the seat's hu on the tile that lies there is worth; None when it is no winning shape."""
    how = how_claimed(table, seat)
    seat.take(table.last)
    try:
        return table.pricer.price(seat.winning(False, how))
    finally:
        seat.take(table.last, -1)


# 过水 ------------------------------------------------------------------------------------------------


def barred(rules: RuleProfile, seat: Seat, price: int, left: int) -> bool:
    """Whether 过水 bars the seat from a hu worth ``price`` with ``left`` tiles to draw (rulebook §2.2)."""
    bar = seat.bar
    if bar is None or left < rules.guo_shui_waived_below:
        return False
    return not (rules.guo_shui_more_fan and price > bar.price)


def held_back(table: Table, seat: Seat, price_of: Callable[[], Price | None]) -> bool:
    """Whether 过水 bars the seat from a hu; what the hu is worth is asked only where it can lift the bar."""
    rules = table.rules
    if seat.bar is None or table.left < rules.guo_shui_waived_below:
        return False
    price = price_of() if rules.guo_shui_more_fan else None
    return price is None or barred(rules, seat, price.price, table.left)


def bar_seat(table: Table, seat: Seat, passed_at: int | None) -> None:
    """The seat let the tile that lies there go: remember the dearest such hu until its next draw."""
    if table.rules.guo_shui == "off":
        return
    price = claim_price(table, seat)
    if price is None:
        return
    because = (table.last_at,) if passed_at is None else (table.last_at, passed_at)
    bar = seat.bar or Bar(0, 0, (), (), False)
    seat.bar = Bar(
        max(bar.price, price.price),
        max(bar.fan, price.fan),
        (*bar.tiles, table.last),
        tuple(dict.fromkeys((*bar.because, *because))),
        bar.inferred or passed_at is None,
    )


def own_discard_bars(table: Table, seat: Seat) -> None:
    """顺和: a discard of one's own that one could win on counts as passed, and only a ready seat is barred."""
    if not seat.waits:
        seat.bar = None
    elif seat.waits & BIT[table.last]:
        bar_seat(table, seat, table.last_at)


AT_OWN_DISCARD: dict[str, Callable[[Table, Seat], None]] = {
    "off": lambda table, seat: None,
    "any_tile": lambda table, seat: None,
    "shun_hu": own_discard_bars,
}
"""What a seat's own discard does to its bar, by the kind of 过水."""


# Claims ----------------------------------------------------------------------------------------------


def may_claim_hu(table: Table, seat: Seat) -> bool:
    """Whether the seat may hu the tile that lies there, 过水 respected."""
    if seat.hu_at is not None or seat.number == table.last_from or not seat.waits & BIT[table.last]:
        return False
    rules = table.rules
    if not (rules.rob_gang if table.phase is Phase.ADDED else rules.hu_on_discard):
        return False
    return not held_back(table, seat, lambda: claim_price(table, seat))


def open_window(table: Table) -> None:
    """A tile lies that others may claim: know who may hu it.

    ``alert`` keeps this being asked at each discard where more than a wait for the tile matters: passes are
    recorded, the last tile was claimed or declined, or a seat's own discard may bar it.
    """
    table.window = True
    table.takers = []
    table.passes = {}
    rules = table.rules
    if table.phase is Phase.CLAIM:
        AT_OWN_DISCARD[rules.guo_shui](table, table.seats[table.last_from])
    if table.any_waits & BIT[table.last]:
        table.offers = tuple(seat.number for seat in table.seats if may_claim_hu(table, seat))
    else:
        table.offers = ()
    table.alert = table.always_alert
    table.watched = bool(table.offers) or (
        table.records_pass and may_be_penged(table, table.last_from, table.last)
    )


def waited_for(seats: Sequence[Seat], discarder: int, tile: int) -> bool:
    """Whether another seat waits for the tile."""
    bit = BIT[tile]
    a, b, c, d = [seat.waits & bit for seat in seats]
    return bool(a + b + c + d - (seats[discarder].waits & bit))


def may_be_penged(table: Table, discarder: int, tile: int) -> bool:
    """Whether another seat could peng the tile, which where passes are recorded it must decline.

    It may say yes too often (a locked hand, the void suit), never no.
    """
    seats = table.seats
    if table.wild >= 0:
        return any(able_to_peng(seat, tile) and seat.number != discarder for seat in seats)
    a, b, c, d = seats
    shift = SHIFT[tile]
    if not (a.hand | b.hand | c.hand | d.hand) >> shift & 6:
        return False
    return any(seat.hand >> shift & 6 and seat.number != discarder for seat in seats)


def able_to_peng(seat: Seat, tile: int) -> bool:
    """Whether the seat holds two of the tile, 听用 counted (rulebook §6.5)."""
    held = seat.held(tile)
    if seat.wild >= 0 and tile != seat.wild and tile < SUITED_KINDS:
        held += seat.held(seat.wild)
    return held >= 2


def claims_of(table: Table, seat: Seat, barred: bool = False) -> list[str]:
    """What the seat may claim of the tile that lies there: any of hu, peng, gang (rulebook §6.3).

    ``barred`` counts a hu that only 过水 keeps the seat from.
    """
    if seat.hu_at is not None or seat.number == table.last_from or not table.window:
        return []
    may_hu = seat.number in table.offers or (barred and seat.bar is not None and seat.waits & BIT[table.last])
    found = ["hu"] if may_hu else []
    if table.phase is not Phase.CLAIM or SUIT_OF[table.last] == seat.void or seat.locked_at is not None:
        return found
    if able_to_peng(seat, table.last):
        found.append("peng")
    if seat.held(table.last) == 3 and table.left:
        found.append("gang")
    return found


def own_offers(table: Table, seat: Seat) -> list[str]:
    """What the seat whose turn it is may do beside discarding: hu (even if 过水 bars it), gang."""
    may_hu = table.phase is Phase.TURN and seat.waits & BIT[table.drawn]
    return [*(["hu"] if may_hu else []), *(["gang"] if own_gangs(table, seat) else [])]


def own_gangs(table: Table, seat: Seat) -> list[tuple[str, int]]:
    """The gangs that the seat may make in its own turn, as (kind, tile)."""
    if not table.left or table.discarder != seat.number or seat.locked_at is not None:
        return []
    if table.phase is Phase.AFTER_PENG and table.rules.gang_after_peng == "forbidden":
        return []
    found = [("an", kind) for kind in dict.fromkeys(seat.tiles()) if seat.held(kind) == 4]
    found += [("bu", kind) for kind in seat.penged if seat.held(kind)]
    return [(kind, tile) for kind, tile in found if SUIT_OF[tile] != seat.void and tile != seat.wild]


def may_hu_drawn(table: Table, seat: Seat) -> bool:
    """Whether the seat may hu the tile it has just drawn."""
    if table.phase is not Phase.TURN or table.turn != seat.number or not seat.waits & BIT[table.drawn]:
        return False
    return not held_back(table, seat, lambda: table.pricer.price(seat.winning(True, how_drawn(table, seat))))


# 最后四张必胡 ----------------------------------------------------------------------------------------

FORCED: dict[str, Callable[[int, int, bool], bool]] = {
    "any": lambda left, window, just_drawn: left < window,
    "drawn_tile": lambda left, window, just_drawn: left < window and just_drawn,
}


def forced(table: Table) -> bool:
    """Whether a hu that a seat may make now must be made (000 §2.5 最后四张牌，能胡时必须胡牌).

    The window opens with the draw of the first of the last tiles. A tile in a seat's turn has just been drawn.
    """
    rules = table.rules
    just_drawn = table.fresh or table.phase is Phase.TURN
    return FORCED[rules.forced_scope](table.left, rules.forced_last, just_drawn)
