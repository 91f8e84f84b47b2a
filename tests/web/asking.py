"""Asking for pages as a browser does, and reading them."""

import re
from dataclasses import dataclass, field
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import TestResponse, encode_multipart

from replay.jobs.service import Service
from tests.jobs.working import work

ROOT = Path(__file__).parent.parent.parent
SAMPLES = ROOT / "sample_logs"
CHENGDU = SAMPLES / "chengdu"
NOBODY = "00000000-0000-4000-8000-000000000000"
"""An id that nothing has."""

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


def sample(name: str) -> bytes:
    """A sample log by folder and name."""
    return (SAMPLES / f"{name}.json").read_bytes()


def part(value: Any) -> Any:
    """A part of a form: text, or a stream and its name for a file."""
    return FileStorage(value[0], filename=value[1]) if isinstance(value, tuple) else value


@dataclass
class Browser:
    """A client that names its origin, and the service behind it."""

    client: FlaskClient
    service: Service
    headers: dict[str, str] = field(default_factory=lambda: dict(SAME_ORIGIN))

    def get(self, url: str, **headers: str) -> TestResponse:
        """The answer to a GET."""
        return self.client.get(url, headers=headers, buffered=True)

    def read(self, url: str) -> str:
        """The page at an address, which must be there."""
        answer = self.get(url)
        assert answer.status_code == 200, (url, answer.status_code, answer.text)
        return answer.text

    def post(self, url: str, **form: Any) -> TestResponse:
        """The answer to a form."""
        values = {
            name: [part(one) for one in (value if isinstance(value, list) else [value])]
            for name, value in form.items()
        }
        boundary, body = encode_multipart(MultiDict(values))
        kind = f'multipart/form-data; boundary="{boundary}"'
        return self.client.post(url, data=body, headers=self.headers, content_type=kind)

    def send(self, data: bytes, name: str = "game.json", **form: Any) -> TestResponse:
        """The answer to a file."""
        return self.post("/uploads", file=(BytesIO(data), name), **form)

    def upload(self, data: bytes, name: str = "game.json", **form: Any) -> str:
        """Send a file, have it audited; the address of its upload."""
        answer = self.send(data, name, **form)
        assert answer.status_code == 303, answer.text
        work(self.service)
        return answer.location

    def report(self, data: bytes, name: str = "game.json", **form: Any) -> str:
        """Send a file, have it audited; the address of its first report."""
        return links(self.read(self.upload(data, name, **form)), "/reports/")[0]


def links(page: str, beginning: str = "") -> list[str]:
    """The addresses that a page links to."""
    return [unescape(url) for url in re.findall(r'href="([^"]*)"', page) if url.startswith(beginning)]


def text_of(page: str) -> str:
    """What a page says, without its marks."""
    main = page.partition("<main")[2].partition("</main>")[0].partition(">")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def articles(page: str) -> list[str]:
    """What each finding on a report page says."""
    return [
        text_of(f"<main>{one}</main>")
        for one in re.findall(r'<article class="card finding.*?</article>', page, re.S)
    ]
