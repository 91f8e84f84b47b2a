"""What hypothesis draws: a rule set with options, a temper of the table, and a seed."""

import os
from dataclasses import replace
from functools import cache
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from replay.profile import OptionProblems, load_profile

from .deals import Knobs
from .generator import Document, play

IN_CI = bool(os.environ.get("CI"))

HANDS = 2
"""How many hands a sitting has: the second shows who deals after the first."""

Options = dict[str, Any]

GANGS = {"exposed": 1, "concealed": 2}

OPTION_SETS: dict[str, Options] = {
    "as it stands": {},
    "cap 3": {"cap_fan": 3, "base": 2},
    "cap 4": {"cap_fan": 4, "base": 5},
    "cap 5": {"cap_fan": 5},
    "no cap": {"cap_fan": None, "hua_zhu": "base_times", "hua_zhu_amount": 16},
    "first hu": {"ends": "first_hu", "forced_last": 4},
    "first hu, the discarder deals": {"ends": "first_hu", "next_dealer": "discarder"},
    "any seat deals": {"next_dealer": "any"},
    "a tie lets any of them deal": {"next_dealer_tie": "any_of_them"},
    "all pay a direct gang": {"gang_zhi_others": 1, "gang_bu_kept": "zero"},
    "dear gangs": {"gang_zhi": 2, "gang_bu": 3, "gang_an": 4, "base": 3},
    "transfer of the chain": {"transfer": "chain", "gang_after_peng": "allowed"},
    "no transfer": {"transfer": "none"},
    "gang paid back": {"transfer": "return", "rob_keeps_gang_pao": True},
    "last gang": {"transfer": "last", "gang_pao_payer": "feeder_of_zhi"},
    "no dead wait": {"dead_wait": "never"},
    "dead by own tiles": {"dead_wait": "own_all"},
    "dead by sight": {"dead_wait": "visible"},
    "huazhu by best": {"hua_zhu": "best_times", "hua_zhu_amount": 5, "hua_zhu_payees": "ready_or_hu"},
    "huazhu fixed": {"hua_zhu": "fixed", "hua_zhu_amount": 24, "hua_zhu_payees": "bank"},
    "huazhu best or fixed": {"hua_zhu": "best_or_fixed", "hua_zhu_amount": 8, "hua_zhu_payees": "all"},
    "huazhu of the cap": {"hua_zhu": "cap", "hua_zhu_pays_da_jiao": True, "hua_zhu_payees": "in_play"},
    "passive huazhu go free": {"hua_zhu_passive": "exempt", "da_jiao_payees": "ready_or_hu"},
    "no huazhu": {"hua_zhu": "none", "refund": "none"},
    "liuju pays nothing": {"liu_ju": "nothing"},
    "a base more": {"zi_mo_bonus": "add_base", "zi_mo_payers": "all"},
    "a fan more": {"zi_mo_bonus": "add_fan", "dian_gang_hua": "dian_pao"},
    "no guo shui": {"guo_shui": "off"},
    "guo shui of any tile": {"guo_shui": "any_tile", "guo_shui_more_fan": False},
    "shun hu": {"guo_shui": "shun_hu", "guo_shui_more_fan": False},
    "guo shui waived": {"guo_shui": "any_tile", "guo_shui_waived_below": 8},
    "guo shui of the own draw": {"guo_shui": "any_tile", "guo_shui_zi_mo": "barred"},
    "nothing forced": {"forced_last": 0},
    "twelve forced": {"forced_last": 12},
    "the last tiles themselves": {"forced_last": 8, "forced_scope": "drawn_tile"},
    "replacement from the tail": {"replacement": "tail"},
    "two suits": {"void": "at_hu"},
    "any suits": {"void": "none"},
    "void by suits": {"void_choice": "by_suits"},
    "gang after peng": {"gang_after_peng": "allowed"},
    "no gang after peng": {"gang_after_peng": "forbidden"},
    "self-draw only": {"hu_on_discard": False, "rob_gang": False},
    "no robbing": {"rob_gang": False},
    "after the robbed": {"next_turn": "after_robbed", "rob_keeps_gang_pao": True},
    "no seven pairs": {"seven_pairs": False},
    "pair wait": {"jin_gou": "pair_wait", "gen": "all"},
    "gangs in the price": {
        "scale": "lin",
        "own_gangs": GANGS,
        "payer_gangs": GANGS,
    },
    "mil penalties": {"penalties": "mil"},
    "coins": {"coin_factor": 200, "rake": 400},
    "winds and dragons": {"tiles": 136},
    "winds and dragons, any suits, by silver": {"tiles": 136, "void": "none", "base": "silver_35"},
    "swap": {"swap": "same_suit"},
    "swap, winners play on": {"swap": "same_suit", "ends": "wall", "zi_mo_payers": "all"},
    "winners play on": {"ends": "wall", "void": "at_hu"},
    "winners play on in silence": {"ends": "wall", "guo_shui": "any_tile", "forced_last": 8},
    "winners play on and only draw": {"ends": "wall", "hu_on_discard": False, "payer_gangs": GANGS},
    "wild tiles": {"ting_yong": "indicator", "void": "at_hu"},
    "wild tiles of any suit": {"ting_yong": "indicator", "void": "none", "dead_wait": "visible"},
    "wild tiles and a void suit": {"ting_yong": "indicator", "void": "declared", "guo_shui": "shun_hu"},
    "wild tiles, winners play on": {"ting_yong": "indicator", "void": "at_hu", "ends": "wall"},
    "wild tiles, from the tail": {"ting_yong": "indicator", "void": "at_hu", "replacement": "tail"},
    "stakes": {"piao": "on"},
    "stakes, gangs in the price": {"piao": "on", "payer_gangs": GANGS, "own_gangs": GANGS},
    "flight": {"flee": "base6"},
    "flight, a winner keeps": {"flee": "qq", "refund": "not_ready"},
    "xiang gong": {"xiang_gong": "on"},
    "xiang gong, first hu": {"xiang_gong": "on", "ends": "first_hu", "hu_on_discard": False},
    "the void suit may wait": {"void": "declared", "void_breach": "pot", "void_breach_amount": 48},
    "gangs paid at the next draw": {"gang_timing": "next_draw", "transfer": "none"},
    "gangs paid at the next draw, or given back": {"gang_timing": "next_draw", "transfer": "return"},
    "the poor leave": {"ends_on_bust": True},
    "levels": {"levels": [{"name": "beginner", "points": 10}, {"name": "master", "points": 1000}]},
}

VALUES: Options = {
    "tiles": [108, 136],
    "swap": ["none", "same_suit"],
    "void": ["declared", "at_hu", "none"],
    "void_choice": ["free", "by_suits"],
    "replacement": ["head", "tail"],
    "ends": ["three_hu", "first_hu", "wall"],
    "gang_after_peng": ["allowed", "forbidden"],
    "ting_yong": ["none", "indicator"],
    "piao": ["off", "on"],
    "guo_shui": ["off", "any_tile", "shun_hu"],
    "guo_shui_more_fan": [True, False],
    "guo_shui_waived_below": [0, 4, 30],
    "guo_shui_zi_mo": ["free", "barred"],
    "forced_last": [0, 4, 20],
    "forced_scope": ["any", "drawn_tile"],
    "hu_on_discard": [True, False],
    "rob_gang": [True, False],
    "seven_pairs": [True, False],
    "scale": ["exp", "exp0", "lin"],
    "base": [1, 7, "silver_35"],
    "cap_fan": [2, 6, None],
    "combine": ["largest", "sum"],
    "gen": ["none", "undeclared", "all"],
    "jin_gou": ["four_melds", "pair_wait"],
    "own_gangs": [None, GANGS],
    "payer_gangs": [None, GANGS],
    "zi_mo_bonus": ["none", "add_base", "add_fan"],
    "zi_mo_payers": ["in_play", "all"],
    "dian_gang_hua": ["zi_mo", "dian_pao"],
    "gang_pao_payer": ["discarder", "feeder_of_zhi"],
    "gang_zhi": [0, 2],
    "gang_zhi_others": [0, 1],
    "gang_bu": [0, 1],
    "gang_an": [0, 2],
    "gang_bu_kept": ["pay", "zero"],
    "gang_timing": ["at_once", "next_draw"],
    "transfer": ["none", "last", "chain", "return"],
    "refund": ["none", "not_ready"],
    "hua_zhu": ["none", "cap", "best_times", "base_times", "fixed", "best_or_fixed"],
    "hua_zhu_amount": [0, 9],
    "hua_zhu_payees": ["in_play", "all", "ready_or_hu", "bank"],
    "hua_zhu_passive": ["counts", "exempt"],
    "hua_zhu_pays_da_jiao": [True, False],
    "da_jiao_payees": ["ready", "ready_or_hu"],
    "dead_wait": ["never", "own_hand", "own_all", "visible"],
    "liu_ju": ["settle", "nothing"],
    "flee": ["none", "base6", "qq"],
    "xiang_gong": ["off", "on"],
    "coin_factor": [None, 200],
    "rake": [None, 400],
    "next_dealer": ["first_hu", "discarder", "any"],
    "next_dealer_tie": ["discarder", "any_of_them"],
    "next_turn": ["after_last_winner", "after_robbed"],
    "penalties": ["none", "mil"],
    "void_breach": ["illegal", "pot"],
    "void_breach_amount": [0, 48],
    "rob_keeps_gang_pao": [True, False],
    "ends_on_bust": [True, False],
    "levels": [None, [{"name": "beginner", "points": 10}]],
}
"""Values of each key that is not a part of a price table; all of them where the schema lists them."""

TEMPERS: dict[str, Knobs] = {
    "lively": Knobs(),
    "lucky": Knobs(luck=0.8, near=0.9),
    "cautious": Knobs(hu=0.1, claim=0.3),
    "robbers": Knobs(hu=0.4, claim=1, zhi=0.1, rob=0.95, own_gang=1, shared=1, near=1, luck=0),
    "gangers": Knobs(alike=0.9, zhi=1, claim=0.9, own_gang=1, hu=0.5, near=0.9),
    "sharers": Knobs(shared=1, hu=0.9, claim=0.1),
    "clumsy": Knobs(near=0, skill=0, odd_void=1, hu=1),
    "passing": Knobs(near=0.9, hu=0.3, claim=0.2, odd_pass=0.5, shared=0.5),
    "stubborn": Knobs(near=1, hu=0, claim=0.05, own_gang=0.2),
    "faint-hearted": Knobs(near=0.9, hu=0.9, flee=0.02, leave=1, piao=0.8, breach=0.8),
    "borrowers": Knobs(near=0.8, claim=1, zhi=0.3, hu=0.3, replace=0.9, own_gang=1),
}

SINGLE = [(key, value) for key, values in VALUES.items() for value in values]


@cache
def option_sets(profile: str) -> dict[str, Options]:
    """Those of `OPTION_SETS` that make sense in a rule set: no price of a cap where there is none, and the like."""
    return {name: found for name, found in OPTION_SETS.items() if makes_sense(profile, found)}


def makes_sense(profile: str, chosen: Options) -> bool:
    """Whether the rule set may be played with the options."""
    try:
        load_profile(profile, chosen)
    except OptionProblems:
        return False
    return True


def options(profile: str) -> st.SearchStrategy[Options]:
    """The rule set as it stands, with one of the sets above, or with a few values changed at random."""
    sets = option_sets(profile)
    few = st.lists(st.sampled_from(SINGLE), max_size=5, unique_by=lambda each: each[0]).map(dict)
    named = st.sampled_from(sorted(sets)).map(sets.__getitem__)
    return st.one_of(st.just({}), named, named, few.filter(lambda found: makes_sense(profile, found)))


@st.composite
def sittings(draw: st.DrawFn, profile: str) -> Document:
    """A sitting of legal play under the rule set, its options drawn too."""
    temper = TEMPERS[draw(st.sampled_from(sorted(TEMPERS)))]
    chosen = replace(
        temper,
        hands=HANDS,
        wall=draw(st.booleans()),
        passes=draw(st.sampled_from(("none", "all", "some"))),
    )
    return play(profile, dict(draw(options(profile))), chosen, draw(st.integers(0, 2**32 - 1)))


def examples(in_ci: int, here: int) -> settings:
    """How many sittings a test draws: ``in_ci`` where CI is set, ``here`` on a developer's machine."""
    return settings(
        max_examples=in_ci if IN_CI else here,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
