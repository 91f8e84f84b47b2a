"""What is to be said of a seat: its hu, its waits, its 过水, and what it may do now."""

from collections.abc import Iterator

from replay.checks.opening import has_dingque
from replay.report import win_dict
from replay.rights import barred, claims_of, forced, may_hu_drawn, own_gangs
from replay.state import Phase, Seat, Table, Win
from replay.steps.frames import BarShown, Offer, WinShown
from replay.tiles import BIT, TILES


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
    """What the seat waits for: while it owes a discard for a peng, nothing."""
    owes = table.phase is Phase.AFTER_PENG and table.discarder == seat.number
    return 0 if owes else seat.waits


def bar_shown(table: Table, seat: Seat) -> BarShown | None:
    """The seat's 过水."""
    bar, rules = seat.bar, table.rules
    if bar is None:
        return None
    return BarShown(
        price=bar.price,
        tiles=tuple(TILES[tile] for tile in bar.tiles),
        because=bar.because,
        inferred=bar.inferred,
        until="discard" if bar.drawn or rules.guo_shui_zi_mo == "barred" else "draw",
        dearer=rules.guo_shui_more_fan,
        waived=not barred(rules, seat, bar.price, table.left),
    )


def offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """What the seat may do now, and the hu that it may not because of 过水."""
    if seat.hu_at is not None:
        return
    if has_dingque(table.rules) and not table.begun and seat.void_at is None and "void" not in table.lacks:
        yield Offer("void")
    if table.window:
        yield from claim_offers(table, seat)
    if table.end:
        return
    if table.discarder == seat.number:
        yield from own_offers(table, seat)
        yield Offer("discard")
    if table.drawer == seat.number:
        yield Offer("draw")


def claim_offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """What the seat may claim of the tile that lies there; once it was hu'd, only another hu."""
    tile = TILES[table.last]
    may = claims_of(table, seat)
    for what in may:
        if what == "hu" or not table.takers:
            passed = (seat.number, what) in table.passes
            must = what == "hu" and table.rules.forced_last > 0 and forced(table)
            state = "passed" if passed else "must" if must else "open"
            yield Offer(what, tile, "zhi" if what == "gang" else None, state)
    robbing = table.phase is Phase.ADDED
    allowed = table.rules.rob_gang if robbing else table.rules.hu_on_discard
    if allowed and "hu" not in may and "hu" in claims_of(table, seat, barred=True):
        yield Offer("hu", tile, None, "barred")


def own_offers(table: Table, seat: Seat) -> Iterator[Offer]:
    """The hu and the gangs that the seat whose turn it is may make."""
    if table.phase is Phase.TURN and seat.waits & BIT[table.drawn]:
        may = may_hu_drawn(table, seat)
        must = may and table.rules.forced_last > 0 and forced(table)
        yield Offer("own_hu", TILES[table.drawn], None, "must" if must else "open" if may else "barred")
    for kind, tile in own_gangs(table, seat):
        yield Offer("own_gang", TILES[tile], kind)
