"""Settings of the service, from `REPLAY_*` variables alone: each is typed, and an unknown one is an error."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from socket import gethostname
from typing import Annotated, Any, NamedTuple
from unicodedata import category

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from replay.limits import GIB, LARGEST_INTEGER
from replay.wording import Words
from replay.wording.plain import visible

PREFIX = "REPLAY_"
FROM_FILE = "_FILE"
SECRETS = frozenset({"secret_key", "signing_key", "database", "broker"})
"""These may stand in a file that ``REPLAY_…_FILE`` names, and are never shown."""

NO_BROKER = "none"


LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Where nobody else can reach the service, which without accounts is for one user."""

HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*|\[[0-9a-f:.]+\]")
"""A name or address as a browser sends it, without a port."""

DATABASES = {"sqlite": "sqlite:///…", "postgresql+psycopg": "postgresql+psycopg://…"}
BROKERS = ("sqla+sqlite://", "redis://", "rediss://", "amqp://", "amqps://")
SHORTEST_KEY = 32
"""Characters of a secret key (operations U8)."""

KEY_DIGITS = re.compile("[0-9a-f]{64}")
"""A key of Ed25519, private or public, as it is written."""

BREAKS_URLS = frozenset("?%;")
"""What the URLs of the built-in database and broker take for something else than a part of a path."""

UNSEEN = ("Cc", "Cs")
"""Control characters, and halves of surrogate pairs: those stand for bytes that are not UTF-8."""


class Problem(NamedTuple):
    """What is wrong with a variable: which of the texts ``serve.setting.…`` says it, and what fills its gaps."""

    variable: str
    kind: str
    facts: dict[str, Any]

    def said(self, words: Words) -> str:
        """The problem in a language: what was found and what was expected."""
        return words.say(f"serve.setting.{self.kind}", **self.facts)


class BadSettings(ValueError):
    """Variables that cannot be used; ``problems`` are all that is wrong with them."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        english = Words.of("en")
        super().__init__("; ".join(f"{one.variable}: {one.said(english)}" for one in problems))


def _listed(given: str) -> list[str]:
    return [name.strip().lower() for name in given.split(",") if name.strip()]


def _bad(kind: str, **facts: Any) -> PydanticCustomError:
    return PydanticCustomError(kind, "{facts}", {"facts": facts})


class Settings(BaseModel):
    """What the service runs on. Every field is the variable ``REPLAY_`` and its name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path = Field(
        default=Path("replay-data"), description="folder of uploads and of the built-in database"
    )
    database: str = Field(default="", description="database URL; empty: SQLite in the data folder")
    broker: str = Field(
        default="", description="Celery broker URL; empty: SQLite in the data folder; none: no broker"
    )
    accounts: bool = Field(
        default=False, description="whether people sign in; without it there is one user, on this machine"
    )
    sign_up: bool = Field(
        default=False, description="whether anybody may make an account; without it an admin does"
    )
    host: str = Field(
        default="127.0.0.1",
        description="address to listen on; another than this machine's own needs accounts",
    )
    hosts: str = Field(
        default="",
        description="names by which the service is reached, with commas between; loopback always is",
    )
    proxies: Annotated[int, Field(ge=0, le=10)] = Field(
        default=0, description="proxies before the service whose X-Forwarded headers are believed"
    )
    port: Annotated[int, Field(ge=0, le=65535)] = Field(default=8000, description="port; 0 takes a free one")
    workers: Annotated[int, Field(ge=1, le=2)] = Field(
        default=1, description="worker processes that `replay serve` keeps"
    )
    lease_seconds: Annotated[int, Field(ge=1, le=3600)] = Field(
        default=60, description="how long a silent worker keeps a job"
    )
    sweep_seconds: Annotated[float, Field(gt=0, le=600)] = Field(
        default=5.0, description="time between two looks for jobs left behind"
    )
    ring_seconds: Annotated[float, Field(gt=0, le=600)] = Field(
        default=10.0, description="when a waiting job is rung again"
    )
    node: str = Field(default="", max_length=100, description="name of this host; empty: its own")
    quota_bytes: Annotated[int, Field(ge=0, le=LARGEST_INTEGER)] = Field(
        default=5 * GIB,
        description="bytes of uploads and house rule sets that are kept of one user; 0: no limit",
    )
    uploads_an_hour: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=20, description="uploads of one user within an hour, each of several files; 0: no limit"
    )
    secret_key: str = Field(default="", description="at least 32 characters; empty: one is made and kept")
    signing_key: str = Field(
        default="",
        description="signs checkpoints of the verdict log, 64 hexadecimal digits; empty: one is made and kept",
    )

    @field_validator("data")
    @classmethod
    def _is_plain(cls, data: Path) -> Path:
        """The whole path goes into URLs, so that of the working directory counts as well."""
        for character in str(data) + os.path.realpath(str(data).replace("\0", "")):
            if character in BREAKS_URLS:
                raise _bad("path", found=character)
            if category(character) in UNSEEN:
                raise _bad("path", found=f"U+{ord(character):04X}")
        return data

    @field_validator("database")
    @classmethod
    def _is_served(cls, database: str) -> str:
        if not database:
            return database
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError

        expected = ", ".join(DATABASES.values())
        try:
            url = make_url(database)
        except (ArgumentError, ValueError):
            raise _bad("no_url", expected=expected) from None
        if url.drivername not in DATABASES:
            raise _bad("scheme", found=visible(url.drivername), expected=expected)
        if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
            raise _bad("memory", expected=expected)
        return database

    @field_validator("broker")
    @classmethod
    def _is_spoken(cls, broker: str) -> str:
        if broker in ("", NO_BROKER) or broker.startswith(BROKERS):
            return broker
        expected = ", ".join((NO_BROKER, *BROKERS))
        scheme, between, _ = broker.partition("://")
        if between:
            raise _bad("scheme", found=visible(scheme), expected=expected)
        raise _bad("no_url", expected=expected)

    @field_validator("host")
    @classmethod
    def _is_here(cls, host: str, info: ValidationInfo) -> str:
        if not host:
            raise _bad("no_host")
        if host not in LOOPBACK and info.data.get("accounts") is False:
            raise _bad("loopback", host=visible(host))
        return host

    @field_validator("hosts")
    @classmethod
    def _are_names(cls, hosts: str) -> str:
        for name in _listed(hosts):
            if not HOST.fullmatch(name):
                raise _bad("host_name", found=visible(name))
        return hosts

    @field_validator("secret_key")
    @classmethod
    def _is_long(cls, key: str) -> str:
        if 0 < len(key) < SHORTEST_KEY:
            raise _bad("short", n=len(key), least=SHORTEST_KEY)
        return key

    @field_validator("signing_key")
    @classmethod
    def _is_a_key(cls, key: str) -> str:
        if key and not KEY_DIGITS.fullmatch(key):
            raise _bad("digits", n=len(key))
        return key

    @property
    def database_url(self) -> str:
        """The database, the built-in one in the data folder unless another is named."""
        return self.database or f"sqlite:///{self.data.resolve()}/replay.db"

    @property
    def trusted_hosts(self) -> frozenset[str]:
        """The names, beside those of the machine itself, that a request may be for."""
        return frozenset(_listed(self.hosts))

    @property
    def broker_url(self) -> str:
        """The broker, the built-in one in the data folder unless another, or none, is named."""
        return self.broker or f"sqla+sqlite:///{self.data.resolve()}/broker.db"

    @property
    def node_name(self) -> str:
        """The name under which this host's processes hold jobs."""
        return self.node or gethostname()[:100]

    @property
    def embedded(self) -> bool:
        """Whether messages go through the built-in broker."""
        return self.broker_url.startswith("sqla+")


def settings_from(environ: Mapping[str, str]) -> Settings:
    """The settings that an environment gives. Raises `BadSettings` with every problem."""
    given: dict[str, Any] = {}
    variables: dict[str, str] = {}
    problems: list[Problem] = []
    for name, value in environ.items():
        if not name.startswith(PREFIX):
            continue
        key = name.removeprefix(PREFIX).lower()
        secret = key.removesuffix(FROM_FILE.lower())
        if key in Settings.model_fields:
            given[key] = value
        elif name.endswith(FROM_FILE) and secret in SECRETS:
            try:
                given[secret] = Path(value).read_text(encoding="utf-8").strip()
            except (OSError, ValueError) as error:
                problems.append(Problem(name, "unread", {"why": type(error).__name__}))
                continue
            variables[secret] = name
            if not given[secret]:
                problems.append(Problem(name, "empty", {}))
        else:
            problems.append(Problem(name, "unknown", {}))
    try:
        settings = Settings(**given)
    except ValidationError as error:
        problems += [problem(one, variables) for one in error.errors()]
    if problems:
        raise BadSettings(sorted(problems, key=lambda one: one.variable))
    return settings


KINDS = ((int, "whole"), (float, "measure"), (bool, "yes_no"))
"""What is said of a value that is not of a setting's type."""


def problem(error: ErrorDetails, variables: Mapping[str, str]) -> Problem:
    """What a validation complains of; ``variables`` are those that do not have their setting's own name."""
    name = str(error["loc"][0])
    field = Settings.model_fields[name]
    variable = variables.get(name, PREFIX + name.upper())
    if "facts" in error.get("ctx", {}):
        return Problem(variable, error["type"], error["ctx"]["facts"])
    rules = ("ge", "gt", "le", "max_length")
    facts = {rule: getattr(one, rule) for one in field.metadata for rule in rules if hasattr(one, rule)}
    kind = next((kind for of, kind in KINDS if field.annotation is of), "long")
    return Problem(variable, kind, {"found": visible(error["input"]), "n": len(str(error["input"])), **facts})
