"""House rule sets as they are kept: each version a row that never changes, the newest of an owner first."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any
from uuid import uuid4

import orjson
import rfc8785
from sqlalchemy import Engine, exists, func, select
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, col

from replay.profile import RuleProfile, profile_from
from replay.schemas import quick_validator, schema
from replay.store.database import alone, insert, now_ms, reading, writing
from replay.store.tables import HouseRules

MOST_KEPT = 500
"""Versions that are kept of one owner."""


class Full(RuntimeError):
    """An owner has as many versions as are kept; ``most`` is how many."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most} house rule sets")


# Keeping ---------------------------------------------------------------------------------------------


def canonical_text(document: Mapping[str, Any]) -> str:
    """A profile document as it is kept: RFC 8785."""
    return rfc8785.dumps(dict(document)).decode()


def sha256_of(text: str) -> str:
    """The digest of a document as it is kept, by which an owner has it once."""
    return hashlib.sha256(text.encode()).hexdigest()


def keep_house(engine: Engine, owner: str, rules: RuleProfile, document: Mapping[str, Any]) -> str:
    """Keep a profile document that resolves to ``rules``, as a new version of its name; returns its id.

    The same document of one owner is one row, and one of an owner's is kept at a time. Raises `Full`.
    """
    text = canonical_text(document)
    row = {
        "id": str(uuid4()),
        "owner": owner,
        "name": rules.id,
        "digest": rules.digest,
        "sha256": sha256_of(text),
        "size": len(text.encode()),
        "names": orjson.dumps(dict(rules.names)).decode(),
        "soundness": soundness(),
        "document": text,
    }
    with writing(engine) as session:
        alone(session, f"house rules of {owner}")
        known = _id_of(session, owner, str(row["sha256"]))
        if known is not None:
            return known
        counted = select(func.count()).select_from(HouseRules).where(col(HouseRules.owner) == owner)
        if session.execute(counted).scalar_one() >= MOST_KEPT:
            raise Full(MOST_KEPT)
        before = _newest(owner).where(col(HouseRules.name) == rules.id).with_only_columns(col(HouseRules.id))
        row |= {"supersedes": session.execute(before).scalar_one_or_none(), "created": now_ms()}
        session.execute(insert(session, HouseRules).values(**row))
        return str(row["id"])


def _id_of(session: Session, owner: str, sha256: str) -> str | None:
    same = select(col(HouseRules.id)).where(col(HouseRules.owner) == owner, col(HouseRules.sha256) == sha256)
    found: str | None = session.execute(same).scalar_one_or_none()
    return found


@cache
def soundness() -> str:
    """Which documents are sound: the digest of the schema of rule sets."""
    return hashlib.sha256(rfc8785.dumps(schema("profile"))).hexdigest()


# Finding ---------------------------------------------------------------------------------------------


def _listed(owner: str) -> Any:
    """An owner's versions, the newest first, without their documents: those may be large."""
    chosen = select(HouseRules).options(defer(HouseRules.document, raiseload=True))  # type: ignore[arg-type]
    ordered = chosen.order_by(col(HouseRules.created).desc(), col(HouseRules.id))
    return ordered.where(col(HouseRules.owner) == owner)


def _newest(owner: str) -> Any:
    later = aliased(HouseRules)
    superseded = exists().where(col(later.supersedes) == col(HouseRules.id))
    return _listed(owner).where(~superseded)


def versions_of(engine: Engine, owner: str, name: str) -> Sequence[HouseRules]:
    """Every version of a name without its document, each before the one that it supersedes."""
    found = _rows(engine, _listed(owner).where(col(HouseRules.name) == name))
    after = {row.supersedes: row for row in found}
    chain: list[HouseRules] = []
    while (row := after.get(chain[-1].id if chain else None)) is not None:
        chain.append(row)
    return chain[::-1]


def houses_of(engine: Engine, owner: str) -> Sequence[HouseRules]:
    """The newest version of every name without its document, the one that was kept last first."""
    return _rows(engine, _newest(owner))


def listed_of(engine: Engine, owner: str, ids: Iterable[str]) -> Mapping[str, HouseRules]:
    """The versions of these ids without their documents, as far as the owner has them, by id."""
    found = _rows(engine, _listed(owner).where(col(HouseRules.id).in_(sorted(set(ids)))))
    return {row.id: row for row in found}


def house_of(engine: Engine, owner: str, house_id: str) -> HouseRules | None:
    """The version of this id with its document, if the owner has it."""
    chosen = select(HouseRules).where(col(HouseRules.owner) == owner, col(HouseRules.id) == house_id)
    return next(iter(_rows(engine, chosen)), None)


def document_of(session: Session, house_id: str) -> str:
    """The document of a version, as an audit refers to it."""
    chosen = select(col(HouseRules.document)).where(col(HouseRules.id) == house_id)
    return str(session.execute(chosen).scalar_one())


def used_by_houses(session: Session, owner: str) -> int:
    """Bytes of an owner's documents."""
    kept = select(func.coalesce(func.sum(col(HouseRules.size)), 0)).where(col(HouseRules.owner) == owner)
    return int(session.execute(kept).scalar_one())


def is_kept(session: Session, owner: str, sha256: str) -> bool:
    """Whether an owner has a document of this digest."""
    return _id_of(session, owner, sha256) is not None


def _rows(engine: Engine, chosen: Any) -> list[HouseRules]:
    with reading(engine) as session:
        found = list(session.execute(chosen).scalars())
        session.expunge_all()
    return found


# Using -----------------------------------------------------------------------------------------------


def seems_sound(engine: Engine, row: HouseRules) -> bool:
    """Whether a version can be offered: it was found sound by this schema, or the quick reader accepts it.

    Whether it can be used is told when it is (`stored_rules`).
    """
    return row.soundness == soundness() or _accepted(engine, row.id, soundness())


@lru_cache(maxsize=4 * MOST_KEPT)
def _accepted(engine: Engine, house_id: str, by: str) -> bool:
    with reading(engine) as session:
        document = document_of(session, house_id)
    return quick_validator("profile").is_valid(orjson.loads(document))


def stored_rules(document: str, options: Mapping[str, Any] | None = None) -> RuleProfile:
    """The rule set of a document as it is kept, with ``options`` applied.

    Raises `OptionProblems` for options that it cannot have, and for a document of another version of the schema.
    """
    return _stored_rules(document, orjson.dumps(options or {}, option=orjson.OPT_SORT_KEYS))


@lru_cache(maxsize=64)
def _stored_rules(document: str, options: bytes) -> RuleProfile:
    return profile_from(orjson.loads(document), orjson.loads(options))
