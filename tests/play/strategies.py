"""What hypothesis draws: a rule set with options, a temper of the table, and a seed."""

import os
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from .deals import Knobs
from .generator import Document, play

IN_CI = bool(os.environ.get("CI"))

Options = dict[str, Any]

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
        "own_gangs": {"exposed": 1, "concealed": 2},
        "payer_gangs": {"exposed": 1, "concealed": 2},
    },
    "mil penalties": {"penalties": "mil"},
    "coins": {"coin_factor": 200, "rake": 400},
}

VALUES: dict[str, list[Any]] = {
    "ends": ["three_hu", "first_hu"],
    "void": ["declared", "at_hu", "none"],
    "guo_shui": ["off", "any_tile", "shun_hu"],
    "guo_shui_more_fan": [True, False],
    "guo_shui_waived_below": [0, 4, 30],
    "forced_last": [0, 4, 20],
    "forced_scope": ["any", "drawn_tile"],
    "gang_after_peng": ["allowed", "forbidden"],
    "replacement": ["head", "tail"],
    "transfer": ["none", "last", "chain", "return"],
    "next_turn": ["after_last_winner", "after_robbed"],
    "seven_pairs": [True, False],
    "dead_wait": ["never", "own_hand", "own_all", "visible"],
}

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
}

options: st.SearchStrategy[Options] = st.one_of(
    st.sampled_from(sorted(OPTION_SETS)).map(OPTION_SETS.__getitem__),
    st.sampled_from(sorted(OPTION_SETS)).map(OPTION_SETS.__getitem__),
    st.fixed_dictionaries({}, optional={key: st.sampled_from(found) for key, found in VALUES.items()}),
)


@st.composite
def sittings(draw: st.DrawFn, profile: str) -> Document:
    """A sitting of legal play under the rule set, its options drawn too."""
    temper = TEMPERS[draw(st.sampled_from(sorted(TEMPERS)))]
    chosen = replace(
        temper,
        hands=draw(st.integers(1, 3)),
        wall=draw(st.booleans()),
        passes=draw(st.sampled_from(("none", "all", "some"))),
    )
    return play(profile, dict(draw(options)), chosen, draw(st.integers(0, 2**32 - 1)))


def examples(in_ci: int, here: int) -> settings:
    """How many sittings a test draws: ``in_ci`` where CI is set, ``here`` on a developer's machine."""
    return settings(
        max_examples=in_ci if IN_CI else here,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
