"""A hand step by step: the table before its first action and after each of them, for people to walk through.

Nothing is stored and no rule stands here: the hand is played to the step by the same conductor, checks and moves
that audit it, and what the table then shows is written down as a `Frame`.
"""

from replay.steps.course import Course, Stand, course_of
from replay.steps.frames import (
    BarShown,
    Claim,
    Discarded,
    Frame,
    MeldShown,
    Offer,
    SeatShown,
    WinShown,
)
from replay.steps.redacted import (
    SeenSteps,
    course_seen,
    log_seen,
    redacted,
    report_seen,
)
from replay.steps.walk import HandSteps, steps

__all__ = [
    "BarShown",
    "Claim",
    "Course",
    "Discarded",
    "Frame",
    "HandSteps",
    "MeldShown",
    "Offer",
    "SeatShown",
    "SeenSteps",
    "Stand",
    "WinShown",
    "course_of",
    "course_seen",
    "log_seen",
    "redacted",
    "report_seen",
    "steps",
]
