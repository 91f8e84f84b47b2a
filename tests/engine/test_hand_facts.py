"""What a hand's own facts decide: the tile turned up, what the seats hold, the swap's direction, who fled."""

from typing import Any

import pytest

from replay import audit

from .cases import errors, expectation, log_of, place, playable

Facts = dict[str, Any]


def codes(report: Facts, kind: str) -> set[str]:
    """The codes of a report's findings of this kind."""
    found = [*report["findings"], *(finding for hand in report["hands"] for finding in hand["findings"])]
    return {finding["code"] for finding in found if finding["kind"] == kind}


# 听用 (001 特殊规则 1) ----------------------------------------------------------------------------------

WILD = [
    name for name in playable("legal") if any("indicator" in hand for hand in log_of("legal", name)["hands"])
]
WALLED = [name for name in WILD if "wall" in log_of("legal", name)["hands"][0]]


@pytest.mark.parametrize("name", WALLED)
def test_which_tile_is_wild_is_read_off_the_wall_where_it_is_not_stated(name: str) -> None:
    log = log_of("legal", name)
    for hand in log["hands"]:
        assert hand.pop("indicator") == hand["wall"][-2:]
    report = audit(log).to_dict()
    assert errors(report) == []
    assert report["totals"] == expectation("legal", name)["expected"]["totals"]


@pytest.mark.parametrize("name", WILD)
def test_where_neither_wall_nor_indicator_is_recorded_nothing_is_illegal(name: str) -> None:
    log = log_of("legal", name)
    log["records"] = [each for each in log.get("records", ()) if each != "wall"]
    used = False
    for hand in log["hands"]:
        del hand["indicator"]
        hand.pop("wall", None)
        used |= any(action.get("wild") or action["type"] == "replace" for action in hand["actions"])
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    if used:
        assert report["complete"] is False
        asked = [f for hand in report["hands"] for f in hand["findings"] if f["kind"] == "undecidable"]
        assert all("indicator" in finding["params"]["missing"] for finding in asked)


def test_a_tile_turned_up_that_is_not_the_last_of_the_wall_is_refused() -> None:
    log = log_of("legal", WALLED[0])
    log["hands"][0]["indicator"] = "1m" if log["hands"][0]["wall"][-2:] != "1m" else "2m"
    report = audit(log).to_dict()
    assert [(f["code"], f["pointer"]) for f in report["findings"]] == [("LOG001", "/hands/0/indicator")]


# 基础分 (000 §4) ----------------------------------------------------------------------------------------

SILVER = [name for name in playable("legal") if log_of("legal", name)["rules"]["profile"] == "zimo"]


@pytest.mark.parametrize("name", SILVER)
@pytest.mark.parametrize(("poorest", "base"), [(35, 1), (349, 9), (350, 10), (34, 0), (0, 0)])
def test_the_base_is_a_thirty_fifth_of_what_the_poorest_holds(name: str, poorest: int, base: int) -> None:
    log = log_of("legal", name)
    for part in (log, *log["hands"]):
        part.pop("claimed", None)
    whole, before = expectation("legal", name)["expected"], []
    for hand in log["hands"]:
        before.append(min(hand.get("holdings", [35])) // 35)
        hand["holdings"] = [poorest + 1000, poorest, poorest + 1, poorest]
    report = audit(log).to_dict()
    assert errors(report) == []
    for hand, expected, old in zip(report["hands"], whole["hands"], before, strict=True):
        assert hand["scores"] == [base * points // old for points in expected["scores"]]


def test_holdings_beyond_what_sums_can_carry_are_refused() -> None:
    log = log_of("legal", SILVER[0])
    for most, refused in ((350_000_034, []), (350_000_035, ["/hands/0/holdings"])):
        log["hands"][0]["holdings"] = [10**12, most, 10**12, 10**12]
        report = audit(log).to_dict()
        assert [f["pointer"] for f in report["findings"] if f["code"] == "LOG001"] == refused


# 换三张 (000 §3.8) --------------------------------------------------------------------------------------

SWAPPED = [name for name in playable("legal") if "swap" in log_of("legal", name)["hands"][0]]


@pytest.mark.parametrize("name", SWAPPED)
def test_without_a_direction_it_is_not_known_who_holds_what(name: str) -> None:
    log = log_of("legal", name)
    del log["hands"][0]["swap"]
    hand = audit(log).to_dict()["hands"][0]
    assert [(f["code"], f["kind"], f["params"]) for f in hand["findings"]] == [
        ("ACT014", "undecidable", {"missing": ["direction"]})
    ]
    assert hand["scores"] is None


@pytest.mark.parametrize("name", SWAPPED)
def test_a_swap_too_many_is_found_and_changes_nothing(name: str) -> None:
    log = log_of("legal", name)
    actions = log["hands"][0]["actions"]
    at = max(at for at, action in enumerate(actions) if action["type"] == "swap")
    actions.insert(at + 1, dict(actions[at]))
    for claim in [c for hand in log["hands"] for c in (hand.get("claimed") or {}).get("wins", ())]:
        claim.pop("at", None)
    report = audit(log).to_dict()
    assert [place(finding)[:4] for finding in errors(report)] == [("ACT014", 0, at + 1, actions[at]["seat"])]
    assert report["totals"] == expectation("legal", name)["expected"]["totals"]


# Out of points (rulebook §4 chiyu) -----------------------------------------------------------------------


def paying(name: str) -> tuple[Facts, Facts, int]:
    """A sitting whose first hand has a payment in its midst, that payment, and how many actions come after it."""
    log = log_of("legal", name)
    hand = audit(log).to_dict()["hands"][0]
    log["hands"] = log["hands"][:1]
    for part in (log, *log["hands"]):
        part.pop("claimed", None)
    entry = next(entry for entry in hand["ledger"] if entry["at"] is not None)
    rest = [a for a in log["hands"][0]["actions"][entry["at"] + 1 :] if a["type"] not in ("hu", "pass")]
    return log, entry, len(rest)


@pytest.mark.parametrize(
    "name", [name for name in playable("legal") if name.startswith(("chengdu", "base6"))]
)
def test_a_hand_ends_when_a_seat_has_nothing_left(name: str) -> None:
    log, entry, rest = paying(name)
    log["rules"].setdefault("options", {})["ends_on_bust"] = True
    log["hands"][0]["holdings"] = [10**6] * 4
    assert errors(audit(log).to_dict()) == []
    log["hands"][0]["holdings"][entry["from"]] = entry["amount"]
    hand = audit(log).to_dict()["hands"][0]
    # What lay there when the hand ended asks for no pass any more, nor has it one.
    ends = [f for f in hand["findings"] if f["severity"] == "error" and f["code"] != "ACT030"]
    found = [(finding["code"], finding["params"].get("reason")) for finding in ends]
    assert found == ([("HND003", "bust")] if rest else [])
    assert hand["ready"] is None
