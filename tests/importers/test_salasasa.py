"""Salasasa records: what becomes of them, with the server's account beside them and without."""

from itertools import pairwise

import pytest

import replay
from replay.formats import check_document

from .samples import SEEDS, Hands, found, imported, log_of, salasasa, ticks

FORCED = {(53, 3, 2), (103, 3, 0)}
"""Wins that nobody decided, in these games: seed, hand (from 0), seat."""


@pytest.mark.parametrize("without", [(), ("side",), ("side", "conf", "final"), ("conf",)], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
class TestEveryRecord:
    def test_its_log_keeps_the_format(self, seed: int, without: tuple[str, ...]) -> None:
        log = log_of(salasasa(seed, *without))
        assert check_document(log).findings == ()

    def test_tiles_are_dealt_drawn_and_held(self, seed: int, without: tuple[str, ...]) -> None:
        for hand in log_of(salasasa(seed, *without))["hands"]:
            assert len(hand["wall"]) == 2 * 56
            assert next(a["seat"] for a in hand["actions"] if a["type"] == "draw") == hand["dealer"]
            assert Hands(hand).wall == [] or any(action["type"] == "hu" for action in hand["actions"])

    def test_a_claimed_ledger_adds_up_to_the_claimed_scores(
        self, seed: int, without: tuple[str, ...]
    ) -> None:
        for hand in log_of(salasasa(seed, *without))["hands"]:
            claim = hand.get("claimed", {})
            if "ledger" in claim:
                sums = [0, 0, 0, 0]
                for entry in claim["ledger"]:
                    sums[entry["from"]] -= entry["amount"]
                    sums[entry["to"]] += entry["amount"]
                assert sums == claim["scores"]

    def test_only_import_findings_come_of_it(self, seed: int, without: tuple[str, ...]) -> None:
        findings = imported(salasasa(seed, *without)).findings
        assert findings
        assert {finding.code for finding in findings} <= {"IMP001", "IMP002", "IMP004"}


class TestWithTheAccount:
    def test_passes_and_void_suits_are_there_and_nothing_is_lacking(self) -> None:
        log = log_of(salasasa())
        assert log["records"] == ["pass", "wall"]
        assert "lacks" not in log
        for hand in log["hands"]:
            assert [(a["type"], a["seat"]) for a in hand["actions"][:4]] == [
                ("void", seat) for seat in range(4)
            ]
        assert any(a["type"] == "pass" for hand in log["hands"] for a in hand["actions"])

    def test_a_pass_stands_between_the_tile_and_what_becomes_of_it(self) -> None:
        for hand in log_of(salasasa())["hands"]:
            kinds = [action["type"] for action in hand["actions"]]
            before = {kinds[at - 1] for at, kind in enumerate(kinds) if kind == "pass"}
            assert before <= {"discard", "gang", "pass"}

    def test_taking_the_tile_otherwise_declines_the_hu(self) -> None:
        # 顺和 counts it as a pass: a hu was offered and the seat chose peng (rulebook §6.3).
        record = salasasa(1524)
        asked = [
            (hand, decision)
            for hand, entry in enumerate(record["side"])
            for decision in entry["decisions"]
            if "hu" in decision["offered"] and decision["chose"] in ("peng", "gang")
        ]
        assert asked
        log = log_of(record)
        for hand, decision in asked:
            declined = {"type": "pass", "seat": decision["seat"], "declined": ["hu"]}
            at = log["hands"][hand]["actions"].index(declined)
            assert log["hands"][hand]["actions"][at + 1]["type"] in ("peng", "gang", "hu", "pass")

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_hu_that_nobody_decided_contradicts_the_account(self, seed: int) -> None:
        hus = [finding for finding in found(salasasa(seed), "IMP004") if finding.seat is not None]
        assert {(seed, f.hand, f.seat) for f in hus} == {entry for entry in FORCED if entry[0] == seed}
        for finding in hus:
            assert finding.hand is not None
            assert finding.action is not None
            action = log_of(salasasa(seed))["hands"][finding.hand]["actions"][finding.action]
            assert (action["type"], action["seat"]) == ("hu", finding.seat)

    def test_a_hu_after_an_explicit_pass_contradicts_it_too(self) -> None:
        record = salasasa(103)
        decision = next(d for d in record["side"][0]["decisions"] if d["chose"] == "hu")
        decision["chose"] = "pass"
        (finding,) = [f for f in found(record, "IMP004") if f.hand == 0]
        assert finding.seat == decision["seat"]
        assert finding.params["evidence"] == "it chose pass"

    def test_scores_that_are_carried_but_nowhere_recorded_contradict_it(self) -> None:
        (finding,) = [f for f in found(salasasa(263), "IMP004") if f.hand == 3]
        assert finding.params["record"] == "[0, 0, 0, 0]"
        assert finding.params["evidence"] == "[2, 1, 2, -5]"

    def test_scores_are_what_is_carried_from_hand_to_hand(self) -> None:
        record = salasasa(53)
        before = [entry["scores_before"] for entry in record["side"]]
        scores = [hand["claimed"]["scores"] for hand in log_of(record)["hands"]]
        assert scores[:3] == [
            [b - a for a, b in zip(now, then, strict=True)] for now, then in pairwise(before)
        ]
        assert [sum(column) for column in zip(*scores, strict=True)] == log_of(record)["claimed"]["totals"]

    @pytest.mark.parametrize("chose", ["cut", "peng"])
    def test_an_account_with_a_gap_promises_no_passes(self, chose: str) -> None:
        record = salasasa(53)
        decisions = record["side"][3]["decisions"]
        gap = next(at for at, decision in enumerate(decisions) if decision["chose"] == chose)
        del decisions[gap]
        log = log_of(record)
        assert log["records"] == ["wall"]
        assert [(f.params["fact"], f.hand) for f in found(record, "IMP001")] == [("pass", 3)]
        # A hu without a decision proves nothing where decisions are missing anyway.
        assert found(record, "IMP004") == []

    def test_decisions_that_fit_no_tick_are_not_understood(self) -> None:
        record = salasasa(53)
        record["side"][1]["decisions"].append(
            {"tick": 900, "seat": 1, "offered": ["peng", "pass"], "chose": "pass"}
        )
        (finding,) = found(record, "IMP003")
        assert (finding.hand, finding.params["field"]) == (1, "/side/1/decisions")

    def test_a_seat_that_decides_out_of_the_inferred_turn_contradicts_it(self) -> None:
        record = salasasa(53)
        decision = next(d for d in record["side"][0]["decisions"] if d["chose"] == "cut")
        decision["seat"] = (decision["seat"] + 1) % 4
        assert [f.params["what"] for f in found(record, "IMP004") if f.hand == 0] == [
            f"turn at tick {decision['tick']}"
        ]

    def test_another_dealer_in_the_account_contradicts_it(self) -> None:
        record = salasasa(53)
        dealer = record["side"][2]["dealer_index"]
        record["side"][2]["dealer_index"] = (dealer + 1) % 4
        assert [(f.params["what"], f.params["record"]) for f in found(record, "IMP004") if f.hand == 2] == [
            ("dealer", str(dealer))
        ]


class TestWithoutTheAccount:
    def test_void_and_pass_are_lacking_and_said_to_be(self) -> None:
        record = salasasa(53, "side")
        log = log_of(record)
        assert log["lacks"] == ["void", "pass"]
        assert log["records"] == ["wall"]
        assert [f.params["fact"] for f in found(record, "IMP001")] == ["void", "pass"]
        assert not any(a["type"] in ("void", "pass") for hand in log["hands"] for a in hand["actions"])

    def test_everything_else_is_the_same(self) -> None:
        whole, bare = log_of(salasasa(53)), log_of(salasasa(53, "side"))
        for one, other in zip(whole["hands"], bare["hands"], strict=True):
            kept = [action for action in one["actions"] if action["type"] not in ("void", "pass")]
            assert kept == other["actions"]
            assert one["claimed"]["scores"] == other["claimed"]["scores"]

    @pytest.mark.parametrize("seed", SEEDS)
    def test_no_void_order_is_ever_called_illegal(self, seed: int) -> None:
        report = replay.audit(salasasa(seed, "side"))
        judged = [f for hand in report.to_dict()["hands"] for f in hand["findings"] if f["kind"] == "illegal"]
        assert judged == []

    def test_final_scores_that_no_recorded_change_explains_contradict_it(self) -> None:
        (finding,) = found(salasasa(263, "side"), "IMP004")
        assert finding.hand is None
        assert (finding.params["record"], finding.params["evidence"]) == ("[5, -2, -1, -2]", "[7, -1, 1, -7]")


class TestRules:
    def test_blood_battle_off_ends_a_hand_with_the_first_hu(self) -> None:
        assert log_of(salasasa(103))["rules"]["options"] == {"cap_fan": 3, "ends": "first_hu"}
        assert log_of(salasasa(53))["rules"]["options"] == {"cap_fan": 3}

    @pytest.mark.parametrize("value", [None, 0, "false"])
    def test_a_blood_battle_that_says_neither_leaves_the_end_open(self, value: object) -> None:
        record = salasasa(103)
        record["conf"]["blood_battle"] = value
        assert log_of(record)["lacks"] == ["ends"]
        assert "ends" not in log_of(record)["rules"]["options"]

    def test_without_conf_the_end_is_lacking_and_the_cap_the_rule_book_s(self) -> None:
        record = salasasa(103, "conf")
        assert log_of(record)["lacks"] == ["ends"]
        assert "options" not in log_of(record)["rules"]
        assert "options" in [f.params["fact"] for f in found(record, "IMP002")]

    def test_an_unknown_sub_rule_is_refused_not_guessed(self) -> None:
        record = salasasa(53)
        record["record"]["game_title"]["sub_rule"] = "sichuan/other"
        (finding,) = imported(record).findings
        assert (finding.code, finding.pointer) == ("LOG001", "/record/game_title/sub_rule")

    def test_unknown_fields_and_values_are_named(self) -> None:
        record = salasasa(53)
        record["conf"]["rake/fee"] = 5
        record["record"]["game_title"]["open_cuohe"] = True
        record["record"]["game_round"]["round_index_2"]["dora"] = [11]
        assert [(f.hand, f.params["field"], f.params["found"]) for f in found(record, "IMP003")] == [
            (None, "/record/game_title/open_cuohe", "True"),
            (None, "/conf/rake~1fee", "5"),
            (1, "/record/game_round/round_index_2/dora", "[11]"),
        ]


class TestTicks:
    def test_an_unknown_tick_ends_what_is_read_of_the_hand(self) -> None:
        record = salasasa(53)
        ticks(record, 1)[20] = ["zz", 11]
        log = log_of(record)
        assert [f.params["field"] for f in found(record, "IMP003")] == [
            "/record/game_round/round_index_2/action_ticks/20"
        ]
        assert [(f.params["fact"], f.hand) for f in found(record, "IMP001")] == [("claim", 1)]
        assert sum(action["type"] != "pass" for action in log["hands"][1]["actions"]) == 4 + 1 + 20
        assert log["hands"][2] == log_of(salasasa(53))["hands"][2]

    def test_a_record_that_breaks_off_claims_no_settlement(self) -> None:
        record = salasasa(53, "side")
        del ticks(record, 1)[-1]
        assert "scores" not in log_of(record)["hands"][1]["claimed"]
        assert [f.params["fact"] for f in found(record, "IMP001") if f.hand == 1] == ["claim"]

    def test_a_hu_that_was_never_settled_claims_no_settlement(self) -> None:
        record = salasasa(53, "side")
        settled = next(t for t in ticks(record, 1) if t[:2] == ["liuju", "settle_hu"])
        ticks(record, 1).remove(settled)
        assert "scores" not in log_of(record)["hands"][1]["claimed"]

    def test_what_follows_the_end_is_not_understood(self) -> None:
        record = salasasa(53)
        ticks(record, 0).append(["d", 11])
        (finding,) = found(record, "IMP003")
        assert finding.params["found"] == "['d', 11]"

    def test_a_claim_asked_for_and_not_carried_out_is_no_action(self) -> None:
        record = salasasa(53, "side")
        before = log_of(record)["hands"][0]
        ticks(record, 0).insert(1, ["ca", 2, "peng", 13])
        after = log_of(record)["hands"][0]
        assert after["actions"] == before["actions"]
        assert after["x_asked"] == [{"seat": 2, "claim": "peng", "tile": "3m", "at": 2}]

    def test_the_tile_and_the_discarder_of_a_hu_are_the_recorded_ones(self) -> None:
        record = salasasa(103, "side")
        hu = next(tick for tick in ticks(record) if tick[0] == "hu_first")
        hu[5], hu[7] = (11 if hu[5] != 11 else 12), (hu[7] + 1) % 4
        action = log_of(record)["hands"][0]["actions"][-1]
        assert (action["tile"], action["from"]) == ("1m" if hu[5] == 11 else "2m", hu[7])

    @pytest.mark.parametrize(
        ("steps", "drawer"), [((1, 3), 0), ((1, 2), 3), ((2, 3), 0), ((1,), 2), ((3,), 0)]
    )
    def test_play_goes_on_after_the_last_winner_in_turn_order_from_the_discarder(
        self, steps: tuple[int, ...], drawer: int
    ) -> None:
        for number, entry in enumerate(salasasa(53)["side"]):
            dealer = entry["dealer_index"]
            record = salasasa(53, "side", "final")
            hus = [
                ["hu_first", (dealer + step) % 4, 1, ["平和"], [0, 0, 0, 0], 11, 1, dealer, 0]
                for step in steps
            ]
            ticks(record, number)[:] = [["c", 11, "F"], *hus, ["d", 12], ["end"]]
            action = log_of(record)["hands"][number]["actions"][-1]
            assert (action["type"], action["seat"]) == ("draw", (dealer + drawer) % 4)


class TestFrame:
    def test_players_fairness_and_rounds(self) -> None:
        record = salasasa(53)
        title = record["record"]["game_title"]
        log = log_of(record)
        assert log["players"] == [
            {"id": str(title[f"p{s}_uid"]), "name": title[f"p{s}_name"]} for s in range(4)
        ]
        assert [hand["fairness"]["round"] for hand in log["hands"]] == [1, 2, 3, 4]
        assert log["hands"][0]["fairness"]["commitment"] == title["commitment_hex"]

    def test_rounds_stand_in_the_order_of_their_numbers(self) -> None:
        record = salasasa(53)
        rounds = record["record"]["game_round"]
        record["record"]["game_round"] = dict(reversed(rounds.items()))
        assert log_of(record) == log_of(salasasa(53))

    def test_the_dealer_is_the_seat_with_fourteen_tiles(self) -> None:
        record = salasasa(53)
        dealers = [hand["dealer"] for hand in log_of(record)["hands"]]
        assert dealers == [entry["dealer_index"] for entry in record["side"]]
        assert set(dealers) != {0}
        assert {"dealer", "turn"} <= {f.params["fact"] for f in found(record, "IMP002")}
