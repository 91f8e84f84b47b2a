"""Who is signed in: sign-ins of browsers, each known by the SHA-256 of what its cookie holds; and tokens of programs."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Engine, and_, delete, or_, select, update
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col

from replay.store.database import clock, now_ms, reading, writing
from replay.store.tables import Account, SignIn, Token

HOUR_MS = 3_600_000
LIFETIME_MS = 12 * HOUR_MS
IDLE_MS = 2 * HOUR_MS
SEEN_MS = 60_000
"""How old the time at which a sign-in or a token was last used may become before it is written down again.

Where it cannot be, whoever asks may read all the same.
"""

SECRET_BYTES = 32
BEGINNING = "rpl_"
"""What every token begins with, so that one that lies about is recognized."""

MOST_TOKENS = 50
LONGEST_SECRET = 100


def digest(secret: str) -> str:
    """What is kept of a secret: it has so much chance in it that nothing slower is needed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


# Browsers --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entered:
    """Someone who asks with a secret that is good: the account, and the sign-in or the token it came by."""

    account: Account
    sign_in: str | None = None
    token: str | None = None


def begin(engine: Engine, account_id: str, before: str = "") -> str:
    """Sign a browser in; returns what its cookie is to hold. The sign-in that it had ends, as do those run out."""
    secret = token_urlsafe(SECRET_BYTES)
    with writing(engine) as session:
        now = clock(session)
        session.execute(delete(SignIn).where(or_(col(SignIn.id) == digest(before), ~is_live(now))))
        session.add(
            SignIn(id=digest(secret), account_id=account_id, created=now, seen=now, expires=now + LIFETIME_MS)
        )
    return secret


def is_live(now: int) -> ColumnElement[bool]:
    """That a sign-in neither lasted too long nor was idle too long."""
    return and_(col(SignIn.expires) > now, col(SignIn.seen) > now - IDLE_MS)


def entered(engine: Engine, secret: str) -> Entered | None:
    """Who has this cookie; None where it is none, or is no longer good."""
    if len(secret) > LONGEST_SECRET:
        return None
    with reading(engine) as session:
        now = clock(session)
        chosen = (
            select(Account, SignIn)
            .join(SignIn, col(SignIn.account_id) == col(Account.id))
            .where(col(SignIn.id) == digest(secret), is_live(now), *may_enter())
        )
        row = session.execute(chosen).one_or_none()
        session.expunge_all()
    if row is None:
        return None
    account, sign_in = row
    if sign_in.seen < now - SEEN_MS:
        with suppress(OperationalError), writing(engine) as session:
            session.execute(update(SignIn).where(col(SignIn.id) == sign_in.id).values(seen=now))
    return Entered(account, sign_in=sign_in.id)


def may_enter() -> tuple[ColumnElement[bool], ...]:
    """What an account must be to be let in."""
    return col(Account.closed).is_(None), col(Account.barred).is_(None)


def sign_ins_of(engine: Engine, account_id: str) -> list[SignIn]:
    """The browsers that an account is signed in with, the newest first."""
    with reading(engine) as session:
        chosen = select(SignIn).where(col(SignIn.account_id) == account_id, is_live(clock(session)))
        found = list(session.execute(chosen.order_by(col(SignIn.created).desc(), col(SignIn.id))).scalars())
        session.expunge_all()
    return found


def end(engine: Engine, account_id: str, sign_in: str) -> None:
    """Sign one browser of an account out."""
    with writing(engine) as session:
        mine = delete(SignIn).where(col(SignIn.account_id) == account_id, col(SignIn.id) == sign_in)
        session.execute(mine)


def end_all(engine: Engine, account_id: str, keep: str | None = None) -> None:
    """Sign every browser of an account out, but the one of the sign-in ``keep``."""
    with writing(engine) as session:
        drop_all(session, account_id, keep)


def drop_all(session: Session, account_id: str, keep: str | None = None) -> None:
    """The same in a transaction that writes more."""
    mine = delete(SignIn).where(col(SignIn.account_id) == account_id)
    session.execute(mine if keep is None else mine.where(col(SignIn.id) != keep))


# Programs --------------------------------------------------------------------------------------------


class TooMany(RuntimeError):
    """An account has as many tokens as it may have."""


def make_token(engine: Engine, account_id: str, name: str, lasts_ms: int | None) -> str:
    """Make a token of an account, which may end after a while; returns it, and it is never to be had again.

    Raises `TooMany`.
    """
    secret = BEGINNING + token_urlsafe(SECRET_BYTES)
    with writing(engine) as session:
        session.execute(select(col(Account.id)).where(col(Account.id) == account_id).with_for_update())
        now = clock(session)
        if len(session.execute(_live_tokens(account_id, now)).all()) >= MOST_TOKENS:
            raise TooMany
        expires = None if lasts_ms is None else now + lasts_ms
        row = Token(
            id=str(uuid4()),
            account_id=account_id,
            name=name,
            sha256=digest(secret),
            created=now,
            expires=expires,
        )
        session.add(row)
    return secret


def is_good(now: int) -> ColumnElement[bool]:
    """That a token was not revoked and has not ended."""
    ends = or_(col(Token.expires).is_(None), col(Token.expires) > now)
    return and_(col(Token.revoked).is_(None), ends)


def _live_tokens(account_id: str, now: int) -> Any:
    chosen = select(Token).where(col(Token.account_id) == account_id, is_good(now))
    return chosen.order_by(col(Token.created).desc(), col(Token.id))


def tokens_of(engine: Engine, account_id: str) -> list[Token]:
    """The tokens of an account that are good, the newest first."""
    with reading(engine) as session:
        found = list(session.execute(_live_tokens(account_id, clock(session))).scalars())
        session.expunge_all()
    return found


def entered_by(engine: Engine, secret: str) -> Entered | None:
    """Whom a token acts for; None where it is none, or is no longer good."""
    if not secret.startswith(BEGINNING) or len(secret) > LONGEST_SECRET:
        return None
    with reading(engine) as session:
        now = clock(session)
        chosen = (
            select(Account, Token)
            .join(Token, col(Token.account_id) == col(Account.id))
            .where(col(Token.sha256) == digest(secret), is_good(now), *may_enter())
        )
        row = session.execute(chosen).one_or_none()
        session.expunge_all()
    if row is None:
        return None
    account, token = row
    if (token.used or 0) < now - SEEN_MS:
        with suppress(OperationalError), writing(engine) as session:
            session.execute(update(Token).where(col(Token.id) == token.id).values(used=now))
    return Entered(account, token=token.id)


def revoke(engine: Engine, account_id: str, token_id: str) -> bool:
    """Let a token of an account be good for nothing; says whether there was one."""
    with writing(engine) as session:
        mine = update(Token).where(
            col(Token.account_id) == account_id, col(Token.id) == token_id, col(Token.revoked).is_(None)
        )
        return session.execute(mine.values(revoked=now_ms()).returning(col(Token.id))).first() is not None


def revoke_all(session: Session, account_id: str) -> None:
    """Let every token of an account be good for nothing."""
    mine = update(Token).where(col(Token.account_id) == account_id, col(Token.revoked).is_(None))
    session.execute(mine.values(revoked=now_ms()))
