"""Random legal play of a rule set, written down as a log.

The generator keeps its own model of the table: turn order, phases, 过水, 定缺 and the forced last tiles are worked
out here from rulebook §2, whether tiles are a hu by `completeness`. Of the engine it asks only what a hu is worth.
"""

from random import Random
from typing import Any

from replay.profile import RuleProfile, load_profile
from replay.tiles import TILES, tile_string

from .completeness import waits
from .deals import Deal, Knobs
from .seats import Player, Seats

Document = dict[str, Any]
Action = dict[str, Any]

SUITS = "mps"


class Game(Seats):
    """One hand being played. ``next_dealers`` are the seats that may deal the hand after it."""

    def __init__(self, rules: RuleProfile, knobs: Knobs, chance: Random, dealer: int) -> None:
        deal = Deal(chance, knobs, dealer)
        super().__init__(rules, deal, dealer)
        self.knobs, self.chance = knobs, chance
        self.deal = [tile_string(tiles) for tiles in deal.hands]
        self.wall_text = tile_string(deal.wall)
        self.actions: list[Action] = []
        self.next_dealers = [dealer]
        self.wins = 0
        self.wants: list[bool] = []
        self.play()

    def likely(self, rate: float) -> bool:
        """Chance."""
        return self.chance.random() < rate

    def document(self) -> Document:
        """The hand as a log writes it."""
        hand: Document = {"dealer": self.dealer, "deal": self.deal, "actions": self.actions}
        if self.knobs.wall:
            hand["wall"] = self.wall_text
        return hand

    def act(self, kind: str, player: Player, /, **more: Any) -> None:
        """Write an action down."""
        self.actions.append({"type": kind, "seat": player.number, **more})

    # The course of the hand ------------------------------------------------------------------------

    def play(self) -> None:
        """Voids, then turn after turn until nobody is left to play."""
        callers = self.chance.sample(self.players, 4) if self.rules.void == "declared" else []
        before = self.chance.choice((4, 4, 0, 1, 2, 3))
        for player in callers[:before]:
            self.declare(player)
        actor: Player | None = self.players[self.dealer]
        assert actor is not None
        tile = self.draw(actor, False)
        for player in callers[before:]:
            self.declare(player)
        drawn = tile
        while actor is not None:
            actor, drawn = self.turn(actor, drawn)

    def declare(self, player: Player) -> None:
        """定缺: mostly the shortest suit."""
        held = [sum(player.hand[9 * suit : 9 * suit + 9]) for suit in range(3)]
        allowed = [0, 1, 2]
        if self.rules.void_choice == "by_suits" and 0 in held:
            allowed = [suit for suit in range(3) if not held[suit]]
        odd = self.likely(self.knobs.odd_void)
        player.void = self.chance.choice(allowed) if odd else min(allowed, key=held.__getitem__)
        self.act("void", player, suit=SUITS[player.void])

    def draw(self, player: Player, replacement: bool) -> int:
        """A tile from the due end of the wall."""
        tile = self.wall.pop(-1 if replacement and self.rules.replacement == "tail" else 0)
        player.hand[tile] += 1
        if self.rules.guo_shui_zi_mo == "free":
            player.bar = -1
        else:
            player.bar_ends = True
        self.act("draw", player, tile=TILES[tile])
        return tile

    def turn(self, player: Player, drawn: int) -> tuple[Player | None, int]:
        """A seat with a tile too many hus, gangs or discards; returns who acts next, and on what draw (-1: peng)."""
        if drawn >= 0 and self.may_hu(player, drawn, self.how_drawn(player, drawn), own=True) is not None:
            if self.likely(self.knobs.hu) or self.forced(own=True):
                self.hu(player, drawn)
                return self.after(player)
            if self.knobs.passes != "none" and self.likely(self.knobs.odd_pass):
                self.act("pass", player, declined=["hu"])
        gangs = self.own_gangs(player, drawn)
        if gangs and self.likely(self.knobs.own_gang):
            return self.own_gang(player, drawn, *self.chance.choice(gangs))
        tile = self.choose(player)
        return self.discard(player, tile, tile == drawn)

    def after(self, player: Player) -> tuple[Player | None, int]:
        """The next seat in play draws, if the hand goes on."""
        ended = self.wins >= (1 if self.rules.ends == "first_hu" else 3)
        if ended or not self.wall:
            return None, -1
        follower = self.following(player)
        self.turn_gangs = 0
        return follower, self.draw(follower, False)

    # Own turn ----------------------------------------------------------------------------------------

    def own_gang(self, player: Player, drawn: int, kind: str, tile: int) -> tuple[Player | None, int]:
        """A concealed or an added gang; the added one may be robbed."""
        self.calm = False
        self.act("gang", player, tile=TILES[tile], kind=kind)
        if kind == "an":
            player.hand[tile] = 0
            player.melds.append(("an", tile))
        else:
            player.hand[tile] -= 1
            self.fresh = tile == drawn
            pao = self.turn_gangs > 0 and self.rules.rob_keeps_gang_pao
            takers = self.claims_of_hu(player, tile, robbing=True, pao=pao)
            if takers:
                robbed = self.rules.next_turn == "after_robbed"
                return self.after(player if robbed else takers[-1])
            player.melds[player.melds.index(("peng", tile))] = ("bu", tile)
        self.turn_gangs += 1
        return player, self.draw(player, True)

    def choose(self, player: Player) -> int:
        """A discard: the void suit first, then one that leaves the seat ready, then the loneliest tile."""
        held = [kind for kind in range(27) if player.hand[kind]]
        if player.holds_void():
            return self.chance.choice([kind for kind in held if kind // 9 == player.void])
        if not self.likely(self.knobs.skill):
            return self.chance.choice(held)
        pairs = self.rules.seven_pairs and not player.melds
        ready = []
        for kind in held:
            player.hand[kind] -= 1
            if waits(player.hand, pairs):
                ready.append(kind)
            player.hand[kind] += 1
        return self.chance.choice(ready) if ready else min(held, key=lambda kind: self.use(player, kind))

    def use(self, player: Player, kind: int) -> float:
        """How much a tile is worth keeping."""
        hand, rank = player.hand, kind % 9
        near = sum(hand[kind + step] > 0 for step in (-2, -1, 1, 2) if 0 <= rank + step < 9)
        return 3 * hand[kind] + near + sum(hand[kind - rank : kind - rank + 9]) / 4 + self.chance.random()

    def discard(self, player: Player, tile: int, fresh: bool) -> tuple[Player | None, int]:
        """A tile is laid down: hu, then gang or peng, or the next seat draws."""
        player.hand[tile] -= 1
        player.discards += 1
        if player.bar_ends:
            player.bar, player.bar_ends = -1, False
        self.act("discard", player, tile=TILES[tile])
        self.fresh = fresh
        pao, self.turn_gangs = self.turn_gangs > 0, 0
        if self.rules.guo_shui == "shun_hu":
            self.pass_own(player, tile, pao)
        takers = self.claims_of_hu(player, tile, robbing=False, pao=pao)
        if takers:
            return self.after(takers[-1])
        for other in self.others(player):
            claims = self.melds_on(other, tile)
            if claims and self.wants[other.number]:
                self.calm = False
                if "gang" in claims and self.likely(self.knobs.zhi):
                    other.hand[tile] -= 3
                    other.melds.append(("zhi", tile))
                    self.act("gang", other, tile=TILES[tile], kind="zhi")
                    self.turn_gangs = 1
                    return other, self.draw(other, True)
                other.hand[tile] -= 2
                other.melds.append(("peng", tile))
                self.act("peng", other, tile=TILES[tile])
                return other, -1
        return self.after(player)

    # Hu ----------------------------------------------------------------------------------------------

    def claims_of_hu(self, source: Player, tile: int, robbing: bool, pao: bool) -> list[Player]:
        """Ask the others about a tile that lies there; write down who hus and who passes; returns the winners."""
        allowed = self.rules.rob_gang if robbing else self.rules.hu_on_discard
        offers: dict[int, int] = {}
        takers: list[Player] = []
        self.wants = [self.likely(self.knobs.claim) for _ in range(4)]
        for other in self.others(source):
            how = self.how_claimed(other, tile, robbing, pao)
            if allowed and (price := self.may_hu(other, tile, how, own=False)) is not None:
                if self.likely(self.knobs.rob if robbing else self.knobs.hu) or self.forced(own=False):
                    takers.append(other)
                else:
                    offers[other.number] = price
        passers = [other for other in self.others(source) if other not in takers]
        passes = []
        for other in passers if self.knobs.passes != "none" else ():
            fits = allowed and self.worth(other, tile, [], own=False) is not None
            told = ["hu"] if other.number in offers or (fits and self.likely(self.knobs.odd_pass)) else []
            melds = [] if robbing else self.melds_on(other, tile)
            takes = bool(melds) and self.wants[other.number] and not takers
            if takes:
                told = told if self.likely(0.5) else []
            elif not takers or self.likely(0.5):
                told += melds
            if told and (self.knobs.passes == "all" or self.likely(0.5)):
                passes.append({"type": "pass", "seat": other.number, "declined": told})
        for number, price in offers.items():
            if self.rules.guo_shui != "off":
                self.players[number].bar = max(self.players[number].bar, price)
        self.write_claims(source, tile, takers, passes)
        return takers

    def write_claims(self, source: Player, tile: int, takers: list[Player], passes: list[Action]) -> None:
        """Write hu and passes down: the hu in turn order, a pass anywhere between."""
        self.chance.shuffle(passes)
        cuts = sorted(self.chance.randint(0, len(takers)) for _ in passes)
        for position, player in enumerate([*takers, None]):
            while cuts and cuts[0] == position:
                cuts.pop(0)
                self.actions.append(passes.pop(0))
            if player is not None:
                self.hu(player, tile, source, [taker.number for taker in takers])

    def hu(
        self, player: Player, tile: int, source: Player | None = None, takers: list[int] | None = None
    ) -> None:
        """A hu; the first one says who deals next."""
        more = {} if source is None else {"from": source.number}
        self.act("hu", player, tile=TILES[tile], **more)
        player.hand[tile] += source is not None
        player.out = True
        self.wins += 1
        if self.wins == 1:
            self.next_dealers = self.dealers_after(player, source, takers or [])

    def dealers_after(self, player: Player, source: Player | None, takers: list[int]) -> list[int]:
        """Who deals after this first hu (rulebook §2.7)."""
        if self.rules.next_dealer == "first_hu" and source is not None and len(takers) > 1:
            tie = self.rules.next_dealer_tie
            return [source.number] if tie == "discarder" else [source.number, *takers]
        if self.rules.next_dealer == "discarder" and source is not None:
            return [source.number]
        return [player.number]


def play(profile: str, options: dict[str, Any], knobs: Knobs, seed: int) -> Document:
    """A sitting of legal play."""
    chance = Random(seed)
    rules = load_profile(profile, options)
    dealer = chance.randrange(4)
    hands = []
    for _ in range(knobs.hands):
        game = Game(rules, knobs, chance, dealer)
        hands.append(game.document())
        dealer = chance.choice([0, 1, 2, 3] if rules.next_dealer == "any" else game.next_dealers)
    stated: Document = {"profile": profile, **({"options": options} if options else {})}
    records = [*(["pass"] if knobs.passes == "all" else []), *(["wall"] if knobs.wall else [])]
    return {
        "format": "xuezhan-log/1",
        "id": f"seed-{seed}",
        "rules": stated,
        "records": records,
        "players": [{"id": f"u{seat}", "name": f"Seat {seat}"} for seat in range(4)],
        "hands": hands,
    }
