"""The scores over a hand: four lines of steps, and at their ends what was claimed beside what was recomputed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from replay.steps import Course, Frame
from replay.wording.words import Words, signed

WIDTH, HEIGHT = 1000, 100
ROOM = 6
"""Units left free above and below the lines."""

APART = 22
"""Units between two labels at the least: each may have its claimed end below."""


@dataclass(frozen=True, slots=True)
class Line:
    """The scores of a seat: its path in a field of 1000 × 100, where its label stands, and the claimed end or None."""

    seat: int
    name: str
    path: str
    end: str
    label: str
    claimed: str
    claimed_at: str
    said: str


@dataclass(frozen=True, slots=True)
class Row:
    """A step at which scores changed, and all four after it, those that changed marked."""

    step: int
    scores: list[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart: its lines, the shown step and the zero line, and the same in rows."""

    lines: list[Line]
    now: str
    zero: str
    rows: list[Row]
    final: list[str]
    claimed: list[tuple[str, bool]]


def chart(words: Words, frame: Frame, course: Course, claimed: Sequence[int] | None, spoilers: bool) -> Chart:
    """The chart of a hand as it is to be seen from a step; without spoilers it ends there."""
    told = spoilers or frame.step == frame.last
    scores = [stand.scores for stand in course.stands[: (frame.last if told else frame.step) + 1]]
    settled = frame.last == len(scores) - 1 and told
    claims = list(claimed) if claimed is not None and told else None
    every = [value for each in (*scores, claims or ()) for value in each]
    scale = Scale(min(0, *every), max(0, *every), frame.last)
    final = scores[-1]
    return Chart(
        lines=list(_lines(words, scores, claims, scale)),
        now=f"{scale.right(frame.step) / WIDTH:.2%}",
        zero=f"{scale.down(0):.1f}",
        rows=list(_rows(scores)),
        final=[signed(value) for value in final] if settled else [],
        claimed=[(signed(value), value != final[seat]) for seat, value in enumerate(claims or ())],
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a step and a score stand in the field."""

    least: int
    most: int
    last: int

    def right(self, step: int) -> float:
        """How far right a step is."""
        return WIDTH * step / max(self.last, 1)

    def down(self, score: int) -> float:
        """How far down a score is."""
        return ROOM + (HEIGHT - 2 * ROOM) * (self.most - score) / max(self.most - self.least, 1)


def _lines(
    words: Words, scores: Sequence[Sequence[int]], claims: Sequence[int] | None, scale: Scale
) -> Iterator[Line]:
    ends = [scale.down(value) for value in scores[-1]]
    labels = spread(ends)
    for seat in range(4):
        value = scores[-1][seat]
        other = claims is not None and claims[seat] != value
        claim = signed(claims[seat]) if claims is not None and other else ""
        key = "stepping.chart.line.claimed" if claim else "stepping.chart.line"
        yield Line(
            seat=seat,
            name=words.say(f"seat.{seat}"),
            path=path_of([each[seat] for each in scores], scale),
            end=signed(value),
            label=f"{labels[seat]:.1f}%",
            claimed=claim,
            claimed_at=f"{scale.down(claims[seat]):.1f}%" if claims is not None and other else "",
            said=words.say(key, seat=words.seat(seat), score=signed(value), claimed=claim),
        )


def path_of(values: Sequence[int], scale: Scale) -> str:
    """A line of steps through some scores."""
    drawn = f"M0 {scale.down(values[0]):.1f}"
    for step, value in enumerate(values):
        if step and value != values[step - 1]:
            drawn += f"H{scale.right(step):.1f}V{scale.down(value):.1f}"
    return f"{drawn}H{scale.right(len(values) - 1):.1f}"


def spread(places: Sequence[float]) -> list[float]:
    """Places of labels as near to these as can be, none upon another, all within the field."""
    order = sorted(range(len(places)), key=lambda one: places[one])
    found = list(places)
    lowest = 0.0
    for one in order:
        found[one] = max(found[one], lowest + APART / 2)
        lowest = found[one] + APART / 2
    highest = float(HEIGHT)
    for one in reversed(order):
        found[one] = min(found[one], highest - APART / 2)
        highest = found[one] - APART / 2
    return found


def _rows(scores: Sequence[Sequence[int]]) -> Iterator[Row]:
    for step, values in enumerate(scores):
        was = scores[step - 1] if step else values
        if step == 0 or list(was) != list(values):
            pairs = zip(values, was, strict=True)
            yield Row(step, [(signed(value), value != old) for value, old in pairs])
