"""Mutations of 定缺: not declared, declared twice or late, a suit not allowed, the void suit kept or claimed."""

from collections.abc import Iterator

from replay.tiles import TILES

from .mutations import WRECKED, Change, before, instead, mutation
from .mutations_table import Scene

LATE = frozenset({"ACT030", "ACT031", "ACT023", "HND001", "HND004"})
"""What a void suit that is missing at the first discard may change: who was offered that tile."""


def first_discard(scene: Scene) -> int:
    """Where the first discard stands, -1 where there is none."""
    found = (at for at, action in enumerate(scene.actions) if action["type"] == "discard")
    return next(found, -1)


@mutation("ACT010", then=WRECKED | {"ACT010"})
def void_never_declared(scene: Scene) -> Iterator[Change]:
    """Each seat declares its void suit before the first discard."""
    first = first_discard(scene)
    if scene.coming == "void" and first > 0:
        rest = tuple(scene.actions[scene.at + 1 : first + 1])
        yield Change(scene.at, first + 1, rest, first - 1, scene.next["seat"])


@mutation("ACT010", then=LATE)
def void_declared_after_the_first_discard(scene: Scene) -> Iterator[Change]:
    """A void suit declared after the first discard is missing there, and late where it stands."""
    first = first_discard(scene)
    if scene.coming == "void" and first > 0:
        seat = scene.next["seat"]
        rest = (*scene.actions[scene.at + 1 : first + 1], scene.next)
        yield Change(scene.at, first + 1, rest, first - 1, seat, also=(("ACT010", first, seat),))


@mutation("ACT010", "ignore")
def void_declared_after_a_gang(scene: Scene) -> Iterator[Change]:
    """定缺 comes before the first gang too."""
    if scene.coming == "gang" and not scene.opened and scene.void_at and scene.rules.void_choice == "free":
        seat, at = scene.chance.choice(sorted(scene.void_at.items()))
        if scene.next["kind"] == "an" and "gang" not in [each["type"] for each in scene.actions[: scene.at]]:
            moved = (*scene.actions[at + 1 : scene.at + 1], scene.actions[at])
            yield Change(at, scene.at + 1, moved, scene.at, seat)


@mutation("ACT010", "ignore")
def void_declared_twice(scene: Scene) -> Iterator[Change]:
    """A void suit is declared once; the first one stands."""
    player = scene.pick([each for each in scene.in_play if each.number in scene.void_at])
    if player is not None and not scene.over:
        because = scene.chance.choice("mps")
        yield before(scene, "void", player.number, suit=because)


@mutation("ACT011")
def void_of_a_suit_not_allowed(scene: Scene) -> Iterator[Change]:
    """Where the tiles decide, a hand that lacks a suit voids one that it lacks."""
    if scene.coming == "void" and scene.rules.void_choice == "by_suits":
        player = scene.players[scene.next["seat"]]
        held = [suit for suit in range(3) if any(player.hand[9 * suit : 9 * suit + 9])]
        if len(held) < 3:
            suit = "mps"[scene.chance.choice(held)]
            yield instead(scene, "void", player.number, suit=suit)


@mutation("ACT012")
def void_suit_kept_after_a_draw(scene: Scene) -> Iterator[Change]:
    """The void suit is discarded first."""
    if scene.phase == "turn":
        yield from keeps_void(scene)


@mutation("ACT012")
def void_suit_kept_after_a_peng(scene: Scene) -> Iterator[Change]:
    """After a peng, too, the void suit is discarded first."""
    if scene.phase == "peng":
        yield from keeps_void(scene)


def keeps_void(scene: Scene) -> Iterator[Change]:
    """The seat holds its void suit and discards another."""
    player = scene.mover
    illegal = scene.rules.void_breach == "illegal"
    if scene.coming == "discard" and player is not None and player.holds_void() and illegal:
        tile = scene.tile(player, void=False)
        if tile is not None:
            yield instead(scene, "discard", player.number, tile=TILES[tile])


@mutation("ACT013")
def pengs_its_void_suit(scene: Scene) -> Iterator[Change]:
    """The own void suit is not penged."""
    if scene.settled and scene.phase == "claim" and scene.coming in ("draw", "") and not scene.takers:
        for player in scene.pengers:
            if scene.last // 9 == player.void and player.hand[scene.last] >= 2:
                yield before(scene, "peng", player.number, tile=TILES[scene.last])


@mutation("ACT013")
def gangs_a_discard_of_its_void_suit(scene: Scene) -> Iterator[Change]:
    """The own void suit is not ganged from a discard."""
    if scene.settled and scene.phase == "claim" and scene.coming == "draw" and not scene.takers:
        for player in scene.pengers:
            if scene.last // 9 == player.void and player.hand[scene.last] == 3:
                yield before(scene, "gang", player.number, tile=TILES[scene.last], kind="zhi")


@mutation("ACT013")
def gangs_four_of_its_void_suit(scene: Scene) -> Iterator[Change]:
    """Four of the own void suit are no gang."""
    player = scene.mover
    if scene.phase == "turn" and scene.wall and player is not None and scene.coming == "discard":
        for kind in player.void_tiles():
            if player.hand[kind] == 4:
                yield before(scene, "gang", player.number, tile=TILES[kind], kind="an")
