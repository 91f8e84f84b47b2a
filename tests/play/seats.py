"""Who holds what and may do what: the generator's own word on the rules (rulebook §2). The engine only prices a hu."""

from dataclasses import dataclass, field

from replay.fans import Meld, Winning
from replay.prices import pricer_of
from replay.profile import RuleProfile
from replay.tiles import ONE

from .completeness import complete, suits_held, waits
from .deals import Deal


@dataclass(slots=True)
class Player:
    """A seat: concealed counts, melds as (kind, tile), the void suit, and the dearest hu it passed."""

    number: int
    hand: list[int]
    melds: list[tuple[str, int]] = field(default_factory=list)
    void: int = -1
    out: bool = False
    bar: int = -1
    bar_ends: bool = False
    discards: int = 0

    def all_counts(self) -> list[int]:
        """Hand and melds together."""
        counts = self.hand[:]
        for kind, tile in self.melds:
            counts[tile] += 3 if kind == "peng" else 4
        return counts

    def holds_void(self) -> bool:
        """Whether a tile of the void suit stands in the concealed hand."""
        return self.void >= 0 and any(self.hand[9 * self.void : 9 * self.void + 9])


class Seats:
    """The four seats, the wall, and what of the moment decides a price."""

    def __init__(self, rules: RuleProfile, deal: Deal, dealer: int) -> None:
        self.rules, self.dealer = rules, dealer
        self.wall = deal.wall
        self.players = [
            Player(n, [tiles.count(kind) for kind in range(27)]) for n, tiles in enumerate(deal.hands)
        ]
        self.calm = True
        self.fresh = True
        self.turn_gangs = 0

    def following(self, player: Player) -> Player:
        """The next seat in play in turn order."""
        numbers = [(player.number + step) % 4 for step in (1, 2, 3, 4)]
        return next(self.players[n] for n in numbers if not self.players[n].out)

    def others(self, player: Player) -> list[Player]:
        """The other seats in play, in turn order from this one."""
        numbers = [(player.number + step) % 4 for step in (1, 2, 3)]
        return [self.players[n] for n in numbers if not self.players[n].out]

    def own_gangs(self, player: Player, drawn: int) -> list[tuple[str, int]]:
        """The gangs that the seat may make in its own turn."""
        if not self.wall or (drawn < 0 and self.rules.gang_after_peng == "forbidden"):
            return []
        found = [("an", kind) for kind in range(27) if player.hand[kind] == 4]
        found += [("bu", tile) for kind, tile in player.melds if kind == "peng" and player.hand[tile]]
        return [(kind, tile) for kind, tile in found if tile // 9 != player.void]

    def melds_on(self, player: Player, tile: int) -> list[str]:
        """What a seat may make of another's discard, beside a hu."""
        held = player.hand[tile]
        if held < 2 or tile // 9 == player.void:
            return []
        return ["peng", "gang"] if held == 3 and self.wall else ["peng"]

    def how_drawn(self, player: Player, tile: int) -> list[str]:
        """The situations of a self-drawn hu."""
        first = self.calm and not player.discards
        told = {
            "gang_hua": self.turn_gangs > 0,
            "hai_di": not self.wall,
            "tian_hu": first and player.number == self.dealer,
            "di_hu": first and player.number != self.dealer,
            "pair_wait": player.hand[tile] == 2,
        }
        return [name for name, holds in told.items() if holds]

    def worth(self, player: Player, tile: int, how: list[str], own: bool) -> int | None:
        """The price of a hu, None where tiles or suits make none; a claimed tile is not in the hand."""
        player.hand[tile] += not own
        counts = player.all_counts()
        legal = complete(player.hand, self.rules.seven_pairs and not player.melds)
        if player.void >= 0:
            legal = legal and player.void not in suits_held(counts)
        elif self.rules.void != "none":
            legal = legal and len(suits_held(counts)) <= 2
        price = None
        if legal:
            packed = sum(count * ONE[kind] for kind, count in enumerate(player.hand))
            melds = [Meld(kind, tile) for kind, tile in player.melds]
            price = pricer_of(self.rules).price(Winning(packed, melds, own, how))
        player.hand[tile] -= not own
        return None if price is None else price.price

    def may_hu(self, player: Player, tile: int, how: list[str], own: bool) -> int | None:
        """The price of a hu that the seat may make, 过水 respected; else None."""
        price = self.worth(player, tile, how, own)
        if price is None or player.bar < 0 or len(self.wall) < self.rules.guo_shui_waived_below:
            return price
        if not (self.rules.guo_shui_more_fan and price > player.bar):
            return None
        return price

    def forced(self, own: bool) -> bool:
        """Whether a hu must be made: the last tiles; with ``drawn_tile`` only on those tiles themselves."""
        scope = self.rules.forced_scope == "any" or own or self.fresh
        return len(self.wall) < self.rules.forced_last and scope

    def how_claimed(self, player: Player, tile: int, robbing: bool, pao: bool) -> list[str]:
        """The situations of a hu on another's tile."""
        told = {
            "qiang_gang": robbing,
            "gang_pao": pao,
            "hai_di": not self.wall,
            "pair_wait": player.hand[tile] == 1,
        }
        return [name for name, holds in told.items() if holds]

    def pass_own(self, player: Player, tile: int, pao: bool) -> None:
        """顺和: one's own discard counts as passed, while the seat stands ready."""
        kinds = waits(player.hand, self.rules.seven_pairs and not player.melds)
        how = self.how_claimed(player, tile, False, pao)
        waited = [kind for kind in range(27) if kinds >> kind & 1]
        if all(self.worth(player, kind, [], False) is None for kind in waited):
            player.bar = -1
        elif tile in waited:
            price = self.worth(player, tile, how, False)
            player.bar = max(player.bar, -1 if price is None else price)
