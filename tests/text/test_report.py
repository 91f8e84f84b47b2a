"""A report in words: verdict first, every finding with its clause, open questions apart."""

import copy
import unicodedata

import pytest

from replay.text import COLUMNS, report_text
from replay.wording import text
from replay.wording.plain import HIDDEN, width

from .samples import (
    CLAUSE,
    DING_QUE,
    HU,
    IMPORTED,
    LANGUAGES,
    OPEN,
    SCORES,
    UNPROVED,
    WIN,
    entry,
    hand,
    joined,
    lines,
    log,
    report,
)


def test_a_clean_report_is_calm() -> None:
    said = lines(report(hand()), "en", log("Ann", "Bo", "Cy", "Di"))
    assert said[0] == "Nothing to object to: 1 hand, 118 actions, 1 win, settlement agrees."
    assert "  Nothing to object to: 118 actions, 1 win, settlement agrees." in said
    assert not any(mark in line for line in said for mark in ("[x]", "[?]", "[i]"))


def test_a_clean_report_is_calm_in_chinese() -> None:
    assert lines(report(hand()), "zh-Hans")[0] == "没有问题：1局、1次胡牌、结算一致。"
    assert lines(report(hand()), "zh-Hant")[0] == "沒有問題：1局、1次胡牌、結算一致。"


def test_a_settlement_that_nobody_claimed_does_not_agree() -> None:
    assert lines(report(hand(claimed=None)), "en")[0].endswith("1 win, no settlement is claimed.")
    both = report(hand(), hand(1, claimed=None))
    assert lines(both, "en")[0].endswith("2 wins, settlement agrees where it is claimed.")


def test_the_verdict_comes_first_and_keeps_open_questions_apart() -> None:
    said = joined(report(hand(findings=[DING_QUE, SCORES, OPEN])), "en")
    assert said.startswith(
        "Objections: 1 breach of the rules, 1 difference in the settlement. "
        "Not held against anyone: 1 question that this log cannot decide."
    )


def test_open_questions_alone_are_no_objection() -> None:
    said = joined(report(hand(findings=[OPEN, UNPROVED])), "en")
    assert said.startswith("No breach of the rules and no difference found in 1 hand, 1 win. Not held")
    assert "against the rules" not in said
    assert "Objections" not in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_undecidable_looks_different_from_illegal(lang: str) -> None:
    said = lines(report(hand(findings=[OPEN, DING_QUE])), lang)
    marks = [line.split()[0] for line in said if line.startswith("  [")]
    assert marks == ["[x]", "[?]"]
    at = said.index(next(line for line in said if line.startswith("  [?]")))
    assert text(lang, "kind.illegal") in "".join(said[1:at])
    assert text(lang, "kind.undecidable") in said[at]
    assert text(lang, "report.open") in said[:at]


def test_undecidable_says_what_would_decide_it() -> None:
    said = joined(report(hand(findings=[OPEN])), "zh-Hans")
    assert "怎样才能判定：牌谱里要有各家的“过”、各家的定缺" in said


def test_an_unverified_proof_is_no_undecidable_question() -> None:
    said = joined(report(hand(findings=[UNPROVED])), "en")
    assert "could not be verified (FAIR003 unverifiable)" in said
    assert "What would decide it" not in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_finding_quotes_its_clause_word_for_word(lang: str) -> None:
    said = report_text(report(hand(findings=[DING_QUE])), lang)
    flat = "".join(said.split())
    assert CLAUSE["text"] in flat
    assert "000" in flat
    assert "规则7" in flat


def test_a_finding_says_hand_step_seat_tiles_and_what_it_rests_on() -> None:
    said = lines(report(hand(findings=[DING_QUE])), "en", log("Ann", "Bo", "Cy"))
    at = said.index("  [x] hand 1, step 42, seat 2 (Cy): against the rules (ACT012 void-suit-kept)")
    block = " ".join(" ".join(said[at:]).split())
    assert "Seat 2 (Cy) discards 5p although it still holds 19m of its void suit" in block
    assert "Rests on: step 32, step 36" in block
    assert "In the file: /hands/0/actions/41" in block


def test_the_clause_names_the_rule_it_belongs_to() -> None:
    assert "Clause (void suit): document 000, 规则 7:" in joined(report(hand(findings=[DING_QUE])), "en")


def test_an_inferred_finding_says_so() -> None:
    assert "Basis: inferred" in joined(report(hand(findings=[DING_QUE | {"basis": "inferred"}])), "en")
    assert "Basis" not in joined(report(hand(findings=[DING_QUE])), "en")


def test_findings_of_the_sitting_come_before_those_of_hands_and_notes_last() -> None:
    totals = SCORES | {"code": "SET005", "slug": "totals-mismatch", "hand": None}
    said = report_text(
        report(
            hand(findings=[DING_QUE]),
            hand(1, findings=[SCORES | {"hand": 1}]),
            findings=[IMPORTED, totals],
        ),
        "en",
    )
    places = [said.index(code) for code in ("SET005", "ACT012", "SET001", "IMP001")]
    assert places == sorted(places)
    assert "whole sitting: settlement differs (SET005 totals-mismatch)" in said
    assert "hand 2, whole hand: settlement differs (SET001 score-mismatch)" in said


def test_a_finding_of_a_newer_engine_is_shown_by_its_message() -> None:
    newer = DING_QUE | {"code": "ACT099", "slug": "newer", "message": "Something new."}
    assert "Something new." in joined(report(hand(findings=[newer])), "en")


def test_a_stopped_hand_is_not_settled_and_says_from_where() -> None:
    stopped = hand(stopped_at=41, scores=None, claimed=None, ready=None, next_dealer=None, wins=[], ledger=[])
    stopped["findings"] = [DING_QUE | {"code": "ACT003", "slug": "tile-not-held"}]
    said = joined(report(stopped, totals=None), "en")
    assert "Audited up to step 42 only" in said
    assert "No totals: a hand has no settlement." in said
    assert "Scores" not in said
    assert "Nobody" not in said


def test_a_log_that_cannot_be_replayed_says_so_first() -> None:
    broken = {
        "code": "LOG002", "slug": "duplicate-key", "severity": "error", "kind": "malformed", "hand": None,
        "action": None, "seat": None, "params": {"key": "seat"}, "pointer": "/hands/0/actions/3/seat",
    }  # fmt: skip
    said = lines(report(findings=[broken], verdict="unreplayable", totals=None), "en")
    assert said[0] == "This log cannot be replayed, so nothing in it was judged: 1 fault of the file."
    assert "      The key “seat” stands twice in one object; which of the two counts cannot be known." in said
    assert not any(line.startswith("No totals") for line in said)


def test_totals_coins_strict_scores_and_the_importer_are_shown() -> None:
    said = joined(
        report(
            hand(strict_scores=[0, 0, 0, 0]), coins=[1, 2, 3, -6], importer={"name": "room-x", "version": "2"}
        ),
        "en",
    )
    assert "Totals: seat 0 +8" in said
    assert "Coins: seat 0 +1, seat 1 +2, seat 2 +3, seat 3 -6" in said
    assert "If every hu against the rules were void: seat 0 0" in said
    assert "Imported by room-x 2" in said


def test_readings_that_the_verdict_rests_on_are_listed() -> None:
    stated = ["dead_wait", "gen: Extras apply.", "A sentence: by itself."]
    rules = {"profile": "a-room", "options": {}, "readings": stated}
    readings = {"gen": {"zh-Hans": "加番按另一份文档。", "en": "Extras apply."}}
    english = joined(report(hand(), rules=rules), "en")
    assert "- wait of which no tile is left - what counts as gen: Extras apply. - A sentence: by" in english
    assert "根的算法：加番按另一份文档。" in joined(report(hand(), rules=rules), "zh-Hant", readings=readings)
    assert "根的算法：加番按另一份文档。" in joined(report(hand(), rules=rules), "zh-Hans", readings=readings)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_is_wider_than_a_page(lang: str) -> None:
    wide = hand(findings=[DING_QUE, SCORES, OPEN, UNPROVED], ledger=[HU] * 12)
    names = ["龙" * 40, "W" * 200, "a b " * 30, ""]
    assert max(map(width, lines(report(wide, findings=[IMPORTED]), lang, log(*names)))) <= COLUMNS


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_hidden_reaches_the_terminal(lang: str) -> None:
    hostile = "\x1b[2J\u202e\u2066\r\n\x07\u200f\u2028x"
    finding = copy.deepcopy(DING_QUE)
    finding |= {"pointer": hostile, "slug": hostile, "clause": dict.fromkeys(CLAUSE, hostile)}
    finding["params"] = {"tile": hostile, "void": hostile, "held": hostile}
    rules = {"profile": hostile, "digest": hostile, "options": {hostile: hostile}, "readings": [hostile]}
    odd = hand(
        findings=[finding, OPEN | {"params": {"missing": [hostile]}}],
        wins=[WIN | {"tile": hostile, "shape": {"id": hostile, "fan": hostile}}],
        ledger=[entry(hostile), entry("da_jiao", because={"ready": [hostile]})],
    )
    tainted = report(odd, rules=rules, log={"id": hostile, "sha256": hostile}, importer={"name": hostile})
    said = report_text(tainted, lang, log(hostile, hostile))
    assert [char for char in said if char != "\n" and unicodedata.category(char) in HIDDEN] == []


def test_a_name_cannot_pass_for_another_line() -> None:
    said = lines(report(hand(findings=[DING_QUE])), "en", log("Ann", "Bo", "Cy\n  [x] hand 1: Ann cheats"))
    assert sum(line.startswith("  [x]") for line in said) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_missing_keys_make_the_text_shorter_and_nothing_worse(lang: str) -> None:
    bare = {"findings": [{"code": "ACT012"}], "wins": [{}], "ledger": [{}], "scores": [0, 0, 0, 0]}
    assert report_text({"hands": [bare]}, lang).count("\n") > 5
    assert report_text({}, lang, {"players": None})


def test_each_language_keeps_to_itself() -> None:
    full = report(hand(findings=[DING_QUE | {"clause": None}, SCORES, OPEN], ready={"1": ["3p"]}))
    english, hans, hant = (report_text(full, lang) for lang in LANGUAGES)
    assert english.isascii() or not any("\u4e00" <= char <= "\u9fff" for char in english)
    assert not any(word in hans for word in ("seat", "step", "points"))
    assert "槓" in hant or "無法判定" in hant
    assert hans != hant
