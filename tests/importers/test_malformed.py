"""Foreign input that is not what it seems: a place and a reason, never an exception, never a guess."""

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import replay
from replay.formats import check_document
from replay.importers.malformed import Malformed, shown
from replay.importers.salasasa import read

from .samples import imported, salasasa, ticks

ROUND = "/record/game_round/round_index_1"

WRONG: list[tuple[str, Any]] = [
    ("/record/game_round", {}),
    ("/record/game_round", {"round_index_²": {}}),
    ("/record/game_round", {"round_index_0": {}}),
    ("/record/game_round", {7: {}}),
    ("/record/game_title/p0_uid", "x"),
    ("/record/game_title/p1_uid", True),
    ("/record/game_title/p1_uid", 10**30),
    ("/record/game_title/p2_name", "x" * 65),
    ("/record/game_title/salt", None),
    ("/record/game_title/sub_rule", []),
    (ROUND, []),
    (f"{ROUND}/p0_tiles", {}),
    (f"{ROUND}/p1_tiles/3", 20),
    (f"{ROUND}/p1_tiles/3", 40),
    (f"{ROUND}/p1_tiles/3", 11.0),
    (f"{ROUND}/p1_tiles/3", True),
    (f"{ROUND}/tiles_list", "11"),
    (f"{ROUND}/tiles_list/0", None),
    (f"{ROUND}/action_ticks", {"0": []}),
    (f"{ROUND}/action_ticks", [["d", 11]] * 2001),
    (f"{ROUND}/action_ticks/0", "c"),
    (f"{ROUND}/action_ticks/0/1", "11"),
    ("/final", {}),
    ("/final", [{"player_index": 0, "score": 3}]),
    ("/final/0/score", 1.5),
    ("/final/0/player_index", None),
    ("/side", {}),
    ("/side", []),
    ("/side/1", 3),
    ("/side/1/round_index", 3),
    ("/side/1/scores_before", [0, 0, 0]),
    ("/side/1/scores_before", [0, 0, 0, 2**53]),
    ("/side/1/dingque/2", 4),
    ("/side/1/dingque/2", 10**6000),
    ("/side/1/decisions", None),
    ("/side/1/decisions/0/seat", 4),
    ("/side/1/decisions/0/tick", "0"),
    ("/side/1/decisions/0/offered/0", "chi"),
    ("/side/1/decisions/0/chose", "pass"),
]


def put(record: Any, pointer: str, value: object) -> None:
    """Write a value where the pointer says."""
    *path, last = pointer.split("/")[1:]
    for key in path:
        record = record[int(key)] if isinstance(record, list) else record[key]
    record[int(last) if isinstance(record, list) else last] = value


@pytest.mark.parametrize(("pointer", "value"), WRONG, ids=lambda value: str(shown(value))[:40])
def test_what_is_wrong_is_named_with_its_place(pointer: str, value: object) -> None:
    record = salasasa(53)
    put(record, pointer, value)
    result = imported(record)
    assert result.log is None
    (finding,) = result.findings
    assert finding.code == "LOG001"
    assert finding.pointer == pointer
    assert len(finding.params["found"]) <= 80


@pytest.mark.parametrize("key", ["game_round", "game_title"])
def test_a_frame_without_its_parts_is_refused(key: str) -> None:
    record = salasasa(53)
    record["record"][key] = None
    with pytest.raises(Malformed):
        read(record)


def test_thirteen_tiles_a_seat_and_a_fourteenth() -> None:
    record = salasasa(53)
    record["record"]["game_round"]["round_index_1"]["p2_tiles"].append(11)
    (finding,) = imported(record).findings
    assert (finding.pointer, finding.params["found"]) == (ROUND, str([len(tiles) for tiles in held(record)]))


def held(record: dict[str, Any]) -> list[list[int]]:
    """The tiles dealt in the first hand."""
    return [record["record"]["game_round"]["round_index_1"][f"p{seat}_tiles"] for seat in range(4)]


def test_a_shorter_wall_is_reported_by_the_audit_and_not_filled_up() -> None:
    record = salasasa(53, "side")
    record["record"]["game_round"]["round_index_1"]["tiles_list"].pop()
    report = replay.audit(record).to_dict()
    assert report["verdict"] == "unreplayable"
    assert [f["pointer"] for f in report["findings"] if f["code"] == "LOG001"] == ["/hands/0/wall"]


@pytest.mark.parametrize(
    "tick",
    [
        [],
        [[]],
        [{}, 1],
        ["p", 11],
        ["p", 11, 4],
        ["g", 11, 0, "gs", 1, 2],
        ["gr"],
        ["gr", "gs", 1, 2, 3, 4],
        ["hu_self", 0],
        ["hu_self", 0, -1, [], [0, 0, 0, 0], 11],
        ["hu_first", 1, 1, [["平和"]], [0, 0, 0, 0], 11, 0, 2, 1],
        ["hu_first", 1, 1, None, [0, 0, 0, 0], 11, 0, 2, 1],
        ["ca", 9],
        ["ca", 1, {"a": []}, 11],
        ["liuju", ["reveal_hu"]],
        ["liuju", "chajiao", 0, ["ting"], "[]", [0, 0, 0, 0]],
        ["liuju", "chajiao", 7, "ting", "[]", [0, 0, 0, 0]],
        ["liuju", "settle_hu", "hu_first", 2, 1, [], [0, 1, -1, 0], 0],
        ["liuju", "hua_zhu"],
    ],
    ids=str,
)
@pytest.mark.parametrize("at", [0, 30])
def test_a_strange_tick_is_refused_or_told(tick: list[Any], at: int) -> None:
    record = salasasa(2199, "side", "final")
    ticks(record).insert(at, tick)
    result = imported(record)
    if result.log is None:
        assert [finding.code for finding in result.findings] == ["LOG001"]
    else:
        assert check_document(result.log).findings == ()
        claim = result.log["hands"][0].get("claimed", {})
        told = {finding.code for finding in result.findings} & {"IMP003", "LOG001"}
        assert told or "ledger" not in claim


VALUES: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-5, 45)
    | st.floats()
    | st.text(max_size=3)
    | st.just([])
    | st.just({})
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in keys for place in places(inner, (*path, key)))]


SMALL = salasasa(103)
SMALL["record"]["game_round"] = {"round_index_1": SMALL["record"]["game_round"]["round_index_1"]}
SMALL["side"] = SMALL["side"][:1]
PLACES = [place for place in places(SMALL) if len(place) > 1 and "shown" not in place]


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES | st.just("gone")), min_size=1, max_size=3))
def test_a_damaged_record_is_read_or_refused_and_then_audited(
    damage: list[tuple[tuple[Any, ...], Any]],
) -> None:
    record = copy.deepcopy(SMALL)
    for (*path, last), value in damage:
        holder: Any = record
        for key in path:
            holder = holder[key] if isinstance(holder, dict | list) and has(holder, key) else None
        if isinstance(holder, dict | list) and has(holder, last):
            if value == "gone":
                del holder[last]
            else:
                holder[last] = value
    try:
        log, _ = read(record)
    except Malformed:
        return
    # What the schema refuses then (a commitment that is none, say) is refused by name, not by accident.
    assert replay.audit(log).to_dict()["verdict"] in ("clean", "findings", "unreplayable")


def has(holder: Any, key: Any) -> bool:
    """Whether there is such a place."""
    return key in holder if isinstance(holder, dict) else type(key) is int and key < len(holder)
