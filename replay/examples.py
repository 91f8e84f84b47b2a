"""The examples: for every finding a log that shows it and a near miss that does not, for every fan a hand.

They are files (`sample_logs/findings/`, `sample_logs/fans.json`), read when they are asked for; tests run them all.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from replay.prices import Price
from replay.profile import RuleProfile
from replay.quote import price
from replay.resources import folder

Side = Literal["bad", "good"]
SIDES: tuple[Side, ...] = ("bad", "good")

FINDINGS, FANS = "findings", "fans.json"

AROUND = 60
"""How many characters an excerpt shows on either side of the place it is about."""

LONGEST = 300


@dataclass(frozen=True, slots=True)
class Place:
    """Where the bad example of a code has its finding, counted from 0; None where it stands in no hand or action."""

    hand: int | None
    action: int | None
    seat: int | None


@dataclass(frozen=True, slots=True)
class FanExample:
    """A winning hand in which a fan counts; the concealed ``hand`` includes the winning tile.

    ``melds`` are (kind, tile), ``how`` and ``void`` as `replay.price` takes them.
    """

    hand: str
    win: str
    melds: tuple[tuple[str, str], ...] = ()
    zi_mo: bool = False
    how: tuple[str, ...] = ()
    void: str | None = None


# Findings --------------------------------------------------------------------------------------------


@cache
def example_codes() -> tuple[str, ...]:
    """The codes that have examples."""
    return tuple(sorted(path.parent.name for path in folder("sample_logs").glob(f"{FINDINGS}/*/bad.json")))


def example_path(code: str, side: Side) -> Path:
    """The file of an example; raises ``KeyError`` where the code has none."""
    if code not in example_codes():
        raise KeyError(code)
    return folder("sample_logs") / FINDINGS / code / f"{side}.json"


@cache
def example(code: str, side: Side) -> bytes:
    """The bad or the good example of a code, byte for byte; raises ``KeyError`` where it has none."""
    return example_path(code, side).read_bytes()


@cache
def place_in(code: str) -> Place:
    """Where the bad example of a code has its finding; raises ``KeyError`` where the code has none."""
    stated = json.loads(example_path(code, "bad").with_name("expected.json").read_bytes())
    return Place(stated["hand"], stated["action"], stated["seat"])


def excerpt(data: bytes, finding: Mapping[str, Any]) -> str:
    """What a file holds at the place of a finding of its report; "" where the finding names no place in it.

    What is no text is shown as escapes. A value stands after its pointer, cut where it is long.
    """
    facts = finding["params"]
    text = data.decode("utf-8", "backslashreplace")
    if isinstance(facts.get("offset"), int):
        return _around(text, len(data[: facts["offset"]].decode("utf-8", "backslashreplace")))
    if isinstance(facts.get("column"), int) and isinstance(facts.get("line"), int):
        before = text.split("\n")[: facts["line"] - 1]
        return _around(text, sum(len(line) + 1 for line in before) + facts["column"] - 1)
    if isinstance(facts.get("key"), str):
        key = json.dumps(facts["key"], ensure_ascii=False)
        return _around(text, text.find(key, text.find(key) + 1))
    pointer = finding["pointer"] or facts.get("field", "")
    return _valued(data, pointer) if isinstance(pointer, str) and pointer.startswith("/") else ""


def _around(text: str, at: int) -> str:
    begin, end = max(0, at - AROUND), at + AROUND
    lines = " ".join(text[begin:end].split())
    return f"{'… ' * (begin > 0)}{lines}{' …' * (end < len(text))}"


def _valued(data: bytes, pointer: str) -> str:
    """A pointer with the value it leads to; "" where the document has none there."""
    try:
        value: Any = json.loads(data)
        for part in pointer[1:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            value = value[int(key) if isinstance(value, list) else key]
    except (ValueError, LookupError, TypeError):
        return ""
    shown = json.dumps(value, ensure_ascii=False)
    return f"{pointer}: {shown[:LONGEST]}{' …' * (len(shown) > LONGEST)}"


# Fans ------------------------------------------------------------------------------------------------


@cache
def fan_examples() -> Mapping[str, FanExample]:
    """A hand for every fan."""
    stated = json.loads((folder("sample_logs") / FANS).read_bytes())
    return {
        fan: FanExample(
            hand=each["hand"],
            win=each["win"],
            melds=tuple((kind, tile) for kind, tile in each.get("melds", ())),
            zi_mo=each.get("zi_mo", False),
            how=tuple(each.get("how", ())),
            void=each.get("void"),
        )
        for fan, each in stated.items()
    }


def priced(shown: FanExample, rules: RuleProfile) -> Price | None:
    """What the hand is worth under a rule set; None where it is no legal hu of it."""
    return price(
        shown.hand,
        shown.win,
        melds=shown.melds,
        zi_mo=shown.zi_mo,
        how=shown.how,
        void=shown.void,
        profile=rules,
    )


def counts(fan: str, found: Price | None) -> bool:
    """Whether a fan is part of a price."""
    return found is not None and fan in {found.shape.id, *(part.id for part in found.extras)}
