"""Operations: each says what it takes and what it answers, and is held to it; the document is made from the same."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import orjson
from flask import Blueprint, Response, abort, make_response, request
from pydantic import BaseModel, ValidationError

from replay.house import LIMITS
from replay.web.api.models import Asked, Query
from replay.web.api.problems import Refused, decoded, fields, with_nul
from replay.web.viewer import public, user

pages = Blueprint("api", __name__, url_prefix="/api/v1")

JSON = "application/json"
PLACE = re.compile(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>")
"""A part of a path that is filled in: its converter and its name."""


@dataclass(frozen=True, slots=True)
class Media:
    """A body that is no model: its types, and its schema ({} is any bytes)."""

    types: tuple[str, ...]
    schema: Mapping[str, Any] = field(default_factory=dict)


Content = type[BaseModel] | Media | None


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked for. ``anyone``: nobody has to be signed in. ``rare`` are its own problems."""

    name: str
    method: str
    rule: str
    tag: str
    summary: str
    answers: Mapping[int, Content]
    query: type[Query]
    body: type[Asked] | Media | None
    rare: tuple[int, ...]
    anyone: bool

    @property
    def path(self) -> str:
        """The path as the document writes it."""
        return PLACE.sub(r"{\2}", self.rule)

    @property
    def places(self) -> list[str]:
        """The names of the parts of the path that are filled in."""
        return [name for _, name in PLACE.findall(self.rule)]


OPERATIONS: dict[str, Operation] = {}
"""Every operation by its name."""

Handler = Callable[..., Any]


def operation(
    method: str,
    rule: str,
    *answers: type[BaseModel] | Media,
    tag: str,
    statuses: tuple[int, ...] = (200,),
    query: type[Query] = Query,
    body: type[Asked] | Media | None = None,
    rare: tuple[int, ...] = (),
    anyone: bool = False,
) -> Callable[[Handler], Handler]:
    """Make a function an operation: it gets the arguments of the path, ``query`` and ``body``, if it has such.

    It answers with a model, a model and a status, a response, or None (204). ``statuses`` are those of success; of
    several each has the same body.
    """

    def declare(handler: Handler) -> Handler:
        content: Content = answers[0] if answers else None
        made = Operation(
            name=handler.__name__,
            method=method,
            rule=rule,
            tag=tag,
            summary=(handler.__doc__ or "").partition("\n")[0],
            answers={status: content if status != 304 else None for status in statuses},
            query=query,
            body=body,
            rare=rare,
            anyone=anyone,
        )
        OPERATIONS[made.name] = made
        held = _held(made, handler)
        pages.add_url_rule(rule, made.name, public(held) if anyone else held, methods=[method])
        return handler

    return declare


def _held(made: Operation, handler: Handler) -> Handler:
    """The handler behind the checks that its operation asks for."""

    @wraps(handler)
    def answer(**place: Any) -> Response:
        if not made.anyone:
            user()
        given = dict(place)
        query = asked_query(made.query)
        if made.query is not Query:
            given["query"] = query
        if isinstance(made.body, type):
            given["body"] = asked_body(made.body)
        return told(handler(**given))

    return answer


def asked_query(model: type[Query]) -> Query:
    """The arguments of the address. Raises `Refused`."""
    given: dict[str, Any] = {}
    for name, values in request.args.lists():
        known = model.model_fields.get(name)
        many = known is not None and known.annotation is not None and "list" in str(known.annotation)
        given[name] = values if many or len(values) > 1 else values[0]
    wrong = list(with_nul(given, "query"))
    if wrong:
        raise Refused(422, "422.fields", wrong)
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise fields(error.errors(include_url=False), "query") from None


def asked_body(model: type[Asked]) -> Asked:
    """The body of the request. Raises `Refused`."""
    try:
        return model.model_validate(decoded(json_bytes()))
    except ValidationError as error:
        raise fields(error.errors(include_url=False)) from None


def json_bytes(most: int = LIMITS.document_bytes) -> bytes:
    """The bytes of a body that has to be JSON, as far as it is no longer than ``most`` (413)."""
    if request.mimetype != JSON:
        raise Refused(415, "415.json")
    if (request.content_length or 0) > most:
        abort(413)
    request.max_content_length = most
    return request.get_data()


def told(came: Any) -> Response:
    """The answer of a handler as a response."""
    if isinstance(came, Response):
        return came
    if came is None:
        return make_response("", 204)
    body, status = came if isinstance(came, tuple) else (came, 200)
    return as_json(body.model_dump(mode="json", by_alias=True), status)


def as_json(plain: Any, status: int = 200) -> Response:
    """Plain values as a response."""
    response = make_response(orjson.dumps(plain), status)
    response.content_type = JSON
    return response
