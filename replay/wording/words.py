"""How tiles, seats, steps and amounts are written in each language.

Positions are counted from 0 in the data and from 1 for people; 番 and points are never written alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeGuard

from replay.tiles import INDEX
from replay.wording.lookup import has_text, text
from replay.wording.phrases import phrase
from replay.wording.plain import TEXT_LENGTH, clean_name, visible


@dataclass(frozen=True, slots=True)
class Words:
    """One language, and the names of the players (cleaned, by seat) where they are known."""

    lang: str
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, lang: str, names: Iterable[object] = ()) -> "Words":
        """Words in ``lang`` for players with these names, which may be anything that a log holds."""
        return cls(lang, tuple(clean_name(name) for name in names))

    def shown(self, value: object, limit: int = TEXT_LENGTH) -> str:
        """A foreign text as it may be printed; "?" for none."""
        return self.say("language.unknown") if value is None else visible(value, limit)

    def say(self, key: str, /, **params: object) -> str:
        """The text ``key`` with its gaps filled."""
        return text(self.lang, key, **params)

    def label(self, section: str, name: object) -> str:
        """What an id is called; the id itself where there is no word for it."""
        key = f"{section}.{name}"
        return text(self.lang, key) if has_text(self.lang, key) else visible(name)

    def phrase(self, fact: object, limit: int = TEXT_LENGTH, expected: object = None) -> str:
        """English words of ours that a fact holds; ``expected`` is what was expected in place of what they tell."""
        return phrase(self.lang, fact, limit, expected)

    def join(self, items: Iterable[str]) -> str:
        """Items one after another, or the word for none."""
        return self.say("language.separator").join(items) or self.say("language.none")

    def tile(self, name: object) -> str:
        """One tile: 5筒, 5p; "" is one that is not shown."""
        if name == "":
            return self.say("tile.unseen")
        return self.tiles(name) if isinstance(name, str) and name in INDEX else visible(name)

    def tiles(self, string: object) -> str:
        """A tile string, neighbours of one suit together: 11万5筒, 11m 5p."""
        names = [str(string)[at : at + 2] for at in range(0, len(str(string)), 2)]
        if not names:
            return self.say("language.none")
        if any(name not in INDEX for name in names):
            return visible(string)
        groups = []
        for suit, same in groupby(names, key=lambda name: name[1]):
            run = list(same)
            if suit == "z":
                groups += [self.say(f"tile.{name}") for name in run]
            else:
                groups.append(self.say(f"tile.{suit}", ranks="".join(name[0] for name in run)))
        return self.say("tile.gap").join(groups)

    def tile_list(self, names: object) -> str:
        """Tiles one by one."""
        return self.join(self.tile(name) for name in listed(names))

    def seat(self, number: object) -> str:
        """A seat and its player's name: 甲（李明）, seat 0 (Li Ming)."""
        if not _is_seat(number):
            return self.say("seat.some")
        seat = self.say(f"seat.{number}")
        name = self.names[number] if number < len(self.names) else ""
        return self.say("seat.named", seat=seat, name=name) if name else seat

    def payee(self, number: object) -> str:
        """Who receives a payment: a seat, or the bank."""
        return self.say("ledger.bank") if number is None else self.seat(number)

    def seats(self, numbers: object) -> str:
        """Several seats."""
        return self.join(self.seat(number) for number in listed(numbers))

    def step(self, position: object) -> str:
        """An action's place in its hand, for people."""
        if not _is_int(position) or position < 0:
            return self.say("language.unknown")
        return self.say("unit.step", n=position + 1)

    def hand(self, position: object) -> str:
        """A hand's place in the sitting, for people."""
        return self.say("unit.hand", n=position + 1) if _is_int(position) else self.say("language.unknown")

    def points(self, amount: object) -> str:
        """An amount of points."""
        return self.say("unit.points.1" if amount == 1 else "unit.points", n=visible(amount))

    def fan(self, count: object) -> str:
        """A number of 番."""
        return self.say("unit.fan", n=visible(count))

    def count(self, what: str, number: int) -> str:
        """So many of a thing."""
        return self.say(f"count.{what}.{'one' if number == 1 else 'other'}", n=number)

    def scores(self, amounts: object) -> str:
        """What each seat wins or loses, by seat."""
        return self.join(
            self.say("unit.score", seat=self.seat(seat), points=signed(amount))
            for seat, amount in enumerate(listed(amounts))
        )

    def part(self, part: Mapping[str, Any]) -> str:
        """A fan that counted, with what it is worth."""
        name = self.label("fan", part.get("id"))
        named = self.say("report.win.part", name=name, fan=self.fan(part.get("fan")))
        count = part.get("count", 1)
        return self.say("unit.times", what=named, n=visible(count)) if count != 1 else named

    def parts(self, parts: Iterable[Mapping[str, Any]]) -> str:
        """Fans that counted, one after another."""
        return self.say("language.plus").join(self.part(part) for part in parts)


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_seat(value: object) -> TypeGuard[int]:
    return _is_int(value) and value in range(4)


def listed(value: object) -> Sequence[Any]:
    """The value if it is a list, else a list of it alone; nothing for None."""
    if value is None:
        return []
    return value if isinstance(value, list | tuple) else [value]


def signed(amount: object) -> str:
    """An amount with its sign; 0 has none.

    >>> signed(8), signed(-8), signed(0)
    ('+8', '-8', '0')
    """
    if _is_int(amount) and amount:
        return f"{amount:+d}"
    return visible(amount)
