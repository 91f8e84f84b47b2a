"""Settings come from the environment alone, typed, and what is not known is an error."""

from pathlib import Path

import pytest

from replay.jobs.service import open_service
from replay.settings import BadSettings, settings_from
from replay.store.upgrade import upgrade
from worker.app import bell


def refused(**given: str) -> dict[str, str]:
    """What is said of every variable that is refused, by kind."""
    with pytest.raises(BadSettings) as caught:
        settings_from({f"REPLAY_{name}": value for name, value in given.items()})
    return {one.variable.removeprefix("REPLAY_"): one.kind for one in caught.value.problems}


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
    assert [one.variable for one in caught.value.problems] == [
        "REPLAY_COLOUR",
        "REPLAY_PORT",
        "REPLAY_WORKERS",
    ]


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
    assert [one.variable for one in caught.value.problems] == ["REPLAY_QUOTA_BYTES", "REPLAY_UPLOADS_AN_HOUR"]


@pytest.mark.parametrize("name", ["a?b", "a%41b", "a%", "a;b", "a\nb", "a\0b", "a\x7fb", "a\udc80b"])
def test_a_data_folder_that_would_break_a_url_is_refused_and_not_made(name: str, tmp_path: Path) -> None:
    assert refused(DATA=f"{tmp_path}/{name}") == {"DATA": "path"}
    assert list(tmp_path.iterdir()) == []


def test_the_path_that_counts_is_the_whole_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "100%").mkdir()
    monkeypatch.chdir(tmp_path / "100%")
    assert refused(DATA="data") == {"DATA": "path"}
    (tmp_path / "link").symlink_to(tmp_path / "100%")
    assert refused(DATA=str(tmp_path / "link")) == {"DATA": "path"}


@pytest.mark.parametrize("name", ["a b", "a#b", "a@b:c", "a+b&c=d", "a[b]'\"\\", "打牌é", "👩‍👩‍👧"])
def test_database_and_broker_lie_in_the_data_folder_whatever_its_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    settings = settings_from({"REPLAY_DATA": str(folder)})
    service = open_service(settings, bell(settings))
    upgrade(service.engine)
    service.ring("5c6e7f4e-0000-4000-8000-000000000000")
    service.engine.dispose()
    assert list(tmp_path.iterdir()) == [folder]
    assert {"blobs", "broker.db", "replay.db"} <= {path.name for path in folder.iterdir()}


def test_a_secret_key_has_32_characters_wherever_it_stands(tmp_path: Path) -> None:
    assert settings_from({"REPLAY_SECRET_KEY": "k" * 32}).secret_key == "k" * 32
    assert settings_from({"REPLAY_SECRET_KEY": ""}).secret_key == ""
    assert refused(SECRET_KEY="k" * 31) == {"SECRET_KEY": "short"}
    kept = tmp_path / "key"
    kept.write_text("k" * 31 + "\n")
    assert refused(SECRET_KEY_FILE=str(kept)) == {"SECRET_KEY_FILE": "short"}
    kept.write_text("\n")
    for name in ("SECRET_KEY_FILE", "DATABASE_FILE", "BROKER_FILE"):
        assert refused(**{name: str(kept)}) == {name: "empty"}


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("replay.db", "no_url"),
        ("postgresql+psycopg://u:geheim@host:port/x", "no_url"),
        ("mysql://u:geheim@host/x", "scheme"),
        ("postgresql://u:geheim@host/x", "scheme"),
        ("postgresql+psycopg2://u:geheim@host/x", "scheme"),
        ("sqlite+aiosqlite:///x.db", "scheme"),
        ("sqlite://", "memory"),
        ("sqlite:///:memory:", "memory"),
    ],
)
def test_a_database_that_is_not_served_is_refused_without_its_password(url: str, kind: str) -> None:
    assert refused(DATABASE=url) == {"DATABASE": kind}
    with pytest.raises(BadSettings) as caught:
        settings_from({"REPLAY_DATABASE": url})
    assert "postgresql+psycopg://…" in str(caught.value)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize("url", ["sqlite:///x.db", "sqlite:////a/x.db", "postgresql+psycopg://u:p@host/x"])
def test_a_database_that_is_served_is_taken(url: str) -> None:
    assert settings_from({"REPLAY_DATABASE": url}).database_url == url


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("NONE", "no_url"),
        ("localhost:6379", "no_url"),
        ("redis:geheim", "no_url"),
        ("filesystem://", "scheme"),
        ("memory://", "scheme"),
        ("REDIS://:geheim@host", "scheme"),
        ("sqla+postgresql://u:geheim@host/x", "scheme"),
    ],
)
def test_a_broker_that_is_not_spoken_to_is_refused_without_its_password(url: str, kind: str) -> None:
    assert refused(BROKER=url) == {"BROKER": kind}
    with pytest.raises(BadSettings) as caught:
        settings_from({"REPLAY_BROKER": url})
    assert "none, sqla+sqlite://, redis://, rediss://, amqp://, amqps://" in str(caught.value)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["none", "sqla+sqlite:////a/b.db", "redis://h", "rediss://h", "amqp://h//", "amqps://h"]
)
def test_a_broker_that_is_spoken_to_is_taken(url: str) -> None:
    assert settings_from({"REPLAY_BROKER": url}).broker_url == url


def test_only_this_machine_is_listened_on_while_there_are_no_accounts() -> None:
    for host in ("127.0.0.1", "::1", "localhost"):
        assert settings_from({"REPLAY_HOST": host}).host == host
    assert refused(HOST="") == refused(HOST="", ACCOUNTS="true") == {"HOST": "no_host"}
    for host in ("0.0.0.0", "::", "192.168.1.7", "example.org"):
        assert refused(HOST=host) == refused(HOST=host, ACCOUNTS="false") == {"HOST": "loopback"}
        assert settings_from({"REPLAY_HOST": host, "REPLAY_ACCOUNTS": "true"}).host == host


@pytest.mark.parametrize("name", ["ACCOUNTS", "SIGN_UP"])
def test_u8_what_is_on_or_off_is_said_so(name: str) -> None:
    for given, on in (("true", True), ("1", True), ("false", False), ("0", False)):
        assert getattr(settings_from({f"REPLAY_{name}": given}), name.lower()) is on
    assert getattr(settings_from({}), name.lower()) is False
    with pytest.raises(BadSettings, match=f"REPLAY_{name}: found “perhaps”, expected true or false"):
        settings_from({f"REPLAY_{name}": "perhaps"})


def test_u8_trusted_hosts_are_names_without_a_port() -> None:
    assert settings_from({}).trusted_hosts == frozenset()
    given = settings_from({"REPLAY_HOSTS": "Replay.example, 192.0.2.1,[2001:db8::1] ,"})
    assert given.trusted_hosts == {"replay.example", "192.0.2.1", "[2001:db8::1]"}
    for wrong in (
        "replay.example:8000",
        "https://replay.example",
        "*",
        "*.example",
        "a b",
        "a_b",
        "-a",
        ".example",
    ):
        assert refused(HOSTS=f"replay.example,{wrong}") == {"HOSTS": "host_name"}, wrong


def test_u8_proxies_are_counted() -> None:
    assert settings_from({}).proxies == 0
    assert settings_from({"REPLAY_PROXIES": "2"}).proxies == 2
    assert refused(PROXIES="-1") == refused(PROXIES="11") == refused(PROXIES="on") == {"PROXIES": "whole"}


def test_a_number_is_said_with_its_bounds() -> None:
    with pytest.raises(
        BadSettings, match="REPLAY_PORT: found “70000”, expected a whole number from 0 to 65535"
    ):
        settings_from({"REPLAY_PORT": "70000"})
    with pytest.raises(
        BadSettings, match="REPLAY_RING_SECONDS: found “nan”, expected a number above 0 and up to"
    ):
        settings_from({"REPLAY_RING_SECONDS": "nan"})
    assert refused(NODE="n" * 101) == {"NODE": "long"}
