"""House rules: a rule set that a room writes for itself, as a profile document of its own.

It is started from a rule set that there is, keeps what that cites for every value it keeps, and says of each other one
that the house set it. It is read within limits, and what is wrong with it is told beside the clause that it is about.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from replay import faults
from replay.faults import Number
from replay.findings import Finding
from replay.formats import JSON_NAMES, decode_exactly
from replay.limits import DEFAULT, KIB
from replay.profile import (
    MOST_PROBLEMS,
    Clause,
    OptionProblems,
    RuleProfile,
    UnknownProfile,
    agreed,
    default_profile,
    load_profile,
    profile_from,
    profile_ids,
    resolve,
    values,
)
from replay.schemas import brief, pointer
from replay.sense import (
    document_problems,
    expected,
    fractions,
    option_problems,
    value_keys,
    value_schemas,
)
from replay.wording import Words, languages

FORMAT = "xuezhan-profile/1"
FROM = "x_from"
"""The key under which a document says what it was started from: ``profile`` and ``digest``."""

LIMITS = replace(DEFAULT, document_bytes=256 * KIB, depth=8, entries=512)
"""What is read of a profile document at most."""

LONGEST_PROSE = 400
"""Characters of a name or a summary (`schemas/profile.schema.json`)."""

FAN_TABLES = ("shapes", "extras")
"""Tables whose fans may be cited one by one, as ``shapes.qi_dui``."""

CLAUSE_PARTS = ("document", "section", "text")

EXACT = "an integer from -(2^53-1) to 2^53-1, without fraction or exponent"
"""What every number of a document is."""

_DIGITS = re.compile(r"-?\d+")
_NAMED = re.compile(r"'(\w+)'")


class Unreadable(ValueError):
    """Bytes that hold no profile document; ``findings`` say why (LOG001, LOG002, LOG006 to LOG008)."""

    def __init__(self, *findings: Finding) -> None:
        self.findings = findings
        super().__init__(", ".join(finding.code for finding in findings))


@dataclass(frozen=True, slots=True)
class Objection:
    """What is wrong with a profile document at a place, and the words of the rule set it goes back to.

    ``key`` is the parameter that it is about, if any; ``clause`` what is cited for that, ``reading`` (by language)
    what is read where nothing is.
    """

    place: str
    problem: str
    key: str | None = None
    clause: Clause | None = None
    reading: Mapping[str, str] | None = None


# Reading ---------------------------------------------------------------------------------------------


def read_house(data: bytes) -> dict[str, Any]:
    """The JSON object in ``data``, within `LIMITS`; whether it is a rule set is not asked. Raises `Unreadable`.

    Numbers with a fraction stay, for `objections` to name.
    """
    document, refusal = decode_exactly(data, LIMITS)
    if refusal is not None:
        raise Unreadable(refusal)
    if not isinstance(document, dict):
        kind = "an array" if isinstance(document, list) else f"a {JSON_NAMES.get(type(document), 'number')}"
        raise Unreadable(Finding("LOG001", {"found": f"{kind} alone", "expected": "a rule set (an object)"}))
    numbers = {pointer(place.split("/")) for place in fractions(document)}
    found = [one for one in faults.of(document, LIMITS).findings if one.pointer not in numbers]
    if found:
        raise Unreadable(*found)
    return document


def house_rules(document: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> RuleProfile:
    """The rule set of a profile document. Raises `OptionProblems`.

    Its id is its own: that of a built-in rule set stands for that one alone, with its values and its words.
    """
    rules = profile_from(document, options)
    if rules.id in profile_ids() and not is_built_in(document):
        wanted = "an id of its own where it is not that rule set, whole and unchanged"
        raise OptionProblems([("id", f"found {brief(rules.id)}, expected {wanted}")])
    return rules


def is_built_in(document: Mapping[str, Any]) -> bool:
    """Whether a sound profile document is the built-in rule set of its id, whole and with nothing added."""
    own = document_of(profile_from(document))
    return own.keys() == document.keys() and own == document_of(load_profile(document["id"]))


def objections(document: Mapping[str, Any]) -> list[Objection]:
    """What is wrong with a profile document, each with the clause that it is about; empty when it can be used."""
    found = dict.fromkeys(_document_problems(document))
    if not found:
        try:
            house_rules(document)
        except OptionProblems as error:
            found = dict.fromkeys((place_of(key), problem) for key, problem in error.problems)
    return [objection(document, place, problem) for place, problem in list(found)[:MOST_PROBLEMS]]


def _document_problems(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The problems of the document, those of plain values in the words of options: what was found and expected."""
    stated = document.get("values")
    stated = stated if isinstance(stated, Mapping) else {}
    for place, problem in document_problems(document):
        key = place.removeprefix("values/")
        value = value_at(document, place)
        if isinstance(value, Number) and (key in value_keys() or _DIGITS.fullmatch(value.text)):
            wanted = expected(value_schemas()[key]) if key in value_keys() else EXACT
            problem = f"found {brief(value.text)}, expected {wanted}"
        elif key in value_keys() and not isinstance(stated.get(key), Mapping | list):
            problem = next((said for _, said in option_problems({key: stated.get(key)})), problem)
        yield place, problem


def value_at(document: Any, place: str) -> Any:
    """What stands at a place of a document, as `document_problems` names it; None where nothing does."""
    for part in place.split("/"):
        if isinstance(document, Mapping):
            document = document.get(part)
        elif isinstance(document, list) and part in map(str, range(len(document))):
            document = document[int(part)]
        else:
            return None
    return document


def place_of(key: str) -> str:
    """Where a key stands in a profile document: among the values, else at its top."""
    return f"values/{key}" if key in value_keys() else key


def objection(document: Mapping[str, Any], place: str, problem: str) -> Objection:
    """A problem beside the words that the rule set it goes back to has for its parameter."""
    key = parameter_of(place, problem)
    if key is None:
        return Objection(place, problem)
    fan = place.removeprefix(f"values/{key}/")
    clause, reading = words_for(document, f"{key}.{fan}") if key in FAN_TABLES else (None, None)
    if clause is None:
        clause, reading = words_for(document, key)
    return Objection(place, problem, key, clause, reading)


def parameter_of(place: str, problem: str) -> str | None:
    """The parameter that a problem at a place is about: the place names it, or the problem where it is missing.

    >>> parameter_of("values/shapes/qi_dui", "…"), parameter_of("values", "'rake' is a required property")
    ('shapes', 'rake')
    """
    parts = [part for part in place.split("/") if part not in ("values", "cites", "readings")]
    named = _NAMED.findall(problem) if place == "values" else []
    return next((part for part in (*parts[:1], *named) if part in value_keys()), None)


def words_for(document: Mapping[str, Any], key: str) -> tuple[Clause | None, Mapping[str, str] | None]:
    """Clause and reading for a key: of the rule set that the document was started from, else its own, else the first."""
    for rules in (started_from(document), load_profile(default_profile())):
        own = _own_clause(document, key) if rules is None or key not in rules.cites else None
        if own is not None:
            return own, None
        if rules is not None and (key in rules.cites or key in rules.readings):
            return rules.cites.get(key), rules.readings.get(key)
    return None, None


def _own_clause(document: Mapping[str, Any], key: str) -> Clause | None:
    """The clause that a document, sound or not, has for a key."""
    cites = document.get("cites")
    cited = cites.get(key) if isinstance(cites, Mapping) else None
    parts = [cited.get(part) for part in CLAUSE_PARTS] if isinstance(cited, Mapping) else []
    texts = [part for part in parts if isinstance(part, str)]
    return Clause(texts[0], texts[1], texts[2]) if len(texts) == len(CLAUSE_PARTS) else None


def started_from(document: Mapping[str, Any]) -> RuleProfile | None:
    """The built-in rule set that a document says it was started from; None where it says none that there is."""
    stated = document.get(FROM)
    name = stated.get("profile") if isinstance(stated, Mapping) else None
    try:
        return load_profile(name) if isinstance(name, str) else None
    except UnknownProfile:
        return None


# Starting --------------------------------------------------------------------------------------------


def document_of(rules: RuleProfile) -> dict[str, Any]:
    """A rule set as the profile document that says it, with its options applied."""
    return {
        "format": FORMAT,
        "id": rules.id,
        "default": False,
        "names": dict(rules.names),
        "summary": dict(rules.summary),
        "values": values(rules),
        "cites": {key: cite_of(clause) for key, clause in rules.cites.items()},
        "readings": {key: dict(words) for key, words in rules.readings.items()},
    }


def cite_of(clause: Clause) -> dict[str, Any]:
    """A clause as a profile document holds it."""
    return {name: part for name, part in asdict(clause).items() if part is not False}


def started(
    base: RuleProfile,
    profile_id: str,
    changes: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    origin: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A complete profile document that begins as ``base`` with ``changes`` to its values. Raises `OptionProblems`.

    What is changed is no longer cited: a reading says that the house set it. ``names`` are by language. ``origin`` is
    the document that ``base`` was read from, where the new one goes back to what that goes back to.
    """
    problems = list(option_problems(changes or {}))
    if problems:
        raise OptionProblems(problems[:MOST_PROBLEMS])
    document = document_of(base)
    plain = document["values"]
    document["values"] = resolve(plain, changes or {})
    for key in (key for key in plain if document["values"][key] != plain[key]):
        set_by_house(document, key, plain[key], profile_id)
    document["id"] = profile_id
    document["names"] = dict(names or house_names(base))
    document["summary"] = in_every_language("house.summary", base.names)
    document[FROM] = (origin or {}).get(FROM) or {"profile": base.id, "digest": base.digest}
    house_rules(document)
    return document


def set_by_house(document: dict[str, Any], key: str, before: Any, profile_id: str) -> None:
    """Say of a changed value that the house set it: the rule set itself is then the clause.

    Fans of a table that are worth what they were keep their words.
    """
    cites, now = document["cites"], document["values"][key]
    of_table = cites.pop(key, None)
    for fan in {**before, **now} if key in FAN_TABLES else ():
        if before.get(fan) != now.get(fan):
            cites.pop(f"{key}.{fan}", None)
        elif of_table is not None:
            cites.setdefault(f"{key}.{fan}", of_table)
    cites[key] = cite_of(agreed(profile_id, key, now))
    document["readings"][key] = in_every_language("house.reading")


def house_names(base: RuleProfile) -> dict[str, str]:
    """What a rule set started from this one is called, until the house gives it a name."""
    return in_every_language("house.name", base.names)


def in_every_language(key: str, names: Mapping[str, str] | None = None) -> dict[str, str]:
    """A text of ours by language, with the name that stands in it."""
    texts = {}
    for lang in languages():
        facts = {} if names is None else {"name": names.get(lang, "")}
        texts[lang] = Words.of(lang).say(key, **facts)[:LONGEST_PROSE]
    return texts


def house_id(text: str) -> str:
    """An id made of what was typed, as far as ids go; "" where nothing of it is left.

    >>> house_id("Our Room, 2nd table!"), house_id("我们的规则")
    ('our-room-2nd-table', '')
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:64].rstrip("-")


def is_id(text: str) -> bool:
    """Whether a text can be the id of a rule set (`schemas/profile.schema.json`).

    >>> [is_id(text) for text in ("our-room", "Our room", "-a", "")]
    [True, False, False, False]
    """
    return re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", text) is not None


def free_id(wanted: str) -> str:
    """The id asked for, or one like it where a built-in rule set has it."""
    return f"{wanted[:58]}-house" if wanted in profile_ids() else wanted


def flat(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the key that they are cited under: those of a table of fan one by one too."""
    fans = {f"{table}.{fan}": worth for table in FAN_TABLES for fan, worth in stated[table].items()}
    return {**stated, **fans}


def misfits(document: Mapping[str, Any]) -> list[str]:
    """The keys whose value is not that of the rule set it was started from, though they cite the same words for it."""
    base = started_from(document)
    if base is None:
        return []
    own, plain = flat(document["values"]), flat(values(base))
    kept = {key: cite_of(clause) for key, clause in base.cites.items()}
    return [
        key
        for key in own
        if own[key] != plain.get(key) and key in kept and document["cites"].get(key) == kept[key]
    ]
