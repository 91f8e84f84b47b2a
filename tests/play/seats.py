"""Who holds what and may do what: the generator's own word on the rules (rulebook §2). The engine only prices a hu."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from replay.fans import Meld, Winning
from replay.prices import pricer_of
from replay.profile import RuleProfile
from replay.tiles import ONE

from .completeness import HONOURS, KINDS, allowed_suits, complete_wild, suits_held, waits_of
from .deals import WAYS, Deal
from .purse import Purse

SILVER = 35
"""What part of the poorest seat's silver is the base (rulebook §2.3)."""


@dataclass(slots=True)
class Player:
    """A seat: concealed counts, melds as (kind, tile), the void suit, and the dearest hu it passed.

    ``out`` is whether it has left the play, ``locked`` whether it has hu'd and plays on; ``wild`` is the kind of 听用,
    ``loaned`` how many of them stand in its peng of a tile.
    """

    number: int
    hand: list[int]
    melds: list[tuple[str, int]] = field(default_factory=list)
    void: int = -1
    out: bool = False
    locked: bool = False
    bar: int = -1
    bar_ends: bool = False
    discards: int = 0
    wild: int = -1
    loaned: dict[int, int] = field(default_factory=dict)
    aside: list[int] = field(default_factory=list)
    piao: bool = False
    ting: bool = False
    fled: bool = False

    @property
    def won(self) -> bool:
        """Whether it has hu'd."""
        return self.out or self.locked

    def all_counts(self) -> list[int]:
        """Hand and melds together, 听用 of the hand left out."""
        counts = self.hand[:]
        if self.wild >= 0:
            counts[self.wild] = 0
        for kind, tile in self.melds:
            counts[tile] += 3 if kind == "peng" else 4
        return counts

    def holds_void(self) -> bool:
        """Whether a tile of the void suit stands in the concealed hand; a 听用 has no suit there."""
        return bool(self.void_tiles())

    def void_tiles(self) -> list[int]:
        """The kinds of the void suit that it holds."""
        kinds = range(9 * self.void, 9 * self.void + 9) if self.void >= 0 else ()
        return [kind for kind in kinds if self.hand[kind] and kind != self.wild]

    def wilds(self) -> int:
        """How many 听用 it holds."""
        return self.hand[self.wild] if self.wild >= 0 else 0

    def completed_by(self, tile: int, rule: str, seven_pairs: bool) -> bool:
        """Whether the tile completes its thirteen tiles, the suits right by the rule (rulebook §2.1, §6.4-5)."""
        allowed = allowed_suits(rule, self.void)
        pairs = seven_pairs and not self.melds
        if self.wild < 0:
            if not waits_of(bytes(self.hand), pairs) >> tile & 1:
                return False
            suits = suits_held(self.all_counts()) | ({tile // 9} if tile < HONOURS[0] else set())
            return any(suits <= each for each in allowed)
        counts, whole, wild = self.hand[:], self.all_counts(), self.wilds()
        counts[self.wild] = 0
        if tile == self.wild:
            wild += 1
        else:
            counts[tile] += 1
            whole[tile] += 1
        return complete_wild(bytes(counts), wild, bytes(whole), pairs, allowed)


class Seats:
    """The four seats, the wall, and what of the moment decides a price."""

    def __init__(self, rules: RuleProfile, deal: Deal, dealer: int, holdings: list[int] | None) -> None:
        self.rules, self.dealer = rules, dealer
        self.kinds = range(rules.tiles // 4)
        self.base = rules.base if isinstance(rules.base, int) else min(holdings or [SILVER]) // SILVER
        self.purse = Purse(rules, self.base, holdings) if rules.ends_on_bust and holdings else None
        self.wall = deal.wall
        self.wild = -1
        if rules.ting_yong == "indicator":
            shown = self.wall.pop()
            self.wild = shown - shown % 9 + (shown % 9 + 1) % 9
        self.players = [
            Player(number, [tiles.count(kind) for kind in range(KINDS)], wild=self.wild)
            for number, tiles in enumerate(deal.hands)
        ]
        self.calm = True
        self.fresh = True
        self.turn_gangs = 0

    @property
    def broke(self) -> bool:
        """Whether a seat has nothing left, which ends the hand."""
        return self.purse is not None and self.purse.broke

    def pay_gang(self, player: Player, kind: str, feeder: Player | None = None) -> None:
        """A gang stands."""
        if self.purse is not None:
            source = None if feeder is None else feeder.number
            others = [other.number for other in self.others(player)]
            self.purse.gang(player.number, kind, others, source, self.fresh)

    def pay_hu(self, player: Player, price: int, source: Player | None) -> None:
        """A hu is paid, before the winner leaves the play."""
        if self.purse is not None:
            everyone = source is None and self.rules.zi_mo_payers == "all"
            payers = (
                [each for each in self.players if each is not player] if everyone else self.others(player)
            )
            numbers = [each.number for each in payers] if source is None else [source.number]
            self.purse.hu(player.number, price, numbers, source is None)

    def swap(self, gives: Mapping[int, list[int]], direction: str) -> None:
        """换三张: everything is handed over at once."""
        for number, given in gives.items():
            other = self.players[(number + WAYS[direction]) % 4]
            for kind in given:
                self.players[number].hand[kind] -= 1
                other.hand[kind] += 1

    def following(self, player: Player) -> Player:
        """The next seat in play in turn order."""
        numbers = [(player.number + step) % 4 for step in (1, 2, 3, 4)]
        return next(self.players[n] for n in numbers if not self.players[n].out)

    def others(self, player: Player) -> list[Player]:
        """The other seats in play, in turn order from this one."""
        numbers = [(player.number + step) % 4 for step in (1, 2, 3)]
        return [self.players[n] for n in numbers if not self.players[n].out]

    def won_by(self, player: Player, tile: int, own: bool) -> None:
        """A hu's tile joins the hand and the seat is out of play; where winners play on it is laid aside."""
        if self.rules.ends == "wall":
            player.hand[tile] -= own
            player.aside.append(tile)
            player.locked = True
        else:
            player.hand[tile] += not own
            player.out = True

    # Melds -------------------------------------------------------------------------------------------

    def own_gangs(self, player: Player, drawn: int) -> list[tuple[str, int]]:
        """The gangs that the seat may make in its own turn: no 听用 in them, nothing added to one (§6.5)."""
        forbidden = drawn < 0 and self.rules.gang_after_peng == "forbidden"
        if not self.wall or forbidden or player.locked:
            return []
        found = [("an", kind) for kind in self.kinds if player.hand[kind] == 4]
        found += [("bu", tile) for kind, tile in player.melds if kind == "peng" and player.hand[tile]]
        return [
            (kind, tile)
            for kind, tile in found
            if tile // 9 != player.void and tile != self.wild and not player.loaned.get(tile)
        ]

    def melds_on(self, player: Player, tile: int) -> list[str]:
        """What a seat may make of another's discard, beside a hu."""
        if player.locked or tile // 9 == player.void or not self.peng_wilds(player, tile):
            return []
        return ["peng", "gang"] if player.hand[tile] == 3 and self.wall else ["peng"]

    def peng_wilds(self, player: Player, tile: int) -> list[int]:
        """With how many 听用 the seat can peng the tile, so that no more than four of it stand there."""
        held = player.hand[tile]
        found = [0] if held >= 2 else []
        if self.wild >= 0 and tile != self.wild and tile < 27:
            found += [n for n in (1, 2) if n <= player.wilds() and held >= 2 - n and 1 + held + n <= 4]
        return found

    def lay_peng(self, player: Player, tile: int, wild: int) -> None:
        """A peng is laid down."""
        player.hand[tile] -= 2 - wild
        if wild:
            player.hand[self.wild] -= wild
            player.loaned[tile] = wild
        player.melds.append(("peng", tile))

    def put_back(self, player: Player, tile: int, times: int = 1) -> None:
        """The real tile takes the place of a 听用 in the seat's peng (-1: the other way round)."""
        player.hand[tile] -= times
        player.hand[self.wild] += times
        player.loaned[tile] -= times

    # Hu ----------------------------------------------------------------------------------------------

    def how_drawn(self, player: Player, tile: int) -> list[str]:
        """The situations of a self-drawn hu."""
        first = self.calm and not player.discards and not player.won
        told = {
            "gang_hua": self.turn_gangs > 0,
            "hai_di": not self.wall,
            "tian_hu": first and player.number == self.dealer,
            "di_hu": first and player.number != self.dealer,
            "pair_wait": player.hand[tile] == 2,
        }
        return [name for name, holds in told.items() if holds]

    def how_claimed(self, player: Player, tile: int, robbing: bool, pao: bool) -> list[str]:
        """The situations of a hu on another's tile."""
        told = {
            "qiang_gang": robbing,
            "gang_pao": pao,
            "hai_di": not self.wall,
            "pair_wait": player.hand[tile] == 1,
        }
        return [name for name, holds in told.items() if holds]

    def completes(self, player: Player, tile: int) -> bool:
        """Whether the tile completes the thirteen tiles that the seat holds, the suits right."""
        return player.completed_by(tile, self.rules.void, self.rules.seven_pairs)

    def worth(self, player: Player, tile: int, how: list[str], own: bool) -> int | None:
        """The price of a hu, None where tiles or suits make none; a claimed tile is not in the hand."""
        player.hand[tile] -= own
        legal = self.completes(player, tile)
        player.hand[tile] += own
        if not legal:
            return None
        packed = sum(count * ONE[kind] for kind, count in enumerate(player.hand)) + ONE[tile] * (not own)
        melds = [
            Meld(kind, tile, wild=player.loaned.get(tile, 0)) if kind == "peng" else Meld(kind, tile)
            for kind, tile in player.melds
        ]
        price = pricer_of(self.rules, self.base).price(Winning(packed, melds, own, how, self.wild))
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

    def waited(self, player: Player) -> list[int]:
        """The kinds that complete the seat's thirteen tiles, a kind of which it holds four left out."""
        return [kind for kind in self.kinds if player.hand[kind] < 4 and self.completes(player, kind)]

    def pass_own(self, player: Player, tile: int, pao: bool) -> None:
        """顺和: one's own discard counts as passed, while the seat stands ready."""
        waited = self.waited(player)
        if not waited:
            player.bar = -1
        elif tile in waited:
            price = self.worth(player, tile, self.how_claimed(player, tile, False, pao), False)
            player.bar = max(player.bar, -1 if price is None else price)
