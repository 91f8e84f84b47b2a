"""Who asks: the one user of a service without accounts, else whoever is signed in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from flask import abort, g, request

from replay.store.accounts import TO_CHANGE
from replay.store.signing_in import Entered, entered, entered_by
from replay.store.tables import Account
from replay.web.cookies import held
from replay.web.errors import answer
from replay.web.footing import service

LOCAL_ID = "local"
"""The owner of everything in a service without accounts."""

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Viewer:
    """Someone who asks: ``id`` is what they own things by, ``role`` is player, arbiter, admin, or local."""

    id: str
    name: str
    role: str


LOCAL = Viewer(LOCAL_ID, "", "local")


def public(view: View) -> View:
    """Let a page be seen by those who are not signed in: without this beside its route it is not."""
    cast(Any, view).is_public = True
    return view


def bearer() -> str | None:
    """The token that a program asks with; None where it names none."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


def came_in() -> Entered | None:
    """How whoever asks came in: by a token where the request names one, else by a cookie; None without accounts."""
    if "came_in" not in g:
        token, engine = bearer(), service().engine
        if not service().settings.accounts:
            g.came_in = None
        elif token is not None:
            g.came_in = entered_by(engine, token)
        else:
            secret = held()
            g.came_in = entered(engine, secret) if secret else None
    return cast(Entered | None, g.came_in)


def viewer() -> Viewer | None:
    """Who asks; None for someone who is not signed in."""
    if "viewer" not in g:
        if service().settings.accounts:
            found = came_in()
            account = found.account if found is not None else None
            g.viewer = Viewer(account.id, account.name, account.role) if account is not None else None
        else:
            g.viewer = LOCAL
    return cast(Viewer | None, g.viewer)


def user() -> Viewer:
    """Who asks, who must be signed in (401)."""
    return viewer() or abort(401)


def owner() -> str:
    """What the things of whoever asks are owned by (401 for someone who is not signed in)."""
    return user().id


def require(*roles: str) -> Viewer:
    """Who asks, who must have one of these roles (401, 403)."""
    asks = user()
    if asks.role not in roles:
        abort(answer(403, "403.role"))
    return asks


def account_here() -> tuple[Account, str]:
    """The account that sits at this browser, and its sign-in: a token may not do what this is asked for (401, 403)."""
    found = came_in() or abort(401)
    if found.sign_in is None:
        abort(answer(403, "403.token"))
    return found.account, found.sign_in


def must_change() -> bool:
    """Whether whoever asks has a password that somebody else set."""
    found = came_in()
    return found is not None and found.account.password_at == TO_CHANGE
