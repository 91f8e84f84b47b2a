"""What a refusal says, and the limits that it names."""

from dataclasses import fields, replace
from typing import Any

import pytest

from replay import schemas
from replay.formats import check_document, read_log
from replay.limits import DEFAULT, Limits
from replay.log import log_of

from .samples import DEFS, KINDS, compact, log, only


class TestWords:
    """A finding says what is wrong, where, and what would be right; its cause, not what follows from it."""

    def test_for_an_unknown_key_name_the_way_out(self) -> None:
        document = log()
        document["hands"][0]["actions"][4]["tiel"] = "5p"
        finding = only(read_log(compact(document)))
        assert finding.pointer == "/hands/0/actions/4/tiel"
        assert finding.params["found"] == 'the unknown key "tiel"'
        assert finding.params["expected"] == "only type, seat, ms, by, tile; a key of your own begins with x_"

    @pytest.mark.parametrize("kind", KINDS)
    def test_for_a_missing_key_name_it(self, kind: str) -> None:
        position = KINDS.index(kind)
        for key in DEFS[kind]["required"]:
            document = log()
            del document["hands"][0]["actions"][position][key]
            finding = only(read_log(compact(document)))
            assert finding.pointer == f"/hands/0/actions/{position}"
            assert finding.params["found"] == f'no key "{key}"'
            assert finding.params["expected"].startswith(f'"{key}" in a')

    def test_for_a_key_of_another_action_say_which_are_its_own(self) -> None:
        document = log()
        document["hands"][0]["actions"][KINDS.index("draw")]["from"] = 1
        assert (
            only(read_log(compact(document))).params["expected"].startswith("only type, seat, ms, by, tile;")
        )

    def test_for_an_unknown_type_list_the_known_ones(self) -> None:
        document = log()
        document["hands"][0]["actions"][5] = {"type": "chi", "seat": 9, "tiles": 1.5}
        found = read_log(compact(document)).findings
        assert [f.pointer.rpartition("/")[2] for f in found] == ["tiles", "type"]
        assert all(kind in found[1].params["expected"] for kind in KINDS)

    def test_for_an_action_that_is_no_object_say_so_once(self) -> None:
        document = log()
        document["hands"][0]["actions"][5] = ["peng", 1]
        assert only(read_log(compact(document))).params["found"] == "an array of 2"

    def test_for_a_promised_wall_name_the_promise(self) -> None:
        document = log(records=["time", "wall"])
        assert read_log(compact(document)).findings == ()
        del document["hands"][0]["wall"]
        finding = only(read_log(compact(document)))
        assert finding.pointer == "/hands/0"
        assert finding.params["expected"] == '"wall" in a hand with its wall, which "records" promises'

    def test_for_several_problems_come_in_order_and_one_a_place(self) -> None:
        document = log()
        for position in (11, 2, 5):
            document["hands"][0]["actions"][position]["seat"] = 7.0
        document["hands"][0]["dealer"] = "0"
        assert [f.pointer for f in check_document(document).findings] == [
            "/hands/0/actions/2/seat",
            "/hands/0/actions/5/seat",
            "/hands/0/actions/11/seat",
            "/hands/0/dealer",
        ]

    @pytest.mark.parametrize("value", [1.5, "x", -1])
    def test_are_twenty_at_most(self, value: object) -> None:
        document = log()
        document["hands"] *= 30
        document["hands"] = [{**hand, "dealer": value} for hand in document["hands"]]
        assert len(read_log(compact(document)).findings) == 20

    def test_for_what_json_has_not_are_findings_too(self) -> None:
        for alien in (object(), (1, 2), {1, 2}, b"bytes", 1j):
            assert "Python" in only(check_document(log(x_own=alien))).params["found"]
        assert not check_document([]).log  # type: ignore[arg-type]


class TestLimits:
    def test_are_those_published(self) -> None:
        assert (DEFAULT.document_bytes, DEFAULT.hand_bytes) == (4 * 1024**2, 256 * 1024)
        assert (DEFAULT.upload_bytes, DEFAULT.inflated_bytes) == (64 * 1024**2, 1024**3)
        assert (DEFAULT.ratio, DEFAULT.ratio_free_bytes, DEFAULT.members) == (50, 64 * 1024**2, 10_000)
        assert (DEFAULT.depth, DEFAULT.actions, DEFAULT.hands) == (16, 2_000, 10_000)

    def test_of_the_schema_are_no_lower(self) -> None:
        assert DEFS["hand"]["properties"]["actions"]["maxItems"] == DEFAULT.actions
        assert schemas.schema("log")["properties"]["hands"]["maxItems"] == DEFAULT.hands

    @pytest.mark.parametrize(
        ("limit", "allowed", "found", "pointer"),
        [
            ("document_bytes", 100, len(compact(log())), ""),
            ("hand_bytes", 100, len(compact(log()["hands"][0])), "/hands/0"),
            ("depth", 6, 7, "/hands/0/claimed/wins/0/shapes"),
            ("actions", 11, 12, "/hands/0/actions"),
            ("entries", 9, 10, ""),
        ],
    )
    def test_are_kept_and_named(self, limit: str, allowed: int, found: int, pointer: str) -> None:
        limits = replace(DEFAULT, **{limit: allowed})
        finding = only(read_log(compact(log()), limits))
        assert (finding.code, finding.pointer) == ("LOG008", pointer)
        assert finding.params == {"limit": limit, "allowed": allowed, "found": found}
        assert read_log(compact(log()), replace(DEFAULT, **{limit: found})).log == log_of(log())

    def test_of_hands_are_kept(self) -> None:
        document = log()
        document["hands"] *= 3
        finding = only(read_log(compact(document), Limits(hands=2)))
        assert (finding.params["limit"], finding.params["found"], finding.pointer) == ("hands", 3, "/hands")

    def test_hold_for_a_decoded_log(self) -> None:
        document = log(x_own="a" * DEFAULT.document_bytes)
        assert only(check_document(document)).params["limit"] == "document_bytes"
        document["hands"][0]["x_own"] = document.pop("x_own")[: DEFAULT.hand_bytes]
        assert only(check_document(document)).params["limit"] == "hand_bytes"

    def test_stop_a_log_that_contains_itself(self) -> None:
        endless: dict[str, Any] = log()
        endless["x_own"] = endless
        assert check_document(endless).findings[0].params["limit"] == "depth"
        wide: list[Any] = [0]
        for _ in range(10):
            wide = [wide] * 100
        assert only(check_document(log(x_own=wide))).params["limit"] == "document_bytes"

    def test_reach_every_array(self) -> None:
        document = log(lacks=["rob"] * 5000, records=["pass"] * 5000)
        assert {f.params["limit"] for f in read_log(compact(document)).findings} == {"entries"}

    def test_have_a_unit_in_their_name_or_count_things(self) -> None:
        assert all(isinstance(getattr(DEFAULT, field.name), int) for field in fields(Limits))

    def test_of_depth_stay_within_what_a_reader_can_follow(self) -> None:
        with pytest.raises(ValueError, match="200"):
            Limits(depth=201)
