"""At the edge of what a record holds: what hangs on a missing fact stays open, and a hand ends where it ends."""

from pathlib import Path
from typing import Any

import pytest

from replay import audit

FOLDER = Path(__file__).parent / "disputed"
Found = list[tuple[str, str, int | None, int | None]]


def audited(name: str) -> tuple[Found, list[Any]]:
    """Every finding of a log as code, kind, action and seat, and the scores of its hands."""
    report = audit((FOLDER / f"{name}.json").read_bytes()).to_dict()
    found = [*report["findings"], *(one for hand in report["hands"] for one in hand["findings"])]
    places = [(one["code"], one["kind"], one["action"], one["seat"]) for one in found]
    return places, [hand["scores"] for hand in report["hands"]]


@pytest.mark.parametrize(
    ("name", "found", "scores"),
    [
        # An added fourth tile with nothing left to draw (rulebook 2.1): the hand is over there, and is settled.
        (
            "bu-no-tile-left",
            [("ACT015", "illegal", 117, 0), ("HND001", "illegal", 118, 1)],
            [[-2, 2, 2, -2]],
        ),
        ("bu-no-tile-left-robbed", [("ACT015", "illegal", 117, 0)], [[-2, 1, 2, -1]]),
        (
            "bu-no-tile-left-then-discard",
            [("ACT015", "illegal", 117, 0), ("HND003", "illegal", 118, 0), ("HND001", "illegal", 118, 1)],
            [[-2, 2, 2, -2]],
        ),
        # Who deals is not known: 天胡 and 地胡 can't be told apart, but nobody discards before a draw.
        (
            "lacks-dealer-tian-hu",
            [("ACT004", "undecidable", 4, 0), ("SET003", "undecidable", 5, 0)],
            [[96, -34, -31, -31]],
        ),
        ("lacks-dealer-discard-first", [("ACT005", "illegal", 4, 0)], [None]),
        # What ends a hand is not known: a hu of the last tile may have ended it, or a liuju followed.
        ("lacks-ends-hu-on-last-discard", [("SET001", "undecidable", None, None)], [[-1, -1, 4, -2]]),
    ],
)
def test_a_disputed_end(name: str, found: Found, scores: list[Any]) -> None:
    assert audited(name) == (found, scores)


def test_a_void_suit_is_declared_before_any_other_action() -> None:
    found, _ = audited("pass-before-voids")
    assert [place for place in found if place[0] == "ACT010"] == [
        ("ACT010", "illegal", 2 + seat, seat) for seat in range(4)
    ]


def test_a_forced_hu_rests_on_the_draw_whatever_was_declined_since() -> None:
    report = audit((FOLDER / "own-hu-passed.json").read_bytes())
    (missed,) = [one for one in report.all_findings if one.code == "HND001"]
    assert (missed.action, missed.because) == (110, (108,))


def test_another_seat_s_draw_is_not_what_lies_to_be_claimed() -> None:
    report = audit((FOLDER / "rob-concealed-late.json").read_bytes())
    (finding,) = [one for one in report.all_findings if one.code == "ACT007"]
    assert finding.params["last"] is None


def test_a_stake_multiplies_a_transfer_as_it_does_every_payment_between_two_seats() -> None:
    """Rulebook 6.8: the gang's income of 2 + 2 + 2 goes on at the winner's own stake, not at the payers'."""
    (hand,) = audit((FOLDER / "piao-transfer.json").read_bytes()).to_dict()["hands"]
    paid = [(entry["kind"], entry["from"], entry["to"], entry["amount"]) for entry in hand["ledger"]]
    assert paid[3:6] == [("gang", 0, 2, 40), ("gang", 1, 2, 20), ("gang", 3, 2, 20)]
    assert paid[6:] == [("hu", 2, 3, 40), ("transfer", 2, 3, 60)]
