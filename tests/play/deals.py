"""Deals that make a hand worth watching: seats near a hu, triplets whose fourth is to come, early winning tiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

RUN, ALIKE, PAIR = 3, 3, 2
SUITED = 27
WAYS = {"next": 1, "previous": 3, "opposite": 2}
"""换三张: to which seat, counted from the giver, each direction hands the tiles."""


@dataclass(frozen=True, slots=True)
class Knobs:
    """How seats are dealt to and how they play. Rates run from 0 to 1; the defaults give lively hands.

    From ``piao`` on they matter only where the rule set knows the thing.
    """

    hands: int = 1
    wall: bool = True
    passes: str = "none"
    near: float = 0.5
    alike: float = 0.4
    luck: float = 0.05
    shared: float = 0.2
    skill: float = 0.8
    hu: float = 0.7
    claim: float = 0.5
    zhi: float = 0.6
    rob: float = 0.8
    own_gang: float = 0.8
    odd_void: float = 0.1
    odd_pass: float = 0.05
    piao: float = 0.3
    ting: float = 0.6
    replace: float = 0.7
    breach: float = 0.3
    flee: float = 0.003
    leave: float = 0.3
    holdings: float = 0.7


class Deal:
    """Four hands of thirteen kinds and the wall, head first; with a swap what each seat gives, and which way."""

    def __init__(
        self, chance: Random, knobs: Knobs, dealer: int, tiles: int = 108, swap: bool = False
    ) -> None:
        self.chance = chance
        self.kinds = tiles // 4
        self.left = [4] * self.kinds
        self.hands: list[list[int]] = []
        wishes: list[tuple[int, int]] = []
        shared = chance.random() < knobs.shared
        wish = chance.randrange(SUITED)
        roles = chance.sample(range(4), 4)
        for seat in range(4):
            if shared and roles[seat] < 2:
                hand = self.waiting(wish, knobs)
            elif shared:
                hand = self.same([wish], 1 if roles[seat] == 2 else chance.choice((2, 3, 3)))
            else:
                hand = self.crafted(knobs, chance.sample(range(3), 2)) if chance.random() < knobs.near else []
            if len(hand) == 14:
                wishes.append((seat, hand.pop(chance.randrange(14))))
                self.left[wishes[-1][1]] += 1
            self.hands.append(hand)
        rest = [kind for kind, count in enumerate(self.left) for _ in range(count)]
        chance.shuffle(rest)
        for hand in self.hands:
            while len(hand) < 13:
                hand.append(rest.pop())
            chance.shuffle(hand)
        self.wall = rest
        if shared:
            self.fulfil(chance.randrange(40), wish)
        for seat, kind in wishes:
            if chance.random() < knobs.luck:
                self.fulfil((seat - dealer) % 4, kind)
        self.gives: list[list[int]] = []
        self.direction = chance.choice(sorted(WAYS)) if swap else ""
        if swap:
            self.undo_swap()

    def undo_swap(self) -> None:
        """Give back what each seat is to receive: three tiles of a suit, so that the hands made come of the swap."""
        self.gives = [[] for _ in range(4)]
        for seat, hand in enumerate(self.hands):
            suits = [suit for suit in range(3) if sum(kind // 9 == suit for kind in hand) >= 3] or [3]
            suit = self.chance.choice(suits)
            received = self.chance.sample([kind for kind in hand if kind // 9 == suit], 3)
            self.gives[(seat - WAYS[self.direction]) % 4] = received
        for seat, given in enumerate(self.gives):
            other = (seat + WAYS[self.direction]) % 4
            for kind in given:
                self.hands[other].remove(kind)
        for seat, given in enumerate(self.gives):
            self.hands[seat] += given
            self.chance.shuffle(self.hands[seat])

    def turn_up(self) -> int:
        """听用: see to it that the last tile of the wall is suited, and take it for the indicator."""
        at = max(at for at, kind in enumerate(self.wall) if kind < SUITED)
        self.wall[at], self.wall[-1] = self.wall[-1], self.wall[at]
        return self.wall[-1]

    def fulfil(self, place: int, kind: int) -> None:
        """Put a tile of the kind at a place of the wall, if there is one further on."""
        if kind in self.wall[place:]:
            other = self.wall.index(kind, place)
            self.wall[place], self.wall[other] = self.wall[other], self.wall[place]

    def waiting(self, wish: int, knobs: Knobs) -> list[int]:
        """Thirteen tiles that want the kind as part of a run, as far as the tiles reach."""
        first = wish - self.chance.choice([back for back in range(3) if 0 <= wish % 9 - back < 7])
        others = [kind for kind in range(first, first + 3) if kind != wish]
        if not all(self.left[kind] for kind in others):
            return []
        for kind in others:
            self.left[kind] -= 1
        suits = [wish // 9, (wish // 9 + self.chance.choice((1, 2))) % 3]
        return others + self.crafted(knobs, suits, 3)

    def crafted(self, knobs: Knobs, suits: list[int], sets: int = 4) -> list[int]:
        """So many sets and a pair in one or two suits (and the honours, if any), as far as the tiles reach."""
        chance = self.chance
        suits = suits[:1] if chance.random() < 0.2 else suits
        kinds = [9 * suit + rank for suit in suits for rank in range(9)]
        kinds += range(SUITED, self.kinds) if chance.random() < 0.5 else []
        if sets == 4 and chance.random() < 0.12:
            return self.pairs(kinds)
        hand: list[int] = []
        for _ in range(sets):
            hand += self.group(kinds, ALIKE if chance.random() < knobs.alike else 0)
        return hand + self.same(kinds, PAIR)

    def pairs(self, kinds: Sequence[int]) -> list[int]:
        """Seven pairs, sometimes four alike."""
        hand: list[int] = []
        for _ in range(7):
            hand += self.same(hand if hand and self.chance.random() < 0.2 else kinds, PAIR)
        return hand

    def group(self, kinds: Sequence[int], alike: int) -> list[int]:
        """A triplet or a run of tiles that are left."""
        if alike:
            return self.same(kinds, alike)
        for kind in self.chance.sample(kinds, len(kinds)):
            run = (kind, kind + 1, kind + 2)
            if kind < SUITED and kind % 9 < 7 and all(self.left[each] for each in run):
                for each in run:
                    self.left[each] -= 1
                return list(run)
        return self.same(kinds, ALIKE)

    def same(self, kinds: Sequence[int], count: int) -> list[int]:
        """So many of one kind, where some kind has them."""
        able = [kind for kind in kinds if self.left[kind] >= count]
        if not able:
            return []
        kind = self.chance.choice(able)
        self.left[kind] -= count
        return [kind] * count
