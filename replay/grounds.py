"""What a payment rests on: the keys of the rule set that decide an entry of the ledger, the deciding one first.

The words stand in the rule set's ``cites`` under these keys; of a fan under the fan's own key where it is cited apart
(``shapes.qi_dui``), else under that of its table.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from replay.events import Gang, Win
from replay.fans import SHAPES
from replay.ledger import Entry
from replay.prices import Price
from replay.profile import RuleProfile
from replay.state import Table

FAN_KEYS = {
    "gen": "gen",
    "zi_mo": "zi_mo_bonus",
    "own_gang_exposed": "own_gangs",
    "own_gang_concealed": "own_gangs",
    "payer_gang_exposed": "payer_gangs",
    "payer_gang_concealed": "payer_gangs",
}
"""The key of a fan that is neither a shape nor one of the extras' table."""

PAYER_KEYS = {
    "discarder": "hu_on_discard",
    "robbed": "rob_gang",
    "feeder": "gang_pao_payer",
    "gang_feeder": "dian_gang_hua",
    "in_play": "zi_mo_payers",
    "all": "zi_mo_payers",
}
"""The key that says who pays a hu, by why it is he who does."""

GANG_KEYS = {"feeder": "gang_zhi", "others": "gang_zhi_others", "bu": "gang_bu", "an": "gang_an"}
"""The key that says what a gang earns, by who pays or else by its kind."""

REFUND_KEYS = {
    "not_ready": "refund",
    "gang_pao": "transfer",
    "illegal_hu": "penalties",
    "xiang_gong": "xiang_gong",
}
"""The key that orders a payment to be given back, by why."""

ENTRY_KEYS = {
    "hu": "shapes",
    "gang": "gang_timing",
    "transfer": "transfer",
    "refund": "refund",
    "penalty": "penalties",
    "hua_zhu": "hua_zhu",
    "da_jiao": "da_jiao_payees",
    "flee": "flee",
    "forfeit": "flee",
    "xiang_gong": "xiang_gong",
    "rake": "rake",
}
"""The key that an entry of a kind rests on where nothing more is known of it."""


def keys_of(entry: Entry, table: Table) -> list[str]:
    """The keys that decide an entry, each once, the deciding one first."""
    found = KEYS[entry.kind](entry, table) if entry.kind in KEYS else [ENTRY_KEYS[entry.kind]]
    named = [*found, "piao"] if "piao" in entry.because else found
    return list(dict.fromkeys(named))


def deciding(entry: Entry, table: Table) -> str:
    """The key that decides an entry."""
    return keys_of(entry, table)[0]


def fan_key(cites: Mapping[str, Any], name: str) -> str:
    """The key under which the words for a fan stand."""
    table = FAN_KEYS.get(name) or ("shapes" if name in SHAPES else "extras")
    apart = f"{table}.{name}"
    return apart if apart in cites else table


def price_keys(rules: RuleProfile, price: Price) -> Iterator[str]:
    """What decides a price: its fans, what they absorb, the scale, and the cap where it cuts."""
    yield from (fan_key(rules.cites, part.id) for part in (price.shape, *price.extras))
    if price.shape.id in rules.absorb_gen:
        yield "absorb_gen"
    yield "scale"
    if rules.cap_fan is not None and price.fan > rules.cap_fan:
        yield "cap_fan"


# Who pays --------------------------------------------------------------------------------------------


def hu_payer(table: Table, win: Win, payer: int) -> str:
    """Why a seat pays a hu; one of `PAYER_KEYS`."""
    if win.source is not None:
        own = "robbed" if win.robbed else "discarder"
        return own if payer == win.source else "feeder"
    gang = fed_gang(table, win)
    if table.rules.dian_gang_hua == "dian_pao" and "gang_hua" in win.how and gang and gang.feeder == payer:
        return "gang_feeder"
    return table.rules.zi_mo_payers


def fed_gang(table: Table, win: Win) -> Gang | None:
    """The gang whose feeder may have to pay a hu: the last one before it, and it must be a direct one."""
    before = win.gangs or [gang for gang in table.gangs if gang.seat == win.seat and gang.at < win.at]
    return before[-1] if before and before[-1].feeder is not None else None


def gang_at(table: Table, at: object) -> Gang | None:
    """The gang that was made at an action."""
    return next((gang for gang in table.gangs if gang.at == at), None)


def gang_payer(gang: Gang, payer: int) -> str:
    """Why a seat pays a gang: as its feeder, as one of the others, or as one of all in play."""
    if gang.feeder is None:
        return "in_play"
    return "feeder" if payer == gang.feeder else "others"


def gang_key(gang: Gang, payer: int) -> str:
    """The key that says what a seat owes for a gang."""
    return GANG_KEYS.get(gang_payer(gang, payer)) or GANG_KEYS[gang.kind]


# By kind of entry ------------------------------------------------------------------------------------


def won(entry: Entry, table: Table) -> Win | None:
    """The hu that an entry names."""
    number = entry.because.get("win")
    return table.wins[number] if isinstance(number, int) else None


def best_win(table: Table, seat: int | None) -> int | None:
    """The number of the dearest hu of a seat."""
    own = [number for number, win in enumerate(table.wins) if win.seat == seat]
    return max(own, key=lambda number: table.wins[number].price.price, default=None)


def _hu(entry: Entry, table: Table) -> list[str]:
    win, rules = won(entry, table), table.rules
    if win is None:
        return [ENTRY_KEYS["hu"]]
    keys = [*price_keys(rules, win.price), PAYER_KEYS[hu_payer(table, win, entry.source)]]
    if rules.payer_gangs:
        keys.append("payer_gangs")
    return [*keys, "zi_mo_bonus"] if entry.because.get("bonus") else keys


def _gang(entry: Entry, table: Table) -> list[str]:
    gang = gang_at(table, entry.because.get("gang"))
    if gang is None:
        return [ENTRY_KEYS["gang"]]
    keys = [gang_key(gang, entry.source)]
    return [*keys, "gang_bu_kept"] if gang.kind == "bu" and not gang.fresh else keys


def _refund(entry: Entry, table: Table) -> list[str]:
    reason = str(entry.because.get("reason"))
    keys = [REFUND_KEYS.get(reason, ENTRY_KEYS["refund"])]
    return [*keys, "dead_wait"] if reason == "not_ready" else keys


def _penalty(entry: Entry, table: Table) -> list[str]:
    breach = "void_breach" in entry.because
    return ["void_breach", "void_breach_amount"] if breach else [ENTRY_KEYS["penalty"]]


def _hua_zhu(entry: Entry, table: Table) -> list[str]:
    if table.rules.hua_zhu == "cap":
        return ["hua_zhu", "hua_zhu_payees", "scale", "cap_fan"]
    return ["hua_zhu", "hua_zhu_amount", "hua_zhu_payees"]


def _da_jiao(entry: Entry, table: Table) -> list[str]:
    return ["da_jiao_payees", "dead_wait", "scale"]


def _flee(entry: Entry, table: Table) -> list[str]:
    return ["flee", "scale"] if "best" in entry.because else ["flee"]


def _xiang_gong(entry: Entry, table: Table) -> list[str]:
    return ["xiang_gong", "scale"]


KEYS: dict[str, Callable[[Entry, Table], list[str]]] = {
    "hu": _hu,
    "gang": _gang,
    "refund": _refund,
    "penalty": _penalty,
    "hua_zhu": _hua_zhu,
    "da_jiao": _da_jiao,
    "flee": _flee,
    "xiang_gong": _xiang_gong,
}
"""The keys of those entries that hang on more than their kind."""
