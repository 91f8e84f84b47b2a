"""The table before each action of a legal log: followed with the generator's own model, not with the engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from replay.profile import RuleProfile
from replay.tiles import INDEX, parse_tiles

from .completeness import complete, complete_wild, suits_held
from .deals import Deal
from .generator import Action, Document
from .seats import Player, Seats

END: Action = {"type": "", "seat": -1}
"""What comes after the last action."""


class Dealt(Deal):
    """The tiles that a hand of a log holds; an unrecorded wall is every other tile, in any order, the indicator last."""

    def __init__(self, rules: RuleProfile, hand: Document) -> None:
        self.hands = [parse_tiles(tiles) for tiles in hand["deal"]]
        self.kinds = rules.tiles // 4
        self.left = [4 - sum(tiles.count(kind) for tiles in self.hands) for kind in range(self.kinds)]
        rest = [kind for kind in range(self.kinds) for _ in range(self.left[kind])]
        if "indicator" in hand:
            rest.remove(INDEX[hand["indicator"]])
            rest.append(INDEX[hand["indicator"]])
        self.wall = parse_tiles(hand["wall"]) if "wall" in hand else rest


@dataclass(frozen=True, slots=True)
class Gang:
    """A gang that stands, and who paid how much for it."""

    at: int
    seat: int
    paid: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Hu:
    """A hu; ``payers`` are who owes ``price``, ``gang`` the one that the discard followed."""

    at: int
    seat: int
    source: int | None
    last_at: int
    price: int
    payers: tuple[int, ...]
    gangs: tuple[Gang, ...]


class Scene(Seats):
    """The table before action ``at``; ``phase`` is opening, turn, peng, gang, added, claim, won or over."""

    def __init__(self, rules: RuleProfile, log: Document, number: int) -> None:
        hand = log["hands"][number]
        super().__init__(rules, Dealt(rules, hand), hand["dealer"], hand.get("holdings"))
        self.number = number
        self.chance = Random(f"{log['id']} {number}")
        self.actions: list[Action] = hand["actions"]
        self.walled = "wall" in hand
        self.promised = "pass" in log["records"]
        self.at, self.phase = 0, "opening"
        self.actor: Player | None = None
        self.turn_of = self.players[self.dealer]
        self.drawn = self.last = -1
        self.last_at = -1
        self.opened = False
        self.seen = [sum(player.hand[kind] for player in self.players) for kind in self.kinds]
        if self.wild >= 0:
            self.seen[self.wild - 1 if self.wild % 9 else self.wild + 8] += 1
        self.direction = hand["swap"]["direction"] if "swap" in hand else ""
        self.given: dict[int, list[int]] = {}
        self.raised: dict[int, int] = {}
        self.flown = False
        self.takers: list[int] = []
        self.passed: dict[int, list[str]] = {}
        self.fits: dict[int, int] = {}
        self.offers: dict[int, int] = {}
        self.void_at: dict[int, int] = {}
        self.hu_at: dict[int, int] = {}
        self.laid: list[tuple[int, int]] = []
        self.wins: list[Hu] = []
        self.gangs: list[Gang] = []
        self.turn_made: list[Gang] = []
        self.pao: list[Gang] = []
        self.kind = ""
        self.feeder: Player | None = None

    # What the moment allows ------------------------------------------------------------------------------

    @property
    def next(self) -> Action:
        """The action that comes now."""
        return self.actions[self.at] if self.at < len(self.actions) else END

    @property
    def coming(self) -> str:
        """Its type, "" at the end."""
        return str(self.next["type"])

    @property
    def lies(self) -> bool:
        """Whether a tile lies that others may claim."""
        return self.phase in ("claim", "added")

    @property
    def settled(self) -> bool:
        """Whether a tile lies and all hu and passes over it are written."""
        return self.lies and self.coming not in ("hu", "pass", "flee")

    @property
    def ended(self) -> bool:
        """Whether enough have hu'd, or one has fled or has nothing left."""
        enough = {"first_hu": 1, "three_hu": 3}.get(self.rules.ends, 1000)
        return self.flown or self.broke or len(self.wins) >= enough

    @property
    def over(self) -> bool:
        """Whether the hand may be at its end here."""
        return self.ended or (self.phase in ("claim", "won") and not self.wall)

    @property
    def replacing(self) -> bool:
        """Whether the draw that is due replaces a gang's fourth tile."""
        return self.phase == "gang" or (self.phase == "added" and not self.takers)

    @property
    def drawer(self) -> Player | None:
        """Who draws next, None where a draw is not due."""
        if self.ended or not self.wall or self.phase in ("turn", "peng"):
            return None
        if self.phase == "opening" or self.replacing:
            return self.turn_of
        if self.phase == "added" and self.rules.next_turn == "after_robbed":
            return self.following(self.turn_of)
        return self.following(self.players[self.takers[-1]] if self.takers else self.turn_of)

    @property
    def in_play(self) -> list[Player]:
        """The seats that have not left the play."""
        return [player for player in self.players if not player.out]

    @property
    def players_stay(self) -> bool:
        """Whether winners play on."""
        return self.rules.ends == "wall"

    @property
    def hunting(self) -> list[Player]:
        """The seats that have not hu'd."""
        return [player for player in self.players if not player.won]

    @property
    def claimers(self) -> list[Player]:
        """The seats in play, without the one that laid the tile down."""
        return self.others(self.turn_of)

    @property
    def pengers(self) -> list[Player]:
        """Those of them that have not hu'd."""
        return [player for player in self.claimers if not player.locked]

    @property
    def mover(self) -> Player | None:
        """Who has a tile too many and a choice: a winner that plays on has none."""
        return None if self.actor is None or self.actor.locked else self.actor

    def pick(self, found: Sequence[Player]) -> Player | None:
        """One of them, by chance."""
        return self.chance.choice(found) if found else None

    def tile(self, player: Player, *, void: bool | None = None) -> int | None:
        """A tile that the seat holds, by chance: of its void suit, of another, or any."""
        kinds = [kind for kind in self.kinds if player.hand[kind]]
        if void is not None:
            kinds = [kind for kind in kinds if (kind // 9 == player.void) == void]
        return self.chance.choice(kinds) if kinds else None

    def unseen(self, *but: int) -> list[int]:
        """Kinds of which a copy was not yet seen."""
        return [kind for kind in self.kinds if self.seen[kind] < 4 and kind not in but]

    def shape(self, player: Player, tile: int, own: bool) -> bool:
        """Whether the tiles are a winning shape, whatever the suits; a claimed tile joins the hand."""
        player.hand[tile] += not own
        counts, wild = player.hand[:], player.wilds()
        pairs = self.rules.seven_pairs and not player.melds
        if wild:
            counts[self.wild] = 0
            every = (frozenset({0, 1, 2}),)
            found = complete_wild(bytes(counts), wild, bytes(player.all_counts()), pairs, every)
        else:
            found = complete(counts, pairs)
        player.hand[tile] -= not own
        return found

    def suits_break(self, player: Player, tile: int) -> str:
        """The code that a hu with these suits earns, "" where they are right."""
        suits = suits_held(player.all_counts()) | ({tile // 9} if tile != self.wild and tile < 27 else set())
        if self.rules.void == "none":
            return ""
        if player.void >= 0:
            return "ACT022" if player.void in suits else ""
        return "ACT021" if len(suits) == 3 else ""

    def owed(self, player: Player) -> list[str]:
        """What the seat must claim or decline of the tile that lies there (rulebook §6.3)."""
        hu = ["hu"] if player.number in self.offers else []
        return hu if self.takers else hu + self.meldable(player)

    def meldable(self, player: Player) -> list[str]:
        """Peng and gang of the tile that lies there."""
        return self.melds_on(player, self.last) if self.phase == "claim" else []

    # The actions of a legal log --------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Do the next action."""
        player = self.players[action["seat"]]
        tile = INDEX[action["tile"]] if "tile" in action else -1
        kind = action["type"]
        if self.lies and kind not in ("hu", "pass", "flee"):
            self.close()
        MOVES[kind](self, player, tile, action)
        if self.broke and not self.lies:
            self.phase = "over"
        self.at += 1

    def close(self) -> None:
        """What lay there was passed by whoever did not take it; an added gang that nobody robbed stands."""
        for number, price in self.offers.items():
            if number not in self.takers and self.rules.guo_shui != "off":
                self.players[number].bar = max(self.players[number].bar, price)
        if self.phase == "added" and not self.takers:
            owner = self.turn_of
            owner.melds[owner.melds.index(("peng", self.last))] = ("bu", self.last)
            self.turn_gangs += 1
            self.pay_gang(owner, "bu")
            kept = self.rules.gang_bu_kept == "zero" and not self.fresh
            self.book(owner, self.last_at, 0 if kept else self.rules.gang_bu, self.others(owner))

    def book(self, player: Player, at: int, share: int, payers: list[Player]) -> None:
        """A gang stands."""
        amount = share * self.base
        made = Gang(at, player.number, tuple((payer.number, amount) for payer in payers if amount))
        self.gangs.append(made)
        self.turn_made.append(made)

    def void(self, player: Player, tile: int, action: Action) -> None:
        """定缺."""
        player.void = "mps".index(action["suit"])
        self.void_at[player.number] = self.at

    def give(self, player: Player, tile: int, action: Action) -> None:
        """换三张: with the fourth seat's three tiles all are handed over."""
        self.given[player.number] = [INDEX[name] for name in action["tiles"]]
        if len(self.given) == 4:
            self.swap(self.given, self.direction)

    def raise_stake(self, player: Player, tile: int, action: Action) -> None:
        """飘."""
        self.raised[player.number] = self.at

    def say_ting(self, player: Player, tile: int, action: Action) -> None:
        """报听 binds nothing."""
        player.ting = True

    def flee(self, player: Player, tile: int, action: Action) -> None:
        """逃跑: of a seat that has not hu'd, it ends the hand."""
        player.fled = True
        if not player.won:
            self.phase = "over"
        self.flown = self.flown or not player.won

    def replace(self, player: Player, tile: int, action: Action) -> None:
        """A 听用 comes back into the hand, in place of the tile just drawn if that is the one laid down."""
        self.put_back(player, tile)
        if not player.hand[self.drawn]:
            self.drawn = self.wild

    def draw(self, player: Player, tile: int, action: Action) -> None:
        """A tile from the wall; it ends 过水, or the draw after it does."""
        if not self.replacing:
            self.turn_gangs, self.turn_made = 0, []
        elif self.phase == "gang" and self.rules.gang_timing == "next_draw":
            self.pay_gang(player, self.kind, self.feeder)
        self.wall.pop(-1 if self.replacing and self.rules.replacement == "tail" else 0)
        player.hand[tile] += 1
        self.seen[tile] += 1
        if self.rules.guo_shui_zi_mo == "free" or player.bar_ends:
            player.bar, player.bar_ends = -1, False
        else:
            player.bar_ends = player.bar >= 0
        self.actor = self.turn_of = player
        self.phase, self.drawn = "turn", tile

    def discard(self, player: Player, tile: int, action: Action) -> None:
        """A tile is laid down."""
        player.hand[tile] -= 1
        player.discards += 1
        if player.bar_ends:
            player.bar, player.bar_ends = -1, False
        self.fresh = tile == self.drawn
        self.pao = self.turn_made
        pao, self.turn_gangs, self.turn_made = self.turn_gangs > 0, 0, []
        if self.rules.guo_shui == "shun_hu":
            self.pass_own(player, tile, pao)
        self.laid.append((player.number, tile))
        self.opened = True
        self.open("claim", player, tile, pao)

    def open(self, phase: str, player: Player, tile: int, pao: bool) -> None:
        """A tile lies: who could hu it, and who may."""
        self.phase, self.turn_of, self.actor = phase, player, None
        self.last, self.last_at, self.drawn = tile, self.at, -1
        self.takers, self.passed = [], {}
        self.fits, self.offers = {}, {}
        robbing = phase == "added"
        allowed = self.rules.rob_gang if robbing else self.rules.hu_on_discard
        for other in self.others(player):
            how = self.how_claimed(other, tile, robbing, pao)
            if (price := self.worth(other, tile, how, own=False)) is not None:
                self.fits[other.number] = price
                if allowed and self.may_hu(other, tile, how, own=False) is not None:
                    self.offers[other.number] = price
        self.kind = "qiang_gang" if robbing else "gang_pao" if pao else ""

    def peng(self, player: Player, tile: int, action: Action) -> None:
        """A peng is laid down."""
        self.lay_peng(player, tile, action.get("wild", 0))
        self.calm = False
        self.actor = self.turn_of = player
        self.phase, self.drawn = "peng", -1

    def gang(self, player: Player, tile: int, action: Action) -> None:
        """A gang is laid down; an added one stands when nobody robs it."""
        kind, fresh = action["kind"], tile == self.drawn
        self.calm, self.actor, self.drawn = False, None, -1
        if kind == "bu":
            player.hand[tile] -= 1
            self.fresh = fresh
            pao = self.turn_gangs > 0 and self.rules.rob_keeps_gang_pao
            self.pao = self.turn_made if pao else []
            self.open("added", player, tile, pao)
            return
        player.hand[tile] -= 3 if kind == "zhi" else 4
        player.melds.append((kind, tile))
        payers = [self.turn_of] if kind == "zhi" else self.others(player)
        self.feeder = self.turn_of if kind == "zhi" else None
        if self.rules.gang_timing == "at_once":
            self.pay_gang(player, kind, self.feeder)
        if kind == "zhi":
            self.turn_gangs, self.turn_made = 0, []
        self.turn_gangs += 1
        self.book(player, self.at, self.rules.gang_zhi if kind == "zhi" else self.rules.gang_an, payers)
        self.turn_of, self.phase, self.last, self.kind = player, "gang", tile, kind

    def hu(self, player: Player, tile: int, action: Action) -> None:
        """A seat wins."""
        number = player.number
        if "from" in action:
            source, price = self.turn_of.number, self.offers[number]
            hu = Hu(self.at, number, source, self.last_at, price, (source,), tuple(self.pao))
            self.takers.append(number)
        else:
            worth = self.worth(player, tile, self.how_drawn(player, tile), own=True)
            assert worth is not None
            payers, source = tuple(other.number for other in self.others(player)), None
            hu = Hu(self.at, number, None, self.at, worth, payers, ())
            self.phase, self.turn_of, self.actor, self.takers = "won", player, None, []
        self.wins.append(hu)
        self.pay_hu(player, hu.price, None if source is None else self.players[source])
        self.won_by(player, tile, "from" not in action)
        self.hu_at.setdefault(number, self.at)

    def declined(self, player: Player, tile: int, action: Action) -> None:
        """A pass."""
        if self.lies:
            self.passed[player.number] = action["declined"]


MOVES = {
    "void": Scene.void, "draw": Scene.draw, "discard": Scene.discard, "peng": Scene.peng,
    "gang": Scene.gang, "hu": Scene.hu, "pass": Scene.declined,
    "swap": Scene.give, "piao": Scene.raise_stake, "ting": Scene.say_ting, "flee": Scene.flee,
    "replace": Scene.replace,
}  # fmt: skip


def scenes(rules: RuleProfile, log: Document, number: int) -> Iterator[Scene]:
    """The table before each action of a hand and after the last; one table, moved on."""
    scene = Scene(rules, log, number)
    for action in scene.actions:
        yield scene
        scene.apply(action)
    yield scene
