"""Records of dcmshi's program as logs: commands, and beside each the events that it caused."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

SUITS = {"man": "m", "pin": "p", "sou": "s"}
GANGS = {"promoted": "bu", "concealed": "an"}
DIRECTIONS = {1: "next", 2: "opposite", 3: "previous"}
FANS = {
    "Kong": "gang",
    "Root": "gen",
    "SevenPairs": "qi_dui",
    "UnderTheSea": "hai_di",
    "RobbingTheKong": "qiang_gang",
}
KINDS = {"hu": "hu", "kong": "gang", "kongRefund": "refund", "buTing": "da_jiao", "voidPenalty": "penalty"}


def hands(path: Path) -> Iterator[Facts]:
    """Every record of a file, a hand each, in its order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def tile_of(number: int) -> str:
    """A tile by the record's number, four of a kind in a row."""
    kind = number // 4
    return f"{kind % 9 + 1}{'mps'[kind // 9]}"


def seat_of(seat: int) -> int:
    """Our number of a seat: the turn passes to the seat before, there."""
    return -seat % 4


def options_of(config: Facts) -> Facts:
    """The options that the room's settings come to."""
    options: Facts = {"cap_fan": config["fanCap"], "rob_gang": config["enableRobbingKong"]}
    if config["enableHuanSanZhang"]:
        options["swap"] = "same_suit"
    if config["voidDiscardRule"] == "lenient":
        options["void_breach"] = "pot"
    if config["enableFlowerPig"]:
        options["hua_zhu"] = "cap"
    return options


def log_of(record: Facts) -> Facts:
    """The log of a record, with what the program settled as its claim."""
    return {
        "format": "xuezhan-log/1",
        "id": record["seed"],
        "rules": {"profile": "novikov-sbr", "options": options_of(record["config"])},
        "records": ["wall"],
        "players": [{"id": f"p{seat}", "name": f"p{seat}"} for seat in range(4)],
        "hands": [Hand(record).log()],
    }


class Hand:
    """One hand being read: its commands and their events in, the actions and the claim of a log out."""

    def __init__(self, record: Facts) -> None:
        self.record = record
        self.start = record["initial"]
        self.swaps = [command for command in record["actions"] if command["t"] == "huanSelect"]
        self.actions: list[Facts] = []
        self.wins: list[Facts] = []
        self.source = 0

    def log(self) -> Facts:
        """The hand as a log states it."""
        first = self.fourteenth()
        deal = [[*self.start["hands"][seat_of(seat)]] for seat in range(4)]
        deal[seat_of(self.start["dealer"])].remove(first)
        made: Facts = {"dealer": seat_of(self.start["dealer"]), "deal": list(map(tiles_of, deal))}
        if self.swaps:
            made["swap"] = {"direction": self.direction()}
        self.play(first)
        wall = tiles_of([first, *self.start["wall"][53:]])
        claimed = {"scores": self.scores(), "wins": self.wins, "ledger": ledger_of(self.record)}
        return made | {"wall": wall, "actions": self.actions, "claimed": claimed}

    def fourteenth(self) -> int:
        """The dealer's fourteenth tile, dealt before the swap there: another of its tiles if that one was given."""
        given = {number for command in self.swaps for number in command["tiles"]}
        dealt: list[int] = [self.start["wall"][52], *self.start["hands"][self.start["dealer"]]]
        return next(number for number in dealt if number not in given)

    def direction(self) -> str:
        """Which way the tiles went, from what each seat laid down or held at the end that it was not dealt."""
        sent = {command["seat"]: set(command["tiles"]) for command in self.swaps}
        had = [set(player["hand"]) | set(player["discards"]) for player in self.record["players"]]
        (step,) = [
            step for step in DIRECTIONS if all(sent[seat] & had[(seat - step) % 4] for seat in range(4))
        ]
        return DIRECTIONS[step]

    def scores(self) -> list[int]:
        """The net of the hand for each seat."""
        told = {seat_of(player["seat"]): player["scoreDelta"] for player in self.record["players"]}
        return [told[seat] for seat in range(4)]

    def play(self, first: int) -> None:
        """Every action of the hand; the dealer's fourteenth tile is drawn when all have swapped and declared."""
        events = dict(self.record["events"])
        opening = ("huanSelect", "declareVoid")
        for at, command in enumerate(self.record["actions"]):
            self.command(command)
            for event in sorted(events.get(at, []), key=self.turn):
                self.read(event)
            if command["t"] in opening and self.record["actions"][at + 1]["t"] not in opening:
                self.act("draw", self.start["dealer"], tile=tile_of(first))

    def turn(self, event: Facts) -> int:
        """Several hu of one moment stand in turn order from the seat whose tile it was."""
        return (seat_of(event["seat"]) - self.source) % 4 if event["e"] == "hu" else 0

    def act(self, action: str, seat: int, **rest: Any) -> None:
        self.actions.append({"type": action, "seat": seat_of(seat), **rest})

    def command(self, command: Facts) -> None:
        """Takes in the commands that no event repeats in full."""
        seat = command["seat"]
        if command["t"] == "huanSelect":
            self.act("swap", seat, tiles=[tile_of(number) for number in command["tiles"]])
        elif command["t"] == "declareVoid":
            self.act("void", seat, suit=SUITS[command["suit"]])
        elif command["t"] == "declareKongOnTurn":
            tile = f"{command['tile']['rank']}{SUITS[command['tile']['suit']]}"
            self.act("gang", seat, tile=tile, kind=GANGS[command["subtype"]])
            self.source = seat_of(seat)

    def read(self, event: Facts) -> None:
        """Takes in one event; payments are read from the ledger."""
        kind, seat = event["e"], event.get("seat", 0)
        if kind in ("drew", "kongReplacement"):
            self.act("draw", seat, tile=tile_of(event["tile"]))
        elif kind == "discarded":
            self.act("discard", seat, tile=tile_of(event["tile"]))
            self.source = seat_of(seat)
        elif kind == "claimed" and event["kind"] == "pung":
            self.act("peng", seat, tile=tile_of(event["tile"]))
        elif kind == "claimed" and event["kind"] == "kong":
            self.act("gang", seat, tile=tile_of(event["tile"]), kind="zhi")
        elif kind == "hu":
            self.hu(event["record"])

    def hu(self, won: Facts) -> None:
        """One hu, and what the program said of it."""
        source = {"from": seat_of(won["discarder"])} if won["byDiscard"] else {}
        self.act("hu", won["seat"], tile=tile_of(won["winningTile"]), **source)
        named = [FANS[fan["fan"]] for fan in won["fans"]]
        shapes = named if "qi_dui" in named else ["ping_hu", *named]
        fan = sum(fan["count"] * (2 if fan["fan"] == "SevenPairs" else 1) for fan in won["fans"])
        self.wins.append({"seat": seat_of(won["seat"]), "at": len(self.actions) - 1, "fan": fan})
        self.wins[-1] |= {"price": won["handValue"], "shapes": shapes}


def tiles_of(numbers: list[int]) -> str:
    """The tile string of a list of numbers."""
    return "".join(map(tile_of, numbers))


def ledger_of(record: Facts) -> list[Facts]:
    """What was paid; a gang that was robbed is paid and returned there, and is neither here."""
    told = record["ledger"]
    robbed = [(entry["to"], entry["from"]) for entry in told if entry["detail"] == "robbed"]
    made = []
    for entry in reversed(told):
        if entry["detail"] == "robbed":
            continue
        if entry["detail"] == "promoted" and (entry["from"], entry["to"]) in robbed:
            robbed.remove((entry["from"], entry["to"]))
            continue
        target = None if entry["to"] is None else seat_of(entry["to"])
        made.append({"kind": KINDS[entry["reason"]], "from": seat_of(entry["from"]), "to": target})
        made[-1]["amount"] = entry["amount"]
    return made[::-1]
