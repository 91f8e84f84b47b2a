"""听用: one hand is priced for all that no fan can tell apart, and it is the one that would be named (rulebook §6.5)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.alike import named_pairs, named_sets, smallest_sets, unlike_hands
from replay.fans import Meld, Winning, readings, substitutions
from replay.measure import calls
from replay.prices import Price, pricer_of
from replay.profile import RuleProfile, load_profile, profile_ids
from replay.shapes import COMPLETE, FACTS, PAIR, decompositions, hand_facts, is_pairs
from replay.tiles import INDEX, ONE, packed, tile_string, tiles_of

HOW = ("gang_hua", "hai_di", "pair_wait", "tian_hu")
FOUR_WILDS = "5s5s5s5s"


@st.composite
def won_hands(draw: st.DrawFn) -> Winning:
    """Sets and a pair, or pairs, of few kinds, of which one to three tiles became wildcards; some are no hand."""
    laid = draw(st.integers(0, 3))
    ranks = st.sampled_from(draw(st.sampled_from([range(9), (0, 1, 2, 6, 7, 8), (1, 4, 7), (2, 3, 4, 5)])))
    kinds = st.builds(lambda suit, rank: 9 * suit + rank, st.integers(0, draw(st.integers(0, 2))), ranks)
    places = draw(st.lists(kinds, min_size=laid, max_size=laid, unique=True))
    melds = [Meld(draw(st.sampled_from(["peng", "peng", "zhi", "an"])), kind) for kind in places]
    if not laid and draw(st.booleans()):
        groups = [[kind] * 2 for kind in draw(st.lists(kinds, min_size=7, max_size=7))]
    else:
        firsts = draw(st.lists(st.tuples(kinds, st.booleans()), min_size=4 - laid, max_size=4 - laid))
        groups = [[kind, kind + 1, kind + 2] if run and kind % 9 < 7 else [kind] * 3 for kind, run in firsts]
        groups.append([draw(kinds)] * 2)
    tiles = draw(st.permutations([kind for group in groups for kind in group]))
    wild = draw(st.sampled_from([kind for kind in range(27) if kind not in tiles and kind not in places]))
    count = draw(st.integers(1, 3))
    hand = [wild] * count + [
        kind for at, kind in enumerate(tiles[count:]) if tiles[count:][:at].count(kind) < 4
    ]
    how = draw(st.lists(st.sampled_from(HOW), max_size=2, unique=True))
    return Winning(
        sum(ONE[kind] for kind in hand), melds, draw(st.booleans()), how, wild, draw(st.integers(-1, 2))
    )


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleProfile:
    """A built-in rule set, its void rule, cap and seven pairs at will."""
    rules = load_profile(draw(st.sampled_from(profile_ids())))
    void = draw(st.sampled_from(["none", "at_hu", "declared"]))
    cap = draw(st.sampled_from([None, 2, 4]))
    return replace(rules, void=void, cap_fan=cap, seven_pairs=draw(st.booleans()))


def dearest(rules: RuleProfile, hand: Winning) -> tuple[Price, int] | None:
    """What pricing every substitution finds: the dearest, then most fan, then first in the table, then smallest sets."""
    order = list(rules.shapes)
    pricer = pricer_of(rules)
    priced = [
        (pricer._price_reading(reading), tiles)
        for tiles in substitutions(rules, hand)
        for reading in readings(rules, Winning(tiles, hand.melds, hand.zi_mo, hand.how))
    ]
    return min(
        priced,
        key=lambda one: (
            -one[0].price,
            -one[0].fan,
            order.index(one[0].shape.id),
            one[0].pairs,
            decompositions(one[1])[:1],
            one[1],
        ),
        default=None,
    )


@settings(max_examples=150, deadline=None)
@given(rule_sets(), won_hands())
def test_the_price_and_the_hand_named_are_those_of_a_trial_of_every_substitution(
    rules: RuleProfile, hand: Winning
) -> None:
    found, expected = pricer_of(rules).price(hand), dearest(rules, hand)
    if expected is None:
        assert found is None
        return
    price, tiles = expected
    assert found is not None
    assert tile_string(tiles_of(found.hand)) == tile_string(tiles_of(tiles))
    assert (found.price, found.fan, found.shape, found.extras) == (
        price.price,
        price.fan,
        price.shape,
        price.extras,
    )
    assert (found.pairs, found.triplets, found.edges) == (price.pairs, price.triplets, price.edges)


@pytest.mark.parametrize(
    "real",
    [
        "1m2m3m4m5m6m7m8m9m1m",
        "2m3m3m4m4m5m5m6m6m7m",
        "1m1m2m2m3m3m4p4p6p6p",
    ],
)
def test_with_four_wildcards_few_readings_are_priced(real: str) -> None:
    rules = replace(load_profile("tingyong"), void="none")
    pricer = pricer_of(rules)
    hand = Winning(packed(real + FOUR_WILDS), [], wild=INDEX["5s"])
    assert pricer.price(hand) is not None
    every, few = len(substitutions(rules, hand)), len(unlike_hands(rules, hand))
    assert calls(lambda: pricer.price(hand), "_price_reading") <= 2 * few < every / 10


def test_the_smallest_sets_of_a_suit_are_the_first_decomposition() -> None:
    whole = [key for key, fact in FACTS.items() if fact & COMPLETE and fact & PAIR]
    for key in whole[::37]:
        first = [
            2 * kinds[0] + (len(kinds) == 3 and kinds[0] != kinds[-1]) for kinds in decompositions(key)[0]
        ]
        sets, pair = smallest_sets(key, 0)
        assert [*sets, *pair] == first


def test_seven_pairs_that_are_no_sets_are_named_before_those_that_are() -> None:
    sets, none = packed("1m1m2m2m3m3m4m4m5m5m6m6m7m7m"), packed("1m1m3m3m5m5m7m7m9m9m1p1p3p3p")
    assert [is_pairs(sets), is_pairs(none), hand_facts(sets) > 0, hand_facts(none) > 0] == [True] * 3 + [
        False
    ]
    assert named_pairs(none) < named_pairs(sets) == (named_sets(sets), sets)
