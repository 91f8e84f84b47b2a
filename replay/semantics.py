"""What the schema cannot say about a log: the rule set's tiles, the wall's length and its end, the order of time."""

from collections.abc import Container, Iterator

from replay.findings import Finding
from replay.log import Hand, Log, TileAction
from replay.profile import RuleProfile
from replay.sense import LARGEST_SILVER_BASE
from replay.state import DEALT, SILVER_SHARE, SUITED_TILES, base_of

HONOUR = "z"


def check_tiles(log: Log, rules: RuleProfile, suspect: Container[int]) -> tuple[Finding, ...]:
    """LOG001 where a hand holds honours that the rule set lacks, a wall of another length or another last tile.

    The actions are searched in ``suspect`` hands only: where deal and wall hold none, an honour stops the audit.
    """
    found: list[Finding] = []
    length = 2 * (rules.tiles - DEALT)
    for number, hand in enumerate(log.hands):
        wall = hand.wall
        if wall is not None and len(wall) != length:
            facts = {
                "found": f"{len(wall) // 2} tiles",
                "expected": f"{length // 2} tiles: all that were not dealt",
            }
            found.append(Finding("LOG001", facts, pointer=f"/hands/{number}/wall"))
        if not isinstance(rules.base, int) and base_of(rules, hand) > LARGEST_SILVER_BASE:
            most = SILVER_SHARE * (LARGEST_SILVER_BASE + 1) - 1
            facts = {
                "found": str(min(hand.holdings or ())),
                "expected": f"at most {most} for the poorest seat",
            }
            found.append(Finding("LOG001", facts, pointer=f"/hands/{number}/holdings"))
        if rules.ting_yong != "none" and wall and hand.indicator not in (None, wall[-2:]):
            facts = {"found": str(hand.indicator), "expected": "the last tile of the wall"}
            found.append(Finding("LOG001", facts, pointer=f"/hands/{number}/indicator"))
        if rules.tiles == SUITED_TILES and (number in suspect or HONOUR in "".join([*hand.deal, wall or ""])):
            found += [foreign_tile(*place) for place in honours(hand, f"/hands/{number}", number in suspect)]
    return tuple(found[:20])


def honours(hand: Hand, pointer: str, actions: bool) -> Iterator[tuple[str, str]]:
    """The tiles that hold an honour, with their place: of deal and wall, and of the actions where asked."""
    for seat, tiles in enumerate(hand.deal):
        if HONOUR in tiles:
            yield tiles, f"{pointer}/deal/{seat}"
    if hand.wall and HONOUR in hand.wall:
        yield hand.wall, f"{pointer}/wall"
    if not actions:
        return
    for index, action in enumerate(hand.actions):
        if isinstance(action, TileAction) and action.tile[1] == HONOUR:
            yield action.tile, f"{pointer}/actions/{index}/tile"


def foreign_tile(text: str, pointer: str) -> Finding:
    """LOG001 for a tile that the rule set does not have."""
    tile = next(text[at : at + 2] for at in range(0, len(text), 2) if text[at + 1] == HONOUR)
    return Finding(
        "LOG001",
        {"found": tile, "expected": "a tile of 万, 筒 or 条: the rule set has no others"},
        pointer=pointer,
    )


def check_times(log: Log) -> list[Finding]:
    """LOG009 where a log that promises times goes back in one, or leaves it out (formats §5)."""
    found = []
    for number, hand in enumerate(log.hands):
        before = 0
        for index, action in enumerate(hand.actions):
            ms = action.ms
            if ms is None or ms < before:
                pointer = f"/hands/{number}/actions/{index}"
                found.append(Finding("LOG009", {"ms": ms, "before": before}, pointer=pointer))
            else:
                before = ms
    return found
