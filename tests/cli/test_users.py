"""`replay user`: accounts made and kept from the command line; no password is printed that was not made here."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.cli import users
from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.accounts import authenticate, by_name
from replay.store.signing_in import begin, entered, entered_by, make_token
from replay.store.tables.people import ROLES
from tests.tables import make_tables

from .running import ENGLISH, LANGUAGES, run

PASSWORD = "correct horse battery staple"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The service that the commands keep."""
    monkeypatch.setenv("REPLAY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("REPLAY_ACCOUNTS", "true")
    made = open_service(Settings(data=tmp_path / "data", accounts=True))
    make_tables(made.engine)
    yield made
    made.engine.dispose()


@pytest.mark.parametrize("there", [True, False])
def test_the_first_admin_is_made_before_the_service_ever_ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setenv("REPLAY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("REPLAY_ACCOUNTS", "true")
    if there:
        (tmp_path / "data").mkdir()
    assert add("Mei", "--role", "admin") == 0
    service = open_service(Settings(data=tmp_path / "data", accounts=True))
    assert by_name(service.engine, "Mei") is not None
    service.engine.dispose()


def add(name: str, *more: str, password: str = PASSWORD) -> int:
    """The exit code of making an account."""
    return run("user", "add", name, "--password-stdin", *more, given=f"{password}\n").exit_code


def test_the_roles_are_those_of_the_tables() -> None:
    assert users.ROLES == ROLES


def test_an_account_is_made_with_a_password_from_stdin(kept: Service) -> None:
    result = run("user", "add", "Mei", "--role", "admin", "--password-stdin", given=f"{PASSWORD}\r\n")
    assert (result.exit_code, result.stdout) == (0, "The account Mei is made (admin).\n")
    found = authenticate(kept.engine, "mei", PASSWORD)
    assert found is not None
    assert found.role == "admin"
    assert found.password_at > 0


def test_v6_4_1_a_password_that_was_made_is_shown_once_and_to_be_changed(kept: Service) -> None:
    result = run("user", "add", "Mei", "--generate")
    assert result.exit_code == 0
    found = authenticate(kept.engine, "Mei", result.stdout.splitlines()[-1])
    assert found is not None
    assert (found.role, found.password_at) == ("player", 0)


def test_a_password_is_typed_twice_and_unseen(kept: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "is_terminal", lambda: True)
    result = run("user", "add", "Mei", given=f"{PASSWORD}\n{PASSWORD}\n")
    assert result.exit_code == 0
    assert PASSWORD not in result.output
    assert authenticate(kept.engine, "Mei", PASSWORD) is not None
    result = run("user", "add", "Li", given=f"{PASSWORD}\nanother one\n")
    assert result.exit_code == 2
    assert "not the same" in result.stderr
    assert by_name(kept.engine, "Li") is None


def test_nobody_is_asked_where_nobody_can_type(kept: Service) -> None:
    result = run("user", "add", "Mei", given=f"{PASSWORD}\n{PASSWORD}\n")
    assert result.exit_code == 2
    assert "--password-stdin" in result.stderr


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [
        ("Mei", PASSWORD, "already"),
        ("", PASSWORD, "no name"),
        ("Li", "seven 7", "at least 8"),
        ("Li", "password", "most common"),
        ("Li", "x" * 200, "at most 128"),
        ("a\u202eb", PASSWORD, "cannot be seen"),
    ],
)
def test_what_cannot_be_an_account_is_refused(kept: Service, name: str, password: str, said: str) -> None:
    add("Mei")
    result = run("user", "add", name, "--password-stdin", given=password)
    assert result.exit_code == 2
    assert said in result.stderr
    assert password == "password" or password not in result.output


def test_options_that_do_not_go_together_are_refused(kept: Service) -> None:
    assert run("user", "add", "Mei", "--generate", "--password-stdin", given="x").exit_code == 2
    assert run("user", "add", "Mei", "--generate", "--role", "owner").exit_code == 2
    assert by_name(kept.engine, "Mei") is None


def test_accounts_are_listed(kept: Service) -> None:
    assert run("user", "list").exit_code == 1
    add("Wang Fang")
    add("Mei", "--role", "admin")
    run("user", "bar", "wang fang")
    result = run("user", "list")
    assert result.exit_code == 0
    lines = [line.split(maxsplit=1)[1] for line in result.stdout.splitlines()]
    assert lines == ["admin    Mei", "player   Wang Fang  (barred)"]
    assert run("user", "list", "--role", "admin").stdout.count("\n") == 1


def test_roles_are_given_and_accounts_barred(kept: Service) -> None:
    add("Mei", "--role", "admin")
    add("Li")
    assert run("user", "role", "LI", "arbiter").exit_code == 0
    li = by_name(kept.engine, "Li")
    assert li is not None
    assert li.role == "arbiter"
    secret = begin(kept.engine, li.id)
    assert run("user", "bar", "Li").exit_code == 0
    assert entered(kept.engine, secret) is None
    assert run("user", "bar", "Li", "--undo").exit_code == 0
    assert entered(kept.engine, begin(kept.engine, li.id)) is not None
    for refused in (
        ("bar", "Mei"),
        ("role", "Mei", "player"),
        ("bar", "nobody"),
        ("role", "nobody", "player"),
    ):
        assert run("user", *refused).exit_code == 2


def test_a_password_is_changed_and_ends_what_was_signed_in(kept: Service) -> None:
    add("Mei")
    mei = by_name(kept.engine, "Mei")
    assert mei is not None
    secret, token = begin(kept.engine, mei.id), make_token(kept.engine, mei.id, "bot", None)
    assert run("user", "password", "Mei", "--password-stdin", given="another one\n").exit_code == 0
    assert authenticate(kept.engine, "Mei", PASSWORD) is None
    assert authenticate(kept.engine, "Mei", "another one") is not None
    assert entered(kept.engine, secret) is None
    assert entered_by(kept.engine, token) is None
    made = run("user", "password", "Mei", "--generate").stdout.splitlines()[-1]
    assert authenticate(kept.engine, "Mei", made) is not None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_what_is_wrong(kept: Service, lang: str) -> None:
    result = run("user", "bar", "nobody", "--lang", lang, env=ENGLISH)
    assert result.exit_code == 2
    assert "nobody" in result.stderr
    assert result.stderr.isascii() == (lang == "en")
