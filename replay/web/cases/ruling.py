"""The form by which an arbiter decides, and a decision as it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replay.store.cases.deciding import LARGEST_AMOUNT, RULINGS, Decision, Effect, net
from replay.store.tables.disputes import AMOUNT
from replay.text.page import Page
from replay.web.cases.forms import Form
from replay.web.cases.subject import Subject, citable
from replay.wording.plain import visible
from replay.wording.words import Words, signed

CANNED = (
    "stands",
    "allowed",
    "amount_stands",
    "amount_changed",
    "record_open",
    "record_faulty",
    "founded",
    "unfounded",
)
"""Wordings that every language has (``cases.canned.…``)."""

EFFECTS = 6
"""Payments that the form has room for."""

TYPED = "typed"
"""The choice of a clause that the arbiter types."""

LONGEST_PLACE, LONGEST_QUOTE = 100, 1_000


@dataclass(frozen=True, slots=True)
class Choices:
    """What an arbiter chooses from."""

    rulings: Sequence[str]
    clauses: Sequence[Mapping[str, str]]
    canned: Sequence[str]
    effects: Sequence[int]


def choices(page: Page, subject: Subject, kind: str) -> Choices:
    """What there is to choose from in a case of this kind."""
    return Choices(rulings(subject, kind), citable(page, subject), CANNED, range(EFFECTS))


def rulings(subject: Subject, kind: str) -> Sequence[str]:
    """What can be decided: that a claim is right, only where one was made."""
    claims = subject.loaded.log is not None and subject.loaded.log.hands[subject.hand].claimed is not None
    return [one for one in RULINGS[kind] if kind != AMOUNT or one != "claimed" or claims]


def asked_decision(form: Form, page: Page, subject: Subject, kind: str) -> Decision | None:
    """The decision of a form; None where something is wrong with it, which the form then says."""
    ruling = form.choice("ruling", rulings(subject, kind))
    clause = asked_clause(form, page, subject)
    canned = form.choice("canned", CANNED, needed=False)
    text = form.text(needed=not canned)
    effects = [one for number in range(EFFECTS) if (one := asked_effect(form, number)) is not None]
    if form.problems:
        return None
    return Decision(ruling, subject.ruling(kind), clause, text, canned, effects)


def asked_clause(form: Form, page: Page, subject: Subject) -> Mapping[str, str]:
    """The clause that was chosen, or the one that was typed."""
    cited = citable(page, subject)
    chosen = form.choice("clause", [*(str(number) for number in range(len(cited))), TYPED])
    if chosen != TYPED:
        return cited[int(chosen)] if chosen else {}
    return {
        "document": form.text("document", longest=LONGEST_PLACE),
        "section": form.text("section", longest=LONGEST_PLACE),
        "text": form.text("quote", longest=LONGEST_QUOTE),
    }


def asked_effect(form: Form, number: int) -> Effect | None:
    """A payment of the form; None where its row is empty or wrong."""
    names = f"from{number}", f"to{number}", f"amount{number}"
    if not any(form.value(name).strip() for name in names):
        return None
    source, target = form.seat(names[0], needed=True), form.seat(names[1], needed=True)
    amount = form.number(names[2], 1, LARGEST_AMOUNT, needed=True)
    if source is None or target is None or amount is None:
        return None
    if source == target:
        form.wrong(names[1], "same")
        return None
    return Effect(source, target, amount)


# Shown -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A seat: what it wins or loses as recomputed ("" where that is not known), and what the decision orders."""

    seat: str
    recomputed: str
    ordered: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as the page shows it."""

    ruling: str
    compared: str
    clause: Mapping[str, str]
    canned: str
    payments: Sequence[tuple[str, str, str]]
    rows: Sequence[Row]


def decided(words: Words, subject: Subject, kind: str, body: Mapping[str, Any]) -> Decided:
    """A decision in words: what was decided, whether the engine says the same, what is to be paid."""
    effects = [Effect(one["from"], one["to"], one["amount"]) for one in body["effects"]]
    return Decided(
        words.say(f"cases.ruling.{kind}.{body['ruling']}"),
        compared(words, kind, body),
        {
            name: visible(body["clause"].get(name, ""), LONGEST_QUOTE)
            for name in ("document", "section", "text")
        },
        words.say(f"cases.canned.{body['canned']}") if body["canned"] else "",
        [(words.seat(one.source), words.seat(one.target), words.points(one.amount)) for one in effects],
        list(rows(words, subject, effects)) if effects else [],
    )


def compared(words: Words, kind: str, body: Mapping[str, Any]) -> str:
    """Whether a decision says what the engine says."""
    if body["agrees"] is None:
        return words.say("cases.compared.none")
    key = "same" if body["agrees"] else "other"
    return words.say(f"cases.compared.{key}", engine=words.say(f"cases.ruling.{kind}.{body['engine']}"))


def rows(words: Words, subject: Subject, effects: Sequence[Effect]) -> Sequence[Row]:
    """What a decision orders beside what was recomputed; the two are never added up."""
    scores: Sequence[int] | None = subject.written.get("scores")
    return [
        Row(words.seat(seat), "" if scores is None else signed(scores[seat]), signed(ordered))
        for seat, ordered in enumerate(net(effects))
    ]
