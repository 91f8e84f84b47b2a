"""Which reports an account may see, and that what staff looks at is kept (operations U7)."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from sqlalchemy import Engine, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import col

from replay.store import visible
from replay.store.database import reading, writing
from replay.store.tables import Audit, Dispute, Document, Party, Report, StaffView, Upload
from replay.store.visible import record_view, views_of, visible_report

OWNER, OTHER, PARTY, ARBITER, ADMIN = "owner", "other", "party", "arbiter", "admin"


def a_report(engine: Engine, owner: str = OWNER) -> str:
    """A report of an owner, as an audit leaves it; returns its id."""
    upload, audit, document, report = (str(uuid4()) for _ in range(4))
    rows = (
        Upload(id=upload, owner=owner, sha256="0" * 64, size=1, name="game.json", created=1, documents=1),
        Document(id=document, upload_id=upload, position=0, name="game.json", start=0, size=1),
        Audit(id=audit, upload_id=upload, ruleset="r", engine="1", created=1),
        Report(
            id=report,
            audit_id=audit,
            position=0,
            verdict="clean",
            complete=True,
            hands=1,
            errors=0,
            sha256="1" * 64,
        ),
    )
    for row in rows:
        with writing(engine) as session:
            session.add(row)
    return report


def a_case(engine: Engine, report: str, *parties: str, created: int = 1, arbiter: str | None = None) -> str:
    """A case about a report between these accounts; returns its id."""
    case = Dispute(
        id=str(uuid4()),
        kind="legality",
        report_id=report,
        hand=0,
        opener=parties[0] if parties else OWNER,
        state="open",
        arbiter=arbiter,
        created=created,
        changed=created,
    )
    with writing(engine) as session:
        session.add(case)
    with writing(engine) as session:
        session.add_all([Party(id=str(uuid4()), dispute_id=case.id, account=one) for one in parties])
    return case.id


def standing(engine: Engine, account: str, role: str, report: str) -> tuple[str, str | None] | None:
    """As what an account sees a report, and because of which case."""
    with reading(engine) as session:
        found = visible_report(session, account, role, report)
        if found is None:
            return None
        assert (found.report.id, found.report.audit_id, found.audit.upload_id) == (
            report,
            found.audit.id,
            found.upload.id,
        )
        assert found.document.upload_id == found.upload.id
        return found.standing, found.case


WHO = ((OTHER, "player"), (PARTY, "player"), (ARBITER, "arbiter"), (ADMIN, "admin"))


def test_u7_a_report_is_its_owner_s_alone(engine: Engine) -> None:
    report = a_report(engine)
    assert standing(engine, OWNER, "player", report) == ("owner", None)
    assert [standing(engine, *who, report) for who in WHO] == [None] * 4


def test_u7_a_case_lets_its_parties_and_staff_see_the_report(engine: Engine) -> None:
    report, elsewhere = a_report(engine), a_report(engine, "somebody")
    case = a_case(engine, report, OWNER, PARTY)
    assert [standing(engine, *who, report) for who in WHO] == [
        None,
        ("party", case),
        ("staff", case),
        ("staff", case),
    ]
    assert [standing(engine, *who, elsewhere) for who in WHO] == [None] * 4
    assert standing(engine, OWNER, "player", report) == ("owner", None)


def test_u7_a_party_of_another_case_sees_nothing(engine: Engine) -> None:
    report, elsewhere = a_report(engine), a_report(engine, "somebody")
    a_case(engine, report, OWNER)
    a_case(engine, elsewhere, PARTY)
    assert standing(engine, PARTY, "player", report) is None


def test_staff_that_is_owner_or_party_is_that(engine: Engine) -> None:
    report = a_report(engine, ARBITER)
    case = a_case(engine, report, ADMIN)
    assert standing(engine, ARBITER, "arbiter", report) == ("owner", None)
    assert standing(engine, ADMIN, "admin", report) == ("party", case)


def test_staff_looks_because_of_the_case_that_is_its_to_decide_else_the_newest(engine: Engine) -> None:
    report = a_report(engine)
    mine = a_case(engine, report, OWNER, created=1, arbiter=ARBITER)
    newest = a_case(engine, report, OWNER, created=2)
    assert standing(engine, ARBITER, "arbiter", report) == ("staff", mine)
    assert standing(engine, ADMIN, "admin", report) == ("staff", newest)
    with writing(engine) as session:
        session.execute(update(Dispute).where(col(Dispute.id) == newest).values(second=ADMIN))
    assert standing(engine, ADMIN, "admin", report) == ("staff", newest)


def test_a_role_that_is_none_and_a_report_that_is_none_are_nothing(engine: Engine) -> None:
    report = a_report(engine)
    a_case(engine, report, OWNER)
    assert standing(engine, OTHER, "", report) is None
    assert standing(engine, OWNER, "player", str(uuid4())) is None


# Who looked ------------------------------------------------------------------------------------------


def test_u7_a_look_is_kept_once_a_minute_for_each_hand(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, other = "r" * 36, "s" * 36
    looks = [
        (ADMIN, report, None, "case", "page"),
        (ADMIN, report, None, "case", "page"),
        (ADMIN, report, 0, "case", "step"),
        (ADMIN, report, 0, "case", "step"),
        (ADMIN, report, 1, "case", "step"),
    ]
    looks += [(ARBITER, report, 0, "case", "step"), (ADMIN, other, 0, "case", "step")]
    assert [record_view(engine, *look) for look in looks] == [
        True,
        False,
        True,
        False,
        True,
        True,
        True,
    ]
    monkeypatch.setattr(visible, "APART_MS", -1)
    assert record_view(engine, ADMIN, report, 0, None, "step")
    kept = views_of(engine, report, 50)
    assert [view.at for view in kept] == sorted((view.at for view in kept), reverse=True)
    assert sorted(
        (view.account, -1 if view.hand is None else view.hand, view.dispute_id or "") for view in kept
    ) == [
        (ADMIN, -1, "case"),
        (ADMIN, 0, ""),
        (ADMIN, 0, "case"),
        (ADMIN, 1, "case"),
        (ARBITER, 0, "case"),
    ]
    assert len(views_of(engine, report, 2)) == 2


def test_u7_a_look_at_one_thing_hides_none_at_another(engine: Engine) -> None:
    report = "r" * 36
    for what in visible.WHAT * 2:
        record_view(engine, ADMIN, report, 0, None, what)
    assert sorted(view.what for view in views_of(engine, report, 50)) == sorted(visible.WHAT)


def test_looks_at_once_are_one(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(lambda _: record_view(engine, ADMIN, "r" * 36, 3, None, "step"), range(24)))
    assert (sum(kept), len(views_of(engine, "r" * 36, 50))) == (1, 1)


@pytest.mark.parametrize("change", ["UPDATE staff_view SET at = 0", "DELETE FROM staff_view"])
def test_what_was_looked_at_stays_looked_at(engine: Engine, change: str) -> None:
    record_view(engine, ADMIN, "r" * 36, None, None, "page")
    with pytest.raises(DBAPIError), writing(engine) as session:
        session.execute(text(change))
    (view,) = views_of(engine, "r" * 36, 50)
    assert isinstance(view, StaffView)
    assert view.at > 0
