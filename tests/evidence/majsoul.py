"""Mahjong Soul's 赤羽之战 records as logs: a hand is a list of messages, read one after another."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

GAPS = "pms"
KINDS = {1: "peng", 2: "zhi"}
OWN_KINDS = {2: "bu", 3: "an"}
FANS = {
    1000: "gen",
    1002: "gang_pao",
    1003: "ping_hu",
    1004: "qiang_gang",
    1005: "dui_dui_hu",
    1006: "qing_yi_se",
    1007: "qi_dui",
    1009: "jin_gou_diao",
    1012: "long_qi_dui",
    1021: "hai_di",
}
DIRECTIONS = {1: "next", 2: "opposite", 3: "previous"}


def games(path: Path) -> Iterator[Facts]:
    """Every record of a file, in its order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def log_of(game: Facts, at: int) -> Facts:
    """The log of one hand of a record, with what the program settled as its claim."""
    swap = game["conf"]["huansanzhang"]
    return {
        "format": "xuezhan-log/1",
        "id": f"majsoul-{game['seed']}-{at}",
        "rules": {"profile": "chiyu", "options": {"swap": "same_suit"} if swap else {}},
        "records": ["wall"],
        "players": [{"id": f"p{seat}", "name": f"p{seat}"} for seat in range(4)],
        "hands": [Hand(game["rounds"][at], game["side"][at]["dealer"]).log()],
    }


def booked(game: Facts, at: int) -> list[Facts]:
    """What the program paid for gangs and for each hu of one hand, entry by entry."""
    hand = Hand(game["rounds"][at], game["side"][at]["dealer"])
    hand.log()
    return hand.ledger


def at_wall_end(game: Facts, at: int) -> tuple[list[int], list[int]] | None:
    """What not being ready cost each seat, and the gang income returned; none if the hand ended by the third hu."""
    last = game["rounds"][at][-1]
    if last["name"] != "RecordNoTile":
        return None
    (told,) = last["data"]["scores"]
    return told["delta_scores"], told["taxes"]


def misdealt(game: Facts, at: int) -> int | None:
    """The seat that was dealt the dealer's fourteenth tile by mistake and played on with it, if any did."""
    holder = holds_fourteen(game["rounds"][at])
    return None if holder == game["side"][at]["dealer"] else holder


def holds_fourteen(messages: list[Facts]) -> int:
    return next(seat for seat in range(4) if len(messages[0]["data"][f"tiles{seat}"]) == 14)


class Hand:
    """One hand being read: its messages in, the actions and the claim of a log out."""

    def __init__(self, messages: list[Facts], dealer: int) -> None:
        self.messages = messages
        self.dealer = dealer
        self.start = messages[0]["data"]
        self.scores: list[int] = self.start["scores"]
        self.actions: list[Facts] = []
        self.wins: list[Facts] = []
        self.ledger: list[Facts] = []
        self.made: Facts = {"dealer": dealer}
        self.source = dealer

    def log(self) -> Facts:
        """The hand as a log states it."""
        first, wall = self.opening()
        for message in self.messages[1:]:
            self.read(message["name"].removeprefix("Record"), message["data"], first)
        net = [after - before for after, before in zip(self.scores, self.start["scores"], strict=True)]
        claimed: Facts = {"scores": net, "wins": self.wins}
        if self.messages[-1]["name"] != "RecordNoTile":
            claimed["ledger"] = self.ledger
        rest = {"wall": wall, "holdings": self.start["scores"], "actions": self.actions, "claimed": claimed}
        return self.made | rest

    def opening(self) -> tuple[str, str]:
        """The dealer's fourteenth tile and the wall with it; the deal goes into the hand.

        The program deals fourteen before the swap, and a log states the fourteenth as drawn after it: so it is the
        last one dealt that was not given away. Where it went to a wrong seat it is one which that seat never played.
        """
        tiles = [self.start["paishan"][at : at + 2] for at in range(0, len(self.start["paishan"]), 2)]
        deal = [self.dealt(seat).copy() for seat in range(4)]
        holder = holds_fourteen(self.messages)
        first = self.not_given(tiles) if holder == self.dealer else self.never_played(holder)
        deal[holder].remove(first)
        self.made["deal"] = ["".join(each) for each in deal]
        return first, first + "".join(tiles[-55:])

    def not_given(self, tiles: list[str]) -> str:
        """The dealer's fourteenth tile (four, four, four, one, and one more), or another if that was swapped."""
        given = Counter(swapped(self.messages[1], self.dealer, "out"))
        dealt = Counter(self.dealt(self.dealer))
        return next(tile for tile in (tiles[52], *dealt) if dealt[tile] > given[tile])

    def never_played(self, holder: int) -> str:
        """The last tile of a seat's deal that it held to the end, rather none of the dealer's void suit."""
        left = Counter(self.dealt(holder))
        void = "m"
        for message in self.messages:
            left.update(taken(message, holder))
            left.subtract(played(message, holder))
            if message["name"] == "RecordSelectGap":
                void = GAPS[message["data"]["gap_types"][self.dealer]]
        kept = [tile for tile in reversed(self.dealt(holder)) if left[tile] > 0]
        return min(kept, key=lambda tile: tile[1] == void)

    def dealt(self, seat: int) -> list[str]:
        tiles: list[str] = self.start[f"tiles{seat}"]
        return tiles

    def read(self, name: str, data: Facts, first: str) -> None:
        """Takes one message in."""
        if name == "ChangeTile":
            self.swap(data["change_tile_infos"])
        elif name == "SelectGap":
            for seat, gap in enumerate(data["gap_types"]):
                self.act("void", seat, suit=GAPS[gap])
            self.act("draw", self.dealer, tile=first)
        elif name in ("DealTile", "DiscardTile"):
            self.act({"DealTile": "draw", "DiscardTile": "discard"}[name], data["seat"], tile=data["tile"])
            self.source = data["seat"]
        elif name == "ChiPengGang":
            self.claim(data)
        elif name == "AnGangAddGang":
            self.act("gang", data["seat"], tile=data["tiles"][:2], kind=OWN_KINDS[data["type"]])
            self.source = data["seat"]
        elif name.startswith("HuleXueZhan"):
            self.hu(data)
        elif name.startswith("GangResult"):
            self.book("gang", data["gang_infos"])
        elif name == "NoTile":
            self.scores = closing(data["scores"])
        else:
            raise ValueError(f"an unknown message: {name}")

    def act(self, action: str, seat: int, **rest: Any) -> None:
        self.actions.append({"type": action, "seat": seat, **rest})

    def swap(self, infos: list[Facts]) -> None:
        """The four swaps, and the direction in which they went."""
        for seat, info in enumerate(infos):
            self.act("swap", seat, tiles=info["out_tiles"])
        steps = [
            step
            for step in DIRECTIONS
            if all(
                Counter(infos[(seat + step) % 4]["in_tiles"]) == Counter(infos[seat]["out_tiles"])
                for seat in range(4)
            )
        ]
        self.made["swap"] = {"direction": DIRECTIONS[steps[0]]}

    def claim(self, data: Facts) -> None:
        """A peng, or a gang of a discard."""
        tile, kind = data["tiles"][0], KINDS[data["type"]]
        if kind == "peng":
            self.act("peng", data["seat"], tile=tile)
        else:
            self.act("gang", data["seat"], tile=tile, kind=kind)

    def hu(self, data: Facts) -> None:
        """Every hu of one moment, in turn order from the seat whose tile it was."""
        for won in sorted(data["hules"], key=lambda each: (each["seat"] - self.source) % 4):
            source = {} if won["zimo"] else {"from": self.source}
            self.act("hu", won["seat"], tile=won["hu_tile"], **source)
            shapes = [FANS[fan["id"]] for fan in won["fans"]]
            at, fan = len(self.actions) - 1, won["count"]
            price = 1000 * 2 ** (min(fan, 6) - 1)
            self.wins.append({"seat": won["seat"], "at": at, "fan": fan, "price": price, "shapes": shapes})
        self.book("hu", data)

    def book(self, kind: str, told: Facts) -> None:
        """Takes in what the program paid: one receiver from several, or one payer to several."""
        changes = list(enumerate(told["delta_scores"]))
        gained = [(seat, change) for seat, change in changes if change > 0]
        lost = [(seat, -change) for seat, change in changes if change < 0]
        if len(gained) == 1:
            entries = [(seat, gained[0][0], amount) for seat, amount in lost]
        else:
            ((payer, _),) = lost
            entries = [(payer, seat, amount) for seat, amount in gained]
        self.ledger += [{"kind": kind, "from": a, "to": b, "amount": amount} for a, b, amount in entries]
        self.scores = told["scores"]


def swapped(message: Facts, seat: int, way: str) -> list[str]:
    """The tiles that a seat gave ("out") or got ("in") in a message, if that is the swap."""
    if message["name"] != "RecordChangeTile":
        return []
    tiles: list[str] = message["data"]["change_tile_infos"][seat][f"{way}_tiles"]
    return tiles


def taken(message: Facts, seat: int) -> list[str]:
    """The tiles that came into a seat's hand with one message."""
    data = message["data"]
    drawn = [data["tile"]] if message["name"] == "RecordDealTile" and data["seat"] == seat else []
    return drawn + swapped(message, seat, "in")


def played(message: Facts, seat: int) -> list[str]:
    """The tiles that left a seat's hand with one message, whatever became of them."""
    name, data = message["name"], message["data"]
    if data.get("seat") != seat:
        return swapped(message, seat, "out")
    if name == "RecordDiscardTile":
        return [data["tile"]]
    if name == "RecordChiPengGang":
        return [tile for tile, giver in zip(data["tiles"], data["froms"], strict=True) if giver == seat]
    if name == "RecordAnGangAddGang":
        return [data["tiles"][:2]] * (1 if OWN_KINDS[data["type"]] == "bu" else 4)
    return []


def closing(told: list[Facts]) -> list[int]:
    """The scores when the wall is empty: what not being ready cost, and the gang income returned."""
    (last,) = told
    return [sum(each) for each in zip(last["old_scores"], last["delta_scores"], last["taxes"], strict=True)]
