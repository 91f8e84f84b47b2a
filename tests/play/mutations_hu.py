"""Mutations of a hu: of a wrong tile, an incomplete hand, wrong suits, barred, in a wrong order, forced and missed."""

from collections.abc import Iterator

from replay.tiles import INDEX, TILES

from .mutations import WRECKED, Change, before, instead, mutation
from .mutations_claims import closing
from .mutations_table import Scene
from .seats import Player

HU_FAULTS = ("ACT020", "ACT021", "ACT022", "ACT023")
"""What a hu of a tile that does not lie there may be besides."""


def allowed(scene: Scene) -> bool:
    """Whether the rule set lets the tile that lies there be hu'd."""
    return scene.rules.rob_gang if scene.phase == "added" else scene.rules.hu_on_discard


def candidates(scene: Scene) -> list[Player]:
    """Who could still hu the tile that lies there and keep the turn order, once hu and passes are written."""
    if not scene.settled or scene.ended:
        return []
    back = [(number - scene.turn_of.number) % 4 for number in scene.takers]
    return [
        player
        for player in scene.claimers
        if all(steps < (player.number - scene.turn_of.number) % 4 for steps in back)
    ]


def claimed(scene: Scene, player: Player, *beside: str) -> Change:
    """The seat hus the tile that lies there."""
    return before(
        scene, "hu", player.number, *beside, **{"tile": TILES[scene.last], "from": scene.turn_of.number}
    )


def drawn(scene: Scene, *beside: str) -> Change:
    """The seat hus what it drew, in place of what it did."""
    assert scene.actor is not None
    return instead(scene, "hu", scene.actor.number, *beside, tile=TILES[scene.drawn])


def at_own_draw(scene: Scene) -> bool:
    """Whether a seat drew and did not hu."""
    return scene.phase == "turn" and scene.coming in ("discard", "gang")


# The tile --------------------------------------------------------------------------------------------


@mutation("ACT007", "stop")
def hus_from_the_wrong_seat(scene: Scene) -> Iterator[Change]:
    """A hu names the seat whose tile it takes."""
    if scene.coming == "hu" and "from" in scene.next:
        others = [seat for seat in range(4) if seat not in (scene.next["from"], scene.next["seat"])]
        yield instead(
            scene,
            "hu",
            scene.next["seat"],
            **{"tile": scene.next["tile"], "from": scene.chance.choice(others)},
        )


@mutation("ACT007", "stop")
def hus_another_tile(scene: Scene) -> Iterator[Change]:
    """A hu takes the tile that lies there, or the one just drawn."""
    if scene.coming == "hu":
        kinds = [kind for kind in scene.kinds if kind != INDEX[scene.next["tile"]]]
        more = {**scene.next, "tile": TILES[scene.chance.choice(kinds)]}
        yield instead(scene, more.pop("type"), more.pop("seat"), *HU_FAULTS, **more)


@mutation("ACT007", "stop")
def hus_a_claimed_tile_as_its_own_draw(scene: Scene) -> Iterator[Change]:
    """Another seat's tile is not a self-draw."""
    if scene.coming == "hu" and "from" in scene.next:
        yield instead(scene, "hu", scene.next["seat"], *HU_FAULTS, tile=scene.next["tile"])


@mutation("ACT007", "stop")
def hus_its_own_draw_as_a_claim(scene: Scene) -> Iterator[Change]:
    """One's own draw was discarded by nobody."""
    if scene.coming == "hu" and "from" not in scene.next:
        source = (scene.next["seat"] + scene.chance.choice((1, 2, 3))) % 4
        beside = (*HU_FAULTS, "ACT025")
        yield instead(
            scene, "hu", scene.next["seat"], *beside, **{"tile": scene.next["tile"], "from": source}
        )


@mutation("ACT007", "stop")
def hus_after_the_next_draw(scene: Scene) -> Iterator[Change]:
    """A hu on a discard comes before the next draw."""
    if not scene.takers:
        yield from late_hu(scene)


@mutation("ACT007", "stop")
def hus_what_others_hu_d_after_the_next_draw(scene: Scene) -> Iterator[Change]:
    """Several hu of one tile all come before the next draw."""
    if scene.takers:
        yield from late_hu(scene)


def late_hu(scene: Scene) -> Iterator[Change]:
    """A hu on the last discard by a seat that is not the one to play now."""
    if scene.phase == "turn" and scene.laid and scene.coming in ("discard", "gang", "hu"):
        source, tile = scene.laid[-1]
        took = [source, *scene.takers]
        able = [each for each in scene.in_play if each.number not in took and each is not scene.actor]
        for player in able:
            if scene.shape(player, tile, own=False):
                beside = (*HU_FAULTS, "ACT025")
                yield before(scene, "hu", player.number, *beside, **{"tile": TILES[tile], "from": source})


@mutation("ACT007", "stop")
def hus_right_after_its_peng(scene: Scene) -> Iterator[Change]:
    """A peng draws nothing that could be hu'd."""
    if scene.phase == "peng" and scene.actor is not None:
        tile = TILES[scene.tile(scene.actor) or 0]
        yield before(scene, "hu", scene.actor.number, *HU_FAULTS, tile=tile)


@mutation("ACT024", "stop")
def robs_a_concealed_gang(scene: Scene) -> Iterator[Change]:
    """Only an added gang is robbed."""
    yield from robbed(scene, [player for player in scene.claimers if player.bar < 0])


@mutation("ACT024", "stop")
def robs_a_concealed_gang_while_barred(scene: Scene) -> Iterator[Change]:
    """过水 bars a hu of the tile that is taken, and of an incomplete hand says nothing."""
    yield from robbed(scene, [player for player in scene.claimers if player.bar >= 0])


def robbed(scene: Scene, seats: list[Player]) -> Iterator[Change]:
    """One of the seats hus the tile of a concealed gang."""
    if scene.phase == "gang" and scene.kind == "an" and (player := scene.pick(seats)) is not None:
        beside = [scene.suits_break(player, scene.last), "" if scene.rules.hu_on_discard else "ACT025"]
        if not scene.shape(player, scene.last, own=False):
            beside.append("ACT020")
        elif player.bar >= 0:
            beside.append("ACT023")
        yield claimed(scene, player, *beside)


# The hand --------------------------------------------------------------------------------------------


@mutation("ACT020", "stop")
def hus_an_incomplete_hand_on_its_draw(scene: Scene) -> Iterator[Change]:
    """A hu is four sets and a pair, or seven pairs."""
    player = scene.actor
    if at_own_draw(scene) and player is not None and not scene.shape(player, scene.drawn, own=True):
        yield drawn(scene, scene.suits_break(player, scene.drawn))


@mutation("ACT020", "stop")
def hus_an_incomplete_hand_on_a_claim(scene: Scene) -> Iterator[Change]:
    """A claimed tile must complete the hand."""
    able = [each for each in candidates(scene) if not scene.shape(each, scene.last, own=False)]
    if allowed(scene) and (player := scene.pick(able)) is not None:
        yield claimed(scene, player, scene.suits_break(player, scene.last))


def suits_broken(scene: Scene, code: str) -> Iterator[Change]:
    """A hu of a complete hand whose suits earn the code."""
    player = scene.actor
    if at_own_draw(scene) and player is not None and player.bar < 0:
        fits = scene.shape(player, scene.drawn, own=True)
        if fits and scene.suits_break(player, scene.drawn) == code:
            yield drawn(scene)
    for other in candidates(scene) if allowed(scene) else ():
        fits = other.bar < 0 and scene.shape(other, scene.last, own=False)
        if fits and scene.suits_break(other, scene.last) == code:
            yield claimed(scene, other)


@mutation("ACT021")
def hus_three_suits(scene: Scene) -> Iterator[Change]:
    """A winning hand holds two suits at most."""
    yield from suits_broken(scene, "ACT021")


@mutation("ACT022")
def hus_with_its_void_suit(scene: Scene) -> Iterator[Change]:
    """A winning hand holds no tile of the void suit."""
    yield from suits_broken(scene, "ACT022")


# Whether it may --------------------------------------------------------------------------------------


@mutation("ACT023")
def hus_a_claim_that_guo_shui_bars(scene: Scene) -> Iterator[Change]:
    """过水: after a hu passed by, none worth no more until the own next draw."""
    for player in candidates(scene) if allowed(scene) else ():
        if player.number in scene.fits and player.number not in scene.offers:
            yield claimed(scene, player)


@mutation("ACT023")
def hus_the_tile_it_has_just_declined(scene: Scene) -> Iterator[Change]:
    """过水 begins with the pass that is written: the tile that still lies there is barred too."""
    rules = scene.rules
    if rules.guo_shui == "off" or len(scene.wall) < rules.guo_shui_waived_below:
        return
    for player in candidates(scene) if allowed(scene) else ():
        if player.number in scene.offers and "hu" in scene.passed.get(player.number, ()):
            yield claimed(scene, player)


@mutation("ACT023")
def hus_a_draw_that_guo_shui_bars(scene: Scene) -> Iterator[Change]:
    """Where 过水 bars the own draw too, that hu is barred."""
    player = scene.actor
    if at_own_draw(scene) and player is not None and player.bar >= 0:
        how = scene.how_drawn(player, scene.drawn)
        worth = scene.worth(player, scene.drawn, how, own=True)
        if worth is not None and scene.may_hu(player, scene.drawn, how, own=True) is None:
            yield drawn(scene)


@mutation("ACT025")
def hus_a_tile_that_only_a_draw_may_bring(scene: Scene) -> Iterator[Change]:
    """Where only self-draw wins, or no gang is robbed, another seat's tile is not hu'd."""
    for player in candidates(scene) if not allowed(scene) else ():
        if player.number in scene.fits:
            yield claimed(scene, player, "ACT023" if player.bar >= 0 else "")


@mutation("ACT026", "stop")
def writes_its_hu_twice(scene: Scene) -> Iterator[Change]:
    """A seat hus once a hand."""
    if scene.wins and scene.wins[-1].at == scene.at - 1 and (scene.takers or not scene.players_stay):
        again = {**scene.actions[scene.at - 1]}
        yield before(scene, again.pop("type"), again.pop("seat"), *HU_FAULTS, "ACT008", "ACT025", **again)


@mutation("ACT026", "stop")
def hus_a_discard_after_its_hu(scene: Scene) -> Iterator[Change]:
    """A seat that has hu'd hus no more."""
    out = [player for player in scene.players if player.out and player is not scene.turn_of]
    if scene.settled and not scene.over and (player := scene.pick(out)) is not None:
        yield claimed(scene, player, *HU_FAULTS, "ACT008", "ACT025")


@mutation("ACT008", "ignore")
def hus_out_of_turn_order(scene: Scene) -> Iterator[Change]:
    """Several hu of one tile are written in turn order from the discarder."""
    if scene.coming == "hu" and "from" in scene.next:
        for at in range(scene.at + 1, closing(scene)):
            if scene.actions[at]["type"] == "hu":
                between = scene.actions[scene.at + 1 : at]
                if any(action["type"] == "flee" for action in between):
                    return
                swapped = (scene.actions[at], *between, scene.next)
                yield Change(scene.at, at + 1, swapped, at, scene.next["seat"])
                return


# 最后四张必胡 ----------------------------------------------------------------------------------------


def forced_on(scene: Scene, own: bool) -> bool:
    """Whether the hu that comes is forced; a winner that plays on may decline one (§6.6)."""
    return scene.forced(own) and not scene.players[scene.next["seat"]].locked


@mutation("HND001")
def discards_instead_of_a_forced_hu(scene: Scene) -> Iterator[Change]:
    """In the last tiles a drawn hu must be taken."""
    if scene.coming == "hu" and "from" not in scene.next and forced_on(scene, own=True):
        yield instead(scene, "discard", scene.next["seat"], tile=TILES[scene.drawn])


@mutation("HND001")
def passes_a_forced_hu(scene: Scene) -> Iterator[Change]:
    """In the last tiles a hu on another's tile must be taken; it is missed where it is declined."""
    if scene.coming == "hu" and "from" in scene.next and forced_on(scene, own=False):
        yield instead(scene, "pass", scene.next["seat"], declined=["hu"])


@mutation("HND001", then=WRECKED)
def leaves_a_forced_hu_out(scene: Scene) -> Iterator[Change]:
    """In the last tiles a hu on another's tile must be taken; unwritten, it is missed where the tile is gone."""
    if scene.coming == "hu" and "from" in scene.next and forced_on(scene, own=False):
        end = closing(scene)
        rest = tuple(scene.actions[scene.at + 1 : end])
        beside = frozenset({"ACT004", "ACT030", "HND002"})
        yield Change(scene.at, end, rest, end - 1, scene.next["seat"], beside)
