"""Accounts: made, found, given a role, barred, closed. What each owns is named by its id alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from unicodedata import category, normalize
from unicodedata import name as letter
from uuid import uuid4

from sqlalchemy import ColumnElement, Engine, false, func, select, update
from sqlmodel import Session, col

from replay.store.database import insert, now_ms, reading, writing
from replay.store.passwords import encodable, fits, hashed, is_outdated, problem_with
from replay.store.signing_in import drop_all, revoke_all
from replay.store.tables import Account
from replay.store.tables.people import ROLES
from replay.wording.plain import HIDDEN

LONGEST_NAME = 64
ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK"})
"""Scripts with letters that look the same: a name is written in one of them."""

TO_CHANGE = 0
"""When a password was last set by its owner, where somebody else set it: it is to be changed."""


class BadAccount(ValueError):
    """An account that cannot be so; ``why`` is a text ``accounts.problem.…`` or ``accounts.password.…``."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


# Names -----------------------------------------------------------------------------------------------


def tidy(name: str) -> str:
    """A name as it is kept: composed, with single spaces between its words."""
    return " ".join(normalize("NFC", name).split())


def fold(name: str) -> str:
    """A name as it is looked up: neither case nor the width of letters tells two names apart.

    >>> fold("Ｌｉ  Ming") == fold("li ming")
    True
    """
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


def name_problem(name: str) -> str | None:
    """Why nobody can be called so, as a text ``accounts.problem.…``; None where it is a name."""
    if not can_be_seen(name):
        return "problem.characters"
    if not tidy(name):
        return "problem.nameless"
    if len(tidy(name)) > LONGEST_NAME or not 0 < len(fold(name)) <= LONGEST_NAME:
        return "problem.long"
    return "problem.mixed" if len(scripts(name)) > 1 else None


def can_be_seen(name: str) -> bool:
    """Whether every character of a text is one of a name: it can be seen, and the database can keep it."""
    return encodable(name) and not any(category(char) in HIDDEN for char in name)


def scripts(name: str) -> frozenset[str]:
    """Those of `ALIKE` that a name has letters of.

    >>> sorted(scripts("\u0410nn"))
    ['CYRILLIC', 'LATIN']
    """
    return ALIKE & {letter(char, "").partition(" ")[0] for char in normalize("NFKC", name)}


# Making and changing ---------------------------------------------------------------------------------


def create(engine: Engine, name: str, role: str, password: str, *, own: bool = True) -> str:
    """Make an account; returns its id. Raises `BadAccount`.

    ``own`` says that its owner chose the password; one that is told to somebody is to be changed at once.
    """
    known(role)
    shown = tidy(name)
    problem = name_problem(name) or _password_problem(password, shown)
    if problem:
        raise BadAccount(problem)
    row = {
        "id": str(uuid4()),
        "name": shown,
        "folded": fold(name),
        "role": role,
        "password": hashed(password),
        "created": now_ms(),
        "password_at": now_ms() if own else TO_CHANGE,
    }
    with writing(engine) as session:
        session.execute(insert(session, Account).values(**row).on_conflict_do_nothing())
        if session.execute(select(col(Account.id)).where(col(Account.id) == row["id"])).first() is None:
            raise BadAccount("problem.taken")
    return str(row["id"])


def known(role: str) -> str:
    """A role that there is. Raises ``ValueError``."""
    if role not in ROLES:
        raise ValueError(f"no role {role!r}; there are {', '.join(ROLES)}")
    return role


def _password_problem(password: str, name: str) -> str | None:
    problem = problem_with(password, name)
    return problem and f"password.{problem}"


def set_password(
    engine: Engine, account: Account, password: str, *, own: bool = True, tokens: bool = True
) -> None:
    """Give an account another password; every browser of it is signed out. Raises `BadAccount`.

    ``own`` says that its owner chose it; else it is to be changed. Its tokens end as well without ``tokens``.
    """
    problem = _password_problem(password, account.name)
    if problem:
        raise BadAccount(problem)
    kept = hashed(password)
    with writing(engine) as session:
        values = {"password": kept, "password_at": now_ms() if own else TO_CHANGE}
        session.execute(update(Account).where(col(Account.id) == account.id, is_open()).values(**values))
        drop_all(session, account.id)
        if not tokens:
            revoke_all(session, account.id)


def set_role(engine: Engine, account_id: str, role: str) -> None:
    """Give an account a role; where that is another, its browsers are signed out.

    Raises `BadAccount` for the last admin.
    """
    known(role)
    with writing(engine) as session:
        if role != "admin":
            _leave_an_admin(session, account_id)
        changed = update(Account).where(col(Account.id) == account_id, col(Account.role) != role, is_open())
        if session.execute(changed.values(role=role).returning(col(Account.id))).first() is not None:
            drop_all(session, account_id)


def bar(engine: Engine, account_id: str) -> None:
    """Let an account sign in no more; its browsers are signed out. Raises `BadAccount` for the last admin."""
    with writing(engine) as session:
        _leave_an_admin(session, account_id)
        mine = update(Account).where(col(Account.id) == account_id, col(Account.barred).is_(None), is_open())
        session.execute(mine.values(barred=now_ms()))
        drop_all(session, account_id)


def unbar(engine: Engine, account_id: str) -> None:
    """Let an account sign in again."""
    with writing(engine) as session:
        session.execute(update(Account).where(col(Account.id) == account_id, is_open()).values(barred=None))


def close(session: Session, account_id: str) -> None:
    """Make an account none any more: its name and password go, its id stays. Raises `BadAccount` for the last admin."""
    _leave_an_admin(session, account_id)
    gone = {"name": "", "folded": None, "password": "", "closed": now_ms()}
    session.execute(update(Account).where(col(Account.id) == account_id, is_open()).values(**gone))
    drop_all(session, account_id)


def _leave_an_admin(session: Session, account_id: str) -> None:
    """Raise `BadAccount` where this account is the only admin that can sign in.

    Both of two admins cannot go at once: each waits for the rows that the other has looked at.
    """
    able = select(col(Account.id)).where(
        col(Account.role) == "admin", col(Account.barred).is_(None), is_open()
    )
    ids = session.execute(able.order_by(col(Account.id)).with_for_update()).scalars().all()
    if list(ids) == [account_id]:
        raise BadAccount("problem.last")


def is_open() -> ColumnElement[bool]:
    """That an account was not closed."""
    return col(Account.closed).is_(None)


# Finding ---------------------------------------------------------------------------------------------


def by_name(engine: Engine, name: str) -> Account | None:
    """The account of this name, whatever the case of its letters; None for what can be no name."""
    if not can_be_seen(name):
        return None
    with reading(engine) as session:
        found = session.execute(select(Account).where(col(Account.folded) == fold(name))).scalar_one_or_none()
        session.expunge_all()
    return found


def by_id(engine: Engine, account_id: str) -> Account | None:
    """The account of this id that was not closed."""
    with reading(engine) as session:
        found = session.execute(
            select(Account).where(col(Account.id) == account_id, is_open())
        ).scalar_one_or_none()
        session.expunge_all()
    return found


def authenticate(engine: Engine, name: str, password: str) -> Account | None:
    """The account that this name and password are of; to say no takes as long whether there is such a name or not."""
    found = by_name(engine, name)
    if not fits(found.password if found is not None else "", password) or found is None:
        return None
    if is_outdated(found.password):
        with writing(engine) as session:
            same = update(Account).where(col(Account.id) == found.id, col(Account.password) == found.password)
            session.execute(same.values(password=hashed(password)))
    return found


def names_of(engine: Engine, ids: Iterable[str]) -> Mapping[str, str]:
    """What the accounts of these ids are called; "" for one that is closed, or is none of ours."""
    wanted = sorted(set(ids))
    with reading(engine) as session:
        chosen = select(col(Account.id), col(Account.name)).where(col(Account.id).in_(wanted))
        found = {row[0]: row[1] for row in session.execute(chosen)}
    return {one: found.get(one, "") for one in wanted}


@dataclass(frozen=True, slots=True)
class Asked:
    """Which accounts are listed: those whose name holds ``text``, of a role if one is named."""

    text: str = ""
    role: str = ""


def count(engine: Engine, asked: Asked) -> int:
    """How many accounts there are."""
    with reading(engine) as session:
        counted = select(func.count()).select_from(Account).where(*_conditions(asked))
        return int(session.execute(counted).scalar_one())


def listed(engine: Engine, asked: Asked, first: int, most: int) -> list[Account]:
    """Accounts by name, from a position on."""
    chosen = select(Account).where(*_conditions(asked)).order_by(col(Account.folded), col(Account.id))
    with reading(engine) as session:
        found = list(session.execute(chosen.offset(first).limit(most)).scalars())
        session.expunge_all()
    return found


def _conditions(asked: Asked) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [is_open()]
    if not can_be_seen(asked.text):
        return [false()]
    if asked.text:
        found.append(col(Account.folded).contains(fold(asked.text), autoescape=True))
    if asked.role:
        found.append(col(Account.role) == asked.role)
    return found


def any_admin(engine: Engine) -> bool:
    """Whether there is an admin that can sign in."""
    able = select(col(Account.id)).where(
        col(Account.role) == "admin", col(Account.barred).is_(None), is_open()
    )
    with reading(engine) as session:
        return session.execute(able.limit(1)).first() is not None
