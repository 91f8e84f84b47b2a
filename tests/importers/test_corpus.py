"""All games of the corpus: their structure, and the faults of the server that are known to stand in them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import replay
from replay.fairness import check_fairness
from replay.formats import check_document
from replay.log import hand_of

from .samples import Hands, imported, log_of

FAULTS = {
    "forced": "WON_WITHOUT_DECISION(multi-ron forced)",
    "carry": "score_carry_mismatch",
    "final": "final_score_mismatch",
    "passed": "SHUNHE_win_within_pass(SBR)",
    "refund": "REFUND_not_due",
    "fans": "qianggang_after_gang_lacks_杠上炮(SBR)",
}

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def games(shared: Path) -> list[dict[str, Any]]:
    with gzip.open(shared / "records" / "salasasa.ndjson.gz") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def labels(shared: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(
        (shared / "records" / "salasasa-labels.json").read_text("utf-8")
    )
    return found


def labelled(labels: dict[str, dict[str, Any]], fault: str) -> list[tuple[int, list[Any]]]:
    """The labels of one fault, as (seed, detail)."""
    return [
        (int(seed), detail) for seed, faults in labels.items() for detail in faults.get(FAULTS[fault], [])
    ]


def findings(games: list[dict[str, Any]], *codes: str) -> list[tuple[dict[str, Any], Any]]:
    """The findings of these codes in whole audits of all games, each with its game."""
    found = []
    for game in games:
        report = replay.audit(game).to_dict()
        everywhere = [*report["findings"], *(f for hand in report["hands"] for f in hand["findings"])]
        found += [(game, finding) for finding in everywhere if finding["code"] in codes]
    return found


def places(
    games: list[dict[str, Any]], details: list[tuple[int, list[Any]]]
) -> set[tuple[int, int, int, int]]:
    """Labels [round, tick, seat, …] of wins as (seed, hand, action, seat).

    A seat wins once a hand. Where several hu one tile, the label's tick is that of the last of them.
    """
    by_seed = {game["seed"]: game for game in games}
    found = set()
    for seed, (number, _, seat, *_) in details:
        actions = log_of(by_seed[seed])["hands"][number - 1]["actions"]
        (at,) = [at for at, action in enumerate(actions) if (action["type"], action["seat"]) == ("hu", seat)]
        found.add((seed, number - 1, at, seat))
    return found


def test_there_are_48_games_of_four_hands(games: list[dict[str, Any]]) -> None:
    assert [len(log_of(game)["hands"]) for game in games] == [4] * 48


@pytest.mark.parametrize("without", ["", "side", "conf"])
def test_every_log_keeps_the_format_and_every_tile_is_held(games: list[dict[str, Any]], without: str) -> None:
    for game in games:
        log = log_of({key: value for key, value in game.items() if key != without})
        assert check_document(log).findings == ()
        for hand in log["hands"]:
            Hands(hand)


def test_every_commitment_seed_and_wall_holds(games: list[dict[str, Any]]) -> None:
    hands = [hand_of(hand) for game in games for hand in log_of(game)["hands"]]
    assert len(hands) == 192
    assert [finding for number, hand in enumerate(hands) for finding in check_fairness(hand, number)] == []


def test_passes_are_complete(games: list[dict[str, Any]]) -> None:
    """Promised in every game, and the audit finds no offer without claim or pass, and no pass of nothing."""
    assert all(log_of(game)["records"] == ["pass", "wall"] for game in games)
    assert findings(games, "ACT030", "ACT031") == []


def test_only_the_bare_liuju_leave_a_hand_without_a_claim(games: list[dict[str, Any]]) -> None:
    silent = {
        (game["seed"], number)
        for game in games
        for number, hand in enumerate(log_of(game)["hands"])
        if not {"scores", "ledger", "wins"} <= set(hand.get("claimed", {}))
    }
    assert silent == {(263, 3), (383, 0)}


def test_wins_that_nobody_decided_are_found_and_no_others(
    games: list[dict[str, Any]], labels: dict[str, dict[str, Any]]
) -> None:
    found = {
        (game["seed"], f.hand, f.action, f.seat)
        for game in games
        for f in imported(game).findings
        if f.code == "IMP004" and f.seat is not None
    }
    assert found == places(games, labelled(labels, "forced"))


def test_scores_that_are_not_carried_are_found_and_no_others(
    games: list[dict[str, Any]], labels: dict[str, dict[str, Any]]
) -> None:
    found = {
        (game["seed"], f.hand, f.params["evidence"])
        for game in games
        for f in imported(game).findings
        if f.code == "IMP004" and f.seat is None
    }
    # A carry is labelled with the round it arrives in, a final score with what it is and what it should be.
    carried = {(seed, detail[0] - 2, str(detail[1])) for seed, detail in labelled(labels, "carry")}
    last = {
        (seed, 3, str([is_ - due for is_, due in zip(*detail, strict=True)]))
        for seed, detail in labelled(labels, "final")
    }
    assert found == carried | last


def test_hu_barred_by_shun_hu_are_found_and_no_others(
    games: list[dict[str, Any]], labels: dict[str, dict[str, Any]]
) -> None:
    found = {(game["seed"], f["hand"], f["action"], f["seat"]) for game, f in findings(games, "ACT023")}
    assert found == places(games, labelled(labels, "passed"))


def test_money_differs_where_the_server_is_known_to_err_and_nowhere_else(
    games: list[dict[str, Any]], labels: dict[str, dict[str, Any]]
) -> None:
    faults = [*labelled(labels, "refund"), *labelled(labels, "fans")]
    hands = {(seed, detail[0] - 1) for seed, detail in faults}
    differs = [(game, f) for game, f in findings(games, "SET001") if f["kind"] == "mismatch"]
    assert {(game["seed"], f["hand"]) for game, f in differs} == hands
    assert {(game["seed"], f["hand"]) for game, f in findings(games, "SET002")} == hands
    won = {(seed, detail[0] - 1) for seed, detail in labelled(labels, "fans")}
    assert {(game["seed"], f["hand"]) for game, f in findings(games, "SET003")} == won


def test_a_hand_without_its_claim_leaves_its_money_open(games: list[dict[str, Any]]) -> None:
    """A bare liuju states no payments: nothing can be compared, which is said and not passed over."""
    lost = {
        (game["seed"], f["hand"]) for game, f in findings(games, "IMP001") if f["params"]["fact"] == "claim"
    }
    opened = [(game, f) for game, f in findings(games, "SET001") if f["kind"] == "undecidable"]
    assert {(game["seed"], f["hand"]) for game, f in opened} == lost != set()
    assert {tuple(f["params"]["missing"]) for _, f in opened} == {("claim",)}


def test_nothing_else_is_illegal(games: list[dict[str, Any]]) -> None:
    known = {"ACT023", "SET001", "SET002", "SET003", "SET005", "IMP001", "IMP002", "IMP004"}
    found = {
        f["code"]
        for game in games
        for report in [replay.audit(game).to_dict()]
        for f in [*report["findings"], *(f for hand in report["hands"] for f in hand["findings"])]
    }
    assert found == known
