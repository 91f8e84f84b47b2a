"""Hands known by heart, and what the quick path rests on."""

import sys
from types import FrameType
from typing import Any

import pytest

from replay import shapes
from replay.tiles import tile_string

from .search import names, packed


@pytest.mark.parametrize(
    ("hand", "waits"),
    [
        ("1m1m1m2m3m4m5m6m7m8m9m9m9m", "1m2m3m4m5m6m7m8m9m"),
        ("5s", "5s"),
        ("2m3m4m5m", "2m5m"),
        ("1p2p4s4s", "3p"),
        ("1p1p4s4s", "1p4s"),
        ("2s3s4s5s6s7s8s2z2z2z", "2s5s8s"),
        ("1z1z7z7z", "1z7z"),
        ("1z2z3z4z", ""),
        ("8m9m1p1p", "7m"),
        ("1m1m1m1m", ""),
        ("1m1m1m1m2m3m4m", "4m"),
        ("3m3m3m3m1p2p3p", ""),
        ("1m1m2p2p3s3s1z", ""),
        ("1m1m2p2p3s1z1z", ""),
        ("1m1m2p2p3s3s1z1z1z2z", ""),
    ],
)
def test_a_known_hand_waits_for_exactly_these(hand: str, waits: str) -> None:
    assert names(shapes.set_waits(packed(hand))) == waits


@pytest.mark.parametrize(
    ("hand", "waits"),
    [
        ("1m1m1m1m", "1m"),
        ("3m3m3m3m1p2p3p", "3m"),
        ("1m1m1m1m3m3m3m", "1m"),
        ("1m1m1m1m3m", ""),
        ("5z5z5z5z", "5z"),
        ("2m3m4m5m", ""),
    ],
)
def test_a_fifth_tile_is_waited_for_only_where_it_would_complete(hand: str, waits: str) -> None:
    assert names(shapes.fifth_waits(packed(hand))) == waits


RUNS_OR_TRIPLETS = shapes.COMPLETE | shapes.TRIPLETS | shapes.TERMINALS


@pytest.mark.parametrize(
    ("hand", "facts"),
    [
        ("1m1m1m2m2m2m3m3m3m9p9p", RUNS_OR_TRIPLETS),
        ("1m1m1m9m9m9m1p1p1p9s9s", shapes.FLAGS),
        ("1m1m1m9m9m9m1p2p3p9s9s", shapes.COMPLETE | shapes.TERMINALS),
        ("1m1m1m9m9m9m1p1p1p5s5s", shapes.COMPLETE | shapes.TRIPLETS),
        ("1m1m1m2m2m2m3m3m3m1s1s1s9s9s", RUNS_OR_TRIPLETS),
        ("1m1m1m9m9m9m1z1z", shapes.COMPLETE | shapes.TRIPLETS),
        ("1m2m3m5z5z5z9m9m", shapes.COMPLETE),
        ("9s9s", shapes.FLAGS),
        ("5s5s", shapes.COMPLETE | shapes.TRIPLETS),
        ("1m1m2p2p3s3s4z4z", 0),
        ("1m1m2m2m3m", 0),
    ],
)
def test_a_known_hand_has_exactly_these_facts(hand: str, facts: int) -> None:
    assert shapes.hand_facts(packed(hand)) == facts


def test_three_like_runs_that_are_three_triplets_come_as_both_ways_triplets_first() -> None:
    found = shapes.decompositions(packed("1p1p1p2p2p2p3p3p3p9s9s"))
    assert [[tile_string(group) for group in way] for way in found] == [
        ["1p1p1p", "2p2p2p", "3p3p3p", "9s9s"],
        ["1p2p3p", "1p2p3p", "1p2p3p", "9s9s"],
    ]


def test_six_pairs_and_any_one_tile_wait_for_that_tile_and_three_odd_tiles_for_none() -> None:
    for kind in range(34):
        one = [8 ** ((kind + step) % 34) for step in range(3)]
        assert shapes.pair_waits(one[0] + 2 * one[1] + 4 * one[2]) == 1 << kind
        assert shapes.pair_waits(sum(one)) == 0
        assert not shapes.is_pairs(one[0])
    assert shapes.is_pairs(0)


def test_three_facts_without_a_pair_add_up_to_less_than_one_pair() -> None:
    tables = [*shapes.FACTS.values(), *shapes.HONOUR_FACTS.values()]
    assert 3 * max(fact for fact in tables if fact < shapes.PAIR) < shapes.PAIR
    assert all(fact < 2 * shapes.PAIR for fact in tables)


def opcodes(hand: str) -> int:
    """How many opcodes `set_waits` runs for a hand."""
    held, ran, before = packed(hand), 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal ran
        frame.f_trace_opcodes = True
        ran += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        shapes.set_waits(held)
    finally:
        sys.settrace(before)
    return ran


@pytest.mark.parametrize(
    ("hand", "most"),
    [
        ("1m3m5m7m9m2p2p4p6p8p8p1s1s", 20),
        ("1m2m3m4m5m6m7m8m1p4p6p8p8p", 24),
        ("1m2m3m4m5m6m7m8m9m1p2p2s2s", 60),
        ("1m2m3m4m5m6m1p1p2s2s9s9s9s", 70),
    ],
)
def test_the_waits_of_a_hand_take_few_opcodes(hand: str, most: int) -> None:
    assert 0 < opcodes(hand) <= most


@pytest.mark.parametrize(
    ("hand", "facts"),
    [
        ("1m1m1m1m1m", shapes.COMPLETE | shapes.TRIPLETS | shapes.TERMINALS | shapes.BOTH),
        ("1m1m1m1m1m2m3m9s", 0),
        ("5m5m5m5m5m2p2p2p8s8s8s", shapes.COMPLETE | shapes.TRIPLETS),
        ("1m1m1m1m", 0),
    ],
)
def test_five_of_a_kind_complete_what_their_ways_do(hand: str, facts: int) -> None:
    assert shapes.fifth_facts(packed(hand)) == facts
    assert shapes.hand_facts(packed(hand)) == 0
