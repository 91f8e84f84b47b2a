"""Mutations of what only some rule sets know: 换三张, 听用, winners who play on, 飘, 报听 and 逃跑."""

from collections.abc import Iterator

from replay.tiles import INDEX, TILES

from .mutations import WRECKED, Change, before, instead, mutation
from .mutations_table import Scene
from .seats import Player

# 换三张 ----------------------------------------------------------------------------------------------


@mutation("ACT014", then=WRECKED | {"ACT011"})
def swaps_tiles_of_two_suits(scene: Scene) -> Iterator[Change]:
    """The three tiles are of one suit."""
    if scene.coming == "swap":
        given = scene.next["tiles"]
        player = scene.players[scene.next["seat"]]
        others = [kind for kind in scene.kinds if player.hand[kind] and kind // 9 != INDEX[given[0]] // 9]
        if others:
            tiles = [*given[:2], TILES[scene.chance.choice(others)]]
            yield instead(scene, "swap", player.number, tiles=scene.chance.sample(tiles, 3))


@mutation("ACT014", "stop")
def swaps_a_tile_not_held(scene: Scene) -> Iterator[Change]:
    """One gives tiles of one's own hand."""
    if scene.coming == "swap":
        given = scene.next["tiles"]
        player = scene.players[scene.next["seat"]]
        suit = range(9 * (INDEX[given[0]] // 9), 9 * (INDEX[given[0]] // 9) + 9)
        lacking = [kind for kind in suit if kind in scene.kinds and not player.hand[kind]]
        if lacking:
            yield instead(
                scene, "swap", player.number, tiles=[*given[:2], TILES[scene.chance.choice(lacking)]]
            )


@mutation("ACT014", "ignore")
def swaps_twice(scene: Scene) -> Iterator[Change]:
    """Each seat gives once; what it received cannot be given on."""
    if scene.phase == "opening" and scene.given:
        seat = scene.chance.choice(sorted(scene.given))
        tiles = [TILES[kind] for kind in scene.given[seat]]
        yield before(scene, "swap", seat, tiles=tiles)


@mutation("ACT014", "stop")
def leaves_a_swap_out(scene: Scene) -> Iterator[Change]:
    """All four seats give before the dealer's first draw."""
    if scene.coming == "swap" and scene.rules.void_choice == "free":
        first = next(at for at, action in enumerate(scene.actions) if action["type"] == "draw")
        rest = tuple(scene.actions[scene.at + 1 : first + 1])
        yield Change(scene.at, first + 1, rest, first - 1, scene.next["seat"])


@mutation("ACT005", "ignore")
def swaps_after_the_first_discard(scene: Scene) -> Iterator[Change]:
    """换三张 comes before play."""
    player = scene.pick(scene.hunting)
    if scene.rules.swap != "none" and scene.opened and not scene.over and player is not None:
        yield before(scene, "swap", player.number, tiles=["1m", "2m", "3m"])


# 听用 ------------------------------------------------------------------------------------------------


@mutation("ACT017", "stop")
def pengs_with_more_wild_tiles_than_it_holds(scene: Scene) -> Iterator[Change]:
    """A 听用 stands for a tile in a peng only where the seat has one."""
    if scene.coming == "peng" and scene.wild >= 0:
        wilds = scene.players[scene.next["seat"]].wilds()
        if wilds < 2:
            yield instead(
                scene, "peng", scene.next["seat"], "ACT003", tile=scene.next["tile"], wild=wilds + 1
            )


def borrowed(player: Player) -> list[int]:
    """The tiles in whose pengs a 听用 stands."""
    return [tile for tile, count in player.loaned.items() if count]


@mutation("ACT017", "stop")
def adds_to_a_peng_with_a_wild_tile(scene: Scene) -> Iterator[Change]:
    """Before the real tile has replaced the 听用 no fourth is added."""
    player = scene.mover
    if scene.phase == "turn" and scene.wall and player is not None:
        for tile in borrowed(player):
            if player.hand[tile] and scene.coming in ("discard", "replace"):
                yield before(scene, "gang", player.number, "ACT015", tile=TILES[tile], kind="bu")


@mutation("ACT017", "stop")
def replaces_with_a_tile_not_held(scene: Scene) -> Iterator[Change]:
    """The real tile comes from the hand."""
    player = scene.mover
    if scene.phase == "turn" and scene.coming == "discard" and player is not None:
        for tile in borrowed(player):
            if not player.hand[tile]:
                yield before(scene, "replace", player.number, meld=TILES[tile], tile=TILES[tile])


@mutation("ACT017", "stop")
def replaces_where_no_wild_tile_stands(scene: Scene) -> Iterator[Change]:
    """Only a 听用 is replaced."""
    player = scene.mover
    if scene.phase == "turn" and scene.coming == "discard" and player is not None and scene.wild >= 0:
        for kind, tile in player.melds:
            if not player.loaned.get(tile):
                assert kind in ("peng", "zhi", "bu", "an")
                yield before(scene, "replace", player.number, meld=TILES[tile], tile=TILES[tile])


@mutation("ACT017", "stop")
def replaces_right_after_a_peng(scene: Scene) -> Iterator[Change]:
    """A 听用 is replaced after one's own draw."""
    player = scene.mover
    if scene.phase == "peng" and player is not None:
        for tile in borrowed(player):
            if player.hand[tile]:
                yield before(scene, "replace", player.number, meld=TILES[tile], tile=TILES[tile])


# 血流: winners play on ---------------------------------------------------------------------------------


@mutation("ACT027", "stop")
def winner_keeps_what_it_drew(scene: Scene) -> Iterator[Change]:
    """A winner discards the tile that it drew."""
    player = scene.actor
    if scene.coming == "discard" and player is not None and player.locked:
        others = [kind for kind in scene.kinds if player.hand[kind] and kind != scene.drawn]
        beside = ("HND001" if scene.forced(own=True) else "", "ACT012" if player.holds_void() else "")
        yield instead(scene, "discard", player.number, *beside, tile=TILES[scene.chance.choice(others)])


@mutation("ACT027", "stop")
def winner_pengs(scene: Scene) -> Iterator[Change]:
    """A winner takes no peng."""
    for player in locked_claimers(scene):
        if player.hand[scene.last] >= 2:
            yield before(scene, "peng", player.number, tile=TILES[scene.last])


@mutation("ACT027", "stop")
def winner_gangs_a_discard(scene: Scene) -> Iterator[Change]:
    """A winner takes no gang."""
    for player in locked_claimers(scene):
        if player.hand[scene.last] == 3 and scene.wall:
            yield before(scene, "gang", player.number, tile=TILES[scene.last], kind="zhi")


def locked_claimers(scene: Scene) -> list[Player]:
    """The winners that could take the tile that lies there, if they were none."""
    if not scene.settled or scene.phase != "claim" or scene.takers or scene.coming not in ("draw", ""):
        return []
    return [each for each in scene.claimers if each.locked and scene.last // 9 != each.void]


@mutation("ACT027", "stop")
def winner_gangs_in_its_turn(scene: Scene) -> Iterator[Change]:
    """A winner makes no gang, and adds to none of its pengs."""
    player = scene.actor
    if scene.coming == "discard" and scene.wall and player is not None and player.locked:
        found = [("an", kind) for kind in scene.kinds if player.hand[kind] == 4 and kind != scene.wild]
        found += [("bu", tile) for kind, tile in player.melds if kind == "peng" and player.hand[tile]]
        for kind, tile in found:
            if tile // 9 != player.void and not player.loaned.get(tile):
                beside = "HND001" if scene.forced(own=True) else ""
                yield before(scene, "gang", player.number, beside, tile=TILES[tile], kind=kind)


# 飘, 报听, 逃跑 ----------------------------------------------------------------------------------------


@mutation("ACT005", "ignore")
def raises_the_stake_twice(scene: Scene) -> Iterator[Change]:
    """飘 is said once."""
    if scene.raised and not scene.over:
        yield before(scene, "piao", scene.chance.choice(sorted(scene.raised)))


@mutation("ACT005", "ignore")
def raises_the_stake_after_the_first_discard(scene: Scene) -> Iterator[Change]:
    """飘 is said before the first discard."""
    player = scene.pick([each for each in scene.hunting if each.number not in scene.raised])
    if scene.rules.piao == "on" and scene.opened and not scene.over and player is not None:
        yield before(scene, "piao", player.number)


@mutation("ACT005", "ignore")
def says_ting_in_the_turn_of_another(scene: Scene) -> Iterator[Change]:
    """报听 is said in one's own turn."""
    player = scene.pick([each for each in scene.hunting if each is not scene.actor])
    if scene.rules.xiang_gong == "on" and scene.opened and not scene.over and player is not None:
        yield before(scene, "ting", player.number)


@mutation("ACT005", "ignore")
def says_ting_after_a_peng(scene: Scene) -> Iterator[Change]:
    """报听 is said after the draw."""
    if scene.rules.xiang_gong == "on" and scene.phase == "peng" and scene.actor is not None:
        yield before(scene, "ting", scene.actor.number)


@mutation("ACT004", then=frozenset({"HND003", "HND004"}))
def flees_in_the_turn_of_another(scene: Scene) -> Iterator[Change]:
    """逃跑 of a seat in play is in its own turn, and ends the hand."""
    player = scene.pick([each for each in scene.hunting if each is not scene.actor])
    able = scene.rules.flee != "none" and not scene.over
    if able and scene.phase in ("turn", "peng") and player is not None:
        yield before(scene, "flee", player.number)


@mutation("ACT005", "stop")
def winner_leaves_twice(scene: Scene) -> Iterator[Change]:
    """Who has left is not there to leave."""
    player = scene.pick([each for each in scene.players if each.won and each.fled])
    if player is not None and not scene.over:
        yield before(scene, "flee", player.number)


@mutation("HND003", "ignore")
def plays_on_after_a_flight(scene: Scene) -> Iterator[Change]:
    """The flight of a seat in play ends the hand."""
    if scene.flown and scene.wall and scene.coming == "":
        tile = scene.chance.choice(scene.unseen() or list(scene.kinds))
        yield before(scene, "draw", scene.chance.choice(scene.hunting).number, tile=TILES[tile])
