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
    if "const" in allowed:
        return str(allowed["const"]).lower()
    kind = allowed["type"]
    name = kind if isinstance(kind, str) else " or ".join(kind)
    if "minimum" in allowed:
        return f"{name} from {allowed['minimum']} to {allowed['maximum']}"
    if "properties" in allowed:
        return f"{name} with the keys " + ", ".join(allowed["properties"])
    return name


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
    counted = {*resolved["shapes"], *resolved["extras"]}
    for pair in resolved["excludes"]:
        if not set(pair) <= counted:
            yield (
                "excludes",
                f"found {' and '.join(pair)}, expected ids of shapes or extras that this rule set counts",
            )


def largest_payment(resolved: Mapping[str, Any]) -> int:
    """More than any single payment can be under these values, in coins where they are reckoned."""
    price = resolved["base"] * units(resolved["scale"], most_fan(resolved))
    gang = max(resolved[key] for key in ("gang_zhi", "gang_zhi_others", "gang_bu", "gang_an"))
    times = {"best_times": price, "base_times": resolved["base"]}.get(resolved["hua_zhu"], 1)
    points = max(price + resolved["base"], resolved["base"] * gang, times * resolved["hua_zhu_amount"])
    return int(points * (resolved["coin_factor"] or 1))


def units(scale: str, fan: int) -> int:
    """At least the bases that ``fan`` cost on a scale."""
    return fan + 1 if scale == "lin" else int(2**fan)


def most_fan(resolved: Mapping[str, Any]) -> int:
    """At least the fan that one hand can count, the cap respected."""
    rows = resolved["shapes"].values()
    fan = sum(rows) if resolved["combine"] == "sum" else max(rows)
    fan += sum(worth * MOST_TIMES.get(extra, 1) for extra, worth in resolved["extras"].items())
    for gangs in (resolved["own_gangs"], resolved["payer_gangs"]):
        fan += MOST_TIMES["gang"] * max(gangs.values()) if gangs else 0
    fan += resolved["zi_mo_bonus"] == "add_fan"
    cap = resolved["cap_fan"]
    return int(fan if cap is None else min(fan, cap))
