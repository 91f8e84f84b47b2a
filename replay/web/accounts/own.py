"""One's own account: its password, where it is signed in, its tokens, what it has here, and closing it."""

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for

from replay.store.accounts import BadAccount, set_password
from replay.store.attempts import EXPORT, PASSWORD, TOKENS, attempt
from replay.store.database import writing
from replay.store.exporting import export
from replay.store.passwords import LONGEST, SHORTEST, fits
from replay.store.removing import AtWork, close_account, kept_by_cases
from replay.store.signing_in import (
    MOST_TOKENS,
    TooMany,
    begin,
    end,
    end_all,
    make_token,
    revoke,
    revoke_all,
    sign_ins_of,
    tokens_of,
)
from replay.store.tables import Account
from replay.web.accounts.signing import problem_words
from replay.web.cookies import give, held, take_back
from replay.web.footing import service
from replay.web.languages import stands_for, words
from replay.web.security import NEVER_KEPT, small_form
from replay.web.tries import too_often, too_often_words
from replay.web.viewer import account_here, must_change
from replay.wording.plain import clean_name

pages = Blueprint("account", __name__, url_prefix="/account")

DAY_MS = 24 * 3_600_000
LASTS: dict[str, int | None] = {"30": 30 * DAY_MS, "90": 90 * DAY_MS, "365": 365 * DAY_MS, "": None}
"""How long a token may last, by the value of the form: days, or without end."""

KEPT_SHOWN = 20


@pages.before_request
def only_with_accounts() -> None:
    """The one user of a service without accounts has none."""
    if not service().settings.accounts:
        abort(404)


@pages.after_request
def keep_nothing(response: Response) -> Response:
    """No browser keeps a page with a secret on it."""
    response.headers["Cache-Control"] = NEVER_KEPT
    return response


@pages.get("")
def show() -> str:
    """The account: what it is, where it is signed in, which tokens it has."""
    return page()


def page(problem: str = "", token: str = "") -> str:
    """The page of the account, with what is wrong with a form, or a token that is shown this once."""
    account, here = account_here()
    if request.method == "POST":
        stands_for(url_for(".show"))
    return render_template(
        "account.html",
        account=account,
        sign_ins=sign_ins_of(service().engine, account.id),
        here=here,
        tokens=tokens_of(service().engine, account.id),
        lasts=LASTS,
        token=token,
        problem=problem,
        done=request.args.get("done", ""),
    )


def back(done: str) -> Response:
    """To the page of the account, which says what was done."""
    return make_response(redirect(url_for(".show", done=done), 303))


# Password --------------------------------------------------------------------------------------------


@pages.get("/password")
def password() -> str:
    """The form for another password."""
    return password_page()


def password_page(problem: str = "") -> str:
    """The form, with what is wrong with what was entered."""
    account, _ = account_here()
    if request.method == "POST":
        stands_for(url_for(".password"))
    return render_template(
        "account_password.html",
        problem=problem,
        name=account.name,
        must=must_change(),
        tokens=len(tokens_of(service().engine, account.id)),
        least=SHORTEST,
        most=LONGEST,
    )


@pages.post("/password")
def change_password() -> Response:
    """Take another password; this browser gets a new cookie, and all others are signed out (ASVS 7.2.4, 7.4.3)."""
    small_form()
    account, _ = account_here()
    form, said = request.form, words().say
    problem = confirmed(account, form.get("current", ""))
    if isinstance(problem, int):
        return too_often(password_page(too_often_words(PASSWORD, problem)), problem)
    if not problem and form.get("password", "") != form.get("again", ""):
        problem = said("accounts.problem.again")
    if problem:
        return make_response(password_page(problem), 422)
    try:
        set_password(service().engine, account, form.get("password", ""))
    except BadAccount as error:
        return make_response(password_page(problem_words(error)), 422)
    response = back("password")
    give(response, begin(service().engine, account.id, before=held()))
    return response


def confirmed(account: Account, given: str) -> str | int:
    """ "" where this is the account's password, else what is wrong, or how long to wait before the next try."""
    wait = attempt(service().engine, (PASSWORD, account.id))
    if wait:
        return wait
    return "" if fits(account.password, given) else words().say("accounts.problem.current")


# Where it is signed in -------------------------------------------------------------------------------


@pages.post("/sign-ins")
def sign_out_elsewhere() -> Response:
    """Sign another browser out, or all others."""
    small_form()
    account, here = account_here()
    asked = request.form.get("sign_in", "")
    if asked == "others":
        end_all(service().engine, account.id, keep=here)
    elif asked != here and asked in {one.id for one in sign_ins_of(service().engine, account.id)}:
        end(service().engine, account.id, asked)
    else:
        return back("")
    return back("sign_ins")


# Tokens ----------------------------------------------------------------------------------------------


@pages.post("/tokens")
def new_token() -> Response:
    """Make a token and show it, this once."""
    small_form()
    account, _ = account_here()
    name, lasts = clean_name(request.form.get("name", "")), request.form.get("lasts", "90")
    if not name or lasts not in LASTS:
        return make_response(page(words().say("accounts.problem.token_name")), 422)
    wait = attempt(service().engine, (TOKENS, account.id))
    if wait:
        return too_often(page(too_often_words(TOKENS, wait)), wait)
    try:
        token = make_token(service().engine, account.id, name, LASTS[lasts])
    except TooMany:
        return make_response(page(words().say("accounts.problem.tokens", n=MOST_TOKENS)), 422)
    return make_response(page(token=token))


@pages.post("/tokens/<uuid:token_id>/revoke")
def revoke_token(token_id: UUID) -> Response:
    """Let a token be good for nothing."""
    account, _ = account_here()
    if not revoke(service().engine, account.id, str(token_id)):
        abort(404)
    return back("token")


@pages.post("/tokens/revoke")
def revoke_tokens() -> Response:
    """Let all tokens be good for nothing."""
    account, _ = account_here()
    with writing(service().engine) as session:
        revoke_all(session, account.id)
    return back("tokens")


# What it has here ------------------------------------------------------------------------------------


@pages.get("/export.zip")
def export_all() -> Response:
    """All that the account has here, as a zip (429 where it is asked for too often)."""
    account, _ = account_here()
    wait = attempt(service().engine, (EXPORT, account.id))
    if wait:
        return too_often(page(too_often_words(EXPORT, wait)), wait)
    response = Response(export(service().engine, service().blobs, account.id), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="replay-{account.id}.zip"'
    return response


@pages.get("/close")
def closing() -> str:
    """What closing the account removes, what stays and why, and the form that does it."""
    return closing_page()


def closing_page(problem: str = "") -> str:
    """The same, with why it was not closed."""
    account, _ = account_here()
    if request.method == "POST":
        stands_for(url_for(".closing"))
    kept = kept_by_cases(service().engine, account.id)
    return render_template(
        "account_close.html", problem=problem, kept=kept[:KEPT_SHOWN], more=max(len(kept) - KEPT_SHOWN, 0)
    )


@pages.post("/close")
def close() -> Any:
    """Close the account, for whoever knows its password."""
    small_form()
    account, _ = account_here()
    problem = confirmed(account, request.form.get("current", ""))
    if isinstance(problem, int):
        return too_often(closing_page(too_often_words(PASSWORD, problem)), problem)
    if problem:
        return make_response(closing_page(problem), 422)
    try:
        kept = close_account(service().engine, service().blobs, account.id)
    except AtWork:
        return make_response(closing_page(words().say("accounts.problem.at_work")), 409)
    except BadAccount as error:
        return make_response(closing_page(problem_words(error)), 409)
    response = make_response(render_template("account_closed.html", kept=len(kept), asks=None))
    take_back(response)
    return response
