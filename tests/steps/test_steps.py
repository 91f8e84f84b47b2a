"""A hand walked step by step agrees with its audit, at every step and however one gets there."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay import audit, load_profile, profile_ids
from replay.hands import audit_hand
from replay.importers import importers
from replay.intake import take_in
from replay.ledger import scores
from replay.log import Log, log_of
from replay.reasons import written_entries
from replay.report import hand_dict
from replay.steps import Frame, HandSteps, Offer, SeatShown, steps
from tests.goldens import FOLDER, samples
from tests.play.generator import Document
from tests.play.strategies import examples, sittings

RULE_SETS = pytest.mark.parametrize("profile", profile_ids())
PLAYED = ("hu", "gang", "transfer", "penalty")


def walks(document: Document) -> list[HandSteps]:
    """Every hand of a log, to be walked through."""
    log = log_of(document)
    rules = load_profile(log.rules.profile, log.rules.options)
    return [steps(rules, log, number) for number in range(len(log.hands))]


def tiles_shown(frame: Frame) -> Counter[str]:
    """Every tile that lies somewhere, once: a claimed discard where it was laid down, a robbed one by its hu."""
    found = Counter([frame.indicator] if frame.indicator else [])
    for seat in frame.seats:
        found.update(seat.hand)
        found.update([seat.drawn] if seat.drawn else [])
        found.update(each.tile for each in seat.discards)
        for meld in seat.melds:
            found[meld.tile] += (3 if meld.kind == "peng" else 4) - (meld.source is not None) + meld.adding
            found[meld.tile] -= meld.wild
            found.update([str(frame.wild)] * meld.wild)
        found.update(win.tile for win in seat.wins if win.source is None)
        found.update(() if seat.received else seat.gave)
    robbed = {(win.source_at, win.tile) for seat in frame.seats for win in seat.wins if win.robbed}
    found.update(tile for _, tile in robbed)
    return found


def gains(frame: Frame) -> list[int]:
    return [seat.score for seat in frame.seats]


# By properties ---------------------------------------------------------------------------------------


@RULE_SETS
@given(data=st.data())
@examples(in_ci=10, here=4)
def test_every_step_adds_up_and_the_last_is_the_audit_s(profile: str, data: st.DataObject) -> None:
    document = data.draw(sittings(profile))
    for walk in walks(document):
        frames = list(walk.frames())
        assert [frame.step for frame in frames] == list(range(walk.count + 1))
        for frame in frames:
            tiles = tiles_shown(frame)
            assert tiles.total() + frame.left == walk.rules.tiles
            assert max(tiles.values()) <= 4
            for seat in frame.seats:
                assert not seat.waits or len(seat.hand) + 3 * len(seat.melds) == 13
            if frame.wall is not None:
                assert len(frame.wall) == frame.left
                assert set((tiles + Counter(frame.wall)).values()) == {4}
            assert msgspec.convert(orjson.loads(orjson.dumps(frame.to_dict())), Frame) == frame
        last, whole = frames[-1], walk.audited
        made = [entry for entry in whole.book.entries if entry.at is not None]
        assert gains(last) == scores(made)
        assert last.final == tuple(whole.scores or ())
        assert list(last.ledger) == written_entries(whole.book)
        assert [[win.order for win in seat.wins] for seat in last.seats] == [
            [n for n, win in enumerate(whole.table.wins, 1) if win.seat == seat] for seat in range(4)
        ]


@RULE_SETS
@given(data=st.data())
@examples(in_ci=6, here=3)
def test_a_step_is_the_same_from_scratch_and_in_passing(profile: str, data: st.DataObject) -> None:
    walk = walks(data.draw(sittings(profile)))[0]
    frames = list(walk.frames())
    for step in {0, walk.last, *data.draw(st.sets(st.integers(0, walk.last), max_size=6))}:
        assert walk.frame(step) == frames[step]


@RULE_SETS
@given(data=st.data())
@examples(in_ci=20, here=6)
def test_what_is_done_was_offered_just_before(profile: str, data: st.DataObject) -> None:
    """In legal play each action is one that its seat had a right to, and its frame shows what it did."""
    for walk in walks(data.draw(sittings(profile))):
        for before, after in pairwise(walk.frames()):
            done = after.action
            assert done is not None
            seat = before.seats[done["seat"]]
            own = done["type"] == "hu" and "from" not in done, done.get("kind") in ("an", "bu")
            what = "own_hu" if own[0] else "own_gang" if own[1] else done["type"]
            if what == "pass":
                continue
            allowed = [offer.state for offer in seat.offers if offer.what == what and may_be(offer, done)]
            assert allowed in (["open"], ["must"], ["passed"]), (before.step, done)
            assert before.phase != "over"
            shown = SHOWS.get(what, shows_meld)
            assert shown(before, after, after.seats[seat.number], done), (after.step, done)


def may_be(offer: Offer, done: dict[str, Any]) -> bool:
    """Whether the offer is of the tile and the kind of gang that the action has, where it names them."""
    return offer.tile in (None, done.get("tile")) and offer.kind in (None, done.get("kind"))


Shows = Callable[[Frame, Frame, SeatShown, dict[str, Any]], bool]

SHOWS: dict[str, Shows] = {
    "draw": lambda before, after, seat, done: seat.drawn == done["tile"],
    "discard": lambda before, after, seat, done: (
        (seat.discards[-1].at, seat.discards[-1].tile) == (before.step, done["tile"])
    ),
    "void": lambda before, after, seat, done: seat.void == done["suit"],
    "hu": lambda before, after, seat, done: (
        (seat.wins[-1].at, seat.wins[-1].tile) == (before.step, done["tile"])
    ),
    "own_hu": lambda before, after, seat, done: (
        (seat.wins[-1].at, seat.wins[-1].source) == (before.step, None)
    ),
    "piao": lambda before, after, seat, done: seat.piao,
    "ting": lambda before, after, seat, done: seat.ting,
    "flee": lambda before, after, seat, done: seat.fled and (bool(seat.wins) or after.phase == "over"),
    "swap": lambda before, after, seat, done: shows_swap(before, after, seat, done),
    "replace": lambda before, after, seat, done: shows_replace(before, after, seat, done),
}
"""Whether the step shows what the action that led there did: the table before it, after it, and the seat then."""


def shows_swap(before: Frame, after: Frame, seat: SeatShown, done: dict[str, Any]) -> bool:
    """What was given is out of the hand; with the fourth swap each seat has three tiles of another."""
    tiles = Counter(before.seats[seat.number].hand) - Counter(seat.hand)
    if not all(each.gave for each in after.seats):
        return tiles == Counter(done["tiles"]) == Counter(seat.gave) and not seat.received
    away = {"next": 1, "opposite": 2, "previous": 3}[str(after.direction)]
    return all(after.seats[(each.number + away) % 4].received == each.gave for each in after.seats)


def shows_replace(before: Frame, after: Frame, seat: SeatShown, done: dict[str, Any]) -> bool:
    """A 听用 less in the meld, and one more in the hand in place of the real tile."""
    was = before.seats[seat.number]
    wild = [sum(meld.wild for meld in each.melds if meld.tile == done["meld"]) for each in (was, seat)]
    held = [Counter([*each.hand, *([each.drawn] if each.drawn else [])]) for each in (was, seat)]
    held[0].subtract([done["tile"]])
    held[0].update([str(after.wild)])
    return wild[0] == wild[1] + 1 and +held[0] == held[1]


def shows_meld(before: Frame, after: Frame, seat: SeatShown, done: dict[str, Any]) -> bool:
    """The meld; what it took, if it took something, is a ghost where it lay."""
    if done.get("kind") == "bu":
        return any(meld.adding and meld.tile == done["tile"] for meld in seat.melds)
    meld = seat.melds[-1]
    if meld.source is None:
        return meld.at == before.step
    ghost = next(each for each in after.seats[meld.source].discards if each.at == meld.source_at)
    claims = [(claim.seat, claim.at) for claim in ghost.claims]
    return meld.wild == done.get("wild", 0) and claims == [(seat.number, before.step)]


# Samples ---------------------------------------------------------------------------------------------


def sample(name: str) -> HandSteps:
    document = orjson.loads((FOLDER / "chengdu" / f"{name}.json").read_bytes())
    return walks(document)[0]


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.stem)
def test_a_sample_walks_to_where_its_audit_ends(path: Any) -> None:
    taken = take_in(path.read_bytes())
    log = taken.log
    assert isinstance(log, Log)
    assert importers()
    rules = load_profile(log.rules.profile, log.rules.options)
    written = audit(path.read_bytes()).to_dict()["hands"]
    for number, facts in enumerate(written):
        walk = steps(rules, log, number, facts["findings"])
        frames = list(walk.frames())
        stop = facts["stopped_at"]
        assert walk.last == (walk.count if stop is None else stop + 1)
        assert frames[-1].beyond == ("" if stop is None else "unknown")
        placed = [finding for finding in facts["findings"] if finding["action"] is not None]
        assert [finding for frame in frames for finding in frame.findings] == sorted(
            placed, key=lambda finding: walk.step_of(finding["action"])
        )
        assert frames[0].next_finding == (walk.finding_steps[0] if placed else None)


def test_a_hand_s_own_findings_are_those_of_its_audit() -> None:
    walk = sample("guo-shui")
    whole = audit_hand(walk.rules, walk.hand, 0, walk.log.records or (), ())
    assert list(walk.findings) == hand_dict(whole, walk.rules, False)["findings"]
    (step,) = walk.finding_steps
    frame = walk.frame(step)
    assert [finding["code"] for finding in frame.findings] == ["ACT023"]
    assert (frame.previous_finding, frame.next_finding) == (None, None)
    assert walk.frame(step - 1).next_finding == step
    assert walk.frame(walk.last).previous_finding == (step if step < walk.last else None)


def test_a_barred_seat_is_shown_with_what_it_passed_and_until_when() -> None:
    walk = sample("guo-shui")
    before = walk.frame(walk.finding_steps[0] - 1)
    hu = walk.frame(walk.finding_steps[0]).action
    assert hu is not None
    seat = before.seats[hu["seat"]]
    assert seat.bar is not None
    assert (seat.bar.until, seat.bar.waived) == ("draw", False)
    assert (seat.bar.fan, seat.bar.price) == (1, 1)
    assert seat.bar.because
    assert set(seat.bar.tiles) <= set(seat.waits)
    (offer,) = (offer for offer in seat.offers if offer.what == "hu")
    assert (offer.tile, offer.state, offer.fan) == (hu["tile"], "barred", 1)


def test_a_hu_that_must_be_made_is_shown_as_such() -> None:
    walk = sample("forced-hu-missed")
    must = [frame for frame in walk.frames() if any(o.state == "must" for s in frame.seats for o in s.offers)]
    assert must
    assert all(frame.window_open and frame.forced for frame in must)
    assert not walk.frame(walk.count // 2).window_open


def test_a_hand_that_was_stopped_can_be_walked_up_to_there() -> None:
    walk = sample("false-win")
    frame, before = walk.frame(walk.last), walk.frame(walk.last - 1)
    assert walk.audited.stopped_at == walk.last - 1 < walk.count
    assert (frame.beyond, before.beyond, frame.final) == ("unknown", "", None)
    assert [finding["code"] for finding in frame.findings] == ["ACT020"]
    assert [(seat.hand, seat.melds) for seat in frame.seats] == [
        (seat.hand, seat.melds) for seat in before.seats
    ]
    assert not any(seat.offers for seat in frame.seats)
    with pytest.raises(IndexError, match="no step"):
        walk.frame(walk.last + 1)


def test_what_follows_the_end_of_a_hand_is_not_walked() -> None:
    document = orjson.loads((FOLDER / "chengdu" / "clean.json").read_bytes())
    document["hands"][0]["actions"] += [{"type": "draw", "seat": 0, "tile": "1m"}] * 2
    walk = walks(document)[0]
    frame = walk.frame(walk.last)
    assert (walk.last, frame.beyond) == (walk.count - 1, "over")
    assert [finding["code"] for finding in frame.findings] == ["HND003"]
    assert frame.final is not None


def test_a_deal_with_a_fifth_copy_is_not_walked() -> None:
    document = orjson.loads((FOLDER / "chengdu" / "clean.json").read_bytes())
    hand = document["hands"][0]
    hand.pop("wall", None)
    hand["deal"] = ["1m1m1m1m1m" + deal[10:] for deal in hand["deal"]]
    walk = walks(document)[0]
    assert (walk.last, walk.frame(0).beyond, walk.finding_steps) == (0, "unknown", ())


def test_the_end_of_a_hand_cut_short_stands_at_its_last_step() -> None:
    document = orjson.loads((FOLDER / "chengdu" / "clean.json").read_bytes())
    hand = document["hands"][0]
    hand["actions"] = hand["actions"][:20]
    hand.pop("claimed", None)
    walk = walks(document)[0]
    assert walk.finding_steps == (20,)
    assert [finding["code"] for finding in walk.frame(20).findings] == ["HND002"]
