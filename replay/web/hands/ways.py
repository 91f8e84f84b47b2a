"""Where one can go from a step, each way under the name that links, keys and buttons have for it."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from replay.steps import Course, Frame
from replay.web.hands.views import TABS, Links, View

EVERY_SEAT = (0, 1, 2, 3)

NOT_ALONE = frozenset(
    {f"seat{seat}" for seat in EVERY_SEAT}
    | {"next_seat", "arbiter", "hide", "spoilers", "previous_any", "next_any", "next_finding", "next_error"}
)
"""Ways that a link for one seat has not: other seats, what they hold and could do, and what is still to come."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The steps of a hand at which a finding stands, and those of them where it is an error."""

    findings: Sequence[int]
    errors: Sequence[int]


def ways(
    frame: Frame, hands: int, view: View, to: Links, course: Course, marked: Marked
) -> dict[str, str | None]:
    """Every way from a step by name: its address, or None where it leads nowhere from here.

    A link for one seat has no way to what that seat is not to see: it would lead nowhere from any step.
    """
    found = {**_steps(frame, view, to, course, marked), **_hands(frame, hands, to), **_views(frame, view, to)}
    without = NOT_ALONE if to.loaded.only is not None else frozenset()
    return {name: url for name, url in found.items() if name not in without}


def before(steps: Sequence[int], step: int) -> int | None:
    """The last of some steps before one."""
    at = bisect_left(steps, step)
    return steps[at - 1] if at else None


def after(steps: Sequence[int], step: int) -> int | None:
    """The first of some steps after one."""
    at = bisect_right(steps, step)
    return steps[at] if at < len(steps) else None


def _steps(frame: Frame, view: View, to: Links, course: Course, marked: Marked) -> dict[str, str | None]:
    step, last = frame.step, frame.last
    own = EVERY_SEAT if view.seat is None else (view.seat,)
    sizes = {
        "decision": course.decisions(own),
        "any": course.decisions(EVERY_SEAT),
        "finding": marked.findings,
        "error": marked.errors,
    }
    found: dict[str, int | None] = {
        "first": 0 if step else None,
        "back": step - 1 if step else None,
        "forward": step + 1 if step < last else None,
        "last": last if step < last else None,
    }
    for name, steps in sizes.items():
        told = view.spoilers or name in ("decision", "any")
        found[f"previous_{name}"] = before(steps, step)
        found[f"next_{name}"] = after(steps, step) if told else None
    if view.hide:  # that another seat has a choice would tell what it holds
        found["previous_any"] = found["next_any"] = None
    return {name: None if there is None else to.step(there) for name, there in found.items()}


def _hands(frame: Frame, hands: int, to: Links) -> dict[str, str | None]:
    return {
        "previous_hand": to.hand(frame.hand - 1) if frame.hand else None,
        "next_hand": to.hand(frame.hand + 1) if frame.hand + 1 < hands else None,
    }


def _views(frame: Frame, view: View, to: Links) -> dict[str, str | None]:
    step = frame.step
    return {
        **{f"seat{seat}": to.seat(step, seat) for seat in EVERY_SEAT},
        "next_seat": to.seat(step, 0 if view.seat is None else (view.seat + 1) % 4),
        "arbiter": to.seat(step, None),
        "hide": to.hidden(step),
        "marks": to.seen(step, marks=not view.marks),
        "spoilers": to.seen(step, spoilers=not view.spoilers),
        **{f"tab_{tab}": to.tab(step, tab) for tab in TABS},
    }
