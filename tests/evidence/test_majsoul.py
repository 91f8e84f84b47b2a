"""Mahjong Soul's records under `chiyu`: what its program allowed and paid, hand by hand."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from replay import audit

from .majsoul import Facts, at_wall_end, booked, games, log_of, misdealt

COPIES = Path(__file__).resolve().parent.parent / "records"
GAMES, HANDS = 15, 4

DIFFERENT = {
    (9, 0): "a robbed gang stays on the table there and counts as gen for the seat it was robbed from; "
    "here the tile leaves it (rulebook 6.16)",
}
"""The hands, as (game, hand), that are settled otherwise here, and the rule that explains it."""

UNREADABLE = {(12, 3): "the seat that was dealt the fourteenth tile kept none of its deal to the end"}
"""Misdealt hands that no log can state."""

ALL = [(game, hand) for game in range(GAMES) for hand in range(HANDS)]


def of_kinds(ledger: list[Facts], *kinds: str) -> Counter[tuple[Any, ...]]:
    """The entries of these kinds, as a multiset."""
    entries = (entry for entry in ledger if entry["kind"] in kinds)
    return Counter((entry["kind"], entry["from"], entry["to"], entry["amount"]) for entry in entries)


def net(ledger: list[Facts], *kinds: str) -> list[int]:
    """What the entries of these kinds come to for each seat."""
    scores = [0, 0, 0, 0]
    for (_, payer, payee, amount), times in of_kinds(ledger, *kinds).items():
        scores[payer] -= amount * times
        scores[payee] += amount * times
    return scores


def audited(game: Facts, at: int) -> Facts:
    """The report on one hand."""
    report = audit(json.dumps(log_of(game, at)).encode()).to_dict()
    assert report["findings"] == []
    found: Facts = report["hands"][0]
    return found


def differences(game: Facts, at: int) -> list[Any]:
    """What is not as the program had it: findings, scores, payments at the end of the wall, the next dealer."""
    found = audited(game, at)
    problems: list[Any] = [
        (finding["code"], finding["action"], finding["params"]) for finding in found["findings"]
    ]
    if found["scores"] != log_of(game, at)["hands"][0]["claimed"]["scores"]:
        problems.append(found["scores"])
    ends = (net(found["ledger"], "da_jiao", "hua_zhu"), net(found["ledger"], "refund"))
    if at_wall_end(game, at) not in (None, ends):
        problems.append(ends)
    if at + 1 < HANDS and game["side"][at + 1]["dealer"] not in found["next_dealer"]:
        problems.append(found["next_dealer"])
    return problems


@pytest.fixture(scope="module")
def every(shared: Path) -> list[Facts]:
    return list(games(shared / "records" / "majsoul.ndjson.gz"))


def copy(seed: int) -> Facts:
    """One record that stands beside the tests, by its seed."""
    (game,) = games(COPIES / f"majsoul-{seed}.json.gz")
    return game


COPIED = [
    pytest.param(game, at, id=f"{game['seed']}-{at}")
    for game in map(copy, (33, 91))
    for at in range(HANDS)
    if misdealt(game, at) is None
]


@pytest.mark.parametrize(("game", "at"), COPIED)
def test_a_hand_is_settled_as_its_program_settled_it(game: Facts, at: int) -> None:
    assert differences(game, at) == []


@pytest.mark.shared
def test_every_hand_is_settled_as_its_program_settled_it_but_for_these(every: list[Facts]) -> None:
    sound = [(number, at) for number, at in ALL if misdealt(every[number], at) is None]
    other = {(number, at): differences(every[number], at) for number, at in sound}
    assert {place: problems for place, problems in other.items() if problems}.keys() == DIFFERENT.keys()


@pytest.mark.shared
def test_there_is_nothing_beside_these_hands(every: list[Facts]) -> None:
    assert [len(game["rounds"]) for game in every] == [HANDS] * GAMES
    wrong = [(number, at) for number, at in ALL if misdealt(every[number], at) is not None]
    assert (len(wrong), len(ALL) - len(wrong)) == (17, 43)
    assert set(wrong) >= UNREADABLE.keys()
    assert not set(wrong) & DIFFERENT.keys()


def test_a_robbed_gang_is_no_gen_for_the_seat_it_was_robbed_from() -> None:
    """§6.16: seat 1 is robbed of its fourth 3筒 and hus later: one fan here, two there."""
    game = copy(74)
    found = audited(game, 0)
    robbery, *_, later = found["wins"]
    assert (robbery["from"], robbery["tile"], robbery["extras"][0]["id"]) == (1, "3p", "qiang_gang")
    assert (later["seat"], later["fan"], later["extras"]) == (1, 1, [])
    assert {finding["code"] for finding in found["findings"]} == {"SET001", "SET002", "SET003"}
    theirs, ours = of_kinds(booked(game, 0), "hu", "gang"), of_kinds(found["ledger"], "hu", "gang")
    assert (ours - theirs, theirs - ours) == ({("hu", 0, 1, 2000): 1}, {("hu", 0, 1, 3000): 1})


@pytest.mark.shared
def test_the_copies_are_records_of_the_corpus(every: list[Facts]) -> None:
    assert all(copy(game["seed"]) == game for game in every if game["seed"] in (33, 74, 91))


@pytest.mark.shared
def test_a_hand_dealt_wrongly_is_paid_alike_until_the_wall_ends(every: list[Facts]) -> None:
    """The program dealt the fourteenth tile to seat 4 − dealer: that seat and the dealer can never be complete there.

    With the tile laid where it belongs both are judged like any seat once the wall is empty, so what they are paid
    then differs; every gang and every hu before is the same.
    """
    for number, at in ALL:
        game = every[number]
        holder, dealer = misdealt(game, at), game["side"][at]["dealer"]
        if holder is None or (number, at) in UNREADABLE:
            continue
        assert holder == 4 - dealer
        won = {entry["to"] for entry in booked(game, at) if entry["kind"] == "hu"}
        assert not won & {holder, dealer}
        found = audited(game, at)
        assert {finding["code"] for finding in found["findings"]} <= {"ACT012", "SET001"}
        assert of_kinds(found["ledger"], "hu", "gang") == of_kinds(booked(game, at), "hu", "gang")
