"""Records of dcmshi's program under `novikov-sbr`: what it allowed and paid, hand by hand."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from replay import audit

from .dcmshi import Facts, hands, log_of, seat_of

COPIES = Path(__file__).resolve().parent.parent / "records"

WITHOUT_GANGS = (
    "what a ready seat is owed at 查大叫 leaves its gangs out there, and they count here (rulebook 4)"
)

DIFFERENT = dict.fromkeys((10, 50, 95, 115, 120), WITHOUT_GANGS)
"""The hands, by game, that are settled otherwise here, and the rule that explains it."""

COPIED = (0, 35, 70, 80, 90, 120)


def copy(game: int) -> Facts:
    """One record that stands beside the tests, by its game."""
    (record,) = hands(COPIES / f"dcmshi-{game}.json.gz")
    return record


def audited(record: Facts) -> Facts:
    """The report on one hand."""
    report = audit(json.dumps(log_of(record)).encode()).to_dict()
    assert report["findings"] == []
    found: Facts = report["hands"][0]
    return found


def differences(record: Facts) -> list[Any]:
    """What is not as the program had it: findings, scores, the next dealer."""
    found = audited(record)
    problems: list[Any] = [(each["code"], each["action"], each["params"]) for each in found["findings"]]
    if found["scores"] != log_of(record)["hands"][0]["claimed"]["scores"]:
        problems.append(found["scores"])
    if seat_of(record["nextDealer"]) not in found["next_dealer"]:
        problems.append(found["next_dealer"])
    return problems


@pytest.fixture(scope="module")
def every(shared: Path) -> list[Facts]:
    return list(hands(shared / "records" / "dcmshi.ndjson.gz"))


@pytest.mark.parametrize("game", [game for game in COPIED if game not in DIFFERENT])
def test_a_hand_is_settled_as_its_program_settled_it(game: int) -> None:
    assert differences(copy(game)) == []


@pytest.mark.shared
def test_every_hand_is_settled_as_its_program_settled_it_but_for_these(every: list[Facts]) -> None:
    assert len(every) == 30
    other = {record["game"]: differences(record) for record in every}
    assert {game: problems for game, problems in other.items() if problems}.keys() == DIFFERENT.keys()


def test_best_price_counts_gangs_here_and_leaves_them_out_there() -> None:
    """§4: seat 1 is ready with a concealed gang: one fan, so 2 by its best price, and 1 there."""
    found = audited(copy(120))
    assert {each["code"] for each in found["findings"]} == {"SET001", "SET002"}
    (owed,) = [entry for entry in found["ledger"] if entry["kind"] == "da_jiao"]
    best = owed["because"]["best"]
    assert (owed["amount"], best["price"], best["extras"]) == (2, 2, [{"id": "gang", "fan": 1, "count": 1}])
    (told,) = [entry for entry in copy(120)["ledger"] if entry["reason"] == "buTing"]
    assert (seat_of(told["from"]), seat_of(told["to"]), told["amount"]) == (owed["from"], owed["to"], 1)


@pytest.mark.shared
def test_only_gangs_make_the_difference(every: list[Facts]) -> None:
    """Without the fan of each gang the payments at the end of the wall are the program's."""
    for record in every:
        if record["game"] not in DIFFERENT:
            continue
        paid = Counter[tuple[int, int, int]]()
        for entry in audited(record)["ledger"]:
            if entry["kind"] == "da_jiao":
                best = entry["because"]["best"]
                gangs = sum(part["count"] for part in best["extras"] if part["id"] == "gang")
                paid[entry["from"], entry["to"], 2 ** min(3, best["fan"] - gangs)] += 1
        told = [entry for entry in record["ledger"] if entry["reason"] == "buTing"]
        assert paid == Counter((seat_of(each["from"]), seat_of(each["to"]), each["amount"]) for each in told)


@pytest.mark.shared
def test_a_void_tile_kept_to_the_end_costs_once_and_the_order_of_discards_nothing(every: list[Facts]) -> None:
    """§4, the lenient rule: who still holds the void suit when the hand ends pays 48 to the pot."""
    lenient = [record for record in every if record["config"]["voidDiscardRule"] == "lenient"]
    assert len(lenient) == 7
    for record in lenient:
        paid = [entry for entry in audited(record)["ledger"] if entry["kind"] == "penalty"]
        told = [entry for entry in record["ledger"] if entry["reason"] == "voidPenalty"]
        assert sum(entry["amount"] for entry in told) == record["penaltyPot"]
        assert {entry["to"] for entry in paid} <= {None}
        assert Counter((entry["from"], entry["amount"]) for entry in paid) == Counter(
            (seat_of(entry["from"]), entry["amount"]) for entry in told
        )


@pytest.mark.shared
def test_the_copies_are_records_of_the_corpus(every: list[Facts]) -> None:
    found = [record for record in every if record["game"] in COPIED]
    assert found == list(map(copy, COPIED))
