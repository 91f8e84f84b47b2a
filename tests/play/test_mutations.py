"""Every mutation of the list is found, where it stands and with nothing before it, in play of every rule set."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from replay import audit, profile_ids
from replay.catalogue import CATALOGUE, severity_of
from replay.findings import Finding
from replay.report import Report
from tests.findings.test_each_code import NOT_YET, OF_THE_AUDIT
from tests.importers.samples import SEEDS, salasasa

from . import (
    mutations_claims,
    mutations_ends,
    mutations_files,
    mutations_hu,
    mutations_money,
    mutations_records,
    mutations_rules,
    mutations_turns,
    mutations_void,
)
from .deals import Knobs
from .generator import Document, play
from .mutations import REGISTRY, Broken, Case, Mutation, cases
from .strategies import examples, sittings

LISTS = (
    mutations_claims, mutations_ends, mutations_files, mutations_hu,
    mutations_money, mutations_records, mutations_rules, mutations_turns, mutations_void,
)  # fmt: skip
"""The files whose mutations are on the list."""

PROFILES = ("chengdu", "mil-sbr")
"""Rule sets that say the most about passing and paying; what they lack comes in by an option (`TABLES`)."""

TWO_RULE_SETS = pytest.mark.parametrize("profile", PROFILES)
RULE_SETS = pytest.mark.parametrize("profile", profile_ids())

OF_RECORDS = [name for name, mutation in REGISTRY.items() if mutation.records is not None]
OF_LOGS = [name for name in REGISTRY if name not in OF_RECORDS]

OFTEN = 4
"""How often each mutation must have been tried with each of the two rule sets."""

MOST = 8
"""How many of its places are enough for one mutation and rule set."""

CLAIMING = Knobs(near=0.9, alike=0.7, claim=0.6, hu=0.6)
KEEPING = Knobs(near=1, alike=1, hu=0, claim=0, zhi=0, own_gang=0)
WINNING = Knobs(shared=1, hu=0.95, claim=0.2, near=1, luck=0.8)
BORROWING = Knobs(near=0.9, alike=0.7, claim=1, zhi=0.1, hu=0, replace=0)
PASSING = Knobs(near=1, hu=0.2, claim=0.1, odd_pass=0.4, shared=0.6, luck=0.5)
TABLES: tuple[tuple[dict[str, Any], Knobs], ...] = (
    ({}, CLAIMING),
    ({}, Knobs(near=1, odd_void=1, hu=0.5, luck=0.4)),
    ({}, PASSING),
    ({}, Knobs(alike=0.9, zhi=0.5, claim=0.9, own_gang=0.7, hu=0.5, near=0.9)),
    ({}, KEEPING),
    ({}, Knobs(hu=0.4, claim=1, zhi=0.1, rob=0.7, own_gang=1, shared=1, near=1, luck=0)),
    ({}, WINNING),
    ({"void": "at_hu"}, Knobs(near=0, skill=1, claim=0.3)),
    ({"void_choice": "by_suits", "gang_after_peng": "forbidden"}, CLAIMING),
    ({"hu_on_discard": False}, PASSING),
    ({"rob_gang": False, "void": "none"}, WINNING),
    ({"forced_last": 50}, Knobs(near=1, luck=0.9)),
    (
        {"guo_shui": "any_tile", "guo_shui_zi_mo": "barred", "guo_shui_more_fan": False},
        Knobs(near=1, alike=0.2, hu=0, claim=0, shared=0.5, skill=0.95),
    ),
    ({"replacement": "tail", "guo_shui": "shun_hu"}, replace(CLAIMING, hu=0.2)),
    ({"ends": "first_hu", "coin_factor": 100, "rake": 7}, Knobs(near=1, hu=0.9)),
    ({"gang_after_peng": "forbidden"}, Knobs(claim=0.9, zhi=0, alike=0.9, near=0.9, hu=0.2)),
    ({}, KEEPING),
    ({"swap": "same_suit", "ends": "wall", "void": "at_hu"}, Knobs(near=1, hu=0.9, luck=0.3, alike=0.7)),
    ({"ting_yong": "indicator", "void": "at_hu"}, BORROWING),
    ({"piao": "on", "flee": "base6"}, replace(WINNING, piao=0.6, flee=0.02, leave=1)),
    ({"xiang_gong": "on"}, replace(CLAIMING, hu=0.1)),
    ({"ting_yong": "indicator", "void": "none"}, BORROWING),
)
"""Where something happens: mostly the rule set as it stands, else a value that it would have to have for that."""

SITTINGS = 330


@cache
def sitting(profile: str, seed: int) -> Document:
    """A legal sitting, the same for every test."""
    options, knobs = TABLES[seed % len(TABLES)]
    round_ = seed // len(TABLES)
    passes = ("all", "none", "all", "some")[round_ % 4]
    return play(profile, options, replace(knobs, hands=2, wall=round_ % 5 != 1, passes=passes), seed)


@cache
def applied(profile: str) -> dict[str, list[Case]]:
    """For each mutation some places where it applies, one a sitting."""
    found: dict[str, list[Case]] = {name: [] for name in OF_LOGS}
    for seed in range(SITTINGS):
        if min(len(places) for places in found.values()) >= OFTEN:
            break
        wanted = [name for name, places in found.items() if len(places) < MOST]
        for name, places in cases(sitting(profile, seed), wanted).items():
            found[name].append(Random(f"{seed} {name}").choice(places))
    return found


def place_of(finding: Finding) -> tuple[str, int | None, int | None, int | None]:
    return finding.code, finding.hand, finding.action, finding.seat


def order(hand: int | None, action: int | None) -> tuple[int, int]:
    """The order of the log; what stands at no action comes first."""
    return (-1 if hand is None else hand, -1 if action is None else action)


def check(mutation: Mutation, broken: Broken, legal: Document | None) -> None:
    """The code is found at its place, nothing else before it, and after it only what may follow."""
    report = audit(broken.log)
    code, hand, action, _ = broken.place
    found = [each for each in report.all_findings if severity_of(each) == "error" or each.code == code]
    places = [place_of(each) for each in found]
    assert broken.place in places, (mutation.name, broken.place, places)
    assert any(place_of(e) == broken.place and broken.params.items() <= e.params.items() for e in found)
    for other in broken.also:
        assert other in places, (mutation.name, other, places)
    for other in set(places) - {broken.place, *broken.also}:
        assert may_stand(broken, other, count_of(broken)), (mutation.name, broken.place, other)
    if broken.stopped:
        assert report.hands[hand or 0].stopped_at == (action or 0)
    if broken.kept and legal is not None:
        same_scores(report, audit(legal))


def count_of(broken: Broken) -> int:
    """How many actions the broken hand has."""
    hand = broken.place[1]
    return -1 if hand is None or isinstance(broken.log, bytes) else len(broken.log["hands"][hand]["actions"])


def may_stand(broken: Broken, other: tuple[str, int | None, int | None, int | None], count: int) -> bool:
    """Whether another finding may stand where it does."""
    code, hand, action, _ = other
    if (hand, action) == broken.place[1:3] and code in broken.beside:
        return True
    if order(hand, action) <= order(*broken.place[1:3]):
        return False
    if hand != broken.place[1]:
        return code == "HND004" and code in broken.then | broken.at_end
    return code in broken.then or (action == count and code in broken.at_end)


def same_scores(broken: Report, legal: Report) -> None:
    """The settlement of every hand is that of the legal log."""
    assert [hand.scores for hand in broken.hands] == [hand.scores for hand in legal.hands]


def test_the_list_has_every_code() -> None:
    assert {mutation.code for mutation in REGISTRY.values()} == set(CATALOGUE) - NOT_YET - OF_THE_AUDIT


@TWO_RULE_SETS
@pytest.mark.parametrize("name", OF_LOGS)
def test_a_mutation_is_found_wherever_it_applies(profile: str, name: str) -> None:
    tried = applied(profile).get(name, [])
    assert len(tried) >= OFTEN, len(tried)
    for case in tried:
        for broken in case.broken():
            check(case.mutation, broken, case.log)


@RULE_SETS
@given(data=st.data())
@settings(examples(in_ci=15, here=5), phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_mutations_of_any_play_are_found(profile: str, data: st.DataObject) -> None:
    log = data.draw(sittings(profile))
    names = data.draw(st.lists(st.sampled_from(OF_LOGS), min_size=8, max_size=16, unique=True))
    for places in cases(log, names).values():
        case = data.draw(st.sampled_from(places))
        for broken in case.broken():
            check(case.mutation, broken, case.log)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", OF_RECORDS)
def test_a_mutation_of_a_record_is_told(name: str, seed: int) -> None:
    mutation = REGISTRY[name]
    assert mutation.records is not None
    record = salasasa(seed)
    for broken in mutation.records(record):
        told = [each for each in audit(broken.log).all_findings if each.code == mutation.code]
        assert any(broken.params.items() <= each.params.items() for each in told), (broken.place, told)
        before = [dict(each.params) for each in audit(record).all_findings if each.code == mutation.code]
        assert any(dict(each.params) not in before for each in told)


def test_each_mutation_is_of_one_list() -> None:
    listed = Counter(name for module in LISTS for name in vars(module) if name in REGISTRY)
    assert set(listed) == set(REGISTRY)
