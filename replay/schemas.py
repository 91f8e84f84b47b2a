"""The log's schema: one file, two readers of it, and the words for what breaks it.

``jsonschema`` is the authority: it alone rejects, and it words the rejection. ``jsonschema_rs`` reads the
same file and only accepts, some four hundred times faster. A test holds both to one verdict. Neither follows
a reference out of its file.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from jsonschema_rs import Draft202012Validator as QuickValidator
from referencing import Registry

from replay.findings import Finding
from replay.resources import folder

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

FOUND_CHARACTERS = 80
"""No finding repeats more of a log than this."""

Place = Sequence[str | int]


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema called ``name``: ``log``, ``profile`` or ``report``."""
    text = (folder("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def quick_validator(name: str) -> QuickValidator:
    """The reader that may only accept."""
    return QuickValidator(schema(name), offline=True)


def quick_part(name: str, part: str) -> QuickValidator:
    """The same reader for one entry of the schema's ``$defs``."""
    whole = schema(name)
    return QuickValidator(
        {"$schema": whole["$schema"], "$defs": whole["$defs"], "$ref": f"#/$defs/{part}"}, offline=True
    )


@cache
def authority(name: str) -> "Draft202012Validator":
    """The reader whose word counts.

    Imported at the first use: a run that meets only sound logs never pays for the import.
    """
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema(name), registry=Registry())


def broken(document: object, most: int, plain: object = None) -> list[Finding]:
    """What of the log's schema ``document`` breaks, as LOG001 in the order of the pointers; at most ``most``.

    Empty means that the authority accepts it. A document refused already for what a schema cannot see comes
    with ``plain``, itself without that: then only what else is wrong with it is wanted.
    """
    errors = _errors(document, most, plain)
    typeless = {tuple(error.absolute_path) for error in errors if _lacks_type(error)}
    found = {
        (place, params["found"], params["expected"]): Finding("LOG001", params, pointer=pointer(place))
        for error in errors
        if _lacks_type(error) or tuple(error.absolute_path) not in typeless
        for place, params in _said(error)
    }
    return [found[key] for key in sorted(found, key=lambda key: [_order(part) for part in key[0]])][:most]


def _errors(document: object, most: int, plain: object) -> "list[ValidationError]":
    """The authority's errors, the first ``most``.

    It takes seconds over a large document, so the quick reader says first in which entries of the arrays to
    look. Should the authority find nothing there, it reads the whole, lest the quick reader decide.
    """
    suspects = {id(document)}
    for error in islice(_quick_log().iter_errors(document if plain is None else plain), most):
        inner: Any = document
        for part in error.instance_path:
            inner = inner[part]
            suspects.add(id(inner))
    whole = authority("log")
    narrow = _only_within(suspects, type(whole))(schema("log"), registry=Registry())
    errors = list(islice(narrow.iter_errors(document), most))
    return errors if errors or plain is not None else list(islice(whole.iter_errors(document), most))


def _only_within(suspects: set[int], reader: "type[Draft202012Validator]") -> "type[Draft202012Validator]":
    """A reader that looks at those entries of an array whose identity is among the suspects."""
    from jsonschema import validators

    extend: Any = validators.extend

    def items(validator: Any, value: Any, instance: Any, _: Any) -> Iterator[Any]:
        for position, item in enumerate(instance if isinstance(instance, list) else ()):
            if id(item) in suspects:
                yield from validator.descend(item, value, path=position)

    narrowed: type[Draft202012Validator] = extend(reader, {"items": items})
    return narrowed


@cache
def _quick_log() -> QuickValidator:
    return quick_validator("log")


def _lacks_type(error: "ValidationError") -> bool:
    """Whether the error is that an action says no type; whatever else that action lacks is then a guess."""
    required: Any = error.validator_value
    instance: Any = error.instance
    return error.validator == "required" and "type" in required and "type" not in instance


def _order(part: str | int) -> tuple[int, str]:
    return (part, "") if isinstance(part, int) else (-1, part)


def _said(error: "ValidationError") -> Iterator[tuple[tuple[str | int, ...], dict[str, str]]]:
    """Place and words of one schema error; an object with several unknown keys earns one each."""
    place = tuple(error.absolute_path)
    terms: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    instance: Any = error.instance
    if error.validator == "additionalProperties":
        known = terms.get("properties", {})
        expected = f"only {', '.join(known)}; a key of your own begins with x_"
        for key in (key for key in instance if key not in known and not key.startswith("x_")):
            yield (*place, key), {"found": f"the unknown key {shown(key)}", "expected": expected}
    elif error.validator == "required":
        required: Any = error.validator_value
        missing = ["type"] if _lacks_type(error) else [key for key in required if key not in instance]
        title = "an action" if missing == ["type"] else _title(terms, error)
        for key in missing:
            expected = f"{shown(key)} in {title}"
            yield place, {"found": f"no key {shown(key)}", "expected": expected}
    else:
        yield place, {"found": shown(instance), "expected": _title(terms, error)}


def _title(terms: Mapping[str, Any], error: "ValidationError") -> str:
    """What was expected: the title where the schema has one, else its own terms."""
    title = terms.get("title")
    if isinstance(title, str):
        return title
    value: Any = error.validator_value
    if error.validator == "enum":
        return "one of " + ", ".join(shown(each) for each in value)
    return f"{error.validator} {shown(value)}"


def shown(value: object) -> str:
    """A value for a person to read: at most 80 characters, nothing that is not printable.

    >>> shown("a" + chr(0x202e) + "b"), shown([1, 2]), shown({})
    ('"a\\\\u202eb"', 'an array of 2', 'an object of 0')
    """
    if isinstance(value, list | tuple):
        return f"an array of {len(value)}"
    if isinstance(value, Mapping):
        return f"an object of {len(value)}"
    if isinstance(value, str):
        return brief(json.dumps(value[: FOUND_CHARACTERS + 1], ensure_ascii=False))
    return brief(json.dumps(value) if value is None or isinstance(value, bool) else str(value))


def brief(text: str) -> str:
    """At most 80 characters of ``text``, each of which prints."""
    text = printable(text[: FOUND_CHARACTERS + 1])
    return text if len(text) <= FOUND_CHARACTERS else text[: FOUND_CHARACTERS - 1] + "…"


def printable(text: str) -> str:
    """``text`` with each character that does not print written as its JSON escape.

    >>> printable("a" + chr(0) + chr(0x1f004))
    'a\\\\u0000🀄'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def pointer(place: Place) -> str:
    """A place as a JSON Pointer (RFC 6901); of a very long key only its beginning.

    >>> pointer(["hands", 0, "x/y"])
    '/hands/0/x~1y'
    """
    parts = (brief(str(part)).replace("~", "~0").replace("/", "~1") for part in place)
    return "".join(f"/{part}" for part in parts)
