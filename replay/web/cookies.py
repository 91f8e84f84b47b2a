"""The cookie of a browser that is signed in: only over TLS, or to the machine itself (ASVS 3.3.1-3.3.4).

Over TLS it has a name that binds it to this host. A browser takes none of that name over plain HTTP, where it has
another name, and only on loopback: over plain HTTP on a network nobody can sign in.
"""

from flask import Response, request

from replay.web.hosts import is_loopback

OVER_TLS = "__Host-replay"
ON_LOOPBACK = "replay"


def cookie_name() -> str | None:
    """What the cookie is called on this connection; None where it may not be had."""
    if request.is_secure:
        return OVER_TLS
    return ON_LOOPBACK if is_loopback() else None


def held() -> str:
    """What the browser's cookie holds; "" where it has none."""
    name = cookie_name()
    return request.cookies.get(name, "") if name is not None else ""


def give(response: Response, secret: str) -> None:
    """Have the browser keep a secret until it is closed."""
    name = cookie_name()
    if name is None:
        raise RuntimeError("a cookie over plain HTTP")
    response.set_cookie(name, secret, secure=request.is_secure, httponly=True, samesite="Lax", path="/")


def take_back(response: Response) -> None:
    """Have the browser forget it."""
    name = cookie_name()
    if name is not None:
        response.delete_cookie(name, secure=request.is_secure, httponly=True, samesite="Lax", path="/")
