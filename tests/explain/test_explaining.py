"""Which rule sets and options explain a claim: all that do, and where the others first differ."""

from pathlib import Path
from typing import Any

import pytest

from replay import audit
from replay.profile import profile_ids

from .claiming import CASES, EVERYTHING, SAMPLES, claiming, document, explained, named

SEVENS = CASES / "zhaotong-02.json"
"""Two hu of seven fan, a direct and a concealed gang, a huazhu at the end."""

AFTER_GANG = CASES / "qq-06.json"
"""A hu on the discard that followed a gang, and a direct gang; the third hu is self-drawn."""

SELF_DRAWN = SAMPLES / "chengdu" / "misclaimed-settlement.json"
"""Two hands with self-drawn hu and a direct gang."""

CLEAN = SAMPLES / "chengdu" / "clean.json"


class TestTheOnlyOne:
    @pytest.mark.parametrize("what", [EVERYTHING, ("scores",), ("ledger",), ("totals",)], ids=str)
    def test_is_named_with_its_cap(self, what: tuple[str, ...]) -> None:
        log = claiming(SEVENS, "qq", {"cap_fan": 4}, what, ("zhaotong", {}))
        assert named(explained(log)) == [("qq", {"cap_fan": 4})]

    def test_is_named_though_the_log_names_it_without_the_cap(self) -> None:
        log = claiming(SEVENS, "qq", {"cap_fan": 4}, stated=("qq", {}))
        (right,) = explained(log).right
        assert (right.profile, right.own, right.options, right.changes) == ("qq", True, {"cap_fan": 4}, 1)

    def test_needs_no_change_where_the_log_states_its_options(self) -> None:
        log = claiming(SEVENS, "qq", {"cap_fan": 4}, stated=("qq", {"cap_fan": 4}))
        (right,) = explained(log).right
        assert (right.options, right.changes) == ({"cap_fan": 4}, 0)

    def test_takes_the_options_that_a_log_states_beside_another_rule_set(self) -> None:
        log = claiming(SEVENS, "qq", {"cap_fan": 4}, stated=("zhaotong", {"cap_fan": 4}))
        (right,) = explained(log).right
        assert (right.profile, right.options, right.changes) == ("qq", {"cap_fan": 4}, 0)

    @pytest.mark.parametrize(
        ("path", "options"),
        [
            (SEVENS, {"base": 7}),
            (SEVENS, {"gang_zhi": 1}),
            (SEVENS, {"cap_fan": 5, "base": 3}),
            (SEVENS, {"cap_fan": 5, "base": 3, "gang_zhi": 1}),
            (AFTER_GANG, {"transfer": "none"}),
            (AFTER_GANG, {"transfer": "return"}),
            (AFTER_GANG, {"cap_fan": 2}),
        ],
        ids=str,
    )
    def test_has_the_options_that_were_played(self, path: Path, options: dict[str, Any]) -> None:
        assert ("qq", options) in named(explained(claiming(path, "qq", options, stated=("qq", {}))))

    @pytest.mark.parametrize(
        ("options", "what"),
        [
            ({"zi_mo_bonus": "add_base"}, EVERYTHING),
            ({"zi_mo_bonus": "add_base"}, ("scores",)),
            ({"gang_zhi_others": 1}, EVERYTHING),
        ],
        ids=str,
    )
    def test_has_the_bonus_or_the_payers_that_were_played(
        self, options: dict[str, Any], what: tuple[str, ...]
    ) -> None:
        log = claiming(SELF_DRAWN, "chengdu", options, what, ("chengdu", {}))
        assert ("chengdu", options) in named(explained(log))

    def test_may_have_a_base_that_is_a_share_of_holdings(self) -> None:
        log = claiming(CASES / "zimo-05.json", "zimo", {"cap_fan": 2}, ("scores",), ("zimo", {}))
        assert named(explained(log)) == [("zimo", {"cap_fan": 2})]

    def test_may_let_winners_play_on(self) -> None:
        options = {"cap_fan": 5, "base": 2}
        log = claiming(CASES / "xueliu-02.json", "xueliu", options, ("scores",), ("xueliu", {}))
        assert named(explained(log)) == [("xueliu", options)]

    def test_is_found_by_the_totals_of_several_hands(self) -> None:
        log = claiming(CASES / "chengdu-01.json", "chengdu", {"cap_fan": 4}, ("totals",), ("chengdu", {}))
        assert named(explained(log)) == [("chengdu", {"cap_fan": 4}), ("zhaotong", {"cap_fan": 4})]

    def test_is_another_rule_set_rather_than_an_option(self) -> None:
        path = CASES / "qq-dingque-04.json"
        log = claiming(path, "qq-dingque", {"zi_mo_bonus": "none"}, stated=("qq-dingque", {}))
        found = explained(log)
        assert ("qq", {}) in named(found)
        assert all(one.changes == 0 for one in found.right if not one.own)
        assert [one.options for one in found.right if one.own] == [{"zi_mo_bonus": "none"}]


class TestSeveral:
    def test_that_the_money_does_not_tell_apart_are_all_listed(self) -> None:
        assert named(explained(document(CLEAN))) == [("chengdu", {}), ("zhaotong", {})]

    def test_begin_with_the_rule_set_that_the_log_names(self) -> None:
        log = claiming(CLEAN, "chengdu", stated=("zhaotong", {}))
        assert named(explained(log)) == [("zhaotong", {}), ("chengdu", {})]

    def test_have_the_named_rule_set_among_them_though_it_needs_more_changes(self) -> None:
        log = claiming(CASES / "qq-01.json", "qq-dingque", {"gang_zhi_others": 1}, stated=("qq", {}))
        found = [(one.profile, one.options, one.changes) for one in explained(log).right]
        assert found == [
            ("qq-dingque", {"gang_zhi_others": 1}, 1),
            ("qq", {"zi_mo_bonus": "add_base", "gang_zhi_others": 1}, 2),
        ]

    def test_values_of_an_option_that_no_hand_touches_are_told_beside(self) -> None:
        (right,) = explained(claiming(SEVENS, "qq", {"cap_fan": 4}, stated=("qq", {}))).right
        assert right.same["transfer"] == ["none", "chain", "return"]
        assert "cap_fan" not in right.same
        assert "gang_zhi" not in right.same

    def test_caps_that_cut_nothing_are_told_beside(self) -> None:
        (right,) = explained(claiming(AFTER_GANG, "qq", stated=("qq", {}))).right[:1]
        assert right.same["cap_fan"] == [4, 5, 6, 7, 8, 9, 10]

    def test_each_is_right_by_a_full_audit_too(self) -> None:
        log = claiming(SEVENS, "qq", {"cap_fan": 5, "base": 3}, ("scores",), ("qq", {}))
        for one in explained(log).right:
            found = audit(log, profile=one.profile, options=one.options).all_findings
            assert [finding for finding in found if finding.code.startswith("SET")] == []


class TestTheOthers:
    def test_are_all_rule_sets_that_do_not_explain_it(self) -> None:
        found = explained(document(CLEAN))
        listed = [one.profile for one in (*found.right, *found.others)]
        assert sorted(listed) == sorted(profile_ids())

    def test_differ_first_where_an_audit_says_so(self) -> None:
        path = SAMPLES / "chengdu" / "misclaimed-settlement.json"
        found = explained(document(path))
        first = next(one for one in audit(path.read_bytes()).all_findings if one.code == "SET002")
        own = found.others[0].difference
        assert found.right == []
        assert own is not None
        assert (own.pointer, own.params) == (first.pointer, first.params)

    @pytest.mark.parametrize(
        ("name", "profile", "reason"),
        [
            ("xueliu/hu-again", "qq", "swap"),
            ("chengdu/clean", "xueliu", "no_swap"),
            ("tingyong/wildcards-and-piao", "qq", "wildcards"),
            ("chengdu/clean", "tingyong", "no_wildcards"),
            ("base6/flight", "chengdu", "flee"),
            ("zimo/xiang-gong", "chengdu", "honours"),
            ("chengdu/clean", "zimo", "no_honours"),
            ("chengdu/guo-shui", "qq-single", "goes_on"),
            ("qq-single/two-hu-end-the-hand", "qq", "not_over"),
        ],
    )
    def test_that_could_not_have_been_played_say_why(self, name: str, profile: str, reason: str) -> None:
        found = explained(document(SAMPLES / f"{name}.json"))
        (other,) = [one for one in found.others if one.profile == profile]
        assert (other.status, other.reason, other.difference) == ("impossible", reason, None)


class TestWhatIsLeftOut:
    def test_whether_a_hu_was_barred_changes_nothing(self) -> None:
        path = SAMPLES / "chengdu" / "guo-shui.json"
        found = explained(document(path))
        assert "ACT023" in {one.code for one in audit(path.read_bytes()).all_findings}
        assert found.right[0].profile == "chengdu"
        assert found.to_dict()["not_judged"] == ["legality", "guo_shui", "forced_last"]

    def test_a_log_without_a_claim_has_nothing_to_explain(self) -> None:
        log = claiming(CLEAN, "chengdu", what=())
        found = explained(log)
        assert (found.claims, found.claimed, found.right, found.others) == ([], False, [], [])

    def test_a_hand_that_stopped_is_named(self) -> None:
        log = claiming(SAMPLES / "chengdu" / "misclaimed-settlement.json", "chengdu", stated=("chengdu", {}))
        log["hands"][0]["actions"] = log["hands"][0]["actions"][:-1]
        found = explained(log)
        assert found.left_out == [0]
        assert ("chengdu", {}) in named(found)

    def test_coins_alone_are_compared_by_rule_sets_that_reckon_in_them(self) -> None:
        path = SAMPLES / "qq" / "coins.json"
        options = {"coin_factor": 200, "rake": 400}
        log = claiming(path, "qq", options, ("coins",), ("qq", options))
        found = explained(log)
        assert found.claims == ["coins"]
        assert ("qq", options) in named(found)
