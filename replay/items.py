"""The settlement items: which values of a rule set decide each, and whether a rule set has it at all.

An item is a kind of payment, as the ledger of a report names it (formats §2). What it comes to is worked out in
`settlement` and `liu_ju`; here stands only what a reader has to look up.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from replay.profile import RuleProfile


@dataclass(frozen=True, slots=True)
class Item:
    """A kind of payment: the keys of the values that decide it, and whether hands of a rule set can have it."""

    kind: str
    keys: tuple[str, ...]
    occurs: Callable[[RuleProfile], bool]


def _gang(rules: RuleProfile) -> bool:
    return any((rules.gang_zhi, rules.gang_zhi_others, rules.gang_bu, rules.gang_an))


def _refund(rules: RuleProfile) -> bool:
    return rules.refund != "none" or rules.transfer == "return" or rules.penalties != "none"


def _hua_zhu(rules: RuleProfile) -> bool:
    return rules.liu_ju == "settle" and rules.hua_zhu != "none" and rules.void != "none"


_ITEMS: tuple[Item, ...] = (
    Item(
        "hu",
        (
            "scale", "base", "cap_fan", "combine", "own_gangs", "payer_gangs", "hu_on_discard", "zi_mo_payers",
            "zi_mo_bonus", "dian_gang_hua", "gang_pao_payer", "piao",
        ),
        lambda rules: True,
    ),
    Item(
        "gang",
        ("gang_zhi", "gang_zhi_others", "gang_bu", "gang_bu_kept", "gang_an", "gang_timing", "base"),
        _gang,
    ),
    Item("transfer", ("transfer",), lambda rules: rules.transfer in ("last", "chain")),
    Item("refund", ("refund", "dead_wait", "transfer", "penalties"), _refund),
    Item(
        "penalty",
        ("penalties", "void_breach", "void_breach_amount"),
        lambda rules: rules.penalties != "none" or rules.void_breach == "pot",
    ),
    Item(
        "hua_zhu",
        ("liu_ju", "void", "hua_zhu", "hua_zhu_amount", "hua_zhu_payees", "hua_zhu_passive", "hua_zhu_pays_da_jiao"),
        _hua_zhu,
    ),
    Item(
        "da_jiao",
        ("liu_ju", "da_jiao_payees", "dead_wait", "hua_zhu_pays_da_jiao"),
        lambda rules: rules.liu_ju == "settle",
    ),
    Item("flee", ("flee", "base"), lambda rules: rules.flee != "none"),
    Item("xiang_gong", ("xiang_gong", "scale", "base", "cap_fan"), lambda rules: rules.xiang_gong == "on"),
    Item("forfeit", ("flee",), lambda rules: rules.flee == "base6"),
    Item("rake", ("rake", "coin_factor"), lambda rules: rules.rake is not None),
)  # fmt: skip

ITEMS: Final[Mapping[str, Item]] = {item.kind: item for item in _ITEMS}
"""Every kind of payment, in the order in which a hand comes to them."""
