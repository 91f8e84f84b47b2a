"""The interface described: the document for programs, the page for people, and what each problem means."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Response, render_template, url_for

from replay.house import LIMITS
from replay.web.api.document import document
from replay.web.api.models import LARGEST_PAGE, SCHEMAS
from replay.web.api.operations import as_json, pages
from replay.web.api.problems import CODES
from replay.web.footing import service
from replay.web.languages import words
from replay.web.viewer import public


@dataclass(frozen=True, slots=True)
class Row:
    """A field or an argument: its name, its type, and what it means."""

    name: str
    kind: str
    required: bool
    about: str = ""


@pages.get("/openapi.json")
@public
def openapi() -> Response:
    """The document."""
    return as_json(document(service().settings.accounts))


@pages.get("")
@public
def book() -> str:
    """The document as a page."""
    whole = document(service().settings.accounts)
    return render_template(
        "api.html",
        sections=list(sections(whole)),
        schemas=[
            (name, shape.get("description", ""), list(fields(shape)))
            for name, shape in whole["components"]["schemas"].items()
        ],
        accounts=service().settings.accounts,
        base=url_for(".book", _external=True),
        most=LARGEST_PAGE,
        limits=service().limits,
        document_bytes=LIMITS.document_bytes,
    )


@pages.get("/problems")
@public
def problems() -> str:
    """What each code means."""
    said = words().say
    codes = [(code, said(f"web.error.{code}.title"), said(f"web.error.{code}.text")) for code in CODES]
    return render_template("api_problems.html", codes=codes)


@dataclass(frozen=True, slots=True)
class Described:
    """An operation as the page shows it: arguments, what is sent, what is answered by status."""

    name: str
    method: str
    path: str
    summary: str
    anyone: bool
    arguments: list[Row]
    sent: list[tuple[str, str]]
    answers: list[tuple[str, str, list[tuple[str, str]]]]


def sections(whole: Mapping[str, Any]) -> Iterator[tuple[str, list[Described]]]:
    """The operations by what they are about."""
    every = [
        (one, described(path, method, one))
        for path, methods in whole["paths"].items()
        for method, one in methods.items()
    ]
    for tag in whole["tags"]:
        yield tag["name"], [each for one, each in every if one["tags"] == [tag["name"]]]


def described(path: str, method: str, one: Mapping[str, Any]) -> Described:
    """An operation."""
    return Described(
        name=one["operationId"],
        method=method.upper(),
        path=path,
        summary=one["summary"],
        anyone=one.get("security") == [],
        arguments=[
            Row(each["name"], kind(each["schema"]), each["required"], each.get("description", ""))
            for each in one["parameters"]
        ],
        sent=bodies(one.get("requestBody", {})),
        answers=[(status, each["description"], bodies(each)) for status, each in one["responses"].items()],
    )


def bodies(what: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The types of a body, each with the name of its schema ("" for any bytes)."""
    content: Mapping[str, Any] = what.get("content", {})
    return [(of, referred(each["schema"])) for of, each in content.items()]


def referred(shape: Mapping[str, Any]) -> str:
    """The name of the schema that this one refers to; "" where it refers to none."""
    return str(shape.get("$ref", "")).removeprefix(SCHEMAS)


def fields(shape: Mapping[str, Any]) -> Iterator[Row]:
    """The fields of a schema."""
    required = shape.get("required", ())
    for name, each in shape.get("properties", {}).items():
        about = each.get("description", "") if isinstance(each, Mapping) else ""
        yield Row(name, kind(each), name in required, about)


def kind(shape: Any) -> str:
    """The type of a value in a few words."""
    if not isinstance(shape, Mapping):
        return "any"
    if "$ref" in shape:
        return referred(shape)
    if "enum" in shape or "const" in shape:
        return " | ".join(str(one) for one in shape.get("enum", [shape.get("const")]))
    for several in ("anyOf", "oneOf"):
        if several in shape:
            return " | ".join(kind(one) for one in shape[several])
    stated = shape.get("type", "any")
    if stated == "array" and "items" in shape:
        return f"[{kind(shape['items'])}]"
    named = " | ".join(stated) if isinstance(stated, list) else str(stated)
    return f"{named} ({shape['format']})" if "format" in shape else named
