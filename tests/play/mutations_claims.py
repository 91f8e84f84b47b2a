"""Mutations of peng, gang and passes: tiles that do not lie there, gangs that are none, passes left out or made up."""

from collections.abc import Iterator

from replay.tiles import TILES

from .mutations import Change, before, instead, mutation
from .mutations_table import END, Scene
from .seats import Player


def peng_faults(player: Player, tile: int) -> list[str]:
    """What else is wrong with a peng of the tile."""
    faults = ["ACT003"] if player.hand[tile] < 2 else []
    return faults + (["ACT013"] if tile // 9 == player.void else [])


# A tile that does not lie there ----------------------------------------------------------------------


@mutation("ACT007", "stop")
def pengs_its_own_discard(scene: Scene) -> Iterator[Change]:
    """One claims another seat's discard."""
    player = scene.turn_of
    if scene.phase == "claim" and not scene.takers and not player.won:
        faults = peng_faults(player, scene.last)
        yield before(scene, "peng", player.number, *faults, tile=TILES[scene.last])


@mutation("ACT007", "stop")
def pengs_an_older_discard(scene: Scene) -> Iterator[Change]:
    """Only the discard just made is claimed."""
    if scene.phase == "claim" and not scene.ended:
        for player in scene.pengers:
            older = {tile for seat, tile in scene.laid if seat != player.number and tile != scene.last}
            able = sorted(tile for tile in older if player.hand[tile] >= 2 and tile // 9 != player.void)
            if able and player.number not in scene.takers:
                yield before(scene, "peng", player.number, tile=TILES[scene.chance.choice(able)])


@mutation("ACT007", "stop")
def pengs_after_the_next_draw(scene: Scene) -> Iterator[Change]:
    """A claim comes before the next draw."""
    if scene.phase == "turn" and scene.laid:
        source, tile = scene.laid[-1]
        for player in scene.hunting:
            if player.number != source and player.hand[tile] >= 2 and tile // 9 != player.void:
                yield before(scene, "peng", player.number, tile=TILES[tile])


@mutation("ACT007", "stop")
def gangs_after_the_next_draw(scene: Scene) -> Iterator[Change]:
    """A direct gang comes before the next draw."""
    if scene.phase == "turn" and scene.laid and scene.wall:
        source, tile = scene.laid[-1]
        for player in scene.hunting:
            if player.number != source and player.hand[tile] == 3 and tile // 9 != player.void:
                # In place of a hu that is forced it is a hu missed too.
                beside = "HND001" if player is scene.actor and scene.coming == "hu" else ""
                yield before(scene, "gang", player.number, beside, tile=TILES[tile], kind="zhi")


@mutation("ACT007", "stop")
def pengs_a_tile_being_added(scene: Scene) -> Iterator[Change]:
    """A tile added to a peng can be hu'd, not penged."""
    able = [] if scene.ended else scene.pengers
    if scene.phase == "added" and (player := scene.pick(able)) is not None:
        yield before(scene, "peng", player.number, *peng_faults(player, scene.last), tile=TILES[scene.last])


@mutation("ACT003", "stop")
def pengs_with_one_copy(scene: Scene) -> Iterator[Change]:
    """A peng needs two of the tile in hand."""
    if scene.phase == "claim" and not scene.takers and not scene.ended:
        able = [each for each in scene.pengers if each.hand[scene.last] < 2 and scene.last // 9 != each.void]
        if (player := scene.pick(able)) is not None:
            yield before(scene, "peng", player.number, tile=TILES[scene.last])


@mutation("ACT008", "stop")
def pengs_a_tile_that_was_hu_d(scene: Scene) -> Iterator[Change]:
    """A hu outranks a peng of the same tile."""
    if scene.phase == "claim" and scene.takers and not scene.ended:
        for player in scene.pengers:
            if not peng_faults(player, scene.last):
                yield before(scene, "peng", player.number, tile=TILES[scene.last])


@mutation("ACT008", "stop")
def gangs_a_tile_that_was_hu_d(scene: Scene) -> Iterator[Change]:
    """A hu outranks a gang of the same tile."""
    if scene.phase == "claim" and scene.takers and not scene.ended and scene.wall:
        for player in scene.pengers:
            if player.hand[scene.last] == 3 and scene.last // 9 != player.void:
                yield before(scene, "gang", player.number, tile=TILES[scene.last], kind="zhi")


# Gangs -----------------------------------------------------------------------------------------------


@mutation("ACT015", "stop")
def gangs_three_in_hand(scene: Scene) -> Iterator[Change]:
    """A concealed gang is four of a kind in hand."""
    player = scene.mover
    if scene.phase == "turn" and scene.coming == "discard" and scene.wall and player is not None:
        for kind in scene.kinds:
            if player.hand[kind] == 3 and kind // 9 != player.void and kind != scene.wild:
                yield before(scene, "gang", player.number, tile=TILES[kind], kind="an")


@mutation("ACT015", "stop")
def gangs_a_discard_with_two(scene: Scene) -> Iterator[Change]:
    """A direct gang needs three of the tile in hand."""
    if scene.phase == "claim" and not scene.takers and not scene.ended and scene.wall:
        for player in scene.pengers:
            if player.hand[scene.last] == 2 and scene.last // 9 != player.void:
                yield before(scene, "gang", player.number, tile=TILES[scene.last], kind="zhi")


@mutation("ACT015", "stop")
def adds_to_no_peng(scene: Scene) -> Iterator[Change]:
    """An added gang needs a peng of the tile."""
    player = scene.mover
    if scene.phase == "turn" and scene.coming == "discard" and scene.wall and player is not None:
        tile = scene.tile(player, void=False)
        if tile is not None and ("peng", tile) not in player.melds:
            yield before(scene, "gang", player.number, tile=TILES[tile], kind="bu")


@mutation("ACT015", "stop")
def adds_a_tile_not_held(scene: Scene) -> Iterator[Change]:
    """An added gang needs the fourth tile in hand."""
    player = scene.mover
    if scene.phase == "turn" and scene.coming == "discard" and scene.wall and player is not None:
        for kind, tile in player.melds:
            if kind == "peng" and not player.hand[tile] and not player.loaned.get(tile):
                yield before(scene, "gang", player.number, tile=TILES[tile], kind="bu")


@mutation("ACT015")
def gangs_right_after_a_peng(scene: Scene) -> Iterator[Change]:
    """Where the rule set forbids it, no gang follows a peng without a draw between."""
    player = scene.mover
    forbidden = scene.rules.gang_after_peng == "forbidden"
    if scene.phase == "peng" and scene.wall and forbidden and player is not None:
        for kind, tile in scene.own_gangs(player, 0):
            yield before(scene, "gang", player.number, tile=TILES[tile], kind=kind)


@mutation("ACT015")
def gangs_a_discard_with_no_tile_left(scene: Scene) -> Iterator[Change]:
    """A gang needs a tile left to replace it."""
    if scene.phase == "claim" and scene.settled and not scene.takers and not scene.ended and not scene.wall:
        for player in scene.pengers:
            if player.hand[scene.last] == 3 and scene.last // 9 != player.void:
                yield before(scene, "gang", player.number, tile=TILES[scene.last], kind="zhi")


@mutation("ACT015")
def gangs_in_its_turn_with_no_tile_left(scene: Scene) -> Iterator[Change]:
    """After the last draw no gang is made."""
    player = scene.mover
    if player is not None and scene.coming == "discard" and not scene.wall:
        after_peng = scene.phase == "peng" and scene.rules.gang_after_peng == "forbidden"
        if not after_peng:
            found = [("an", kind) for kind in scene.kinds if player.hand[kind] == 4]
            found += [("bu", tile) for kind, tile in player.melds if kind == "peng" and player.hand[tile]]
            for kind, tile in found:
                if tile // 9 != player.void and tile != scene.wild and not player.loaned.get(tile):
                    yield before(scene, "gang", player.number, tile=TILES[tile], kind=kind)


# 听用, of which these rule sets know nothing -----------------------------------------------------------


@mutation("ACT017", "stop")
def pengs_with_a_wild_tile(scene: Scene) -> Iterator[Change]:
    """Without 听用 no tile stands for another."""
    if scene.coming == "peng" and scene.wild < 0:
        yield instead(scene, "peng", scene.next["seat"], tile=scene.next["tile"], wild=1)


@mutation("ACT017", "stop")
def replaces_a_wild_tile(scene: Scene) -> Iterator[Change]:
    """Without 听用 there is none to replace."""
    player = scene.actor
    if scene.phase == "turn" and scene.coming == "discard" and player is not None and scene.wild < 0:
        tile = TILES[scene.tile(player) or 0]
        yield before(scene, "replace", player.number, meld=tile, tile=tile)


# Passes ----------------------------------------------------------------------------------------------


OVER_A_TILE = ("hu", "pass", "flee")
"""What may be written while a tile lies there: a winner may leave at any time."""


def closing(scene: Scene) -> int:
    """Where the tile that lies there stops lying there; the count of actions if nowhere."""
    after = range(scene.at, len(scene.actions))
    return next((at for at in after if scene.actions[at]["type"] not in OVER_A_TILE), len(scene.actions))


def due_of_passer(scene: Scene) -> list[str]:
    """What the seat whose pass comes next had to decline, once all hu of the tile are written."""
    end = closing(scene)
    seat = scene.next["seat"]
    taken = scene.takers or any(action["type"] == "hu" for action in scene.actions[scene.at : end])
    if not scene.promised or scene.coming != "pass" or not scene.lies:
        return []
    taker = scene.actions[end] if end < len(scene.actions) else END
    if taker["type"] in ("peng", "gang") and taker["seat"] == seat:
        return []
    player = scene.players[seat]
    hu = ["hu"] if seat in scene.offers else []
    return hu if taken or taker["type"] in ("peng", "gang") else hu + scene.meldable(player)


@mutation("ACT030", "ignore")
def leaves_a_pass_out(scene: Scene) -> Iterator[Change]:
    """Where the record promises passes, every offer is claimed or declined."""
    if due_of_passer(scene):
        yield Change(scene.at, scene.at + 1, (), closing(scene) - 1, scene.next["seat"])


@mutation("ACT030", "ignore")
def declines_a_part_of_what_was_offered(scene: Scene) -> Iterator[Change]:
    """A pass that names one offer does not decline the other."""
    due = due_of_passer(scene)
    if len(due) > 1:
        declined = [scene.chance.choice(due)]
        action = {**scene.next, "declined": declined}
        yield Change(scene.at, scene.at + 1, (action,), closing(scene), action["seat"])


def declinable(scene: Scene, player: Player) -> set[str]:
    """What the seat may decline of the tile that lies there: a hu that 过水 bars too."""
    allowed = scene.rules.rob_gang if scene.phase == "added" else scene.rules.hu_on_discard
    hu = {"hu"} if allowed and player.number in scene.fits else set()
    return hu | set(scene.meldable(player))


@mutation("ACT031", "ignore")
def declines_what_was_not_offered(scene: Scene) -> Iterator[Change]:
    """One declines only what one was offered."""
    if scene.settled and not scene.ended and (player := scene.pick(scene.claimers)) is not None:
        offered = declinable(scene, player)
        wrong = [claim for claim in ("hu", "peng", "gang") if claim not in offered]
        if wrong and not scene.owed(player):
            yield before(scene, "pass", player.number, declined=[scene.chance.choice(wrong)])


@mutation("ACT031", "ignore", frozenset({"ACT030"}))
def declines_more_than_was_offered(scene: Scene) -> Iterator[Change]:
    """A pass that names what was not offered declines nothing."""
    if scene.coming == "pass" and scene.lies:
        player = scene.players[scene.next["seat"]]
        wrong = [claim for claim in ("hu", "peng", "gang") if claim not in declinable(scene, player)]
        if wrong:
            declined = [*scene.next["declined"], scene.chance.choice(wrong)]
            yield instead(scene, "pass", player.number, declined=declined)


@mutation("ACT031", "ignore")
def declines_its_own_discard(scene: Scene) -> Iterator[Change]:
    """One's own discard is offered to the others."""
    if scene.lies and not scene.ended and not scene.turn_of.out:
        declined = [scene.chance.choice(("peng", "gang"))]
        yield before(scene, "pass", scene.turn_of.number, declined=declined)


@mutation("ACT031", "ignore")
def declines_a_hu_of_its_own_discard(scene: Scene) -> Iterator[Change]:
    """A discard that one could win on was given up by discarding it; 过水 or not, nobody offers it."""
    player = scene.turn_of
    if scene.lies and not scene.ended and not player.out and player.bar >= 0:
        yield before(scene, "pass", player.number, declined=["hu"])


@mutation("ACT031", "ignore")
def declines_in_its_turn_what_it_could_not_do(scene: Scene) -> Iterator[Change]:
    """In one's own turn one declines a hu or a gang that one could make."""
    player = scene.actor
    if scene.phase == "turn" and scene.coming in ("discard", "gang", "hu") and player is not None:
        may = {"gang"} if scene.own_gangs(player, scene.drawn) else set()
        if scene.worth(player, scene.drawn, scene.how_drawn(player, scene.drawn), own=True) is not None:
            may.add("hu")
        wrong = [claim for claim in ("hu", "peng", "gang") if claim not in may]
        if wrong:
            yield before(scene, "pass", player.number, declined=[scene.chance.choice(wrong)])
