"""Rule sets as data: complete, cited word for word, resolved once, named by a digest; options replaced and refused."""

import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from replay import OptionProblems, RuleProfile, UnknownProfile, audit, load_profile, profile_ids
from replay.checks.opening import VOID_CHOICE
from replay.dealing import NEXT_DEALER, NEXT_DEALER_TIE
from replay.fans import EXTRAS, GEN, SHAPES
from replay.flight import AFTER_WINNERS_FLIGHT
from replay.leaving import AFTER_HU, ENDS
from replay.liu_ju import DA_JIAO_PAYEES, HUA_ZHU, HUA_ZHU_PAYEES
from replay.moves import NEXT_TURN, PAID, RELEASE_AT_DRAW
from replay.prices import COMBINE, SCALES
from replay.profile import FOLDER, compare, default_profile, profile_from, values
from replay.rights import AT_OWN_DISCARD, FORCED
from replay.schemas import authority
from replay.sense import value_schemas
from replay.settlement import NOT_PAID_BACK, PENALTIES, PIAO, TRANSFERS, VOID_BREACH, XIANG_GONG, ZI_MO_PAYERS
from replay.waits import DEAD_WAIT, WAITS, WILD_WAITS
from replay.wilds import SUIT_CHOICES

from .engine.cases import log_bytes, playable, profile_of

FILES = sorted(FOLDER.glob("*.json"), key=lambda path: path.stem)
DOCUMENTS = {"000", "001", "002", "004"}
LANGUAGES = {"zh-Hans", "zh-Hant", "en"}

STRATEGIES: Mapping[str, Mapping[str, object]] = {
    "combine": COMBINE,
    "da_jiao_payees": DA_JIAO_PAYEES,
    "dead_wait": DEAD_WAIT,
    "ends": ENDS,
    "flee": AFTER_WINNERS_FLIGHT,
    "forced_scope": FORCED,
    "gang_timing": PAID,
    "gen": GEN,
    "guo_shui": AT_OWN_DISCARD,
    "guo_shui_zi_mo": RELEASE_AT_DRAW,
    "hua_zhu": HUA_ZHU,
    "hua_zhu_payees": HUA_ZHU_PAYEES,
    "next_dealer": NEXT_DEALER,
    "next_dealer_tie": NEXT_DEALER_TIE,
    "next_turn": NEXT_TURN,
    "penalties": PENALTIES,
    "piao": PIAO,
    "scale": SCALES,
    "transfer": TRANSFERS,
    "void": WAITS,
    "void_breach": VOID_BREACH,
    "void_choice": VOID_CHOICE,
    "xiang_gong": XIANG_GONG,
    "zi_mo_payers": ZI_MO_PAYERS,
}
"""By key: the functions that its values name."""

BRANCHED = {
    "dian_gang_hua",
    "gang_after_peng",
    "gang_bu_kept",
    "gang_pao_payer",
    "hua_zhu_passive",
    "jin_gou",
    "liu_ju",
    "refund",
    "replacement",
    "swap",
    "tiles",
    "ting_yong",
    "zi_mo_bonus",
}
"""Keys whose values are told apart in one place, without a table."""

DEFAULT = default_profile()


def document(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def problems(**options: Any) -> dict[str, str]:
    """What is said against options of the default rule set."""
    with pytest.raises(OptionProblems) as caught:
        load_profile(DEFAULT, options)
    return dict(caught.value.problems)


def name(path: Path) -> str:
    return path.stem


# Files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=name)
class TestFile:
    def test_it_keeps_the_schema_and_resolves(self, path: Path) -> None:
        found = document(path)
        assert [error.message for error in authority("profile").iter_errors(found)] == []
        assert profile_from(found).id == path.stem

    def test_it_gives_every_key_a_value(self, path: Path) -> None:
        assert document(path)["values"].keys() == value_schemas().keys()

    def test_every_value_is_cited_or_read(self, path: Path) -> None:
        found = document(path)
        bare = set(found["values"]) - set(found["cites"]) - set(found["readings"])
        assert bare == set()

    def test_every_reading_belongs_to_a_value_and_is_said_in_every_language(self, path: Path) -> None:
        found = document(path)
        assert found["readings"].keys() <= found["values"].keys()
        for words in [found["names"], found["summary"], *found["readings"].values()]:
            assert words.keys() == LANGUAGES
            assert all(words.values())

    def test_every_clause_names_its_document_and_section(self, path: Path) -> None:
        for clause in document(path)["cites"].values():
            assert clause["document"]
            assert clause["section"]
            assert clause["text"].strip() == clause["text"] != ""

    def test_a_document_we_hold_is_quoted_and_not_reported(self, path: Path) -> None:
        cites = document(path)["cites"].values()
        assert [c for c in cites if c["document"] in DOCUMENTS and c.get("reported")] == []
        assert [c for c in cites if c["document"] not in DOCUMENTS and not c.get("reported")] == []

    @pytest.mark.shared
    def test_every_quotation_stands_in_its_document_word_for_word(self, path: Path, shared: Path) -> None:
        files = {file.name[:3]: file.read_text(encoding="utf-8") for file in (shared / "seeds").glob("*.txt")}
        quoted = [c for c in document(path)["cites"].values() if not c.get("reported")]
        assert [c["text"] for c in quoted if c["text"] not in files[c["document"]]] == []


def test_one_rule_set_is_the_default_and_comes_first() -> None:
    assert [path.stem for path in FILES if document(path)["default"]] == [DEFAULT] == profile_ids()[:1]
    assert sorted(profile_ids()) == [path.stem for path in FILES]


def test_an_unknown_rule_set_is_refused_with_those_there_are() -> None:
    for options in (None, {"base": 2}):
        with pytest.raises(UnknownProfile) as caught:
            load_profile("Chengdu", options)
        assert caught.value.known == profile_ids()
        assert "'Chengdu'" in str(caught.value)


@pytest.mark.parametrize("damage", ["values/base", "cites", "readings", "names"])
def test_a_rule_set_with_a_part_missing_is_refused(damage: str) -> None:
    found = document(FILES[0])
    *path, last = damage.split("/")
    holder = found
    for key in path:
        holder = holder[key]
    del holder[last]
    with pytest.raises(OptionProblems) as caught:
        profile_from(found)
    assert any(last in problem for _, problem in caught.value.problems)


# Behaviour -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(STRATEGIES))
def test_the_schema_allows_exactly_the_values_that_have_a_function(key: str) -> None:
    assert set(value_schemas()[key]["enum"]) == STRATEGIES[key].keys()


@pytest.mark.parametrize(
    ("table", "beside"),
    [(ENDS, AFTER_HU), (AFTER_WINNERS_FLIGHT, NOT_PAID_BACK), (WAITS, WILD_WAITS), (WAITS, SUIT_CHOICES)],
)
def test_functions_that_go_by_one_key_know_the_same_values(
    table: Mapping[str, object], beside: Mapping[str, object]
) -> None:
    assert table.keys() == beside.keys()


def test_every_choice_of_the_schema_has_its_functions_or_its_branch() -> None:
    choices = {key for key, allowed in value_schemas().items() if len(allowed.get("enum", ())) > 1}
    assert choices == STRATEGIES.keys() | BRANCHED


@pytest.mark.parametrize(("key", "known"), [("shapes", SHAPES), ("extras", EXTRAS)])
def test_the_schema_allows_exactly_the_fans_that_have_a_meaning(
    key: str, known: Mapping[str, object]
) -> None:
    assert value_schemas()[key]["properties"].keys() == known.keys()


def test_fans_that_others_leave_out_are_fans() -> None:
    assert value_schemas()["absorb_gen"]["properties"].keys() == SHAPES.keys()
    assert set(value_schemas()["excludes"]["items"]["items"]["enum"]) == SHAPES.keys() | EXTRAS.keys()


def every_value() -> list[tuple[str, Any]]:
    """Each value that a key may have, for keys that name one of a few."""
    found = []
    for key, allowed in value_schemas().items():
        few = allowed.get("enum") or ([True, False] if allowed.get("type") == "boolean" else [])
        found += [(key, value) for value in few]
    return found


@pytest.mark.parametrize(("key", "value"), every_value())
@pytest.mark.parametrize("profile", profile_ids())
def test_every_value_of_every_key_can_be_played(profile: str, key: str, value: Any) -> None:
    """No value stops an audit of the rule set's own games; every ledger still adds up to its scores."""
    extra: dict[str, Any] = (
        {"shapes": dict.fromkeys(load_profile(profile).shapes, 1)} if value == "exp" else {}
    )
    if value in ("cap", "sum"):
        extra["cap_fan"] = 6
    rules = load_profile(profile, {key: value, **extra})
    assert values(rules)[key] == value
    for case in [case for case in playable("legal") if profile_of("legal", case) in (profile, DEFAULT)]:
        report = audit(log_bytes("legal", case), profile=rules).to_dict()
        assert report["rules"]["digest"] == rules.digest
        for hand in report["hands"]:
            if hand["scores"] is not None:
                bank = sum(entry["amount"] for entry in hand["ledger"] if entry["to"] is None)
                assert sum(hand["scores"]) + bank == 0


# Digest --------------------------------------------------------------------------------------------------


def rfc_digest(rules: RuleProfile) -> str:
    return "sha256:" + hashlib.sha256(rfc8785.dumps(values(rules))).hexdigest()


@pytest.mark.parametrize("profile", profile_ids())
class TestDigest:
    def test_it_is_over_the_rfc_8785_bytes_of_the_values(self, profile: str) -> None:
        assert load_profile(profile).digest == rfc_digest(load_profile(profile))
        with_options = load_profile(profile, {"base": 7, "cap_fan": 4})
        assert with_options.digest == rfc_digest(with_options) != load_profile(profile).digest

    def test_it_does_not_hang_on_the_order_of_keys(self, profile: str) -> None:
        found = document(FOLDER / f"{profile}.json")
        order = random.Random(7)
        keys = list(found["values"])
        order.shuffle(keys)
        shuffled = {**found, "values": {key: found["values"][key] for key in keys}}
        assert profile_from(shuffled).digest == load_profile(profile).digest
        one, other = {"base": 2, "cap_fan": 4}, {"cap_fan": 4, "base": 2}
        assert load_profile(profile, one).digest == load_profile(profile, other).digest

    def test_it_is_of_the_values_and_not_of_the_way_to_them(self, profile: str) -> None:
        plain = load_profile(profile)
        assert load_profile(profile, {"base": plain.base}).digest == plain.digest
        assert load_profile(profile, {}).digest == plain.digest

    def test_it_is_not_of_the_prose(self, profile: str) -> None:
        found = document(FOLDER / f"{profile}.json")
        found["names"] = dict.fromkeys(LANGUAGES, "x")
        found["readings"] = dict.fromkeys(found["readings"], dict.fromkeys(LANGUAGES, "x"))
        assert profile_from(found).digest == load_profile(profile).digest

    def test_another_process_computes_the_same(self, profile: str) -> None:
        code = f"import replay; print(replay.load_profile({profile!r}).digest)"
        said = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert said.stdout.strip() == load_profile(profile).digest


def test_rule_sets_that_differ_have_digests_that_differ() -> None:
    assert len({load_profile(profile).digest for profile in profile_ids()}) == len(profile_ids())


# Options -------------------------------------------------------------------------------------------------


class TestOptions:
    def test_an_option_replaces_a_value_and_nothing_else(self) -> None:
        rules = load_profile(DEFAULT, {"cap_fan": None, "hua_zhu": "base_times", "hua_zhu_amount": 9})
        changed = compare(load_profile(DEFAULT), rules)
        assert {key: after for key, _, after in changed} == rules.options
        assert rules.options == {"cap_fan": None, "hua_zhu": "base_times", "hua_zhu_amount": 9}

    def test_a_map_is_replaced_whole(self) -> None:
        rules = load_profile(DEFAULT, {"shapes": {"ping_hu": 1, "qi_dui": 2}, "absorb_gen": {}})
        assert rules.shapes == {"ping_hu": 1, "qi_dui": 2}
        assert load_profile(DEFAULT).shapes.keys() > rules.shapes.keys()

    def test_the_short_form_for_dragons_sets_both_shapes(self) -> None:
        off = load_profile(DEFAULT, {"dragon_pairs_absorb_gen": False})
        assert off.absorb_gen == {}
        on = load_profile(DEFAULT, {"dragon_pairs_absorb_gen": True})
        assert on.absorb_gen == {"long_qi_dui": 1, "qing_long_qi_dui": 1}

    def test_the_rule_set_itself_stays_as_it_is(self) -> None:
        before = values(load_profile(DEFAULT))
        load_profile(DEFAULT, {"base": 9})
        given = {"shapes": {"ping_hu": 1}}
        load_profile(DEFAULT, given)
        assert values(load_profile(DEFAULT)) == before
        assert given == {"shapes": {"ping_hu": 1}}

    def test_an_unknown_key_is_refused_with_the_one_probably_meant(self) -> None:
        assert problems(cap_fans=3) == {"cap_fans": "no such key; did you mean cap_fan?"}
        assert problems(zzz=3) == {"zzz": "no such key"}

    def test_every_problem_is_told(self) -> None:
        assert problems(base=0, swap="yes", nothing=1).keys() == {"base", "swap", "nothing"}

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("base", 1.0), ("base", 1.5), ("base", True), ("base", "1"), ("base", 0), ("base", None),
            ("base", 1_000_001), ("cap_fan", 6.0), ("cap_fan", False), ("cap_fan", 0), ("forced_last", True),
            ("forced_last", -1), ("hu_on_discard", 1), ("hu_on_discard", "true"), ("void", "Declared"),
            ("void", None), ("void", ["declared"]), ("shapes", {}), ("shapes", {"ping_hu": 1.0}),
            ("shapes", {"ping_hu": True}), ("shapes", {"ping_hu": 1, "no_such_fan": 2}), ("shapes", []),
            ("own_gangs", {"exposed": 1}), ("own_gangs", {"exposed": 1, "concealed": 2.0}),
            ("excludes", [["gen"]]), ("excludes", [["gen", "no_such_fan"]]), ("levels", []),
        ],
    )  # fmt: skip
    def test_a_value_that_a_key_cannot_have_is_refused(self, key: str, value: Any) -> None:
        told = problems(**{key: value})
        assert told.keys() == {key}
        assert told[key].startswith("found ")
        assert ", expected " in told[key]

    @pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 10**30, -(10**30), 2**64])
    def test_a_number_that_no_log_can_hold_is_refused_like_any_other(self, value: Any) -> None:
        assert "cap_fan" in problems(cap_fan=value)

    @pytest.mark.parametrize(
        ("key", "value", "expected"),
        [
            ("base", "x", 'found "x", expected integer from 1 to 1000000 or silver_35'),
            ("cap_fan", 0, "found 0, expected integer or null from 1 to 30"),
            ("hu_on_discard", 1, "found 1, expected boolean"),
            ("guo_shui", "on", 'found "on", expected one of off, any_tile, shun_hu'),
            ("ends_on_bust", "x", 'found "x", expected boolean'),
            ("own_gangs", {}, "found {}, expected object or null with the keys exposed, concealed"),
        ],
    )
    def test_the_message_says_what_was_found_and_what_is_allowed(
        self, key: str, value: Any, expected: str
    ) -> None:
        assert problems(**{key: value}) == {key: expected}

    def test_a_long_value_is_shortened(self) -> None:
        assert len(problems(void="x" * 1000)["void"]) < 200

    def test_a_huazhu_that_pays_the_cap_needs_a_cap(self) -> None:
        assert load_profile(DEFAULT).hua_zhu == "cap"
        assert "cap_fan is null" in problems(cap_fan=None)["hua_zhu"]

    def test_a_row_of_no_fan_has_no_price_on_an_exponential_scale(self) -> None:
        assert "at least 1" in problems(shapes={"ping_hu": 0}, absorb_gen={})["shapes"]

    def test_fans_that_exclude_each_other_are_counted(self) -> None:
        assert "excludes" in problems(excludes=[["gen", "jin_gou_diao"]])


def test_rule_sets_are_compared_value_by_value() -> None:
    one, *others = (load_profile(profile) for profile in profile_ids())
    assert compare(one, one) == []
    for other in others:
        differing = [key for key in value_schemas() if values(one)[key] != values(other)[key]]
        assert [key for key, _, _ in compare(one, other)] == differing != []


def test_a_resolved_rule_set_cannot_be_changed() -> None:
    rules: Any = load_profile(DEFAULT)
    with pytest.raises(AttributeError):
        rules.base = 2
