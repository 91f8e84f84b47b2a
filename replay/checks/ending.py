"""What a claim left untaken means, and how the hand ends."""

from replay.findings import Finding
from replay.rights import claims_of, forced
from replay.state import Table
from replay.tiles import TILES


def forced_facts(table: Table) -> dict[str, object]:
    """The facts of a missed forced hu on the tile that lies there."""
    return {"tile": TILES[table.last], "left": table.left, "from": table.last_from}


def window_closed(table: Table, taker: int) -> list[Finding]:
    """What is to be said when the tile that lay there can no longer be claimed; ``taker`` took it, or NONE.

    HND001 for a forced hu that was not taken (000 §2.5), ACT030 for an offer without claim or pass where the
    record promises passes.
    """
    found = []
    if table.rules.forced_last > 0 and forced(table):
        found += [forced_hu_missed(table, number) for number in table.offers if number not in table.takers]
    if table.records_pass:
        found += unrecorded_passes(table, taker)
    return found


def forced_hu_missed(table: Table, seat: int) -> Finding:
    """HND001: at the seat's pass where it wrote one, else inferred where the window closes (formats §5)."""
    passed_at = table.passes.get((seat, "hu"))
    return Finding(
        "HND001",
        forced_facts(table),
        action=passed_at,
        seat=seat,
        because=(table.last_at,),
        basis="inferred" if passed_at is None else "recorded",
    )


def unrecorded_passes(table: Table, taker: int) -> list[Finding]:
    """ACT030 for each seat, with every offer of its that has neither claim nor pass (rulebook §6.3)."""
    found = []
    for seat in table.seats:
        if seat.number in table.takers or seat.number == taker:
            continue
        offers = [offer for offer in claims_of(table, seat) if (seat.number, offer) not in table.passes]
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
