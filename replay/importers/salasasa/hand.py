"""One hand of a Salasasa record: its ticks, read into actions."""

from collections.abc import Callable, Mapping
from typing import Any

from replay.findings import Finding
from replay.importers.fields import field, four_integers, items, seat_at
from replay.importers.malformed import Malformed
from replay.importers.salasasa.names import TARGET, fans, tile, tiles

SEATS = range(4)
CLAIMS = ("hu", "peng", "gang")
MOST_TICKS = 2000


class HandReader:
    """Reads the ticks of one hand. ``changes`` are the recorded scores, None where the record has no settlement."""

    def __init__(self, number: int, pointer: str, played: object, side: object) -> None:
        self.number = number
        self.pointer = pointer
        self.played = played
        self.side = side
        self.findings: list[Finding] = []
        self.actions: list[dict[str, Any]] = []
        self.wins: list[dict[str, Any]] = []
        self.changes: list[int] | None = [0, 0, 0, 0]
        self.turn = 0
        self.last = ""
        self.gone: set[int] = set()
        self.takers: list[int] = []
        self.decided: dict[int, str] = {}
        self.decisions = self.by_tick()

    def hand(self) -> dict[str, Any]:
        """The hand as our format writes it."""
        held = [
            items(field(self.played, f"p{seat}_tiles", list, self.pointer), self.pointer) for seat in SEATS
        ]
        dealers = [seat for seat in SEATS if len(held[seat]) == 14]
        if len(dealers) != 1 or any(len(held[seat]) != 13 for seat in SEATS if seat not in dealers):
            raise Malformed(
                self.pointer, [len(tiles) for tiles in held], "13 tiles a seat and a 14th for one of them"
            )
        dealer = dealers[0]
        rest = field(self.played, "tiles_list", list, self.pointer)
        wall = tile(held[dealer][13], f"{self.pointer}/p{dealer}_tiles/13") + tiles(
            rest, f"{self.pointer}/tiles_list"
        )
        self.turn = dealer
        self.voids()
        self.act("draw", dealer, wall[:2])
        self.read_ticks()
        deal = [tiles(held[seat][:13], f"{self.pointer}/p{seat}_tiles") for seat in SEATS]
        hand: dict[str, Any] = {"dealer": dealer, "deal": deal, "wall": wall, "actions": self.actions}
        if self.wins:
            hand["claimed"] = {"wins": self.wins}
        return hand

    # The account beside the record ----------------------------------------------------------------

    def by_tick(self) -> dict[int, list[Mapping[str, Any]]]:
        """What each seat was offered and chose, by tick."""
        found: dict[int, list[Mapping[str, Any]]] = {}
        if self.side is not None:
            for entry in field(self.side, "decisions", list, f"/side/{self.number}"):
                if isinstance(entry, Mapping) and type(entry.get("tick")) is int:
                    found.setdefault(entry["tick"], []).append(entry)
        return found

    def voids(self) -> None:
        """定缺, where the account has it."""
        if self.side is None:
            return
        place = f"/side/{self.number}/dingque"
        chosen = field(self.side, "dingque", dict, f"/side/{self.number}")
        for seat in SEATS:
            suit = TARGET["suits"].get(str(chosen.get(str(seat))))
            if suit is None:
                raise Malformed(f"{place}/{seat}", chosen.get(str(seat)), "1 万, 2 饼 or 3 条")
            self.actions.append({"type": "void", "seat": seat, "suit": suit})

    def passes(self, tick: int) -> None:
        """The claims that were offered on the tile of this tick and declined, and what each seat chose."""
        self.decided = {}
        for entry in self.decisions.get(tick + 1, ()):
            offered = [
                name
                for name in CLAIMS
                if name in items(entry.get("offered"), f"/side/{self.number}/decisions")
            ]
            seat = entry.get("seat")
            if type(seat) is not int or seat not in SEATS or not offered:
                continue
            self.decided[seat] = str(entry.get("chose"))
            if entry.get("chose") == "pass":
                self.actions.append({"type": "pass", "seat": seat, "declined": offered})

    # Findings ------------------------------------------------------------------------------------

    def lose(self, fact: str, effect: str) -> None:
        """IMP001: what this hand's record lacks."""
        self.findings.append(Finding("IMP001", {"fact": fact, "effect": effect}, hand=self.number))

    def contradict(
        self, what: str, record: str, evidence: str, action: int | None = None, seat: int | None = None
    ) -> None:
        """IMP004: the record says something else than the account beside it."""
        facts = {"what": what, "record": record, "evidence": evidence}
        pointer = f"/hands/{self.number}" + ("" if action is None else f"/actions/{action}")
        self.findings.append(Finding("IMP004", facts, self.number, action, seat, pointer=pointer))

    def unknown(self, tick: object, pointer: str) -> None:
        """IMP003: what the importer does not understand."""
        self.findings.append(
            Finding("IMP003", {"field": pointer, "found": repr(tick)[:80]}, hand=self.number)
        )

    # Ticks -----------------------------------------------------------------------------------------

    def act(self, kind: str, seat: int, name: str, /, **more: Any) -> None:
        """Enter an action."""
        self.actions.append({"type": kind, "seat": seat, "tile": name, **more})

    def read_ticks(self) -> None:
        """The ticks in order, up to the end or to one that is not understood."""
        place = f"{self.pointer}/action_ticks"
        ticks = field(self.played, "action_ticks", list, self.pointer)
        for number, tick in enumerate(ticks[:MOST_TICKS]):
            pointer = f"{place}/{number}"
            parts = items(tick, pointer)
            kind = parts[0] if parts and isinstance(parts[0], str) else ""
            if kind == "end":
                return
            reader = TICKS.get(kind)
            if reader is None:
                self.unknown(tick, pointer)
                self.changes = None
                return
            reader(self, parts, number, pointer)

    def following(self, seat: int) -> int:
        """The next seat in play."""
        return next(
            other % 4
            for other in range(seat + 1, seat + 5)
            if other % 4 not in self.gone or other == seat + 4
        )

    def add(self, scores: list[int]) -> None:
        """Enter score changes that the record states."""
        if self.changes is not None:
            self.changes = [mine + more for mine, more in zip(self.changes, scores, strict=True)]

    def add_after(self, parts: list[Any], mark: str, pointer: str) -> None:
        """The four score changes that follow a mark in a tick, where there are any."""
        if mark in parts:
            at = parts.index(mark)
            self.add(four_integers(parts[at + 1 : at + 5], pointer))

    def draw(self, parts: list[Any], number: int, pointer: str) -> None:
        """``d``: the next seat in play draws."""
        source = self.turn
        if self.takers:
            source = max(self.takers, key=lambda seat: (seat - self.turn) % 4)
        self.turn = self.following(source)
        self.takers = []
        self.act("draw", self.turn, tile_at(parts, pointer))

    def draw_replacement(self, parts: list[Any], number: int, pointer: str) -> None:
        """``gd``: the seat that ganged draws."""
        self.act("draw", self.turn, tile_at(parts, pointer))

    def discard(self, parts: list[Any], number: int, pointer: str) -> None:
        """``c``: the seat whose turn it is discards."""
        self.last = tile_at(parts, pointer)
        self.takers = []
        self.act("discard", self.turn, self.last)
        self.passes(number)

    def peng(self, parts: list[Any], number: int, pointer: str) -> None:
        """``p``: a peng of the discard."""
        self.turn = seat_at(parts, 2, pointer)
        self.act("peng", self.turn, tile_at(parts, pointer))

    def gang_zhi(self, parts: list[Any], number: int, pointer: str) -> None:
        """``g``: a direct gang."""
        self.turn = seat_at(parts, 2, pointer)
        self.act("gang", self.turn, tile_at(parts, pointer), kind="zhi")
        self.add_after(parts, "gs", pointer)

    def gang_an(self, parts: list[Any], number: int, pointer: str) -> None:
        """``ag``: a concealed gang."""
        self.act("gang", self.turn, tile_at(parts, pointer), kind="an")
        self.add_after(parts, "gs", pointer)

    def gang_bu(self, parts: list[Any], number: int, pointer: str) -> None:
        """``jg``: an added gang, which others may rob."""
        self.last = tile_at(parts, pointer)
        self.takers = []
        self.act("gang", self.turn, self.last, kind="bu")
        self.add_after(parts, "gs", pointer)
        self.passes(number)

    def refund(self, parts: list[Any], number: int, pointer: str) -> None:
        """``gr``: gang income given back; the rules say when, so it is a score change and no action."""
        self.add_after(parts, "gs", pointer)

    def hu_self(self, parts: list[Any], number: int, pointer: str) -> None:
        """A self-drawn hu."""
        self.win(parts, pointer, tile_at(parts, pointer, 5))

    def hu(self, parts: list[Any], number: int, pointer: str) -> None:
        """A hu on a discard or on a robbed gang."""
        seat = seat_at(parts, 1, pointer)
        at = len(self.actions)
        if self.side is not None and self.decided.get(seat) != "hu":
            chose = self.decided.get(seat)
            self.contradict(
                "hu", "the seat hu'd", f"it chose {chose}" if chose else "it decided nothing", at, seat
            )
        self.takers.append(seat)
        self.win(parts, pointer, self.last, source=self.turn)

    def win(self, parts: list[Any], pointer: str, name: str, source: int | None = None) -> None:
        """Enter a hu and what the server says of it."""
        seat = seat_at(parts, 1, pointer)
        claimed: dict[str, Any] = {"seat": seat, "at": len(self.actions)}
        if len(parts) > 2 and type(parts[2]) is int and parts[2] >= 0:
            claimed["price"] = parts[2]
        named = fans(items(parts[3] if len(parts) > 3 else None, f"{pointer}/3"))
        if named is None:
            self.unknown(parts[3], f"{pointer}/3")
        else:
            claimed["shapes"] = named
        self.wins.append(claimed)
        self.act("hu", seat, name, **({} if source is None else {"from": source}))
        self.gone.add(seat)
        if source is None:
            self.turn = seat
        if len(parts) > 4:
            self.add(four_integers(parts[4], f"{pointer}/4"))

    def settlement(self, parts: list[Any], number: int, pointer: str) -> None:
        """``liuju``: the settlement at the end; a bare one carries none."""
        if len(parts) == 1:
            self.changes = None
        elif parts[1] == "settle_hu":
            self.add(four_integers(parts[6] if len(parts) > 6 else None, f"{pointer}/6"))
        elif parts[1] == "chajiao":
            self.add(four_integers(parts[5] if len(parts) > 5 else None, f"{pointer}/5"))

    def nothing(self, parts: list[Any], number: int, pointer: str) -> None:
        """``ca``: a claim asked for and not carried out is no action."""


def tile_at(parts: list[Any], pointer: str, at: int = 1) -> str:
    """The tile at a place of a tick."""
    return tile(parts[at] if len(parts) > at else None, f"{pointer}/{at}")


TICKS: dict[str, Callable[[HandReader, list[Any], int, str], None]] = {
    "d": HandReader.draw,
    "gd": HandReader.draw_replacement,
    "c": HandReader.discard,
    "p": HandReader.peng,
    "g": HandReader.gang_zhi,
    "ag": HandReader.gang_an,
    "jg": HandReader.gang_bu,
    "gr": HandReader.refund,
    "hu_self": HandReader.hu_self,
    "hu_first": HandReader.hu,
    "hu_second": HandReader.hu,
    "hu_third": HandReader.hu,
    "ca": HandReader.nothing,
    "liuju": HandReader.settlement,
}
"""One reader a kind of tick."""
