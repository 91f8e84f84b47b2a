"""逃跑 and 报听: who may say so, and when."""

from collections.abc import Sequence

from replay.checks import check
from replay.checks.opening import not_now
from replay.checks.play import misplaced, over
from replay.findings import Finding
from replay.log import Action
from replay.state import Phase, Table

Findings = Sequence[Finding] | None


@check("flee", order=10, when=lambda rules: rules.flee != "none")
def flight_in_turn(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """A seat in play flees in its own turn, one that has hu'd at any time, once (rulebook §6.10)."""
    won = table.seats[seat].has_won()
    # While the last tile lies to be claimed the hand is not over for one who only watches.
    if table.end or (table.may_end() and not (won and table.window)):
        return [over(table)]
    if any(flight.seat == seat for flight in table.flights):
        return not_now(table, "flee")
    return None if won or seat in (table.discarder, table.drawer) else misplaced(table, seat, "flee")


@check("ting", order=10, when=lambda rules: rules.xiang_gong != "off")
def ting_in_turn(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT005: 听 is said in the own turn, after the draw and before the discard (rulebook §6.7)."""
    in_turn = seat == table.discarder and table.phase is Phase.TURN
    return None if in_turn else not_now(table, "ting")
