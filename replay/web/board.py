"""What a hand page shows: one step of a hand, worded for the reader."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from replay.steps import Discarded, Frame, MeldShown, Offer, SeatShown
from replay.text.money import fans_of, how_won, price_of, why_paid
from replay.text.objections import severity_in
from replay.text.page import Facts, Page
from replay.web.faces import TileView, back, face, name_of, tile_view
from replay.wording.words import Words, listed, signed

PLACES = ("bottom", "right", "top", "left")
"""Where a seat sits, by how far it is from the viewed one: play goes round to the right."""


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld: its tiles and what it is called."""

    label: str
    tiles: list[TileView]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of the table."""

    number: int
    place: str
    name: str
    dealer: bool
    acts: bool
    score: str
    final: str
    void: str
    hand_label: str
    hand: list[TileView]
    drawn: TileView | None
    winning: TileView | None
    win: tuple[str, ...]
    illegal: bool
    melds: list[MeldView]
    discards: list[TileView]
    waits: str
    bar: str
    can: str


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
class Board:
    """One step of a hand in words; ``seat`` is the viewed one, ``hide`` hides what the others hold."""

    page: Page
    hand: Facts
    frame: Frame
    forced_last: int
    seat: int
    hide: bool

    @property
    def words(self) -> Words:
        """The words of the page."""
        return self.page.words

    def hidden(self, number: object) -> bool:
        """Whether a seat's tiles are not to be shown."""
        return self.hide and number != self.seat

    # The step ----------------------------------------------------------------------------------------

    def sentence(self) -> str:
        """What this step is."""
        words, action = self.words, self.frame.action
        if action is None:
            return words.say("board.start", seat=words.seat(self.frame.dealer))
        said = ACTS.get(str(action["type"]), _other)(self, action)
        return said[:1].upper() + said[1:]

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

    def wall(self) -> list[TileView]:
        """The tiles of the recorded wall that are left."""
        return [tile_view(self.words, tile) for tile in self.frame.wall or ()]

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

    # The seats ---------------------------------------------------------------------------------------

    def seats(self) -> list[SeatView]:
        """The four seats, the viewed one last, as they are read on a narrow screen."""
        order = [(self.seat + away) % 4 for away in (1, 2, 3, 0)]
        return [self.seat_view(self.frame.seats[number]) for number in order]

    def seat_view(self, seat: SeatShown) -> SeatView:
        """One seat."""
        words, frame, win, number = self.words, self.frame, seat.win, seat.number
        hidden, name = self.hidden(number), words.seat(number)
        key = "hand.hidden" if hidden else "hand.tiles"
        drawn = None if seat.drawn is None else self.drawn(seat, hidden)
        final = "" if frame.final is None else words.say("board.final", points=signed(frame.final[number]))
        void = "void.none" if seat.void is None else "void"
        return SeatView(
            number=number,
            place=PLACES[(number - self.seat) % 4],
            name=name,
            dealer=number == frame.dealer,
            acts=frame.action is not None and frame.action["seat"] == number,
            score=signed(seat.score),
            final=final,
            void=words.say(f"board.{void}", suit=words.label("suit", seat.void)),
            hand_label=words.say(f"board.{key}", seat=name, n=len(seat.hand)),
            hand=[
                back() if hidden else tile_view(words, tile, *(("stale",) * (tile[1] == seat.void)))
                for tile in seat.hand
            ],
            drawn=drawn,
            winning=None if win is None else self.winning(seat),
            win=() if win is None else self.won(seat),
            illegal=win is not None and win.illegal,
            melds=[self.meld(meld) for meld in seat.melds],
            discards=[self.discard(each) for each in seat.discards],
            waits=""
            if hidden or not seat.waits
            else words.say("board.waits", tiles=self.in_suits(seat.waits)),
            bar="" if hidden else self.bar(seat),
            can="" if hidden else self.can(seat),
        )

    def in_suits(self, tiles: tuple[str, ...]) -> str:
        """Tiles, neighbours of one suit together."""
        return self.words.tiles("".join(tiles))

    def drawn(self, seat: SeatShown, hidden: bool) -> TileView:
        """The tile just drawn."""
        words = self.words
        ring = ("ring",) * self.is_last("draw", seat.number)
        if hidden:
            return back(words.say("board.drawn.hidden"), *ring)
        tile = str(seat.drawn)
        marks = (*ring, *(("stale",) * (tile[1] == seat.void)))
        return tile_view(words, tile, *marks, label="board.drawn")

    def is_last(self, kind: str, number: int) -> bool:
        """Whether this step is such an action of the seat, and was played."""
        action = self.frame.action
        return bool(action and not self.frame.beyond and action["type"] == kind and action["seat"] == number)

    def is_at(self, at: int | None) -> bool:
        """Whether this step is that action, and was played."""
        return at == self.frame.step - 1 and not self.frame.beyond

    def winning(self, seat: SeatShown) -> TileView:
        """The winning tile, to stand apart."""
        assert seat.win is not None
        ring = ("ring",) * self.is_at(seat.win.at)
        return tile_view(self.words, seat.win.tile, *ring, label="board.winning")

    def won(self, seat: SeatShown) -> tuple[str, ...]:
        """Which hu it was, and from where the tile came."""
        words, win = self.words, seat.win
        assert win is not None
        key = "own" if win.source is None else "robbed" if win.robbed else "claim"
        facts = {"tile": words.tile(win.tile), "step": words.step(win.at), "source": words.seat(win.source)}
        worth = (fans_of(words, win.facts), price_of(self.page, win.facts))
        return (words.say(f"board.win.{win.order}"), words.say(f"board.win.{key}", **facts), *worth)

    def meld(self, meld: MeldShown) -> MeldView:
        """A meld, its claimed tile turned."""
        words = self.words
        gang = meld.kind != "peng"
        facts = {
            "kind": words.label("gang", meld.kind) if gang else words.label("action", "peng"),
            "tile": words.tile(meld.tile),
            "step": words.step(meld.at),
        }
        if meld.source is None:
            label = words.say("board.meld.own", **facts)
        else:
            source = {"source": words.seat(meld.source), "from_step": words.step(meld.source_at)}
            label = words.say("board.meld.claim", **facts, **source)
        if meld.adding:
            label = words.say("board.meld.adding", meld=label)
        ring = ("ring",) * self.is_at(meld.at)
        tiles = [tile_view(words, meld.tile, *ring) for _ in range(4 if gang else 3)]
        if meld.kind == "an":
            tiles[0] = tiles[3] = back("", *ring)
        elif meld.source is not None:
            tiles[1] = tile_view(words, meld.tile, "turned", *ring)
        if meld.adding:
            tiles.append(tile_view(words, meld.tile, "adding", "ring"))
        return MeldView(label, tiles)

    def discard(self, each: Discarded) -> TileView:
        """A discard; a ghost where it was taken."""
        words = self.words
        said = words.say(
            "board.discard.fresh" if each.fresh else "board.discard",
            tile=name_of(words, each.tile),
            step=words.step(each.at),
        )
        marks = [name for name, on in (("fresh", each.fresh), ("ghost", bool(each.claims))) if on]
        if each.claims:
            takers = [
                words.say("board.discard.taker", seat=words.seat(one.seat), by=words.label("action", one.by))
                for one in each.claims
            ]
            said = words.say("board.discard.taken", discard=said, seats=words.join(takers))
        if self.is_at(each.at):
            marks.append("ring")
        return TileView(each.tile, *face(words, each.tile), said, tuple(marks))

    def bar(self, seat: SeatShown) -> str:
        """过水: what was passed, and until when it bars."""
        bar, words = seat.bar, self.words
        if bar is None:
            return ""
        said = words.say(
            f"board.bar.{bar.until}", tiles=self.in_suits(bar.tiles), points=words.points(bar.price)
        )
        more = [
            words.say(f"board.bar.{key}")
            for key, on in (("waived", bar.waived), ("dearer", bar.dearer), ("inferred", bar.inferred))
            if on
        ]
        return words.say("language.group").join([said, *more])

    def can(self, seat: SeatShown) -> str:
        """What the seat could do at this moment; "" for nothing."""
        said = [self.offer(offer) for offer in seat.offers]
        return self.words.say("board.can", what=self.words.join(said)) if said else ""

    def offer(self, offer: Offer) -> str:
        """One thing that a seat could do."""
        words = self.words
        facts = {"tile": words.tile(offer.tile), "gang": words.label("gang", offer.kind)}
        said = words.say(f"board.can.{offer.what}", **facts)
        return said if offer.state == "open" else words.say(f"board.can.{offer.state}", what=said)


# Actions in words ------------------------------------------------------------------------------------


def _draw(board: Board, action: Mapping[str, Any]) -> str:
    words, seat = board.words, board.words.seat(action["seat"])
    if board.hidden(action["seat"]):
        return words.say("board.act.draw.hidden", seat=seat)
    return words.say("board.act.draw", seat=seat, tile=words.tile(action["tile"]))


def _discard(board: Board, action: Mapping[str, Any]) -> str:
    words, laid = board.words, board.frame.seats[action["seat"]].discards
    fresh = bool(laid) and board.is_at(laid[-1].at) and laid[-1].fresh
    key = "board.act.discard.fresh" if fresh else "board.act.discard"
    return words.say(key, seat=words.seat(action["seat"]), tile=words.tile(action["tile"]))


def _claim(board: Board, action: Mapping[str, Any]) -> str:
    words = board.words
    key = f"board.act.gang.{action['kind']}" if action["type"] == "gang" else "board.act.peng"
    at = board.frame.step - 1
    melds = [meld for meld in board.frame.seats[action["seat"]].melds if meld.at == at]
    source = words.seat(melds[0].source if melds else None)
    return words.say(key, seat=words.seat(action["seat"]), tile=words.tile(action["tile"]), source=source)


def _hu(board: Board, action: Mapping[str, Any]) -> str:
    words, win = board.words, board.frame.seats[action["seat"]].win
    if win is None or not board.is_at(win.at):
        return _other(board, action)
    how = how_won(board.page, board.hand, win.facts)
    return words.say(
        "board.act.hu", how=how, fan=fans_of(words, win.facts), price=price_of(board.page, win.facts)
    )


def _pass(board: Board, action: Mapping[str, Any]) -> str:
    words = board.words
    claims = words.join(words.label("action", one) for one in action["declined"])
    return words.say("board.act.pass", seat=words.seat(action["seat"]), claims=claims)


def _void(board: Board, action: Mapping[str, Any]) -> str:
    words = board.words
    return words.say(
        "board.act.void", seat=words.seat(action["seat"]), suit=words.label("suit", action["suit"])
    )


def _other(board: Board, action: Mapping[str, Any]) -> str:
    words = board.words
    said = {"seat": words.seat(action["seat"]), "action": words.label("action", action["type"])}
    tiles = "".join(listed(action.get("tile") or action.get("tiles")))
    if not tiles or board.hidden(action["seat"]):
        return words.say("board.act.bare", **said)
    return words.say("board.act.tiles", **said, tiles=words.tiles(tiles))


ACTS: dict[str, Callable[[Board, Mapping[str, Any]], str]] = {
    "draw": _draw,
    "discard": _discard,
    "peng": _claim,
    "gang": _claim,
    "hu": _hu,
    "pass": _pass,
    "void": _void,
}
"""How each action that has more to say than its name is said."""
