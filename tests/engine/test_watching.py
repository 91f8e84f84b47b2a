"""Operations R6: who looks on may set a hand aside; the others are audited, and nothing else changes."""

import json
from dataclasses import replace

import pytest

from replay import audit, load_profile
from replay.catalogue import severity_of
from replay.hands import HandAudit
from replay.limits import DEFAULT
from replay.log import decode
from replay.steps import steps
from replay.watch import SetAside
from tests.jobs.working import LOGS


class Onlooker:
    """Sets the hands named aside, and counts the looks."""

    def __init__(self, *aside: int, error: Exception | None = None) -> None:
        self.aside, self.error = aside, error or SetAside("time")
        self.looks: list[int] = []

    def look(self, hand: int) -> None:
        self.looks.append(hand)
        if hand in self.aside:
            raise self.error

    def reason(self, error: Exception) -> str:
        if isinstance(error, SetAside):
            return error.reason
        if isinstance(error, OSError):
            raise error
        return "error"


def sitting(hands: int = 3) -> bytes:
    log = json.loads(LOGS[1])
    return json.dumps({**log, "hands": [log["hands"][0]] * hands}).encode()


def scores(hands: list[HandAudit]) -> list[list[int] | None]:
    return [hand.scores for hand in hands]


@pytest.mark.parametrize("log", LOGS)
def test_a_log_that_is_only_looked_at_has_the_report_of_one_that_is_not(log: bytes) -> None:
    onlooker = Onlooker()
    assert audit(log, watch=onlooker).to_json() == audit(log).to_json()
    assert onlooker.looks[0] == 0


def test_aud002_a_hand_set_aside_has_no_verdict_and_the_others_have_theirs() -> None:
    whole, report = audit(sitting()), audit(sitting(), watch=Onlooker(1))
    first, aside, last = report.hands
    assert [(one.code, one.hand, one.params["reason"]) for one in aside.findings if one.code == "AUD002"] == [
        ("AUD002", 1, "time")
    ]
    assert (aside.scores, aside.stopped_at, report.totals, report.complete) == (None, 0, None, False)
    assert [first.scores, last.scores] == [whole.hands[0].scores, whole.hands[2].scores]
    assert {severity_of(one) for one in aside.findings if one.code == "AUD002"} == {"warning"}
    assert "AUD002" not in {one.code for one in whole.all_findings}


def test_what_the_engine_raises_is_the_hands_own_and_what_the_disk_raises_is_not() -> None:
    report = audit(sitting(), watch=Onlooker(2, error=MemoryError()))
    assert [one.params["reason"] for one in report.hands[2].findings if one.code == "AUD002"] == ["error"]
    with pytest.raises(OSError, match="full"):
        audit(sitting(), watch=Onlooker(2, error=OSError("full")))


def test_a_hand_set_aside_is_not_played_again_to_be_shown() -> None:
    report = audit(sitting(), watch=Onlooker(1))
    found = report.to_dict()["hands"][1]["findings"]
    shown = steps(load_profile("chengdu"), decode(sitting()), 1, found)
    assert shown.last == 0
    frame = shown.frame(0)
    assert (frame.beyond, frame.final, frame.ledger) == ("aside", None, ())


class TestTooManyFindings:
    """A log whose objections have no end is audited as far as the limit goes, and says so."""

    def log(self, hands: int, each: int) -> bytes:
        log = json.loads(LOGS[1])
        hand = log["hands"][0]
        late = [{"type": "ting", "seat": 1}] * each
        return json.dumps(
            {**log, "records": [], "hands": [{**hand, "actions": [*hand["actions"][:3], *late]}] * hands}
        ).encode()

    def test_the_rest_of_the_hand_and_the_hands_after_it_are_set_aside(self) -> None:
        report = audit(self.log(4, 30), limits=replace(DEFAULT, findings=50))
        counts = [len(hand.findings) for hand in report.hands]
        assert sum(counts) <= 50 + 2 * len(counts)
        aside = [
            [one.params["reason"] for one in hand.findings if one.code == "AUD002"] for hand in report.hands
        ]
        assert aside == [[], ["findings"], ["findings"], ["findings"]]
        assert [hand.scores for hand in report.hands[1:]] == [None] * 3
        assert report.complete is False

    def test_within_the_limit_nothing_is_left_out(self) -> None:
        log = self.log(4, 30)
        assert audit(log).to_json() == audit(log, limits=replace(DEFAULT, findings=500)).to_json()
        assert "AUD002" not in {one.code for one in audit(log).all_findings}

    def test_what_it_costs_to_store_is_bounded(self) -> None:
        report = audit(self.log(60, 1900))
        assert len(report.all_findings) < 2_200
