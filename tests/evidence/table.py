"""Small sittings written by hand: four hands, a script of actions, and a wall that runs out by itself.

A script is one token an action: seat A–D, a sign, a tile. ``+`` draw, ``-`` discard, ``=`` peng, ``#`` direct gang,
``@`` added gang, ``*`` concealed gang, ``!`` hu, ``^`` ting. Without a tile ``~`` is flight, ``:`` the
draw of a tile that nobody waits for, and ``.`` the same with its discard.
"""

import json
import re
from collections import Counter
from random import Random
from typing import Any

from replay import audit, load_profile, waits
from replay.tiles import TILES

Facts = dict[str, Any]

SEATS = "ABCD"
SIGNS = {
    "+": ("draw", {}),
    "-": ("discard", {}),
    "=": ("peng", {}),
    "#": ("gang", {"kind": "zhi"}),
    "@": ("gang", {"kind": "bu"}),
    "*": ("gang", {"kind": "an"}),
    "!": ("hu", {}),
    "^": ("ting", {}),
    "~": ("flee", {}),
}
WAYS = {"next": 1, "opposite": 2, "previous": 3}

TOKEN = re.compile(r"([A-D])([-+=#@*!^~.:])(\d[mpsz])?")


def tiles(written: str) -> list[str]:
    """The tiles of a hand written in runs: ``123m55p``."""
    return [rank + run[-1] for run in re.findall(r"\d+[mpsz]", written) for rank in run[:-1]]


class Sitting:
    """One hand of a sitting being written.

    ``hands`` are by seat, in runs such as ``123m55p``; after ``..`` stand the suits of which the rest is filled up to
    thirteen without getting ready; a seat left out gets such a hand of characters and bamboos. None of these tiles
    is one of ``keep``. Where there are wildcards the tile turned up is ``indicator``.
    Where the rule set declares void suits each seat's is one that it does not hold, or that of ``voids``.
    """

    def __init__(
        self,
        profile: str,
        hands: dict[str, str],
        *,
        dealer: str = "A",
        options: Facts | None = None,
        voids: dict[str, str] | None = None,
        direction: str = "next",
        keep: str = "",
        indicator: str = "8s",
        **rest: Any,
    ) -> None:
        self.rules = load_profile(profile, options)
        self.named: Facts = {"profile": profile, "options": options or {}}
        self.left = Counter(dict.fromkeys(TILES[: self.rules.tiles // 4], 4))
        self.melds: dict[str, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
        self.actions: list[Facts] = []
        self.made: Facts = {"dealer": SEATS.index(dealer), **rest}
        self.out: set[str] = set()
        self.source = ""
        self.drawer = dealer
        if self.rules.ting_yong == "indicator":
            self.made["indicator"] = indicator
            self.left[indicator] -= 1
        self.wild = f"{int(indicator[0]) % 9 + 1}{indicator[1]}"
        self.kept = {self.wild, *tiles(keep)}
        self.hands = self.filled({seat: hands.get(seat, "..ms").partition("..") for seat in SEATS})
        assert min(self.left.values()) >= 0, "more than four of a tile"
        assert {len(hand) for hand in self.hands.values()} == {13}, "a hand is not of thirteen tiles"
        self.voids = {seat: self.void_of(seat) for seat in SEATS} | (voids or {})
        self.open(direction)

    def filled(self, written: dict[str, tuple[str, str, str]]) -> dict[str, list[str]]:
        """The four hands: first what is written of each, then what is missing."""
        hands = {seat: tiles(part) for seat, (part, _, _) in written.items()}
        for hand in hands.values():
            self.left.subtract(hand)
        for seat, (_, _, suits) in written.items():
            if len(hands[seat]) < 13:
                hands[seat] = self.far_from_ready(hands[seat], suits)
        return hands

    def far_from_ready(self, start: list[str], suits: str) -> list[str]:
        """Thirteen tiles that wait for nothing: some, and others of these suits."""
        chance = Random(sum(self.left.values()))
        pool = [tile for tile in (+self.left).elements() if tile[1] in suits and tile not in self.kept]
        while True:
            hand = start + chance.sample(pool, 13 - len(start))
            if not waits("".join(hand), profile="zimo"):
                self.left.subtract(hand[len(start) :])
                return hand

    def void_of(self, seat: str) -> str:
        held = {tile[1] for tile in self.hands[seat]}
        return next((suit for suit in "mps" if suit not in held), "m")

    def open(self, direction: str) -> None:
        """The deal, and what comes before the dealer's first draw: swaps and void suits."""
        dealt = {seat: list(hand) for seat, hand in self.hands.items()}
        if self.rules.swap != "none":
            self.made["swap"] = {"direction": direction}
            gets = {seat: three_of_a_suit(self.hands[seat]) for seat in SEATS}
            for at, seat in enumerate(SEATS):
                given = gets[SEATS[(at + WAYS[direction]) % 4]]
                dealt[seat] = list((Counter(dealt[seat]) - Counter(gets[seat])).elements()) + given
                self.actions.append({"type": "swap", "seat": at, "tiles": given})
        self.made["deal"] = ["".join(dealt[seat]) for seat in SEATS]
        if self.rules.void == "declared":
            self.actions += [
                {"type": "void", "seat": at, "suit": self.voids[seat]} for at, seat in enumerate(SEATS)
            ]

    def play(self, script: str) -> "Sitting":
        """Writes the actions of a script."""
        for token in script.split():
            parts = TOKEN.fullmatch(token)
            assert parts is not None, token
            seat, sign, tile = parts.groups()
            if sign in ".:":
                tile = self.spare(seat, script)
                self.write(seat, "+", tile)
            if sign != ":":
                self.write(seat, "-" if sign == "." else sign, tile)
        return self

    def spare(self, seat: str, script: str) -> str:
        """A tile of the seat's suits that nobody waits for and the script does not name, of those most are left of."""
        wanted = {tile for other in SEATS if other not in self.out for tile in self.waits(other)}
        suits = {tile[1] for tile in self.hands[seat]}
        fits = [tile for tile in +self.left if tile not in wanted and tile not in script and tile[1] in suits]
        return max(fits, key=lambda tile: self.left[tile])

    def write(self, seat: str, sign: str, tile: str | None) -> None:
        """One action, and what it does to the tiles."""
        kind, more = SIGNS[sign]
        action: Facts = {"type": kind, "seat": SEATS.index(seat), **more}
        if tile is not None:
            action["tile"] = tile
        if sign == "!" and self.source != seat:
            action["from"] = SEATS.index(self.source)
        self.actions.append(action)
        self.move(seat, sign, tile or "")

    def move(self, seat: str, sign: str, tile: str) -> None:
        """Keeps the hands as the action leaves them."""
        hand = self.hands[seat]
        laid = {"-": 1, "=": 2, "#": 3, "@": 1, "*": 4}.get(sign, 0)
        for _ in range(min(laid, hand.count(tile))):
            hand.remove(tile)
        if sign == "+":
            hand.append(tile)
            self.left[tile] -= 1
        elif sign in "=#*":
            self.melds[seat].append(({"=": "peng", "#": "zhi", "*": "an"}[sign], tile))
        elif sign == "@":
            self.melds[seat] = [("bu", tile) if meld == ("peng", tile) else meld for meld in self.melds[seat]]
        elif sign == "!":
            self.out |= set() if self.rules.ends == "wall" else {seat}
        if sign in "+-@*=#":
            self.source = seat
        if sign in "-!":
            self.drawer = self.after(seat)

    def after(self, seat: str) -> str:
        """The next seat in play."""
        turn = [SEATS[(SEATS.index(seat) + step) % 4] for step in range(1, 5)]
        return next((other for other in turn if other not in self.out), seat)

    def run_out(self, until: int = 0, keep: str = "", suits: dict[str, str] | None = None) -> "Sitting":
        """Everyone draws and discards what is left, but for so many tiles; nothing if the hand is over.

        Tiles that somebody waits for come before the last four; those in ``keep`` are not drawn. ``suits``: what a
        seat draws as long as there is any, and nobody else.
        """
        if len(self.out) == 3 or (self.out and self.rules.ends == "first_hu"):
            return self
        wanted = {tile for seat in SEATS if seat not in self.out for tile in self.waits(seat)}
        rest = +self.left - Counter(tiles(keep))
        rows = sorted(rest.elements(), key=lambda tile: tile not in wanted and tile != self.wild)
        for _ in range(len(rows) + len(tiles(keep)) - until):
            tile = next_for(self.drawer, rows, suits or {})
            rows.remove(tile)
            self.play(f"{self.drawer}+{tile} {self.drawer}-{tile}")
        return self

    def waits(self, seat: str) -> list[str]:
        """What a seat of thirteen waits for."""
        if len(self.hands[seat]) % 3 != 1:
            return []
        options = self.named["options"] | {"dead_wait": "never"}
        void = self.voids[seat] if self.rules.void == "declared" else None
        wild = self.wild if self.rules.ting_yong == "indicator" else None
        held: Facts = {"melds": self.melds[seat], "void": void, "wild": wild, "options": options}
        return waits("".join(self.hands[seat]), profile=self.named["profile"], **held)

    def log(self, *more: "Sitting") -> Facts:
        """The whole log: this hand, and others after it."""
        hands = [{**each.made, "actions": each.actions} for each in (self, *more)]
        players = [{"id": seat, "name": seat} for seat in SEATS]
        head: Facts = {"format": "xuezhan-log/1", "id": "evidence", "rules": self.named}
        return {**head, "players": players, "hands": hands}

    def report(self) -> "Outcome":
        """What the audit makes of it."""
        report = audit(json.dumps(self.log()).encode()).to_dict()
        assert report["findings"] == []
        return Outcome(report["hands"][0])

    def clean(self) -> "Outcome":
        """The same, where nothing may be found."""
        outcome = self.report()
        assert outcome.codes == []
        return outcome


class Outcome:
    """The report on one hand."""

    def __init__(self, hand: Facts) -> None:
        self.hand = hand
        self.codes: list[str] = [finding["code"] for finding in hand["findings"]]
        self.scores: list[int] = hand["scores"]
        self.wins: list[Facts] = hand["wins"]

    def net(self, *kinds: str, end: bool | None = None) -> list[int]:
        """What the entries of these kinds come to for each seat; ``end``: only those of the liuju, or only others."""
        scores = [0, 0, 0, 0]
        for entry in self.hand["ledger"]:
            if entry["kind"] in kinds and end in (None, entry["at"] is None):
                scores[entry["from"]] -= entry["amount"]
                if entry["to"] is not None:
                    scores[entry["to"]] += entry["amount"]
        return scores

    def at(self, code: str) -> tuple[int | None, int | None]:
        """The action and the seat of the only finding with a code."""
        (found,) = [finding for finding in self.hand["findings"] if finding["code"] == code]
        return found["action"], found["seat"]


def next_for(seat: str, rows: list[str], suits: dict[str, str]) -> str:
    """The first tile that a seat may draw without taking what another is to get."""
    others = "".join(suits.values())
    fits = [tile for tile in rows if (tile[1] in suits[seat] if seat in suits else tile[1] not in others)]
    return (fits or rows)[0]


def three_of_a_suit(hand: list[str]) -> list[str]:
    """Three tiles of one suit that a hand holds."""
    return next(own[:3] for suit in "mps" if len(own := [tile for tile in hand if tile[1] == suit]) >= 3)
