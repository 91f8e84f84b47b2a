"""Hu: the right tile, a complete hand, the suits, and 过水."""

from collections.abc import Sequence

from replay import log
from replay.checks import check
from replay.checks.opening import suit_held
from replay.checks.play import over
from replay.fans import is_complete
from replay.findings import Finding
from replay.rights import barred, claim_price, how_drawn
from replay.state import NONE, Phase, Seat, Table
from replay.tiles import BIT, SUIT_OF, TILES, size_of, tile_string
from replay.waits import real_suits

Findings = Sequence[Finding] | None


@check("hu", order=10)
def hu_of_the_tile(table: Table, seat: int, tile: int, action: log.Hu) -> Findings:
    """A hu takes the tile just drawn, just discarded or just added to a peng, once a hand."""
    winner = table.seats[seat]
    hu_at = winner.hu_at
    if hu_at is None and winner.locked_at is not None and action.source is not None and seat in table.takers:
        # It plays on and may win again, but not with one tile twice.
        hu_at = max(win.at for win in table.wins if win.seat == seat)
    if hu_at is not None:
        return [Finding("ACT026", {"hu_at": hu_at}, because=(hu_at,))]
    if table.end and (not table.window or len(table.in_play()) < 2):
        return [over(table)]
    if lies_there(table, seat, tile, action):
        return None
    if action.source is None:
        return [not_there(table, seat, tile)]
    gang = table.gangs[-1] if table.gangs else None
    if table.phase is Phase.REPLACEMENT and gang is not None and gang.kind == "an" and gang.tile == tile:
        return [Finding("ACT024", {"tile": TILES[tile]}, because=(gang.at,))]
    return [not_there(table, seat, tile)]


def lies_there(table: Table, seat: int, tile: int, action: log.Hu) -> bool:
    """Whether the hu takes the tile that the seat has just drawn, or that lies to be claimed from that source."""
    if action.source is None:
        drawn = tile == table.drawn or (table.drawn >= 0 and table.replaced == (table.drawn_at, tile))
        return drawn and seat == table.discarder
    return table.window and action.source == table.last_from != seat and tile == table.last


def not_there(table: Table, seat: int, tile: int) -> Finding:
    """ACT007: the tile is not the one that lies to be taken."""
    lies = table.drawn if seat == table.discarder else table.last if table.window else NONE
    return Finding("ACT007", {"type": "hu", "tile": TILES[tile], "last": TILES[lies] if lies >= 0 else None})


@check("hu", order=20)
def hu_on_discards_allowed(table: Table, seat: int, tile: int, action: log.Hu) -> Findings:
    """ACT025: the rule set wins by self-draw only, or does not let an added gang be robbed (000 §4)."""
    if action.source is None:
        return None
    rules = table.rules
    if rules.rob_gang if table.phase is Phase.ADDED else rules.hu_on_discard:
        return None
    return [Finding("ACT025", {"tile": TILES[tile]})]


@check("hu", order=30)
def hand_complete(table: Table, seat: int, tile: int, action: log.Hu) -> Findings:
    """ACT020: the tiles are no winning hand (000 §1 一番 四坎牌加一对将)."""
    winner = table.seats[seat]
    if is_waited_for(table, winner, tile, action) or complete(table, winner, tile, action.source is not None):
        return None
    held = winner.tiles() + ([tile] if action.source is not None else [])
    melds = [TILES[meld.tile] * (3 if meld.kind == "peng" else 4) for meld in winner.melds]
    return [Finding("ACT020", {"tile": TILES[tile], "hand": tile_string(sorted(held)), "melds": melds})]


def is_waited_for(table: Table, seat: Seat, tile: int, action: log.Hu) -> bool:
    """Whether the seat's waits, shape and suits asked, say that it may hu: the quick answer, seldom no."""
    return bool(seat.waits & BIT[tile]) and lies_there(table, seat.number, tile, action)


def complete(table: Table, seat: Seat, tile: int, claim: bool) -> bool:
    """Whether the seat's tiles, with the claimed one, are a winning shape; suits are not asked."""
    if claim:
        seat.take(tile)
    try:
        whole = not table.irregular or size_of(seat.hand) + 3 * len(seat.melds) == 14
        return whole and is_complete(table.rules, seat.winning(not claim, ()))
    finally:
        if claim:
            seat.take(tile, -1)


@check("hu", order=40)
def suits_allowed(table: Table, seat: int, tile: int, action: log.Hu) -> Findings:
    """ACT022: a tile of the void suit in the winning hand; ACT021: three suits (000 §1.6)."""
    winner = table.seats[seat]
    if table.rules.void == "none" or is_waited_for(table, winner, tile, action):
        return None
    void = winner.void
    suits = real_suits(winner) | (0 if tile == winner.wild else 1 << SUIT_OF[tile] & 7)
    if void >= 0:
        if not suits >> void & 1:
            return None
        held = suit_held(winner, void) + (
            TILES[tile] if action.source is not None and SUIT_OF[tile] == void else ""
        )
        because = () if winner.void_at is None else (winner.void_at,)
        return [Finding("ACT022", {"void": "mps"[void], "held": held}, because=because)]
    if suits != 7:
        return None
    return [Finding("ACT021", {"suits": list("mps")})]


@check("hu", when=lambda rules: rules.guo_shui != "off")
def guo_shui(table: Table, seat: int, tile: int, action: log.Hu) -> Findings:
    """ACT023: the seat passed a hu since its last draw and this one is worth no more (000 §2.6)."""
    winner = table.seats[seat]
    bar = winner.bar
    if bar is None or not lies_there(table, seat, tile, action):
        return None
    if action.source is not None:
        price = claim_price(table, winner)
    else:
        price = table.pricer.price(winner.winning(True, how_drawn(table, winner)))
    if price is None or not barred(table.rules, winner, price.price, table.left):
        return None
    facts = {
        "tile": TILES[tile],
        "fan": price.fan,
        "price": price.price,
        "passed": [TILES[kind] for kind in bar.tiles],
        "passed_price": bar.price,
    }
    return [Finding("ACT023", facts, because=bar.because, basis="inferred" if bar.inferred else "recorded")]


@check("hu", order=60)
def hu_in_turn_order(table: Table, seat: int, tile: int, action: log.Hu) -> Findings:
    """ACT008: several hu on one tile are written in turn order from the discarder (formats §1)."""
    if action.source is None or not table.takers or not lies_there(table, seat, tile, action):
        return None
    source = table.last_from
    if all((taker - source) % 4 < (seat - source) % 4 for taker in table.takers):
        return None
    because = tuple(win.at for win in table.wins if win.seat in table.takers)
    facts = {"type": "hu", "tile": TILES[tile], "hu_seats": list(table.takers)}
    return [Finding("ACT008", facts, because=because)]
