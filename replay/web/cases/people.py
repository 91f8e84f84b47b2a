"""Who is named on the pages of cases, and as what."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from replay.store.accounts import names_of
from replay.store.cases.reading import Case
from replay.store.cases.writing import where
from replay.store.tables.disputes import ASKED, DECIDED, Dispute
from replay.web.footing import service
from replay.web.languages import words
from replay.web.viewer import LOCAL_ID
from replay.wording import Words


@dataclass(frozen=True, slots=True)
class People:
    """The names of accounts by id."""

    names: Mapping[str, str]

    def name(self, account: str) -> str:
        """What an account is called; a word for one that was closed, and for the one user without accounts."""
        if account == LOCAL_ID:
            return words().say("cases.person.local")
        return self.names.get(account) or words().say("cases.person.closed")


def people(ids: Iterable[str]) -> People:
    """The names of these accounts."""
    return People(names_of(service().engine, ids))


def waits(row: Dispute, asked: Sequence[str], appealable: bool, named: People) -> tuple[str, list[str]]:
    """What a case waits for, as a key of the wording (``cases.waits.…``), and whom."""
    if row.state == DECIDED and not appealable:
        return "final", []
    holder = where(row).holder
    whom = asked if row.state == ASKED else [holder] if holder is not None else []
    return row.state, [named.name(one) for one in whom]


def office(case: Case, account: str, table: Words) -> str:
    """As what somebody speaks in a case: a party with its seat, an arbiter of the first or second instance, staff."""
    say = table.say
    for party in case.parties:
        if party.account == account:
            return table.seat(party.seat) if party.seat is not None else say("cases.as.party")
    if account == case.row.second:
        return say("cases.as.second")
    if account == case.row.arbiter:
        return say("cases.as.arbiter")
    return say("cases.as.staff")
