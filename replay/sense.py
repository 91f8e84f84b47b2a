"""What a rule set cannot be: values that the profile schema lacks, and values that make no sense together."""

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from replay.limits import DEFAULT, LARGEST_INTEGER
from replay.schemas import authority, brief, schema

DRAGONS = ("long_qi_dui", "qing_long_qi_dui")

MOST_TIMES = {"gen": 4, "gang": 4}
"""How often an extra can count in one hand; once where nothing stands here."""

PAYERS = 3
"""Seats that pay for one gang, and the most whose payments one entry sums up."""

PIAO_TIMES = 4
"""Two seats settle so many times over when both have raised a stake (001, 飘)."""

FLIGHT_BASES = 16
"""What a seat that flees pays each other one, at the least (rulebook 2.8)."""

XIANG_GONG_FAN = 4
"""What a 相公 pays each other seat is the price of so many fan (rulebook 2.6)."""

LARGEST_SILVER_BASE = 10_000_000
"""A base taken from holdings is reckoned with as this many points; larger holdings are refused."""

LARGEST_PAYMENT = LARGEST_INTEGER // (64 * DEFAULT.hands)
"""No payment may reach more, so that 64 a hand over the longest sitting add up to an exact number anywhere."""


@cache
def value_keys() -> tuple[str, ...]:
    """Every key of a rule set."""
    return tuple(value_schemas())


def value_schemas() -> Mapping[str, Any]:
    """The schema of each key's value."""
    properties: Mapping[str, Any] = schema("profile")["$defs"]["values"]["properties"]
    return properties


def dragons_absorb(absorb_gen: Mapping[str, int]) -> bool:
    """Whether both dragon shapes absorb a gen: what ``dragon_pairs_absorb_gen`` says in short."""
    return all(absorb_gen.get(shape, 0) for shape in DRAGONS)


def document_problems(document: object) -> Iterator[tuple[str, str]]:
    """What is wrong with a profile document, as (place, problem): fractions, and what breaks the schema."""
    for place in fractions(document):
        yield place, "found a fraction, expected an integer"
    for error in authority("profile").iter_errors(document):
        place = "/".join(str(part) for part in error.absolute_path)
        yield place or "document", error.message[:200]


def option_problems(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with each option by itself: no such key, or no such value."""
    known = value_keys()
    for key, value in options.items():
        if key not in known:
            near = get_close_matches(key, known, 1)
            yield key, "no such key" + (f"; did you mean {near[0]}?" if near else "")
            continue
        allowed = value_schemas()[key]
        if any(fractions(value)) or not authority("profile").evolve(schema=allowed).is_valid(value):
            found = brief(json.dumps(value, ensure_ascii=False, default=str))
            yield key, f"found {found}, expected {expected(allowed)}"


def fractions(value: object, place: str = "") -> Iterator[str]:
    """Where in a value numbers with a fraction stand; 1.0 is one too, though a schema takes it for an integer."""
    if isinstance(value, float):
        yield place or "document"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from fractions(inner, f"{place}/{key}" if place else str(key))
    elif isinstance(value, list | tuple):
        for position, inner in enumerate(value):
            yield from fractions(inner, f"{place}/{position}" if place else str(position))


def expected(allowed: Mapping[str, Any]) -> str:
    """What a value's schema allows, in words."""
    if "enum" in allowed:
        return "one of " + ", ".join(map(str, allowed["enum"]))
    kinds = listed_types(allowed)
    name = " or ".join(kind for kind in kinds if kind != "string")
    if "minimum" in allowed:
        least_most = f"{name} from {allowed['minimum']} to {allowed['maximum']}"
        return " or ".join((least_most, *named_values(allowed)))
    if "properties" in allowed:
        return f"{name} with the keys " + ", ".join(allowed["properties"])
    if "minItems" in allowed:
        return f"{name} of {allowed['minItems']} to {allowed['maxItems']} entries"
    return name


def listed_types(allowed: Mapping[str, Any]) -> list[str]:
    """The JSON types that a schema names."""
    kind = allowed.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def named_values(allowed: Mapping[str, Any]) -> list[str]:
    """The words that a value may be instead of a number: the schema has them as a pattern.

    >>> named_values({"type": ["integer", "string"], "pattern": "^silver_35$"})
    ['silver_35']
    """
    pattern = allowed.get("pattern", "") if "string" in listed_types(allowed) else ""
    return pattern.strip("^$").split("|") if pattern else []


def sense_problems(resolved: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with the values taken together."""
    if resolved["hua_zhu"] == "cap" and resolved["cap_fan"] is None:
        yield "hua_zhu", "found cap, expected another value where cap_fan is null: there is no price to pay"
    if resolved["scale"] == "exp" and min(resolved["shapes"].values()) < 1:
        yield "shapes", "found a shape of 0 fan, expected at least 1 where scale is exp"
    if resolved["dragon_pairs_absorb_gen"] != (short := dragons_absorb(resolved["absorb_gen"])):
        yield "dragon_pairs_absorb_gen", f"found {not short}, expected {short} by absorb_gen".lower()
    if largest_payment(resolved) > LARGEST_PAYMENT:
        problem = f"found values by which one payment can pass {LARGEST_PAYMENT}, expected smaller ones"
        yield "base", problem + " (of base, cap_fan, shapes, extras, hua_zhu_amount or coin_factor)"
    points = [level["points"] for level in resolved["levels"] or ()]
    if points != sorted(set(points)):
        yield "levels", "found a level that begins no higher than the one before, expected rising points"
    counted = {*resolved["shapes"], *resolved["extras"]}
    for pair in resolved["excludes"]:
        if not set(pair) <= counted:
            yield (
                "excludes",
                f"found {' and '.join(pair)}, expected ids of shapes or extras that this rule set counts",
            )


def largest_payment(resolved: Mapping[str, Any]) -> int:
    """More than any single payment can be under these values, in coins where they are reckoned.

    A base taken from holdings counts as `LARGEST_SILVER_BASE`.
    """
    base = resolved["base"] if isinstance(resolved["base"], int) else LARGEST_SILVER_BASE
    scale, fan = resolved["scale"], most_fan(resolved)
    price = base * units(scale, fan) + base
    gang = max(resolved[key] for key in ("gang_zhi", "gang_zhi_others", "gang_bu", "gang_an"))
    gangs = MOST_TIMES["gang"] if resolved["transfer"] == "chain" else 1
    times = {"best_times": price, "base_times": base}.get(resolved["hua_zhu"], 1)
    points = max(
        price * (1 if resolved["flee"] == "none" else PAYERS),
        base * gang * PAYERS * gangs,
        times * resolved["hua_zhu_amount"],
        0 if resolved["flee"] == "none" else base * FLIGHT_BASES,
        0 if resolved["xiang_gong"] == "off" else base * units(scale, XIANG_GONG_FAN),
        resolved["void_breach_amount"],
    )
    stakes = 1 if resolved["piao"] == "off" else PIAO_TIMES
    return int(points * stakes * (resolved["coin_factor"] or 1))


def units(scale: str, fan: int) -> int:
    """At least the bases that ``fan`` cost on a scale."""
    return fan + 1 if scale == "lin" else int(2**fan)


def most_fan(resolved: Mapping[str, Any]) -> int:
    """At least the fan that one hand can count, a payer's gangs included and the cap respected."""
    rows = resolved["shapes"].values()
    fan = sum(rows) if resolved["combine"] == "sum" else max(rows)
    fan += sum(worth * MOST_TIMES.get(extra, 1) for extra, worth in resolved["extras"].items())
    fan += gang_fan(resolved["own_gangs"]) + gang_fan(resolved["payer_gangs"])
    fan += resolved["zi_mo_bonus"] == "add_fan"
    cap = resolved["cap_fan"]
    return int(fan if cap is None else min(fan, cap))


def gang_fan(gangs: Mapping[str, int] | None) -> int:
    """At least the fan that a seat's gangs add."""
    return MOST_TIMES["gang"] * max(gangs.values()) if gangs else 0
