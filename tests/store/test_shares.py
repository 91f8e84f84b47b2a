"""Links to reports: unguessable, ending, revocable, and kept as no more than a digest (operations U7)."""

from uuid import uuid4

import pytest
from sqlalchemy import Engine, text, update
from sqlmodel import col

from replay.store import shares
from replay.store.database import reading, writing
from replay.store.shares import TooMany, make_share, opened, revoke_share, shares_of
from replay.store.tables import Account, Share, Upload
from tests.store.test_visible import OTHER, OWNER, a_report


def leads_to(engine: Engine, secret: str) -> tuple[str, int | None] | None:
    """The report and the seat that a secret leads to."""
    with reading(engine) as session:
        share = opened(session, secret)
        return None if share is None else (share.report_id, share.seat)


def test_u7_a_link_leads_to_its_report_as_long_as_it_lasts(engine: Engine) -> None:
    report = a_report(engine)
    made = {
        make_share(engine, OWNER, report, seat, days): seat for seat, days in ((None, None), (0, 1), (3, 30))
    }
    assert [leads_to(engine, secret) for secret in made] == [(report, seat) for seat in made.values()]
    with writing(engine) as session:
        session.execute(update(Share).where(col(Share.seat) == 3).values(expires=1))
    assert [leads_to(engine, secret) for secret in made] == [(report, None), (report, 0), None]
    assert [share.seat for share in shares_of(engine, OWNER, report)].count(3) == 0


def test_u7_no_secret_can_be_had_from_what_is_kept(engine: Engine) -> None:
    report = a_report(engine)
    made = [make_share(engine, OWNER, report, None, 7) for _ in range(20)]
    assert len({*made}) == 20
    assert {len(secret) for secret in made} == {43}
    with reading(engine) as session:
        kept = [str(value) for row in session.execute(text("SELECT * FROM share")) for value in row]
    assert not [secret for secret in made if secret in kept]
    digests = [share.sha256 for share in shares_of(engine, OWNER, report)]
    assert [leads_to(engine, digest) for digest in digests] == [None] * 20


def test_u7_a_link_that_was_revoked_leads_nowhere(engine: Engine) -> None:
    report, other = a_report(engine), a_report(engine, OTHER)
    secret = make_share(engine, OWNER, report, None, None)
    (share,) = shares_of(engine, OWNER, report)
    assert not revoke_share(engine, OTHER, report, share.id)
    assert not revoke_share(engine, OWNER, other, share.id)
    assert not revoke_share(engine, OWNER, report, str(uuid4()))
    assert leads_to(engine, secret) == (report, None)
    assert revoke_share(engine, OWNER, report, share.id)
    assert not revoke_share(engine, OWNER, report, share.id)
    assert (leads_to(engine, secret), list(shares_of(engine, OWNER, report))) == (None, [])


@pytest.mark.parametrize("gone", ["closed", "barred"])
def test_a_link_of_an_account_that_may_not_enter_leads_nowhere(engine: Engine, gone: str) -> None:
    report = a_report(engine)
    secret = make_share(engine, OWNER, report, None, None)
    row = Account(id=OWNER, name="x", folded="x", role="player", password="", created=1, password_at=1)
    with writing(engine) as session:
        session.add(row)
    assert leads_to(engine, secret) == (report, None)
    with writing(engine) as session:
        session.execute(update(Account).values({gone: 5}))
    assert leads_to(engine, secret) is None


def test_a_link_to_what_is_not_its_maker_s_leads_nowhere(engine: Engine) -> None:
    report = a_report(engine)
    secret = make_share(engine, OWNER, report, None, None)
    with writing(engine) as session:
        session.execute(update(Upload).values(owner=OTHER))
    assert leads_to(engine, secret) is None


@pytest.mark.parametrize("secret", ["", "x", "x" * 43, "x" * 100_000, "\0", "\ud800"])
def test_what_is_no_secret_leads_nowhere(engine: Engine, secret: str) -> None:
    assert leads_to(engine, secret) is None


def test_no_more_links_are_open_than_there_is_room_for(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MOST_LIVE", 2)
    report, other = a_report(engine), a_report(engine, OTHER)
    for _ in range(2):
        make_share(engine, OWNER, report, None, None)
    with pytest.raises(TooMany) as caught:
        make_share(engine, OWNER, report, None, None)
    assert caught.value.most == 2
    make_share(engine, OTHER, other, None, None)
    revoke_share(engine, OWNER, report, shares_of(engine, OWNER, report)[0].id)
    make_share(engine, OWNER, report, 1, 1)
