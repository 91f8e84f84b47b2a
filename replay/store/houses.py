"""House rule sets as they are kept: each version a row that never changes, the newest of an owner first."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any
from uuid import uuid4

import orjson
import rfc8785
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from replay.profile import RuleProfile, profile_from
from replay.store.database import insert, now_ms, reading, writing
from replay.store.tables import HouseRules

MOST_KEPT = 500
"""Versions that are kept of one owner."""


class Full(RuntimeError):
    """An owner has as many versions as are kept; ``most`` is how many."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most} house rule sets")


def keep_house(engine: Engine, owner: str, rules: RuleProfile, document: Mapping[str, Any]) -> str:
    """Keep a profile document that resolves to ``rules``, as a new version of its name; returns its id.

    The same document of one owner is one row. Raises `Full`.
    """
    text = rfc8785.dumps(dict(document)).decode()
    digest = hashlib.sha256(text.encode()).hexdigest()
    with writing(engine) as session:
        known = _id_of(session, owner, digest)
        if known is not None:
            return known
        counted = select(func.count()).select_from(HouseRules).where(col(HouseRules.owner) == owner)
        if session.execute(counted).scalar_one() >= MOST_KEPT:
            raise Full(MOST_KEPT)
        before = _versions(owner, rules.id).with_only_columns(col(HouseRules.id)).limit(1)
        row = {
            "id": str(uuid4()),
            "owner": owner,
            "name": rules.id,
            "digest": rules.digest,
            "sha256": digest,
            "document": text,
            "supersedes": session.execute(before).scalar_one_or_none(),
            "created": now_ms(),
        }
        session.execute(insert(session, HouseRules).values(**row).on_conflict_do_nothing())
        return str(_id_of(session, owner, digest))


def _id_of(session: Session, owner: str, digest: str) -> str | None:
    same = select(col(HouseRules.id)).where(col(HouseRules.owner) == owner, col(HouseRules.sha256) == digest)
    found: str | None = session.execute(same).scalar_one_or_none()
    return found


def _versions(owner: str, name: str | None = None) -> Any:
    chosen = select(HouseRules).where(col(HouseRules.owner) == owner)
    if name is not None:
        chosen = chosen.where(col(HouseRules.name) == name)
    return chosen.order_by(col(HouseRules.created).desc(), col(HouseRules.id))


def versions_of(engine: Engine, owner: str, name: str) -> Sequence[HouseRules]:
    """Every version of a name, the newest first."""
    return _rows(engine, _versions(owner, name))


def houses_of(engine: Engine, owner: str) -> Sequence[HouseRules]:
    """The newest version of every name, the one that was kept last first."""
    newest: dict[str, HouseRules] = {}
    for row in _rows(engine, _versions(owner)):
        newest.setdefault(row.name, row)
    return list(newest.values())


def house_of(engine: Engine, owner: str, house_id: str) -> HouseRules | None:
    """The version of this id, if the owner has it."""
    return next(iter(_rows(engine, _versions(owner).where(col(HouseRules.id) == house_id))), None)


def _rows(engine: Engine, chosen: Any) -> list[HouseRules]:
    with reading(engine) as session:
        found = list(session.execute(chosen).scalars())
        session.expunge_all()
    return found


def stored_rules(document: str, options: Mapping[str, Any] | None = None) -> RuleProfile:
    """The rule set of a document as it is kept, with ``options`` applied.

    Raises `OptionProblems` for options that it cannot have, and for a document of another version of the schema.
    """
    return _stored_rules(document, orjson.dumps(options or {}, option=orjson.OPT_SORT_KEYS))


@lru_cache(maxsize=64)
def _stored_rules(document: str, options: bytes) -> RuleProfile:
    return profile_from(orjson.loads(document), orjson.loads(options))
