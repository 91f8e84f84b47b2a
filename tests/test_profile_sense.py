"""Rule sets as a whole: what their values mean together, which numbers they can lead to, and where they are cited."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay import OptionProblems, audit, load_profile, profile_ids
from replay.limits import LARGEST_INTEGER
from replay.profile import FOLDER, default_profile, profile_from, values
from replay.schemas import schema
from replay.sense import (
    LARGEST_PAYMENT,
    LARGEST_SILVER_BASE,
    dragons_absorb,
    largest_payment,
    value_schemas,
)

from .engine.cases import log_bytes, playable, profile_of

DEFAULT = default_profile()
SHAPES = list(value_schemas()["shapes"]["properties"])
DRAGONS = ("long_qi_dui", "qing_long_qi_dui")
SAMPLES = Path(__file__).parent.parent / "sample_logs"


def document(profile: str = DEFAULT) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{profile}.json").read_text(encoding="utf-8"))
    return found


def refused(found: dict[str, Any], options: dict[str, Any] | None = None) -> dict[str, str]:
    """What is said against a document or its options."""
    with pytest.raises(OptionProblems) as caught:
        profile_from(found, options)
    return dict(caught.value.problems)


class TestDocument:
    @pytest.mark.parametrize(
        ("path", "value", "place"),
        [
            (("values", "base"), 1.0, "values/base"),
            (("values", "shapes", "qi_dui"), 3.0, "values/shapes/qi_dui"),
            (("values", "cap_fan"), float("nan"), "values/cap_fan"),
        ],
    )
    def test_holds_no_fraction_not_even_a_whole_one(
        self, path: tuple[str, ...], value: float, place: str
    ) -> None:
        found = document()
        holder = found
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value
        with pytest.raises(OptionProblems) as caught:
            profile_from(found)
        assert (place, "found a fraction, expected an integer") in caught.value.problems

    @pytest.mark.parametrize("name", ["a\n", "A", "-a", "a b", "a" * 65, "", "a\u2028"])
    def test_has_an_id_that_is_a_word(self, name: str) -> None:
        assert "id" in refused({**document(), "id": name})

    def test_may_say_more_under_x_keys_and_nothing_more_beside_them(self) -> None:
        assert profile_from({**document(), "x_room": {"n": 1}}).id == DEFAULT
        assert refused({**document(), "room": 1})
        found = document()
        found["values"]["x_room"] = 1
        assert refused(found)

    def test_says_one_thing_of_the_dragons(self) -> None:
        found = document()
        found["values"]["dragon_pairs_absorb_gen"] = not found["values"]["dragon_pairs_absorb_gen"]
        assert refused(found).keys() == {"dragon_pairs_absorb_gen"}

    def test_excludes_no_fan_beside_itself(self) -> None:
        assert refused(document(), {"excludes": [["gen", "gen"]]}).keys() == {"excludes"}


class TestSchema:
    def test_says_what_every_key_means(self) -> None:
        assert [key for key, allowed in value_schemas().items() if not allowed.get("description")] == []

    def test_asks_for_every_key_and_has_no_defaults(self) -> None:
        whole = schema("profile")["$defs"]["values"]
        assert whole["required"] == list(whole["properties"])
        assert '"default":' not in json.dumps(whole)

    def test_may_cite_every_key_and_the_topics_it_explains(self) -> None:
        citable = schema("profile")["$defs"]["key"]
        topics = [key for key in citable["enum"] if key not in value_schemas()]
        assert citable["enum"][: -len(topics)] == list(value_schemas())
        assert all(f"{topic} (" in citable["description"] for topic in topics)

    @pytest.mark.parametrize("profile", profile_ids())
    def test_its_topics_are_cited_by_every_rule_set(self, profile: str) -> None:
        topics = set(schema("profile")["$defs"]["key"]["enum"]) - set(value_schemas())
        assert topics <= load_profile(profile).cites.keys()


class TestOrderOfRows:
    """Ties are settled by the order of `shapes`; the order of keys in a log must not settle them."""

    @given(st.permutations(SHAPES), st.integers(0, len(SHAPES) - 1))
    def test_it_is_the_rule_set_s_own_whatever_the_order_of_an_option(
        self, order: list[str], cut: int
    ) -> None:
        given_shapes = dict.fromkeys(["ping_hu", *order[:cut]], 1)
        rules = load_profile(DEFAULT, {"shapes": given_shapes, "absorb_gen": {}})
        own = [shape for shape in document()["values"]["shapes"] if shape in given_shapes]
        assert list(rules.shapes)[: len(own)] == own
        assert rules.shapes == given_shapes
        new = list(rules.shapes)[len(own) :]
        assert new == sorted(new, key=SHAPES.index)

    def test_a_table_with_other_prices_has_the_same_order(self) -> None:
        table = document()["values"]["shapes"]
        dearer = {shape: fan + 1 for shape, fan in reversed(table.items())}
        assert list(load_profile(DEFAULT, {"shapes": dearer}).shapes) == list(table)

    def test_a_rule_set_s_own_table_stays_as_it_is_written(self) -> None:
        for profile in profile_ids():
            assert list(load_profile(profile, {"base": 2}).shapes) == list(
                document(profile)["values"]["shapes"]
            )


class TestDragons:
    """`dragon_pairs_absorb_gen` is short for `absorb_gen` of the two dragon shapes (rulebook §5)."""

    @given(st.dictionaries(st.sampled_from(SHAPES), st.integers(0, 4)))
    def test_the_short_form_follows_the_map(self, absorbed: dict[str, int]) -> None:
        rules = load_profile(DEFAULT, {"absorb_gen": absorbed})
        assert rules.absorb_gen == absorbed
        assert rules.dragon_pairs_absorb_gen is all(absorbed.get(shape, 0) > 0 for shape in DRAGONS)

    @given(st.dictionaries(st.sampled_from(SHAPES), st.integers(0, 4)), st.booleans())
    def test_the_map_follows_the_short_form_and_keeps_the_other_shapes(
        self, absorbed: dict[str, int], short: bool
    ) -> None:
        found = document()
        found["values"] |= {"absorb_gen": absorbed, "dragon_pairs_absorb_gen": dragons_absorb(absorbed)}
        rules = profile_from(found, {"dragon_pairs_absorb_gen": short})
        assert dragons_absorb(rules.absorb_gen) is short
        others = {shape: less for shape, less in absorbed.items() if shape not in DRAGONS}
        assert {k: v for k, v in rules.absorb_gen.items() if k not in DRAGONS} == others

    @pytest.mark.parametrize(("short", "absorbed"), [(True, {}), (False, dict.fromkeys(DRAGONS, 1))])
    def test_the_two_may_not_contradict_each_other(self, short: bool, absorbed: dict[str, int]) -> None:
        said = refused(document(), {"dragon_pairs_absorb_gen": short, "absorb_gen": absorbed})
        assert said == {
            "dragon_pairs_absorb_gen": f"found {short}, expected {not short} by absorb_gen".lower()
        }


def games(profile: str) -> list[bytes]:
    """Logs to be audited by a rule set: the legal cases and the samples of it; without cases, the default one's."""
    made = {name: profile_of("legal", name) for name in playable("legal")}
    wanted = profile if profile in made.values() else DEFAULT
    cases = [log_bytes("legal", name) for name, its in made.items() if its == wanted]
    samples = sorted((SAMPLES / profile).glob("*.json"))
    return cases + [path.read_bytes() for path in samples if not path.name.endswith(".report.json")]


class TestLevels:
    """004 §6: each level begins at more points than the one before."""

    @pytest.mark.parametrize("points", [[0], [0, 100], [5, 6, 7]])
    def test_may_rise(self, points: list[int]) -> None:
        levels = [{"name": str(one), "points": one} for one in points]
        assert load_profile(DEFAULT, {"levels": levels}).levels == levels

    @pytest.mark.parametrize("points", [[1, 1], [100, 0], [0, 5, 3]])
    def test_may_not_fall_or_stand(self, points: list[int]) -> None:
        levels = [{"name": str(at), "points": one} for at, one in enumerate(points)]
        assert "rising points" in refused(document(), {"levels": levels})["levels"]


class TestAmounts:
    """No rule set leads to an amount that a program with doubles could not hold."""

    @pytest.mark.parametrize(
        "options",
        [
            {"base": 1_000_000, "cap_fan": 30, "shapes": {"ping_hu": 30}},
            {"base": 1_000_000, "hua_zhu": "best_times", "hua_zhu_amount": 1_000_000},
            {"base": 1_000_000, "hua_zhu": "base_times", "hua_zhu_amount": 1_000_000},
            {"base": 1_000_000, "coin_factor": 1_000_000},
            {"coin_factor": 1_000_000, "scale": "exp0", "extras": {"gen": 30}, "cap_fan": 30},
            {"base": 1_000_000, "gang_an": 1000, "coin_factor": 1000},
        ],
    )
    def test_values_that_could_are_refused(self, options: dict[str, Any]) -> None:
        assert str(LARGEST_PAYMENT) in refused(document(), options)["base"]

    @pytest.mark.parametrize(
        "options",
        [
            {"base": 1_000_000},
            {"base": 1_000_000, "cap_fan": None, "hua_zhu": "none"},
            {"base": 1_000_000, "cap_fan": 30},
            {
                "base": 6,
                "cap_fan": None,
                "hua_zhu": "base_times",
                "hua_zhu_amount": 16,
                "coin_factor": 10_000,
            },
            {"base": 1000, "scale": "lin", "own_gangs": {"exposed": 1, "concealed": 2}},
        ],
    )
    def test_values_that_rooms_use_are_not(self, options: dict[str, Any]) -> None:
        assert load_profile(DEFAULT, options).base == options["base"]

    @pytest.mark.parametrize("profile", profile_ids())
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"coin_factor": 7},
            {"zi_mo_bonus": "add_base"},
            {"zi_mo_bonus": "add_fan"},
            {"hua_zhu": "best_times", "hua_zhu_amount": 5},
            {"own_gangs": {"exposed": 1, "concealed": 2}, "payer_gangs": {"exposed": 1, "concealed": 2}},
            {"piao": "on"},
            {"transfer": "chain"},
            {"xiang_gong": "on"},
            {"flee": "base6"},
            {"flee": "qq"},
        ],
    )
    def test_no_payment_of_a_game_passes_what_was_reckoned(
        self, profile: str, options: dict[str, Any]
    ) -> None:
        rules = load_profile(profile, options)
        reports = [audit(log, profile=profile, options=options).to_dict() for log in games(profile)]
        hands = [hand for report in reports for hand in report["hands"]]
        paid = [entry["amount"] for hand in hands for entry in hand["ledger"] or ()]
        assert paid
        assert 0 < max(paid) * (rules.coin_factor or 1) <= largest_payment(values(rules))

    @pytest.mark.parametrize(
        ("options", "least"),
        [
            ({"base": 6, "flee": "qq"}, 6 * 16),
            ({"base": 6, "cap_fan": 1, "xiang_gong": "on"}, 6 * 8),
            ({"base": 6, "cap_fan": 3, "piao": "on"}, 6 * 4 * 4),
            ({"base": 6, "cap_fan": 1, "gang_an": 9}, 6 * 9 * 3),
            ({"base": 6, "cap_fan": 1, "gang_an": 9, "transfer": "chain"}, 6 * 9 * 3 * 4),
            ({"base": 6, "cap_fan": 1, "flee": "base6"}, 6 * 3),
            ({"void_breach": "pot", "void_breach_amount": 1_000_000}, 1_000_000),
            ({"base": "silver_35"}, 1_000_000 * 32),
            ({"cap_fan": 3, "coin_factor": 200}, 4 * 200),
        ],
    )
    def test_what_can_be_paid_is_reckoned(self, options: dict[str, Any], least: int) -> None:
        assert largest_payment(values(load_profile(DEFAULT, options))) >= least

    def test_a_base_taken_from_holdings_counts_as_the_largest_that_is_let_through(self) -> None:
        plain = load_profile(DEFAULT, {"base": value_schemas()["base"]["maximum"]})
        silver = load_profile(DEFAULT, {"base": "silver_35"})
        times = LARGEST_SILVER_BASE // plain.base  # type: ignore[operator]
        assert largest_payment(values(silver)) == times * largest_payment(values(plain))
        assert "base" in refused(document(), {"base": "silver_35", "cap_fan": 30, "shapes": {"ping_hu": 30}})

    def test_a_sitting_of_the_largest_payments_still_adds_up(self) -> None:
        assert LARGEST_PAYMENT * 64 * 10_000 <= LARGEST_INTEGER


@pytest.mark.parametrize("value", [10**30, float("nan"), {"a"}, b"x", 1j])
def test_what_is_no_json_is_refused_like_any_other_value(value: Any) -> None:
    for key in ("base", "void", "shapes", "excludes"):
        with pytest.raises(OptionProblems) as caught:
            load_profile(DEFAULT, {key: value})
        assert [option for option, _ in caught.value.problems] == [key]


@pytest.mark.shared
def test_a_section_of_the_second_document_is_where_the_quotation_stands(shared: Path) -> None:
    """§3.n of 002 is the n-th point under its heading 3, the rules of play in Sichuan."""
    text = (shared / "seeds" / "002_5be3bae403ad088e.txt").read_text(encoding="utf-8")
    play = text[text.index("3.四川麻將的打牌規則") : text.index("\n計分規則\n")]
    cites = [c for p in profile_ids() for c in load_profile(p).cites.values() if c.document == "002"]
    found = [clause for clause in cites if clause.section.startswith("§3.")]
    assert found
    for clause in found:
        number = clause.section.removeprefix("§3.")
        point = play[play.index(f"\n{number}.") :]
        following = point.find(f"\n{int(number) + 1}.")
        assert clause.text in (point if following < 0 else point[:following])
