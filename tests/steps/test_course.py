"""The course of a hand: a choice is counted where it arises, and what happened stands at its step."""

from itertools import pairwise

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay import load_profile, profile_ids
from replay.log import log_of
from replay.steps import HandSteps, Offer, course_of, steps
from replay.steps.course import is_choice
from tests.goldens import FOLDER
from tests.play.strategies import examples, sittings


def sample(name: str) -> HandSteps:
    log = log_of(orjson.loads((FOLDER / "chengdu" / f"{name}.json").read_bytes()))
    return steps(load_profile(log.rules.profile, log.rules.options), log, 0)


@pytest.mark.parametrize("profile", profile_ids())
@given(data=st.data())
@examples(in_ci=8, here=3)
def test_a_course_agrees_with_the_frames_of_its_hand(profile: str, data: st.DataObject) -> None:
    log = log_of(data.draw(sittings(profile)))
    walk = steps(load_profile(log.rules.profile, log.rules.options), log, 0)
    frames, course = list(walk.frames()), course_of(walk)
    assert [stand.step for stand in course.stands] == [frame.step for frame in frames]
    before: list[set[Offer]] = [set()] * 4
    for stand, frame in zip(course.stands, frames, strict=True):
        now = [set(filter(is_choice, seat.offers)) for seat in frame.seats]
        assert stand.deciding == tuple(seat for seat in range(4) if not now[seat] <= before[seat])
        final = tuple(seat.score for seat in frame.seats) if frame.final is None else frame.final
        assert stand.scores == final
        before = now


@pytest.mark.parametrize("profile", profile_ids())
@given(data=st.data())
@examples(in_ci=8, here=3)
def test_whoever_acts_by_choice_had_decided_since_its_last_action(profile: str, data: st.DataObject) -> None:
    log = log_of(data.draw(sittings(profile)))
    walk = steps(load_profile(log.rules.profile, log.rules.options), log, 0)
    course, since = course_of(walk), [False] * 4
    for before, after in pairwise(course.stands):
        for seat in before.deciding:
            since[seat] = True
        action = walk.hand.actions[after.step - 1]
        if action.type in ("hu", "peng", "gang", "swap", "void", "replace"):
            assert since[action.seat], after.step


def test_a_choice_counts_where_it_arises_and_not_at_every_step_it_stays() -> None:
    course = course_of(sample("guo-shui"))
    assert course.decisions([1]) == (0, 9, 14)
    assert course.decisions([1, 2]) == (0, 9, 11, 14, 19, 24)
    assert course.stands[2].deciding == ()


@pytest.mark.parametrize(
    ("offer", "choice"),
    [
        (Offer("discard"), True),
        (Offer("discard", "5p"), False),
        (Offer("draw"), False),
        (Offer("flee"), False),
        (Offer("hu", "5p", None, "must"), True),
        (Offer("hu", "5p", None, "barred"), False),
        (Offer("peng", "5p", None, "passed"), False),
        (Offer("own_gang", "5p", "an"), True),
    ],
)
def test_a_choice_is_what_may_be_done_or_left(offer: Offer, choice: bool) -> None:
    assert is_choice(offer) is choice


def test_claims_and_wins_are_told_from_what_only_follows_the_turn() -> None:
    walk = sample("guo-shui")
    course = course_of(walk)
    events = {stand.step: stand.event for stand in course.stands if stand.event}
    for step, event in events.items():
        kind = walk.hand.actions[step - 1].type
        assert (event == "win") == (kind == "hu")
        assert event == "win" or kind in ("peng", "gang")
    claims = {
        claim.at + 1
        for seat in walk.frame(walk.last).seats
        for each in seat.discards
        for claim in each.claims
    }
    wins = {win.at + 1 for seat in walk.frame(walk.last).seats for win in seat.wins}
    assert events.keys() == claims | wins


def test_who_may_take_a_discard_is_told_where_it_lies() -> None:
    walk = sample("guo-shui")
    for stand, frame in zip(course_of(walk).stands, walk.frames(), strict=True):
        may = [
            seat.number
            for seat in frame.seats
            if any(
                offer.what in ("hu", "peng", "gang") and offer.state in ("open", "must")
                for offer in seat.offers
            )
        ]
        assert list(stand.claimants) == may


def test_a_hu_that_was_not_played_is_none() -> None:
    walk = sample("false-win")
    last = course_of(walk).stands[-1]
    assert (last.step, last.event, last.deciding) == (walk.last, "", ())
