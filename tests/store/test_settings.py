"""Settings come from the environment alone, typed, and what is not known is an error."""

from pathlib import Path

import pytest

from replay.settings import BadSettings, settings_from


def test_without_any_variable_everything_is_built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = settings_from({"PATH": "/bin", "REPLAYER": "x"})
    assert settings.database_url == f"sqlite:///{tmp_path}/replay-data/replay.db"
    assert settings.broker_url == f"sqla+sqlite:///{tmp_path}/replay-data/broker.db"
    assert settings.embedded
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)


def test_every_problem_is_named_with_its_variable() -> None:
    with pytest.raises(BadSettings) as caught:
        settings_from(
            {"REPLAY_PORT": "x", "REPLAY_WORKERS": "3", "REPLAY_COLOUR": "red", "REPLAY_DATA": "here"}
        )
    assert [name for name, _ in caught.value.problems] == ["REPLAY_COLOUR", "REPLAY_PORT", "REPLAY_WORKERS"]


def test_a_secret_may_stand_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "key"
    kept.write_text("s" * 40 + "\n")
    assert settings_from({"REPLAY_SECRET_KEY_FILE": str(kept)}).secret_key == "s" * 40
    with pytest.raises(BadSettings, match="cannot be read"):
        settings_from({"REPLAY_SECRET_KEY_FILE": str(tmp_path / "none")})
    with pytest.raises(BadSettings, match="not known"):
        settings_from({"REPLAY_PORT_FILE": str(kept)})


def test_the_limits_of_a_user_are_those_of_operations_5_and_may_be_none() -> None:
    settings = settings_from({})
    assert (settings.quota_bytes, settings.uploads_an_hour) == (5 * 1024**3, 20)
    off = settings_from({"REPLAY_QUOTA_BYTES": "0", "REPLAY_UPLOADS_AN_HOUR": "0"})
    assert (off.quota_bytes, off.uploads_an_hour) == (0, 0)
    with pytest.raises(BadSettings) as caught:
        settings_from({"REPLAY_QUOTA_BYTES": "5 GiB", "REPLAY_UPLOADS_AN_HOUR": "-1"})
    assert [name for name, _ in caught.value.problems] == ["REPLAY_QUOTA_BYTES", "REPLAY_UPLOADS_AN_HOUR"]
