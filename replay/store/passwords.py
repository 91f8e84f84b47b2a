"""Passwords: what may be one, and the argon2id hash that is kept of it (operations U10).

A password is taken whole and as it is, but for Unicode: what two keyboards write as the same letters in different
code points is the same password (NFC).
"""

from functools import cache
from pathlib import Path
from secrets import choice, token_urlsafe
from string import ascii_lowercase, digits
from threading import BoundedSemaphore
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 8, 128
COMMON = Path(__file__).parent / "common_passwords.txt"

HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""The least that OWASP recommends: 19 MiB and two passes."""

AT_ONCE = BoundedSemaphore(2)
"""Hashes that this process works at: each holds its memory meanwhile."""

LETTERS = "".join(sorted({*ascii_lowercase, *digits} - {*"01loi"}))
GROUPS, GROUP = 4, 5


def plain(password: str) -> str:
    """A password as it is hashed."""
    return normalize("NFC", password)


def problem_with(password: str, name: str) -> str | None:
    """Why an account of this name cannot have this password: a text ``accounts.password.…``; None where it can."""
    given = plain(password)
    if len(given) < SHORTEST:
        return "short"
    if len(given) > LONGEST:
        return "long"
    if not encodable(given):
        return "characters"
    if given.casefold() in common():
        return "common"
    return "name" if given.casefold() == plain(name).casefold() else None


def encodable(text: str) -> bool:
    """Whether it is Unicode text: half of a surrogate pair is not."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


@cache
def common() -> frozenset[str]:
    """The 3,000 passwords of eight characters and more that are met most often."""
    return frozenset(COMMON.read_text(encoding="utf-8").split())


def hashed(password: str) -> str:
    """The hash of a password, with its salt and costs."""
    with AT_ONCE:
        return HASHER.hash(plain(password))


@cache
def nobodys() -> str:
    """The hash of what nobody knows: it takes as long to try as any other."""
    return hashed(token_urlsafe(32))


def fits(kept: str, password: str) -> bool:
    """Whether a password is the one of a hash; where there is none, it takes as long to say no."""
    given = plain(password)
    if len(given) > LONGEST or not encodable(given):
        given, kept = "", ""
    against = kept or nobodys()
    with AT_ONCE:
        try:
            return HASHER.verify(against, given) and bool(kept)
        except (VerificationError, InvalidHashError):
            return False


def is_outdated(kept: str) -> bool:
    """Whether a hash was made at other costs than today's."""
    return HASHER.check_needs_rehash(kept)


def generated() -> str:
    """A password to be told to somebody: 20 letters and digits in groups, none that is taken for another."""
    return "-".join("".join(choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))
