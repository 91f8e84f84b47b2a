"""Text that no database keeps is refused or found nowhere, in every field that a route reads: no fault of ours (U8)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import psycopg
import pytest
from flask import Request
from sqlalchemy.exc import DataError
from werkzeug.datastructures import ImmutableMultiDict

from replay.store.signing_in import begin
from replay.web.api import OPERATIONS
from replay.web.cookies import ON_LOOPBACK
from replay.web.errors import status_of
from replay.web.security import FIELDS
from tests.conftest import empty_postgresql

from .asking import SAME_ORIGIN
from .signing import account_of, accounts_service
from .test_roles import BODIES, FORMS, ROLES, Route, World, made, routes

NUL = "a\0b"


class Noted(ImmutableMultiDict[str, str]):
    """Arguments or fields that note which of them are read."""

    read: ClassVar[set[str]] = set()

    def get(self, key: str, *given: Any, **more: Any) -> Any:
        """The value, and its name noted."""
        self.read.add(key)
        return super().get(key, *given, **more)

    def getlist(self, key: str, *given: Any, **more: Any) -> Any:
        """The values, and their name noted."""
        self.read.add(key)
        return super().getlist(key, *given, **more)


class NotingRequest(Request):
    """A request whose arguments and fields are noted."""

    parameter_storage_class = Noted


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """A world on PostgreSQL that notes what is read, in which nothing is made that takes long."""
    with (
        empty_postgresql() as database,
        accounts_service(folder / "data", database) as service,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr("replay.web.paper.pages.pdf_of", lambda page: b"%PDF-")
        patched.setattr("replay.web.accounts.signing.attempt", lambda *tried: 0)
        patched.setattr("replay.web.accounts.own.attempt", lambda *tried: 0)
        names = {name: account_of(service, name, role) for name, role in ROLES.items()}
        secrets = {name: begin(service.engine, account) for name, account in names.items()}
        found = made(service, folder / "kept", names["owner"], secrets)
        found.app.request_class = NotingRequest
        yield found


def ask(found: World, who: str, route: Route, query: dict[str, Any], filled: dict[str, Any]) -> int:
    """What comes back to somebody who asks with these arguments and fields."""
    method, rule, act = route
    client = found.app.test_client()
    if who:
        secret = begin(found.service.engine, account_of(found.service, who))
        client.set_cookie(ON_LOOPBACK, secret, httponly=True, samesite="Lax")
    sent: dict[str, Any] = {"headers": SAME_ORIGIN, "query_string": query}
    if method in ("POST", "PATCH"):
        for_programs = rule.rule.startswith("/api/")
        sent |= {"json": filled} if for_programs else {"data": filled, "content_type": FIELDS}
    address = found.address(rule, method, act).partition("?")[0]
    return client.open(address, method=method, **sent, buffered=True).status_code


def usual(found: World, route: Route) -> dict[str, Any]:
    """What a route is filled in with, so that it reads on."""
    end = route[1].endpoint
    filled = dict((BODIES if end in BODIES else FORMS).get(end, {}))
    if end in ("cases.open_", "api.open_case"):
        filled["report"] = found.ids["report_id"]
    return filled


def wrong(found: World, who: str, route: Route) -> Iterator[tuple[str, int]]:
    """The fields whose text is no text that have a fault of ours come back, by turns, as far as more are read."""
    end, filled = route[1].endpoint, usual(found, route)
    Noted.read = set()
    ask(found, who, route, {}, filled)
    operation = OPERATIONS.get(end.removeprefix("api."))
    tried: set[str] = set()
    names = Noted.read | filled.keys() | (operation.query.model_fields.keys() if operation else set())
    while more := sorted((names | Noted.read) - tried):
        for name in more:
            tried.add(name)
            sent = ({name: NUL}, filled) if route[0] == "GET" else ({}, {**filled, name: NUL})
            status = ask(found, who, route, *sent)
            if status >= 500 and end != "health.ready":
                yield f"{who} {route[0]} {route[1].rule} {name}", status


def who_may(route: Route) -> str:
    """Who gets furthest with a route: nobody in particular, an admin, an arbiter, or the owner."""
    rule = route[1]
    if rule.endpoint.startswith("signing."):
        return ""
    if "/accounts" in rule.rule:
        return "admin"
    return "arbiter" if rule.endpoint in ("cases.judge", "api.case_decide", "api.case_ask") else "owner"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The world, made once."""
    with world(tmp_path_factory.mktemp("nul")) as one:
        yield one


def test_u8_no_text_in_any_field_is_a_fault_of_ours(found: World) -> None:
    every = routes(found.app).values()
    assert [one for route in every for one in wrong(found, who_may(route), route)] == []


def test_u8_a_text_that_the_database_does_not_keep_is_a_bad_request() -> None:
    refused = psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    assert status_of(DataError("", {}, refused)) == 400
    assert status_of(DataError("", {}, psycopg.DataError("division by zero"))) == 500
