"""A hand played to a step, and the table written down there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from replay.checks.opening import dealt_tiles, has_dingque, phase_name
from replay.hands import HandAudit, Judge, audit_hand, play_on, set_aside
from replay.log import Action, Log
from replay.profile import RuleProfile
from replay.reasons import written_entries
from replay.report import finding_dict
from replay.rights import forced
from replay.settlement import Settlement
from replay.state import Phase, Seat, Table, indicator_of
from replay.steps.frames import Claim, Discarded, Frame, MeldShown, SeatShown
from replay.steps.seats import bar_shown, drawn_by, fled, offers, received, unopposed, waits_now, win_shown
from replay.tiles import TILES, kinds_in
from replay.undecided import lacks_of

SET_ASIDE = "AUD002"


class HandSteps:
    """A hand that can be looked at after any number of its actions, from 0 to ``last``.

    ``findings`` are the hand's as the report has them; left out, they are those of the audit of this hand alone.
    """

    def __init__(
        self,
        rules: RuleProfile,
        log: Log,
        number: int,
        findings: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self.rules = rules
        self.log = log
        self.number = number
        self.hand = log.hands[number]
        self.given = findings

    @property
    def count(self) -> int:
        """How many actions the hand has."""
        return len(self.hand.actions)

    @cached_property
    def aside(self) -> str:
        """Why the hand was set aside, "" where it was not: what the engine could not finish is not played again."""
        reasons = (one["params"]["reason"] for one in self.given or () if one["code"] == SET_ASIDE)
        return next(map(str, reasons), "")

    @cached_property
    def audited(self) -> HandAudit:
        """The audit of the whole hand."""
        log = self.log
        records, lacks = log.records or (), frozenset(log.lacks or ())
        if self.aside:
            return set_aside(self.rules, self.hand, self.number, records, lacks, self.aside)
        return audit_hand(self.rules, self.hand, self.number, records, lacks)

    @cached_property
    def findings(self) -> tuple[dict[str, Any], ...]:
        """The hand's findings as a report writes them."""
        if self.given is not None:
            return tuple(dict(finding) for finding in self.given)
        return tuple(finding_dict(finding, self.rules) for finding in self.audited.findings)

    @cached_property
    def last(self) -> int:
        """The last step that can be shown: all actions, or up to the one after which nothing is known."""
        play = Play(self)
        while play.may_go_on():
            play.advance()
        return play.done

    @cached_property
    def finding_steps(self) -> tuple[int, ...]:
        """The steps at which a finding stands."""
        found = {
            self.step_of(finding["action"]) for finding in self.findings if finding["action"] is not None
        }
        return tuple(sorted(found))

    def step_of(self, action: int) -> int:
        """The step that shows an action; what is said of the end of the hand stands at the last step."""
        return min(action + 1, self.last)

    def frame(self, step: int) -> Frame:
        """The table after so many actions; raises ``IndexError`` where there is no such step."""
        if not 0 <= step <= self.last:
            raise IndexError(f"no step {step}: the last one is {self.last}")
        play = Play(self)
        while play.done < step:
            play.advance()
        return play.frame()

    def frames(self) -> Iterator[Frame]:
        """Every step in turn, played once."""
        play = Play(self)
        yield play.frame()
        while play.may_go_on():
            play.advance()
            yield play.frame()


def steps(
    rules: RuleProfile, log: Log, number: int, findings: Sequence[Mapping[str, Any]] | None = None
) -> HandSteps:
    """The hand ``number`` (from 0) of a log, to be walked through under this rule set."""
    return HandSteps(rules, log, number, findings)


class Play:
    """A hand while it is played: the table, and beside it what a table does not keep (which action laid what down)."""

    def __init__(self, of: HandSteps) -> None:
        log = of.log
        lacks = lacks_of(of.rules, of.hand, frozenset(log.lacks or ()))
        self.of = of
        self.table = Table(of.rules, of.hand, log.records or (), lacks)
        self.audited = HandAudit(of.number, self.table, Settlement(self.table), quiet=False)
        self.judge = Judge(self.audited, lacks)
        self.done = 0
        self.beyond = "aside" if of.aside else "unknown" if dealt_tiles(self.table, of.hand) else ""
        self.laid: tuple[list[tuple[str, int, bool]], ...] = ([], [], [], [])
        self.taken: dict[int, list[Claim]] = {}
        self.origins: dict[tuple[int, int], int] = {}
        self.ready: set[int] = set()

    def may_go_on(self) -> bool:
        """Whether there is another action to be played."""
        return not self.beyond and self.done < self.of.count

    def advance(self) -> None:
        """Judge and apply the next action, and remember what it laid down or took."""
        at, table, actions = self.done, self.table, self.of.hand.actions
        seat = table.seats[actions[at].seat]
        before = len(seat.discards), len(seat.melds), len(table.wins)
        if actions[at].type == "ting" and unopposed(table, actions[at]):
            self.ready.add(seat.number)
        follows = play_on(self.audited, self.judge, actions, at, at + 1)
        self.done += 1
        self.beyond = {"stop": "unknown", "end": "over"}.get(follows, "")
        if len(seat.discards) > before[0]:
            self.laid[seat.number].append((TILES[seat.discards[-1]], at, table.fresh))
        if len(seat.melds) > before[1] and seat.melds[-1].source is not None:
            meld = seat.melds[-1]
            self.origins[seat.number, meld.tile] = table.last_at
            self._take(table.last_at, seat, "peng" if meld.kind == "peng" else "gang", at)
        if len(table.wins) > before[2] and table.wins[-1].source is not None and not table.wins[-1].robbed:
            self._take(table.wins[-1].window, seat, "hu", at)

    def _take(self, laid_at: int, seat: Seat, by: str, at: int) -> None:
        self.taken.setdefault(laid_at, []).append(Claim(seat.number, by, at))

    # Writing it down ---------------------------------------------------------------------------------

    def frame(self) -> Frame:
        """What the table shows now."""
        of, table, step = self.of, self.table, self.done
        indicator = indicator_of(of.hand) if table.wild >= 0 else None
        action: Action | None = of.hand.actions[step - 1] if step else None
        marked = of.finding_steps
        settled = of.audited.scores if step == of.last else None
        return Frame(
            hand=of.number,
            step=step,
            last=of.last,
            count=of.count,
            dealer=of.hand.dealer,
            phase="over" if settled is not None or self.is_over() else phase_name(table),
            action=None if action is None else msgspec.to_builtins(action),
            seats=tuple(self._seat(seat) for seat in table.seats),
            left=table.left,
            wall=None if table.wall is None else tuple(TILES[tile] for tile in reversed(table.wall)),
            dingque=has_dingque(table.rules),
            direction=table.direction or None,
            indicator=None if indicator is None else TILES[indicator],
            wild=TILES[table.wild] if table.wild >= 0 else None,
            window_open=table.left < table.rules.forced_last,
            forced=table.rules.forced_last > 0 and forced(table),
            ledger=tuple(written_entries(self.book())),
            findings=tuple(self._standing()),
            previous_finding=max((mark for mark in marked if mark < step), default=None),
            next_finding=min((mark for mark in marked if mark > step), default=None),
            beyond=self.beyond,
            final=None if settled is None else tuple(settled),
        )

    def is_over(self) -> bool:
        """Whether the hand has ended, and no other seat may hu the tile that ended it."""
        return bool(self.table.end) and not self.table.window

    def book(self) -> Settlement:
        """The payments so far; those of a liuju are made when the hand is over, at the last step they are there."""
        return self.of.audited.book if self.done == self.of.last else self.audited.book

    def _standing(self) -> Iterator[dict[str, Any]]:
        """The findings that stand at the action that led here."""
        for finding in self.of.findings:
            if finding["action"] is not None and self.of.step_of(finding["action"]) == self.done:
                yield finding

    def _seat(self, seat: Seat) -> SeatShown:
        table, number = self.table, seat.number
        wins = [win for win in table.wins if win.seat == number]
        drawn = drawn_by(table, seat)
        hand = seat.tiles()
        # A winner that plays on has laid its winning tiles aside already.
        apart = drawn if seat.hu_at is None else wins[-1].tile
        if apart in hand:
            hand.remove(apart)
        opening = table.phase is Phase.OPENING
        return SeatShown(
            number=number,
            hand=tuple(TILES[tile] for tile in hand),
            drawn=TILES[drawn] if drawn >= 0 else None,
            melds=tuple(self._melds(seat)),
            discards=tuple(
                Discarded(tile, at, fresh, tuple(self.taken.get(at, ())))
                for tile, at, fresh in self.laid[number]
            ),
            void="mps"[seat.void] if seat.void >= 0 else None,
            wins=tuple(win_shown(table, win) for win in wins),
            locked=seat.locked_at is not None,
            gave=names_of(seat.given) if opening else (),
            received=names_of(received(table, seat)) if opening else (),
            piao=seat.piao_at is not None,
            ting=number in self.ready,
            fled=fled(table, seat),
            score=self.audited.book.scores()[number],
            waits=names_of(kinds_in(waits_now(table, seat))),
            bar=bar_shown(table, seat),
            offers=() if self.beyond else tuple(offers(table, seat)),
        )

    def _melds(self, seat: Seat) -> Iterator[MeldShown]:
        added = self.table.added
        for meld in seat.melds:
            adding = added is not None and added.seat == seat.number and added.tile == meld.tile
            origin = self.origins.get((seat.number, meld.tile))
            yield MeldShown(meld.kind, TILES[meld.tile], meld.at, meld.source, origin, adding, meld.wild)


def names_of(kinds: Iterable[int]) -> tuple[str, ...]:
    """Tiles by name, sorted."""
    return tuple(TILES[kind] for kind in sorted(kinds))
