"""Cases of rule sets that are not built yet: counted, so that none is passed over in silence."""

from collections import Counter

from replay import profile_ids

from .cases import names, prices, profile_of

WAITING: dict[str, tuple[int, int, int]] = {
    "base6": (6, 1, 73),
    "qq": (6, 2, 69),
    "qq-dingque": (6, 2, 73),
    "qq-single": (6, 0, 73),
    "tingyong": (6, 3, 65),
    "xueliu": (6, 6, 60),
    "zhaotong": (6, 4, 72),
    "zimo": (6, 1, 64),
}
"""By rule set: how many legal, illegal and price cases wait. When a rule set is built, its line goes."""


def test_cases_wait_only_for_rule_sets_that_are_not_built() -> None:
    """Building a rule set puts its cases to work by itself; this fails until its line above is taken out."""
    legal = Counter(profile_of("legal", name) for name in names("legal"))
    illegal = Counter(profile_of("illegal", name) for name in names("illegal"))
    single = Counter(case["profile"] for case in prices())
    every = sorted(legal.keys() | illegal.keys() | single.keys())
    waiting = {
        name: (legal[name], illegal[name], single[name]) for name in every if name not in profile_ids()
    }
    assert waiting == WAITING
