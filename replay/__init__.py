"""Xuezhan Replay: audits recorded games of Sichuan mahjong (四川麻将, 血战到底).

`audit` takes a log and gives a report; `price` and `waits` answer about a single hand.
"""

from replay.findings import Finding
from replay.profile import OptionProblems, RuleProfile, UnknownProfile, load_profile, profile_ids
from replay.quote import HandProblem, price, waits
from replay.report import Report
from replay.sitting import audit
from replay.version import ENGINE_VERSION

__all__ = [
    "ENGINE_VERSION",
    "Finding",
    "HandProblem",
    "OptionProblems",
    "Report",
    "RuleProfile",
    "UnknownProfile",
    "audit",
    "load_profile",
    "price",
    "profile_ids",
    "waits",
]
