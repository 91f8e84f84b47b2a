"""The tables. The constraints are the database's own: SQLModel does not validate a table's rows.

Times are milliseconds since 1970 by the database's clock, ids are random, JSON is text in RFC 8785 bytes.
"""

from replay.store.tables.audits import (
    AUDIT,
    DONE,
    QUARANTINED,
    QUEUED,
    RUNNING,
    SPLIT,
    Audit,
    Document,
    FindingRow,
    Heartbeat,
    HouseRules,
    Job,
    Report,
    Upload,
)
from replay.store.tables.columns import LARGEST, metadata
from replay.store.tables.disputes import (
    Checkpoint,
    Dispute,
    DisputeEntry,
    Evidence,
    LogHead,
    Party,
    VerdictRow,
)
from replay.store.tables.people import Account, Attempt, Share, SignIn, StaffView, Token
from replay.store.tables.played import Played, Sitting

__all__ = [
    "AUDIT",
    "DONE",
    "LARGEST",
    "QUARANTINED",
    "QUEUED",
    "RUNNING",
    "SPLIT",
    "Account",
    "Attempt",
    "Audit",
    "Checkpoint",
    "Dispute",
    "DisputeEntry",
    "Document",
    "Evidence",
    "FindingRow",
    "Heartbeat",
    "HouseRules",
    "Job",
    "LogHead",
    "Party",
    "Played",
    "Report",
    "Share",
    "SignIn",
    "Sitting",
    "StaffView",
    "Token",
    "Upload",
    "VerdictRow",
    "metadata",
]
