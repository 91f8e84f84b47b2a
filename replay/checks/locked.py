"""血流: a winner plays on with a hand that stays as it is (rulebook §6.6)."""

from collections.abc import Sequence

from replay.checks import check
from replay.findings import Finding
from replay.log import Action
from replay.profile import RuleProfile
from replay.state import Table
from replay.tiles import TILES

Findings = Sequence[Finding] | None


def winners_play_on(rules: RuleProfile) -> bool:
    """Whether a seat that has hu'd stays in play."""
    return rules.ends == "wall"


@check("peng", "gang", order=20, when=winners_play_on)
def winner_takes_nothing(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT027: a winner pengs or gangs."""
    return changed(table, seat, tile, action)


@check("discard", order=20, when=winners_play_on)
def winner_keeps_nothing(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT027: a winner discards another tile than the one it drew."""
    return None if tile == table.drawn else changed(table, seat, tile, action)


def changed(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT027 where the seat has hu'd."""
    locked_at = table.seats[seat].locked_at
    if locked_at is None:
        return None
    return [Finding("ACT027", {"type": action.type, "tile": TILES[tile]}, because=(locked_at,))]
