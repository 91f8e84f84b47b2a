"""Mutations of the file: bytes, format, rules stated, tiles dealt, times, and what the platform committed itself to."""

import copy
import hashlib
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from replay.tiles import parse_tiles, tile_string

from .generator import Document
from .mutations import Broken, of_logs, rules_of, with_actions, with_hand
from .mutations_table import scenes


def refused(log: Document | bytes, code: str) -> Broken:
    """A log that is not read as far as its hands."""
    return Broken(log, (code, None, None, None))


def text_of(log: Document) -> str:
    """The log as JSON."""
    return json.dumps(log, ensure_ascii=False)


# The format ------------------------------------------------------------------------------------------


def with_action(log: Document, **more: Any) -> Document:
    """The log with something else in one action of its first hand that has a tile."""
    actions = log["hands"][0]["actions"]
    at = Random(log["id"]).choice([at for at, action in enumerate(actions) if "tile" in action])
    return with_actions(log, 0, [*actions[:at], {**actions[at], **more}, *actions[at + 1 :]])


@of_logs("LOG001")
def leaves_a_key_out(log: Document) -> Iterator[Broken]:
    """The schema says which keys must be there."""
    for key in ("id", "players", "rules"):
        yield refused({other: value for other, value in log.items() if other != key}, "LOG001")
    hand = {other: value for other, value in log["hands"][0].items() if other != "dealer"}
    yield refused(with_hand(log, 0, hand), "LOG001")


@of_logs("LOG001")
def writes_an_unknown_key(log: Document) -> Iterator[Broken]:
    """An unknown key that does not begin with x_ is refused."""
    yield refused(with_action(log, comment="?"), "LOG001")


@of_logs("LOG001")
def writes_a_fraction(log: Document) -> Iterator[Broken]:
    """Numbers are integers."""
    yield refused(text_of(with_action(log, seat=1.5)).encode(), "LOG001")
    yield refused(with_action(log, seat=1.0), "LOG001")


@of_logs("LOG001")
def writes_a_tile_that_is_none(log: Document) -> Iterator[Broken]:
    """A tile is a rank from 1 to 9 and m, p or s."""
    for tile in ("0m", "5x", "m5", "10p", ""):
        yield refused(with_action(log, tile=tile), "LOG001")


@of_logs("LOG001")
def records_a_wall_that_is_too_short(log: Document) -> Iterator[Broken]:
    """The wall holds every tile that was not dealt."""
    hand = log["hands"][0]
    if "wall" in hand:
        yield refused(with_hand(log, 0, {**hand, "wall": hand["wall"][2:]}), "LOG001")


@of_logs("LOG002")
def writes_a_key_twice(log: Document) -> Iterator[Broken]:
    """A key stands once in its object."""
    text = text_of(log)
    yield refused(text.replace('"dealer":', '"dealer": 0, "dealer":', 1).encode(), "LOG002")


@of_logs("LOG003")
def names_an_unknown_profile(log: Document) -> Iterator[Broken]:
    """A log names a rule set that is there."""
    yield refused({**log, "rules": {**log["rules"], "profile": "nowhere"}}, "LOG003")


@of_logs("LOG004")
def names_an_unknown_option(log: Document) -> Iterator[Broken]:
    """A log overrides values that a rule set has, with values that they may take."""
    for option, value in (("colour", 1), ("guo_shui", "sometimes")):
        options = {**log["rules"].get("options", {}), option: value}
        yield refused({**log, "rules": {**log["rules"], "options": options}}, "LOG004")


@of_logs("LOG005")
def states_another_digest(log: Document) -> Iterator[Broken]:
    """A digest is that of the resolved rules; the audit goes on."""
    digest = "sha256:" + hashlib.sha256(log["id"].encode()).hexdigest()
    yield Broken(
        {**log, "rules": {**log["rules"], "digest": digest}}, ("LOG005", None, None, None), kept=True
    )


@of_logs("LOG006")
def breaks_off_in_the_middle(log: Document) -> Iterator[Broken]:
    """A log is a whole JSON document."""
    text = text_of(log)
    yield refused(text[: Random(log["id"]).randrange(1, len(text))].encode(), "LOG006")


@of_logs("LOG007")
def is_written_in_another_encoding(log: Document) -> Iterator[Broken]:
    """A log is UTF-8."""
    players = [{**player, "name": "东风"} for player in log["players"]]
    yield refused(text_of({**log, "players": players}).encode("gb18030"), "LOG007")


@of_logs("LOG008")
def goes_too_deep(log: Document) -> Iterator[Broken]:
    """Objects and arrays stand at most so deep in one another."""
    deep: Any = 0
    for _ in range(20):
        deep = [deep]
    yield refused({**log, "x_deep": deep}, "LOG008")
    yield refused(text_of({**log, "x_deep": deep}).encode(), "LOG008")


@of_logs("LOG008")
def has_too_many_actions(log: Document) -> Iterator[Broken]:
    """A hand has at most 2000 actions."""
    hand = log["hands"][0]
    actions = [*hand["actions"], *[hand["actions"][-1]] * 2001]
    yield refused(with_hand(log, 0, {**hand, "actions": actions}), "LOG008")


@of_logs("LOG009")
def goes_back_in_time(log: Document) -> Iterator[Broken]:
    """Where times are promised they never run backwards within a hand."""
    changed = copy.deepcopy(log)
    changed["records"] = [*log["records"], "time"]
    for hand in changed["hands"]:
        for at, action in enumerate(hand["actions"]):
            action["ms"] = 500 * at + 7
    actions = Random(log["id"]).choice(changed["hands"])["actions"]
    at = Random(log["id"]).randrange(1, len(actions))
    actions[at]["ms"] = actions[at - 1]["ms"] - 1
    yield Broken(changed, ("LOG009", None, None, None), kept=True)


# The tiles dealt -------------------------------------------------------------------------------------


@of_logs("ACT001")
def deals_a_fifth_copy(log: Document) -> Iterator[Broken]:
    """There are four of each tile in deal and wall."""
    for number, hand in enumerate(log["hands"]):
        chance = Random(f"{log['id']} {number}")
        seat = chance.randrange(4)
        others = parse_tiles("".join(text for each, text in enumerate(hand["deal"]) if each != seat))
        kind = chance.choice(others)
        copies = 5 - others.count(kind)
        tiles = [kind] * copies + [tile for tile in parse_tiles(hand["deal"][seat]) if tile != kind]
        dealt = [*hand["deal"][:seat], tile_string(tiles[:13]), *hand["deal"][seat + 1 :]]
        if len(tiles) >= 13:
            changed = with_hand(log, number, {**hand, "deal": dealt})
            yield Broken(changed, ("ACT001", number, None, None), stopped=True)


@of_logs("ACT001")
def walls_a_fifth_copy(log: Document) -> Iterator[Broken]:
    """A recorded wall holds what was not dealt."""
    for number, hand in enumerate(log["hands"]):
        if "wall" in hand:
            tiles = parse_tiles(hand["wall"])
            at = Random(log["id"]).randrange(len(tiles) - 1)
            tiles[at] = next(kind for kind in range(27) if kind != tiles[at])
            changed = with_hand(log, number, {**hand, "wall": tile_string(tiles)})
            yield Broken(changed, ("ACT001", number, None, None), stopped=True)


@of_logs("ACT002")
def exchanges_two_tiles_of_the_wall(log: Document) -> Iterator[Broken]:
    """Each draw is the tile that the recorded wall has there."""
    rules = rules_of(log)
    for number, hand in enumerate(log["hands"]):
        if "wall" not in hand or rules.replacement != "head":
            continue
        draws = [
            (s.at, s.next["seat"], s.replacing) for s in scenes(rules, log, number) if s.coming == "draw"
        ]
        if len(draws) < 2:
            continue
        tiles = parse_tiles(hand["wall"])
        one, other = sorted(Random(log["id"]).sample(range(len(draws)), 2))
        at, seat, replacing = draws[one]
        tail = tiles[-1 if rules.ting_yong == "none" else -2]
        if tiles[one] == tiles[other] or (replacing and tail in (tiles[one], tiles[other])):
            continue
        tiles[one], tiles[other] = tiles[other], tiles[one]
        changed = with_hand(log, number, {**hand, "wall": tile_string(tiles)})
        yield Broken(changed, ("ACT002", number, at, seat), then=frozenset({"ACT002", "ACT016"}), kept=True)


# Fairness --------------------------------------------------------------------------------------------


def committed(hand: Document, salt: str) -> str:
    """What `wall-sha256` commits to."""
    return hashlib.sha256(("".join(hand["deal"]) + hand["wall"] + salt).encode()).hexdigest()


def fair(log: Document, stated: Document) -> Document:
    """The first hand with what it states of fairness."""
    return with_hand(log, 0, {**log["hands"][0], "fairness": stated})


@of_logs("FAIR001")
def commits_to_another_wall(log: Document) -> Iterator[Broken]:
    """The revealed wall and salt give the commitment."""
    hand = log["hands"][0]
    if "wall" in hand:
        other = committed({**hand, "deal": hand["deal"][::-1]}, "salt")
        stated = {"scheme": "wall-sha256", "commitment": other, "salt": "salt"}
        yield Broken(fair(log, stated), ("FAIR001", 0, None, None), kept=True)
        stated = {"scheme": "wall-sha256", "commitment": committed(hand, "salt"), "salt": "tlas"}
        yield Broken(fair(log, stated), ("FAIR001", 0, None, None), kept=True)


@of_logs("FAIR002")
def deals_another_wall_than_the_seed_gives(log: Document) -> Iterator[Broken]:
    """Deal and wall follow from the revealed seed."""
    if "wall" in log["hands"][0]:
        seed, salt = hashlib.sha256(log["id"].encode()).hexdigest(), "ff"
        commitment = hashlib.sha256((seed + salt).encode()).hexdigest()
        stated = {
            "scheme": "salasasa",
            "commitment": commitment,
            "master_seed": seed,
            "salt": salt,
            "round": 1,
        }
        yield Broken(fair(log, stated), ("FAIR002", 0, None, None), kept=True)


@of_logs("FAIR003")
def hides_what_its_scheme_needs(log: Document) -> Iterator[Broken]:
    """A commitment is verified by its scheme, wall and salt; without them nothing is said against it."""
    place = ("FAIR003", 0, None, None)
    yield Broken(fair(log, {"scheme": "dice", "commitment": "00"}), place, kept=True)
    yield Broken(fair(log, {"scheme": "wall-sha256", "commitment": "0" * 64}), place, kept=True)
