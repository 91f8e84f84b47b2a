"""What the text of a report is made from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replay.text.cited import place_of_clause
from replay.wording.lookup import has_text
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

    def has(self, key: str) -> bool:
        """Whether the language has words for this."""
        return has_text(self.words.lang, key)

    def cites(self) -> Facts:
        """The words of the rules that the report's payments rest on, by key."""
        return (self.report.get("rules") or {}).get("cites") or {}

    def cited(self, said: str, *keys: str) -> str:
        """What is said, and after it the places of the clauses that say so, as far as the report holds them."""
        places = dict.fromkeys(self.place(self.cites()[key]) for key in keys if key in self.cites())
        if not places:
            return said
        return self.words.say("report.why.cited", said=said, places=self.words.join(places))

    def place(self, clause: Facts) -> str:
        """Where a clause stands: document and section, or where a value was agreed on."""
        return place_of_clause(self.words, clause)

    def rule(self, key: str) -> str:
        """What a key of the rule set is called; of a fan that has a clause of its own, the fan."""
        table, _, fan = key.partition(".")
        return self.words.label("fan", fan) if fan else self.words.label("rule", table)

    def value(self, key: str) -> Any:
        """A value of the rule set with the options of the report, `UNKNOWN` where nobody said."""
        options = (self.report.get("rules") or {}).get("options") or {}
        return options.get(key, self.values.get(key, UNKNOWN))

    def cap_fan(self) -> Any:
        """The cap in fan, None where there is none, `UNKNOWN` where nobody said."""
        return self.value("cap_fan")

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
