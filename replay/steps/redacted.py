"""A hand as one seat sees it: what that seat could not see at a step is taken out of the frame, not covered up.

The other hands keep their number of tiles, each an empty name. A self-drawn winning tile and the tile of a concealed
gang stay with the seat that has them: not every document says that they are laid open, and one that does loses
nothing but a name. That a seat passed tells that it could have claimed, so that nothing of a pass is left but its place.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from replay.log import Log
from replay.profile import RuleProfile
from replay.steps.course import Course
from replay.steps.frames import Frame, MeldShown, SeatShown, WinShown
from replay.steps.walk import HandSteps
from replay.tiles import INDEX

Facts = Mapping[str, Any]

UNSEEN = ""
"""The name of a tile that may not be told."""

PAYERS = frozenset({"tiles"})
PAYEES = frozenset({"best", "ready", "wild"})
"""What the reasons of a payment tell of the tiles of who pays, and of those of who is paid."""

NEITHER = frozenset({"expected"})
"""What a finding about a seat tells that the seat itself does not know: the tile that the wall had for it."""


class SeenSteps(HandSteps):
    """A hand that can be looked at from one seat alone: its steps, and what was found of them."""

    def __init__(
        self, rules: RuleProfile, log: Log, number: int, findings: Sequence[Facts] | None, seat: int
    ) -> None:
        super().__init__(rules, log, number, findings)
        self.seat = seat

    @cached_property
    def findings(self) -> tuple[dict[str, Any], ...]:
        """The hand's findings, without what this seat could not know."""
        return tuple(finding_seen(finding, self.seat) for finding in super().findings)

    def frame(self, step: int) -> Frame:
        """The table after so many actions, as this seat sees it."""
        return redacted(super().frame(step), self.seat)

    def frames(self) -> Iterator[Frame]:
        """Every step in turn, as this seat sees it."""
        return (redacted(frame, self.seat) for frame in super().frames())


def redacted(frame: Frame, seat: int) -> Frame:
    """A frame with nothing in it that ``seat`` could not see at that step."""
    return msgspec.structs.replace(
        frame,
        action=None if frame.action is None else action_seen(frame.action, seat),
        seats=tuple(shown if shown.number == seat else seat_seen(shown) for shown in frame.seats),
        wall=None,
        ledger=tuple(entry_seen(entry, seat) for entry in frame.ledger),
        findings=tuple(finding_seen(finding, seat) for finding in frame.findings),
    )


def seat_seen(seat: SeatShown) -> SeatShown:
    """Another seat: what it has out, and how many tiles it holds."""
    return msgspec.structs.replace(
        seat,
        hand=(UNSEEN,) * len(seat.hand),
        drawn=None if seat.drawn is None else UNSEEN,
        melds=tuple(map(meld_seen, seat.melds)),
        wins=tuple(map(win_seen, seat.wins)),
        gave=(UNSEEN,) * len(seat.gave),
        received=(UNSEEN,) * len(seat.received),
        waits=(),
        bar=None,
        offers=(),
    )


def meld_seen(meld: MeldShown) -> MeldShown:
    """A meld of another seat: a concealed gang lies face down."""
    return msgspec.structs.replace(meld, tile=UNSEEN) if meld.kind == "an" else meld


def win_seen(win: WinShown) -> WinShown:
    """A hu of another seat: its fan and its price, and the tile where another seat had laid it down."""
    facts = win_facts_seen(win.facts)
    return msgspec.structs.replace(win, tile=facts["tile"], facts=facts)


def win_facts_seen(win: Facts) -> dict[str, Any]:
    """What a report says of the hu of another seat, without its sets."""
    return {**win, "tile": UNSEEN if win["from"] is None else win["tile"], "sets": []}


def action_seen(action: Facts, seat: int) -> dict[str, Any]:
    """An action as ``seat`` sees it done."""
    seen = dict(action)
    if action["seat"] == seat:
        return seen
    kind = action["type"]
    if kind == "pass":
        return {"type": kind, "seat": None, "declined": []}
    own_hu = kind == "hu" and action.get("from") is None
    if own_hu or kind == "draw" or (kind == "gang" and action["kind"] == "an"):
        seen["tile"] = UNSEEN
    elif kind == "swap":
        seen["tiles"] = []
    return seen


def entry_seen(entry: Facts, seat: int) -> dict[str, Any]:
    """A payment; its reasons without the tiles of other hands."""
    why = entry["because"]
    hidden: set[str] = set()
    if entry["from"] != seat:
        hidden |= PAYERS
    if entry["to"] != seat:
        hidden |= PAYEES
    if why.get("kind") == "an" and not (entry["kind"] == "gang" and entry["to"] == seat):
        hidden.add("tile")
    return {**entry, "because": {key: value for key, value in why.items() if key not in hidden}}


def finding_seen(finding: Facts, seat: int) -> dict[str, Any]:
    """A finding: whole where nothing in it is another's to know, else no more than what it is, and where."""
    seen, params = dict(finding), finding["params"]
    told = params if finding["seat"] != seat else {key: params[key] for key in NEITHER & params.keys()}
    if not holds_tiles([told, finding["pointer"]]) and "hu_seats" not in params:
        return seen
    return seen | {"params": {}, "message": "", "because": [], "pointer": None, "withheld": True}


def holds_tiles(fact: Any) -> bool:
    """Whether a fact has a tile anywhere in it: a tile, a string of them, or a text that names one."""
    if isinstance(fact, Mapping):
        return any(holds_tiles(one) for one in fact.values())
    if isinstance(fact, list | tuple):
        return any(holds_tiles(one) for one in fact)
    text = fact if isinstance(fact, str) else ""
    return any(text[at : at + 2] in INDEX for at in range(len(text) - 1))


def course_seen(course: Course, seat: int) -> Course:
    """The course of a hand, with the choices of this seat alone: another's tell what it holds."""
    return Course(
        tuple(
            msgspec.structs.replace(
                stand,
                deciding=tuple(one for one in stand.deciding if one == seat),
                claimants=tuple(one for one in stand.claimants if one == seat),
            )
            for stand in course.stands
        )
    )


def report_seen(written: Facts, hand: int, seat: int) -> dict[str, Any]:
    """A report as the page of one of its hands needs it: that hand as ``seat`` may know it, of the others the end."""
    hands = [
        {
            **{key: each[key] for key in ("hand", "stopped_at", "scores")},
            "claimed": each.get("claimed"),
            "findings": [finding_seen(one, seat) for one in each["findings"]] if each["hand"] == hand else [],
            "wins": [one if one["seat"] == seat else win_facts_seen(one) for one in each["wins"]]
            if each["hand"] == hand
            else [],
            "ledger": [],
        }
        for each in written["hands"]
    ]
    return {"rules": written["rules"], "verdict": written["verdict"], "findings": [], "hands": hands}


def log_seen(plain: Facts, hand: int, step: int, seat: int) -> dict[str, Any]:
    """A log as that page needs it: the names, and what ``seat`` saw done in the hand up to a step."""
    hands: list[dict[str, Any]] = [{} for _ in plain["hands"]]
    done = plain["hands"][hand]["actions"][:step]
    hands[hand] = {
        "dealer": plain["hands"][hand]["dealer"],
        "actions": [action_seen(action, seat) for action in done],
    }
    return {"players": plain["players"], "hands": hands}
