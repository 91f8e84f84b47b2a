"""Settings of the service, from `REPLAY_*` variables alone: each is typed, and an unknown one is an error."""

from collections.abc import Mapping
from pathlib import Path
from socket import gethostname
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from replay.limits import GIB, LARGEST_INTEGER

PREFIX = "REPLAY_"
FROM_FILE = "_FILE"
SECRETS = frozenset({"secret_key", "database", "broker"})
"""These may stand in a file that ``REPLAY_…_FILE`` names, and are never shown."""

NO_BROKER = "none"


class BadSettings(ValueError):
    """Variables that cannot be used; ``problems`` are (variable, what was found and what was expected)."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{name}: {problem}" for name, problem in problems))


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
    host: str = Field(default="127.0.0.1", description="address to listen on")
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
        default=5 * GIB, description="bytes of uploads that are kept of one user; 0: no limit"
    )
    uploads_an_hour: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=20, description="uploads of one user within an hour, each of several files; 0: no limit"
    )
    secret_key: str = Field(default="", description="at least 32 characters; empty: one is made and kept")

    @property
    def database_url(self) -> str:
        """The database, the built-in one in the data folder unless another is named."""
        return self.database or f"sqlite:///{self.data.resolve()}/replay.db"

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
    problems: list[tuple[str, str]] = []
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
            except (OSError, UnicodeDecodeError) as error:
                problems.append((name, f"found a file that cannot be read ({type(error).__name__})"))
        else:
            problems.append((name, "found a variable that is not known"))
    try:
        settings = Settings(**given)
    except ValidationError as error:
        problems += [(PREFIX + str(one["loc"][0]).upper(), one["msg"]) for one in error.errors()]
    if problems:
        raise BadSettings(sorted(problems))
    return settings
