"""What a token is refused: what gives power over accounts, and the copy of all that one has."""

from pathlib import Path

import pytest

from replay.wording import text

from .programs import Program
from .signing import PASSWORD, accounts_service, anonymous, signed_in

REFUSED = {
    "new_token": {"name": "more"},
    "revoke_tokens": None,
    "sign_ins": None,
    "end_others": None,
    "my_password": {"current": PASSWORD, "password": "another one"},
    "my_export": None,
    "my_closing": {"current": PASSWORD},
    "accounts": None,
    "new_account": {"name": "Er", "role": "admin"},
}
"""Operations of one's own account and of those of others, with what they are sent."""


def test_a_token_lists_and_revokes_tokens_and_is_refused_the_rest(tmp_path: Path) -> None:
    with accounts_service(tmp_path / "data") as service:
        sits = Program(signed_in(anonymous(service), "Deng", "admin").client, service)
        token = sits.get("new_token", body={"name": "mine"})["token"]
        asks = Program(anonymous(service).client, service, token)
        for name, body in REFUSED.items():
            answer = asks.ask(name, body=body)
            assert (answer.status_code, answer.get_json()["code"]) == (403, "403.token"), name
        (own,) = asks.get("tokens")["items"]
        assert asks.ask("revoke_token", token_id=own["id"]).status_code == 204
        assert asks.ask("me").status_code == 401


@pytest.mark.parametrize(
    ("lang", "named"),
    [
        ("en", ("revoke all", "password", "sign-ins", "zip", "close the account", "accounts of others")),
        ("zh-Hans", ("一次撤销全部", "密码", "登录", "打包下载", "注销账户", "他人的账户")),
        ("zh-Hant", ("一次撤銷全部", "密碼", "登入", "打包下載", "註銷帳戶", "他人的帳戶")),
    ],
)
def test_the_page_of_the_account_names_what_it_is_refused(
    tmp_path: Path, lang: str, named: tuple[str, ...]
) -> None:
    with accounts_service(tmp_path / "data") as service:
        page = signed_in(anonymous(service), "Mei").read(f"/account?lang={lang}")
    said = text(lang, "accounts.tokens.lead")
    assert said in page
    assert [part for part in named if part not in said] == []


def test_the_readme_names_it_too() -> None:
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    said, _, _ = readme.partition("A token does what its account may")[2].partition("that is signed in")
    parts = ("making a token", "revoking all", "passwords", "sign-ins", "the zip of all", "closing", "others")
    assert [part for part in parts if part not in said] == []
