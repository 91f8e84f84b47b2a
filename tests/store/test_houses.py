"""House rule sets as they are kept: versions that never change, one row a document, no more than there is room for."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import IntegrityError, InvalidRequestError
from sqlalchemy.orm.exc import DetachedInstanceError

from replay import OptionProblems, load_profile
from replay.house import house_rules, started
from replay.profile import default_profile
from replay.store import houses
from replay.store.database import connect, reading, writing
from replay.store.houses import (
    Full,
    document_of,
    house_of,
    houses_of,
    keep_house,
    listed_of,
    seems_sound,
    stored_rules,
    used_by_houses,
    versions_of,
)
from replay.store.tables import Audit, HouseRules, Upload
from replay.store.upgrade import downgrade, upgrade


def a_room(name: str = "our-room", **changes: Any) -> dict[str, Any]:
    """A house rule set started from the default one."""
    return started(load_profile(default_profile()), name, changes)


def keep(engine: Engine, document: dict[str, Any], owner: str = "local") -> str:
    return keep_house(engine, owner, house_rules(document), document)


def test_a_document_is_kept_whole_with_both_digests(engine: Engine) -> None:
    document = a_room(base=3)
    row = house_of(engine, "local", keep(engine, document))
    assert row is not None
    assert json.loads(row.document) == document
    assert (row.name, row.digest, row.supersedes) == ("our-room", house_rules(document).digest, None)
    assert stored_rules(row.document).digest == row.digest
    assert stored_rules(row.document, {"base": 4}).digest == house_rules(document, {"base": 4}).digest


def test_the_same_document_is_one_row_also_among_writers(engine: Engine) -> None:
    document = a_room()
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: keep(engine, dict(reversed(document.items()))), range(40)))
    assert found == {keep(engine, document)}
    assert len(versions_of(engine, "local", "our-room")) == 1


def test_another_is_a_version_that_supersedes_the_one_before(engine: Engine) -> None:
    first, second, third = (keep(engine, a_room(base=base)) for base in (2, 3, 4))
    found = versions_of(engine, "local", "our-room")
    assert {row.id: row.supersedes for row in found} == {first: None, second: first, third: second}
    other = keep(engine, a_room("their-room"))
    assert {row.id for row in houses_of(engine, "local")} == {found[0].id, other}


def test_each_owner_has_its_own(engine: Engine) -> None:
    mine, theirs = keep(engine, a_room()), keep(engine, a_room(), "somebody")
    assert mine != theirs
    assert house_of(engine, "local", theirs) is None
    assert [row.id for row in houses_of(engine, "somebody")] == [theirs]


def test_no_more_are_kept_than_there_is_room_for(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(houses, "MOST_KEPT", 2)
    kept = [keep(engine, a_room(base=base)) for base in (2, 3)]
    with pytest.raises(Full) as caught:
        keep(engine, a_room(base=4))
    assert caught.value.most == 2
    assert keep(engine, a_room(base=3)) == kept[1]
    keep(engine, a_room(base=4), "somebody")


def test_versions_kept_at_once_are_one_chain_within_the_room_there_is(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(houses, "MOST_KEPT", 8)

    def kept(base: int) -> bool:
        try:
            return bool(keep(engine, a_room(base=base)))
        except Full:
            return False

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(kept, range(2, 14))) == 8
    chain = [(row.id, row.supersedes) for row in versions_of(engine, "local", "our-room")]
    assert [before for _, before in chain] == [*(one for one, _ in chain[1:]), None]
    assert [row.id for row in houses_of(engine, "local")] == [chain[0][0]]
    assert len(chain) == 8


@pytest.mark.parametrize("supersedes", [True, False], ids=["a version again", "none again"])
def test_a_chain_that_forks_is_refused(engine: Engine, supersedes: bool) -> None:
    first, _ = keep(engine, a_room(base=2)), keep(engine, a_room(base=3))
    row = house_of(engine, "local", first)
    assert row is not None
    other = {**row.model_dump(), "id": "a", "sha256": "1" * 64, "supersedes": first if supersedes else None}
    with pytest.raises(IntegrityError), writing(engine) as session:
        session.add(HouseRules(**other))


def test_one_that_an_audit_was_made_by_stays(engine: Engine) -> None:
    house_id = keep(engine, a_room())
    with writing(engine) as session:
        session.add(Upload(id="u", owner="local", sha256="0" * 64, size=1, name="x", created=1))
        session.flush()
        session.add(Audit(id="a", upload_id="u", ruleset="r", house=house_id, engine="1", created=1))
    with reading(engine) as session:
        assert json.loads(document_of(session, house_id)) == a_room()
    with pytest.raises(IntegrityError), writing(engine) as session:
        session.execute(text("DELETE FROM house_rules"))
    with pytest.raises(IntegrityError), writing(engine) as session:
        session.add(Audit(id="b", upload_id="u", ruleset="s", house="no such", engine="1", created=1))


def test_lists_read_no_document(engine: Engine) -> None:
    keep(engine, a_room(base=2))
    house_id = keep(engine, a_room(base=3))
    (listed,) = houses_of(engine, "local")
    for row in (
        listed,
        *versions_of(engine, "local", "our-room"),
        *listed_of(engine, "local", [house_id]).values(),
    ):
        assert json.loads(row.names) == a_room()["names"]
        with pytest.raises((InvalidRequestError, DetachedInstanceError)):
            _ = row.document
    assert listed_of(engine, "somebody", [house_id]) == {}


def test_the_bytes_of_an_owner_s_documents_are_counted(engine: Engine) -> None:
    house_id = keep(engine, a_room() | {"x_note": "三番"})
    row = house_of(engine, "local", house_id)
    assert row is not None
    with reading(engine) as session:
        assert used_by_houses(session, "local") == row.size == len(row.document.encode())
        assert used_by_houses(session, "somebody") == 0


def test_one_of_another_version_of_the_schema_is_offered_where_it_still_fits(engine: Engine) -> None:
    fits, lacks = keep(engine, a_room("fits")), keep(engine, a_room("lacks"))
    document = a_room("lacks")
    del document["values"]["piao"]
    with writing(engine) as session:
        for house_id in (fits, lacks):
            session.get_one(HouseRules, house_id).soundness = "0" * 64
        session.get_one(HouseRules, lacks).document = json.dumps(document)
    assert {row.id: seems_sound(engine, row) for row in houses_of(engine, "local")} == {
        fits: True,
        lacks: False,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"sha256": "0"},
        {"digest": "0"},
        {"name": "x" * 65},
        {"owner": "x" * 65},
        {"supersedes": "b"},
        {"size": -1},
        {"soundness": ""},
    ],
)
def test_a_row_that_is_not_sound_is_refused(engine: Engine, wrong: dict[str, Any]) -> None:
    row: dict[str, Any] = {
        "id": "a",
        "owner": "local",
        "name": "x",
        "digest": "0" * 71,
        "sha256": "0" * 64,
        "size": 2,
        "names": "{}",
        "soundness": "0" * 64,
        "document": "{}",
    }
    with pytest.raises(Exception) as caught, writing(engine) as session:  # noqa: PT011 - each database its own
        session.add(HouseRules(**{**row, "created": 1, **wrong}))
    assert type(caught.value).__name__ in ("IntegrityError", "DataError")


def test_a_document_of_another_version_of_the_schema_says_what_it_lacks() -> None:
    document = a_room()
    del document["values"]["piao"]
    with pytest.raises(OptionProblems, match="piao"):
        stored_rules(json.dumps(document))


def test_before_house_rule_sets_no_audit_has_one(database: str) -> None:
    engine = connect(database)
    upgrade(engine, "0003")
    insert = (
        "INSERT INTO upload (id, owner, sha256, size, name, created) VALUES ('u', 'local', :digest, 1, 'x', 1)",
        "INSERT INTO audit (id, upload_id, ruleset, options, engine, created)"
        " VALUES ('a', 'u', 'r', '{}', '1', 1)",
    )
    with engine.begin() as connection:
        for statement in insert:
            bound = {"digest": "0" * 64} if ":digest" in statement else {}
            connection.execute(text(statement), bound)
    upgrade(engine)
    with reading(engine) as session:
        assert session.execute(text("SELECT house FROM audit")).scalar_one() is None
        assert list(session.execute(select(HouseRules))) == []
    with pytest.raises(IntegrityError), writing(engine) as session:
        session.execute(text("DELETE FROM upload"))
    downgrade(engine, "0003")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT id FROM audit")).scalar_one() == "a"
    engine.dispose()
