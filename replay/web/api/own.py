"""One's own account: its password, where it is signed in, all that it has here, closing it.

A token gives no power over an account: only a browser that is signed in may ask for any of this (403).
"""

from typing import Annotated

from flask import Response, abort, make_response
from pydantic import Field

from replay.store.accounts import BadAccount, set_password
from replay.store.attempts import EXPORT, PASSWORD, attempt
from replay.store.database import writing
from replay.store.exporting import export
from replay.store.passwords import LONGEST
from replay.store.removing import AtWork, close_account
from replay.store.signing_in import begin, end, end_all, revoke_all, sign_ins_of
from replay.store.tables import Account
from replay.web.accounts.own import confirmed
from replay.web.accounts.signing import problem_words
from replay.web.api.accounts import ACCOUNTS, with_accounts
from replay.web.api.models import Asked, Moment, Told
from replay.web.api.operations import Media, operation
from replay.web.api.problems import Refused, too_often
from replay.web.cookies import give, held, take_back
from replay.web.footing import service
from replay.web.languages import words
from replay.web.viewer import account_here

ZIP = Media(("application/zip",))
Password = Annotated[str, Field(max_length=4 * LONGEST)]


class SignInTold(Told):
    """A browser that is signed in; ``here`` is the one that asks."""

    id: str
    created: Moment
    seen: Moment
    expires: Moment
    here: bool


class SignInList(Told):
    """The browsers that are signed in, the newest first."""

    items: list[SignInTold]


class PasswordAsked(Asked):
    """The present password, and the one that is to be."""

    current: Password
    password: Password


class CloseAsked(Asked):
    """The present password."""

    current: Password


def mine() -> tuple[Account, str]:
    """The account that sits at this browser, and its sign-in (403); there are none without accounts (404)."""
    with_accounts()
    return account_here()


def confirm(account: Account, given: str) -> None:
    """Go on where this is the account's password. Raises `Refused`."""
    problem = confirmed(account, given)
    if isinstance(problem, int):
        raise too_often(PASSWORD, problem)
    if problem:
        raise Refused(422, "422.account", detail=problem)


@operation("GET", "/me/sign-ins", SignInList, tag=ACCOUNTS, rare=(403, 404))
def sign_ins() -> SignInList:
    """Where you are signed in."""
    account, here = mine()
    return SignInList(
        items=[
            SignInTold(
                id=one.id, created=one.created, seen=one.seen, expires=one.expires, here=one.id == here
            )
            for one in sign_ins_of(service().engine, account.id)
        ]
    )


@operation("DELETE", "/me/sign-ins", tag=ACCOUNTS, statuses=(204,), rare=(404,))
def end_others() -> None:
    """Sign all other browsers out."""
    account, here = mine()
    end_all(service().engine, account.id, keep=here)


@operation("DELETE", "/me/sign-ins/<sign_in>", tag=ACCOUNTS, statuses=(204,))
def end_sign_in(sign_in: str) -> None:
    """Sign a browser out, be it the one that asks."""
    account, _ = mine()
    if sign_in not in {one.id for one in sign_ins_of(service().engine, account.id)}:
        abort(404)
    end(service().engine, account.id, sign_in)


@operation("POST", "/me/password", tag=ACCOUNTS, statuses=(204,), body=PasswordAsked, rare=(404, 429))
def my_password(body: PasswordAsked) -> Response:
    """Take another password; this browser gets a new cookie, all others are signed out, and tokens stay good."""
    account, _ = mine()
    confirm(account, body.current)
    try:
        set_password(service().engine, account, body.password)
    except BadAccount as error:
        raise Refused(422, "422.account", detail=problem_words(error)) from None
    response = make_response("", 204)
    give(response, begin(service().engine, account.id, before=held()))
    return response


@operation("DELETE", "/tokens", tag=ACCOUNTS, statuses=(204,), rare=(404,))
def revoke_tokens() -> None:
    """Let all your tokens be good for nothing."""
    account, _ = mine()
    with writing(service().engine) as session:
        revoke_all(session, account.id)


@operation("GET", "/me/export", ZIP, tag=ACCOUNTS, rare=(403, 404, 429))
def my_export() -> Response:
    """All that you have here, as a zip."""
    account, _ = mine()
    wait = attempt(service().engine, (EXPORT, account.id))
    if wait:
        raise too_often(EXPORT, wait)
    response = Response(export(service().engine, service().blobs, account.id), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="replay-{account.id}.zip"'
    return response


@operation("POST", "/me/close", tag=ACCOUNTS, statuses=(204,), body=CloseAsked, rare=(404, 409, 429))
def my_closing(body: CloseAsked) -> Response:
    """Close your account: what it has goes, but what cases need."""
    account, _ = mine()
    confirm(account, body.current)
    try:
        close_account(service().engine, service().blobs, account.id)
    except AtWork:
        raise Refused(409, "409.account", detail=words().say("accounts.problem.at_work")) from None
    except BadAccount as error:
        raise Refused(409, "409.account", detail=problem_words(error)) from None
    response = make_response("", 204)
    take_back(response)
    return response
