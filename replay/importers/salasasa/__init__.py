"""Records of the Sichuan server of open_mahjong_unity (salasasa.cn).

The stored record holds the deal, the wall and the ticks of play. It lacks 定缺 and passes; where the server's own
account (`side`) comes with it, both are taken from there. The next to play is not written: it follows from the turn.
"""

from collections.abc import Mapping
from typing import Any

from replay.findings import Finding
from replay.importers import importer
from replay.importers.fields import field, four_integers, integer, items, text
from replay.importers.malformed import Malformed
from replay.importers.salasasa.hand import HandReader
from replay.importers.salasasa.names import TARGET

VERSION = "1"
SEATS = range(4)


def knows(document: Mapping[str, Any]) -> bool:
    """Whether the document is a record of this server: a title with its commitment, and rounds of ticks."""
    record = document.get("record")
    if not isinstance(record, Mapping):
        return False
    title = record.get("game_title")
    return (
        isinstance(title, Mapping)
        and "commitment_hex" in title
        and isinstance(record.get("game_round"), Mapping)
    )


@importer("salasasa", VERSION, knows)
def read(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """A log of one game, and what its record lacks."""
    record = field(document, "record", dict, "")
    title = field(record, "game_title", dict, "/record")
    rounds = sorted_rounds(field(record, "game_round", dict, "/record"))
    side = items(document["side"], "/side") if document.get("side") is not None else None
    if side is not None and len(side) < len(rounds):
        raise Malformed("/side", f"{len(side)} hands", f"one entry for each of {len(rounds)} hands")
    rules, lacks = rules_of(document.get("conf"))
    findings = [missing("ends", "whether the hand ends with the first hu is not known")] if lacks else []
    if side is None:
        lacks += ["void", "pass"]
        findings.append(missing("void", "the order of 定缺, huazhu and what a hu may hold can't be decided"))
        findings.append(missing("pass", "a claim not taken is a pass by inference only"))
    log: dict[str, Any] = {
        "format": "xuezhan-log/1",
        "id": text(title, "commitment_hex", "/record/game_title")[:64],
        "source": {"platform": "salasasa"},
        "rules": rules,
        "records": ["pass", "wall"] if side is not None else ["wall"],
        "players": players_of(title),
        "hands": [],
    }
    if lacks:
        log["lacks"] = lacks
    readers = []
    for number, (name, played) in enumerate(rounds):
        reader = HandReader(number, f"/record/game_round/{name}", played, side[number] if side else None)
        hand = reader.hand()
        hand["fairness"] = fairness_of(title, round_number(name))
        log["hands"].append(hand)
        readers.append(reader)
    claim(log, document, side, readers)
    return log, findings + [finding for reader in readers for finding in reader.findings]


def missing(fact: str, effect: str) -> Finding:
    """IMP001: a fact that the record does not hold."""
    return Finding("IMP001", {"fact": fact, "effect": effect})


def round_number(name: str) -> int:
    """The number at the end of a round's key; raises `Malformed`."""
    digits = name.rpartition("_")[2]
    if not digits.isdigit() or len(digits) > 4:
        raise Malformed("/record/game_round", name, "a key such as round_index_1")
    return int(digits)


def sorted_rounds(rounds: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The rounds in the order in which they were played."""
    if not rounds:
        raise Malformed("/record/game_round", {}, "at least one round")
    return sorted(rounds.items(), key=lambda item: round_number(str(item[0])))


def rules_of(conf: object) -> tuple[dict[str, Any], list[str]]:
    """The rule set with the room's options, and what is not known of it."""
    rules: dict[str, Any] = {"profile": TARGET["profile"]}
    if not isinstance(conf, Mapping):
        return rules, ["ends"]
    options: dict[str, Any] = {}
    if type(conf.get("cap_fan")) is int:
        options["cap_fan"] = conf["cap_fan"]
    if conf.get("blood_battle") is False:
        options["ends"] = "first_hu"
    if options:
        rules["options"] = options
    return rules, ["ends"] if "blood_battle" not in conf else []


def players_of(title: Mapping[str, Any]) -> list[dict[str, str]]:
    """The four players by seat."""
    place = "/record/game_title"
    return [
        {"id": str(integer(title, f"p{seat}_uid", place)), "name": text(title, f"p{seat}_name", place)}
        for seat in SEATS
    ]


def fairness_of(title: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What the server committed itself to, for the check of seed and wall."""
    place = "/record/game_title"
    return {
        "scheme": "salasasa",
        "commitment": text(title, "commitment_hex", place),
        "master_seed": text(title, "master_seed_hex", place),
        "salt": text(title, "salt", place),
        "round": number,
    }


def claim(
    log: dict[str, Any], document: Mapping[str, Any], side: list[Any] | None, readers: list[HandReader]
) -> None:
    """The scores that the server states: of the game, and hand by hand as its own account carries them forward."""
    final = final_scores(document.get("final"))
    if final is not None:
        log["claimed"] = {"totals": final}
    before = [scores_before(entry, f"/side/{number}") for number, entry in enumerate(side or ())]
    for number, (hand, reader) in enumerate(zip(log["hands"], readers, strict=True)):
        if reader.changes is None:
            reader.lose("claim", "the record carries no settlement of this hand, so none can be compared")
            hand.pop("claimed", None)
            continue
        scores = reader.changes
        then = before[number + 1] if number + 1 < len(before) else final
        if side is not None and then is not None:
            carried = [then[seat] - before[number][seat] for seat in SEATS]
            if carried != scores:
                reader.contradict("scores", str(scores), f"{carried} carried to the next hand")
            scores = carried
        hand.setdefault("claimed", {})["scores"] = scores


def final_scores(final: object) -> list[int] | None:
    """The game's scores by seat, where the record has them."""
    if final is None:
        return None
    scores: list[int | None] = [None] * 4
    for at, entry in enumerate(items(final, "/final")):
        seat = integer(entry, "player_index", f"/final/{at}")
        if seat in SEATS:
            scores[seat] = integer(entry, "score", f"/final/{at}")
    if None in scores:
        raise Malformed("/final", final, "a score for each of four players")
    return [score for score in scores if score is not None]


def scores_before(entry: object, pointer: str) -> list[int]:
    """The scores that a hand began with."""
    return four_integers(field(entry, "scores_before", list, pointer), f"{pointer}/scores_before")
