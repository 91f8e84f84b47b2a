"""Operations D9: `replay verify-log` and `checkpoint` say what is wrong, and exit by it."""

import json
from pathlib import Path

import pytest
from click.testing import Result

from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.checkpoints import file_bytes, signed
from replay.store.keys import public_digits, signing_key
from replay.store.verdicts import head_of
from tests.store.verdict_rows import add_rows, change, let_be_changed
from tests.tables import make_tables

from .running import ENGLISH, LANGUAGES, run


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """A service with three rows in its log."""
    made = open_service(Settings(data=tmp_path / "data", broker="none"))
    make_tables(made.engine)
    add_rows(made.engine, 3)
    return made


def asked(service: Service, *words: object, lang: str = "en") -> Result:
    """What a command says of this service's log."""
    env = {**ENGLISH, "REPLAY_DATA": str(service.settings.data), "REPLAY_BROKER": "none"}
    return run(*words, "--lang", lang, env=env)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_log_as_it_was_written_is_clean(service: Service, tmp_path: Path, lang: str) -> None:
    out = tmp_path / "checkpoint.json"
    assert asked(service, "checkpoint", "-o", out, lang=lang).exit_code == 0
    inside = asked(service, "verify-log", lang=lang)
    with_it = asked(service, "verify-log", "--checkpoint", out, lang=lang)
    assert (inside.exit_code, with_it.exit_code) == (0, 0)
    assert head_of(service.engine)[1] in inside.stdout
    assert "--checkpoint" in inside.stdout
    assert "--checkpoint" not in with_it.stdout
    assert json.loads(out.read_bytes())["key"] in with_it.stdout


def test_a_checkpoint_is_written_out_whole_and_not_over_a_file(service: Service, tmp_path: Path) -> None:
    shown = asked(service, "checkpoint")
    made = json.loads(shown.stdout)
    assert (made["size"], made["head"]) == head_of(service.engine)
    assert (service.settings.data / "checkpoints" / "3.json").read_text() == shown.stdout
    out = tmp_path / "there.json"
    out.write_text("mine")
    assert asked(service, "checkpoint", "-o", out).exit_code == 2
    assert out.read_text() == "mine"
    assert asked(service, "checkpoint", "-o", out, "--force").exit_code == 0
    assert out.read_text() == shown.stdout
    assert asked(service, "checkpoint", "-o", tmp_path / "none" / "x").exit_code == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_is_said_with_its_row_what_was_found_and_what_expected(
    service: Service, lang: str
) -> None:
    let_be_changed(service.engine)
    _, head = head_of(service.engine)
    change(service.engine, f"UPDATE verdict_log SET hash = '{'a' * 64}' WHERE seq = 3")
    result = asked(service, "verify-log", lang=lang)
    assert result.exit_code == 1
    _, row, end = result.stdout.splitlines()
    assert all(fact in row for fact in ("3", "a" * 64, head))
    assert all(fact in end for fact in ("a" * 64, head))


def test_a_log_cut_off_at_its_end_is_told_by_a_checkpoint_from_elsewhere(
    service: Service, tmp_path: Path
) -> None:
    out = tmp_path / "checkpoint.json"
    asked(service, "checkpoint", "-o", out)
    let_be_changed(service.engine)
    change(
        service.engine,
        "DELETE FROM verdict_log WHERE seq = 3",
        "UPDATE log_head SET size = 2, hash = (SELECT hash FROM verdict_log WHERE seq = 2)",
        "DELETE FROM checkpoint",
    )
    beside = asked(service, "verify-log")
    assert (beside.exit_code, "the log ends at row 2" in beside.stdout) == (1, True)
    (service.settings.data / "checkpoints" / "3.json").unlink()
    assert asked(service, "verify-log").exit_code == 0
    result = asked(service, "verify-log", "--checkpoint", out)
    assert (result.exit_code, "the log ends at row 2" in result.stdout) == (1, True)


def test_the_key_is_this_service_s_own_or_the_one_that_is_named(service: Service, tmp_path: Path) -> None:
    asked(service, "checkpoint")
    stranger = signing_key("22" * 32)
    forged = tmp_path / "forged.json"
    forged.write_bytes(file_bytes(signed(*head_of(service.engine), 1, stranger)))
    result = asked(service, "verify-log", "--checkpoint", forged)
    assert (result.exit_code, public_digits(stranger) in result.stdout) == (1, True)
    both = ["--key", public_digits(stranger), "--key", result.stdout.splitlines()[1][-65:-1]]
    assert asked(service, "verify-log", "--checkpoint", forged, *both).exit_code == 0
    assert asked(service, "verify-log", *both[:2]).exit_code == 1


def test_a_thing_is_said_once_and_of_many_how_many_more_there_are(service: Service) -> None:
    add_rows(service.engine, 147)
    asked(service, "checkpoint")
    let_be_changed(service.engine)
    change(service.engine, "UPDATE verdict_log SET at = at + 1")
    result = asked(service, "verify-log")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "And 50 more."
    assert result.stdout.count("Row 7:") == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_cannot_be_read_is_no_verdict(service: Service, tmp_path: Path, lang: str) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    for words in (["--checkpoint", broken], ["--checkpoint", tmp_path / "none.json"], ["--key", "xyz"]):
        result = asked(service, "verify-log", *words, lang=lang)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
    nowhere = {**ENGLISH, "REPLAY_DATA": str(tmp_path / "empty"), "REPLAY_BROKER": "none"}
    assert run("verify-log", env=nowhere).exit_code == 2


def test_a_file_among_the_checkpoints_that_is_none_is_told(service: Service) -> None:
    asked(service, "checkpoint")
    (service.settings.data / "checkpoints" / "2.json").write_text("{}")
    result = asked(service, "verify-log")
    assert (result.exit_code, "2.json" in result.stdout) == (1, True)


def test_a_key_that_is_none_and_a_log_that_differs_are_refusals(service: Service) -> None:
    (service.settings.data / "signing_key").write_text("short")
    assert "signing_key" in asked(service, "checkpoint").stderr
    assert "signing_key" in asked(service, "verify-log").stderr
    (service.settings.data / "signing_key").unlink()
    asked(service, "checkpoint")
    change(service.engine, f"UPDATE log_head SET hash = '{'a' * 64}'")
    assert "verify-log" in asked(service, "checkpoint").stderr
