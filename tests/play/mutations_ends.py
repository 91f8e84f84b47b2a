"""Mutations of a hand's end and of the deal that follows: a log that stops too early or too late, a wrong dealer."""

from collections.abc import Iterator
from typing import Any

from replay.tiles import TILES

from .generator import Action, Document
from .mutations import Broken, Change, before, mutation, of_logs, rules_of, with_hand
from .mutations_table import Scene, scenes


def stops(scene: Scene) -> Iterator[Change]:
    """The rest of the hand is not there."""
    yield Change(scene.at, len(scene.actions), (), scene.at, None)


@mutation("HND002")
def stops_in_a_turn(scene: Scene) -> Iterator[Change]:
    """A seat with a tile too many must still hu, gang or discard."""
    if scene.phase in ("turn", "peng") and scene.chance.random() < 0.1:
        yield from stops(scene)


@mutation("HND002")
def stops_before_a_draw(scene: Scene) -> Iterator[Change]:
    """While tiles are left and fewer than enough have hu'd, the hand goes on."""
    if scene.coming == "draw" and scene.drawer is not None and scene.chance.random() < 0.1:
        yield from stops(scene)


@mutation("HND002")
def stops_before_the_last_discard(scene: Scene) -> Iterator[Change]:
    """Whoever drew the last tile must still hu or discard."""
    if scene.phase == "turn" and not scene.wall:
        yield from stops(scene)


# After the end ---------------------------------------------------------------------------------------


def at_end(scene: Scene) -> bool:
    """Whether the legal log is over here."""
    return scene.coming == "" and scene.over


@mutation("HND003", "ignore")
def draws_after_the_end(scene: Scene) -> Iterator[Change]:
    """Three hu, or an empty wall, end the hand."""
    if at_end(scene):
        player = scene.chance.choice(scene.players)
        tile = scene.chance.choice(scene.unseen() or range(27))
        yield before(scene, "draw", player.number, tile=TILES[tile])


@mutation("HND003", "ignore")
def plays_on_after_the_end(scene: Scene) -> Iterator[Change]:
    """Whatever follows the end is one finding, at the first action too many."""
    if at_end(scene):
        player = scene.chance.choice(scene.hunting or scene.in_play)
        tile = TILES[scene.tile(player) or 0]
        draw: Action = {"type": "draw", "seat": player.number, "tile": TILES[(scene.unseen() or [0])[0]]}
        discard: Action = {"type": "discard", "seat": player.number, "tile": tile}
        yield Change(scene.at, scene.at, (discard, draw, discard), scene.at, player.number)


@mutation("HND003", "ignore")
def gangs_after_the_end(scene: Scene) -> Iterator[Change]:
    """A gang after the end is none."""
    if at_end(scene):
        for player in scene.in_play:
            for kind in scene.kinds:
                if player.hand[kind] == 4 and kind != scene.wild and not player.locked:
                    yield before(scene, "gang", player.number, tile=TILES[kind], kind="an")


@mutation("HND003", "ignore")
def hus_after_the_last_hu(scene: Scene) -> Iterator[Change]:
    """Nobody is left to be won from."""
    if at_end(scene) and scene.ended and not scene.flown and len(scene.in_play) == 1:
        last = scene.in_play[0]
        yield before(scene, "hu", last.number, tile=TILES[scene.chance.randrange(27)])


# The next dealer -------------------------------------------------------------------------------------


def next_dealers(scene: Scene) -> set[int]:
    """The seats that may deal after a legal hand (rulebook §2.7)."""
    rules, first = scene.rules, scene.wins[:1]
    if rules.next_dealer == "any" or scene.flown:
        return {0, 1, 2, 3}
    if not first:
        return {scene.dealer}
    hu = first[0]
    together = [win.seat for win in scene.wins if win.source is not None and win.last_at == hu.last_at]
    if hu.source is None:
        return {hu.seat}
    if rules.next_dealer == "discarder":
        return {hu.source}
    if len(together) > 1:
        return {hu.source, *(together if rules.next_dealer_tie == "any_of_them" else ())}
    return {hu.seat}


def turned(hand: Document, by: int) -> Document:
    """The same hand played by other seats: everything moves on by so many."""
    actions: list[dict[str, Any]] = []
    for action in hand["actions"]:
        turn = {**action, "seat": (action["seat"] + by) % 4}
        if "from" in action:
            turn["from"] = (action["from"] + by) % 4
        actions.append(turn)
    deal = [hand["deal"][(seat - by) % 4] for seat in range(4)]
    moved = {**hand, "dealer": (hand["dealer"] + by) % 4, "deal": deal, "actions": actions}
    if "holdings" in hand:
        moved["holdings"] = [hand["holdings"][(seat - by) % 4] for seat in range(4)]
    return moved


@of_logs("HND004")
def another_seat_deals(log: Document) -> Iterator[Broken]:
    """The first seat to hu deals next; where several hu'd one discard, its discarder; nobody: the same dealer."""
    rules = rules_of(log)
    for number in range(1, len(log["hands"])):
        *_, scene = scenes(rules, log, number - 1)
        due = next_dealers(scene)
        dealer = log["hands"][number]["dealer"]
        for seat in {0, 1, 2, 3} - due:
            changed = log
            for later in range(number, len(log["hands"])):
                changed = with_hand(changed, later, turned(changed["hands"][later], seat - dealer))
            yield Broken(changed, ("HND004", number, None, seat), kept=False)
