"""Operations T15, the forms: what is no form, or one that lies about itself, is refused with 4xx and leaves nothing."""

import socket
from collections.abc import Iterator

import pytest

from replay.jobs.service import Service
from replay.limits import MIB
from replay.store.tables import Upload
from tests.jobs.working import LOGS, rows

from .running import Client, service_of, variables, web

LINE = b"\r\n"
SOUND = LOGS[0]
MULTIPART = "multipart/form-data; boundary=x"


def part(head: str, data: bytes = SOUND) -> bytes:
    """A part of a form between its boundary and its end."""
    return b"--x\r\n" + head.encode() + LINE * 2 + data + LINE


def file(name: str = "a.json", data: bytes = SOUND) -> bytes:
    """A part that is a file."""
    return part(f'Content-Disposition: form-data; name="file"; filename="{name}"', data)


FIELD = 'Content-Disposition: form-data; name="{}"'
END = b"--x--\r\n"
FORMS = {
    "no form": ("application/json", SOUND, 415),
    "no type": ("", SOUND, 415),
    "a type of 10,000 characters": ("a/" + "b" * 10_000, SOUND, 415),
    "an empty form": (MULTIPART, END, 422),
    "no body": (MULTIPART, b"", 422),
    "no boundary named": ("multipart/form-data", file() + END, 422),
    "another boundary": ("multipart/form-data; boundary=y", file() + END, 422),
    "a boundary of 1,000 characters": (f"multipart/form-data; boundary={'x' * 1000}", file() + END, 422),
    "a part without a name": (MULTIPART, part("Content-Type: text/plain") + END, 422),
    "a file without a name": (MULTIPART, file("") + END, 422),
    "a form cut short": (MULTIPART, file()[:-200], 422),
    "10,000 parts": (MULTIPART, part(FIELD.format("text"), b"{}") * 10_000 + END, 413),
    "10,000 files": (MULTIPART, file("a", b"") * 10_000 + END, 413),
    "a field of 8 MiB": (MULTIPART, part(FIELD.format("profile"), b"x" * 8 * MIB) + END, 413),
    "a text of 8 MiB": (MULTIPART, part(FIELD.format("text"), b"x" * 8 * MIB) + END, 413),
    "a part whose head has 1 MiB": (MULTIPART, part(FIELD.format("x" * MIB)) + END, 422),
    "a rule set that nobody knows": (MULTIPART, file() + part(FIELD.format("profile"), b"casino") + END, 422),
    "a rule set that is a path": (
        MULTIPART,
        file() + part(FIELD.format("profile"), b"../../etc/passwd") + END,
        422,
    ),
    "a sample that is a path": (MULTIPART, part(FIELD.format("sample"), b"../../etc/passwd") + END, 422),
    "a sample with NUL": (MULTIPART, part(FIELD.format("sample"), b"chengdu/clean\0") + END, 422),
    "a query of 10 MiB": ("application/x-www-form-urlencoded", b"text=" + b"x" * 10 * MIB, 413),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Service]]:
    """The pages in a process of their own, and the service behind them."""
    environ = variables(tmp_path_factory.mktemp("forms") / "data", BROKER="none")
    service = service_of(environ)
    with web(environ) as port:
        yield port, service
    service.engine.dispose()


def nothing_left(service: Service) -> None:
    """No row and no file."""
    assert rows(service, Upload) == []
    assert not [path for path in service.blobs.folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("title", FORMS)
def test_t15_a_form_that_is_none_is_refused_and_leaves_nothing(
    served: tuple[int, Service], title: str
) -> None:
    port, service = served
    kind, body, status = FORMS[title]
    with Client(port) as client:
        headers = {"Sec-Fetch-Site": "same-origin", **({"Content-Type": kind} if kind else {})}
        assert client.ask("POST", "/uploads", body, **headers).status == status
    nothing_left(service)


def test_t15_more_than_an_upload_is_refused_or_cut_off_and_leaves_nothing(
    served: tuple[int, Service],
) -> None:
    port, service = served
    with Client(port) as client:
        try:
            assert client.send(b" " * 65 * MIB).status == 413
        except ConnectionError:
            # The server says so and hangs up, and does not read what is too much.
            with Client(port) as another:
                assert another.get("/healthz").status == 200
    nothing_left(service)


HEAD = (
    b"POST /uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: "
    + MULTIPART.encode()
)
WHOLE = file() + END
REQUESTS = {
    "a length below nought": (HEAD + b"\r\nContent-Length: -5" + LINE * 2 + WHOLE, 400),
    "a length that is no number": (HEAD + b"\r\nContent-Length: 1e3" + LINE * 2 + WHOLE, 400),
    "two lengths": (HEAD + b"\r\nContent-Length: 5\r\nContent-Length: 6" + LINE * 2 + WHOLE, 400),
    "a length of an exabyte": (HEAD + b"\r\nContent-Length: 1000000000000000000" + LINE * 2 + WHOLE, 413),
    "a length too short": (HEAD + b"\r\nContent-Length: 200" + LINE * 2 + WHOLE[:200], 422),
    "chunks that are none": (HEAD + b"\r\nTransfer-Encoding: chunked" + LINE * 2 + b"zz\r\n" + WHOLE, 400),
    "a chunk that goes on": (
        HEAD + b"\r\nTransfer-Encoding: chunked" + LINE * 2 + b"5\r\nhello more\r\n0\r\n\r\n",
        400,
    ),
    "a head of 300 KiB": (HEAD + b"\r\nX-More: " + b"x" * 300_000 + LINE * 2, 431),
    "a head without a colon": (HEAD + b"\r\nnothing" + LINE * 2, 400),
    "a path with NUL": (b"GET /uploads/%00 HTTP/1.1\r\nHost: 127.0.0.1" + LINE * 2, 404),
    "a path upward": (b"GET /static/..%2f..%2f..%2fetc/passwd HTTP/1.1\r\nHost: 127.0.0.1" + LINE * 2, 404),
    "another host": (b"GET / HTTP/1.1\r\nHost: evil.example" + LINE * 2, 400),
}


@pytest.mark.parametrize("title", REQUESTS)
def test_t15_a_request_that_lies_about_itself_is_refused_and_leaves_nothing(
    served: tuple[int, Service], title: str
) -> None:
    port, service = served
    request, status = REQUESTS[title]
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request)
        answer = connection.recv(4096)
    assert int(answer.split(b" ", 2)[1]) == status
    nothing_left(service)


def test_t15_a_form_in_chunks_is_taken_like_any_other(served: tuple[int, Service]) -> None:
    port, service = served
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(one), one) for one in (WHOLE[:99], WHOLE[99:])) + b"0\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(HEAD + b"\r\nTransfer-Encoding: chunked" + LINE * 2 + chunks)
        assert connection.recv(4096).split(b" ", 2)[1] == b"303"
    (row,) = rows(service, Upload)
    assert service.blobs.read(row.sha256) == SOUND
