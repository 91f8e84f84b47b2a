"""Mutations of draws, discards and whose turn it is: tiles that do not exist, wrong ends, wrong seats, wrong phases."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from replay.tiles import INDEX, TILES

from .completeness import waits
from .mutations import Change, before, instead, mutation
from .mutations_table import Scene
from .seats import Player


def void_kept(scene: Scene, player: Player, tile: int) -> str:
    """ACT012 where this discard would keep the void suit."""
    kept = player.holds_void() and tile // 9 != player.void and scene.rules.void_breach == "illegal"
    return "ACT012" if kept else ""


def next_tile(scene: Scene) -> int:
    """The tile that the head of the wall gives."""
    return scene.wall[0] if scene.walled else scene.chance.choice(scene.unseen())


# Tiles -----------------------------------------------------------------------------------------------


@mutation("ACT001", "stop")
def draws_a_fifth_copy(scene: Scene) -> Iterator[Change]:
    """There are four of each tile."""
    gone = [kind for kind in scene.kinds if scene.seen[kind] == 4]
    if scene.coming == "draw" and gone:
        seat, tile = scene.next["seat"], scene.chance.choice(gone)
        yield instead(scene, "draw", seat, *(["ACT002"] if scene.walled else []), tile=TILES[tile])


@mutation("ACT002")
def draws_another_tile_than_the_wall_gives(scene: Scene) -> Iterator[Change]:
    """The tile comes from the wall as it was recorded."""
    if scene.coming == "draw" and scene.walled:
        others = scene.unseen(scene.wall[0], scene.wall[-1])
        if others:
            yield instead(scene, "draw", scene.next["seat"], tile=TILES[scene.chance.choice(others)])


@mutation("ACT002")
def draws_from_the_tail_with_no_gang(scene: Scene) -> Iterator[Change]:
    """Only a gang's replacement may come from the tail; a draw after a robbed gang is none."""
    if scene.coming == "draw" and scene.walled and not scene.replacing and scene.wall[0] != scene.wall[-1]:
        yield instead(scene, "draw", scene.next["seat"], tile=TILES[scene.wall[-1]])


@mutation("ACT016")
def replaces_from_the_wrong_end(scene: Scene) -> Iterator[Change]:
    """The replacement tile comes from the end that the rule set names."""
    if scene.coming == "draw" and scene.walled and scene.replacing and scene.wall[0] != scene.wall[-1]:
        wrong = scene.wall[0 if scene.rules.replacement == "tail" else -1]
        yield instead(scene, "draw", scene.next["seat"], tile=TILES[wrong])


@mutation("ACT003", "stop")
def discards_a_tile_not_held(scene: Scene) -> Iterator[Change]:
    """One discards a tile of one's own hand."""
    player = scene.mover
    if scene.coming == "discard" and player is not None:
        tile = scene.chance.choice([kind for kind in scene.kinds if not player.hand[kind]])
        kept = void_kept(scene, player, tile)
        yield instead(scene, "discard", player.number, kept, tile=TILES[tile])


# Whose turn ------------------------------------------------------------------------------------------


@mutation("ACT004")
def draws_out_of_turn(scene: Scene) -> Iterator[Change]:
    """After a discard, a hu or a gang one certain seat draws."""
    due = scene.drawer
    if scene.coming == "draw" and due is not None:
        other = scene.pick([player for player in scene.in_play if player is not due])
        if other is not None:
            yield instead(scene, "draw", other.number, tile=scene.next["tile"])


@mutation("ACT004")
def draws_in_the_turn_of_another(scene: Scene) -> Iterator[Change]:
    """While a seat has a tile too many, nobody else draws."""
    if scene.actor is not None and scene.wall and scene.coming in ("discard", "gang"):
        other = scene.pick([player for player in scene.in_play if player is not scene.actor])
        if other is not None:
            yield before(scene, "draw", other.number, tile=TILES[next_tile(scene)])


@mutation("ACT004")
def discards_in_the_turn_of_another(scene: Scene) -> Iterator[Change]:
    """Only the seat that drew, or took a peng, discards."""
    if scene.coming == "discard":
        yield from stray_discard(scene, [player for player in scene.in_play if player is not scene.actor])


@mutation("ACT004")
def discards_without_a_turn(scene: Scene) -> Iterator[Change]:
    """While another is to draw, nobody discards."""
    due = scene.drawer
    if scene.coming == "draw" and due is not None and scene.opened:
        yield from stray_discard(scene, [player for player in scene.in_play if player is not due])


def stray_discard(scene: Scene, seats: list[Player]) -> Iterator[Change]:
    """A discard by one of the seats, put before the next action."""
    player = scene.pick([each for each in seats if not each.locked])
    if player is not None and (tile := scene.tile(player)) is not None:
        yield before(scene, "discard", player.number, void_kept(scene, player, tile), tile=TILES[tile])


@mutation("ACT004")
def six_pairs_are_left_at_the_end(scene: Scene) -> Iterator[Change]:
    """Nobody discards out of turn; a hand of twelve tiles is settled as it can be."""
    if scene.coming == "draw" and len(scene.wall) == 1:
        for player in scene.in_play:
            odd = [kind for kind in scene.kinds if player.hand[kind] % 2]
            waiting = sum(player.hand) == 13 and len(odd) == 1 and player is not scene.drawer
            if waiting and not player.holds_void() and not player.locked:
                yield before(scene, "discard", player.number, tile=TILES[odd[0]])


@mutation("ACT004")
def three_discards_are_left_out(scene: Scene) -> Iterator[Change]:
    """A seat that drew discards before the next draws; a hand of sixteen tiles is settled as it can be."""
    if scene.coming or scene.ended or scene.wall:
        return
    for player in scene.hunting:
        kept = next(unclaimed_sets(scene, player), ())
        if kept and waits(player.hand, False) and not player.holds_void():
            rest = [action for at, action in enumerate(scene.actions) if at > kept[0] and at not in kept]
            follower = scene.actions[kept[0] + 1]["seat"]
            yield Change(kept[0], len(scene.actions), tuple(rest), kept[0], follower)


def unclaimed_sets(scene: Scene, player: Player) -> Iterator[tuple[int, ...]]:
    """Where the seat discarded three tiles of a set, each followed by a draw."""
    found = []
    for at, (action, following) in enumerate(pairwise(scene.actions)):
        if (action["type"], action["seat"], following["type"]) == ("discard", player.number, "draw"):
            kind = INDEX[action["tile"]]
            found += [(at, kind)] if kind // 9 != player.void else []
    for three in combinations(found, 3):
        low, middle, high = sorted(kind for _, kind in three)
        if low // 9 == high // 9 and (middle - low, high - middle) in ((0, 0), (1, 1)):
            yield tuple(at for at, _ in three)


@mutation("ACT004")
def gangs_after_the_peng_of_another(scene: Scene) -> Iterator[Change]:
    """After a peng it is the turn of whoever took it."""
    if scene.phase == "peng":
        yield from stray_gang(scene)


@mutation("ACT004")
def gangs_in_the_turn_of_another(scene: Scene) -> Iterator[Change]:
    """A concealed or added gang is made in one's own turn."""
    if scene.phase != "peng":
        yield from stray_gang(scene)


def stray_gang(scene: Scene) -> Iterator[Change]:
    """A gang by a seat that has no turn, put before the next action."""
    undeclared = scene.rules.void == "declared" and len(scene.void_at) < 4
    if undeclared or scene.coming not in ("discard", "draw") or not scene.wall or scene.ended:
        return
    turn = scene.actor or scene.drawer
    for player in scene.in_play:
        if player is not turn:
            for kind, tile in scene.own_gangs(player, 0):
                yield before(scene, "gang", player.number, tile=TILES[tile], kind=kind)


# Phases ----------------------------------------------------------------------------------------------


@mutation("ACT005", "stop")
def draws_twice(scene: Scene) -> Iterator[Change]:
    """One draws one tile a turn."""
    if scene.phase == "turn" and scene.wall and scene.actor is not None and scene.coming != "void":
        yield before(scene, "draw", scene.actor.number, tile=TILES[next_tile(scene)])


@mutation("ACT005", "stop")
def draws_after_a_peng(scene: Scene) -> Iterator[Change]:
    """A peng is followed by a discard, not by a draw."""
    if scene.phase == "peng" and scene.wall and scene.actor is not None:
        yield before(scene, "draw", scene.actor.number, tile=TILES[next_tile(scene)])


@mutation("ACT005", "stop")
def discards_before_the_draw(scene: Scene) -> Iterator[Change]:
    """One draws, then discards."""
    due = scene.drawer
    if scene.coming == "draw" and due is not None and scene.opened and not scene.replacing:
        yield from stray_discard(scene, [due])


@mutation("ACT005", "stop")
def discards_before_the_replacement(scene: Scene) -> Iterator[Change]:
    """A gang is followed by its replacement tile."""
    due = scene.drawer
    if scene.coming == "draw" and due is not None and scene.opened and scene.replacing:
        yield from stray_discard(scene, [due])


FOREIGN: dict[str, dict[str, Any]] = {"piao": {}, "ting": {}, "swap": {"tiles": ["1m", "2m", "3m"]}}
KNOWN = {"piao": "piao", "ting": "xiang_gong", "swap": "swap"}
"""The key that tells whether a rule set has the action."""


@mutation("ACT005", "ignore")
def acts_as_the_rule_set_does_not(scene: Scene) -> Iterator[Change]:
    """飘, 报听 and 换三张 belong to other rule sets; here they change nothing."""
    player = scene.pick(scene.in_play)
    foreign = [kind for kind, key in KNOWN.items() if getattr(scene.rules, key) in ("off", "none")]
    if player is not None and not scene.over and foreign:
        kind = scene.chance.choice(foreign)
        yield before(scene, kind, player.number, **FOREIGN[kind])


@mutation("ACT005", "stop")
def flees(scene: Scene) -> Iterator[Change]:
    """逃跑 is not of this rule set, and what would become of the hand is not known."""
    if scene.phase == "turn" and scene.actor is not None and scene.rules.flee == "none":
        yield before(scene, "flee", scene.actor.number)


@mutation("ACT005", "ignore")
def declares_a_void_where_none_is_declared(scene: Scene) -> Iterator[Change]:
    """Without 定缺 no suit is declared void."""
    player = scene.pick(scene.in_play)
    if scene.rules.void != "declared" and player is not None and not scene.over:
        yield before(scene, "void", player.number, suit=scene.chance.choice("mps"))


@mutation("ACT005", "ignore")
def passes_where_nothing_lies(scene: Scene) -> Iterator[Change]:
    """Only a tile that lies there, or one's own draw, can be declined."""
    player = scene.pick([each for each in scene.in_play if each is not scene.actor])
    if player is not None and scene.phase in ("opening", "turn", "peng", "gang"):
        declined = scene.chance.choice((["hu"], ["peng"], ["gang"], ["peng", "gang"]))
        yield before(scene, "pass", player.number, declined=declined)


# Seats that have hu'd --------------------------------------------------------------------------------


def winner(scene: Scene) -> Player | None:
    """A seat that has hu'd, while the hand goes on."""
    return None if scene.over else scene.pick([player for player in scene.players if player.out])


@mutation("ACT006", "stop")
def draws_after_its_hu(scene: Scene) -> Iterator[Change]:
    """A seat that has hu'd draws no more."""
    player = winner(scene)
    if player is not None and scene.coming == "draw":
        yield instead(scene, "draw", player.number, tile=scene.next["tile"])


@mutation("ACT006", "stop")
def discards_after_its_hu(scene: Scene) -> Iterator[Change]:
    """A seat that has hu'd discards no more."""
    player = winner(scene)
    if player is not None and scene.coming == "discard":
        yield from stray_discard(scene, [player])


@mutation("ACT006", "stop")
def pengs_after_its_hu(scene: Scene) -> Iterator[Change]:
    """A seat that has hu'd claims no more."""
    player = winner(scene)
    if player is not None and scene.phase == "claim" and player is not scene.turn_of and not scene.takers:
        beside = ["ACT003"] if player.hand[scene.last] < 2 else []
        beside += ["ACT013"] if scene.last // 9 == player.void else []
        yield before(scene, "peng", player.number, *beside, tile=TILES[scene.last])


@mutation("ACT006", "stop")
def passes_after_its_hu(scene: Scene) -> Iterator[Change]:
    """A seat that has hu'd is offered nothing."""
    player = winner(scene)
    if player is not None and scene.lies and player.number not in scene.takers:
        yield before(scene, "pass", player.number, declined=["hu"])
