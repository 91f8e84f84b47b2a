"""That something was tried or asked for too often, and when it may be again."""

from flask import Response, make_response

from replay.store.attempts import Rate
from replay.web.languages import words


def too_often(page: str | Response, wait_ms: int) -> Response:
    """A page with 429, and when to come again."""
    response = make_response(page, 429)
    response.headers["Retry-After"] = retry_after(wait_ms)
    return response


def retry_after(wait_ms: int) -> str:
    """In how many seconds it may be tried again, as the header says it."""
    return str(max(-(-wait_ms // 1000), 1))


def too_often_words(rate: Rate, wait_ms: int) -> str:
    """That something was tried too often, and when it may be tried again."""
    return words().say(
        "accounts.problem.often",
        n=rate.most,
        minutes=rate.within_ms // 60_000,
        wait=words().say("accounts.seconds", n=-(-wait_ms // 1000)),
    )
