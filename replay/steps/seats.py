"""What is to be said of a seat: its hu, its waits, its 过水, and what it may do now."""

from collections.abc import Iterator

from replay.checks import checks_for
from replay.checks.opening import has_dingque
from replay.events import Win
from replay.log import Action, Flee, Piao, Ting
from replay.opening import PASSED_ON
from replay.prices import Price
from replay.report import win_dict
from replay.rights import barred, claim_price, claims_of, forced, how_drawn, may_hu_drawn, own_gangs
from replay.state import NONE, Phase, Seat, Table
from replay.steps.frames import BarShown, Offer, WinShown
from replay.tiles import BIT, TILES, size_of


def win_shown(table: Table, win: Win) -> WinShown:
    """A hu of the table."""
    return WinShown(
        order=table.wins.index(win) + 1,
        at=win.at,
        tile=TILES[win.tile],
        source=win.source,
        source_at=None if win.source is None else win.window,
        robbed=win.robbed,
        illegal=win.illegal,
        fan=win.price.fan,
        price=win.price.price,
        facts=win_dict(win),
    )


def waits_now(table: Table, seat: Seat) -> int:
    """What the seat waits for: nothing while it owes a discard for a peng or has tiles of 换三张 to come."""
    held = size_of(seat.hand) + 3 * len(seat.melds) - (drawn_by(table, seat) >= 0)
    return seat.waits if held == 13 else 0


def drawn_by(table: Table, seat: Seat) -> int:
    """The tile that the seat has drawn and done nothing with yet, or NONE."""
    return table.drawn if table.turn == seat.number and table.phase is Phase.TURN else NONE


def received(table: Table, seat: Seat) -> tuple[int, ...]:
    """The tiles of 换三张 that the seat got; none before all four have given."""
    if not all(each.given for each in table.seats):
        return ()
    return table.seats[(seat.number - PASSED_ON[table.direction]) % 4].given


def bar_shown(table: Table, seat: Seat) -> BarShown | None:
    """The seat's 过水."""
    bar, rules = seat.bar, table.rules
    if bar is None:
        return None
    return BarShown(
        price=bar.price,
        fan=bar.fan,
        tiles=tuple(TILES[tile] for tile in bar.tiles),
        because=bar.because,
        inferred=bar.inferred,
        until="discard" if bar.drawn or rules.guo_shui_zi_mo == "barred" else "draw",
        dearer=rules.guo_shui_more_fan,
        waived=not barred(rules, seat, bar.price, table.left),
    )


def offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """What the seat may do now, and the hu that it may not because of 过水."""
    if seat.hu_at is None:
        if table.window:
            yield from claim_offers(table, seat)
        if not table.end:
            yield from opening_offers(table, seat)
            yield from turn_offers(table, seat)
    if unopposed(table, Flee(seat=seat.number)):
        yield Offer("flee")


def opening_offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """What is still to come, or may, before the first discard."""
    rules = table.rules
    if rules.swap != "none" and not table.begun and not seat.given and "swap" not in table.lacks:
        yield Offer("swap")
    if has_dingque(rules) and not table.begun and seat.void_at is None and "void" not in table.lacks:
        yield Offer("void")
    if unopposed(table, Piao(seat=seat.number)):
        yield Offer("piao")


def turn_offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """What the seat whose turn it is may do; a winner that plays on discards what it drew."""
    if table.discarder == seat.number:
        yield from own_offers(table, seat)
        bound = seat.locked_at is not None and table.drawn >= 0
        yield Offer("discard", TILES[table.drawn] if bound else None)
    if table.drawer == seat.number:
        yield Offer("draw")


def unopposed(table: Table, action: Action) -> bool:
    """Whether the rule set has this action, which chooses nothing, and no check has anything against it now."""
    checks = checks_for(table.rules, table.wall is not None, table.opened)[action.type]
    return not any(check(table, action.seat, NONE, action) for check in checks)


def fled(table: Table, seat: Seat) -> bool:
    """Whether the seat has left."""
    return any(flight.seat == seat.number for flight in table.flights)


def claim_offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """What the seat may claim of the tile that lies there; once it was hu'd, only another hu, and by another seat."""
    if seat.number in table.takers:
        return
    tile = TILES[table.last]
    may = claims_of(table, seat)
    for what in may:
        if what == "hu" or not table.takers:
            passed = (seat.number, what) in table.passes
            must = what == "hu" and table.rules.forced_last > 0 and forced(table)
            state = "passed" if passed else "must" if must else "open"
            kind = "zhi" if what == "gang" else None
            price = claim_price(table, seat) if what == "hu" else None
            yield Offer(what, tile, kind, state, fan_of(price))
    robbing = table.phase is Phase.ADDED
    allowed = table.rules.rob_gang if robbing else table.rules.hu_on_discard
    if allowed and "hu" not in may and "hu" in claims_of(table, seat, barred=True):
        price = claim_price(table, seat)
        yield Offer("hu", tile, None, "barred", fan_of(price))


def fan_of(price: Price | None) -> int | None:
    """What a hu is worth in fan, before the cap; None for no hu."""
    return None if price is None else price.fan


def own_offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """The hu and the gangs that the seat whose turn it is may make, the 听用 it may take back, and 报听."""
    if table.phase is Phase.TURN and seat.waits & BIT[table.drawn]:
        may = may_hu_drawn(table, seat)
        must = may and table.rules.forced_last > 0 and forced(table)
        price = table.pricer.price(seat.winning(True, how_drawn(table, seat)))
        state = "must" if must else "open" if may else "barred"
        yield Offer("own_hu", TILES[table.drawn], None, state, fan_of(price))
    for kind, tile in own_gangs(table, seat):
        yield Offer("own_gang", TILES[tile], kind)
    if table.phase is Phase.TURN:
        for tile in sorted({meld.tile for meld in seat.melds if meld.wild and seat.held(meld.tile)}):
            yield Offer("replace", TILES[tile])
    if unopposed(table, Ting(seat=seat.number)):
        yield Offer("ting")
