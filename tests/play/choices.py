"""What a seat makes of its tiles: which it throws away, and whether it would stand ready without it."""

from random import Random

from .completeness import HONOURS, complete_wild, suits_held, waits
from .deals import Knobs
from .seats import Player, Seats

SPARE = 5
"""Of how many tiles, the least useful ones, a seat thinks whether it would stand ready without one."""


class Choices(Seats):
    """Seats that choose, by chance and by the rates of ``knobs``."""

    knobs: Knobs
    chance: Random

    def likely(self, rate: float) -> bool:
        """Chance."""
        return self.chance.random() < rate

    def choose(self, player: Player) -> int:
        """A discard: the void suit first, then a spare one that leaves the seat ready, then the sparest."""
        held = [kind for kind in self.kinds if player.hand[kind]]
        if player.holds_void() and not (self.rules.void_breach == "pot" and self.likely(self.knobs.breach)):
            return self.chance.choice(player.void_tiles())
        if len(held) > 1 and self.wild in held and (self.risky(player) or self.likely(0.95)):
            held.remove(self.wild)
        if not self.likely(self.knobs.skill):
            return self.chance.choice(held)
        spare = sorted(held, key=lambda kind: self.use(player, kind))
        ready = [kind for kind in spare[:SPARE] if self.leaves_ready(player, kind)]
        return self.chance.choice(ready) if ready else spare[0]

    def risky(self, player: Player) -> bool:
        """Whether another could make a gang of a discarded 听用, of which the rules say two things."""
        return any(other.hand[self.wild] > 2 for other in self.players if other is not player)

    def leaves_ready(self, player: Player, kind: int) -> bool:
        """Whether the rest of the tiles wants one more; with 听用, whether one more of them would do."""
        pairs = self.rules.seven_pairs and not player.melds
        player.hand[kind] -= 1
        if self.wild < 0:
            found = waits(player.hand, pairs) > 0
        else:
            counts, whole = player.hand[:], bytes(player.all_counts())
            counts[self.wild] = 0
            suits = (frozenset(suits_held(whole)),)
            found = complete_wild(bytes(counts), player.wilds() + 1, whole, pairs, suits)
        player.hand[kind] += 1
        return found

    def near(self, player: Player, kind: int) -> int:
        """How many tiles stand within two ranks of this one, itself counted."""
        if kind >= HONOURS[0]:
            return player.hand[kind]
        rank = kind % 9
        return sum(player.hand[kind - min(rank, 2) : kind + min(8 - rank, 2) + 1])

    def use(self, player: Player, kind: int) -> float:
        """How much a tile is worth keeping."""
        start = kind - kind % 9
        suit = sum(player.hand[start : start + 9]) / 4 if kind < HONOURS[0] else 0
        return 2 * player.hand[kind] + self.near(player, kind) + suit + self.chance.random()

    def stands_complete(self, player: Player) -> bool:
        """Whether the fourteen tiles are a winning shape."""
        counts = player.hand[:]
        counts[self.wild] = 0
        every = (frozenset({0, 1, 2}),)
        return complete_wild(bytes(counts), player.wilds(), bytes(player.all_counts()), False, every)
