"""Salasasa records: what the server says was paid, entry by entry where its changes can be told apart."""

from typing import Any

import pytest

from replay.importers.salasasa.money import Money

from .samples import found, log_of, salasasa, ticks


class TestMoney:
    def test_a_bare_liuju_leaves_no_claim(self) -> None:
        record = salasasa(263)
        assert ticks(record, 3)[-2] == ["liuju"]
        assert "claimed" not in log_of(record)["hands"][3]
        assert [(f.params["fact"], f.hand) for f in found(record, "IMP001")] == [("claim", 3)]

    def test_a_robbed_gang_was_never_paid(self) -> None:
        # Booked and given back in one breath: ["jg", …], ["gr", …], ["hu_first", …].
        hand = log_of(salasasa(2199))["hands"][1]
        (robbed,) = [action for action in hand["actions"] if action["type"] == "hu"]
        gang = hand["actions"][hand["actions"].index(robbed) - 1]
        assert (gang["type"], gang["kind"], gang["tile"]) == ("gang", "bu", robbed["tile"])
        at = hand["actions"].index(gang)
        assert [entry for entry in hand["claimed"]["ledger"] if entry["at"] == at] == []

    def test_a_gang_given_back_at_gang_pao_is_a_refund_at_the_hu(self) -> None:
        hand = log_of(salasasa(53))["hands"][1]
        (refund,) = [entry for entry in hand["claimed"]["ledger"] if entry["kind"] == "refund"]
        assert hand["actions"][refund["at"]]["type"] == "hu"
        assert (refund["from"], refund["to"], refund["amount"]) == (1, 2, 1)

    def test_a_refund_that_was_not_due_stays_in_the_claim(self) -> None:
        hand = log_of(salasasa(1524))["hands"][3]
        refunds = [entry for entry in hand["claimed"]["ledger"] if entry["kind"] == "refund" and entry["at"]]
        assert [(entry["from"], entry["to"], entry["amount"]) for entry in refunds] == [(2, 0, 1), (2, 1, 1)]

    def test_a_win_states_price_and_fans_in_our_names(self) -> None:
        wins = [win for hand in log_of(salasasa(2199))["hands"] for win in hand["claimed"]["wins"]]
        assert {"ping_hu", "qiang_gang"} in [set(win["shapes"]) for win in wins]
        assert all(win["price"] in (1, 2, 4, 8) for win in wins)

    def test_a_fan_without_a_name_of_ours_is_left_out_and_said(self) -> None:
        record = salasasa(103)
        hu = next(tick for tick in ticks(record) if tick[0].startswith("hu"))
        hu[3] = ["海底", "新番"]
        assert "shapes" not in log_of(record)["hands"][0]["claimed"]["wins"][0]
        assert [(f.hand, f.params["found"]) for f in found(record, "IMP003")] == [(0, "['海底', '新番']")]

    def test_changes_that_are_no_payments_give_up_the_ledger_only(self) -> None:
        record = salasasa(103)
        hu = next(tick for tick in ticks(record) if tick[0].startswith("hu"))
        hu[4] = [1, 1, -2, 0]
        claim = log_of(record)["hands"][0]["claimed"]
        assert "ledger" not in claim
        assert "scores" in claim

    @pytest.mark.parametrize(
        ("status", "changes", "ledger"),
        [
            ("hua_zhu_active", [-26, 2, 0, 0], [("hua_zhu", 0, None, 24), ("refund", 0, 1, 2)]),
            ("hua_zhu_passive", [-2, 2, 0, 0], [("refund", 0, 1, 2)]),
            ("hua_zhu_passive", [-26, 2, 0, 0], None),
            ("no_ting", [-3, 2, 1, 0], [("refund", 0, 1, 2), ("refund", 0, 2, 1)]),
            ("ting", [4, -2, -2, 0], [("da_jiao", 1, 0, 2), ("da_jiao", 2, 0, 2)]),
            ("ting", [1, 1, -2, 0], None),
        ],
    )
    def test_the_reveal_at_the_end_is_told_by_its_status(
        self, status: str, changes: list[int], ledger: list[Any] | None
    ) -> None:
        record = salasasa(2199, "side", "final")
        del ticks(record)[-6:]
        ticks(record).extend([["liuju", "chajiao", 0, status, "[]", changes, 0], ["end"]])
        claim = log_of(record)["hands"][0]["claimed"]
        assert claim["scores"] == changes
        entries = (
            [(e["kind"], e["from"], e["to"], e["amount"]) for e in claim["ledger"]]
            if "ledger" in claim
            else None
        )
        assert entries == ledger


class TestReturnedGangs:
    """A refund is one entry a gang (rulebook §6.12), where the record's sum shows which."""

    def money(self) -> Money:
        money = Money()
        money.gang(0, [4, -2, -2, 0], 7)
        money.gang(0, [1, -1, 0, 0], 9)
        money.payments = []
        return money

    def refunds(self, money: Money) -> list[tuple[int, int]]:
        return [(entry["to"], entry["amount"]) for entry in money.payments or []]

    def test_all_that_was_received_is_returned_gang_by_gang(self) -> None:
        money = self.money()
        money.reveal(0, "no_ting", [-5, 3, 2, 0])
        assert self.refunds(money) == [(1, 2), (1, 1), (2, 2)]

    def test_another_sum_stays_what_the_record_says(self) -> None:
        money = self.money()
        money.reveal(0, "no_ting", [-5, 4, 1, 0])
        assert self.refunds(money) == [(1, 4), (2, 1)]

    def test_what_was_given_back_at_gang_pao_is_not_returned_again(self) -> None:
        money = self.money()
        money.refund([-1, 1, 0, 0], 11, robbed=False)
        money.payments = []
        money.reveal(0, "no_ting", [-4, 2, 2, 0])
        assert self.refunds(money) == [(1, 2), (2, 2)]


def test_totals_are_over_the_sitting_whatever_it_began_with() -> None:
    record = salasasa(53)
    for entry in record["side"]:
        entry["scores_before"] = [score + 100 for score in entry["scores_before"]]
    for entry in record["final"]:
        entry["score"] += 100
    assert log_of(record)["claimed"] == log_of(salasasa(53))["claimed"]
