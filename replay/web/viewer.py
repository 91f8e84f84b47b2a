"""Who asks: the one user of a service without accounts, else whoever is signed in."""

from dataclasses import dataclass
from typing import cast

from flask import abort, g

LOCAL_ID = "local"
"""The owner of everything in a service without accounts."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Someone who asks: ``id`` is what they own things by, ``role`` is player, arbiter, admin, or local."""

    id: str
    name: str
    role: str


LOCAL = Viewer(LOCAL_ID, "", "local")


def viewer() -> Viewer | None:
    """Who asks; None for someone who is not signed in."""
    if "viewer" not in g:
        g.viewer = LOCAL
    return cast(Viewer | None, g.viewer)


def user() -> Viewer:
    """Who asks, who must be signed in (401)."""
    return viewer() or abort(401)


def owner() -> str:
    """What the things of whoever asks are owned by (401 for someone who is not signed in)."""
    return user().id
