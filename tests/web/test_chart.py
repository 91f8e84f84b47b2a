"""The chart of the scores: what was claimed stands where its score is, beside the end that was recomputed."""

import re

import orjson

from replay import load_profile
from replay.log import log_of
from replay.steps import course_of, steps
from replay.web.hands.chart import Chart, chart
from replay.wording import Words
from tests.goldens import FOLDER


def drawn(claimed: list[int] | None) -> Chart:
    """The chart of a sample's first hand at its last step."""
    log = log_of(orjson.loads((FOLDER / "chengdu" / "misclaimed-settlement.json").read_bytes()))
    walk = steps(load_profile(log.rules.profile, log.rules.options), log, 0)
    return chart(Words.of("en"), walk.frame(walk.last), course_of(walk), claimed, True)


def end_of(path: str) -> float:
    """How far down a line ends."""
    return float(re.findall(r"V([\d.]+)|M0 ([\d.]+)", path)[-1][0])


def test_a_claimed_end_stands_as_far_down_as_its_own_score() -> None:
    ends = [end_of(line.path) for line in drawn(None).lines]
    scores = [int(line.end.replace("−", "-")) for line in drawn(None).lines]
    assert len({*scores}) == 4
    swapped = [scores[1], scores[0], scores[2], scores[3]]
    lines = drawn(swapped).lines
    assert [line.claimed_at for line in lines] == [f"{ends[1]:.1f}%", f"{ends[0]:.1f}%", "", ""]
    assert [bool(line.claimed) for line in lines] == [True, True, False, False]


def test_a_claim_beyond_every_score_widens_the_field() -> None:
    lines = drawn([100, -100, 0, 0]).lines
    places = [float(line.claimed_at.rstrip("%")) for line in lines[:2]]
    assert 0 < places[0] < min(end_of(line.path) for line in lines)
    assert max(end_of(line.path) for line in lines) < places[1] < 100


def test_without_a_claim_there_is_no_mark() -> None:
    assert {line.claimed_at for line in drawn(None).lines} == {""}
