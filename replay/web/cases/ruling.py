"""The form by which an arbiter decides, and a decision as it is shown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replay.store.cases.deciding import LARGEST_AMOUNT, RULINGS, Decision, Effect, net
from replay.store.tables.disputes import AMOUNT, BEHAVIOUR, LEGALITY, RECORD
from replay.text.page import Page
from replay.web.cases.citing import LONGEST_PLACE, LONGEST_QUOTE, Cited, citable, read, read_among
from replay.web.cases.forms import Form
from replay.web.cases.subject import Subject
from replay.wording.words import Words, signed

FITTING: Mapping[str, Mapping[str, Sequence[str]]] = {
    LEGALITY: {"legal": ("allowed",), "illegal": ("stands", "broken"), "open": ("record_open",)},
    AMOUNT: {
        "recomputed": ("amount_stands",),
        "claimed": ("amount_changed",),
        "other": ("amount_changed",),
        "open": ("record_open",),
    },
    RECORD: {"sound": ("record_sound",), "faulty": ("record_faulty",), "open": ("record_open",)},
    BEHAVIOUR: {"founded": ("founded",), "unfounded": ("unfounded",), "open": ("record_open",)},
}
"""Wordings that every language has (``cases.canned.…``), by the kind of case and the ruling that they go with."""

CANNED = tuple(
    dict.fromkeys(one for kind in FITTING.values() for fitting in kind.values() for one in fitting)
)
WITH_ENGINE = "stands"
"""The wording that upholds the engine, which goes only with a ruling that does."""

ORDERS, ORDERS_NONE = "amount_changed", "amount_stands"
"""The wording that speaks of payments, and the one that says there are none."""

EFFECTS = 6
"""Payments that the form has room for."""

TYPED = "typed"
"""The choice of a clause that the arbiter types."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What an arbiter chooses from; the wordings stand in groups, each by the rulings that it goes with."""

    rulings: Sequence[str]
    clauses: Sequence[Cited]
    canned: Sequence[tuple[Sequence[str], Sequence[str]]]
    effects: Sequence[int]


def choices(page: Page, subject: Subject, kind: str) -> Choices:
    """What there is to choose from in a case of this kind."""
    clauses = [read(page, clause, rule) for clause, rule in citable(page, subject)]
    return Choices(rulings(subject, kind), clauses, groups(subject, kind), range(EFFECTS))


def rulings(subject: Subject, kind: str) -> Sequence[str]:
    """What can be decided: that a claim is right, only where one was made."""
    claims = subject.loaded.log is not None and subject.loaded.log.hands[subject.hand].claimed is not None
    return [one for one in RULINGS[kind] if kind != AMOUNT or one != "claimed" or claims]


def groups(subject: Subject, kind: str) -> Sequence[tuple[Sequence[str], Sequence[str]]]:
    """The rulings that go with the same wordings, and these; each wording stands once."""
    found: dict[tuple[str, ...], list[str]] = {}
    for ruling in rulings(subject, kind):
        found.setdefault(fitting(subject, kind, ruling), []).append(ruling)
    return [(ours, wordings) for wordings, ours in found.items()]


def fitting(subject: Subject, kind: str, ruling: str) -> tuple[str, ...]:
    """The wordings that go with a ruling."""
    upholds = subject.ruling(kind) == ruling
    return tuple(one for one in FITTING[kind].get(ruling, ()) if upholds or one != WITH_ENGINE)


def asked_decision(form: Form, page: Page, subject: Subject, kind: str) -> Decision | None:
    """The decision of a form; None where something is wrong with it, which the form then says."""
    ruling = form.choice("ruling", rulings(subject, kind))
    clause = asked_clause(form, page, subject)
    canned = form.choice("canned", CANNED, needed=False)
    text = form.text(needed=not canned)
    effects = [one for number in range(EFFECTS) if (one := asked_effect(form, number)) is not None]
    if ruling and canned and canned not in fitting(subject, kind, ruling):
        form.wrong("canned", "contradicts")
    elif (canned == ORDERS and not effects) or (canned == ORDERS_NONE and effects):
        form.wrong("canned", "unpaid" if canned == ORDERS else "paid")
    decision = Decision(ruling, subject.ruling(kind), clause, text, canned, effects)
    problem = contradiction(kind, decision)
    if ruling and problem:
        form.wrong("ruling", problem)
    return None if form.problems else decision


def contradiction(kind: str, decision: Decision) -> str:
    """What a ruling and the payments with it say against each other; "" for nothing.

    That another amount than the recomputed one is right comes to nothing unless somebody pays the difference.
    """
    pays, ruling = bool(decision.effects), decision.ruling
    if pays and ruling == "open":
        return "open.paid"
    if pays and not any(net(decision.effects)):
        return "cancel"
    if kind == AMOUNT and pays and ruling == "recomputed":
        return "right.paid"
    differs = ruling == "other" or (ruling == "claimed" and decision.engine == "recomputed")
    return "other.unpaid" if kind == AMOUNT and differs and not pays else ""


def asked_clause(form: Form, page: Page, subject: Subject) -> Mapping[str, str]:
    """The clause that was chosen, or the one that was typed."""
    cited = citable(page, subject)
    chosen = form.choice("clause", [*(str(number) for number in range(len(cited))), TYPED])
    if chosen != TYPED:
        return cited[int(chosen)][0] if chosen else {}
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
    """A seat: what it wins or loses as recomputed, by the decision's payments, and by both ("" where not known)."""

    seat: str
    recomputed: str
    ordered: str
    together: str


@dataclass(frozen=True, slots=True)
class Beside:
    """The number of the decision that one takes the place of, whether that ordered payments, and of the one after it.

    ``others`` are the decided cases about the hand beside its own.
    """

    before: int | None = None
    paid: bool = False
    after: int | None = None
    others: int = 0


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as the page shows it; ``stands`` says what becomes of its payments and of those before it."""

    ruling: str
    compared: str
    clause: Cited
    canned: str
    payments: Sequence[tuple[str, str, str]]
    rows: Sequence[Row]
    stands: Sequence[str]


def decided(page: Page, subject: Subject, kind: str, body: Mapping[str, Any], beside: Beside) -> Decided:
    """A decision in words: what was decided, whether the engine says the same, what is to be paid."""
    words = page.words
    effects = [Effect(one["from"], one["to"], one["amount"]) for one in body["effects"]]
    return Decided(
        words.say(f"cases.ruling.{kind}.{body['ruling']}"),
        compared(words, kind, body),
        read_among(page, citable(page, subject), body["clause"]),
        words.say(f"cases.canned.{body['canned']}") if body["canned"] else "",
        [(words.seat(one.source), words.seat(one.target), words.points(one.amount)) for one in effects],
        list(rows(words, subject, effects)) if effects else [],
        list(standing(words, bool(effects), beside)),
    )


def standing(words: Words, pays: bool, beside: Beside) -> Iterator[str]:
    """What a decision does with the one before it, that it orders nothing, and what the one after it did with it."""
    if beside.before is not None:
        yield words.say(
            "cases.effect.replaces.paid" if beside.paid else "cases.effect.replaces", n=beside.before
        )
    if not pays:
        yield words.say("cases.effect.none")
    if beside.others:
        yield words.say("cases.effect.others", n=beside.others)
    if beside.after is not None:
        yield words.say("cases.effect.replaced.paid" if pays else "cases.effect.replaced", n=beside.after)


def compared(words: Words, kind: str, body: Mapping[str, Any]) -> str:
    """Whether a decision says what the engine says."""
    if body["agrees"] is None:
        return words.say("cases.compared.none")
    key = "same" if body["agrees"] else "decides" if body["ruling"] == "open" else "other"
    return words.say(f"cases.compared.{key}", engine=words.say(f"cases.ruling.{kind}.{body['engine']}"))


def rows(words: Words, subject: Subject, effects: Sequence[Effect]) -> Sequence[Row]:
    """What was recomputed, what a decision orders beside it, and what the two come to."""
    scores: Sequence[int] | None = subject.written.get("scores")
    return [
        Row(
            words.seat(seat),
            "" if scores is None else signed(scores[seat]),
            signed(ordered),
            "" if scores is None else signed(scores[seat] + ordered),
        )
        for seat, ordered in enumerate(net(effects))
    ]
