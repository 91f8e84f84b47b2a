"""Records of the Sichuan server of open_mahjong_unity (salasasa.cn).

The stored record holds the deal, the wall and the ticks of play. It lacks 定缺 and passes; where the server's own
account (`side`) comes with it, both are taken from there. The next to play is not written: it follows from the turn.
"""

import re
from collections.abc import Mapping
from typing import Any

from replay.findings import Finding
from replay.importers import importer
from replay.importers.fields import field, integer, items, text
from replay.importers.malformed import Malformed
from replay.importers.salasasa.account import Account, accounts
from replay.importers.salasasa.hand import HandReader
from replay.importers.salasasa.names import TARGET, strange

VERSION = "1"
RULE = "sichuan"
SEATS = range(4)
TITLE = "/record/game_title"
ROUNDS = "/record/game_round"
MOST_NAME = 64

_ROUND_KEY = re.compile(r"round_index_([1-9][0-9]{0,3})", re.ASCII)


def knows(document: Mapping[str, Any]) -> bool:
    """Whether the document is a Sichuan record of this server: a title with its commitment, and rounds of ticks.

    The server keeps its other games in the same frame; they are told apart by the title's ``rule``.
    """
    record = document.get("record")
    if not isinstance(record, Mapping):
        return False
    title = record.get("game_title")
    return (
        isinstance(title, Mapping)
        and "commitment_hex" in title
        and title.get("rule") == RULE
        and isinstance(record.get("game_round"), Mapping)
    )


@importer("salasasa", VERSION, knows)
def read(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """A log of one game, and what its record lacks."""
    record = field(document, "record", dict, "")
    title = field(record, "game_title", dict, "/record")
    rounds = sorted_rounds(field(record, "game_round", dict, "/record"))
    side = accounts(document.get("side"), len(rounds))
    rules, lacks, findings = rules_of(document.get("conf"), text(title, "sub_rule", TITLE))
    if side is None:
        lacks += ["void", "pass"]
        findings.append(missing("void", "the order of 定缺, huazhu and what a hu may hold can't be decided"))
        findings.append(missing("pass", "a claim not taken is a pass by inference only"))
    findings += inferred(side)
    findings += unknown_fields(document, record, title)
    hands, readers = read_hands(title, rounds, side)
    if "ends" not in lacks and not all(reader.ended for reader in readers):
        # The import stopped before the hand did: that it ended early can't be held against the players.
        lacks.append("ends")
    log = {
        "format": "xuezhan-log/1",
        "id": text(title, "commitment_hex", TITLE, 128),
        "source": {"platform": "salasasa"},
        "rules": rules,
        "records": records(side, readers),
        **({"lacks": lacks} if lacks else {}),
        "players": players_of(title),
        "hands": hands,
    }
    findings += claim(log, final_scores(document.get("final")), side, readers)
    return log, findings + [finding for reader in readers for finding in reader.findings]


def read_hands(
    title: dict[str, Any], rounds: list[tuple[int, Any]], side: list[Account] | None
) -> tuple[list[dict[str, Any]], list[HandReader]]:
    """Every round as a hand of ours, and the readers that read them."""
    hands, readers = [], []
    for number, (played_as, played) in enumerate(rounds):
        account = side[number] if side is not None else None
        if account is not None and account.round != played_as:
            raise Malformed(f"/side/{number}/round_index", account.round, f"round {played_as}")
        reader = HandReader(number, f"{ROUNDS}/round_index_{played_as}", played, account)
        hands.append({**reader.hand(), "fairness": fairness_of(title, played_as)})
        readers.append(reader)
    return hands, readers


def records(side: list[Account] | None, readers: list[HandReader]) -> list[str]:
    """What can be promised: the wall, and passes where the account has a decision for every tick that needs one."""
    whole = side is not None and all(reader.gap is None for reader in readers)
    return ["pass", "wall"] if whole else ["wall"]


def missing(fact: str, effect: str) -> Finding:
    """IMP001: a fact that the record does not hold."""
    return Finding("IMP001", {"fact": fact, "effect": effect})


def inferred(side: list[Account] | None) -> list[Finding]:
    """IMP002: what the record does not say in so many words."""
    turn = "the order of play" if side is None else "the order of play, compared with the account's decisions"
    facts = {"dealer": "the seat that holds fourteen tiles", "turn": turn}
    return [Finding("IMP002", {"fact": fact, "from": source}) for fact, source in facts.items()]


def unknown_fields(*holders: Mapping[str, Any]) -> list[Finding]:
    """IMP003: fields of the record's frame that this importer does not know."""
    found = [
        place
        for holder, pointer in zip(holders, ("", "/record", TITLE), strict=True)
        for place in strange(holder, pointer)
    ]
    conf = holders[0].get("conf")
    found += strange(conf, "/conf") if isinstance(conf, Mapping) else ()
    return [Finding("IMP003", {"field": pointer, "found": shown}) for pointer, shown in found]


def sorted_rounds(rounds: dict[str, Any]) -> list[tuple[int, Any]]:
    """The rounds with their numbers, in the order in which they were played."""
    found = []
    for key, played in rounds.items():
        number = _ROUND_KEY.fullmatch(key) if isinstance(key, str) else None
        if number is None:
            raise Malformed(ROUNDS, key, "keys such as round_index_1")
        found.append((int(number[1]), played))
    if not found:
        raise Malformed(ROUNDS, {}, "at least one round")
    return sorted(found, key=lambda entry: entry[0])


def rules_of(conf: object, sub_rule: str) -> tuple[dict[str, Any], list[str], list[Finding]]:
    """The rule set with the room's options, what is not known of it, and the findings about that."""
    profile = TARGET["profiles"].get(sub_rule)
    if profile is None:
        raise Malformed(f"{TITLE}/sub_rule", sub_rule, " or ".join(TARGET["profiles"]))
    room = conf if isinstance(conf, Mapping) else {}
    options: dict[str, Any] = {}
    lacks, findings = [], []
    if type(room.get("cap_fan")) is int:
        options["cap_fan"] = room["cap_fan"]
    else:
        findings.append(
            Finding("IMP002", {"fact": "options", "from": "the rule book: the room's cap is not given"})
        )
    if room.get("blood_battle") is False:
        options["ends"] = "first_hu"
    elif room.get("blood_battle") is not True:
        lacks.append("ends")
        findings.append(missing("ends", "whether the hand ends with the first hu is not known"))
    return {"profile": profile, **({"options": options} if options else {})}, lacks, findings


def players_of(title: dict[str, Any]) -> list[dict[str, str]]:
    """The four players by seat."""
    return [
        {
            "id": str(integer(title, f"p{seat}_uid", TITLE)),
            "name": text(title, f"p{seat}_name", TITLE, MOST_NAME),
        }
        for seat in SEATS
    ]


def fairness_of(title: dict[str, Any], number: int) -> dict[str, Any]:
    """What the server committed itself to, for the check of seed and wall."""
    return {
        "scheme": "salasasa",
        "commitment": text(title, "commitment_hex", TITLE),
        "master_seed": text(title, "master_seed_hex", TITLE),
        "salt": text(title, "salt", TITLE),
        "round": number,
    }


def claim(
    log: dict[str, Any], final: list[int] | None, side: list[Account] | None, readers: list[HandReader]
) -> list[Finding]:
    """Enter what the server states of wins and money; returns what of it does not add up over the game.

    With the account, a hand's scores are what it carries from one hand to the next; without it, the changes that the
    record states.
    """
    carried = carries(side, final, len(readers))
    for hand, reader, scores in zip(log["hands"], readers, carried, strict=True):
        stated = reader.money.claim()
        if reader.money.lost:
            reader.lose("claim", reader.money.lost)
        if scores is not None and reader.ended:
            reader.compare("scores of the hand", reader.money.sum, scores)
        if stated and scores is not None:
            stated["scores"] = scores
        if stated or reader.wins:
            hand["claimed"] = {**stated, "wins": reader.wins}
    if final is None:
        return []
    start = side[0].before if side is not None else [0, 0, 0, 0]
    log["claimed"] = {"totals": minus(final, start)}
    return [] if side is not None else compare_final(final, readers)


def carries(side: list[Account] | None, final: list[int] | None, hands: int) -> list[list[int] | None]:
    """What the account carries over each hand, None where it does not say."""
    if side is None:
        return [None] * hands
    before = [account.before for account in side]
    after = [*before[1:], final]
    return [None if then is None else minus(then, now) for now, then in zip(before, after, strict=True)]


def compare_final(final: list[int], readers: list[HandReader]) -> list[Finding]:
    """IMP004 where the final scores are not what the record's changes come to, though no hand of it breaks off."""
    stated = [sum(column) for column in zip(*(reader.money.sum for reader in readers), strict=True)]
    if stated == final or not all(reader.ended for reader in readers):
        return []
    facts = {"what": "scores of the game", "record": str(stated), "evidence": str(final)}
    return [Finding("IMP004", facts, pointer="/claimed/totals")]


def minus(then: list[int], now: list[int]) -> list[int]:
    """The difference of two scores, seat by seat."""
    return [after - before for after, before in zip(then, now, strict=True)]


def final_scores(final: object) -> list[int] | None:
    """The game's scores by seat, where the record has them."""
    if final is None:
        return None
    scores: dict[int, int] = {}
    for at, entry in enumerate(items(final, "/final")):
        scores[integer(entry, "player_index", f"/final/{at}")] = integer(entry, "score", f"/final/{at}")
    if sorted(scores) != [*SEATS]:
        raise Malformed("/final", final, "a score for each of four players")
    return [scores[seat] for seat in SEATS]
