"""What goes wrong in the interface: RFC 9457, with a code that stays, and the places in what was sent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic_core import ErrorDetails

from replay.faults import of
from replay.findings import Finding
from replay.formats import decode_exactly
from replay.house import LIMITS
from replay.schemas import brief, pointer, shown
from replay.store.attempts import Rate
from replay.web.api.models import Told
from replay.web.languages import lang, words
from replay.web.tries import retry_after, too_often_words
from replay.wording import has_text, render

CODES = (
    "400", "host", "400.json", "401", "403", "403.role", "403.token", "403.password", "403.case", "404",
    "404.catalogue", "405", "409", "409.late", "409.case", "409.decided", "409.shares", "409.in_case", "409.at_work",
    "409.account", "410.file", "413", "413.files", "413.quota", "415.json", "415.upload", "415.form", "422.fields",
    "422.nothing", "422.rules", "422.options", "422.house", "422.full", "422.seat", "422.case", "422.account", "429",
    "500", "503", "507",
)  # fmt: skip
"""Every code that an answer can have, in the order in which the page tells them."""

WORST = 20
"""Places that are named at most."""

Where = Literal["body", "query"]


class Wrong(Told):
    """A place in what was sent, what was found there and what was expected."""

    where: Where
    pointer: str
    found: str
    expected: str


class Problem(Told):
    """What went wrong (RFC 9457). ``code`` stays what it is; title and detail are in the reader's language."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: list[Wrong]


class Refused(Exception):
    """A request that is answered with a problem; ``detail`` "" is what the code's own text says."""

    def __init__(
        self,
        status: int,
        code: str = "",
        errors: Sequence[Wrong] = (),
        detail: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status, self.code, self.detail = status, code, detail
        self.errors = list(errors)[:WORST]
        self.headers = dict(headers or {})
        super().__init__(f"{status} {code}")


def too_often(rate: Rate, wait_ms: int) -> Refused:
    """That something was asked for too often (429)."""
    return Refused(429, detail=too_often_words(rate, wait_ms), headers={"Retry-After": retry_after(wait_ms)})


def fields(errors: Iterable[ErrorDetails], where: Where = "body") -> Refused:
    """That fields of a request are not what they have to be (422)."""
    return Refused(422, "422.fields", [wrong(one, where) for one in errors])


def wrong(error: ErrorDetails, where: Where) -> Wrong:
    """One of them, with what was found cut short."""
    missing = error["type"] == "missing"
    return Wrong(
        where=where,
        pointer=pointer([part for part in error["loc"] if part != "[key]"]),
        found=words().say("api.nothing") if missing else shown(error["input"]),
        expected=expected(error),
    )


def expected(error: ErrorDetails) -> str:
    """What was expected at a place, in the reader's language."""
    key = f"api.expected.{error['type']}"
    facts: Mapping[str, Any] = {name: brief(str(fact)) for name, fact in error.get("ctx", {}).items()}
    return words().say(key, **facts) if has_text(lang(), key) else words().say("api.expected.other")


def decoded(data: bytes) -> Any:
    """The JSON that was sent, within limits, without doubled keys, fractions and halves of characters.

    Raises `Refused`: 400 for what is no JSON, 422 for the rest.
    """
    document, refusal = decode_exactly(data, LIMITS)
    if refusal is not None:
        raise Refused(400, "400.json", [of_finding(refusal)])
    found = [of_finding(one) for one in of(document, LIMITS).findings] or list(with_nul(document, "body"))
    if found:
        raise Refused(422, "422.fields", found)
    return document


def with_nul(value: Any, where: Where, place: tuple[str | int, ...] = ()) -> Iterator[Wrong]:
    """The texts in a document that hold U+0000, which no database keeps."""
    if isinstance(value, str) and "\0" in value:
        expected = words().say("api.expected.characters")
        yield Wrong(where=where, pointer=pointer(place), found=shown(value), expected=expected)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from with_nul(key, where, (*place, key))
            yield from with_nul(each, where, (*place, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from with_nul(each, where, (*place, at))


def of_finding(finding: Finding) -> Wrong:
    """A fault that the reader of logs found."""
    return Wrong(
        where="body",
        pointer=finding.pointer,
        found=brief(str(finding.params.get("found", ""))),
        expected=brief(render(finding, lang())),
    )
