"""What is refused: text that is no JSON, numbers, strings and keys that JSON has and a log has not."""

import json
from typing import Any

import pytest

from replay import faults
from replay.formats import check_document, read_log
from replay.log import log_of

from .samples import compact, log, only


class TestText:
    @pytest.mark.parametrize(
        ("data", "code", "params"),
        [
            (b"", "LOG006", {"problem": "there is nothing in it", "line": 1, "column": 1}),
            (b"\xef\xbb\xbf \n", "LOG006", {"problem": "there is nothing in it", "line": 2, "column": 1}),
            (b'{\n "a": }', "LOG006", {"problem": "a value was expected", "line": 2, "column": 7}),
            (b'{"a" 1}', "LOG006", {"problem": 'a ":" was expected', "line": 1, "column": 6}),
            (
                b'{"a":1}{}',
                "LOG006",
                {"problem": "text after the end of the document", "line": 1, "column": 8},
            ),
            (b'{"a', "LOG006", {"problem": "a string that does not end", "line": 1, "column": 2}),
            (
                b'{"a":"\\q"}',
                "LOG006",
                {"problem": "an escape that JSON does not know", "line": 1, "column": 7},
            ),
            (
                b'["a\nb"]',
                "LOG006",
                {"problem": "a control character inside a string", "line": 1, "column": 4},
            ),
            (b"\0", "LOG006", {"problem": "a value was expected", "line": 1, "column": 1}),
            (b'{"a":"\xff"}', "LOG007", {"problem": "not UTF-8", "offset": 6}),
            (b'\xef\xbb\xbf{"a":"\xc0\x80"}', "LOG007", {"problem": "not UTF-8", "offset": 9}),
            (
                '{"a":"\ud800"}'.encode("utf-8", "surrogatepass"),
                "LOG007",
                {"problem": "not UTF-8", "offset": 6},
            ),
            ("{}".encode("utf-16"), "LOG007", {"problem": "UTF-16, not UTF-8", "offset": 0}),
        ],
    )
    def test_that_is_no_json_in_utf_8_says_where(
        self, data: bytes, code: str, params: dict[str, Any]
    ) -> None:
        finding = only(read_log(data))
        assert (finding.code, finding.params) == (code, params)

    @pytest.mark.parametrize("depth", [1_000, 100_000])
    @pytest.mark.parametrize("brackets", ["[]", "{}"])
    def test_of_great_depth_is_measured_and_not_followed(self, depth: int, brackets: str) -> None:
        opening = brackets[0] if brackets == "[]" else '{"a":'
        for data in (opening * depth, opening * depth + "1" + brackets[1] * depth):
            assert only(read_log(data.encode())).params == {"limit": "depth", "allowed": 16, "found": depth}

    @pytest.mark.parametrize("depth", [15, 300, 900])
    def test_within_an_own_key_is_no_deeper_than_the_rest(self, depth: int) -> None:
        text = compact(log()).replace(b"{", b'{"x_deep":' + b"[" * depth + b"]" * depth + b",", 1)
        finding = read_log(text).findings
        assert [f.code for f in finding] == (["LOG008"] if depth > 15 else [])
        for hidden in (b'"\\u0078_deep"', b'"x\\u005fdeep"'):
            assert read_log(text.replace(b'"x_deep"', hidden)).findings == finding

    def test_may_begin_with_one_byte_order_mark(self) -> None:
        assert read_log(b"\xef\xbb\xbf" + compact(log())).log == log_of(log())
        assert only(read_log(b"\xef\xbb\xbf" * 2 + compact(log()))).code == "LOG006"


class TestNumbers:
    @pytest.mark.parametrize(
        "written",
        ["1.0", "0.0", "-0.0", "1e0", "1E+0", "10e-1", "0e9", "1e400", "NaN", "Infinity", "-Infinity", "0.5"],
    )
    @pytest.mark.parametrize("key", ["dealer", "x_dealer"])
    def test_are_integers_as_written(self, written: str, key: str) -> None:
        data = compact(log()).replace(b'"dealer":0', f'"dealer":0,"x_dealer":{written}'.encode())
        if key == "dealer":
            data = compact(log()).replace(b'"dealer":0', f'"dealer":{written}'.encode())
        finding = only(read_log(data))
        assert (finding.code, finding.pointer) == ("LOG001", f"/hands/0/{key}")
        assert finding.params["found"] == written

    @pytest.mark.parametrize("value", [2**53, -(2**53), 2**64, 10**17, 10**400])
    @pytest.mark.parametrize("key", ["ms", "x_ms"])
    def test_are_within_bounds(self, value: int, key: str) -> None:
        document = log()
        document["hands"][0]["actions"][0][key] = value
        for reading in (read_log(compact(document)), check_document(document)):
            assert only(reading).pointer == f"/hands/0/actions/0/{key}"

    def test_of_4301_digits_are_refused_like_any_other(self) -> None:
        data = compact(log()).replace(b'"ms":1,', b'"ms":' + b"9" * 4301 + b",")
        finding = only(read_log(data))
        assert (finding.code, finding.pointer) == ("LOG001", "/hands/0/actions/1/ms")
        assert len(finding.params["found"]) == 80

    def test_at_the_bounds_are_accepted(self) -> None:
        document = log()
        document["hands"][0]["holdings"] = [2**53 - 1, -(2**53 - 1), 0, 0]
        document["x_own"] = [2**53 - 1, -(2**53 - 1)]
        assert read_log(compact(document)).log == log_of(document)

    @pytest.mark.parametrize("value", [1.0, 0.0, True, False, float("nan"), float("inf"), "1", None, [1]])
    def test_in_a_decoded_log_are_integers_too(self, value: object) -> None:
        document = log()
        document["hands"][0]["actions"][3]["seat"] = value
        assert only(check_document(document)).pointer == "/hands/0/actions/3/seat"


class TestStrings:
    @pytest.mark.parametrize(
        "text", ["a\nb", "a\0", "\x7f", "\x85", "\u202eabc", "\u2066", "\u200f", "\ufeff"]
    )
    def test_of_people_hold_nothing_that_steers_a_display(self, text: str) -> None:
        document = log()
        document["players"][1]["name"] = text
        finding = only(read_log(compact(document)))
        assert finding.pointer == "/players/1/name"
        assert finding.params["found"].isprintable()

    @pytest.mark.parametrize("place", ["name", "x_own"])
    def test_are_whole_characters(self, place: str) -> None:
        data = compact(log()).replace(b'"name":"\xe4\xb8\x9c"', b'"name":"A","%b":"\\ud83c"' % place.encode())
        if place == "name":
            data = compact(log()).replace(b"\xe4\xb8\x9c", b"\\udc04")
        finding = only(read_log(data))
        assert (finding.code, finding.pointer) == ("LOG001", f"/players/0/{place}")
        json.dumps(finding.params, ensure_ascii=False).encode()

    def test_are_composed(self) -> None:
        document = log()
        document["players"][2]["name"] = "e\u0301"
        assert only(read_log(compact(document))).pointer == "/players/2/name"
        assert only(check_document(document)).pointer == "/players/2/name"
        document["players"][2]["name"] = "\u00e9"
        assert read_log(compact(document)).log == log_of(document)

    def test_shown_in_a_finding_are_short_and_printable(self) -> None:
        document = log(id="\u202e" + "长" * 500)
        document["\u202e" + "k" * 500] = 1
        for finding in read_log(compact(document)).findings:
            assert len(finding.params["found"]) <= 80 + len("the unknown key ")
            assert finding.params["found"].isprintable()
            assert finding.pointer.isprintable()
            assert len(finding.pointer) <= 81


class TestKeys:
    def test_that_stand_twice_are_named_with_their_place(self) -> None:
        data = compact(log()).replace(b'"dealer":0', b'"dealer":0,"dealer":0', 1)
        finding = only(read_log(data))
        assert (finding.code, finding.pointer, finding.params) == (
            "LOG002",
            "/hands/0/dealer",
            {"key": "dealer"},
        )

    @pytest.mark.parametrize(
        "again", [b'"type":"swap"', b'"\\u0074ype":"swap"', b'"ms":0', b'"x_a":1,"x_a":1']
    )
    def test_that_stand_twice_in_an_action_are_seen_however_they_are_written(self, again: bytes) -> None:
        data = compact(log()).replace(b'"type":"swap"', again + b',"type":"swap"', 1)
        assert only(read_log(data)).code == "LOG002"

    def test_that_stand_twice_are_seen_behind_text_that_looks_like_keys(self) -> None:
        document = log(id='a":1,"b', source={"room": "::::"})
        assert read_log(compact(document)).log == log_of(document)
        data = compact(document).replace(b'"seat":0', b'"seat":0,"seat":0', 1)
        assert only(read_log(data)).code == "LOG002"

    def test_of_ones_own_may_hold_anything_but_fractions(self) -> None:
        document = log(x_own={"a": [None, True, "text\n", {"b": []}]})
        assert read_log(compact(document)).log == log_of(document)

    def test_of_a_decoded_log_are_text(self) -> None:
        document: dict[Any, Any] = log(x_own={1: 2})
        assert "Python int" in only(check_document(document)).params["found"]


def test_a_depth_is_that_of_brackets_outside_strings() -> None:
    assert faults.depth('{"[[[": ["\\"[[", {}]}') == 3
    assert faults.depth('["[[[') == 1
