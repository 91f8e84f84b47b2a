"""Quiet stretches: draws and discards that nobody can have anything to say about, played without ceremony.

Nine actions in ten are a draw in turn and a discard that nobody can claim. Here such pairs are recognised and
applied in one loop over local names, several times faster than check by check. The loop stops before the first
pair that is not plainly quiet; checks and moves decide there. It may stop too early, never too late: a test holds
audits with and without it to one report.
"""

from collections.abc import Sequence
from typing import Any

from replay.log import Action, Discard, Draw
from replay.rights import AT_OWN_DISCARD, may_be_penged, waited_for
from replay.state import Phase, Seat, Table
from replay.tiles import ALL_OF, BIT, INDEX, ONE

OPENING, CLAIM = Phase.OPENING, Phase.CLAIM


def may_be_quiet(table: Table) -> bool:
    """Whether the table waits for a draw, nobody may claim anything, and no void suit is owed before a discard."""
    phase = table.phase
    return (
        (phase is CLAIM or phase is OPENING) and not table.watched and (table.opened or not table.undeclared)
    )


def play_quiet(table: Table, actions: Sequence[Action], start: int, stop: int) -> int:
    """Apply the quiet pairs of draw and discard from ``start`` on; returns the first action not applied.

    The table must be one that `may_be_quiet`.
    """
    rules, seats, next_of, seen, waits_of = (
        table.rules,
        table.seats,
        table.next_of,
        table.seen,
        table.waits_of,
    )
    number, any_waits, left, forced_last = table.drawer, table.any_waits, table.left, rules.forced_last
    wary = is_wary(table)
    rest = iter(actions[start:stop])
    # The last tile is left to the moves: after it no draw is due.
    for left, draw, discard in zip(range(left, 1, -1), rest, rest):  # noqa: B020, B905 - ends with the shortest
        if (
            type(draw) is not Draw
            or type(discard) is not Discard
            or draw.seat != number
            or discard.seat != number
        ):
            break
        drawn, tile = INDEX[draw.tile], INDEX[discard.tile]
        seat = seats[number]
        if (
            seen[drawn] > 3
            or (any_waits & BIT[tile] and waited_for(seats, number, tile))
            or (left <= forced_last and seat.waits & BIT[drawn])
            or (wary and not is_unclaimable(table, seat, drawn, tile))
        ):
            break
        held, void = seat.hand, seat.void_tiles
        if drawn == tile:
            if held & void and not ONE[tile] & void:
                break
        else:
            held += ONE[drawn]
            if not held & ALL_OF[tile] or (held & void and not ONE[tile] & void):
                break
            seat.hand = held = held - ONE[tile]
            # A seat that still holds its void suit waited for nothing and still does.
            if not held & void and (waits := waits_of(rules, seat)) != seat.waits:
                seat.waits = waits
                table.count_waits()
                any_waits = table.any_waits
        seen[drawn] += 1
        seat.discards.append(tile)
        number = next_of[number]
        if wary and ends_stretch(table, seat, tile):
            left -= 1
            break
    else:
        left = table.left - max(0, min(table.left - 1, (stop - start) // 2))
    pairs = table.left - left
    if pairs:
        start += 2 * pairs
        catch_up(table, actions[start - 2], actions[start - 1], start - 1, pairs)
    return start


def is_wary(table: Table) -> bool:
    """Whether a pair may be quiet for fewer reasons: a recorded wall, recorded passes, 过水 or 顺和."""
    a, b, c, d = table.seats
    barred = a.bar or b.bar or c.bar or d.bar
    return bool(table.wall or table.always_alert or barred) or any(map(is_watched, table.seats))


def is_watched(seat: Seat) -> bool:
    """Whether the seat must discard what it draws, or may become ready again after a gang that cost it its wait."""
    return seat.locked_at is not None or seat.lost_wait is not None


def is_unclaimable(table: Table, seat: Seat, drawn: int, tile: int) -> bool:
    """Whether the draw is the wall's, no bar falls with it, and nobody has to decline the discard."""
    if seat.bar is not None or (table.wall and table.wall[-1] != drawn):
        return False
    if is_watched(seat) and (seat.lost_wait is not None or drawn != tile):
        return False
    return not (table.records_pass and may_be_penged(table, seat.number, tile))


def ends_stretch(table: Table, seat: Seat, tile: int) -> bool:
    """Use up the wall's tile; says whether the seat's own discard bars it, which the moves see to."""
    if table.wall:
        table.wall.pop()
    return table.rules.guo_shui == "shun_hu" and bool(seat.waits & BIT[tile])


def catch_up(table: Table, draw: Any, discard: Any, at: int, pairs: int) -> None:
    """Bring the table to where the last of so many quiet pairs leaves it; its discard is action ``at``."""
    number = discard.seat
    table.left -= pairs
    table.last = INDEX[discard.tile]
    table.last_at = table.index = at
    table.drawn_at = at - 1
    table.last_from = table.turn = number
    table.fresh = discard.tile == draw.tile
    table.drawer = table.next_of[number]
    table.phase = CLAIM
    table.begun = table.opened = table.window = True
    table.watched = False
    table.alert = table.always_alert
    table.takers = []
    table.passes = {}
    table.offers = ()
    table.pao = ()
    AT_OWN_DISCARD[table.rules.guo_shui](table, table.seats[number])
