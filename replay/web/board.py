"""What a hand page shows: one step of a hand, worded for the reader."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from replay.steps import Discarded, MeldShown, Offer, SeatShown, WinShown
from replay.text.objections import severity_in
from replay.text.page import Facts
from replay.text.why import Quoted, clauses, why_paid
from replay.text.wins import fans_of, price_of
from replay.web.acts import Moment
from replay.web.faces import TileView, back, face, name_of, tile_view
from replay.wording.words import listed, signed

PLACES = ("bottom", "right", "top", "left")
"""Where a seat sits, by how far it is from the viewed one: play goes round to the right."""


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld: its tiles and what it is called."""

    label: str
    tiles: list[TileView]


@dataclass(frozen=True, slots=True)
class WinView:
    """A hu: the tile that was won, and what is to be said of it."""

    tile: TileView
    said: str
    illegal: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of the table; ``wins`` come latest first, ``locked`` says that it plays on."""

    number: int
    place: str
    name: str
    dealer: bool
    acts: bool
    score: str
    final: str
    badges: list[str]
    won: str
    hand_label: str
    hand: list[TileView]
    drawn: TileView | None
    locked: bool
    wins: list[WinView]
    melds: list[MeldView]
    discards: list[TileView]
    swap: str
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
class Board(Moment):
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

    def wall(self) -> list[TileView]:
        """The tiles of the recorded wall that are left."""
        return [tile_view(self.words, tile) for tile in self.frame.wall or ()]

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

    # The seats ---------------------------------------------------------------------------------------

    def seats(self) -> list[SeatView]:
        """The four seats, the viewed one last, as they are read on a narrow screen."""
        order = [(self.seat + away) % 4 for away in (1, 2, 3, 0)]
        return [self.seat_view(self.frame.seats[number]) for number in order]

    def seat_view(self, seat: SeatShown) -> SeatView:
        """One seat."""
        words, frame, number = self.words, self.frame, seat.number
        hidden, name = self.hidden(number), words.seat(number)
        key = "hand.hidden" if hidden else "hand.tiles"
        drawn = None if seat.drawn is None else self.drawn(seat, hidden)
        final = "" if frame.final is None else words.say("board.final", points=signed(frame.final[number]))
        return SeatView(
            number=number,
            place=PLACES[(number - self.seat) % 4],
            name=name,
            dealer=number == frame.dealer,
            acts=frame.action is not None and frame.action["seat"] == number,
            score=signed(seat.score),
            final=final,
            badges=list(self.badges(seat)),
            won=self.won(seat),
            hand_label=words.say(f"board.{key}", seat=name, n=len(seat.hand)),
            hand=[back() if hidden else self.held(seat, tile) for tile in seat.hand],
            drawn=drawn,
            locked=seat.locked,
            wins=[self.win(seat, win) for win in reversed(seat.wins)],
            melds=[self.meld(meld) for meld in seat.melds],
            discards=[self.discard(each) for each in seat.discards],
            swap="" if hidden else self.swap(seat),
            waits=""
            if hidden or not seat.waits
            else words.say("board.waits", tiles=self.in_suits(seat.waits)),
            bar="" if hidden else self.bar(seat),
            can="" if hidden else self.can(seat),
        )

    def badges(self, seat: SeatShown) -> Iterator[str]:
        """What stands of the seat all the hand through: its void suit where one is declared, 飘, 报听, and the like."""
        words = self.words
        if self.frame.dingque:
            void = "void.none" if seat.void is None else "void"
            yield words.say(f"board.{void}", suit=words.label("suit", seat.void))
        for key, on in (
            ("piao", seat.piao),
            ("ting", seat.ting),
            ("locked", seat.locked),
            ("fled", seat.fled),
        ):
            if on:
                yield words.say(f"board.{key}")

    def won(self, seat: SeatShown) -> str:
        """Which hu of the hand is the seat's, or how many; "" for none."""
        if len(seat.wins) > 1:
            return self.words.say("board.wins", n=len(seat.wins))
        return "".join(self.order(win) for win in seat.wins)

    def order(self, win: WinShown) -> str:
        """The how-manieth hu of the hand."""
        return self.words.say(f"board.win.{win.order if win.order <= 4 else 'later'}", n=win.order)

    def held(self, seat: SeatShown, tile: str, *marks: str, label: str = "") -> TileView:
        """A tile of a hand; one of the void suit is marked, and so is a 听用, which has none."""
        words, wild = self.words, tile == self.frame.wild
        kind = ("wild",) * wild or ("stale",) * (tile[1] == seat.void)
        shown = tile_view(words, tile, *marks, *kind, label="board.tile.wild" if wild else "")
        return replace(shown, label=words.say(label, tile=shown.label)) if label else shown

    def swap(self, seat: SeatShown) -> str:
        """What the seat gave and received for 换三张, until the first draw."""
        said = [
            self.words.say(f"board.{key}", tiles=self.in_suits(tiles))
            for key, tiles in (("gave", seat.gave), ("received", seat.received))
            if tiles
        ]
        return self.words.say("language.group").join(said)

    def in_suits(self, tiles: tuple[str, ...]) -> str:
        """Tiles, neighbours of one suit together."""
        return self.words.tiles("".join(tiles))

    def drawn(self, seat: SeatShown, hidden: bool) -> TileView:
        """The tile just drawn."""
        words = self.words
        ring = ("ring",) * self.is_last("draw", seat.number)
        if hidden:
            return back(words.say("board.drawn.hidden"), *ring)
        return self.held(seat, str(seat.drawn), *ring, label="board.drawn")

    def win(self, seat: SeatShown, win: WinShown) -> WinView:
        """A hu: its tile, to stand apart, from where it came, and what it is worth."""
        words = self.words
        key = "own" if win.source is None else "robbed" if win.robbed else "claim"
        facts = {"tile": words.tile(win.tile), "step": words.step(win.at), "source": words.seat(win.source)}
        came = words.say(f"board.win.{key}", **facts)
        tile = self.held(seat, win.tile, *(("ring",) * self.is_at(win.at)), label="board.winning")
        group = words.say("language.group")
        said = group.join((came, fans_of(words, win.facts), price_of(self.page, win.facts)))
        if len(seat.wins) > 1:
            said = words.say("board.win.of", order=self.order(win), win=said)
        return WinView(replace(tile, label=group.join((tile.label, came))), said, win.illegal)

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
        if meld.wild:
            label = words.say("board.meld.wild", meld=label, n=meld.wild)
        if meld.adding:
            label = words.say("board.meld.adding", meld=label)
        ring = ("ring",) * self.is_at(meld.at)
        tiles = [tile_view(words, meld.tile, *ring) for _ in range(4 if gang else 3)]
        if meld.kind == "an":
            tiles[0] = tiles[3] = back("", *ring)
        elif meld.source is not None:
            tiles[1] = tile_view(words, meld.tile, "turned", *ring)
        for place in (2, 0)[: meld.wild]:
            tiles[place] = tile_view(words, self.frame.wild or meld.tile, "wild", *ring)
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
        bound = ".drawn" if offer.what == "discard" and offer.tile else ""
        said = words.say(f"board.can.{offer.what}{bound}", **facts)
        return said if offer.state == "open" else words.say(f"board.can.{offer.state}", what=said)
