"""The catalogue of findings: every code with its slug, kind, the rule it cites, its facts, and what follows.

Code and slug are one-to-one and never reused. The words (what, why, message) stand in `replay/wording`, one
file a language; the clause is the profile's, under the key that `parameter_of` names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from replay.findings import SEVERITY_OF, Finding, Kind, Severity

After = Literal["go", "ignore", "stop"]
"""The hand goes on with the action done, goes on without it, or is audited no further."""

ParamType = Literal[
    "action", "actions", "at", "entry", "fact", "facts", "fan", "field", "flag", "gang", "held", "int",
    "limit", "meld_list", "phrase", "phrases", "points", "scores", "seat", "seats", "step", "suit", "suits",
    "sum", "text", "texts", "tile", "tile_list", "tiles", "value",
]  # fmt: skip
"""How a fact is written for people: ``tiles`` a tile string, ``tile_list`` tiles one by one, ``step`` a
position counted from 0, ``field`` a value of the compared field, ``held`` a count or the tiles,
``phrase`` English words of ours, which every language has (`replay/wording/phrases.py`), ``text`` what a file says."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of thing an audit can find.

    ``parameter`` is the profile's key (or topic) whose clause it cites, "" where it cites none; ``by_case`` tells
    that each finding names the key itself, by the payment it is about. ``params`` are the facts a finding of this
    code holds. Where a fact (``by``) decides, ``parameters`` and ``afters`` say how.
    """

    code: str
    slug: str
    kind: Kind
    parameter: str
    after: After
    params: Mapping[str, ParamType]
    by: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    afters: Mapping[str, After] = field(default_factory=dict)
    by_case: bool = False


_CODES: tuple[Code, ...] = (
    Code("LOG001", "schema", "malformed", "", "stop", {"found": "phrase", "expected": "phrase"}),
    Code("LOG002", "duplicate-key", "malformed", "", "stop", {"key": "text"}),
    Code("LOG003", "unknown-profile", "malformed", "", "stop", {"profile": "text", "known": "texts"}),
    Code("LOG004", "unknown-option", "malformed", "", "stop", {"option": "text", "problem": "phrase"}),
    Code("LOG005", "digest-mismatch", "malformed", "", "go", {"claimed": "text", "computed": "text"}),
    Code("LOG006", "not-json", "malformed", "", "stop", {"problem": "phrase", "line": "int", "column": "int"}),
    Code("LOG007", "encoding", "malformed", "", "stop", {"offset": "int", "problem": "phrase"}),
    Code("LOG008", "limit", "malformed", "", "stop", {"limit": "limit", "allowed": "int", "found": "int"}),
    Code("LOG009", "time-backwards", "malformed", "", "go", {"ms": "int", "before": "int"}),
    Code("IMP001", "fact-missing", "lossy", "", "go", {"fact": "fact", "effect": "phrase"}),
    Code("IMP002", "fact-inferred", "lossy", "", "go", {"fact": "fact", "from": "phrase"}),
    Code("IMP003", "field-unknown", "lossy", "", "go", {"field": "text", "found": "phrase"}),
    Code(
        "IMP004", "evidence-contradicts", "lossy", "", "go",
        {"what": "phrase", "record": "phrase", "evidence": "phrase"},
    ),
    Code("ACT001", "fifth-copy", "illegal", "tiles", "stop", {"tile": "tile", "copies": "int"}),
    Code(
        "ACT002", "wall-mismatch", "illegal", "replacement", "go",
        {"tile": "tile", "expected": "tile", "end": "text"},
        by="end", parameters={"head": "turn_order"},
    ),
    Code(
        "ACT003", "tile-not-held", "illegal", "claims", "stop",
        {"type": "action", "tile": "tile", "needed": "int", "held": "int"},
        by="type", parameters={"discard": "turn_order"},
    ),
    Code(
        "ACT004", "out-of-turn", "illegal", "turn_order", "go", {"type": "action", "expected": "seats"},
        by="type",
    ),
    Code(
        "ACT005", "wrong-phase", "illegal", "turn_order", "stop",
        {"type": "action", "phase": "text", "reason": "text"},
        by="type",
        parameters={
            "void": "void", "swap": "swap", "piao": "piao", "ting": "xiang_gong", "pass": "claims",
            "flee": "flee",
        },
        afters={"void": "ignore", "swap": "ignore", "piao": "ignore", "ting": "ignore", "pass": "ignore"},
    ),
    Code("ACT006", "after-hu", "illegal", "ends", "stop", {"type": "action", "hu_at": "step"}),
    Code(
        "ACT007", "no-claim", "illegal", "claims", "stop",
        {"type": "action", "tile": "tile", "last": "tile"},
    ),
    Code(
        "ACT008", "claim-priority", "illegal", "multiple_hu", "stop",
        {"type": "action", "tile": "tile", "hu_seats": "seats"},
        by="type", parameters={"hu": "turn_order"}, afters={"hu": "go"},
    ),
    Code(
        "ACT010", "void-late", "illegal", "void", "go", {"reason": "text"},
        by="reason", afters={"twice": "ignore"},
    ),
    Code("ACT011", "void-choice", "illegal", "void_choice", "go", {"suit": "suit", "allowed": "suits"}),
    Code(
        "ACT012", "void-suit-kept", "illegal", "void", "go",
        {"tile": "tile", "void": "suit", "held": "tiles"},
    ),
    Code(
        "ACT013", "void-suit-claimed", "illegal", "void", "go",
        {"type": "action", "tile": "tile", "void": "suit"},
    ),
    Code(
        "ACT014", "swap-invalid", "illegal", "swap", "stop", {"reason": "text", "tiles": "tiles"},
        by="reason", afters={"suit": "go", "twice": "ignore"},
    ),
    Code(
        "ACT015", "gang-unavailable", "illegal", "claims", "stop",
        {"kind": "gang", "tile": "tile", "reason": "text", "held": "held"},
        by="reason",
        parameters={"after_peng": "gang_after_peng", "no_tile_left": "replacement"},
        afters={"after_peng": "go", "no_tile_left": "go"},
    ),
    Code(
        "ACT016", "replacement-end", "illegal", "replacement", "go",
        {"tile": "tile", "expected": "tile", "end": "text"},
        by="end",
    ),
    Code("ACT017", "wildcard-misuse", "illegal", "ting_yong", "stop", {"reason": "text"}, by="reason"),
    Code(
        "ACT020", "not-a-win", "illegal", "win_shape", "stop",
        {"tile": "tile", "hand": "tiles", "melds": "meld_list"},
    ),
    Code("ACT021", "win-three-suits", "illegal", "void_hu", "go", {"suits": "suits"}),
    Code("ACT022", "win-holding-void", "illegal", "void_hu", "go", {"void": "suit", "held": "tiles"}),
    Code(
        "ACT023", "guo-shui", "illegal", "guo_shui", "go",
        {"tile": "tile", "fan": "fan", "price": "points", "passed": "tile_list", "passed_price": "points"},
    ),
    Code("ACT024", "rob-concealed", "illegal", "rob_gang", "stop", {"tile": "tile"}),
    Code("ACT025", "discard-win-barred", "illegal", "hu_on_discard", "go", {"tile": "tile"}),
    Code("ACT026", "win-out-of-play", "illegal", "ends", "stop", {"hu_at": "step"}),
    Code(
        "ACT027", "winner-hand-changed", "illegal", "ends", "stop", {"type": "action", "tile": "tile"},
        by="type",
    ),
    Code("ACT030", "pass-unrecorded", "illegal", "claims", "go", {"tile": "tile", "offers": "actions"}),
    Code(
        "ACT031", "pass-not-offered", "illegal", "claims", "ignore",
        {"declined": "actions", "offered": "actions"},
    ),
    Code(
        "HND001", "forced-hu-missed", "illegal", "forced_last", "go",
        {"tile": "tile", "left": "int", "from": "seat"},
    ),
    Code("HND002", "ended-early", "illegal", "ends", "stop", {"left": "int", "winners": "int"}),
    Code(
        "HND003", "ended-late", "illegal", "ends", "ignore", {"reason": "text", "ended_at": "step"},
        by="reason",
    ),
    Code("HND004", "dealer-wrong", "illegal", "next_dealer", "go", {"dealer": "seat", "expected": "seats"}),
    Code("SET001", "score-mismatch", "mismatch", "", "go", {"claimed": "scores", "recomputed": "scores"}),
    Code(
        "SET002", "ledger-mismatch", "mismatch", "", "go",
        {"claimed": "entry", "recomputed": "entry", "first": "flag"},
        by_case=True,
    ),
    Code(
        "SET003", "win-mismatch", "mismatch", "", "go",
        {"field": "text", "claimed": "field", "recomputed": "field"},
        by="field", by_case=True,
    ),
    Code("SET004", "not-zero-sum", "mismatch", "", "go", {"claimed": "scores", "sum": "sum"}),
    Code("SET005", "totals-mismatch", "mismatch", "", "go", {"claimed": "scores", "recomputed": "scores"}),
    Code(
        "SET006", "coins-mismatch", "mismatch", "coin_factor", "go",
        {"claimed": "scores", "recomputed": "scores"},
    ),
    Code(
        "FAIR001", "commitment-mismatch", "mismatch", "", "go",
        {"scheme": "text", "claimed": "text", "computed": "text"},
    ),
    Code(
        "FAIR002", "wall-not-from-seed", "mismatch", "", "go",
        {"scheme": "text", "at": "at", "expected": "value", "found": "value"},
    ),
    Code("FAIR003", "unverifiable", "unverified", "", "go", {"scheme": "text", "missing": "phrases"}),
    Code("AUD001", "log-set-aside", "unverified", "", "stop", {"reason": "text"}),
    Code("AUD002", "hand-set-aside", "unverified", "", "stop", {"reason": "text"}),
)  # fmt: skip

CATALOGUE: Final[Mapping[str, Code]] = {entry.code: entry for entry in _CODES}
"""Every code in use, in the order of the catalogue."""

RETIRED: Final[frozenset[str]] = frozenset()
"""Codes no longer raised; they are not given out again."""


def slug_of(finding: Finding) -> str:
    """The slug of the finding's code.

    >>> slug_of(Finding("ACT023"))
    'guo-shui'
    """
    return CATALOGUE[finding.code].slug


def kind_of(finding: Finding) -> str:
    """The finding's kind: its own where it names one, else its code's."""
    return finding.kind or CATALOGUE[finding.code].kind


def severity_of(finding: Finding) -> Severity:
    """How grave the finding is, which follows from its kind alone."""
    return SEVERITY_OF[kind_of(finding)]


def parameter_of(finding: Finding) -> str:
    """The profile's key or topic whose clause the finding cites, "" for none.

    Of a code that goes by the case it is the key that decides the payment concerned, which the finding names itself.

    >>> parameter_of(Finding("ACT015", {"reason": "after_peng"}))
    'gang_after_peng'
    """
    entry = CATALOGUE[finding.code]
    if entry.by_case:
        return finding.rule
    return entry.parameters.get(str(finding.params.get(entry.by, "")), entry.parameter)


def after_of(finding: Finding) -> After:
    """What becomes of the hand after the finding (formats §5); an undecidable question stops nothing.

    >>> after_of(Finding("ACT005", {"type": "void"})), after_of(Finding("ACT005", {"type": "draw"}))
    ('ignore', 'stop')
    """
    if kind_of(finding) == "undecidable":
        return "go"
    entry = CATALOGUE[finding.code]
    return entry.afters.get(str(finding.params.get(entry.by, "")), entry.after)
