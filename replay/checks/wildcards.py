"""听用: where a wildcard may stand in a peng, be replaced, and be ganged (001 特殊规则 1, rulebook §6.5)."""

from collections.abc import Sequence

from replay import log
from replay.checks import check
from replay.checks.play import misplaced
from replay.findings import Finding
from replay.log import Action
from replay.profile import RuleProfile
from replay.state import Phase, Table

Findings = Sequence[Finding] | None


def has_wildcards(rules: RuleProfile) -> bool:
    """Whether the rule set has 听用."""
    return rules.ting_yong != "none"


def misuse(reason: str) -> list[Finding]:
    """ACT017."""
    return [Finding("ACT017", {"reason": reason})]


@check("replace", when=lambda rules: not has_wildcards(rules))
def no_wildcards(table: Table, seat: int, tile: int, action: Action) -> Findings:
    """ACT017: the rule set has no 听用 to replace."""
    return misuse("not_in_rules")


@check("peng", order=25, when=lambda rules: not has_wildcards(rules))
def peng_without_wildcards(table: Table, seat: int, tile: int, action: log.Peng) -> Findings:
    """ACT017: the rule set has no 听用 to peng with."""
    return misuse("not_in_rules") if action.wild else None


@check("peng", order=25, when=has_wildcards)
def peng_wildcards_held(table: Table, seat: int, tile: int, action: log.Peng) -> Findings:
    """ACT017: the peng uses more 听用 than the seat holds."""
    wild = action.wild
    if not wild or (table.wild >= 0 and table.seats[seat].held(table.wild) >= wild):
        return None
    return misuse("not_held")


@check("gang", order=25, when=has_wildcards)
def gang_without_wildcards(table: Table, seat: int, tile: int, action: log.Gang) -> Findings:
    """ACT017: no gang holds a 听用; a peng that holds one is not added to before it is replaced."""
    if action.kind == "an" and tile == table.wild:
        return misuse("gang")
    if action.kind == "bu" and table.seats[seat].wild_peng(tile) is not None:
        return misuse("gang")
    return None


@check("replace", order=10, when=has_wildcards)
def replace_in_turn(table: Table, seat: int, tile: int, action: log.Replace) -> Findings:
    """A 听用 is replaced in the seat's own turn, after its draw."""
    if seat != table.discarder:
        return misplaced(table, seat, "replace")
    return None if table.phase is Phase.TURN else misuse("not_now")


@check("replace", order=30, when=has_wildcards)
def replaced_by_the_real_tile(table: Table, seat: int, tile: int, action: log.Replace) -> Findings:
    """ACT017: the seat has no such peng with a 听用, or not the tile that belongs there."""
    holder = table.seats[seat]
    if action.tile != action.meld or holder.wild_peng(tile) is None:
        return misuse("no_meld")
    return None if holder.held(tile) else misuse("no_tile")
