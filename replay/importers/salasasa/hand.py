"""One hand of a Salasasa record: its ticks, read into actions.

The ticks do not say who draws, discards or adds to a peng: the seat follows from the turn. Whether a discard was the
tile just drawn (``T`` or ``F``) is not kept, no rule asks for it.
"""

from collections.abc import Callable
from typing import Any

from replay.findings import Finding
from replay.importers.fields import field, four_integers, item, items, seat_at
from replay.importers.malformed import Malformed, shown
from replay.importers.salasasa.account import Account
from replay.importers.salasasa.money import STATUSES, Money
from replay.importers.salasasa.names import changes_of, fans, strange, tile_at, tiles

SEATS = range(4)
MOST_TICKS = 2000
MOST_NAME = 32


class HandReader:
    """Reads the ticks of one hand. ``gap`` is the first tick that the account has no decision for, None where whole."""

    def __init__(self, number: int, pointer: str, played: object, account: Account | None) -> None:
        self.number = number
        self.pointer = pointer
        self.played = played
        self.account = account
        self.findings: list[Finding] = []
        self.undecided: list[Finding] = []
        self.actions: list[dict[str, Any]] = []
        self.wins: list[dict[str, Any]] = []
        self.money = Money()
        self.turn = 0
        self.gone: set[int] = set()
        self.takers: list[int] = []
        self.chosen: dict[int, str] = {}
        self.asked: list[dict[str, Any]] = []
        self.added = False
        self.gap: int | None = None
        self.ended = False

    def hand(self) -> dict[str, Any]:
        """The hand as our format writes it."""
        dealer, deal, wall = self.dealt()
        self.turn = dealer
        if self.account is not None:
            self.compare("dealer", dealer, self.account.dealer)
            for seat, suit in enumerate(self.account.voids):
                self.actions.append({"type": "void", "seat": seat, "suit": suit})
        self.act("draw", dealer, wall[:2])
        self.ended = self.read_ticks()
        self.close()
        hand = {"dealer": dealer, "deal": deal, "wall": wall, "actions": self.actions}
        return {**hand, "x_asked": self.asked} if self.asked else hand

    def dealt(self) -> tuple[int, list[str], str]:
        """The dealer (the seat that holds 14 tiles), the thirteen of each seat, and the wall from that 14th tile on."""
        held = [field(self.played, f"p{seat}_tiles", list, self.pointer) for seat in SEATS]
        counts = [len(given) for given in held]
        if sorted(counts) != [13, 13, 13, 14]:
            raise Malformed(self.pointer, counts, "13 tiles a seat and a 14th for one of them")
        dealer = counts.index(14)
        hands = [tiles(given, f"{self.pointer}/p{seat}_tiles") for seat, given in enumerate(held)]
        rest = tiles(field(self.played, "tiles_list", list, self.pointer), f"{self.pointer}/tiles_list")
        return dealer, [given[:26] for given in hands], hands[dealer][26:] + rest

    def close(self) -> None:
        """What is to be said once all ticks are read."""
        assert isinstance(self.played, dict)
        for pointer, found in strange(self.played, self.pointer, "round"):
            self.unknown(pointer, found)
        if not self.ended:
            self.money.lost = "the record of this hand breaks off, so its settlement can't be compared"
        elif self.money.unpaid and not self.money.lost:
            self.money.lost = "a hu of this hand was never settled in the record"
        if self.account is not None and self.ended and self.account.rest():
            self.unknown(f"{self.account.pointer}/decisions", f"{self.account.rest()} that fit no tick")
        if self.gap is None:
            self.findings += self.undecided
        else:
            self.lose("pass", f"what was decided at tick {self.gap} is missing, so passes may be missing too")

    # Findings ------------------------------------------------------------------------------------

    def lose(self, fact: str, effect: str) -> None:
        """IMP001: what this hand's record lacks."""
        self.findings.append(Finding("IMP001", {"fact": fact, "effect": effect}, hand=self.number))

    def compare(self, what: str, record: object, evidence: object) -> None:
        """IMP004 where the record and the account beside it differ."""
        if record != evidence:
            facts = {"what": what, "record": str(record), "evidence": str(evidence)}
            pointer = f"/hands/{self.number}"
            self.findings.append(Finding("IMP004", facts, self.number, pointer=pointer))

    def unknown(self, pointer: str, found: str) -> None:
        """IMP003: what the importer does not understand."""
        self.findings.append(Finding("IMP003", {"field": pointer, "found": found}, hand=self.number))

    def decided_hu(self, seat: int) -> None:
        """IMP004 for a hu that the seat did not choose; whole accounts only show that, so it waits for the end."""
        chose = self.chosen.get(seat, "")
        if self.account is None or chose == "hu":
            return
        at = len(self.actions)
        evidence = f"it chose {chose}" if chose else "it decided nothing"
        facts = {"what": "hu", "record": "the seat hu'd", "evidence": evidence}
        found = Finding("IMP004", facts, self.number, at, seat, pointer=f"/hands/{self.number}/actions/{at}")
        (self.findings if chose else self.undecided).append(found)

    # The account ---------------------------------------------------------------------------------

    def in_turn(self, number: int) -> None:
        """Compare the seat whose turn it is with the one that the account saw decide."""
        if self.account is None:
            return
        decided = self.account.in_turn(number)
        if decided is None:
            self.miss(number)
        else:
            self.compare(f"turn at tick {number}", self.turn, decided)

    def miss(self, number: int) -> None:
        """The account has nothing for this tick."""
        if self.gap is None:
            self.gap = number

    def claimed(self, seat: int, what: str, number: int) -> None:
        """A peng or gang that the account must know of."""
        if self.account is not None and self.chosen.get(seat) != what:
            self.miss(number)

    def lay(self, number: int) -> None:
        """A tile lies to be claimed: enter who declined what."""
        self.takers = []
        self.chosen = {}
        for decision in self.account.about(number) if self.account is not None else ():
            self.chosen[decision.seat] = decision.chose
            if decision.declined:
                self.actions.append({"type": "pass", "seat": decision.seat, "declined": decision.declined})

    # Ticks -----------------------------------------------------------------------------------------

    def act(self, kind: str, seat: int, name: str, /, **more: Any) -> None:
        """Enter an action."""
        self.actions.append({"type": kind, "seat": seat, "tile": name, **more})

    def read_ticks(self) -> bool:
        """The ticks in order; whether they reach the hand's end, and not one that is not understood."""
        place = f"{self.pointer}/action_ticks"
        ticks = field(self.played, "action_ticks", list, self.pointer)
        if len(ticks) > MOST_TICKS:
            raise Malformed(place, f"{len(ticks)} ticks", f"at most {MOST_TICKS} ticks")
        for number, tick in enumerate(ticks):
            pointer = f"{place}/{number}"
            parts = items(tick, pointer)
            kind = item(parts, 0)
            if kind == "end":
                if number + 1 < len(ticks):
                    self.unknown(f"{place}/{number + 1}", shown(ticks[number + 1]))
                return True
            reader = TICKS.get(kind) if isinstance(kind, str) else None
            if reader is None:
                self.unknown(pointer, shown(tick))
                return False
            reader(self, parts, number, pointer)
            self.added = kind == "jg"
        return False

    def following(self, seat: int) -> int:
        """The next seat in play; where none is left, the seat itself."""
        return next((n % 4 for n in range(seat + 1, seat + 5) if n % 4 not in self.gone), seat)

    def draw(self, parts: list[Any], number: int, pointer: str) -> None:
        """``d``: the next seat in play draws, after a hu the one that follows the last winner."""
        source = max(self.takers, key=lambda seat: (seat - self.turn) % 4) if self.takers else self.turn
        self.turn = self.following(source)
        self.takers = []
        self.act("draw", self.turn, tile_at(parts, pointer))

    def draw_replacement(self, parts: list[Any], number: int, pointer: str) -> None:
        """``gd``: the seat that ganged draws."""
        self.act("draw", self.turn, tile_at(parts, pointer))

    def discard(self, parts: list[Any], number: int, pointer: str) -> None:
        """``c``: the seat whose turn it is discards."""
        self.in_turn(number)
        self.act("discard", self.turn, tile_at(parts, pointer))
        self.lay(number)

    def peng(self, parts: list[Any], number: int, pointer: str) -> None:
        """``p``: a peng of the discard."""
        self.turn = seat_at(parts, 2, pointer)
        self.claimed(self.turn, "peng", number)
        self.act("peng", self.turn, tile_at(parts, pointer))

    def gang_zhi(self, parts: list[Any], number: int, pointer: str) -> None:
        """``g``: a direct gang."""
        self.turn = seat_at(parts, 2, pointer)
        self.claimed(self.turn, "gang", number)
        self.gang(parts, pointer, "zhi")

    def gang_an(self, parts: list[Any], number: int, pointer: str) -> None:
        """``ag``: a concealed gang."""
        self.in_turn(number)
        self.gang(parts, pointer, "an")

    def gang_bu(self, parts: list[Any], number: int, pointer: str) -> None:
        """``jg``: an added gang, which others may rob."""
        self.in_turn(number)
        self.gang(parts, pointer, "bu")
        self.lay(number)

    def gang(self, parts: list[Any], pointer: str, kind: str) -> None:
        """Enter a gang and its income; one that earns nothing states no changes."""
        if "gs" in parts:
            self.money.gang(self.turn, changes_of(parts, pointer), len(self.actions))
        self.act("gang", self.turn, tile_at(parts, pointer), kind=kind)

    def refund(self, parts: list[Any], number: int, pointer: str) -> None:
        """``gr``: gang income given back; the rules say when, so it is a payment and no action."""
        self.money.refund(changes_of(parts, pointer), len(self.actions), self.added)

    def hu_self(self, parts: list[Any], number: int, pointer: str) -> None:
        """A self-drawn hu."""
        self.in_turn(number)
        self.turn = self.win(parts, pointer)

    def hu(self, parts: list[Any], number: int, pointer: str) -> None:
        """A hu on a discard or on a robbed gang."""
        self.decided_hu(seat_at(parts, 1, pointer))
        self.takers.append(self.win(parts, pointer, **{"from": seat_at(parts, 7, pointer)}))

    def win(self, parts: list[Any], pointer: str, **source: int) -> int:
        """Enter a hu and what the server says of it; returns the winner."""
        seat, at = seat_at(parts, 1, pointer), len(self.actions)
        claim: dict[str, Any] = {"seat": seat, "at": at}
        price = item(parts, 2)
        if type(price) is int and price >= 0:
            claim["price"] = price
        else:
            self.unknown(f"{pointer}/2", shown(price))
        named = fans(items(item(parts, 3), f"{pointer}/3"))
        if named is None:
            self.unknown(f"{pointer}/3", shown(parts[3]))
        else:
            claim["shapes"] = named
        self.wins.append(claim)
        self.money.win(seat, four_integers(item(parts, 4), f"{pointer}/4"), at)
        self.act("hu", seat, tile_at(parts, pointer, 5), **source)
        self.gone.add(seat)
        return seat

    def settlement(self, parts: list[Any], number: int, pointer: str) -> None:
        """``liuju``: a step of the settlement at the end; a bare one carries none."""
        step = item(parts, 1)
        if step == "settle_hu":
            changes = four_integers(item(parts, 6), f"{pointer}/6")
            self.money.settle_win(seat_at(parts, 3, pointer), changes)
        elif step == "chajiao" and (status := item(parts, 3)) in STATUSES:
            changes = four_integers(item(parts, 5), f"{pointer}/5")
            self.money.reveal(seat_at(parts, 2, pointer), status, changes)
        elif len(parts) == 1:
            self.money.lost = "the record carries no settlement of this hand, so none can be compared"
        elif step != "reveal_hu":
            self.unknown(pointer, shown(parts))
            self.money.lost = "a step of this hand's settlement was not understood, so none can be compared"

    def ask(self, parts: list[Any], number: int, pointer: str) -> None:
        """``ca``: a claim asked for and not carried out is no action; it is kept beside them."""
        seat, claim = seat_at(parts, 1, pointer), item(parts, 2)
        if not isinstance(claim, str) or len(claim) > MOST_NAME:
            raise Malformed(f"{pointer}/2", claim, "the name of a claim")
        name = tile_at(parts, pointer, 3)
        self.asked.append({"seat": seat, "claim": claim, "tile": name, "at": len(self.actions)})


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
    "ca": HandReader.ask,
    "liuju": HandReader.settlement,
}
"""One reader a kind of tick."""
