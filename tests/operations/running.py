"""The service as its keeper runs it: processes of their own, asked over HTTP."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from replay.jobs.queue import waiting
from replay.jobs.service import Service, open_service
from replay.settings import settings_from
from replay.store.upgrade import upgrade

UNLIMITED = {"UPLOADS_AN_HOUR": "0", "QUOTA_BYTES": "0"}
"""A test uploads faster than a person."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, where it leads to, the page; ``seconds`` is how long it took."""

    status: int
    location: str
    text: str
    seconds: float
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def upload(self) -> str:
        """The id of the upload that it leads to."""
        return self.location.partition("?")[0].rpartition("/")[2]


def form(name: str, data: bytes) -> tuple[str, bytes]:
    """A form with one file: its content type and its body."""
    boundary = uuid4().hex
    head = (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return (
        f"multipart/form-data; boundary={boundary}",
        head.encode() + data + f"\r\n--{boundary}--\r\n".encode(),
    )


class Client:
    """One keep-alive connection to the pages, as a browser has it."""

    def __init__(self, port: int, timeout: float = 60) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """The answer to one request."""
        began = time.monotonic()
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        text = response.read().decode()
        took = time.monotonic() - began
        given = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, given.get("location", ""), text, took, given)

    def get(self, path: str) -> Answer:
        """The answer to a GET."""
        return self.ask("GET", path)

    def send(self, data: bytes, name: str = "game.json") -> Answer:
        """The answer to a file that is uploaded."""
        kind, body = form(name, data)
        return self.ask("POST", "/uploads", body, **{"Content-Type": kind, "Sec-Fetch-Site": "same-origin"})

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def upload_all(port: int, logs: Sequence[bytes], clients: int) -> list[Answer]:
    """Each log uploaded as a file of its number, by so many clients at once; the answers in their order."""
    answers: list[Answer | None] = [None] * len(logs)

    def send(first: int) -> None:
        with Client(port) as client:
            for number in range(first, len(logs), clients):
                answers[number] = client.send(logs[number], f"{number}.json")

    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(send, range(clients)))
    return [answer for answer in answers if answer is not None]


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def variables(data: Path, **more: str) -> dict[str, str]:
    """The environment of a service in this folder, whatever this process's own variables say."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("REPLAY_")}
    given = {"DATA": str(data), **UNLIMITED, **more}
    return {**ours, **{f"REPLAY_{name}": value for name, value in given.items()}}


def service_of(environ: Mapping[str, str]) -> Service:
    """The service of that environment, its tables made."""
    service = open_service(settings_from(environ), node="test")
    upgrade(service.engine)
    return service


@contextmanager
def running(
    words: Sequence[str], environ: Mapping[str, str], before: Callable[[], None] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A `replay` process; ``before`` is done in it first. It is gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "replay", *words],
        env=dict(environ),
        preexec_fn=before,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(35)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def web(environ: Mapping[str, str], before: Callable[[], None] | None = None) -> Iterator[int]:
    """The pages in a process of their own; gives their port once they answer."""
    port = free_port()
    with running(["web"], {**environ, "REPLAY_PORT": str(port)}, before) as process:

        def answers() -> bool:
            assert process.poll() is None, f"the web process ended with {process.returncode}"
            try:
                with Client(port, 5) as client:
                    return client.get("/healthz").status == 200
            except OSError:
                return False

        until(answers, 20)
        yield port


def until(done: Callable[[], bool], seconds: float) -> float:
    """Wait for something to be so; returns the seconds it took."""
    began = time.monotonic()
    while not done():
        assert time.monotonic() - began < seconds, f"not so within {seconds} s"
        time.sleep(0.2)
    return time.monotonic() - began


def idle(service: Service) -> bool:
    """Whether no job waits or runs."""
    return not waiting(service)
