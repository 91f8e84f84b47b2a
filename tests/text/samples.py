"""Small reports, made by hand, to be read aloud."""

from typing import Any

from replay.text import report_text

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
CLAUSE = {
    "document": "000",
    "section": "规则 7",
    "text": "定缺后玩家必须在打完所持有的已定缺花色的牌之后，才可以打出其他花色的牌",
}
DING_QUE = {
    "code": "ACT012", "slug": "void-suit-kept", "severity": "error", "kind": "illegal", "basis": "recorded",
    "hand": 0, "action": 41, "seat": 2, "pointer": "/hands/0/actions/41",
    "params": {"tile": "5p", "void": "m", "held": "1m9m"}, "message": "",
    "clause": CLAUSE, "because": [31, 35],
}  # fmt: skip
SCORES = {
    "code": "SET001", "slug": "score-mismatch", "severity": "error", "kind": "mismatch", "basis": "recorded",
    "hand": 0, "action": None, "seat": None, "pointer": "/hands/0/claimed/scores",
    "params": {"claimed": [8, -8, 0, 0], "recomputed": [8, 0, 0, -8]}, "clause": None, "because": [],
}  # fmt: skip
OPEN = {
    "code": "ACT023", "slug": "guo-shui", "severity": "warning", "kind": "undecidable", "basis": "inferred",
    "hand": 0, "action": 57, "seat": 0, "pointer": "/hands/0/actions/57",
    "params": {"missing": ["pass", "void"]}, "clause": None, "because": [],
}  # fmt: skip
UNPROVED = {
    "code": "FAIR003", "slug": "unverifiable", "severity": "warning", "kind": "unverified", "hand": 0,
    "action": None, "seat": None, "params": {"scheme": "secret", "missing": ["salt"]},
}  # fmt: skip
IMPORTED = {
    "code": "IMP001", "slug": "fact-missing", "severity": "note", "kind": "lossy", "hand": None,
    "action": None, "seat": None, "params": {"fact": "pass", "effect": "no claim is known to be passed"},
}  # fmt: skip
WIN = {
    "seat": 0, "at": 57, "from": 3, "tile": "5p", "fan": 4, "price": 8,
    "shape": {"id": "dui_dui_hu", "fan": 2}, "extras": [{"id": "gen", "fan": 1, "count": 2}],
    "sets": ["1m1m1m", "5p5p"],
}  # fmt: skip
HU = {"kind": "hu", "from": 3, "to": 0, "amount": 8, "at": 57, "because": {"win": 0}, "reverses": None}


def hand(number: int = 0, **fields: Any) -> dict[str, Any]:
    return {
        "hand": number, "verdict": "clean", "stopped_at": None, "findings": [], "wins": [WIN], "ledger": [HU],
        "scores": [8, 0, 0, -8], "claimed": [8, 0, 0, -8], "ready": None, "next_dealer": [0],
    } | fields  # fmt: skip


def report(*hands: dict[str, Any], findings: Any = (), **fields: Any) -> dict[str, Any]:
    every = [*findings, *(finding for one in hands for finding in one["findings"])]
    return {
        "format": "xuezhan-report/1",
        "engine": {"name": "xuezhan-replay", "version": "0.1.0"},
        "log": {"id": "G-1", "sha256": "ab" * 32},
        "rules": {"profile": "a-room", "digest": "sha256:" + "cd" * 32, "options": {}, "readings": []},
        "verdict": "findings" if any(one["severity"] == "error" for one in every) else "clean",
        "findings": list(findings),
        "hands": list(hands),
        "totals": [8, 0, 0, -8],
        "coins": None,
    } | fields


def log(*names: str) -> dict[str, Any]:
    actions: list[dict[str, Any]] = [{"type": "draw", "seat": 0, "tile": "1m"}] * 118
    players = [{"id": name, "name": name} for name in names]
    return {"players": players, "hands": [{"dealer": 1, "actions": actions}]}


def lines(*args: Any, **kwargs: Any) -> list[str]:
    return report_text(*args, **kwargs).splitlines()


def joined(*args: Any, **kwargs: Any) -> str:
    """The text with its line breaks undone, to look for sentences in."""
    return " ".join(" ".join(lines(*args, **kwargs)).split())


def entry(kind: str, **fields: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"from": 3, "to": 0, "amount": 2, "at": None, "because": {}, "reverses": None}
    return {"kind": kind} | usual | fields
