"""How long waits take, over a fixed list of hands: as dealt, and one tile short of complete."""

from typing import Any

import pytest

from replay.shapes import set_waits
from replay.tiles import ONE, parse_tiles

DEALT = [
    "1m3m4m4m7m8m2p2p3p5p9p1s6s",
    "2m2m5m6m6m9m1p4p4p7p8p8p9p",
    "3p4p4p6p7p9p1s2s2s5s6s8s9s",
    "1m1m2m4m7m7m9m3s4s6s6s8s9s",
    "1m2m3m4m5m6m7m8m9m2p5p8p8p",
    "5s5s5s6s6s8s9s2m4m7m7m8m1m",
    "1p1p3p5p5p7p9p9p2m3m6m6m8m",
    "4m5m6m2s2s2s3s7s9s1m1m8m5s",
]
READY = [
    "1m1m1m2m3m4m5m6m7m8m9m9m9m",
    "1m2m3m4m5m6m7m8m9m1p2p2s2s",
    "2p3p4p5p6p7p8p4s4s4s7s7s7s",
    "1p1p1p3p4p5p8p8p5s5s6s7s8s",
    "2m2m3m3m4m4m6m7m8m5p5p9p9p",
    "3s4s5s6s",
    "9p",
    "4m4m4m6m7m2s2s",
]


def packed(hand: str) -> int:
    """The packed hand of a tile string."""
    return sum(ONE[kind] for kind in parse_tiles(hand))


@pytest.mark.parametrize(("hands", "ready"), [(DEALT, 0), (READY, len(READY))], ids=["dealt", "ready"])
def test_waits_of_a_list_of_hands(benchmark: Any, hands: list[str], ready: int) -> None:
    every = [packed(hand) for hand in hands] * 125

    def waits() -> int:
        return sum(1 for hand in every if set_waits(hand))

    assert benchmark(waits) == ready * 125
