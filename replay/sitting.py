"""A whole sitting audited: the log read, its rule set resolved, every hand judged, and the sums over them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from replay.fairness import check_fairness
from replay.findings import Finding
from replay.hands import HandAudit, Judge, audit_hand, dealer_after, set_aside
from replay.intake import Intake, take_in
from replay.limits import DEFAULT, Limits
from replay.log import Hand, Log, Rules
from replay.profile import OptionProblems, RuleProfile, UnknownProfile, load_profile
from replay.report import Report
from replay.semantics import check_tiles, check_times
from replay.undecided import undecidable
from replay.watch import Watch


def audit(
    data: bytes | Mapping[str, Any],
    *,
    profile: str | RuleProfile | None = None,
    options: Mapping[str, Any] | None = None,
    strict: bool = False,
    limits: Limits = DEFAULT,
    watch: Watch | None = None,
) -> Report:
    """Audit one log: bytes (UTF-8 JSON, `xuezhan-log/1` or a format an importer knows) or a decoded document.

    ``profile`` audits under another rule set than the log names (its options are then not the log's);
    ``options`` override values of the rule set. ``strict`` adds the scores as if each illegal hu had been void.
    ``watch`` looks on and may set a hand aside (AUD002); the other hands are audited all the same.
    Never raises for what the log holds: a log that cannot be audited gives a report that says why. Raises
    `UnknownProfile` or `OptionProblems` when the caller's own ``profile`` or ``options`` are not usable.
    """
    own = caller_rules(profile, options)
    taken = take_in(data, limits)
    log = taken.log
    if log is None:
        return unreplayable(taken, None, taken.findings)
    rules, faults = own or log_rules(log.rules, options)
    if rules is None:
        return unreplayable(taken, rules, (*taken.findings, *faults))
    return audit_sitting(taken, log, rules, faults, strict, limits.findings, watch)


def caller_rules(
    profile: str | RuleProfile | None, options: Mapping[str, Any] | None
) -> tuple[RuleProfile | None, tuple[Finding, ...]] | None:
    """The rule set that the caller asks for, if any."""
    if profile is None:
        return None
    return (load_profile(profile, options) if isinstance(profile, str) else profile), ()


def log_rules(
    stated: Rules, overriding: Mapping[str, Any] | None
) -> tuple[RuleProfile | None, tuple[Finding, ...]]:
    """The rule set that the log names, with its options; LOG003 to LOG005 where that does not work."""
    name = stated.profile
    options = stated.options or {}
    try:
        rules = load_profile(name, options or None)
    except (UnknownProfile, OptionProblems) as error:
        return None, rule_faults(error)
    claimed = stated.digest
    found: tuple[Finding, ...] = ()
    if claimed is not None and claimed != rules.digest:
        facts = {"claimed": claimed, "computed": rules.digest}
        found = (Finding("LOG005", facts, pointer="/rules/digest"),)
    if overriding:
        rules = load_profile(name, {**options, **overriding})
    return rules, found


def rule_faults(error: UnknownProfile | OptionProblems) -> tuple[Finding, ...]:
    """LOG003, or a LOG004 for each option, where a rule set does not work."""
    if isinstance(error, UnknownProfile):
        facts = {"profile": error.profile_id, "known": list(error.known)}
        return (Finding("LOG003", facts, pointer="/rules/profile"),)
    return tuple(
        Finding("LOG004", {"option": option, "problem": problem}, pointer=f"/rules/options/{escaped(option)}")
        for option, problem in error.problems
    )


def escaped(key: str) -> str:
    """A key as a JSON Pointer writes it (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def unreplayable(taken: Intake, rules: RuleProfile | None, findings: tuple[Finding, ...]) -> Report:
    """The report of a document that no hand could be audited of."""
    return Report(
        taken.source(),
        rules,
        findings,
        (),
        replayable=False,
        stated_profile=taken.log.rules.profile if taken.log else None,
        log=taken.log,
    )


def audit_sitting(
    taken: Intake,
    log: Log,
    rules: RuleProfile,
    faults: tuple[Finding, ...],
    strict: bool,
    most: int,
    watch: Watch | None = None,
) -> Report:
    """Audit every hand of a valid log, as far as ``most`` findings go, and compare the sums over them."""
    records = log.records or ()
    lacks = frozenset(log.lacks or ())
    hands: list[HandAudit] = []
    misread = check_tiles(log, rules, ())
    if misread:
        return unreplayable(taken, rules, (*taken.findings, *faults, *misread))
    for number, hand in enumerate(log.hands):
        if most <= 0:
            audited = set_aside(rules, hand, number, records, lacks, "findings")
        elif watch is None:
            audited = audit_hand(rules, hand, number, records, lacks, most=most)
        else:
            audited = watched(rules, hand, number, log, watch, most)
        most -= len(audited.findings)
        if hands:
            dealer_after(hands[-1], audited, Judge(audited, lacks))
        if hand.fairness is not None:
            audited.findings += check_fairness(hand, number)
        hands.append(audited)
    stopped = {hand.number for hand in hands if hand.stopped_at is not None}
    misread = check_tiles(log, rules, stopped) if stopped else ()
    if misread:
        return unreplayable(taken, rules, (*taken.findings, *faults, *misread))
    found = [*taken.findings, *faults]
    if taken.findings:
        found = place_in_hands(found, hands)
    if "time" in records:
        found += check_times(log)
    totals, coins = sums(rules, hands)
    found += compare_sums(log, hands, totals, coins)
    return Report(taken.source(), rules, found, hands, totals, coins, strict, log=log)


def watched(rules: RuleProfile, hand: Hand, number: int, log: Log, watch: Watch, most: int) -> HandAudit:
    """The audit of a hand while somebody looks on; one that cannot be finished is set aside."""
    records, lacks = log.records or (), frozenset(log.lacks or ())
    try:
        look = partial(watch.look, number)
        return audit_hand(rules, hand, number, records, lacks, look=look, most=most)
    except Exception as error:
        return set_aside(rules, hand, number, records, lacks, watch.reason(error))


def place_in_hands(findings: list[Finding], hands: list[HandAudit]) -> list[Finding]:
    """Hand an importer's findings about a hand to that hand; returns those that belong to none."""
    rest = []
    for finding in findings:
        if finding.hand is not None and finding.hand < len(hands):
            hands[finding.hand].findings.append(finding)
            if finding.code == "IMP001" and finding.params["fact"] == "claim":
                # The record promised a claim for each hand: of this one nothing can be compared.
                open_claim = Finding("SET001", {"missing": ["claim"]}, kind="undecidable")
                Judge(hands[finding.hand], ()).note(open_claim, None, None)
        else:
            rest.append(finding)
    return rest


def sums(rules: RuleProfile, hands: list[HandAudit]) -> tuple[list[int] | None, list[int] | None]:
    """Totals, and coins where the rule set has a room factor; None as soon as one hand has no settlement.

    Coins are reckoned a hand at a time, for each seat score x N - A (rulebook §6.11).
    """
    scores = [hand.scores for hand in hands if hand.scores is not None]
    if len(scores) < len(hands):
        return None, None
    totals = list(map(sum, zip(*scores, strict=True)))
    if rules.coin_factor is None:
        return totals, None
    rake = (rules.rake or 0) * len(hands)
    return totals, [total * rules.coin_factor - rake for total in totals]


def compare_sums(
    log: Log, hands: list[HandAudit], totals: list[int] | None, coins: list[int] | None
) -> list[Finding]:
    """SET005 and SET006: the sitting's claimed sums beside the recomputed ones.

    A difference is left open where the settlement of one of the hands is.
    """
    if log.claimed is None:
        return []
    lacks = frozenset(log.lacks or ()).union(*(hand.table.lacks for hand in hands))
    found = []
    for code, key, claimed, value in (
        ("SET005", "totals", log.claimed.totals, totals),
        ("SET006", "coins", log.claimed.coins, coins),
    ):
        if claimed is not None and value is not None and claimed != value:
            facts = {"claimed": claimed, "recomputed": value}
            finding = undecidable(Finding(code, facts, pointer=f"/claimed/{key}"), lacks)
            left_open = [f for hand in hands for f in hand.findings if f.code == "SET001" and is_open(f)]
            if left_open and not is_open(finding):
                finding = replace(finding, kind="undecidable", params=dict(left_open[0].params))
            found.append(finding)
    return found


def is_open(finding: Finding) -> bool:
    """Whether the finding is a question left open."""
    return finding.kind == "undecidable"
