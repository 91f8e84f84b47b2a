"""Laws that hold in any legal play: nothing to object to, tiles complete, money zero-sum, waits as from scratch."""

import os
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import audit, load_profile, profile_ids
from replay.hands import HandAudit, audit_hand
from replay.ledger import bank, scores
from replay.report import hand_dict
from replay.state import Table
from replay.tiles import counts_of

from .deals import Knobs
from .generator import Document, play

HANDS = 500 if os.environ.get("CI") else 100
"""Random sittings (of one hand to three) a law and rule set."""

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {},
    {"cap_fan": 4, "base": 5},
    {"ends": "first_hu"},
    {"guo_shui": "off", "forced_last": 0},
    {"guo_shui": "any_tile", "guo_shui_more_fan": False},
    {"guo_shui_zi_mo": "barred"},
    {"forced_last": 4, "forced_scope": "drawn_tile"},
    {"forced_last": 8},
    {"replacement": "tail"},
    {"void": "at_hu"},
    {"void_choice": "by_suits"},
    {"transfer": "chain"},
    {"transfer": "none", "refund": "none"},
    {"gang_after_peng": "forbidden"},
    {"next_turn": "after_robbed"},
    {"rob_gang": False},
    {"hu_on_discard": False},
    {"seven_pairs": False},
    {"gang_zhi_others": 1, "dian_gang_hua": "dian_pao"},
    {"gang_pao_payer": "feeder_of_zhi"},
    {"zi_mo_bonus": "add_base"},
    {"dead_wait": "visible"},
    {"hua_zhu": "best_times", "hua_zhu_amount": 5, "hua_zhu_payees": "ready_or_hu"},
    {"hua_zhu": "base_times", "hua_zhu_amount": 16, "hua_zhu_payees": "all"},
    {"next_dealer": "discarder"},
)


@st.composite
def sittings(draw: st.DrawFn, name: str) -> Document:
    """Random legal play of a rule set under one of the options above."""
    knobs = Knobs(
        hands=draw(st.integers(1, 3)), wall=draw(st.booleans()), passes=draw(st.sampled_from(["all", "none"]))
    )
    return play(name, draw(st.sampled_from(OPTIONS)), knobs, draw(st.integers(0, 2**32)))


def audited(document: Document, quiet: bool = True) -> Iterator[HandAudit]:
    """Every hand, audited by itself."""
    stated = document["rules"]
    rules = load_profile(stated["profile"], stated.get("options"))
    for number, hand in enumerate(document["hands"]):
        yield audit_hand(rules, hand, number, document["records"], (), quiet)


RULE_SETS = pytest.mark.parametrize("name", profile_ids())
MANY = settings(max_examples=HANDS, deadline=None)
FEW = settings(max_examples=HANDS // 10, deadline=None)


@RULE_SETS
@MANY
@given(data=st.data())
def test_legal_play_gives_no_finding(name: str, data: st.DataObject) -> None:
    report = audit(data.draw(sittings(name)))
    assert [
        (finding.code, finding.hand, finding.action, finding.params) for finding in report.all_findings
    ] == []
    assert report.verdict == "clean"
    assert report.complete


@RULE_SETS
@MANY
@given(data=st.data())
def test_money_adds_up_to_zero_with_the_bank(name: str, data: st.DataObject) -> None:
    for hand in audited(data.draw(sittings(name))):
        entries = hand.book.entries
        for made in range(len(entries) + 1):
            assert sum(scores(entries[:made])) + bank(entries[:made]) == 0
        assert hand.scores == scores(entries)


@RULE_SETS
@MANY
@given(data=st.data())
def test_a_quiet_stretch_is_judged_as_every_action_by_itself(name: str, data: st.DataObject) -> None:
    document = data.draw(sittings(name))
    for quick, slow in zip(audited(document), audited(document, quiet=False), strict=True):
        assert hand_dict(quick, None, True) == hand_dict(slow, None, True)
        assert seen(quick.table) == seen(slow.table)


def seen(table: Table) -> list[Any]:
    """What stands on the table at the end."""
    seats = [(seat.hand, seat.waits, seat.discards, seat.void, seat.hu_at) for seat in table.seats]
    return [seats, table.left, table.seen, table.wall, table.last, table.last_at, table.last_from]


@RULE_SETS
@FEW
@given(data=st.data())
def test_tiles_are_complete_and_waits_as_from_scratch_after_every_action(
    name: str, data: st.DataObject
) -> None:
    document = data.draw(sittings(name))
    stated = document["rules"]
    rules = load_profile(stated["profile"], stated.get("options"))
    for hand in document["hands"]:
        for count in range(len(hand["actions"]) + 1):
            cut = {**hand, "actions": hand["actions"][:count]}
            table = audit_hand(rules, cut, 0, document["records"], (), quiet=False).table
            assert tiles_on(table) + table.left == rules.tiles
            for seat in table.seats:
                if seat.hu_at is None and sum(counts_of(seat.hand)) % 3 == 1:
                    assert seat.waits == table.waits_of(rules, seat)


def tiles_on(table: Table) -> int:
    """The tiles in hands, melds and unclaimed discards; a robbed or claimed tile counts where it went."""
    held = sum(sum(counts_of(seat.hand)) for seat in table.seats)
    melds = [meld for seat in table.seats for meld in seat.melds]
    claimed = sum(meld.source is not None for meld in melds)
    hu_on_discards = len({win.window for win in table.wins if win.source is not None and not win.robbed})
    doubled = sum(win.source is not None for win in table.wins) - hu_on_discards
    robbed = len({win.window for win in table.wins if win.robbed})
    pending = 1 if table.added is not None else 0
    discards = sum(len(seat.discards) for seat in table.seats)
    laid = sum(3 if meld.kind == "peng" else 4 for meld in melds)
    return held + laid + discards + pending - claimed - hu_on_discards - doubled + robbed


@RULE_SETS
@FEW
@given(data=st.data())
def test_bytes_and_a_decoded_document_give_one_report_and_always_the_same(
    name: str, data: st.DataObject
) -> None:
    document = data.draw(sittings(name))
    written = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
    assert audit(written).to_json() == audit(document).to_json() == audit(written).to_json()


@RULE_SETS
@FEW
@given(data=st.data())
def test_a_claim_agrees_with_its_own_settlement_and_with_no_other(name: str, data: st.DataObject) -> None:
    document = data.draw(sittings(name))
    for hand, result in zip(document["hands"], audit(document).hands, strict=True):
        entries = [entry.to_dict() for entry in result.book.entries]
        kept = ("kind", "from", "to", "amount", "at")
        ledger = [{key: e[key] for key in kept if e[key] is not None or key == "to"} for e in entries]
        hand["claimed"] = {"scores": result.scores, "ledger": ledger}
    assert audit(document).verdict == "clean"
    ledgers = [hand["claimed"]["ledger"] for hand in document["hands"] if hand["claimed"]["ledger"]]
    if ledgers:
        ledgers[0][0]["amount"] += 1
        assert {finding.code for finding in audit(document).all_findings} == {"SET002"}
