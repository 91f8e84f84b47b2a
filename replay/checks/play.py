"""Draws, discards, pengs and gangs: whose turn it is, which tiles there are, and 定缺 while playing."""

from collections.abc import Sequence

from replay import log
from replay.checks import check
from replay.checks.opening import has_dingque, not_now, phase_name, suit_held
from replay.findings import Finding
from replay.log import Action
from replay.moves import due_end, end_unknown, replacing
from replay.rights import claims_of, forced, may_hu_drawn, own_offers
from replay.state import NONE, Phase, Table
from replay.tiles import ONE, SUIT_OF, TILES

Findings = Sequence[Finding] | None


@check("draw", order=10)
def draw_in_turn(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """Only the seat whose draw is due draws."""
    return None if seat == table.drawer else misplaced(table, seat, "draw")


@check("discard", order=10)
def discard_in_turn(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """Only the seat that has drawn, or taken a peng, discards."""
    return None if seat == table.discarder else misplaced(table, seat, "discard")


def misplaced(table: Table, seat: int, kind: str) -> list[Finding]:
    """Which rule a draw, discard or own gang breaks that was not due: the hand's end, 胡, turn order or phase."""
    if table.may_end():
        return [over(table)]
    hu_at = table.seats[seat].hu_at
    if hu_at is not None:
        return [Finding("ACT006", {"type": kind, "hu_at": hu_at}, because=(hu_at,))]
    if kind == "draw" and table.phase is Phase.OPENING and "dealer" in table.lacks:
        # Who draws first is the dealer, and who deals is not known.
        return [Finding("ACT004", {"missing": ["dealer"]}, kind="undecidable")]
    due = table.discarder if table.discarder >= 0 else table.drawer
    if seat == due or (table.phase is Phase.OPENING and "dealer" in table.lacks):
        return not_now(table, kind)
    took = tuple(win.at for win in table.wins if win.seat in table.takers)
    return [Finding("ACT004", {"type": kind, "expected": [due]}, because=took)]


def over(table: Table) -> Finding:
    """HND003: the hand had ended before this action."""
    ended_at = table.ended_at
    if ended_at is None:
        ended_at = max(table.last_at, table.gangs[-1].at if table.gangs else NONE)
    because = (ended_at,) if ended_at >= 0 else ()
    return Finding("HND003", {"reason": table.end or "wall_empty", "ended_at": ended_at}, because=because)


@check("draw", order=30)
def fifth_copy(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT001: four of the tile have been seen already."""
    if table.seen[tile] < 4:
        return None
    return [Finding("ACT001", {"tile": TILES[tile], "copies": table.seen[tile] + 1})]


@check("draw", order=35, needs_wall=True)
def wall_order(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT002 or ACT016: the tile is not the one that the recorded wall gives (000 §1.4, 002 §2.9)."""
    wall = table.wall
    if not wall:
        return None
    if end_unknown(table, wall):
        # Both ends hold this tile: from here on nobody can tell which of them is used up.
        return [Finding("ACT002", {"missing": ["options"]}, kind="undecidable")]
    end = due_end(table)
    due = wall[end]
    if tile == due:
        return None
    facts = {"tile": TILES[tile], "expected": TILES[due], "end": "tail" if end == 0 else "head"}
    wrong_end = replacing(table) and tile == wall[-1 - end]
    return [Finding("ACT016" if wrong_end else "ACT002", facts)]


@check("discard", order=30)
def tile_held(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT003: the seat does not hold the tile."""
    if table.seats[seat].held(tile):
        return None
    return [Finding("ACT003", {"type": "discard", "tile": TILES[tile], "needed": 1, "held": 0})]


@check("discard", when=lambda rules: has_dingque(rules) and rules.void_breach == "illegal")
def void_suit_first(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT012: another suit was discarded while the seat held its void suit (000 §1.7)."""
    holder = table.seats[seat]
    if not holder.hand & holder.void_tiles or ONE[tile] & holder.void_tiles:
        return None
    void = holder.void
    facts = {"tile": TILES[tile], "void": "mps"[void], "held": suit_held(holder, void)}
    return [Finding("ACT012", facts, because=() if holder.void_at is None else (holder.void_at,))]


@check("discard", "gang", order=60, when=lambda rules: rules.forced_last > 0)
def own_hu_forced(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """HND001: in the last tiles the seat drew its winning tile and did something else (000 §2.5)."""
    if table.left >= table.rules.forced_last or seat != table.turn:
        return None
    if not may_hu_drawn(table, table.seats[seat]) or not forced(table):
        return None
    facts = {"tile": TILES[table.drawn], "left": table.left, "from": None}
    return [Finding("HND001", facts, because=(table.drawn_at,), basis="inferred")]


@check("peng", order=10)
def peng_of_the_discard(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """A peng takes the tile that another seat has just discarded."""
    return unclaimable(table, seat, tile, "peng")


def unclaimable(table: Table, seat: int, tile: int, kind: str) -> Findings:
    """Why the seat may not take the tile now: it has hu'd, another hu'd it, or it does not lie there."""
    taker = table.seats[seat]
    if table.end:
        return [over(table)]
    if taker.hu_at is not None:
        return [Finding("ACT006", {"type": kind, "hu_at": taker.hu_at}, because=(taker.hu_at,))]
    lies = table.phase is Phase.CLAIM and table.window and tile == table.last and seat != table.last_from
    if not lies:
        last = TILES[table.last] if table.phase is Phase.CLAIM and table.last >= 0 else None
        return [Finding("ACT007", {"type": kind, "tile": TILES[tile], "last": last})]
    if table.takers:
        hu_ats = tuple(win.at for win in table.wins if win.seat in table.takers)
        return [
            Finding(
                "ACT008", {"type": kind, "tile": TILES[tile], "hu_seats": list(table.takers)}, because=hu_ats
            )
        ]
    return None


@check("peng", order=30)
def peng_tiles_held(table: Table, seat: int, tile: int, action: log.Peng) -> Findings:
    """ACT003: a peng needs two of the tile in hand, less the 听用 that it uses."""
    wild = action.wild or 0
    holder = table.seats[seat]
    held = holder.held(tile) - (wild if tile == holder.wild else 0)
    if held >= 2 - wild:
        return None
    return [Finding("ACT003", {"type": "peng", "tile": TILES[tile], "needed": 2 - wild, "held": held})]


@check("peng", "gang", when=has_dingque)
def void_suit_not_claimed(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT013: a peng or gang of the seat's own void suit."""
    holder = table.seats[seat]
    if holder.void < 0 or SUIT_OF[tile] != holder.void:
        return None
    facts = {"type": action.type, "tile": TILES[tile], "void": "mps"[holder.void]}
    return [Finding("ACT013", facts, because=() if holder.void_at is None else (holder.void_at,))]


@check("gang", order=10)
def gang_in_turn(table: Table, seat: int, tile: int, action: log.Gang) -> Findings:
    """A direct gang takes the discard; the others are made in the seat's own turn."""
    if action.kind == "zhi":
        return unclaimable(table, seat, tile, "gang")
    return None if seat == table.discarder else misplaced(table, seat, "gang")


@check("gang", order=30)
def gang_tiles_held(table: Table, seat: int, tile: int, action: log.Gang) -> Findings:
    """ACT015: the tiles for the gang are not there, or it has no peng to be added to."""
    kind = action.kind
    holder = table.seats[seat]
    held, needed = holder.held(tile), {"zhi": 3, "an": 4, "bu": 1}[kind]
    if held < needed:
        reason = "tiles"
    elif kind == "bu" and not any(meld.tile == tile and meld.kind == "peng" for meld in holder.melds):
        reason = "no_peng"
    else:
        return None
    return [Finding("ACT015", {"kind": kind, "tile": TILES[tile], "reason": reason, "held": held})]


@check("gang", order=40)
def gang_after_peng(table: Table, seat: int, tile: int, action: log.Gang) -> Findings:
    """ACT015: no gang right after a peng where the rule set forbids it (000 §3.3)."""
    if (
        table.phase is not Phase.AFTER_PENG
        or seat != table.discarder
        or table.rules.gang_after_peng == "allowed"
        or action.kind == "zhi"
    ):
        return None
    held = table.seats[seat].held(tile)
    facts = {"kind": action.kind, "tile": TILES[tile], "reason": "after_peng", "held": held}
    return [Finding("ACT015", facts, because=(table.index - 1,))]


@check("gang", order=40)
def gang_tile_left(table: Table, seat: int, tile: int, action: log.Gang) -> Findings:
    """ACT015: a gang needs a tile left to draw (rulebook §2.1)."""
    if table.left:
        return None
    held = table.seats[seat].held(tile)
    facts = {"kind": action.kind, "tile": TILES[tile], "reason": "no_tile_left", "held": held}
    return [Finding("ACT015", facts)]


@check("pass", order=10)
def pass_was_offered(table: Table, seat: int, tile: int, action: log.Pass) -> Findings:
    """ACT031: what was declined had not been offered; ACT005 where nothing lies to be claimed.

    A hu that 过水 bars, and one's own hu or gang, need no pass and may be declined all the same.
    """
    passer = table.seats[seat]
    declined = list(action.declined)
    if passer.hu_at is not None:
        return [Finding("ACT006", {"type": "pass", "hu_at": passer.hu_at}, because=(passer.hu_at,))]
    if table.end and not table.window:
        return [over(table)]
    if table.window:
        offered = claims_of(table, passer, barred=True)
    elif seat == table.discarder:
        offered = own_offers(table, passer)
    else:
        return [Finding("ACT005", {"type": "pass", "phase": phase_name(table), "reason": "nothing_offered"})]
    if set(declined) <= set(offered):
        return None
    return [Finding("ACT031", {"declined": declined, "offered": offered})]
