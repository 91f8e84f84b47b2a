"""The seats of a table as they are looked at: what each holds, has out and may do, worded for the reader."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from replay.steps import Discarded, MeldShown, Offer, SeatShown, WinShown
from replay.text.wins import fans_of, price_of
from replay.web.hands.acts import Moment
from replay.web.hands.faces import TileView, back, face, name_of, tile_view
from replay.web.hands.unseen import left_unseen
from replay.wording.words import signed

PLACES = ("bottom", "right", "top", "left")
"""Where a seat sits, by how far it is from the viewed one: play goes round to the right."""

ARROWS = ("↓", "→", "↑", "←")
"""To where each of them sits."""


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld: its tiles, what it is called, and an arrow to the seat it claimed from, "" for none."""

    label: str
    arrow: str
    tiles: list[TileView]


@dataclass(frozen=True, slots=True)
class WinView:
    """A hu: the tile that was won, from where it came (arrow, word and step), and what is to be said."""

    tile: TileView
    arrow: str
    origin: str
    step: str
    said: str
    illegal: bool


@dataclass(frozen=True, slots=True)
class Badge:
    """Something that stands of a seat; ``kind`` is bar, ready, pig or "" for what has no look of its own.

    ``brief`` is what a narrow screen shows in place of what is said, beside the lock of a bar; "" for the same.
    """

    kind: str
    said: str
    brief: str = ""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of the table; ``wins`` come latest first, ``locked`` says that it plays on."""

    number: int
    place: str
    name: str
    dealer: bool
    acts: bool
    score: str
    made: str
    final: str
    total: str
    badges: list[Badge]
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
class Seats(Moment):
    """The four seats of a step."""

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
        total = "" if frame.final is None else signed(frame.final[number])
        return SeatView(
            number=number,
            place=PLACES[(number - self.seat) % 4],
            name=name,
            dealer=number == frame.dealer,
            acts=frame.action is not None and frame.action["seat"] == number,
            score=signed(seat.score),
            made=self.made(number),
            final=words.say("board.final", points=total) if total else "",
            total=total,
            badges=list(self.badges(seat)),
            won=self.won(seat),
            hand_label=words.say(f"board.{key}", seat=name, n=len(seat.hand)),
            hand=[back() if hidden else self.held(seat, tile) for tile in seat.hand],
            drawn=drawn,
            locked=seat.locked,
            wins=[self.win(seat, win) for win in reversed(seat.wins)],
            melds=[self.meld(meld, number) for meld in seat.melds],
            discards=[self.discard(each) for each in seat.discards],
            swap="" if hidden else self.swap(seat),
            waits="" if hidden else self.waits(seat),
            bar="" if hidden else self.bar(seat),
            can="" if hidden else self.can(seat),
        )

    def badges(self, seat: SeatShown) -> Iterator[Badge]:
        """What stands of the seat: 过水 and 有叫 while they last, its void suit, 飘, 报听, and the like."""
        words, open_to_see = self.words, not self.hidden(seat.number)
        if open_to_see and seat.bar is not None and not seat.bar.waived:
            yield Badge("bar", words.say("table.bar"))
        if open_to_see and seat.waits:
            yield Badge("ready", words.say("table.ready"), "◎")
        if self.is_pig(seat):
            yield Badge("pig", words.say("table.pig"))
        if self.frame.dingque:
            void = "void.none" if seat.void is None else "void"
            said = words.say(f"board.{void}", suit=words.label("suit", seat.void))
            yield Badge("", said, words.say(f"seats.{void}", suit=words.label("seats.suit", seat.void)))
        for key, on in (
            ("piao", seat.piao),
            ("ting", seat.ting),
            ("locked", seat.locked),
            ("fled", seat.fled),
        ):
            if on:
                yield Badge("", words.say(f"board.{key}"))

    def made(self, number: int) -> str:
        """What made the points of a seat: every kind of payment so far with its sum, the first paid first."""
        sums: dict[str, int] = {}
        for entry in self.frame.ledger:
            for key, sign in (("to", 1), ("from", -1)):
                if entry[key] == number:
                    sums[entry["kind"]] = sums.get(entry["kind"], 0) + sign * entry["amount"]
        words = self.words
        said = [
            words.say("seats.sum", kind=words.label("ledger", kind), points=signed(sum_))
            for kind, sum_ in sums.items()
        ]
        return words.join(said)

    def is_pig(self, seat: SeatShown) -> bool:
        """Whether the seat pays as 花猪 at the end."""
        return any(one["kind"] == "hua_zhu" and one["from"] == seat.number for one in self.frame.ledger)

    def waits(self, seat: SeatShown) -> str:
        """What the seat waits for, and how many of each it has not seen; with all shown, how many the wall still has."""
        if not seat.waits:
            return ""
        words, wall = self.words, None if self.hide else self.frame.wall
        said = [
            words.say(
                "table.waits.unseen" if wall is None else "table.waits.wall",
                tile=words.tile(tile),
                n=left_unseen(self.frame, seat.number, tile),
                wall=0 if wall is None else wall.count(tile),
            )
            for tile in seat.waits
        ]
        return words.say("board.waits", tiles=words.join(said))

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
        kind = ("wild",) * wild or ("stale",) * (tile[1:] == seat.void)
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
        tile = replace(tile, label=group.join((tile.label, came)))
        return WinView(tile, *self.origin(win), said, win.illegal)

    def origin(self, win: WinShown) -> tuple[str, str, str]:
        """From where a winning tile came: an arrow to the seat, the seat in short, and the step."""
        if win.source is None:
            return "", self.words.say("table.origin.own"), self.words.step(win.at)
        key = "robbed" if win.robbed else "claim"
        said = self.words.say(f"table.origin.{key}", seat=self.short(win.source))
        return ARROWS[(win.source - self.seat) % 4], said, self.words.step(win.source_at)

    def short(self, number: int) -> str:
        """A seat in short: its player's name, where there is one."""
        names = self.words.names
        return (names[number] if number < len(names) else "") or self.words.say(f"seat.{number}")

    def meld(self, meld: MeldShown, number: int) -> MeldView:
        """A meld of a seat."""
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
        arrow = "" if meld.source is None else ARROWS[(meld.source - self.seat) % 4]
        return MeldView(label, arrow, self.meld_tiles(meld, number))

    def meld_tiles(self, meld: MeldShown, number: int) -> list[TileView]:
        """The tiles of a meld: the claimed one turned, at the side of the seat that discarded it; 听用 among the rest."""
        ring = ("ring",) * self.is_at(meld.at)
        size = 3 if meld.kind == "peng" else 4
        tiles = [tile_view(self.words, meld.tile, *ring) for _ in range(size)]
        rest = list(range(size))
        if meld.kind == "an":
            tiles[0] = tiles[3] = back("", *ring)
        elif meld.source is not None:
            turned = {1: size - 1, 2: 1, 3: 0}.get((meld.source - number) % 4, 1)
            tiles[turned] = tile_view(self.words, meld.tile, "turned", *ring)
            rest.remove(turned)
        for place in rest[: meld.wild]:
            tiles[place] = tile_view(self.words, self.frame.wild or meld.tile, "wild", *ring)
        if meld.adding:
            tiles.append(tile_view(self.words, meld.tile, "adding", "ring"))
        return tiles

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
            f"board.bar.{bar.until}",
            tiles=self.in_suits(bar.tiles),
            fan=words.fan(bar.fan),
            points=words.points(bar.price),
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
