"""Quiet stretches: draws and discards that nobody can have anything to say about, played without ceremony.

Nine actions in ten are a draw in turn and a discard that nobody can claim. Here such pairs are recognised and
applied in one loop over local names, several times faster than check by check. The loop stops before the first
pair that is not plainly quiet; checks and moves decide there. It may stop too early, never too late: a test holds
audits with and without it to one report.
"""

from collections.abc import Sequence

from replay.log import Action, Discard, Draw
from replay.moves import CLAIM
from replay.rights import AT_OWN_DISCARD, may_be_penged
from replay.state import Table
from replay.tiles import BIT, INDEX, ONE, SHIFT, SUIT_FIELD, SUIT_OF


def play_quiet(table: Table, actions: Sequence[Action], start: int, stop: int) -> int:
    """Apply the quiet pairs of draw and discard from ``start`` on; returns the first action not applied.

    The table must wait for a draw after a discard that nobody may claim.
    """
    rules = table.rules
    seats, next_of, seen, wall, waits_of = table.seats, table.next_of, table.seen, table.wall, table.waits_of
    recorded = table.records_pass
    own_discards_bar = rules.guo_shui == "shun_hu"
    forced_last = rules.forced_last
    drawer, left, any_waits = table.drawer, table.left, table.any_waits
    index = start
    while left > 1 and index + 1 < stop:
        first = actions[index]
        second = actions[index + 1]
        if type(first) is not Draw or type(second) is not Discard:
            break
        number = first.seat
        if number != drawer or second.seat != number:
            break
        drawn = INDEX[first.tile]
        tile = INDEX[second.tile]
        seat = seats[number]
        if any_waits & BIT[tile] or seen[drawn] > 3 or seat.bar is not None or (wall and wall[-1] != drawn):
            break
        if left <= forced_last and seat.waits & BIT[drawn]:
            break
        void = seat.void
        if void >= 0 and SUIT_OF[tile] != void and (seat.hand & SUIT_FIELD[void] or SUIT_OF[drawn] == void):
            break
        if recorded and may_be_penged(seats, number, tile):
            break
        if drawn != tile:
            if not seat.hand >> SHIFT[tile] & 7:
                break
            seat.hand += ONE[drawn] - ONE[tile]
            waits = waits_of(rules, seat)
            if waits != seat.waits:
                seat.waits = waits
                table.count_waits()
                any_waits = table.any_waits
                if own_discards_bar and waits & BIT[tile]:
                    stop = index
        if wall:
            wall.pop()
        seen[drawn] += 1
        seat.discards.append(tile)
        left -= 1
        drawer = next_of[number]
        index += 2
    if index > start:
        draw, discard = actions[index - 2], actions[index - 1]
        assert isinstance(draw, Draw)
        assert isinstance(discard, Discard)
        catch_up(table, draw, discard, index - 1, (index - start) // 2)
    return index


def catch_up(table: Table, draw: Draw, discard: Discard, at: int, pairs: int) -> None:
    """Bring the table to where the last of so many quiet pairs leaves it; its discard is action ``at``."""
    number = discard.seat
    table.left -= pairs
    table.last = INDEX[discard.tile]
    table.last_at = table.index = at
    table.last_from = table.turn = number
    table.fresh = discard.tile == draw.tile
    table.drawer = table.next_of[number]
    table.phase = CLAIM
    table.window = True
    table.watched = False
    table.alert = table.always_alert
    table.takers = []
    table.passes = {}
    table.offers = ()
    table.pao = ()
    AT_OWN_DISCARD[table.rules.guo_shui](table, table.seats[number])
