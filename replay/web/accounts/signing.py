"""Signing in and out, and making an account where anybody may (operations U10, ASVS 6.2, 6.3, 7.2)."""

from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for

from replay.store.accounts import BadAccount, authenticate, create, fold
from replay.store.attempts import SIGN_IN_ACCOUNT, SIGN_IN_ADDRESS, SIGN_UP, attempt
from replay.store.passwords import LONGEST, SHORTEST
from replay.store.signing_in import begin, end
from replay.store.tables.people import PLAYER
from replay.web.cookies import cookie_name, give, held, take_back
from replay.web.errors import answer
from replay.web.footing import service
from replay.web.gate import way_back
from replay.web.hosts import address
from replay.web.languages import stands_for, words
from replay.web.security import small_form
from replay.web.tries import too_often, too_often_words
from replay.web.viewer import came_in, public, viewer

pages = Blueprint("signing", __name__)


@pages.before_request
def only_with_accounts() -> Response | None:
    """There is nothing to sign in to without accounts, and nobody signs in where others can listen."""
    if not service().settings.accounts:
        abort(404)
    return answer(403, "403.plain") if cookie_name() is None else None


@pages.get("/sign-in")
@public
def form() -> Any:
    """The form for name and password; who is signed in goes on."""
    if viewer() is not None:
        return redirect(way_back(request.args.get("next", "")), 303)
    return sign_in_page()


def sign_in_page(problem: str = "") -> str:
    """The form, with why it came to nothing; the name that was entered stays."""
    if problem:
        stands_for(url_for(".form"))
    return render_template(
        "sign_in.html",
        problem=problem,
        name=request.form.get("name", ""),
        back=request.args.get("next"),
        sign_up=service().settings.sign_up,
    )


@pages.post("/sign-in")
@public
def sign_in() -> Response:
    """Sign a browser in: it gets a new cookie, whatever it had, and goes where it wanted to.

    An unknown name and a wrong password get the same answer after the same time. The eleventh try in a minute, from
    one address or for one name, is refused (429).
    """
    small_form()
    name, password = request.form.get("name", ""), request.form.get("password", "")
    engine, said = service().engine, words().say
    wait = attempt(engine, (SIGN_IN_ADDRESS, address()), (SIGN_IN_ACCOUNT, fold(name)))
    if wait:
        return too_often(sign_in_page(too_often_words(SIGN_IN_ACCOUNT, wait)), wait)
    found = authenticate(engine, name, password)
    if found is None:
        return make_response(sign_in_page(said("accounts.problem.wrong")), 422)
    if found.barred is not None:
        return make_response(sign_in_page(said("accounts.problem.barred")), 403)
    return signed_in(found.id, way_back(request.args.get("next", "")))


def signed_in(account_id: str, to: str) -> Response:
    """The way on for a browser that signs in as an account."""
    response = make_response(redirect(to, 303))
    give(response, begin(service().engine, account_id, before=held()))
    return response


@pages.post("/sign-out")
@public
def sign_out() -> Response:
    """Sign this browser out, as the service knows it and as the browser does."""
    found = came_in()
    if found is not None and found.sign_in is not None:
        end(service().engine, found.account.id, found.sign_in)
    response = make_response(redirect(url_for(".form"), 303))
    take_back(response)
    return response


@pages.get("/sign-up")
@public
def sign_up_form() -> str:
    """The form for an account of one's own, where anybody may make one (404)."""
    if not service().settings.sign_up:
        abort(404)
    return sign_up_page()


def sign_up_page(problem: str = "") -> str:
    """The form, with what is wrong with what was entered."""
    if problem:
        stands_for(url_for(".sign_up_form"))
    name = request.form.get("name", "")
    return render_template("sign_up.html", problem=problem, name=name, least=SHORTEST, most=LONGEST)


@pages.post("/sign-up")
@public
def sign_up() -> Response:
    """Make an account of a player and sign it in."""
    if not service().settings.sign_up:
        abort(404)
    small_form()
    password = request.form.get("password", "")
    if password != request.form.get("again", ""):
        return make_response(sign_up_page(words().say("accounts.problem.again")), 422)
    wait = attempt(service().engine, (SIGN_UP, address()))
    if wait:
        return too_often(sign_up_page(too_often_words(SIGN_UP, wait)), wait)
    try:
        made = create(service().engine, request.form.get("name", ""), PLAYER, password)
    except BadAccount as error:
        return make_response(sign_up_page(problem_words(error)), 422)
    return signed_in(made, url_for("uploads.index"))


def problem_words(error: BadAccount) -> str:
    """What is wrong with a name or a password, in words."""
    return words().say(f"accounts.{error.why}", least=SHORTEST, most=LONGEST)
