"""Rule sets side by side: every parameter by the part of the game that it is about, and where they differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replay.profile import RuleProfile, values
from replay.text.catalogue import Cited, cited, just
from replay.text.values import part_label
from replay.web.languages import words
from replay.web.rulesets.options import worded

SECTIONS: Mapping[str, str] = {
    "table": "tiles swap void void_choice void_breach void_breach_amount ting_yong replacement gang_after_peng ends"
    " ends_on_bust",
    "hu": "seven_pairs hu_on_discard rob_gang guo_shui guo_shui_more_fan guo_shui_waived_below guo_shui_zi_mo"
    " forced_last forced_scope next_turn penalties",
    "price": "scale base cap_fan combine shapes extras gen dragon_pairs_absorb_gen absorb_gen excludes jin_gou"
    " rob_keeps_gang_pao own_gangs payer_gangs",
    "pays": "zi_mo_payers zi_mo_bonus dian_gang_hua gang_pao_payer piao",
    "gangs": "gang_zhi gang_zhi_others gang_bu gang_bu_kept gang_an gang_timing transfer refund",
    "liu_ju": "liu_ju hua_zhu hua_zhu_amount hua_zhu_payees hua_zhu_passive hua_zhu_pays_da_jiao da_jiao_payees"
    " dead_wait xiang_gong",
    "dealer": "next_dealer next_dealer_tie",
    "flight": "flee",
    "coins": "coin_factor rake levels",
}
"""The parameters in the order of the rulebook (its section 2), under what each of its parts is called."""

TABLES = ("shapes", "extras", "absorb_gen")
"""Parameters that are tables of their own: compared row by row."""


@dataclass(frozen=True, slots=True)
class Column:
    """A rule set that is compared; ``url`` leads to all of it."""

    value: str
    name: str
    url: str
    rules: RuleProfile


@dataclass(frozen=True, slots=True)
class Cell:
    """What one rule set has, in words; whether that is not what the first has."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter, or a row of one that is a table: a cell a rule set. ``part`` is the row of a table."""

    key: str
    label: str
    cells: list[Cell]
    part: str = ""

    @property
    def differs(self) -> bool:
        """Whether the rule sets do not all have the same."""
        return any(cell.differs for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter with the rows that differ, and the words that each of the rule sets has for it."""

    key: str
    label: str
    rows: list[Row]
    sources: list[Cited]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the game: its parameters that differ, and those on which all agree."""

    name: str
    differing: list[Parameter]
    agreed: list[Parameter]


def sections(columns: Sequence[Column]) -> list[Section]:
    """The rule sets side by side, part by part. Of one alone, everything stands under what is agreed."""
    stated = [values(column.rules) for column in columns]
    made = []
    for name, keys in SECTIONS.items():
        parameters = [parameter(key, columns, stated) for key in keys.split()]
        differing = [one for one in parameters if any(row.differs for row in one.rows)]
        made.append(Section(name, differing, [one for one in parameters if one not in differing]))
    return made


def parameter(key: str, columns: Sequence[Column], stated: Sequence[Mapping[str, Any]]) -> Parameter:
    """One parameter: a single row where it is no table, or all have the same table."""
    label = words().label("rule", key)
    each = [one[key] for one in stated]
    rows = [row(key, label, each)]
    if key in TABLES and rows[0].differs:
        rows = [one for one in table(key, each) if one.differs]
    return Parameter(key, label, rows, sources(key, rows, [column.rules for column in columns]))


def sources(key: str, rows: Sequence[Row], among: Sequence[RuleProfile]) -> list[Cited]:
    """The words for a parameter, then those for the fans of its table that are cited apart."""
    fans = [one.part for one in rows if one.part] or list(fans_of(key, among))
    named = (key, *(f"{key}.{fan}" for fan in fans))
    return [one for name in named for one in cited(words(), just(name), among)]


def fans_of(key: str, among: Sequence[RuleProfile]) -> Iterator[str]:
    """The fans of a table that any of the rule sets counts."""
    if key in TABLES:
        yield from dict.fromkeys(fan for rules in among for fan in values(rules)[key])


def table(key: str, each: Sequence[Mapping[str, int]]) -> Iterator[Row]:
    """The rows of a parameter that is a table: all that any of the rule sets has in it."""
    for part in dict.fromkeys(part for one in each for part in one):
        yield row(key, part_label(words(), part), [one.get(part) for one in each], part)


def row(key: str, label: str, each: Sequence[Any], part: str = "") -> Row:
    """A value of each rule set beside those of the others."""
    cells = [Cell(said(key, value, part), value != each[0]) for value in each]
    return Row(key, label, cells, part)


def said(key: str, value: Any, part: str) -> str:
    """A value in words; of a table, what stands in a row of it."""
    if not part:
        return worded(key, value)
    if value is None:
        return words().say("web.compare.absent")
    return str(value) if key == "absorb_gen" else words().fan(value)
