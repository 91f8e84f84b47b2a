"""Opening the service for a command: what is wrong with its folder or its database is one sentence, not a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import click

from replay.cli.program import Refused
from replay.settings import Settings
from replay.wording import Words
from replay.wording.plain import visible

if TYPE_CHECKING:
    from replay.jobs.service import Bell, Service

LONGEST_REASON = 300
HIDDEN = "***"
SECRET_PARTS = ("password", "sslpassword", "passfile")


def opened(settings: Settings, words: Words, ring: "Bell | None" = None, *, newest: bool = True) -> "Service":
    """The service on these settings, its folder made and its database answering; it is closed with the command.

    ``newest`` asks for a database of this version; without it the tables are yet to be made. Raises `Refused` with
    the setting that cannot be used.
    """
    from replay.jobs.service import open_service, silent
    from replay.store.upgrade import check, revision

    need_broker(settings, words)
    with refusing(settings, words):
        service = open_service(settings, ring or silent, node=settings.node_name)
        click.get_current_context().call_on_close(service.engine.dispose)
        with TemporaryFile(dir=service.blobs.incoming):
            pass
        (check if newest else revision)(service.engine)
    return service


@contextmanager
def refusing(settings: Settings, words: Words) -> Iterator[None]:
    """Turn what the folder or the database cannot do into `Refused`, in the reader's words."""
    from sqlalchemy.exc import DBAPIError

    from replay.store.upgrade import ForeignRevision

    try:
        yield
    except ForeignRevision:
        raise Refused(words.say("serve.revision")) from None
    except ImportError as error:
        # Where only the library of PostgreSQL is lacking, psycopg raises one without a name.
        if error.name not in (None, "psycopg"):
            raise
        raise lacking(words, "REPLAY_DATABASE", "psycopg", "postgresql") from None
    except DBAPIError as error:
        url, why = told(settings, str(error.orig))
        name = "REPLAY_DATABASE" if settings.database else "REPLAY_DATA"
        raise Refused(words.say("serve.database", name=name, url=url, why=why)) from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise Refused(
            words.say("serve.folder", data=visible(settings.data, LONGEST_REASON), why=why)
        ) from None


def lacking(words: Words, name: str, package: str, extra: str) -> Refused:
    """The refusal for a setting whose Python package is not installed."""
    return Refused(words.say("serve.driver", name=name, package=package, extra=extra))


def need_broker(settings: Settings, words: Words) -> None:
    """Raise `Refused` for a broker whose Python package is not installed."""
    if settings.broker_url.startswith("redis") and find_spec("redis") is None:
        raise lacking(words, "REPLAY_BROKER", "redis", "redis")


def told(settings: Settings, why: str) -> tuple[str, str]:
    """The database's URL and the first line of what its driver says, neither with a password."""
    from sqlalchemy import make_url

    url = make_url(settings.database_url)
    for secret in (url.password, *(url.query.get(part) for part in SECRET_PARTS)):
        for one in (secret,) if isinstance(secret, str) else secret or ():
            why = why.replace(one, HIDDEN) if one else why
    plain = url.set(query={}).render_as_string(hide_password=True)
    return visible(plain, LONGEST_REASON), visible(why.strip().partition("\n")[0], LONGEST_REASON).rstrip(".")
