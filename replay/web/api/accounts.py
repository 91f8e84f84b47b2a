"""Accounts: who asks, tokens, and for admins all of them.

What gives power over an account is done by whoever sits at a browser, as on the pages: a token gets 403.
"""

from collections.abc import Callable
from typing import Annotated, Literal, cast
from uuid import UUID

from flask import abort
from pydantic import Field

from replay.store import accounts as store
from replay.store.accounts import BadAccount
from replay.store.attempts import TOKENS, attempt
from replay.store.passwords import generated
from replay.store.signing_in import MOST_TOKENS, TooMany, make_token, revoke, tokens_of
from replay.store.tables import Account
from replay.store.tables.people import ADMIN
from replay.web.accounts.own import LASTS
from replay.web.accounts.signing import problem_words
from replay.web.api.models import Asked, Id, Listing, Moment, Paged, Told
from replay.web.api.operations import operation
from replay.web.api.paging import page_of
from replay.web.api.problems import Refused, too_often
from replay.web.footing import service
from replay.web.languages import words
from replay.web.viewer import account_here, require, user
from replay.wording.plain import clean_name

ACCOUNTS = "accounts"
Role = Literal["player", "arbiter", "admin"]


class Me(Told):
    """Who asks; without accounts there is one user, whose role is ``local``."""

    id: str
    name: str
    role: Literal["player", "arbiter", "admin", "local"]


class TokenTold(Told):
    """A token of yours; the token itself is told only once."""

    id: Id
    name: str
    created: Moment
    expires: Moment | None
    used: Moment | None


class TokenList(Told):
    """Your tokens that are good."""

    items: list[TokenTold]


class TokenMade(Told):
    """A new token, which is told only now."""

    token: str


class TokenAsked(Asked):
    """What a token is called, and how many days it lasts."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    lasts: Literal["30", "90", "365", "never"] = "90"


class AccountTold(Told):
    """An account; ``barred`` since when it may not sign in."""

    id: Id
    name: str
    role: Role
    created: Moment
    barred: Moment | None


class AccountList(Listing):
    """Accounts by name."""

    items: list[AccountTold]


class AccountMade(AccountTold):
    """A new account with its first password, which is told only now and is to be changed."""

    password: str


class AccountQuery(Paged):
    """Which accounts: those with a text in their name, those of a role."""

    name: Annotated[str, Field(max_length=64)] = ""
    role: Role | None = None


class AccountAsked(Asked):
    """The name and the role of a new account."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    role: Role


class AccountChanged(Asked):
    """What is to be another: the role, or whether it may sign in."""

    role: Role | None = None
    barred: bool | None = None


@operation("GET", "/me", Me, tag=ACCOUNTS)
def me() -> Me:
    """Who asks."""
    asks = user()
    role = cast(Literal["player", "arbiter", "admin", "local"], asks.role)
    return Me(id=asks.id, name=asks.name, role=role)


# Tokens ----------------------------------------------------------------------------------------------


def with_accounts() -> None:
    """There are none without accounts (404)."""
    if not service().settings.accounts:
        abort(404)


@operation("GET", "/tokens", TokenList, tag=ACCOUNTS, rare=(404,))
def tokens() -> TokenList:
    """Your tokens."""
    with_accounts()
    found = tokens_of(service().engine, user().id)
    return TokenList(
        items=[
            TokenTold(id=one.id, name=one.name, created=one.created, expires=one.expires, used=one.used)
            for one in found
        ]
    )


@operation("POST", "/tokens", TokenMade, tag=ACCOUNTS, statuses=(201,), body=TokenAsked, rare=(404, 409, 429))
def new_token(body: TokenAsked) -> tuple[TokenMade, int]:
    """Make a token; only from a browser that is signed in."""
    with_accounts()
    account, _ = account_here()
    name = clean_name(body.name)
    if not name:
        raise Refused(422, "422.account", detail=words().say("accounts.problem.token_name"))
    wait = attempt(service().engine, (TOKENS, account.id))
    if wait:
        raise too_often(TOKENS, wait)
    lasts = LASTS["" if body.lasts == "never" else body.lasts]
    try:
        return TokenMade(token=make_token(service().engine, account.id, name, lasts)), 201
    except TooMany:
        said = words().say("accounts.problem.tokens", n=MOST_TOKENS)
        raise Refused(409, "409.account", detail=said) from None


@operation("DELETE", "/tokens/<uuid:token_id>", tag=ACCOUNTS, statuses=(204,))
def revoke_token(token_id: UUID) -> None:
    """Let a token be good for nothing, be it the one that asks."""
    with_accounts()
    if not revoke(service().engine, user().id, str(token_id)):
        abort(404)


# All accounts ----------------------------------------------------------------------------------------


def only_admins() -> None:
    """Only an admin who sits at a browser keeps accounts (403); there are none without accounts (404)."""
    with_accounts()
    require(ADMIN)
    account_here()


def account_or_404(account_id: object) -> Account:
    """The account of this id."""
    return store.by_id(service().engine, str(account_id)) or abort(404)


def facts(one: Account) -> AccountTold:
    """An account."""
    role = cast(Role, one.role)
    return AccountTold(id=one.id, name=one.name, role=role, created=one.created, barred=one.barred)


@operation("GET", "/accounts", AccountList, tag=ACCOUNTS, query=AccountQuery, rare=(403, 404))
def accounts(query: AccountQuery) -> AccountList:
    """The accounts of the service, for an admin."""
    only_admins()
    asked = store.Asked(query.name, query.role or "")
    found = store.listed(service().engine, asked, query.first, query.size)
    return AccountList(
        items=[facts(one) for one in found], **page_of(query, store.count(service().engine, asked))
    )


@operation(
    "POST", "/accounts", AccountMade, tag=ACCOUNTS, statuses=(201,), body=AccountAsked, rare=(404, 409)
)
def new_account(body: AccountAsked) -> tuple[AccountMade, int]:
    """Make an account with a password that is to be changed by whom it is told; for an admin."""
    only_admins()
    password = generated()
    made: list[str] = []
    done(lambda: made.append(store.create(service().engine, body.name, body.role, password, own=False)))
    told = facts(account_or_404(made[0]))
    return AccountMade(**told.model_dump(), password=password), 201


@operation("GET", "/accounts/<uuid:account_id>", AccountTold, tag=ACCOUNTS, rare=(403,))
def account(account_id: UUID) -> AccountTold:
    """One account, for an admin."""
    only_admins()
    return facts(account_or_404(account_id))


@operation(
    "PATCH", "/accounts/<uuid:account_id>", AccountTold, tag=ACCOUNTS, body=AccountChanged, rare=(409,)
)
def change_account(account_id: UUID, body: AccountChanged) -> AccountTold:
    """Give an account a role, bar it or let it in again; for an admin."""
    only_admins()
    found, engine = account_or_404(account_id), service().engine
    if body.role is not None:
        role = body.role
        done(lambda: store.set_role(engine, found.id, role))
    if body.barred is not None:
        change = store.bar if body.barred else store.unbar
        done(lambda: change(engine, found.id))
    return facts(account_or_404(account_id))


def done(doing: Callable[[], None]) -> None:
    """Do something with an account. Raises `Refused` (409) where it cannot be."""
    try:
        doing()
    except BadAccount as error:
        raise Refused(409, "409.account", detail=problem_words(error)) from None
