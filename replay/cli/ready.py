"""Whether the port is free before the service starts; and saying, once it answers, where, with a hand to look at."""

import errno
import socket
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread

import click

from replay.cli.program import Refused
from replay.settings import Settings
from replay.wording import Words

LOOK_SECONDS = 0.2
PATIENCE = 5.0
"""Seconds to wait for one answer."""


def free_port(settings: Settings, words: Words) -> int:
    """The port to listen on, any that is free for 0. Raises `Refused` where it is taken or not ours to use."""
    host, port = settings.host, settings.port
    try:
        for family, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            with socket.create_server((str(address[0]), port), family=family) as held:
                port = held.getsockname()[1]
    except OSError as error:
        key = "taken" if error.errno == errno.EADDRINUSE else "no_port"
        raise Refused(
            words.say(f"serve.{key}", host=host, port=port, why=(error.strerror or "").partition(" (")[0])
        ) from None
    return port


def address(settings: Settings) -> str:
    """Where a browser finds the service, with a slash at its end."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}/"


def answers(settings: Settings) -> bool:
    """Whether the pages are served."""
    connection = HTTPConnection(settings.host, settings.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def tell(settings: Settings, words: Words, hand: Callable[[], str | None] | None, stop: Event) -> Thread:
    """Say, in a thread of its own, when the pages are served; and then where ``hand`` is, once it has a path."""

    def watch() -> None:
        while not answers(settings):
            if stop.wait(LOOK_SECONDS):
                return
        click.echo(words.say("serve.ready", url=address(settings)))
        while hand is not None and not stop.wait(LOOK_SECONDS):
            path = hand()
            if path:
                click.echo(words.say("serve.sample", url=address(settings) + path))
                return

    thread = Thread(target=watch, name="ready", daemon=True)
    thread.start()
    return thread
