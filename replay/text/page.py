"""What the text of a report is made from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replay.wording.words import Words

Facts = Mapping[str, Any]
UNKNOWN = object()


@dataclass(frozen=True, slots=True)
class Page:
    """What the text is made from: a report, the log beside it, values and readings of the rule set."""

    words: Words
    report: Facts
    log: Facts
    values: Facts
    readings: Mapping[str, Mapping[str, str]]

    def logged(self, hand: Facts) -> Facts:
        """The hand as the log holds it, {} where no log is at hand."""
        hands, position = self.log.get("hands") or [], hand.get("hand", -1)
        return hands[position] if isinstance(position, int) and 0 <= position < len(hands) else {}

    def action(self, hand: Facts, at: Any) -> Facts:
        """An action of the hand, {} where no log is at hand."""
        actions = self.logged(hand).get("actions") or []
        return actions[at] if isinstance(at, int) and 0 <= at < len(actions) else {}

    def cap_fan(self) -> Any:
        """The cap in fan, None where there is none, `UNKNOWN` where nobody said."""
        options = (self.report.get("rules") or {}).get("options") or {}
        return options.get("cap_fan", self.values.get("cap_fan", UNKNOWN))

    def cap(self) -> str:
        """The cap in words, to stand after the name of the rule set."""
        cap = self.cap_fan()
        if cap is UNKNOWN:
            return ""
        if cap is None:
            return self.words.say("report.cap.none")
        return self.words.say("report.cap", fan=self.words.fan(cap))

    def counts(self, kinds: Counter[Any], wanted: Sequence[str]) -> list[str]:
        """How many findings there are of each kind that there is one of."""
        return [self.words.count(kind, kinds[kind]) for kind in wanted if kinds[kind]]

    def played(self, hands: Sequence[Facts]) -> list[str]:
        """How many actions (where the log is at hand) and wins."""
        actions = sum(len(self.logged(hand).get("actions") or []) for hand in hands)
        wins = sum(len(hand.get("wins") or []) for hand in hands)
        counted = [self.words.count("actions", actions)] if actions else []
        return [*counted, self.words.count("wins", wins)]

    def agreement(self, hands: Sequence[Facts]) -> str:
        """Whether a settlement was claimed, so that it can agree."""
        claims = [hand.get("claimed") is not None or bool(self.logged(hand).get("claimed")) for hand in hands]
        key = "agrees" if claims and all(claims) else "agrees_partly" if any(claims) else "unclaimed"
        return self.words.say(f"report.{key}")
