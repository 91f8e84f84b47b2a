"""`replay audit`: reports in order, the verdict first, and exit codes that a script can trust."""

import gzip
import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import replay
from replay.schemas import quick_validator
from replay.wording import text

from .running import BREACH, CASES, CLEAN, LANGUAGES, compact, lines, run

UNDECIDED = {"records": [], "lacks": ["void"]}


def log_file(folder: Path, name: str, source: Path = CLEAN, **changes: Any) -> Path:
    """A copy of a case with some keys changed."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**json.loads(source.read_bytes()), **changes}))
    return path


def test_a_clean_log_exits_0_with_the_verdict_first() -> None:
    result = run("audit", CLEAN)
    assert result.exit_code == 0
    assert result.stdout.startswith("Nothing to object to: 3 hands")
    assert result.stderr == ""


def test_a_finding_is_shown_with_hand_step_seat_tiles_and_clause_and_exits_1() -> None:
    result = run("audit", BREACH)
    assert result.exit_code == 1
    said = " ".join(result.stdout.split())
    assert said.startswith("Objections: 1 breach of the rules.")
    for part in ("hand 1", "step 6", "seat 0 (P0)", "1s", "2489m", "Clause (void suit): document 000, §1.7"):
        assert part in said
    assert said.index("Clause") < said.index("Who pays whom")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_text_is_in_the_language_asked_for(lang: str) -> None:
    assert text(lang, "report.objections") in run("audit", BREACH, "--lang", lang).stdout


@pytest.mark.parametrize(
    ("env", "lang"),
    [
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_TW.UTF-8", "LANGUAGE": ""}, "zh-Hant"),
        ({"LC_ALL": "zh_CN.UTF-8", "LANG": "en_GB.UTF-8", "LANGUAGE": ""}, "zh-Hans"),
        ({"LC_ALL": "de_AT.UTF-8", "LANGUAGE": "zh_HK:en"}, "zh-Hant"),
        ({"LC_ALL": "C.UTF-8", "LANGUAGE": "zh"}, "en"),
    ],
)
def test_the_locale_chooses_the_language_where_none_is_asked_for(env: dict[str, str], lang: str) -> None:
    assert text(lang, "report.objections") in run("audit", BREACH, env=env).stdout


def test_json_is_the_report_on_one_line() -> None:
    result = run("audit", CLEAN, "--format", "json")
    assert result.stdout_bytes == replay.audit(CLEAN.read_bytes()).to_json() + b"\n"


def test_ndjson_gives_a_report_a_line_in_order_and_a_broken_line_one_in_its_place(tmp_path: Path) -> None:
    days = tmp_path / "day.ndjson"
    days.write_bytes(b"\n".join([compact(CLEAN), b'{"format": ', b"", compact(BREACH)]))
    result = run("audit", days, "--format", "json")
    assert [report["verdict"] for report in lines(result)] == ["clean", "unreplayable", "findings"]
    assert lines(result)[1]["log"]["sha256"] == hashlib.sha256(b'{"format":').hexdigest()
    assert result.exit_code == 2
    assert result.stderr == ("3 logs, 4 hands: 1 clean, 1 with objections, 1 that cannot be replayed.\n")


def test_an_archive_that_cannot_be_opened_gives_a_report_of_its_own(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04 and no more")
    result = run("audit", CLEAN, broken, BREACH, "--format", "json")
    reports = lines(result)
    assert [report["verdict"] for report in reports] == ["clean", "unreplayable", "findings"]
    assert [finding["code"] for finding in reports[1]["findings"]] == ["LOG006"]
    assert reports[1]["log"]["sha256"] == hashlib.sha256(broken.read_bytes()).hexdigest()
    assert all(map(quick_validator("report").is_valid, reports))
    assert result.exit_code == 2


def test_compressed_logs_are_read_by_their_bytes_and_named_by_their_place(tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(compact(CLEAN) + b"\n" + compact(BREACH)))
    archive = tmp_path / "logs.zip"
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("in/side.json", CLEAN.read_bytes())
    result = run("audit", packed, archive)
    heads = [line for line in result.stdout.splitlines() if line.startswith("== ")]
    assert heads == [f"== {packed}:1", f"== {packed}:2", f"== {archive}/in/side.json"]
    assert result.exit_code == 1


def test_a_folder_is_searched_to_the_bottom_in_sorted_order(tmp_path: Path) -> None:
    for name in (
        "b.json",
        "a/z.json",
        "a/deep/er.json",
        ".hidden/x.json",
        ".x.json",
        "b.report.json",
        "c.txt",
    ):
        log_file(tmp_path, name)
    log_file(tmp_path, "B.JSON")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    heads = [line[3:] for line in run("audit", tmp_path).stdout.splitlines() if line.startswith("== ")]
    expected = ["B.JSON", "a/deep/er.json", "a/z.json", "b.json"]
    assert heads == [str(tmp_path / name) for name in expected]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_missing_or_empty_is_said_and_does_not_stop_the_rest(tmp_path: Path, lang: str) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none.ndjson").write_bytes(b"")
    nowhere = tmp_path / "nowhere.json"
    inputs = nowhere, tmp_path / "none", tmp_path / "none.ndjson", CLEAN
    result = run("audit", *inputs, "--format", "json", "--lang", lang)
    assert [report["verdict"] for report in lines(result)] == ["clean"]
    said = result.stderr.splitlines()
    assert said[:3] == [
        "replay: " + text(lang, "cli.missing", name=nowhere),
        "replay: " + text(lang, "cli.empty", name=tmp_path / "none"),
        "replay: " + text(lang, "cli.empty", name=tmp_path / "none.ndjson"),
    ]
    assert text(lang, "count.unread_logs.other", n=3) in said[3]
    assert result.exit_code == 2


@pytest.mark.parametrize("arguments", [("-",), ()])
def test_standard_input_is_read_where_it_is_asked_for_or_nothing_else_is(arguments: tuple[str, ...]) -> None:
    result = run("audit", *arguments, "--format", "json", given=CLEAN.read_bytes())
    assert lines(result)[0]["log"]["sha256"] == hashlib.sha256(CLEAN.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("fail_on", "codes"),
    [("error", [0, 0, 1, 2]), ("warning", [0, 1, 1, 2]), ("never", [0, 0, 0, 2])],
)
def test_fail_on_sets_what_exits_1_but_an_unusable_input_is_2_always(
    tmp_path: Path, fail_on: str, codes: list[int]
) -> None:
    undecided = log_file(tmp_path, "open.json", BREACH, **UNDECIDED)
    broken = CASES / "illegal" / "LOG001-bad-tile.json"
    assert [
        run("audit", path, "--fail-on", fail_on).exit_code for path in (CLEAN, undecided, BREACH, broken)
    ] == codes
    assert run("audit", BREACH, broken, "--fail-on", fail_on).exit_code == 2


def test_an_option_overrides_a_value_of_the_logs_own_rules() -> None:
    report = lines(run("audit", CLEAN, "--format", "json", "--option", "cap_fan=2"))[0]
    assert report["rules"]["options"]["cap_fan"] == 2
    assert report["rules"]["profile"] == "chengdu"


def test_another_rule_set_may_be_asked_for() -> None:
    report = lines(run("audit", CLEAN, "--format", "json", "--profile", "mil-sbr", "--fail-on", "never"))[0]
    assert report["rules"]["profile"] == "mil-sbr"


def test_strict_adds_the_scores_without_hu_against_the_rules() -> None:
    plain, strict = (
        lines(run("audit", BREACH, "--format", "json", *more))[0] for more in ((), ("--strict",))
    )
    assert "strict_scores" not in plain["hands"][0]
    assert sum(strict["hands"][0]["strict_scores"]) == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_unknown_rule_set_names_those_there_are_and_the_nearest(lang: str) -> None:
    result = run("audit", CLEAN, "--profile", "chengd", "--lang", lang)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert text(lang, "cli.guess", guess="chengdu") in result.stderr
    assert all(name in result.stderr for name in replay.profile_ids())


@pytest.mark.parametrize("more", [(), ("--profile", "chengdu")])
def test_an_unknown_option_names_the_nearest_before_anything_is_read(more: tuple[str, ...]) -> None:
    result = run("audit", "nowhere.json", "--option", "cap_fn=2", *more)
    assert result.exit_code == 2
    assert "Did you mean “cap_fan”?" in result.stderr
    assert "nowhere.json" not in result.stderr


def test_a_value_that_an_option_cannot_have_says_what_was_expected() -> None:
    result = run("audit", CLEAN, "--option", "cap_fan=high")
    assert result.exit_code == 2
    assert 'found "high", expected integer or null' in result.stderr


def test_an_option_without_a_value_is_a_wrong_option() -> None:
    result = run("audit", CLEAN, "--option", "cap_fan")
    assert result.exit_code == 2
    assert "KEY=VALUE" in result.stderr


def test_an_option_that_does_not_go_with_one_logs_rules_is_a_finding_there(tmp_path: Path) -> None:
    other = log_file(tmp_path, "other.json", rules={"profile": "mil-sbr"})
    result = run("audit", CLEAN, other, "--format", "json", "--option", "cap_fan=null", "--fail-on", "never")
    misfit, fits = lines(result)
    assert [finding["code"] for finding in misfit["findings"]] == ["LOG004"]
    assert quick_validator("report").is_valid(misfit)
    assert fits["rules"]["options"]["cap_fan"] is None
    assert fits["verdict"] != "unreplayable"


def test_names_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    path = log_file(tmp_path, "a\x1b[31m\u202e.json", players=[{"id": "1", "name": "\x1b[2JAnn"}] * 4)
    result = run("audit", path, path, tmp_path / "\x1b[31m")
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output
    assert "Ann" in result.stdout


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_files_of_one_name_in_a_zip_are_refused_and_that_is_said(tmp_path: Path, lang: str) -> None:
    archive = tmp_path / "day.zip"
    with zipfile.ZipFile(archive, "w") as files:
        for path in (CLEAN, BREACH):
            files.writestr("game.json", path.read_bytes())
    result = run("audit", archive, "--lang", lang)
    heads = [line for line in result.stdout.splitlines() if line.startswith("== ")]
    assert heads == [f"== {archive}/game.json"]
    said = text(lang, "LOG002.message.zip", key="game.json (#1, #2)")
    assert "".join(said.split()) in "".join(result.stdout.split())
    assert result.exit_code == 2
