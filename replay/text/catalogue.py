"""The catalogue in words: every finding, fan, settlement item and rule set, made from what the engine goes by.

Pages and the command line show the same entries; each is data, and how it is laid out is theirs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from replay.catalogue import CATALOGUE, RETIRED, After, Code
from replay.examples import FanExample, example_codes, fan_examples, priced
from replay.fans import EXTRAS, SHAPES
from replay.findings import SEVERITY_OF
from replay.grounds import fan_key
from replay.items import ITEMS
from replay.profile import Clause, RuleProfile, load_profile, profile_ids, values
from replay.text.values import value_words
from replay.wording.lookup import has_text
from replay.wording.words import Words

TITLE, WHAT, WHY = "title", "what", "why"

FAN_RULES: Mapping[str, str] = {
    "jin_gou_diao": "jin_gou",
    "qing_jin_gou_diao": "jin_gou",
    "qi_dui": "seven_pairs",
    "qing_qi_dui": "seven_pairs",
    "wu_feng_qi_dui": "seven_pairs",
    "long_qi_dui": "seven_pairs",
    "qing_long_qi_dui": "seven_pairs",
}
"""A value that says what a fan is, beside the table that says what it is worth."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set as a list names it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Cited:
    """What some rule sets say in the same words about one rule: the clause, the reading ("" for none), or both."""

    key: str
    rule: str
    clause: Clause | None
    reading: str
    rule_sets: tuple[RuleSet, ...]


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """A finding: What · Why · Clause, how grave it is, and what becomes of the hand after it.

    ``cites`` says which clause it cites where no one stands for all of its kind, or that it cites none; else "".
    """

    code: str
    slug: str
    kind: str
    severity: str
    title: str
    what: str
    why: str
    after: list[str]
    cites: str
    clauses: list[Cited]
    has_example: bool


@dataclass(frozen=True, slots=True)
class Worth:
    """What a fan is worth in some rule sets."""

    fan: str
    rule_sets: tuple[RuleSet, ...]


@dataclass(frozen=True, slots=True)
class Priced:
    """What an example hand comes to in a rule set, fan by fan."""

    rule_set: RuleSet
    fans: str
    fan: str
    price: str


@dataclass(frozen=True, slots=True)
class FanEntry:
    """A fan: its name, its id, what it is, what it is worth where, and a hand that has it.

    ``characters`` is its Chinese name, ``kind`` shape or extra; ``priced`` is None where no rule set has it.
    """

    fan: str
    characters: str
    name: str
    kind: str
    what: str
    worth: list[Worth]
    clauses: list[Cited]
    example: FanExample
    priced: Priced | None


@dataclass(frozen=True, slots=True)
class Decided:
    """A value that decides something, with the rule sets that have it so."""

    key: str
    rule: str
    stated: list[tuple[str, tuple[RuleSet, ...]]]


@dataclass(frozen=True, slots=True)
class ItemEntry:
    """A kind of payment: what it is, who pays whom, where it occurs and what decides it."""

    kind: str
    name: str
    what: str
    who: str
    rule_sets: tuple[RuleSet, ...]
    decided: list[Decided]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a rule set with the words it rests on; a topic that is only cited has the value ""."""

    key: str
    rule: str
    value: str
    clause: Clause | None
    reading: str


@dataclass(frozen=True, slots=True)
class RuleSetEntry:
    """A rule set: its name, a summary, and every value with its words."""

    rule_set: RuleSet
    summary: str
    digest: str
    values: list[Value]


# Rule sets -------------------------------------------------------------------------------------------


def known_rules() -> list[RuleProfile]:
    """Every built-in rule set."""
    return [load_profile(one) for one in profile_ids()]


def spoken(words: Words, texts: Mapping[str, str]) -> str:
    """A text of a rule set in the reader's language, else in one that there is."""
    return next((texts[lang] for lang in (words.lang, "zh-Hans", "en") if lang in texts), "")


def rule_set(words: Words, rules: RuleProfile) -> RuleSet:
    """A rule set by its id and its name."""
    return RuleSet(rules.id, spoken(words, rules.names) or rules.id)


def rule_set_entry(words: Words, rules: RuleProfile) -> RuleSetEntry:
    """A rule set, value by value, then the topics that findings cite."""
    stated = values(rules)
    rows = [
        Value(
            key,
            rule_label(words, key),
            value_words(words, key, stated[key]) if key in stated else "",
            rules.cites.get(key),
            spoken(words, rules.readings.get(key, {})),
        )
        for key in dict.fromkeys((*stated, *rules.cites))
    ]
    return RuleSetEntry(rule_set(words, rules), spoken(words, rules.summary), rules.digest, rows)


def rule_label(words: Words, key: str) -> str:
    """What a rule is called; of a fan that is cited apart (``shapes.qi_dui``) with the fan's name."""
    table, _, fan = key.partition(".")
    rule = words.label("rule", table)
    return words.say("catalogue.rule.fan", rule=rule, fan=words.label("fan", fan)) if fan else rule


def cited(words: Words, key: Callable[[RuleProfile], str], among: Iterable[RuleProfile]) -> list[Cited]:
    """What rule sets say about a rule, those of one wording together; who says nothing is left out.

    ``key`` is where a rule set has its words for it.
    """
    said: dict[tuple[str, Clause | None, str], list[RuleSet]] = {}
    for rules in among:
        named = key(rules)
        clause, reading = rules.cites.get(named), spoken(words, rules.readings.get(named, {}))
        if clause is not None or reading:
            said.setdefault((named, clause, reading), []).append(rule_set(words, rules))
    return [
        Cited(named, rule_label(words, named), clause, reading, tuple(those))
        for (named, clause, reading), those in said.items()
    ]


# Findings --------------------------------------------------------------------------------------------


def just(key: str) -> Callable[[RuleProfile], str]:
    """The same key in every rule set."""
    return lambda rules: key


def code_entry(words: Words, code: str) -> CodeEntry:
    """The entry of a code; raises ``KeyError`` for one that the catalogue does not have."""
    entry = CATALOGUE[code]
    topics = dict.fromkeys(topic for topic in (entry.parameter, *entry.parameters.values()) if topic)
    return CodeEntry(
        code=code,
        slug=entry.slug,
        kind=entry.kind,
        severity=SEVERITY_OF[entry.kind],
        title=words.say(f"{code}.{TITLE}"),
        what=words.say(f"{code}.{WHAT}"),
        why=words.say(f"{code}.{WHY}"),
        after=list(_afters(words, entry)),
        cites="" if topics else _cites(words, entry),
        clauses=[each for topic in topics for each in cited(words, just(topic), known_rules())],
        has_example=code in example_codes(),
    )


def code_entries(words: Words) -> list[CodeEntry]:
    """Every code in use, in the order of the catalogue."""
    return [code_entry(words, code) for code in CATALOGUE if code not in RETIRED]


def _cites(words: Words, entry: Code) -> str:
    """What a finding cites whose code has no clause of its own: what its case hangs on, else nothing."""
    return words.say(f"catalogue.clause.{entry.code if entry.by_case else 'none'}")


def _afters(words: Words, entry: Code) -> Iterator[str]:
    """What becomes of the hand: the rule, then what is otherwise where a fact decides."""
    named = f"catalogue.after.{entry.code}"
    if has_text(words.lang, named):
        yield words.say(named)
    elif entry.kind == "illegal" or (entry.kind == "unverified" and entry.after == "stop"):
        yield words.say(f"catalogue.after.{entry.after}")
    else:
        yield words.say("catalogue.after.file" if entry.after == "stop" else "catalogue.after.file.go")
    otherwise: dict[After, list[str]] = {}
    for value, after in entry.afters.items():
        if after != entry.after:
            otherwise.setdefault(after, []).append(case_of(words, entry, value))
    for after, cases in otherwise.items():
        said = words.say(f"catalogue.after.{after}")
        yield words.say("catalogue.after.case", cases=words.join(cases), after=said)


def case_of(words: Words, entry: Code, value: str) -> str:
    """A fact by which findings of one code differ: an action, else a reason."""
    return words.label("action" if entry.params.get(entry.by) == "action" else "catalogue.case", value)


# Fans ------------------------------------------------------------------------------------------------


def fans() -> dict[str, str]:
    """Every fan with its kind: shapes, then extras."""
    return {**dict.fromkeys(SHAPES, "shape"), **dict.fromkeys(EXTRAS, "extra")}


def worth_of(rules: RuleProfile, fan: str) -> int | None:
    """What a fan is worth in a rule set, None where the rule set has no such fan."""
    return {**rules.extras, **rules.shapes}.get(fan)


def fan_entry(words: Words, fan: str) -> FanEntry:
    """The entry of a fan; raises ``KeyError`` for one that there is not."""
    kind, having = fans()[fan], [rules for rules in known_rules() if worth_of(rules, fan) is not None]
    shown = fan_examples()[fan]
    return FanEntry(
        fan=fan,
        characters=Words.of("zh-Hant" if words.lang == "zh-Hant" else "zh-Hans").label("fan", fan),
        name=words.label("fan", fan),
        kind=kind,
        what=words.say(f"fan_what.{fan}"),
        worth=[
            Worth(worth, those) for worth, those in _grouped(words, having, lambda r: _fan(words, r, fan))
        ],
        clauses=_fan_clauses(words, fan, having),
        example=shown,
        priced=_priced(words, fan, shown),
    )


def _fan(words: Words, rules: RuleProfile, fan: str) -> str:
    return words.fan(worth_of(rules, fan))


def _fan_clauses(words: Words, fan: str, among: list[RuleProfile]) -> list[Cited]:
    """The words by which a fan is worth what it is, and by which it is what it is."""
    worth = cited(words, lambda rules: fan_key(rules.cites, fan), among)
    return worth + (cited(words, just(FAN_RULES[fan]), among) if fan in FAN_RULES else [])


def counting(fan: str) -> RuleProfile | None:
    """The first rule set in which a fan is worth something, else the first that has it at all."""
    having = [rules for rules in known_rules() if worth_of(rules, fan) is not None]
    return next((rules for rules in having if worth_of(rules, fan)), having[0] if having else None)


def _priced(words: Words, fan: str, shown: FanExample) -> Priced | None:
    rules = counting(fan)
    found = priced(shown, rules) if rules else None
    if rules is None or found is None:
        return None
    parts = [{"id": part.id, "fan": part.fan, "count": part.times} for part in (found.shape, *found.extras)]
    return Priced(rule_set(words, rules), words.parts(parts), words.fan(found.fan), words.points(found.price))


def _grouped(
    words: Words, among: Iterable[RuleProfile], said: Callable[[RuleProfile], str]
) -> list[tuple[str, tuple[RuleSet, ...]]]:
    """Rule sets by what is said of them, in the order in which it is first said."""
    groups: dict[str, list[RuleSet]] = {}
    for rules in among:
        groups.setdefault(said(rules), []).append(rule_set(words, rules))
    return [(text, tuple(those)) for text, those in groups.items()]


# Settlement items ------------------------------------------------------------------------------------


def item_entry(words: Words, kind: str) -> ItemEntry:
    """The entry of a kind of payment; raises ``KeyError`` for one that there is not."""
    item = ITEMS[kind]
    having = [rules for rules in known_rules() if item.occurs(rules)]
    return ItemEntry(
        kind=kind,
        name=words.label("ledger", kind),
        what=words.say(f"item.{kind}.what"),
        who=words.say(f"item.{kind}.who"),
        rule_sets=tuple(rule_set(words, rules) for rules in having),
        decided=[_decided(words, key, having) for key in item.keys] if having else [],
    )


def _decided(words: Words, key: str, among: Iterable[RuleProfile]) -> Decided:
    def said(rules: RuleProfile) -> str:
        stated: Any = getattr(rules, key)
        return value_words(words, key, stated)

    return Decided(key, words.label("rule", key), _grouped(words, among, said))
