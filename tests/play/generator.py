"""Random legal play of a rule set, written down as a log.

The generator keeps its own model of the table: turn order, phases, 过水, 定缺 and the forced last tiles are worked
out here from rulebook §2, whether tiles are a hu by `completeness`. Of the engine it asks only what a hu is worth.
"""

from random import Random
from typing import Any

from replay.profile import RuleProfile, load_profile
from replay.tiles import TILES, tile_string

from .choices import Choices
from .deals import Deal, Knobs
from .purse import simple
from .seats import Player

Document = dict[str, Any]
Action = dict[str, Any]
Turn = tuple[Player | None, int]
"""Who acts next, and on what draw (-1: a peng)."""

SUITS = "mps"


class Game(Choices):
    """One hand being played. ``next_dealers`` are the seats that may deal the hand after it."""

    def __init__(self, rules: RuleProfile, knobs: Knobs, chance: Random, dealer: int) -> None:
        deal = Deal(chance, knobs, dealer, rules.tiles, rules.swap != "none")
        self.knobs, self.chance = knobs, chance
        self.indicator = deal.turn_up() if rules.ting_yong != "none" else -1
        self.deal = [tile_string(tiles) for tiles in deal.hands]
        self.wall_text = tile_string(deal.wall)
        self.holdings = self.purses(rules)
        super().__init__(rules, deal, dealer, self.holdings)
        self.gives, self.direction = deal.gives, deal.direction
        self.actions: list[Action] = []
        self.next_dealers = [dealer]
        self.wins = 0
        self.claimant: Player | None = None
        self.prices: dict[int, int] = {}
        self.play()
        self.leave_table()

    def purses(self, rules: RuleProfile) -> list[int] | None:
        """What the seats hold, where it matters and is stated; enough for any hand where more than hu is paid."""
        if not isinstance(rules.base, int):
            stated = not rules.ends_on_bust and self.likely(self.knobs.holdings)
            return [self.chance.randint(35, 3500) for _ in range(4)] if stated else None
        if not rules.ends_on_bust or not self.likely(self.knobs.holdings):
            return None
        most = self.chance.choice((24, 120))
        return [self.chance.randint(1, most) * rules.base if simple(rules) else 10**9 for _ in range(4)]

    def document(self) -> Document:
        """The hand as a log writes it."""
        hand: Document = {"dealer": self.dealer, "deal": self.deal, "actions": self.actions}
        if self.knobs.wall:
            hand["wall"] = self.wall_text
        if self.direction:
            hand["swap"] = {"direction": self.direction}
        if self.indicator >= 0 and (not self.knobs.wall or self.likely(0.5)):
            hand["indicator"] = TILES[self.indicator]
        if self.holdings is not None:
            hand["holdings"] = self.holdings
        return hand

    def act(self, kind: str, player: Player, /, **more: Any) -> None:
        """Write an action down."""
        self.actions.append({"type": kind, "seat": player.number, **more})

    # The course of the hand ------------------------------------------------------------------------

    def play(self) -> None:
        """Swap, stakes and voids, then turn after turn until nobody is left to play."""
        able = self.players if self.rules.piao == "on" else []
        raisers = [player for player in able if self.likely(self.knobs.piao)]
        early, late = raisers[::2], raisers[1::2]
        if self.likely(0.3):
            self.stake(early)
        if self.direction:
            for player in self.chance.sample(self.players, 4):
                self.act("swap", player, tiles=[TILES[kind] for kind in self.gives[player.number]])
            self.swap(dict(enumerate(self.gives)), self.direction)
        callers = self.chance.sample(self.players, 4) if self.rules.void == "declared" else []
        before = self.chance.choice((4, 4, 0, 1, 2, 3))
        for player in callers[:before]:
            self.declare(player)
        self.stake(early)
        actor: Player | None = self.players[self.dealer]
        assert actor is not None
        drawn = self.draw(actor, False)
        for player in callers[before:]:
            self.declare(player)
        self.stake(late)
        while actor is not None:
            actor, drawn = self.turn(actor, drawn)

    def stake(self, players: list[Player]) -> None:
        """飘, by whoever did not raise yet."""
        for player in players:
            if not player.piao:
                player.piao = True
                self.act("piao", player)

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

    def turn(self, player: Player, drawn: int) -> Turn:
        """A seat with a tile too many hus, gangs or discards."""
        if drawn >= 0 and self.takes_draw(player, drawn):
            return self.after(player)
        if player.locked:
            return self.discard(player, drawn, True)
        if self.rules.flee != "none" and self.likely(self.knobs.flee):
            self.act("flee", player)
            self.next_dealers = [0, 1, 2, 3]
            return None, -1
        if drawn >= 0 and player.loaned and self.likely(self.knobs.replace) and self.replaces(player, drawn):
            return self.turn(player, drawn)
        gangs = self.own_gangs(player, drawn)
        if gangs and self.likely(self.knobs.own_gang):
            return self.own_gang(player, drawn, *self.chance.choice(gangs))
        tile = self.choose(player)
        if drawn >= 0:
            self.say_ting(player, tile)
        return self.discard(player, tile, tile == drawn)

    def takes_draw(self, player: Player, drawn: int) -> bool:
        """Whether the seat hus what it drew, which a forced one does."""
        if not player.hand[drawn]:
            return False
        price = self.may_hu(player, drawn, self.how_drawn(player, drawn), own=True)
        if price is None:
            return False
        if self.likely(self.knobs.hu) or self.forced(own=True):
            self.hu(player, drawn, price)
            return True
        if self.knobs.passes != "none" and self.likely(self.knobs.odd_pass):
            self.act("pass", player, declined=["hu"])
        return False

    def after(self, player: Player) -> Turn:
        """The next seat in play draws, if the hand goes on."""
        enough = {"first_hu": 1, "three_hu": 3}.get(self.rules.ends, 1000)
        if self.wins >= enough or self.broke or not self.wall:
            return None, -1
        follower = self.following(player)
        self.turn_gangs = 0
        return follower, self.draw(follower, False)

    def leave_table(self) -> None:
        """A winner may leave at any time while the hand goes on; nothing of its course changes."""
        if self.rules.flee == "none" or self.rules.ends != "three_hu":
            return
        for player in [each for each in self.players if each.out]:
            at = max(
                at
                for at, each in enumerate(self.actions)
                if each["type"] == "hu" and each["seat"] == player.number
            )
            last = max(at for at, each in enumerate(self.actions) if each["type"] not in ("pass", "flee"))
            if at < last and self.likely(self.knobs.leave):
                place = self.chance.randint(at + 1, last)
                self.actions.insert(place, {"type": "flee", "seat": player.number})

    # Own turn ----------------------------------------------------------------------------------------

    def own_gang(self, player: Player, drawn: int, kind: str, tile: int) -> Turn:
        """A concealed or an added gang; the added one may be robbed."""
        self.calm = False
        self.act("gang", player, tile=TILES[tile], kind=kind)
        if kind == "an":
            player.hand[tile] = 0
            player.melds.append(("an", tile))
            return self.replacement(player, "an")
        player.hand[tile] -= 1
        self.fresh = tile == drawn
        pao = self.turn_gangs > 0 and self.rules.rob_keeps_gang_pao
        takers = self.claims_of_hu(player, tile, robbing=True, pao=pao)
        if takers:
            robbed = self.rules.next_turn == "after_robbed"
            return self.after(player if robbed else takers[-1])
        player.melds[player.melds.index(("peng", tile))] = ("bu", tile)
        return self.replacement(player, "bu")

    def replacement(self, player: Player, kind: str, feeder: Player | None = None) -> Turn:
        """A gang stands and is paid: at once, or with the draw, as one is that might have been robbed."""
        self.turn_gangs += 1
        late = kind == "bu" or self.rules.gang_timing == "next_draw"
        if not late:
            self.pay_gang(player, kind, feeder)
            if self.broke:
                return None, -1
        drawn = self.draw(player, True)
        if late:
            self.pay_gang(player, kind, feeder)
        return (None, -1) if self.broke else (player, drawn)

    def replaces(self, player: Player, drawn: int) -> bool:
        """Whether a real tile takes the place of a 听用; the drawn one only where that leaves no hu behind."""
        for tile, count in list(player.loaned.items()):
            if count and player.hand[tile]:
                self.put_back(player, tile)
                if player.hand[drawn] or not self.stands_complete(player):
                    self.act("replace", player, meld=TILES[tile], tile=TILES[tile])
                    return True
                self.put_back(player, tile, -1)
        return False

    def say_ting(self, player: Player, tile: int) -> None:
        """报听, by a seat that will be ready."""
        able = self.rules.xiang_gong == "on" and not player.ting and self.leaves_ready(player, tile)
        if able and self.likely(self.knobs.ting):
            player.ting = True
            self.act("ting", player)

    def discard(self, player: Player, tile: int, fresh: bool) -> Turn:
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
        other = self.claimant
        if other is None:
            return self.after(player)
        self.calm = False
        if "gang" in self.melds_on(other, tile) and self.likely(self.knobs.zhi):
            other.hand[tile] -= 3
            other.melds.append(("zhi", tile))
            self.act("gang", other, tile=TILES[tile], kind="zhi")
            return self.replacement(other, "zhi", player)
        return self.peng(other, tile)

    def peng(self, player: Player, tile: int) -> Turn:
        """A peng, mostly with as few 听用 as it takes."""
        ways = self.peng_wilds(player, tile)
        wild = ways[0] if self.likely(0.8) else self.chance.choice(ways)
        self.lay_peng(player, tile, wild)
        told = wild or (self.wild >= 0 and self.likely(0.2))
        self.act("peng", player, tile=TILES[tile], **({"wild": wild} if told else {}))
        return player, -1

    # Hu ----------------------------------------------------------------------------------------------

    def claims_of_hu(self, source: Player, tile: int, robbing: bool, pao: bool) -> list[Player]:
        """Ask the others about a tile that lies there; write down who hus and who passes; returns the winners."""
        allowed = self.rules.rob_gang if robbing else self.rules.hu_on_discard
        offers: dict[int, int] = {}
        takers: list[Player] = []
        self.prices = {}
        for other in self.others(source):
            how = self.how_claimed(other, tile, robbing, pao)
            if allowed and (price := self.may_hu(other, tile, how, own=False)) is not None:
                self.prices[other.number] = price
                if self.likely(self.knobs.rob if robbing else self.knobs.hu) or self.forced(own=False):
                    takers.append(other)
                else:
                    offers[other.number] = price
        able = (
            [] if robbing or takers else [each for each in self.others(source) if self.melds_on(each, tile)]
        )
        self.claimant = next((each for each in able if self.likely(self.knobs.claim)), None)
        passes = []
        for other in self.others(source) if self.knobs.passes != "none" else ():
            told = self.declined(other, tile, robbing, takers, other.number in offers)
            if told and other not in takers and (self.knobs.passes == "all" or self.likely(0.5)):
                passes.append({"type": "pass", "seat": other.number, "declined": told})
        for number, price in offers.items():
            if self.rules.guo_shui != "off":
                self.players[number].bar = max(self.players[number].bar, price)
        self.write_claims(source, tile, takers, passes)
        return takers

    def declined(
        self, player: Player, tile: int, robbing: bool, takers: list[Player], offered: bool
    ) -> list[str]:
        """What a seat says no to: a hu it was offered, at times one that 过水 bars, and melds it does not take."""
        allowed = self.rules.rob_gang if robbing else self.rules.hu_on_discard
        fits = allowed and self.completes(player, tile)
        told = ["hu"] if offered or (fits and self.likely(self.knobs.odd_pass)) else []
        melds = [] if robbing else self.melds_on(player, tile)
        if player is self.claimant:
            return told if self.likely(0.5) else []
        return told + melds if not takers or self.likely(0.5) else told

    def write_claims(self, source: Player, tile: int, takers: list[Player], passes: list[Action]) -> None:
        """Write hu and passes down: the hu in turn order, a pass anywhere between."""
        self.chance.shuffle(passes)
        cuts = sorted(self.chance.randint(0, len(takers)) for _ in passes)
        for position, player in enumerate([*takers, None]):
            while cuts and cuts[0] == position:
                cuts.pop(0)
                self.actions.append(passes.pop(0))
            if player is not None:
                price = self.prices[player.number]
                self.hu(player, tile, price, source, [taker.number for taker in takers])

    def hu(
        self,
        player: Player,
        tile: int,
        price: int,
        source: Player | None = None,
        takers: list[int] | None = None,
    ) -> None:
        """A hu; the first one says who deals next."""
        more = {} if source is None else {"from": source.number}
        self.act("hu", player, tile=TILES[tile], **more)
        self.pay_hu(player, price, source)
        self.won_by(player, tile, source is None)
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
