"""The interface as an OpenAPI 3.1 document, made from its operations and their models."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from replay.schemas import schema
from replay.steps import Frame
from replay.version import __version__
from replay.web.api.models import ELSEWHERE, SCHEMAS, Query
from replay.web.api.operations import JSON, OPERATIONS, PLACE, Content, Media, Operation
from replay.web.api.problems import Problem

BASE = "/api/v1"
PROBLEM = "application/problem+json"
ALWAYS = (400, 401, 422, 500, 503)
"""Statuses of problems that every operation can have; 401 only where somebody has to be signed in."""

CHANGES = (403, 413, 415, 507)
"""Those that only what changes something can have."""

MEANINGS = {
    200: "Here it is.", 201: "It was made.", 202: "It was begun.", 204: "It is done.", 304: "It has not changed.",
    400: "Not understood.", 401: "Nobody is signed in.", 403: "Not allowed.", 404: "Not found.",
    409: "It has changed since, or is not in a state for this.", 410: "It is there no longer.",
    413: "Too large.", 415: "Of another type.",
    422: "It cannot be used; `errors` says where.", 429: "Too often; `Retry-After` says when again.",
    500: "A fault of this service.", 503: "Busy for the moment.", 507: "The disk is full.",
}  # fmt: skip

CONVERTERS: Mapping[str, Mapping[str, Any]] = {
    "uuid": {"type": "string", "format": "uuid"},
    "int": {"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
    "": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"},
}


def document(accounts: bool) -> dict[str, Any]:
    """The whole document; with ``accounts`` it says how somebody is signed in."""
    models = schemas_of_models()
    paths: dict[str, dict[str, Any]] = {}
    for one in OPERATIONS.values():
        paths.setdefault(BASE + one.path, {})[one.method.lower()] = described(one, models, accounts)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Xuezhan Replay",
            "version": __version__,
            "summary": "Audits of recorded hands of Sichuan mahjong (四川麻将, 血战到底).",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in tags()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted({**models, **dict(foreign_schemas())}.items())),
            **({"securitySchemes": SCHEMES} if accounts else {}),
        },
    }


SCHEMES: Mapping[str, Any] = {
    "token": {"type": "http", "scheme": "bearer", "description": "A token of an account."},
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-replay",
        "description": "A browser's sign-in.",
    },
}


def tags() -> list[str]:
    """What the operations are about, in their order."""
    return list(dict.fromkeys(one.tag for one in OPERATIONS.values()))


def described(one: Operation, models: Mapping[str, Any], accounts: bool) -> dict[str, Any]:
    """One operation."""
    said: dict[str, Any] = {"operationId": one.name, "summary": one.summary, "tags": [one.tag]}
    said["parameters"] = [*path_parameters(one), *query_parameters(one.query)]
    if one.body is not None:
        said["requestBody"] = {"required": True, "content": content_of(one.body)}
    answers = {str(status): answer(status, what) for status, what in one.answers.items()}
    said["responses"] = answers | {str(status): problem(status) for status in problems_of(one)}
    if accounts:
        said["security"] = [] if one.anyone else [{"token": []}, {"cookie": []}]
    return said


def problems_of(one: Operation) -> list[int]:
    """The statuses of the problems that an operation can have."""
    found = {*ALWAYS} - ({401} if one.anyone else set()) | {*one.rare}
    if one.method not in ("GET", "HEAD"):
        found |= {403} if one.body is None else set(CHANGES)
        found |= {507}
    if "<" in one.rule:
        found |= {404}
    return sorted(found)


def answer(status: int, what: Content) -> dict[str, Any]:
    """An answer of success."""
    said: dict[str, Any] = {"description": MEANINGS[status]}
    if status == 201:
        said["headers"] = {"Location": {"description": "Where it is.", "schema": {"type": "string"}}}
    return said if what is None else said | {"content": content_of(what)}


def problem(status: int) -> dict[str, Any]:
    """An answer that is a problem."""
    content = {PROBLEM: {"schema": {"$ref": f"{SCHEMAS}Problem"}}}
    return {"description": MEANINGS[status], "content": content}


def content_of(what: type[BaseModel] | Media) -> dict[str, Any]:
    """A body by its types."""
    if isinstance(what, Media):
        return {kind: {"schema": dict(what.schema)} for kind in what.types}
    return {JSON: {"schema": {"$ref": f"{SCHEMAS}{what.__name__}"}}}


def path_parameters(one: Operation) -> Iterator[dict[str, Any]]:
    """The places of a path that are filled in."""
    for converter, name in PLACE.findall(one.rule):
        yield {"name": name, "in": "path", "required": True, "schema": dict(CONVERTERS[converter])}


def query_parameters(query: type[Query]) -> Iterator[dict[str, Any]]:
    """The arguments of an address."""
    shape = query.model_json_schema(ref_template=SCHEMAS + "{model}")
    for name, each in shape["properties"].items():
        # An argument is there or not: it is never null.
        own = {key: value for key, value in each.items() if key not in ("title", "description", "anyOf")}
        own |= next((one for one in each.get("anyOf", ()) if one.get("type") != "null"), {})
        if own.get("default", 0) is None:
            del own["default"]
        said = {"description": each["description"]} if "description" in each else {}
        yield {
            "name": name,
            "in": "query",
            "required": name in shape.get("required", ()),
            "schema": own,
            **said,
        }


# Schemas ---------------------------------------------------------------------------------------------


def schemas_of_models() -> dict[str, Any]:
    """The schemas of all models, by name: of requests as they are read, of answers as they are written."""
    asked = {one.body for one in OPERATIONS.values() if isinstance(one.body, type)}
    answered: set[type[BaseModel]] = {Problem}
    for one in OPERATIONS.values():
        answered |= {what for what in one.answers.values() if isinstance(what, type)}
    modes: list[tuple[type[BaseModel], JsonSchemaMode]] = [(one, "validation") for one in asked]
    modes += [(one, "serialization") for one in answered]
    modes.sort(key=lambda each: each[0].__name__)
    _, found = models_json_schema(modes, ref_template=SCHEMAS + "{model}")
    shapes: dict[str, Any] = found.get("$defs", {})
    return {name: linked(shape) for name, shape in shapes.items()}


def linked(shape: Any) -> Any:
    """A schema with the references that stand for what comes from elsewhere."""
    if isinstance(shape, Mapping):
        if ELSEWHERE in shape:
            return {"$ref": SCHEMAS + shape[ELSEWHERE]}
        return {key: linked(each) for key, each in shape.items()}
    return [linked(one) for one in shape] if isinstance(shape, list) else shape


FOREIGN = {"report": "Report", "profile": "RuleSetDocument"}
"""The schemas that stand in files of their own, and what the document calls them."""


def foreign_schemas() -> Iterator[tuple[str, Any]]:
    """The formats that have schemas of their own, their parts moved to where the document keeps schemas."""
    for name, ours in FOREIGN.items():
        whole = schema(name)
        for part, shape in whole["$defs"].items():
            yield part_name(ours, part), moved(shape, ours)
        top = {key: each for key, each in whole.items() if key not in ("$id", "$schema", "$defs")}
        yield ours, moved(top, ours)
    _, steps = msgspec.json.schema_components([Frame], ref_template=SCHEMAS + "{name}")
    yield from steps.items()


def part_name(ours: str, part: str) -> str:
    """What a part of a foreign schema is called: ``ReportFinding``."""
    return ours + "".join(word.capitalize() for word in part.split("_"))


def moved(shape: Any, ours: str) -> Any:
    """A schema whose references lead to where its parts are now."""
    if isinstance(shape, Mapping):
        return {
            key: SCHEMAS + part_name(ours, each.rpartition("/")[2])
            if key == "$ref" and isinstance(each, str)
            else moved(each, ours)
            for key, each in shape.items()
        }
    return [moved(one, ours) for one in shape] if isinstance(shape, list) else shape
