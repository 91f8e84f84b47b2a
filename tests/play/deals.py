"""Deals that make a hand worth watching: seats near a hu, triplets whose fourth is to come, early winning tiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

RUN, ALIKE, PAIR = 3, 3, 2
Template = tuple[float, int]


@dataclass(frozen=True, slots=True)
class Knobs:
    """How seats are dealt to and how they play. Rates run from 0 to 1; the defaults give lively hands."""

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


class Deal:
    """Four hands of thirteen kinds and the wall, head first."""

    def __init__(self, chance: Random, knobs: Knobs, dealer: int) -> None:
        self.chance = chance
        self.left = [4] * 27
        self.hands: list[list[int]] = []
        wishes: list[tuple[int, int]] = []
        shared = chance.random() < knobs.shared
        wish = chance.randrange(27)
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
        """So many sets and a pair in one or two suits, as far as the tiles reach."""
        chance = self.chance
        suits = suits[:1] if chance.random() < 0.2 else suits
        kinds = [9 * suit + rank for suit in suits for rank in range(9)]
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
            if kind % 9 < 7 and all(self.left[each] for each in run):
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
