"""Asking the interface as a program does, each answer held to the document."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

from replay.jobs.service import Service
from replay.web.api import OPERATIONS
from tests.jobs.working import work

from .asking import Browser

V1 = "/api/v1"


@dataclass
class Program:
    """A client without cookies that names no origin, as `curl` does; ``token`` is what it signs in with."""

    client: FlaskClient
    service: Service
    token: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The description of the interface."""
        found: dict[str, Any] = self.client.get(f"{V1}/openapi.json").get_json()
        return found

    @cached_property
    def registry(self) -> Any:
        """The description, for references to be followed in."""
        return Registry().with_resource("urn:api", DRAFT202012.create_resource(self.document))

    def ask(
        self, name: str, *, body: Any = None, data: bytes | None = None, query: Any = None, **more: Any
    ) -> TestResponse:
        """The answer of an operation, which must be one that the document describes.

        ``more`` are the places of its path; ``kind`` is the type of ``data``.
        """
        kind = more.pop("kind", "application/json")
        made = OPERATIONS[name]
        sent: dict[str, Any] = {"json": body} if data is None and body is not None else {}
        sent = {"data": data, "content_type": kind} if data is not None else sent
        authorized = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self.client.open(
            V1 + made.path.format(**more),
            method=made.method,
            query_string=query,
            headers={**self.headers, **authorized},
            **sent,
        )
        self.hold(name, answer)
        return answer

    def hold(self, name: str, answer: TestResponse) -> None:
        """An answer is what the document says of its operation."""
        made = OPERATIONS[name]
        described = self.document["paths"][V1 + made.path][made.method.lower()]["responses"]
        assert str(answer.status_code) in described, (name, answer.status_code, answer.text)
        content = described[str(answer.status_code)].get("content")
        if content is None:
            assert answer.data == b"", name
            return
        assert answer.mimetype in content, (name, answer.mimetype)
        if (answer.mimetype or "").endswith("json"):
            shape = self.resolved(content[answer.mimetype]["schema"])
            problems = list(
                Draft202012Validator(shape, registry=self.registry).iter_errors(answer.get_json())
            )
            assert problems == [], (name, [(one.json_path, one.message) for one in problems[:3]])

    def resolved(self, shape: Any) -> Any:
        """A schema whose references say in which document they lead."""
        if isinstance(shape, dict):
            return {
                key: f"urn:api{each}" if key == "$ref" else self.resolved(each) for key, each in shape.items()
            }
        return shape

    def get(self, name: str, **more: Any) -> Any:
        """What an operation answers, which must be a success."""
        answer = self.ask(name, **more)
        assert answer.status_code < 300, (name, answer.status_code, answer.text)
        return answer.get_json(silent=True)

    def take(self, data: bytes, **query: Any) -> Any:
        """Take a log in and have it audited; what the answer said."""
        taken = self.get("take_in", data=data, query=query)
        work(self.service)
        return taken

    def report(self, data: bytes, **query: Any) -> str:
        """The id of the report on a log that is taken in."""
        found = self.get("documents", upload_id=self.take(data, **query)["id"])
        return str(found["items"][0]["report"]["id"])


def program(browser: Browser) -> Program:
    """A program that asks the service of a browser."""
    return Program(browser.client.application.test_client(), browser.service)
