"""The catalogue holds what formats §2, §4 and §5 promise: codes, slugs, kinds, facts, and what follows."""

import re

import pytest

from replay.catalogue import (
    CATALOGUE,
    RETIRED,
    Code,
    after_of,
    kind_of,
    parameter_of,
    severity_of,
    slug_of,
)
from replay.findings import SEVERITY_OF, Finding

SLUGS = {
    "LOG001": "schema", "LOG002": "duplicate-key", "LOG003": "unknown-profile", "LOG004": "unknown-option",
    "LOG005": "digest-mismatch", "LOG006": "not-json", "LOG007": "encoding", "LOG008": "limit",
    "LOG009": "time-backwards",
    "IMP001": "fact-missing", "IMP002": "fact-inferred", "IMP003": "field-unknown",
    "IMP004": "evidence-contradicts",
    "ACT001": "fifth-copy", "ACT002": "wall-mismatch", "ACT003": "tile-not-held", "ACT004": "out-of-turn",
    "ACT005": "wrong-phase", "ACT006": "after-hu", "ACT007": "no-claim", "ACT008": "claim-priority",
    "ACT010": "void-late", "ACT011": "void-choice", "ACT012": "void-suit-kept", "ACT013": "void-suit-claimed",
    "ACT014": "swap-invalid", "ACT015": "gang-unavailable", "ACT016": "replacement-end",
    "ACT017": "wildcard-misuse", "ACT020": "not-a-win", "ACT021": "win-three-suits",
    "ACT022": "win-holding-void", "ACT023": "guo-shui", "ACT024": "rob-concealed",
    "ACT025": "discard-win-barred", "ACT026": "win-out-of-play", "ACT027": "winner-hand-changed",
    "ACT030": "pass-unrecorded", "ACT031": "pass-not-offered",
    "HND001": "forced-hu-missed", "HND002": "ended-early", "HND003": "ended-late", "HND004": "dealer-wrong",
    "SET001": "score-mismatch", "SET002": "ledger-mismatch", "SET003": "win-mismatch",
    "SET004": "not-zero-sum", "SET005": "totals-mismatch", "SET006": "coins-mismatch",
    "FAIR001": "commitment-mismatch", "FAIR002": "wall-not-from-seed", "FAIR003": "unverifiable",
    "AUD001": "log-set-aside", "AUD002": "hand-set-aside",
}  # fmt: skip
"""The table of formats §4, and what has come to it since: LOG009, and AUD, the audit itself."""

FACTS = {
    "LOG001": "found expected", "LOG002": "key", "LOG003": "profile known", "LOG004": "option problem",
    "LOG005": "claimed computed", "LOG006": "problem line column", "LOG007": "offset problem",
    "LOG008": "limit allowed found", "LOG009": "ms before",
    "IMP001": "fact effect", "IMP002": "fact from", "IMP003": "field found", "IMP004": "what record evidence",
    "ACT001": "tile copies", "ACT002": "tile expected end", "ACT003": "type tile needed held",
    "ACT004": "type expected", "ACT005": "type phase reason", "ACT006": "type hu_at",
    "ACT007": "type tile last", "ACT008": "type tile hu_seats", "ACT010": "reason", "ACT011": "suit allowed",
    "ACT012": "tile void held", "ACT013": "type tile void", "ACT014": "reason tiles",
    "ACT015": "kind tile reason held", "ACT016": "tile expected end", "ACT017": "reason",
    "ACT020": "tile hand melds", "ACT021": "suits", "ACT022": "void held",
    "ACT023": "tile fan price passed passed_price", "ACT024": "tile", "ACT025": "tile", "ACT026": "hu_at",
    "ACT027": "type tile", "ACT030": "tile offers", "ACT031": "declined offered",
    "HND001": "tile left from", "HND002": "left winners", "HND003": "reason ended_at",
    "HND004": "dealer expected",
    "SET001": "claimed recomputed", "SET002": "claimed recomputed first",
    "SET003": "field claimed recomputed", "SET004": "claimed sum", "SET005": "claimed recomputed",
    "SET006": "claimed recomputed",
    "FAIR001": "scheme claimed computed", "FAIR002": "scheme at expected found", "FAIR003": "scheme missing",
    "AUD001": "reason", "AUD002": "reason",
}  # fmt: skip
"""The facts that checks put into a finding and messages take out of it."""

ENTRIES = list(CATALOGUE.values())


def test_the_catalogue_is_the_table_of_formats_4() -> None:
    assert {code: entry.slug for code, entry in CATALOGUE.items()} == SLUGS


def test_a_code_stands_under_its_own_name() -> None:
    assert all(entry.code == code for code, entry in CATALOGUE.items())
    assert all(re.fullmatch(r"(LOG|IMP|ACT|HND|SET|FAIR|AUD)\d{3}", code) for code in CATALOGUE)


def test_a_slug_belongs_to_one_code() -> None:
    assert len({entry.slug for entry in ENTRIES}) == len(ENTRIES)


def test_a_retired_code_is_not_given_out_again() -> None:
    assert not RETIRED & CATALOGUE.keys()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_every_code_declares_the_facts_it_holds(entry: Code) -> None:
    assert list(entry.params) == FACTS[entry.code].split()
    assert not entry.by or entry.by in entry.params


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_what_a_fact_decides_is_decided_by_a_fact(entry: Code) -> None:
    assert entry.by or not (entry.parameters or entry.afters)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_only_what_the_table_or_the_hand_did_cites_a_clause(entry: Code) -> None:
    """LOG, IMP and FAIR judge file, import and shuffle: no rule orders those. Of SET, sums follow from no rule but that
    points become coins by one; what a payment or a hu cites, the case decides."""
    assert bool(entry.parameter) == (entry.code.startswith(("ACT", "HND")) or entry.code == "SET006")
    assert entry.by_case == (entry.code in ("SET002", "SET003"))


@pytest.mark.parametrize(
    ("family", "kinds"),
    [
        ("LOG", {"malformed"}),
        ("IMP", {"lossy"}),
        ("ACT", {"illegal"}),
        ("HND", {"illegal"}),
        ("SET", {"mismatch"}),
        ("FAIR", {"mismatch", "unverified"}),
        ("AUD", {"unverified"}),
    ],
)
def test_the_family_tells_the_kind(family: str, kinds: set[str]) -> None:
    assert {entry.kind for entry in ENTRIES if entry.code.startswith(family)} == kinds


@pytest.mark.parametrize("code", ["FAIR003", "AUD001", "AUD002"])
def test_what_could_not_be_verified_accuses_nobody(code: str) -> None:
    assert kind_of(Finding(code)) == "unverified"
    assert severity_of(Finding(code)) == "warning"


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        ("illegal", "error"),
        ("mismatch", "error"),
        ("malformed", "error"),
        ("undecidable", "warning"),
        ("unverified", "warning"),
        ("lossy", "note"),
    ],
)
def test_severity_follows_from_the_kind(kind: str, severity: str) -> None:
    assert severity_of(Finding("ACT012", kind=kind)) == severity
    assert set(SEVERITY_OF) == {"illegal", "mismatch", "malformed", "undecidable", "unverified", "lossy"}


def test_an_undecidable_question_keeps_its_code_and_stops_nothing() -> None:
    question = Finding("ACT020", {"missing": ["void"]}, kind="undecidable")
    assert (slug_of(question), kind_of(question), after_of(question)) == ("not-a-win", "undecidable", "go")
    assert after_of(Finding("ACT020")) == "stop"


@pytest.mark.parametrize("code", ["ACT002", "ACT004", "ACT016", "ACT021", "ACT022", "ACT023", "ACT025"])
def test_the_hand_goes_on_where_the_table_is_still_known(code: str) -> None:
    assert after_of(Finding(code)) == "go"


@pytest.mark.parametrize("code", ["ACT030", "ACT010", "ACT011", "ACT012", "ACT013", "HND001", "HND004"])
def test_the_hand_goes_on_after_a_breach_that_moves_no_tile(code: str) -> None:
    assert after_of(Finding(code)) == "go"


@pytest.mark.parametrize(
    "code",
    ["ACT001", "ACT003", "ACT006", "ACT007", "ACT017", "ACT020", "ACT024", "ACT026", "ACT027", "HND002"],
)
def test_the_hand_stops_where_nobody_knows_the_table(code: str) -> None:
    assert after_of(Finding(code)) == "stop"


@pytest.mark.parametrize(
    ("code", "params", "after"),
    [
        ("ACT005", {"type": "void"}, "ignore"),
        ("ACT005", {"type": "piao"}, "ignore"),
        ("ACT005", {"type": "ting"}, "ignore"),
        ("ACT005", {"type": "swap"}, "ignore"),
        ("ACT005", {"type": "pass"}, "ignore"),
        ("ACT005", {"type": "draw"}, "stop"),
        ("ACT005", {"type": "discard"}, "stop"),
        ("ACT005", {"type": "flee"}, "stop"),
        ("ACT008", {"type": "hu"}, "go"),
        ("ACT008", {"type": "peng"}, "stop"),
        ("ACT008", {"type": "gang"}, "stop"),
        ("ACT010", {"reason": "missing"}, "go"),
        ("ACT010", {"reason": "late"}, "go"),
        ("ACT010", {"reason": "twice"}, "ignore"),
        ("ACT014", {"reason": "suit"}, "go"),
        ("ACT014", {"reason": "held"}, "stop"),
        ("ACT014", {"reason": "missing"}, "stop"),
        ("ACT014", {"reason": "twice"}, "ignore"),
        ("ACT015", {"reason": "after_peng"}, "go"),
        ("ACT015", {"reason": "no_tile_left"}, "go"),
        ("ACT015", {"reason": "tiles"}, "stop"),
        ("ACT015", {"reason": "no_peng"}, "stop"),
    ],
)
def test_what_becomes_of_the_hand_is_told_by_the_facts(code: str, params: dict[str, str], after: str) -> None:
    assert after_of(Finding(code, params)) == after


@pytest.mark.parametrize(
    ("code", "params", "parameter"),
    [
        ("ACT001", {}, "tiles"),
        ("ACT004", {"type": "draw"}, "turn_order"),
        ("ACT007", {"type": "peng"}, "claims"),
        ("ACT008", {"type": "hu"}, "turn_order"),
        ("ACT008", {"type": "peng"}, "multiple_hu"),
        ("ACT022", {}, "void_hu"),
        ("ACT012", {}, "void"),
        ("ACT015", {"reason": "after_peng"}, "gang_after_peng"),
        ("ACT015", {"reason": "no_tile_left"}, "replacement"),
        ("ACT015", {"reason": "tiles"}, "claims"),
        ("ACT020", {}, "win_shape"),
        ("ACT023", {}, "guo_shui"),
        ("ACT024", {}, "rob_gang"),
        ("ACT025", {}, "hu_on_discard"),
        ("HND001", {}, "forced_last"),
        ("HND004", {}, "next_dealer"),
        ("SET001", {}, ""),
    ],
)
def test_a_finding_cites_the_rule_it_rests_on(code: str, params: dict[str, str], parameter: str) -> None:
    assert parameter_of(Finding(code, params)) == parameter


def test_a_code_nobody_knows_is_refused() -> None:
    with pytest.raises(KeyError, match="ACT999"):
        slug_of(Finding("ACT999"))
