"""Whether cases are what their entries say: state and arbiters, parties, files and the bytes of these (operations D9).

The verdict log holds the entries fast; all that stands beside them follows from them, and is derived here anew. The
entries of one case are held at a time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import orjson
from sqlalchemy import Select, exists, select
from sqlmodel import Session, col

from replay.store.blobs import Blobs
from replay.store.cases.moves import Where, moved
from replay.store.cases.opening import About, party_id
from replay.store.fault import Fault
from replay.store.tables import Dispute, DisputeEntry, Evidence, Party
from replay.store.tables.disputes import OPEN

AT_ONCE = 500
"""Cases whose ids are read at a time."""

NOTHING = "—"


class Unreadable(ValueError):
    """Entries do not say what a case is."""


@dataclass(frozen=True, slots=True)
class Said:
    """An entry as its payload says it."""

    id: str
    position: int
    kind: str
    actor: str
    at: int
    body: Mapping[str, Any]


@dataclass(slots=True)
class Derived:
    """What follows from the entries of a case: the columns of its row, of its parties by account, of its files by entry.

    ``odd`` are entries that could not be made where the case stood.
    """

    case: dict[str, object] = field(default_factory=dict)
    parties: dict[str, dict[str, object]] = field(default_factory=dict)
    files: dict[str, dict[str, object]] = field(default_factory=dict)
    odd: list[Said] = field(default_factory=list)


def cases_verified(session: Session, blobs: Blobs | None) -> Iterator[Fault]:
    """All that is wrong with cases; with ``blobs`` the bytes of their files are hashed, too."""
    for case_id in in_pages(session, select(col(Dispute.id)), col(Dispute.id)):
        yield from case_verified(session, case_id, blobs)
    for table in (DisputeEntry, Party, Evidence):
        its = col(table.dispute_id)
        lost = select(its).where(~exists().where(col(Dispute.id) == its)).distinct()
        for case_id in in_pages(session, lost, its):
            yield Fault("case_gone", {"case": case_id})


def in_pages(session: Session, chosen: Select[Any], key: Any) -> Iterator[str]:
    """Ids in their order, so many at a time."""
    page = list(session.execute(chosen.order_by(key).limit(AT_ONCE)).scalars())
    while page:
        yield from page
        page = list(session.execute(chosen.where(key > page[-1]).order_by(key).limit(AT_ONCE)).scalars())


def case_verified(session: Session, case_id: str, blobs: Blobs | None) -> Iterator[Fault]:
    """What is wrong with a case. Of an entry whose payload is another its row in the log tells."""
    case = session.get(Dispute, case_id)
    entries, parties, files = (of_case(session, table, case_id) for table in (DisputeEntry, Party, Evidence))
    session.expunge_all()
    if any(digest_of(one) != one.sha256 for one in entries):
        return
    try:
        derived = derive(case_id, sorted(map(said, entries), key=lambda one: one.position))
    except (Unreadable, KeyError, TypeError, AttributeError):
        yield Fault("case_unreadable" if entries else "case_entries", {"case": case_id})
        return
    for one in derived.odd:
        yield Fault("move", {"case": case_id, "subject": one.id, "name": one.kind})
    yield from differing("case", {"case": case_id}, case, derived.case)
    yield from parties_verified(case_id, parties, derived.parties)
    yield from files_verified(case_id, files, derived.files)
    if blobs is not None:
        yield from bytes_verified(case_id, blobs, derived.files)


def of_case(session: Session, table: Any, case_id: str) -> Sequence[Any]:
    """The rows of a table that are of a case."""
    return list(
        session.execute(select(table).where(table.dispute_id == case_id).order_by(table.id)).scalars()
    )


# What the entries say --------------------------------------------------------------------------------


def digest_of(entry: DisputeEntry) -> str:
    """The SHA-256 of what an entry says."""
    return sha256(str(entry.payload).encode(errors="surrogatepass")).hexdigest()


def said(entry: DisputeEntry) -> Said:
    """An entry by its payload alone, whatever its columns hold. Raises `Unreadable`."""
    try:
        payload = orjson.loads(entry.payload)
    except ValueError:
        raise Unreadable(entry.id) from None
    told = {name: payload[name] for name in ("position", "kind", "actor", "at", "body")}
    if not isinstance(told["position"], int) or not isinstance(told["body"], dict):
        raise Unreadable(entry.id)
    return Said(entry.id, **told)


def derive(case_id: str, entries: Sequence[Said]) -> Derived:
    """What follows from the entries, which are in their order. Raises `Unreadable` where they lack one."""
    if not entries or [one.position for one in entries] != list(range(len(entries))):
        raise Unreadable(case_id)
    first, made = entries[0], Derived()
    if first.kind != "opened":
        raise Unreadable(case_id)
    stands = Where(OPEN)
    for party in first.body["parties"]:
        add_party(made, case_id, party)
    for one in entries[1:]:
        to = moved(one.kind, stands, one.actor)
        if to is None:
            made.odd.append(one)
            continue
        stands = to
        if one.kind == "party":
            add_party(made, case_id, one.body)
        elif one.kind == "evidence":
            made.files[one.id] = {name: one.body[name] for name in ("name", "size", "sha256")}
            made.files[one.id]["id"] = one.body["file"]
    made.case = {one.name: first.body["about"][one.name] for one in fields(About)}
    made.case |= {"opener": first.actor, "created": first.at, "changed": entries[-1].at}
    made.case |= {"state": stands.state, "arbiter": stands.arbiter, "second": stands.second}
    return made


def add_party(made: Derived, case_id: str, told: Mapping[str, Any]) -> None:
    """Another party, as an entry names it."""
    account = str(told["account"])
    made.parties[account] = {"id": party_id(case_id, account), "seat": told["seat"]}


# What stands beside them -----------------------------------------------------------------------------


def differing(
    kind: str, facts: Mapping[str, Any], row: Any, expected: Mapping[str, object]
) -> Iterator[Fault]:
    """The columns of a row that do not hold what is expected."""
    for name, value in expected.items():
        found = getattr(row, name)
        if found != value:
            yield Fault(kind, {**facts, "name": name, "found": shown(found), "expected": shown(value)})


def shown(value: object) -> object:
    """A value as a fault tells it."""
    return NOTHING if value is None else value


def parties_verified(
    case_id: str, rows: Sequence[Party], expected: Mapping[str, Mapping[str, object]]
) -> Iterator[Fault]:
    """The rows of parties against the entries that name them."""
    left = dict(expected)
    for row in rows:
        facts = {"case": case_id, "account": row.account}
        if (columns := left.pop(row.account, None)) is None:
            yield Fault("party_added", facts)
        else:
            yield from differing("party", facts, row, columns)
    yield from (Fault("party_gone", {"case": case_id, "account": one}) for one in left)


def files_verified(
    case_id: str, rows: Sequence[Evidence], expected: Mapping[str, Mapping[str, object]]
) -> Iterator[Fault]:
    """The rows of files against the entries that bring them."""
    left = dict(expected)
    for row in rows:
        if (columns := left.pop(row.entry_id, None)) is None:
            yield Fault("file_added", {"case": case_id, "file": row.id})
        else:
            yield from differing("file", {"case": case_id, "subject": row.entry_id}, row, columns)
    yield from (Fault("file_gone", {"case": case_id, "subject": one}) for one in left)


def bytes_verified(
    case_id: str, blobs: Blobs, expected: Mapping[str, Mapping[str, object]]
) -> Iterator[Fault]:
    """The bytes of files against the digests that the entries state."""
    for entry_id, columns in expected.items():
        digest = str(columns["sha256"])
        found = blobs.digest_at(digest)
        facts = {"case": case_id, "subject": entry_id, "expected": digest}
        if found is None:
            yield Fault("bytes_gone", facts)
        elif found != digest:
            yield Fault("bytes", {**facts, "found": found})
