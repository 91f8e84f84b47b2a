"""Rule sets: complete, flat and cited data, resolved once before an audit begins.

A profile file holds a value for every key, the words of the document that each comes from, and a reading where the
document is silent. A log names a profile and may override any value; what comes out is a `RuleProfile`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import orjson

from replay.sense import (
    DRAGONS,
    document_problems,
    dragons_absorb,
    option_problems,
    sense_problems,
    value_keys,
    value_schemas,
)

MOST_PROBLEMS = 20

LEFT_TO_THE_ROOM = ("base", "cap_fan", "coin_factor", "rake")
"""What the documents themselves leave to the room: their words stand whatever it agreed on."""

OPTIONS = "rules.options"
"""Where the values stand that a log, or whoever asks for an audit, sets instead of a rule set's own."""

LONGEST_TEXT = 400
"""The longest text of a clause (`schemas/profile.schema.json`)."""

FOLDER = Path(__file__).resolve().parent / "profiles"


class UnknownProfile(LookupError):
    """No rule set has this id; ``known`` are those there are."""

    def __init__(self, profile_id: str, known: list[str]) -> None:
        self.profile_id = profile_id
        self.known = known
        super().__init__(f"unknown rule set {profile_id!r}; known are {', '.join(known)}")


class OptionProblems(ValueError):
    """Values that a rule set cannot have; ``problems`` are (key, what was found and what was expected)."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{key}: {problem}" for key, problem in problems))


@dataclass(frozen=True, slots=True)
class Clause:
    """Words that a value comes from; ``reported`` where they report the document and do not quote it."""

    document: str
    section: str
    text: str
    reported: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RuleProfile:
    """A rule set with its options applied; one attribute a key (meanings: `schemas/profile.schema.json`).

    ``digest`` is over the RFC 8785 bytes of the resolved values, without prose; ``cites`` and ``readings`` are by
    key. Two resolved profiles are equal only when they are one object.
    """

    id: str
    digest: str
    options: Mapping[str, Any]
    names: Mapping[str, str]
    summary: Mapping[str, str]
    cites: Mapping[str, Clause]
    readings: Mapping[str, Mapping[str, str]]
    tiles: int
    swap: str
    void: str
    void_choice: str
    replacement: str
    ends: str
    gang_after_peng: str
    ting_yong: str
    piao: str
    guo_shui: str
    guo_shui_more_fan: bool
    guo_shui_waived_below: int
    guo_shui_zi_mo: str
    forced_last: int
    forced_scope: str
    hu_on_discard: bool
    rob_gang: bool
    seven_pairs: bool
    scale: str
    base: int | str
    cap_fan: int | None
    combine: str
    shapes: dict[str, int]
    extras: dict[str, int]
    gen: str
    dragon_pairs_absorb_gen: bool
    absorb_gen: dict[str, int]
    excludes: list[list[str]]
    jin_gou: str
    own_gangs: dict[str, int] | None
    payer_gangs: dict[str, int] | None
    zi_mo_bonus: str
    zi_mo_payers: str
    dian_gang_hua: str
    gang_pao_payer: str
    gang_zhi: int
    gang_zhi_others: int
    gang_bu: int
    gang_an: int
    gang_bu_kept: str
    gang_timing: str
    transfer: str
    refund: str
    hua_zhu: str
    hua_zhu_amount: int
    hua_zhu_payees: str
    hua_zhu_passive: str
    hua_zhu_pays_da_jiao: bool
    da_jiao_payees: str
    dead_wait: str
    liu_ju: str
    flee: str
    xiang_gong: str
    coin_factor: int | None
    rake: int | None
    next_dealer: str
    next_dealer_tie: str
    next_turn: str
    penalties: str
    void_breach: str
    void_breach_amount: int
    rob_keeps_gang_pao: bool
    ends_on_bust: bool
    levels: list[dict[str, Any]] | None


def values(rules: RuleProfile) -> dict[str, Any]:
    """The resolved value of every key, in the order of the profile's schema."""
    return {key: getattr(rules, key) for key in value_keys()}


@cache
def profile_ids() -> list[str]:
    """The ids of the built-in rule sets, the default one first, then by name."""
    documents = [_document(path.stem) for path in FOLDER.glob("*.json")]
    documents.sort(key=lambda document: (not document["default"], document["id"]))
    return [str(document["id"]) for document in documents]


def default_profile() -> str:
    """The id of the rule set taken where none is named."""
    return profile_ids()[0]


@cache
def _document(profile_id: str) -> dict[str, Any]:
    document: dict[str, Any] = orjson.loads((FOLDER / f"{profile_id}.json").read_bytes())
    return document


def load_profile(profile_id: str, options: Mapping[str, Any] | None = None) -> RuleProfile:
    """The built-in rule set of this id with ``options`` applied.

    Raises `UnknownProfile`, or `OptionProblems` for an option that is unknown or has a value it cannot have.
    """
    if options:
        return _overridden(profile_id, json.dumps(options, sort_keys=True, default=str))
    return _plain(profile_id)


@lru_cache(maxsize=64)
def _plain(profile_id: str) -> RuleProfile:
    if profile_id not in profile_ids():
        raise UnknownProfile(profile_id, profile_ids())
    return profile_from(_document(profile_id))


@lru_cache(maxsize=256)
def _overridden(profile_id: str, options: str) -> RuleProfile:
    if profile_id not in profile_ids():
        raise UnknownProfile(profile_id, profile_ids())
    return profile_from(_document(profile_id), json.loads(options))


def profile_from(document: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> RuleProfile:
    """A rule set from a profile document, with ``options`` applied.

    Raises `OptionProblems` with every problem of document or options.
    """
    problems = list(document_problems(document))
    if not problems:
        problems = list(option_problems(options or {}))
    if problems:
        raise OptionProblems(problems[:MOST_PROBLEMS])
    resolved = resolve(document["values"], options or {})
    problems = list(sense_problems(resolved))
    if problems:
        raise OptionProblems(problems)
    changed = [key for key in options or {} if resolved[key] != document["values"][key]]
    cites = {key: Clause(**clause) for key, clause in document["cites"].items()}
    return RuleProfile(
        id=document["id"],
        digest=digest_of(resolved),
        options=dict(options or {}),
        names=document["names"],
        summary=document["summary"],
        cites=cited_as_options(cites, {key: resolved[key] for key in changed}),
        readings={key: words for key, words in document["readings"].items() if key not in changed},
        **resolved,
    )


def cited_as_options(cites: Mapping[str, Clause], changed: Mapping[str, Any]) -> dict[str, Clause]:
    """The clauses with each option in the place of the words that it overrides: for this game it is what was agreed."""
    gone = changed.keys() - LEFT_TO_THE_ROOM
    kept = {key: clause for key, clause in cites.items() if key.partition(".")[0] not in gone}
    stated = {key: agreed(OPTIONS, key, value) for key, value in changed.items()}
    return kept | {key: clause for key, clause in stated.items() if key not in kept}


def agreed(document: str, key: str, value: Any) -> Clause:
    """A value as a clause: where it stands, under which key, and what it is; nobody's words are quoted."""
    text = json.dumps(value, ensure_ascii=False)
    return Clause(document, key, text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…", True)


def resolve(plain: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a rule set with valid ``options`` in their place.

    A map is replaced whole, not merged. Fans keep the order of the rule set's own table, new ones follow in the
    schema's: the order of a log's keys means nothing, so that one digest settles every tie in one way.
    ``dragon_pairs_absorb_gen`` is the short form of ``absorb_gen`` for the two dragon shapes: of the two, the one
    that is not overridden follows from the other.
    """
    resolved = {**plain, **options}
    for table in ("shapes", "extras"):
        given = resolved[table]
        if table in options:
            order = dict.fromkeys((*plain[table], *value_schemas()[table]["properties"]))
            resolved[table] = {fan: given[fan] for fan in order if fan in given}
    if "absorb_gen" in options:
        if "dragon_pairs_absorb_gen" not in options:
            resolved["dragon_pairs_absorb_gen"] = dragons_absorb(resolved["absorb_gen"])
    elif "dragon_pairs_absorb_gen" in options:
        absorbed = {shape: less for shape, less in plain["absorb_gen"].items() if shape not in DRAGONS}
        if resolved["dragon_pairs_absorb_gen"]:
            absorbed |= {shape: plain["absorb_gen"].get(shape) or 1 for shape in DRAGONS}
        resolved["absorb_gen"] = absorbed
    return resolved


def digest_of(resolved: Mapping[str, Any]) -> str:
    """``sha256:…`` over the RFC 8785 bytes of the key → value map (ASCII keys and integers: sorted JSON)."""
    return "sha256:" + hashlib.sha256(orjson.dumps(resolved, option=orjson.OPT_SORT_KEYS)).hexdigest()


def compare(one: RuleProfile, other: RuleProfile) -> list[tuple[str, Any, Any]]:
    """The keys in which two rule sets differ, with both values, in the order of the schema."""
    mine, theirs = values(one), values(other)
    return [(key, mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]]
