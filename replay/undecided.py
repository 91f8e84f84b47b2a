"""What a record's missing facts leave open: a question that needs one of them is undecidable, never illegal."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from replay.findings import Finding
from replay.liu_ju import is_liuju
from replay.log import Hand
from replay.profile import RuleProfile
from replay.state import Table, indicator_of

ROOM = frozenset({"options"})
"""What hangs on a value that a room may set for itself."""

MONEY = frozenset({"gang_kind", "rob", "options", "holdings"})

WILD = frozenset({"indicator"})
"""What hangs on which tile is 听用."""

NEEDS: Mapping[str, frozenset[str]] = {
    "ACT003": WILD,
    "ACT010": ROOM | {"void"},
    "ACT011": ROOM | {"void", "swap"},
    "ACT012": ROOM | {"void"},
    "ACT013": ROOM | {"void"},
    "ACT014": ROOM | {"swap", "direction"},
    "ACT015": ROOM | {"gang_kind"} | WILD,
    "ACT016": ROOM,
    "ACT017": ROOM | WILD,
    "ACT020": ROOM | WILD,
    "ACT021": ROOM | {"void"} | WILD,
    "ACT022": ROOM | {"void"},
    "ACT023": ROOM | {"void"} | WILD,
    "ACT024": frozenset({"gang_kind"}),
    "ACT025": ROOM,
    "ACT030": ROOM | {"void", "pass"} | WILD,
    "ACT031": ROOM | {"void"} | WILD,
    "HND001": ROOM | {"void"} | WILD,
    "HND002": ROOM | {"ends"},
    "HND003": ROOM,
    "HND004": ROOM | {"dealer"},
    "SET001": MONEY | WILD,
    "SET002": MONEY | WILD,
    "SET003": MONEY | WILD,
    "SET004": ROOM,
    "SET005": MONEY | {"void", "ends", "dealer"} | WILD,
    "SET006": MONEY | {"void", "ends", "dealer"} | WILD,
}
"""The facts that each question needs, beside those that the log always holds."""


def lacks_of(rules: RuleProfile, hand: Hand, lacks: Collection[str]) -> Collection[str]:
    """What the record of this hand lacks: a log may leave out what a rule set asks for without saying so.

    With 听用 and neither wall nor tile turned up, which tile that is; after 换三张, which way the tiles went; what the
    seats hold where that makes the base.
    """
    lacking = set()
    if not isinstance(rules.base, int) and hand.holdings is None:
        lacking.add("holdings")
    if rules.ting_yong != "none" and indicator_of(hand) is None:
        lacking.add("indicator")
    if (
        rules.swap != "none"
        and hand.swap is None
        and any(action.type == "swap" for action in hand.actions[:8])
    ):
        lacking.add("direction")
    return frozenset({*lacks, *lacking}) if lacking else lacks


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
    if finding.code in ("ACT004", "ACT005", "ACT007") and finding.params.get("type") == "gang":
        needed |= {"gang_kind"}
    if finding.code == "ACT004" and finding.because:
        # Who follows a hu on another's tile hangs on `next_turn`.
        needed |= ROOM
    if finding.code == "ACT007" and finding.params.get("type") == "hu":
        needed |= {"rob"}
    if finding.code == "ACT005" and finding.params.get("reason") == "not_in_rules":
        needed |= ROOM
    if finding.code == "HND003" and finding.params.get("reason") == "wall_empty":
        needed -= ROOM
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


def of_this_hand(finding: Finding, table: Table) -> Finding:
    """A difference between claim and settlement, left open when it rests on a fact that this hand's record lacks."""
    missing = sorted(unknown_money(table))
    if not missing or finding.kind == "undecidable":
        return finding
    return replace(finding, kind="undecidable", params={"missing": missing})


def unknown_money(table: Table) -> set[str]:
    """The lacking facts that this hand's money hangs on, though not every hand's does.

    Who is huazhu or ready at a liuju hangs on the void suits; whether there is one at all, where the last tile was
    hu'd, on what ends a hand; whether a first hu is 天胡 or 地胡 on who deals.
    """
    found = set()
    if is_liuju(table):
        if table.rules.void == "declared":
            found.add("void")
        if any(win.window == table.last_at for win in table.wins):
            found.add("ends")
    if any("tian_hu" in win.how or "di_hu" in win.how for win in table.wins):
        found.add("dealer")
    return found & set(table.lacks)


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
