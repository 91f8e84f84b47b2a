"""What a claim left untaken means, and how the hand ends."""

from collections.abc import Sequence

from replay.checks import check
from replay.findings import Finding
from replay.rights import claims_of, forced
from replay.state import Action, Table
from replay.tiles import TILES


@check("pass", order=60, when=lambda rules: rules.forced_last > 0)
def forced_hu_declined(table: Table, seat: int, tile: int, action: Action) -> Sequence[Finding] | None:
    """HND001 at the pass, whatever it names: in the last tiles a hu that may be made must be (000 §2.5)."""
    if seat not in table.offers or not forced(table):
        return None
    return [Finding("HND001", forced_facts(table), because=(table.last_at,))]


def forced_facts(table: Table) -> dict[str, object]:
    """The facts of a missed forced hu on the tile that lies there."""
    return {"tile": TILES[table.last], "left": table.left, "from": table.last_from}


def window_closed(table: Table, taker: int) -> list[Finding]:
    """What is to be said when the tile that lay there can no longer be claimed; ``taker`` took it, or NONE.

    HND001 for a forced hu that was passed without a word, ACT030 for an offer without claim or pass where the
    record promises passes.
    """
    found = []
    if table.rules.forced_last > 0 and forced(table):
        facts, because = forced_facts(table), (table.last_at,)
        found += [
            Finding("HND001", facts, seat=number, because=because, basis="inferred")
            for number in table.offers
            if number not in table.takers and number not in table.passes
        ]
    if table.records_pass:
        found += unrecorded_passes(table, taker)
    return found


def unrecorded_passes(table: Table, taker: int) -> list[Finding]:
    """ACT030 for each seat whose offer has neither claim nor pass (rulebook §6.3)."""
    found = []
    for seat in table.seats:
        if seat.number in table.passes or seat.number in table.takers or seat.number == taker:
            continue
        offers = claims_of(table, seat)
        if table.takers or taker >= 0:
            # Peng and gang fall away when another seat takes the tile.
            offers = [offer for offer in offers if offer == "hu"]
        if offers:
            facts = {"tile": TILES[table.last], "offers": offers}
            found.append(Finding("ACT030", facts, seat=seat.number, because=(table.last_at,)))
    return found


def ended_early(table: Table) -> list[Finding]:
    """HND002: the actions stop before the hand has ended."""
    if table.may_end():
        return []
    return [Finding("HND002", {"left": table.left, "winners": len(table.wins)})]
