"""Taking uploads in, from a page or from a program: one at a time while there is a limit, and why not."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from threading import Lock

from replay.jobs.ingest import Taken, Wish, take
from replay.store.attempts import AGAIN, attempt
from replay.web.footing import service
from replay.web.languages import moment, size, words
from replay.web.logs import request_id
from replay.web.uploads.quota import MOST_FILES, Given, Refusal, refusal
from replay.web.viewer import owner

taking = Lock()
"""Whether there is room is asked, and the room taken, by one request of this process at a time.

Several web processes on one database can pass a limit by a form each.
"""


def in_turn() -> AbstractContextManager[object]:
    """Hold the turn to ask for room and take it; nobody waits where there is no limit."""
    settings = service().settings
    return taking if settings.quota_bytes or settings.uploads_an_hour else nullcontext()


def why_not(sent: Sequence[Given]) -> Refusal | None:
    """Why whoever asks may not send this now; None where it may be taken in."""
    return refusal(service(), owner(), sent)


def wait_to_audit() -> int:
    """How many milliseconds whoever asks has to wait before uploads of his are audited once more; 0 for none.

    Nobody waits where uploads have no limit.
    """
    return attempt(service().engine, (AGAIN, owner())) if service().settings.uploads_an_hour else 0


def take_one(one: Given, wish: Wish) -> Taken:
    """Keep what was sent, for whoever asks, and see to its audit. Raises `replay.store.blobs.TooLarge`."""
    return take(service(), one.pieces(), one.name, wish, owner=owner(), request=request_id())


def quota_words(no: Refusal) -> str:
    """That a quota is full."""
    facts = {"used": size(no.used), "quota": size(service().settings.quota_bytes), "size": size(no.more)}
    return words().say("web.problem.quota", setting="REPLAY_QUOTA_BYTES", **facts)


def rate_words(no: Refusal) -> str:
    """That there were too many uploads within the hour, and when there may be more."""
    return words().say(
        "web.problem.rate",
        n=service().settings.uploads_an_hour,
        minutes=-(-no.wait_ms // 60_000),
        at=moment(no.again)[11:16] + " UTC",
        files=MOST_FILES,
        setting="REPLAY_UPLOADS_AN_HOUR",
    )
