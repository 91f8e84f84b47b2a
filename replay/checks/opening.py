"""Before the first discard: the tiles dealt, 定缺, and actions that the rule set does not have."""

from collections import Counter
from collections.abc import Callable, Sequence

from replay import log
from replay.checks import check
from replay.findings import Finding
from replay.log import Action, Hand
from replay.profile import RuleProfile
from replay.state import DEALT, Phase, Seat, Table
from replay.tiles import (
    SUIT_FIELD,
    TILES,
    WHOLE,
    at_most_four,
    counts_of,
    packed,
    parse_tiles,
    tile_string,
    tiles_of,
)

SUIT_NAMES = "mps"


def has_dingque(rules: RuleProfile) -> bool:
    """Whether the rule set has a declared void suit."""
    return rules.void == "declared"


def dealt_tiles(table: Table, hand: Hand) -> list[Finding]:
    """ACT001 where the deal, or deal and wall together, hold a fifth copy of a tile."""
    dealt = sum([seat.hand for seat in table.seats])
    if dealt + packed(hand.wall) == WHOLE[table.rules.tiles] if hand.wall else at_most_four(dealt, DEALT):
        return []
    copies = Counter(parse_tiles("".join(hand.deal) + (hand.wall or "")))
    return [
        Finding("ACT001", {"tile": TILES[kind], "copies": count})
        for kind, count in sorted(copies.items())
        if count > 4
    ]


@check("void", order=10, when=has_dingque)
def void_in_time(table: Table, seat: int, tile: int, action: Action) -> Sequence[Finding] | None:
    """ACT010: a second 定缺, or one after the play began (000 §1.7)."""
    first = table.seats[seat].void_at
    if first is not None:
        return [Finding("ACT010", {"reason": "twice"}, because=(first,))]
    if table.begun:
        return [Finding("ACT010", {"reason": "late"})]
    return None


@check("discard", order=20, when=has_dingque, until_opened=True)
def void_declared(table: Table, seat: int, tile: int, action: Action) -> Sequence[Finding] | None:
    """ACT010 at the first discard for each seat that declared no void suit."""
    return [
        Finding("ACT010", {"reason": "missing"}, seat=other.number)
        for other in table.seats
        if other.void_at is None
    ]


@check("void", when=has_dingque)
def void_choice(table: Table, seat: int, tile: int, action: log.Void) -> Sequence[Finding] | None:
    """ACT011: a suit that the rule set does not let the seat choose (004 §2.1 注)."""
    chooser = table.seats[seat]
    if chooser.void_at is not None:
        return None
    allowed = VOID_CHOICE[table.rules.void_choice](chooser)
    if action.suit in allowed:
        return None
    return [Finding("ACT011", {"suit": action.suit, "allowed": list(allowed)})]


def _suits_to_void(seat: Seat) -> str:
    """A hand of two suits voids the third, a hand of one either of the others, a hand of three any."""
    missing = "".join(SUIT_NAMES[suit] for suit in range(3) if not seat.hand & SUIT_FIELD[suit])
    return missing or SUIT_NAMES


VOID_CHOICE: dict[str, Callable[[Seat], str]] = {"free": lambda seat: SUIT_NAMES, "by_suits": _suits_to_void}


@check("void", when=lambda rules: not has_dingque(rules))
def void_unknown(table: Table, seat: int, tile: int, action: Action) -> Sequence[Finding] | None:
    """ACT005: this rule set has no declared void suit."""
    return no_such_action(table, seat, tile, action)


@check("swap", order=10, when=lambda rules: rules.swap != "none")
def three_of_one_suit(table: Table, seat: int, tile: int, action: log.Swap) -> Sequence[Finding] | None:
    """ACT014: what is given is not three tiles of one suit, not held, or given twice (000 §3.8)."""
    giver = table.seats[seat]
    if table.begun:
        return not_now(table, "swap")
    facts = {"tiles": "".join(action.tiles)}
    if giver.given:
        return [Finding("ACT014", {"reason": "twice", **facts})]
    given = packed(facts["tiles"])
    if any(giver.held(kind) < count for kind, count in enumerate(counts_of(given)) if count):
        return [Finding("ACT014", {"reason": "held", **facts})]
    if not table.direction:
        return [Finding("ACT014", {"reason": "direction", **facts})]
    if len({name[1] for name in action.tiles}) > 1:
        return [Finding("ACT014", {"reason": "suit", **facts})]
    return None


@check("draw", order=20, when=lambda rules: rules.swap != "none", until_opened=True)
def all_swapped(table: Table, seat: int, tile: int, action: Action) -> Sequence[Finding] | None:
    """ACT014 at the dealer's first draw for each seat that gave no three tiles."""
    if table.phase is not Phase.OPENING:
        return None
    missing = [other.number for other in table.seats if not other.given]
    if len(missing) == 4 and "swap" in table.lacks:
        return None
    return [Finding("ACT014", {"reason": "missing", "tiles": ""}, seat=number) for number in missing]


@check("piao", order=10, when=lambda rules: rules.piao != "off")
def piao_in_time(table: Table, seat: int, tile: int, action: Action) -> Sequence[Finding] | None:
    """ACT005: a stake raised twice, or after the first discard."""
    if not table.opened and table.seats[seat].piao_at is None:
        return None
    return not_now(table, "piao")


@check("swap", when=lambda rules: rules.swap == "none")
@check("piao", when=lambda rules: rules.piao == "off")
@check("ting", when=lambda rules: rules.xiang_gong == "off")
@check("flee", when=lambda rules: rules.flee == "none")
def no_such_action(table: Table, seat: int, tile: int, action: Action) -> Sequence[Finding] | None:
    """ACT005: the rule set does not have this action; it changes nothing."""
    return [Finding("ACT005", {"type": action.type, "phase": phase_name(table), "reason": "not_in_rules"})]


def not_now(table: Table, kind: str) -> list[Finding]:
    """ACT005: the rule set has the action, but not in this phase."""
    return [Finding("ACT005", {"type": kind, "phase": phase_name(table), "reason": "not_now"})]


def phase_name(table: Table) -> str:
    """The table's phase as findings name it."""
    return Phase(table.phase).name.lower()


def suit_held(seat: Seat, suit: int) -> str:
    """The seat's concealed tiles of a suit as a tile string."""
    return tile_string(tiles_of(seat.hand & SUIT_FIELD[suit]))
