"""What a hand page shows: one step of a hand, worded for the reader."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from replay.text.cited import Quoted
from replay.text.objections import severity_in
from replay.text.page import Facts
from replay.text.why import clauses, why_paid
from replay.web.hands.faces import TileView, tile_view
from replay.web.hands.seats import Seats
from replay.web.hands.unseen import draws, plays, replaces
from replay.wording.words import listed

ACROSS = 12
"""Tiles in a row of a wall that nobody draws from any more."""


@dataclass(frozen=True, slots=True)
class ActionView:
    """An action of the list: the step that shows it, or None where the table is not known; marks with their words."""

    number: int
    step: int | None
    text: str
    marks: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PaymentView:
    """A payment so far."""

    step: int | None
    who: str
    points: str
    why: str


@dataclass(frozen=True, slots=True)
class WallView:
    """The wall from its head: the seats in the order in which they would draw, and what each would draw round by round.

    ``seats`` are none where nobody is to draw. ``first`` is who makes up for a gang, and its tile, where that one
    comes from the tail.
    """

    seats: list[str]
    rounds: list[list[TileView]]
    first: tuple[str, TileView] | None


@dataclass(frozen=True, slots=True)
class Board(Seats):
    """One step of a hand in words."""

    forced_last: int

    # The step ----------------------------------------------------------------------------------------

    def note(self) -> str:
        """What is to be said of where the step stands in its hand; "" in its midst."""
        frame = self.frame
        if frame.beyond:
            return self.words.say(f"board.beyond.{frame.beyond}")
        if frame.step < frame.last:
            return ""
        return self.words.say("board.end.settled" if frame.final else "board.end.unsettled")

    def window(self) -> str:
        """Whether the last tiles have come on which a hu is forced; "" where none is."""
        if not self.forced_last:
            return ""
        key = "open" if self.frame.window_open else "closed"
        return self.words.say(f"board.window.{key}", n=self.forced_last)

    def phase(self) -> str:
        """What lies in the middle, or what the table waits for."""
        return self.words.say(f"board.phase.{self._phase()}")

    def _phase(self) -> str:
        frame = self.frame
        if frame.phase == "added":
            if not any(meld.adding for seat in frame.seats for meld in seat.melds):
                return "robbed"
            return "replacement" if self.page.value("rob_gang") is False else "added"
        laid = max((each.at for seat in frame.seats for each in seat.discards), default=-1)
        own = (win.at for seat in frame.seats for win in seat.wins if win.source is None)
        # After a self-draw others may act as after a discard, but none lies there.
        return "self_drawn" if frame.phase == "claim" and max(own, default=-1) > laid else frame.phase

    def wall(self) -> WallView:
        """The tiles of the recorded wall that are left: who would draw which, if nobody claims."""
        words, tiles = self.words, list(self.frame.wall or ())
        turns = draws(self.frame)
        makes_up = bool(tiles) and self.page.value("replacement") == "tail" and replaces(self.frame)
        first = (self.short(next(turns)), tile_view(words, tiles.pop())) if makes_up else None
        seats = list(islice(turns, sum(map(plays, self.frame.seats)))) if tiles else []
        views = [tile_view(words, tile) for tile in tiles]
        across = len(seats) or ACROSS
        rounds = [views[at : at + across] for at in range(0, len(views), across)]
        return WallView([self.short(number) for number in seats], rounds, first)

    def wilds(self) -> list[tuple[str, TileView]]:
        """The tile turned up for 听用 and the kind that is wild, each with its word; nothing where there is none."""
        words, frame = self.words, self.frame
        if frame.indicator is None or frame.wild is None:
            return []
        wild = tile_view(words, frame.wild, "wild")
        return [
            (words.say("board.indicator"), tile_view(words, frame.indicator)),
            (words.say("board.wild"), wild),
        ]

    def lying(self) -> TileView | None:
        """The tile that this step laid down or took, to stand in the middle."""
        action = self.frame.action or {}
        tile = action.get("tile")
        if not isinstance(tile, str) or (action["type"] == "draw" and self.hidden(action["seat"])):
            return None
        return tile_view(self.words, tile)

    def actions(self) -> Iterator[ActionView]:
        """Every action of the hand that can be shown, and how those that cannot are counted."""
        words = self.words
        marked: dict[int, list[tuple[str, str]]] = {}
        for finding in self.hand["findings"]:
            if finding["action"] is not None:
                at = min(finding["action"], self.frame.last - 1)
                mark = (severity_in(finding), words.label("kind", finding.get("kind")))
                if mark not in marked.setdefault(at, []):
                    marked[at].append(mark)
        for at, action in enumerate((self.page.logged(self.hand).get("actions") or [])[: self.frame.last]):
            yield ActionView(at + 1, at + 1, self.brief(action), marked.get(at, []))

    def brief(self, action: Facts) -> str:
        """An action in a few words."""
        words, kind = self.words, action.get("type")
        if action.get("seat") is None:
            return words.say("shares.unseen")
        named = words.label("gang", action.get("kind")) if kind == "gang" else words.label("action", kind)
        shown = not (self.hidden(action.get("seat")) and kind in ("draw", "swap"))
        tiles = (
            "".join(str(one) for one in listed(action.get("tile") or action.get("tiles"))) if shown else ""
        )
        said = [words.say(f"seat.{action.get('seat')}"), named]
        if kind == "void":
            said.append(words.label("suit", action.get("suit")))
        return " ".join([*said, words.tiles(tiles)] if tiles else said)

    def payments(self) -> Iterator[PaymentView]:
        """Every payment so far."""
        words = self.words
        for entry in self.frame.ledger:
            at = entry["at"]
            yield PaymentView(
                step=None if at is None else at + 1,
                who=words.say(
                    "web.money.who", source=words.seat(entry["from"]), target=words.payee(entry["to"])
                ),
                points=words.points(entry["amount"]),
                why=why_paid(self.page, self.hand, entry),
            )

    def clauses(self) -> list[Quoted]:
        """The clauses that the payments so far rest on."""
        return clauses(self.page, self.frame.ledger)
