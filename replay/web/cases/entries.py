"""What was said and done in a case, entry by entry, as the page shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import url_for

from replay.store.cases.reading import Case, Entry
from replay.store.cases.writing import LONGEST_TEXT
from replay.store.tables import Evidence
from replay.store.tables.disputes import APPEALED, CLOSED, DECIDED, RETAKEN
from replay.text.page import Page
from replay.web.cases.pages import others_about
from replay.web.cases.people import People, office
from replay.web.cases.ruling import Beside, Decided, decided
from replay.web.cases.subject import Subject
from replay.web.reports.shown import Link
from replay.wording.plain import visible

RULED = frozenset({DECIDED, APPEALED, RETAKEN, CLOSED})
"""States of a case that was decided at least once."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry: who (as what) did what and when, its words line by line, and what hangs on it."""

    number: int
    who: str
    role: str
    did: str
    at: int
    facts: Sequence[str]
    named: Sequence[str]
    lines: Sequence[str]
    step: Link | None
    corrects: int | None
    corrected: Sequence[int]
    decision: Decided | None
    file: Evidence | None
    looked: Mapping[str, str]
    sha256: str


@dataclass(frozen=True, slots=True)
class Telling:
    """What the entries of a case are told from."""

    case: Case
    subject: Subject
    page: Page
    people: People

    def views(self) -> list[EntryView]:
        """Every entry, in order."""
        files = {file.entry_id: file for file in self.case.files}
        return [self._view(entry, files.get(entry.id)) for entry in self.case.entries]

    def _view(self, entry: Entry, file: Evidence | None) -> EntryView:
        words, body = self.page.words, entry.body
        corrects: int | None = body.get("corrects")
        did = "correction" if corrects is not None else entry.kind
        ruled = entry.kind in ("decided", "closed")
        return EntryView(
            number=entry.position + 1,
            who=self.people.name(entry.actor),
            role=office(self.case, entry.actor, words),
            did=words.say(f"cases.did.{did}"),
            at=entry.at,
            facts=list(self._facts(entry)),
            named=[self.people.name(one) for one in self._named(entry)],
            lines=lines(str(body.get("text", ""))),
            step=self._step(entry),
            corrects=None if corrects is None else corrects + 1,
            corrected=[
                one.position + 1 for one in self.case.entries if one.body.get("corrects") == entry.position
            ],
            decision=self._decided(entry) if ruled else None,
            file=file,
            looked={name: str(entry.looked.get(name) or "") for name in ("report", "log", "rules")},
            sha256=entry.sha256,
        )

    def _decided(self, entry: Entry) -> Decided:
        """A decision, beside the one whose place it takes and the one that took its own."""
        before = [one for one in self.case.decisions if one.position < entry.position]
        after = [one for one in self.case.decisions if one.position > entry.position]
        beside = Beside(
            before=before[-1].position + 1 if before else None,
            paid=bool(before and before[-1].body["effects"]),
            after=after[0].position + 1 if after else None,
            others=0 if after else sum(one.state in RULED for one in others_about(self.case)),
        )
        return decided(self.page, self.subject, self.case.row.kind, entry.body, beside)

    def _named(self, entry: Entry) -> Sequence[str]:
        if entry.kind == "asked":
            return list(entry.body["whom"])
        return [entry.body["account"]] if entry.kind == "party" else []

    def _facts(self, entry: Entry) -> Sequence[str]:
        """What an entry says beside its words."""
        words, body, found = self.page.words, entry.body, []
        if body.get("amount") is not None:
            found.append(words.say("cases.fact.amount", points=words.points(body["amount"])))
        if body.get("lack"):
            found.append(words.say(f"cases.lack.{body['lack']}"))
        if entry.kind == "opened" and body.get("seat") is not None:
            found.append(words.say("cases.fact.seat", seat=words.seat(body["seat"])))
        if entry.kind == "party" and body.get("seat") is not None:
            found.append(words.seat(body["seat"]))
        if entry.kind == "note":
            code = str(body["finding"]["code"])
            found.append(f"{visible(code)} {words.label(code, 'title')}")
        return found

    def _step(self, entry: Entry) -> Link | None:
        step = entry.step
        if step is None or entry.kind not in ("opened", "pin"):
            return None
        url = url_for("cases.show", case_id=self.case.row.id, step=step)
        return Link(self.page.words.say("unit.step", n=step), f"{url}#board")


def lines(text: str) -> list[str]:
    """Words line by line, with what would hide in them spelled out."""
    return [visible(line, LONGEST_TEXT) for line in text.splitlines() if line.strip()]
