"""What requests and answers are made of: models that allow nothing beside their fields."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

Lang = Literal["en", "zh-Hans", "zh-Hant"]
MOST_PAGES = 1_000_000
LARGEST_PAGE, USUAL_PAGE = 200, 50

SCHEMAS = "#/components/schemas/"
"""Where the document keeps the schemas that others refer to."""

ELSEWHERE = "x_known_as"
"""Stands for a reference until the document is put together: Pydantic follows those that it finds."""


def whole(text: object) -> object:
    """The number that an argument of an address says in plain digits; any other text is refused.

    >>> whole("12")
    12
    """
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 16:
        return int(text)
    raise PydanticCustomError("int_parsing", "not a whole number")


def known_as(name: str) -> WithJsonSchema:
    """Says under which name the document has the schema of a value that comes from elsewhere and is not checked again."""
    return WithJsonSchema({ELSEWHERE: name})


FindingJson = Annotated[dict[str, Any], known_as("ReportFinding")]
HandJson = Annotated[dict[str, Any], known_as("ReportHand")]
FrameJson = Annotated[dict[str, Any], known_as("Frame")]
RuleSetJson = Annotated[dict[str, Any], known_as("RuleSetDocument")]
Whole = BeforeValidator(whole)
Id = Annotated[str, Field(max_length=36, pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Moment = Annotated[int, Field(description="milliseconds since 1970, by the clock of the service's database")]
Rules = Annotated[
    str,
    Field(
        max_length=64,
        pattern=r"^[a-z0-9][a-z0-9:-]*$",
        description="the id of a built-in rule set, or house: and the id of a version of a house rule set",
    ),
]
Flag = Literal["true", "false"]


class Asked(BaseModel):
    """A body of a request: only these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(Asked):
    """A body that says no more than that it is meant: ``{}``."""


class Query(BaseModel):
    """The arguments of an address: only these, each once unless it is a list."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    lang: Annotated[Lang | None, Field(description="the language of texts; else as Accept-Language says")] = (
        None
    )


class Paged(Query):
    """The arguments of a list: which page, of how many items."""

    page: Annotated[int, Field(ge=1, le=MOST_PAGES), Whole] = 1
    size: Annotated[int, Field(ge=1, le=LARGEST_PAGE), Whole] = USUAL_PAGE

    @property
    def first(self) -> int:
        """The position of the page's first item."""
        return (self.page - 1) * self.size


class Told(BaseModel):
    """A body of an answer: all of its fields, and no other."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Listing(Told):
    """A page of a list; a list of something adds its ``items``."""

    total: int
    page: int
    size: int
    next: Annotated[str | None, Field(description="the address of the next page; null on the last")]
