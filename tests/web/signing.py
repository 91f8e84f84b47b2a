"""A service with accounts, and browsers that are signed in to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from sqlalchemy import select
from sqlmodel import col

from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.accounts import create, fold
from replay.store.database import clock, reading, writing
from replay.store.signing_in import begin
from replay.store.tables import Account
from replay.web import create_app
from replay.web.cookies import ON_LOOPBACK
from tests.tables import make_tables

from .asking import Browser

PASSWORD = "correct horse battery staple"


@contextmanager
def accounts_service(data: Path, database: str = "", **settings: object) -> Iterator[Service]:
    """A service with accounts, its tables made and nobody in them, on SQLite unless a database is named."""
    asked = {"data": data, "database": database, "broker": "none", "ring_seconds": 0.001, "accounts": True}
    made = open_service(Settings.model_validate(asked | settings), node="web")
    make_tables(made.engine)
    yield made
    made.engine.dispose()


def anonymous(service: Service) -> Browser:
    """A browser that nobody is signed in with."""
    return Browser(create_app(service).test_client(), service)


def signed_in(browser: Browser, name: str, role: str = "player") -> Browser:
    """A further browser of the same service that ``name`` is signed in with; the account is made if there is none.

    It does not pass the sign-in page, whose tries are counted. Its account's id is `account_id`.
    """
    further = Browser(browser.client.application.test_client(), browser.service)
    secret = begin(browser.service.engine, account_of(browser.service, name, role))
    further.client.set_cookie(ON_LOOPBACK, secret, httponly=True, samesite="Lax")
    return further


def account_of(service: Service, name: str, role: str = "player") -> str:
    """The id of the account of a name, which is made without a password that could be used if there is none."""
    found = account_id(service, name)
    if found is not None:
        return found
    row = Account(
        id=str(uuid4()), name=name, folded=fold(name), role=role, password="", created=0, password_at=1
    )
    with writing(service.engine) as session:
        row.created = clock(session)
        session.add(row)
    return row.id


def account_id(service: Service, name: str) -> str | None:
    """The id of the account of a name, if there is one."""
    with reading(service.engine) as session:
        chosen = select(col(Account.id)).where(col(Account.folded) == fold(name))
        found: str | None = session.execute(chosen).scalar_one_or_none()
    return found


def with_password(service: Service, name: str, role: str = "player", password: str = PASSWORD) -> str:
    """The id of a new account that can sign in with a password."""
    return create(service.engine, name, role, password)
