"""`strict`: the scores as if each illegal hu had been void, beside those of what the table did."""

from typing import Any

import pytest

from replay import audit

from .cases import Facts, errors, log_bytes, net, playable

LEGAL = playable("legal")
UNDONE = {"hu", "transfer", "refund"}
"""The kinds of entry that a hu makes; those of a hu stand at its action."""


def strictly(kind: str, name: str, **options: Any) -> Facts:
    return audit(log_bytes(kind, name), options=options or None, strict=True).to_dict()


def void_hu(hand: Facts) -> set[int]:
    """The actions of the hu that the rules forbid."""
    barred = {"ACT020", "ACT021", "ACT022", "ACT023", "ACT025"}
    return {
        finding["action"]
        for finding in errors({"findings": [], "hands": [hand]})
        if finding["code"] in barred
    }


def without_void_hu(hand: Facts) -> list[int]:
    """The ledger's sums without what an illegal hu made, worked out from the actions at which entries stand."""
    void = void_hu(hand)
    kept = [entry for entry in hand["ledger"] if not (entry["kind"] in UNDONE and entry["at"] in void)]
    return net(kept)


@pytest.mark.parametrize("name", LEGAL)
def test_strict_scores_are_given_only_where_they_are_asked_for(name: str) -> None:
    plain = audit(log_bytes("legal", name)).to_dict()
    asked = strictly("legal", name)
    for hand in asked["hands"]:
        assert hand.pop("strict_scores") == hand["scores"]
    assert asked == plain


@pytest.mark.parametrize(
    ("name", "scores", "strict"),
    [
        # Seat 1 hu'd seat 0's discard for 1 while 过水 barred it.
        ("ACT023-guo-shui", [2, -1, -1, 0], [3, -2, -1, 0]),
        # Seat 1 hu'd for 1 on seat 3's discard with a tile of its void suit in hand.
        ("ACT022-void-held-claim", [4, 1, -1, -4], [4, 0, -1, -3]),
        # Seat 2 drew a 地胡 of 32 from each with a tile of its void suit in hand.
        ("ACT022-void-held-self", [-35, -30, 96, -31], [-3, 2, 0, 1]),
    ],
)
def test_an_illegal_hu_is_void(name: str, scores: list[int], strict: list[int]) -> None:
    (hand,) = strictly("illegal", name)["hands"]
    assert (hand["scores"], hand["strict_scores"]) == (scores, strict)
    assert without_void_hu(hand) == strict


@pytest.mark.parametrize("name", playable("illegal"))
def test_only_an_illegal_hu_makes_a_difference(name: str) -> None:
    for hand in strictly("illegal", name)["hands"]:
        if hand["scores"] is None:
            assert hand["strict_scores"] is None
        else:
            assert hand["strict_scores"] == without_void_hu(hand)


@pytest.mark.parametrize("transfer", ["none", "last", "chain", "return"])
@pytest.mark.parametrize("name", LEGAL)
def test_what_a_void_hu_did_to_the_gang_before_it_is_undone_too(name: str, transfer: str) -> None:
    """Every hu on a discard is illegal here: its payments go, and 呼叫转移 or the return of a gang's income."""
    for hand in strictly("legal", name, hu_on_discard=False, transfer=transfer)["hands"]:
        if hand["scores"] is not None:
            assert hand["strict_scores"] == without_void_hu(hand)


@pytest.mark.parametrize("transfer", ["last", "return"])
def test_the_sittings_above_hold_a_gang_pao(transfer: str) -> None:
    hands = [
        hand
        for name in LEGAL
        for hand in strictly("legal", name, hu_on_discard=False, transfer=transfer)["hands"]
    ]
    kind = {"last": "transfer", "return": "refund"}[transfer]
    entries = [entry for hand in hands for entry in hand["ledger"] if entry["at"] in void_hu(hand)]
    assert [entry for entry in entries if entry["kind"] == kind]


@pytest.mark.parametrize("name", ["ACT023-guo-shui", "ACT022-void-held-claim", "ACT022-void-held-self"])
def test_a_penalty_stands_in_both(name: str) -> None:
    """With `penalties: mil` the illegal hu earned nothing anyhow: 24 go to nobody, and gangs are given back."""
    (hand,) = strictly("illegal", name, penalties="mil")["hands"]
    assert hand["strict_scores"] == hand["scores"]
    (penalty,) = [entry for entry in hand["ledger"] if entry["kind"] == "penalty"]
    assert (penalty["to"], penalty["amount"], penalty["at"]) == (None, 24, *void_hu(hand))
    assert sum(hand["scores"]) == -24
    assert [entry for entry in hand["ledger"] if entry["kind"] == "hu" and entry["at"] in void_hu(hand)] == []
