"""What a record's missing facts leave open: a question that needs one of them is undecidable, never illegal."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from replay.findings import Finding
from replay.settlement import is_liuju
from replay.state import Table

NEEDS: Mapping[str, frozenset[str]] = {
    "ACT010": frozenset({"void"}),
    "ACT011": frozenset({"void", "swap"}),
    "ACT012": frozenset({"void"}),
    "ACT013": frozenset({"void"}),
    "ACT014": frozenset({"swap"}),
    "ACT015": frozenset({"gang_kind"}),
    "ACT020": frozenset({"options"}),
    "ACT021": frozenset({"void"}),
    "ACT022": frozenset({"void"}),
    "ACT023": frozenset({"void", "options"}),
    "ACT024": frozenset({"gang_kind"}),
    "ACT025": frozenset({"options"}),
    "ACT030": frozenset({"void", "pass"}),
    "ACT031": frozenset({"void"}),
    "HND001": frozenset({"void", "options"}),
    "HND002": frozenset({"ends"}),
    "HND003": frozenset({"ends"}),
    "HND004": frozenset({"dealer"}),
    "SET001": frozenset({"gang_kind", "rob", "options"}),
    "SET002": frozenset({"gang_kind", "rob", "options"}),
    "SET003": frozenset({"gang_kind", "rob", "options"}),
    "SET004": frozenset({"options"}),
    "SET005": frozenset({"gang_kind", "rob", "options", "void"}),
    "SET006": frozenset({"gang_kind", "rob", "options", "void"}),
}
"""The facts that each question needs, beside those that the log always holds."""


def undecidable(finding: Finding, lacks: Collection[str]) -> Finding:
    """The finding, or the open question in its place when it needs a fact that the record lacks."""
    missing = sorted(needs(finding) & set(lacks))
    if not missing or finding.kind == "undecidable":
        return finding
    return replace(finding, kind="undecidable", params={"missing": missing})


def needs(finding: Finding) -> frozenset[str]:
    """The facts that this finding rests on."""
    needed = NEEDS.get(finding.code, frozenset())
    if finding.code == "ACT023" and finding.basis == "inferred":
        needed |= {"pass"}
    if finding.code == "HND003" and finding.params.get("reason") != "first_hu":
        needed -= {"ends"}
    return needed


def open_questions(table: Table, settled: bool, claimed: bool) -> list[Finding]:
    """The questions about a hand that its record can't answer, whatever happened in it."""
    lacks = table.lacks
    found = []
    if "void" in lacks and table.rules.void == "declared":
        found += [question(code, "void") for code in void_questions(table)]
        if settled and claimed and is_liuju(table):
            found.append(question("SET001", "void"))
    if "swap" in lacks and table.rules.swap != "none":
        found.append(question("ACT014", "swap"))
    return found


def at_liu_ju(finding: Finding, table: Table) -> Finding:
    """A difference between claim and settlement, left open when who is huazhu or ready is not known."""
    if "void" in table.lacks and table.rules.void == "declared" and is_liuju(table):
        return replace(finding, kind="undecidable", params={"missing": ["void"]})
    return finding


def void_questions(table: Table) -> list[str]:
    """The codes about 定缺 that this hand gave occasion to."""
    codes = []
    if any(seat.discards for seat in table.seats):
        codes += ["ACT010", "ACT012"]
    if any(seat.melds for seat in table.seats):
        codes.append("ACT013")
    if table.wins:
        codes.append("ACT022")
    return codes


def question(code: str, fact: str) -> Finding:
    """An open question."""
    return Finding(code, {"missing": [fact]}, kind="undecidable")
