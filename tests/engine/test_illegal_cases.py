"""One defect each: found with its code, at its action, at its seat, and nothing else made of it."""

from typing import Any

import pytest

from replay import audit

from .cases import Facts, check_settlement, errors, expectation, log_bytes, place, playable

ILLEGAL = [name for name in playable("illegal") if not name.startswith("CLEAN-")]
CLEAN = [name for name in playable("illegal") if name.startswith("CLEAN-")]
WHOLE = [name for name in playable("illegal") if "expected" in expectation("illegal", name)]


def is_it(finding: Facts, wanted: Facts, seats: list[Any]) -> bool:
    """Whether a finding is the one expected."""
    same = all(finding[key] == wanted[key] for key in ("code", "hand", "action"))
    return same and finding["seat"] in seats


def may_stand(finding: Facts, wanted: Facts, also: list[str]) -> bool:
    """Whether a finding may stand beside the one expected."""
    if finding["code"] in also:
        return True
    if "*" not in also:
        return False
    action, at = finding["action"], wanted["action"]
    return action is None or at is None or bool(action >= at)


@pytest.mark.parametrize("name", ILLEGAL)
def test_the_defect_is_found_where_it_stands_and_nothing_else(name: str) -> None:
    case = expectation("illegal", name)
    wanted = case["expected_finding"]
    seats = case.get("alt_seats", [wanted["seat"]])
    found = errors(audit(log_bytes("illegal", name)).to_dict())
    assert [finding for finding in found if is_it(finding, wanted, seats)], list(map(place, found))
    others = [finding for finding in found if not is_it(finding, wanted, seats)]
    assert [place(other) for other in others if not may_stand(other, wanted, case["also"])] == []


@pytest.mark.parametrize("name", CLEAN)
def test_a_near_miss_stays_clean(name: str) -> None:
    assert expectation("illegal", name)["expected_finding"] is None
    report = audit(log_bytes("illegal", name)).to_dict()
    assert list(map(place, errors(report))) == []
    assert report["verdict"] == "clean"


@pytest.mark.parametrize("name", WHOLE)
def test_the_settlement_still_comes_out(name: str) -> None:
    report = audit(log_bytes("illegal", name)).to_dict()
    check_settlement(report, expectation("illegal", name)["expected"])


@pytest.mark.parametrize("name", ILLEGAL)
def test_a_defect_says_where_it_stands(name: str) -> None:
    report = audit(log_bytes("illegal", name)).to_dict()
    assert report["verdict"] == ("findings" if report["hands"] else "unreplayable")
    for finding in errors(report):
        at = "" if finding["hand"] is None else f"/hands/{finding['hand']}"
        assert finding["pointer"].startswith(at)
        if finding["action"] is not None and finding["code"][:3] in ("ACT", "HND"):
            assert finding["pointer"] == f"{at}/actions/{finding['action']}"
        assert finding["message"]


@pytest.mark.parametrize("name", ILLEGAL)
def test_a_finding_rests_on_earlier_actions(name: str) -> None:
    for finding in errors(audit(log_bytes("illegal", name)).to_dict()):
        if finding["action"] is not None:
            assert all(0 <= action <= finding["action"] for action in finding["because"])


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_act_cites_the_words_it_breaks(name: str) -> None:
    """An action that the rule set does not have (`not_in_rules`) breaks no words of its document."""
    for finding in errors(audit(log_bytes("illegal", name)).to_dict()):
        if finding["kind"] == "illegal" and finding["params"].get("reason") != "not_in_rules":
            assert finding["clause"] is not None, finding["code"]
            assert finding["clause"]["text"]
