"""Legal sittings of every rule set: no finding of severity error, and exactly the settlement expected."""

import json

import pytest

from replay import audit

from .cases import check_settlement, errors, expectation, log_bytes, log_of, place, playable, profile_of

LEGAL = playable("legal")


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_sitting_comes_out_as_expected(name: str) -> None:
    report = audit(log_bytes("legal", name)).to_dict()
    assert list(map(place, errors(report))) == []
    assert report["verdict"] == "clean"
    assert report["complete"] is True
    check_settlement(report, expectation("legal", name)["expected"])


@pytest.mark.parametrize("name", LEGAL)
def test_a_decoded_log_is_audited_as_its_bytes_are(name: str) -> None:
    from_bytes = audit(log_bytes("legal", name)).to_dict()
    from_document = audit(log_of("legal", name)).to_dict()
    digests = [report["log"].pop("sha256") for report in (from_bytes, from_document)]
    assert from_bytes == from_document
    assert all(len(digest) == 64 for digest in digests)


@pytest.mark.parametrize("name", LEGAL)
def test_the_same_log_gives_the_same_bytes(name: str) -> None:
    data = log_bytes("legal", name)
    assert audit(data).to_json() == audit(data).to_json()
    assert json.loads(audit(data).to_json()) == audit(data).to_dict()


@pytest.mark.parametrize("name", LEGAL)
def test_the_audit_leaves_the_document_as_it_was(name: str) -> None:
    document = log_of("legal", name)
    audit(document, strict=True)
    assert document == log_of("legal", name)


@pytest.mark.parametrize("name", LEGAL)
def test_the_claim_is_never_read_by_the_engine(name: str) -> None:
    document = log_of("legal", name)
    document.pop("claimed", None)
    for hand in document["hands"]:
        hand.pop("claimed", None)
    report = audit(document).to_dict()
    assert all(hand["claimed"] is None for hand in report["hands"])
    check_settlement(report, expectation("legal", name)["expected"])


@pytest.mark.parametrize("name", LEGAL)
def test_the_report_names_the_rule_set_that_the_log_names(name: str) -> None:
    stated = log_of("legal", name)["rules"]
    rules = audit(log_bytes("legal", name)).to_dict()["rules"]
    assert rules["profile"] == stated["profile"] == profile_of("legal", name)
    assert rules["options"] == stated.get("options", {})
