"""The accounts of a service, for its admins: made, given a role, barred, given a new password."""

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for

from replay.store import accounts as store
from replay.store.accounts import Asked, BadAccount
from replay.store.passwords import generated
from replay.store.tables import Account
from replay.store.tables.people import ADMIN, PLAYER, ROLES
from replay.web.accounts.signing import problem_words
from replay.web.footing import service
from replay.web.languages import stands_for
from replay.web.pager import pager
from replay.web.security import NEVER_KEPT, small_form
from replay.web.viewer import account_here, require

pages = Blueprint("accounts", __name__, url_prefix="/accounts")

ACCOUNTS_A_PAGE = 50


@pages.before_request
def only_admins() -> None:
    """There are none to keep without accounts (404), and only an admin who sits at a browser keeps them (403)."""
    if not service().settings.accounts:
        abort(404)
    require(ADMIN)
    account_here()


@pages.after_request
def keep_nothing(response: Response) -> Response:
    """No browser keeps a page with a password on it."""
    response.headers["Cache-Control"] = NEVER_KEPT
    return response


@pages.get("")
def index() -> str:
    """The accounts by name: all, or those of a role or with a text in their name; and the form for a new one."""
    return listing()


def listing(problem: str = "") -> str:
    """The same, with what is wrong with the account that was to be made."""
    if problem:
        stands_for(url_for(".index"))
    role = request.args.get("role", "")
    asked = Asked(request.args.get("name", "")[: store.LONGEST_NAME], role if role in ROLES else "")
    total = store.count(service().engine, asked)
    cut = pager(total, ACCOUNTS_A_PAGE)
    return render_template(
        "accounts.html",
        asked=asked,
        total=total,
        found=store.listed(service().engine, asked, cut.first, cut.most),
        pager=cut,
        roles=ROLES,
        name=request.form.get("name", ""),
        chosen=request.form.get("role", PLAYER),
        problem=problem,
    )


@pages.post("")
def make() -> Response:
    """Make an account with a password that is shown once, and is to be changed by whom it is told."""
    small_form()
    role, password = request.form.get("role", ""), generated()
    if role not in ROLES:
        abort(422)
    try:
        made = store.create(service().engine, request.form.get("name", ""), role, password, own=False)
    except BadAccount as error:
        return make_response(listing(problem_words(error)), 422)
    return make_response(account_page(account_or_404(made), password=password))


def account_or_404(account_id: object) -> Account:
    """The account of this id."""
    return store.by_id(service().engine, str(account_id)) or abort(404)


@pages.get("/<uuid:account_id>")
def show(account_id: UUID) -> str:
    """One account, and what an admin can do with it."""
    return account_page(account_or_404(account_id))


def account_page(account: Account, problem: str = "", password: str = "") -> str:
    """The same, with why something was not done, or a password that is shown this once."""
    if request.method == "POST":
        stands_for(url_for(".show", account_id=account.id))
    return render_template(
        "accounts_one.html",
        account=account,
        roles=ROLES,
        problem=problem,
        password=password,
        done=request.args.get("done", ""),
    )


@pages.post("/<uuid:account_id>/role")
def give_role(account_id: UUID) -> Any:
    """Give an account a role; where it is another, its browsers are signed out."""
    small_form()
    account, role = account_or_404(account_id), request.form.get("role", "")
    if role not in ROLES:
        abort(422)
    return done(account, "role", lambda: store.set_role(service().engine, account.id, role))


@pages.post("/<uuid:account_id>/bar")
def bar(account_id: UUID) -> Any:
    """Let an account sign in no more."""
    account = account_or_404(account_id)
    return done(account, "barred", lambda: store.bar(service().engine, account.id))


@pages.post("/<uuid:account_id>/unbar")
def unbar(account_id: UUID) -> Any:
    """Let an account sign in again."""
    account = account_or_404(account_id)
    return done(account, "unbarred", lambda: store.unbar(service().engine, account.id))


def done(account: Account, what: str, doing: Any) -> Response:
    """Do something with an account; its page says that it was done, or why it was not (409)."""
    try:
        doing()
    except BadAccount as error:
        return make_response(account_page(account, problem_words(error)), 409)
    return make_response(redirect(url_for(".show", account_id=account.id, done=what), 303))


@pages.post("/<uuid:account_id>/password")
def reset_password(account_id: UUID) -> Response:
    """Give an account a password that is shown once; its browsers are signed out and its tokens end."""
    account, password = account_or_404(account_id), generated()
    store.set_password(service().engine, account, password, own=False, tokens=False)
    return make_response(account_page(account_or_404(account_id), password=password))
