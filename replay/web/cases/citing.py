"""The clauses that a decision can cite, and how a cited one is read: what it is of, where it stands, what it says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from replay.text.cited import quoted
from replay.text.objections import rule_of
from replay.text.page import Page
from replay.text.why import clauses
from replay.web.cases.subject import Subject
from replay.wording.plain import visible

LONGEST_PLACE, LONGEST_QUOTE = 100, 1_000
SHORT_QUOTE = 60
"""Characters of a quotation in a list to choose from."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A clause as it is read: the rule that it is of ("" where nobody knows), where it stands, what it says.

    ``worded`` tells that it is no quotation but a value that was agreed on, in the reader's words.
    """

    rule: str
    source: str
    text: str
    worded: bool

    @property
    def short(self) -> str:
        """It in a line, its words cut short."""
        return " · ".join(filter(None, (self.rule, self.source, visible(self.text, SHORT_QUOTE))))


def citable(page: Page, subject: Subject) -> list[tuple[Mapping[str, str], str]]:
    """The clauses that the engine cites, each with its rule: of what the case is about first, then of the hand."""
    hand, entries = subject.written, [subject.paid] if subject.paid is not None else []
    found: dict[tuple[str, str, str], list[str]] = {}
    for one in (*subject.findings, *hand["findings"]):
        if one.get("clause"):
            place = one["clause"]["document"], one["clause"]["section"], one["clause"]["text"]
            found.setdefault(place, []).append(page.rule(rule_of(one)) if rule_of(one) else "")
    for cited in clauses(page, [*entries, *(hand.get("ledger") or [])]):
        found.setdefault((cited.document, cited.section, cited.text), []).append(cited.rule)
    return [
        (
            dict(zip(("document", "section", "text"), place, strict=True)),
            page.words.join(dict.fromkeys(filter(None, rules))),
        )
        for place, rules in found.items()
    ]


def read(page: Page, clause: Mapping[str, str], rule: str = "") -> Cited:
    """A clause for a reader; where a value stands for it, the value in words."""
    one = quoted(page.words, clause, rule)
    return Cited(
        page.words.label("rule", one.section) if one.worded else rule, one.source, one.said, one.worded
    )


def read_among(
    page: Page, cited: Sequence[tuple[Mapping[str, str], str]], clause: Mapping[str, str]
) -> Cited:
    """A clause for a reader, with the rule that the engine cites it for; of another, that the arbiter typed it."""
    rule = next((rule for one, rule in cited if one == clause), page.words.say("cases.clause.typed"))
    return read(page, clause, rule)
