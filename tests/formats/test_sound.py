"""What is accepted: every log that keeps the format, and that by the quick reader, however it is laid out."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from replay import schemas
from replay.formats import check_document, read_log
from replay.log import encode, log_of, without_own_keys

from .samples import DEFS, compact, exact, log, quick, typed

CASES = Path(__file__).parent.parent / "cases"
LOGS = sorted(path for path in CASES.glob("*/*.json") if not path.name.endswith(".expected.json"))
BROKEN = [path for path in LOGS if path.name[:6] in ("LOG001", "LOG002", "LOG006", "LOG007", "LOG008")]
SOUND = [path for path in LOGS if path not in BROKEN]


class TestCases:
    @pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
    def test_every_log_that_keeps_the_format_is_accepted_by_every_reader_and_whole(self, path: Path) -> None:
        data = path.read_bytes()
        assert read_log(data).findings == ()
        document = without_own_keys(json.loads(data))
        for accepted in (quick(data), exact(data).log, *([typed(data)] if b'"x_' not in data else [])):
            assert accepted is not None
            assert json.loads(encode(accepted)) == document

    @pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
    def test_every_log_that_breaks_it_earns_its_code(self, path: Path) -> None:
        expected = json.loads(path.with_suffix(".expected.json").read_text())["expected_finding"]
        reading = read_log(path.read_bytes())
        assert reading.log is None
        assert {finding.code for finding in reading.findings} == {expected["code"]}
        assert all(f.hand is f.action is f.seat is None for f in reading.findings)

    def test_the_small_log_here_has_everything(self) -> None:
        document = log()
        assert set(schemas.schema("log")["properties"]) <= {*document}
        assert set(DEFS["hand"]["properties"]) <= {*document["hands"][0]}
        for accepted in (typed(compact(document)), quick(compact(document)), check_document(document).log):
            assert accepted is not None
            assert json.loads(encode(accepted)) == document


class TestTextThatIsQuick:
    """The quick reader is worth nothing if it hands ordinary logs on."""

    @pytest.mark.parametrize(
        "write",
        [
            compact,
            lambda document: json.dumps(document).encode(),
            lambda document: json.dumps(document, indent=2).encode(),
            lambda document: b"\xef\xbb\xbf" + compact(document) + b"\r\n",
        ],
        ids=["compact", "as Python writes it", "indented", "with a byte order mark"],
    )
    def test_however_it_is_laid_out(self, write: Callable[[object], bytes]) -> None:
        document = log(source={"exporter": 'dump 1.4 "beta"', "exported_at": "2024-01-01T00:00:00.250Z"})
        document["players"][0]["name"] = "张三 🀄"
        document["x_own"] = {"a": [1, "é"]}
        assert quick(write(document)) == log_of(document)

    @pytest.mark.parametrize("indent", [None, 2])
    def test_one_without_keys_of_its_own_is_read_by_the_typed_reader(self, indent: int | None) -> None:
        document = log(source={"exported_at": "2024-01-01T00:00:00.250Z"})
        document["players"][0]["name"] = "张三 🀄: a"
        for ascii_only in (True, False):
            text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
            assert typed(text.encode()) == log_of(document)
