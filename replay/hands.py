"""The conductor: a log in, findings and a recomputed ledger out.

It alone joins checks, moves and settlement. Every finding is collected; a hand is audited no further once its table
is no longer known, and the other hands are audited all the same. The log is never repaired, nothing is skipped or
guessed: what the record lacks makes a question undecidable.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from operator import add

from replay.catalogue import after_of, severity_of
from replay.checks import checks_for
from replay.checks.ending import ended_early, window_closed
from replay.checks.opening import dealt_tiles
from replay.claims import compare_hand
from replay.dealing import next_dealers
from replay.events import Event, Gang, Win
from replay.findings import Finding
from replay.flight import settle_flight
from replay.liu_ju import is_liuju, settle_liu_ju
from replay.log import Action, Hand, TileAction
from replay.moves import CLOSERS, MOVES, close_window, form_added
from replay.profile import RuleProfile
from replay.quiet import may_be_quiet, play_quiet
from replay.settlement import Settlement, settle_breaches, settle_gang, settle_hu
from replay.state import NONE, Table
from replay.tiles import INDEX
from replay.undecided import lacks_of, of_this_hand, open_questions, undecidable
from replay.watch import SLICE

ILLEGAL_HU = frozenset({"ACT020", "ACT021", "ACT022", "ACT023", "ACT025"})


@dataclass(slots=True)
class HandAudit:
    """What the audit of one hand came to; ``stopped_at`` is the action after which the table is not known.

    ``scores``, ``ready`` and ``next_dealer`` are None where the hand was stopped or cut short. ``events`` are what was
    paid for, each with the action at which it was.
    """

    number: int
    table: Table
    book: Settlement
    findings: list[Finding] = field(default_factory=list)
    stopped_at: int | None = None
    scores: list[int] | None = None
    next_dealer: list[int] | None = None
    claimed: list[int] | None = None
    quiet: bool = True
    events: list[tuple[int, Event]] = field(default_factory=list)

    @property
    def ready(self) -> dict[int, int] | None:
        """The waits of each ready seat when the wall ran out, as masks; None when there was no liuju."""
        return self.book.ready if self.scores is not None else None


NO_LIMIT = 1 << 62


class Judge:
    """Collects the findings of one hand and turns those that rest on a missing fact into open questions.

    With ``most`` of them the hand is audited no further.
    """

    def __init__(self, hand: HandAudit, lacks: Collection[str], most: int = NO_LIMIT) -> None:
        self.hand = hand
        self.lacks = lacks
        self.most = most

    def note(self, finding: Finding, action: int | None, seat: int | None) -> None:
        """Enter a finding at its place, or nothing when its question is already open."""
        number = self.hand.number
        action = finding.action if finding.action is not None else action
        seat = finding.seat if finding.seat is not None else seat
        pointer = f"/hands/{number}"
        if finding.pointer:
            pointer += f"/{finding.pointer}"
        elif action is not None:
            pointer += f"/actions/{action}"
        placed = replace(finding, hand=number, action=action, seat=seat, pointer=pointer)
        if self.lacks:
            placed = undecidable(placed, self.lacks)
            if placed.kind == "undecidable" and any(
                other.code == placed.code and other.kind == "undecidable" for other in self.hand.findings
            ):
                return
        self.hand.findings.append(placed)


TAKES_NOTHING = ("draw", "flee")
"""The action types that close a claim without taking the tile: who claimed nothing may not be overlooked."""

Look = Callable[[], None]
"""Called now and then while a hand is audited; what it raises ends the audit."""


def play(hand: HandAudit, judge: Judge, actions: Sequence[Action], look: Look | None = None) -> bool:
    """Judge and apply each action in turn; False when the hand must not be settled."""
    count = len(actions)
    if look is None:
        follows = play_on(hand, judge, actions, 0, count)
    else:
        follows, start = "go", 0
        while follows == "go" and start < count:
            look()
            follows = play_on(hand, judge, actions, start, min(start + SLICE, count))
            start += SLICE
    if follows == "end":
        close_hand(judge, hand.table, hand.table.index)
    return finish(judge, hand.table, len(actions)) if follows == "go" else follows == "end"


def play_on(hand: HandAudit, judge: Judge, actions: Sequence[Action], start: int, stop: int) -> str:
    """Judge and apply the actions from ``start`` up to ``stop``; says how it went: go, end or stop.

    Stops at the first finding after which the table is not known, ends at the hand's true end.
    """
    table = hand.table
    walled = table.wall is not None
    opening, later = checks_for(table.rules, walled, False), checks_for(table.rules, walled, True)
    index = start - 1
    while (index := index + 1) < stop:
        if hand.quiet and table.drawer >= 0 and may_be_quiet(table):
            index = play_quiet(table, actions, index, stop)
            if index == stop:
                break
        action = actions[index]
        kind = action.type
        seat = action.seat
        tile = INDEX[action.tile] if isinstance(action, TileAction) else NONE
        table.index = index
        follows = ""
        for check in (later if table.opened else opening)[kind]:
            if found := check(table, seat, tile, action):
                follows = take(judge, found, index, seat, follows)
                if follows == "end":
                    break
        if follows and follows != "go":
            if follows == "ignore":
                continue
            hand.stopped_at = index if follows == "stop" else None
            return follows
        if table.watched and (kind in CLOSERS or (kind == "flee" and seat == table.drawer)):
            close(judge, table, index, NONE if kind in TAKES_NOTHING else seat)
        event = MOVES[kind](table, seat, tile, action)
        if event is not None:
            settle(hand, event, index)
    return "go"


def finish(judge: Judge, table: Table, count: int) -> bool:
    """The actions are over: what lay there was passed; False when the hand had not ended."""
    table.index = count
    close_hand(judge, table, count)
    early = ended_early(table)
    for finding in early:
        judge.note(finding, count, None)
    return not early


def close_hand(judge: Judge, table: Table, index: int) -> None:
    """Nothing more comes: what lay there was passed, and a gang that nobody robbed stands, tile or no tile."""
    if table.watched:
        close(judge, table, index, NONE)
    if not table.left and table.added is not None:
        settle(judge.hand, form_added(table), index)


FOLLOWS = ("", "go", "ignore", "end", "stop")
"""What becomes of a hand after a finding, from the mildest on; "end" settles it at its true end."""


def take(judge: Judge, found: Sequence[Finding], index: int, seat: int, follows: str) -> str:
    """Enter the findings of a check and say what follows from them and those before: go, ignore, end or stop."""
    for finding in found:
        judge.note(finding, index, seat)
        # A question left open does not make a table known that is not: what follows is the finding's own.
        after = "end" if finding.code == "HND003" else after_of(finding)
        if finding.code == "ACT004":
            judge.hand.table.lose_order()
        follows = max(follows, after, key=FOLLOWS.index)
    if len(judge.hand.findings) >= judge.most:
        judge.note(Finding("AUD002", {"reason": "findings"}), index, None)
        return "stop"
    return follows


def close(judge: Judge, table: Table, index: int, taker: int) -> None:
    """The tile that lay there is gone: what was not claimed, was passed."""
    for finding in window_closed(table, taker):
        judge.note(finding, index, finding.seat)
    close_window(table)


def settle(hand: HandAudit, event: Event, index: int) -> None:
    """The payments that a gang, a hu or a flight makes."""
    hand.events.append((index, event))
    if isinstance(event, Win):
        event.illegal = bool(hand.findings) and any(
            finding.action == index and finding.code in ILLEGAL_HU and severity_of(finding) == "error"
            for finding in hand.findings
        )
        settle_hu(hand.book, event)
    elif isinstance(event, Gang):
        settle_gang(hand.book, event)
    elif event is not None:
        settle_flight(hand.book, event)
    if hand.table.holdings is not None:
        end_if_broke(hand, hand.table.holdings)


def end_if_broke(hand: HandAudit, holdings: Sequence[int]) -> None:
    """The hand ends when a seat has nothing left; others may still hu the same tile."""
    if not hand.table.end and min(map(add, holdings, hand.book.scores())) <= 0:
        hand.table.end_with("bust")


def audit_hand(
    rules: RuleProfile,
    hand: Hand,
    number: int,
    records: Collection[str],
    lacks: Collection[str],
    quiet: bool = True,
    look: Look | None = None,
    most: int = NO_LIMIT,
) -> HandAudit:
    """Audit one hand of a valid log: legality, settlement, and the claim beside it.

    ``quiet`` False judges every action check by check, to the same result (`replay.quiet`). After ``most`` findings
    it is audited no further.
    """
    lacks = lacks_of(rules, hand, lacks)
    table = Table(rules, hand, records, lacks)
    result = HandAudit(number, table, Settlement(table), quiet=quiet)
    judge = Judge(result, lacks, most)
    for finding in dealt_tiles(table, hand):
        judge.note(replace(finding, pointer="wall" if hand.wall else "deal"), None, None)
    if result.findings:
        result.stopped_at = 0
    elif play(result, judge, hand.actions, look):
        settle_breaches(result.book)
        if is_liuju(table):
            settle_liu_ju(result.book)
        result.scores = result.book.scores()
        result.next_dealer = next_dealers(table)
    claim = hand.claimed
    if claim is not None:
        result.claimed = claim.scores
        if result.scores is not None:
            for finding in compare_hand(claim, result.book.entries, result.scores, table):
                judge.note(of_this_hand(finding, table), None, None)
    if lacks:
        for finding in open_questions(table, result.scores is not None, claim is not None):
            judge.note(finding, None, None)
    return result


def set_aside(
    rules: RuleProfile, hand: Hand, number: int, records: Collection[str], lacks: Collection[str], reason: str
) -> HandAudit:
    """A hand that was not audited, with the finding that says why: nothing is known of its table but the deal."""
    table = Table(rules, hand, records, lacks)
    result = HandAudit(number, table, Settlement(table), stopped_at=0)
    Judge(result, ()).note(Finding("AUD002", {"reason": reason}), None, None)
    return result


def dealer_after(previous: HandAudit, hand: HandAudit, judge: Judge) -> None:
    """HND004 where the hand's dealer is not one that the hand before it left the deal to (rulebook §2.7)."""
    expected = previous.next_dealer
    dealer = hand.table.dealer
    if "dealer" in judge.lacks or (expected is not None and dealer not in expected):
        finding = Finding("HND004", {"dealer": dealer, "expected": expected or []}, pointer="dealer")
        judge.note(finding, None, dealer)


def strict_scores(hand: HandAudit) -> list[int] | None:
    """The hand's scores as if each illegal hu had been void: its payments and transfers left out."""
    if hand.scores is None:
        return None
    void = {number for number, win in enumerate(hand.table.wins) if win.illegal}
    kept = [entry for entry in hand.book.entries if entry.because.get("win") not in void]
    return Settlement(hand.table, kept).scores()
