"""The registry: a record is known by what it holds, whatever it is given to look at."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from replay.importers import Imported, detect, importer, importers

from .samples import imported, salasasa

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from(["record", "game_title", "game_round", "commitment_hex", "rule", "side", "conf", "x"])
NEARLY = st.recursive(
    st.none() | st.integers() | st.just("sichuan"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(JSON | NEARLY)
def test_detection_never_raises_and_a_record_it_knows_is_read_or_refused(document: object) -> None:
    entry = detect(document)
    if entry is not None:
        assert isinstance(document, dict)
        assert isinstance(imported(document), Imported)


def test_a_record_is_known_by_its_content() -> None:
    entry = detect(salasasa())
    assert entry is not None
    assert (entry.name, entry.version) == ("salasasa", "1")


def test_what_the_record_came_with_is_not_needed_to_know_it() -> None:
    assert detect({"record": salasasa()["record"]}) is not None


def test_another_game_of_the_same_server_is_not_taken_for_sichuan() -> None:
    record = salasasa()
    record["record"]["game_title"]["rule"] = "guobiao"
    assert detect(record) is None


def test_a_log_of_our_own_is_not_foreign() -> None:
    assert detect({"format": "xuezhan-log/1", "hands": [], "players": []}) is None
    assert detect(json.loads("[]")) is None


def test_importers_stand_in_the_order_of_their_names() -> None:
    names = [entry.name for entry in importers()]
    assert names == sorted(names)
    assert "salasasa" in names


def test_an_importer_enters_itself() -> None:
    before = importers()

    @importer("zzz-test", "7", lambda document: document.get("zzz") is True)
    def read(document: Any) -> tuple[dict[str, Any], list[Any]]:
        return {"id": document["id"]}, []

    try:
        assert importers() == (*before, *(entry for entry in importers() if entry.read is read))
        entry = detect({"zzz": True})
        assert entry is not None
        assert entry.convert({"id": "a"}) == Imported({"id": "a"}, (), "zzz-test", "7")
    finally:
        importers_list().pop()
    assert importers() == before


def importers_list() -> list[Any]:
    """The registry itself, so that the test leaves it as it was."""
    import replay.importers as registry

    return registry._IMPORTERS
