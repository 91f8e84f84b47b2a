"""What a record lacks leaves questions open: each is undecidable and says what is missing, none is ever illegal.

Logs are derived from cases: a fact is taken out of a log, and `lacks` says so.
"""

import pytest

from replay import audit, load_profile

from .cases import errors, expectation, log_bytes, log_of, place, profile_of
from .lacking import (
    FACTS,
    ILLEGAL,
    LEGAL,
    check_opened,
    derived,
    forget_claimed_places,
    illegal,
    opened,
    whole,
    without,
)

DECLARED = [
    (kind, name)
    for kind, name in [*LEGAL, *ILLEGAL]
    if load_profile(profile_of(kind, name)).void == "declared"
]
"""Sittings of rule sets in which a void suit is declared."""

# A fact taken out -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), LEGAL)
@pytest.mark.parametrize("fact", FACTS)
def test_a_legal_sitting_is_never_called_illegal_for_what_its_record_lacks(
    fact: str, kind: str, name: str
) -> None:
    log, _ = without(fact, kind, name)
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    assert report["verdict"] == "clean"
    check_opened(report, [fact])


@pytest.mark.parametrize(("kind", "name"), ILLEGAL)
@pytest.mark.parametrize("fact", FACTS)
def test_a_record_with_less_in_it_shows_no_illegal_act_that_the_whole_does_not(
    fact: str, kind: str, name: str
) -> None:
    log, kept = without(fact, kind, name)
    report = audit(log).to_dict()
    assert illegal(report, kept) - whole(kind, name) == set()
    check_opened(report, [fact])


@pytest.mark.parametrize(("kind", "name"), [*LEGAL, *ILLEGAL])
def test_a_record_that_lacks_everything_is_audited_all_the_same(kind: str, name: str) -> None:
    log, kept = derived(kind, name, *FACTS, drop=lambda action: action["type"] in ("void", "pass"))
    log["records"] = [each for each in log.get("records", ()) if each != "pass"]
    log["rules"].pop("options", None)
    forget_claimed_places(log)
    report = audit(log).to_dict()
    assert illegal(report, kept) - whole(kind, name) == set()
    if (kind, name) in DECLARED:
        assert opened(report) or [hand["stopped_at"] for hand in report["hands"]] == [0]
    check_opened(report, FACTS)


STILL = ("ACT001", "ACT003", "ACT004", "ACT006", "ACT026")
"""Codes of what no missing fact can excuse: tiles that are not there, turns, and acts after a hu."""


@pytest.mark.parametrize("name", [name for _, name in ILLEGAL if name.startswith(STILL)])
def test_what_needs_no_missing_fact_stays_illegal(name: str) -> None:
    log, _ = derived("illegal", name, *FACTS)
    wanted = expectation("illegal", name)["expected_finding"]
    found = [
        (finding["code"], finding["hand"], finding["action"]) for finding in errors(audit(log).to_dict())
    ]
    assert (wanted["code"], wanted["hand"], wanted["action"]) in found


@pytest.mark.parametrize(
    ("fact", "name"),
    [
        ("void", "ACT010-void-after-discard"),
        ("void", "ACT010-void-missing"),
        ("void", "ACT012-void-suit-kept"),
        ("void", "ACT013-peng-of-void-suit"),
        ("void", "ACT022-void-held-claim"),
        ("void", "ACT023-guo-shui"),
        ("pass", "ACT030-pass-missing"),
        ("gang_kind", "ACT015-gang-of-three"),
        ("gang_kind", "ACT015-added-without-peng"),
        ("gang_kind", "ACT024-rob-concealed"),
        ("gang_kind", "SET001-scores"),
        ("rob", "SET002-ledger"),
        ("ends", "HND002-cut-short"),
        ("dealer", "HND004-dealer-wrong"),
        ("options", "ACT023-guo-shui"),
        ("options", "HND001-forced-on-discard"),
        ("options", "HND001-forced-on-own-draw"),
        ("options", "SET001-scores"),
        ("options", "SET003-wins"),
        ("options", "SET005-totals"),
    ],
)
def test_the_question_that_needs_the_fact_is_open(fact: str, name: str) -> None:
    """The defect is still seen, as a question under its code, once it is known what the record lacks."""
    log, _ = derived("illegal", name, fact)
    report = audit(log).to_dict()
    code = name[:6]
    assert [place(finding) for finding in errors(report) if finding["code"] == code] == []
    asked = [finding for finding in opened(report) if finding["code"] == code]
    assert asked
    assert all(fact in finding["params"]["missing"] for finding in asked)
    assert report["complete"] is False


# Void ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), [case for case in DECLARED if case in LEGAL])
def test_without_void_suits_the_order_of_discards_is_open_in_every_hand(kind: str, name: str) -> None:
    log, _ = without("void", kind, name)
    for hand in audit(log).to_dict()["hands"]:
        codes = {finding["code"] for finding in hand["findings"] if finding["kind"] == "undecidable"}
        assert {"ACT010", "ACT012"} <= codes
        assert ("ACT022" in codes) == bool(hand["wins"])


@pytest.mark.parametrize(("kind", "name"), [case for case in DECLARED if case in LEGAL])
def test_without_void_suits_the_money_of_a_liuju_is_open(kind: str, name: str) -> None:
    log, _ = without("void", kind, name)
    for hand, played in zip(audit(log).to_dict()["hands"], log["hands"], strict=True):
        asked = {finding["code"] for finding in hand["findings"] if finding["kind"] == "undecidable"}
        if hand["ready"] is not None and "claimed" in played:
            assert "SET001" in asked


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, name in LEGAL if len(log_of(kind, name)["hands"]) > 1]
)
def test_an_unknown_dealer_leaves_the_next_deal_open(kind: str, name: str) -> None:
    log, _ = without("dealer", kind, name)
    first, *others = audit(log).to_dict()["hands"]
    assert "HND004" not in {finding["code"] for finding in first["findings"]}
    for hand in others:
        assert [f["kind"] for f in hand["findings"] if f["code"] == "HND004"] == ["undecidable"]


# Nothing lacking --------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), [*LEGAL, *ILLEGAL])
def test_an_empty_list_of_lacks_is_none(kind: str, name: str) -> None:
    log, _ = derived(kind, name)
    with_list, without_list = audit(log).to_dict(), audit(log_bytes(kind, name)).to_dict()
    assert with_list["hands"] == without_list["hands"]
    assert with_list["findings"] == without_list["findings"]
