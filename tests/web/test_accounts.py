"""The pages of accounts: one's own with its password, sign-ins and tokens, and those that an admin keeps."""

import re
from html import unescape

import pytest

from replay.jobs.service import Service
from replay.store.accounts import authenticate, by_id
from replay.store.signing_in import entered_by, make_token, sign_ins_of, tokens_of
from replay.store.tables import Account, SignIn, Token, Upload
from tests.jobs.working import rows

from .asking import NOBODY, Browser, sample, text_of
from .signing import PASSWORD, account_of, anonymous, signed_in, with_password

LANGUAGES = ("en", "zh-Hans", "zh-Hant")


@pytest.fixture
def mei(served: Service) -> Browser:
    """A browser that a player is signed in with, who has a password."""
    with_password(served, "Mei")
    return signed_in(anonymous(served), "Mei")


@pytest.fixture
def admin(served: Service) -> Browser:
    """A browser that an admin is signed in with."""
    return signed_in(anonymous(served), "Admin", "admin")


def secret_on(page: str) -> str:
    """What a page shows this once."""
    found = re.search(r'<code class="secret">([^<]+)</code>', page)
    assert found is not None
    return unescape(found[1])


class TestPassword:
    def change(
        self, browser: Browser, current: str = PASSWORD, new: str = "another one", again: str = ""
    ) -> int:
        """The status of a change."""
        form = {"current": current, "password": new, "again": again or new}
        return browser.post("/account/password", **form).status_code

    def test_v6_2_3_v7_4_3_is_changed_with_the_present_one_and_ends_other_sign_ins(
        self, mei: Browser
    ) -> None:
        other = signed_in(mei, "Mei")
        before = mei.client.get_cookie("replay")
        assert self.change(mei) == 303
        after = mei.client.get_cookie("replay")
        assert before is not None
        assert after is not None
        assert before.value != after.value
        assert mei.get("/account").status_code == 200
        assert other.get("/account").status_code == 303
        assert len(rows(mei.service, SignIn)) == 1
        assert authenticate(mei.service.engine, "Mei", "another one") is not None
        assert authenticate(mei.service.engine, "Mei", PASSWORD) is None

    def test_v6_2_2_is_not_changed_to_what_cannot_be_one(self, mei: Browser) -> None:
        for tried in (
            {"current": "wrong"},
            {"again": "yet another"},
            {"new": "short"},
            {"new": "password"},
            {"new": "x" * 129},
        ):
            assert self.change(mei, **tried) == 422
        assert authenticate(mei.service.engine, "Mei", PASSWORD) is not None

    def test_cannot_be_tried_without_end(self, mei: Browser) -> None:
        assert [self.change(mei, "wrong") for _ in range(11)] == [422] * 10 + [429]

    def test_v6_2_6_v6_2_7_fields_hide_it_and_let_managers_fill_them(self, mei: Browser) -> None:
        page = mei.read("/account/password")
        fields = re.findall(r'<input id="[^"]*" type="password"[^>]*>', page)
        assert len(fields) == 3
        assert [re.findall(r'autocomplete="([^"]*)"', one)[0] for one in fields] == [
            "current-password",
            "new-password",
            "new-password",
        ]
        assert "onpaste" not in page
        assert "maxlength" not in "".join(fields)


class TestSignIns:
    def test_v7_5_2_are_listed_and_ended_one_by_one_or_all(self, mei: Browser) -> None:
        others = [signed_in(mei, "Mei") for _ in range(3)]
        stranger = signed_in(mei, "Li")
        account = account_of(mei.service, "Mei")
        assert text_of(mei.read("/account")).count("last used") == 4
        others[0].get("/account")
        ids = [one.id for one in sign_ins_of(mei.service.engine, account)]
        foreign = sign_ins_of(mei.service.engine, account_of(mei.service, "Li"))[0].id
        page = mei.read("/account")
        offered = re.findall(r'name="sign_in" value="(\w+)"', page)
        assert set(offered) == {*ids} - {sign_in_here(page, ids)} | {"others"}
        for nothing in (foreign, "", "nobody's"):
            assert "done=sign_ins" not in mei.post("/account/sign-ins", sign_in=nothing).location
        assert stranger.get("/account").status_code == 200
        mei.post("/account/sign-ins", sign_in=offered[0])
        assert len(sign_ins_of(mei.service.engine, account)) == 3
        mei.post("/account/sign-ins", sign_in="others")
        assert [one.get("/account").status_code for one in others] == [303, 303, 303]
        assert mei.get("/account").status_code == 200


def sign_in_here(page: str, ids: list[str]) -> str:
    """The one sign-in that a page offers no button for."""
    (here,) = [one for one in ids if f'value="{one}"' not in page]
    return here


class TestTokens:
    def test_are_shown_once_and_act_for_the_account(self, mei: Browser) -> None:
        answer = mei.post("/account/tokens", name="<b>bot</b>", lasts="30")
        assert answer.headers["Cache-Control"] == "no-store"
        token = secret_on(answer.text)
        assert "&lt;b&gt;bot&lt;/b&gt;" in answer.text
        assert token not in mei.read("/account")
        program = anonymous(mei.service)
        assert program.get("/", Authorization=f"Bearer {token}").status_code == 200
        (row,) = tokens_of(mei.service.engine, account_of(mei.service, "Mei"))
        assert row.expires is not None
        assert row.expires - row.created == 30 * 24 * 3_600_000
        assert mei.post(f"/account/tokens/{row.id}/revoke").status_code == 303
        assert program.get("/", Authorization=f"Bearer {token}").status_code == 401

    def test_may_not_do_what_only_a_person_may(self, mei: Browser) -> None:
        account = account_of(mei.service, "Mei")
        token = make_token(mei.service.engine, account, "bot", None)
        program, asks = anonymous(mei.service), {"Authorization": f"Bearer {token}"}
        for url in ("/account", "/account/password", "/account/close", "/account/export.zip"):
            assert program.get(url, **asks).status_code == 403
        for url in ("/account/tokens", "/account/password", "/account/close", "/account/sign-ins"):
            form = {"name": "more", "current": PASSWORD, "password": "another one", "again": "another one"}
            assert program.client.post(url, data=form, headers=asks).status_code == 403
        assert len(rows(mei.service, Token)) == 1
        assert authenticate(mei.service.engine, "Mei", PASSWORD) is not None

    def test_of_others_are_not_found(self, mei: Browser) -> None:
        li = signed_in(mei, "Li")
        token = make_token(mei.service.engine, account_of(mei.service, "Mei"), "bot", None)
        (row,) = rows(mei.service, Token)
        assert li.post(f"/account/tokens/{row.id}/revoke").status_code == 404
        assert entered_by(mei.service.engine, token) is not None

    def test_need_a_name_and_a_lifetime_that_is_offered(self, mei: Browser) -> None:
        for name, lasts in (("", "30"), (" \u202e ", "30"), ("bot", "31"), ("bot", "x")):
            assert mei.post("/account/tokens", name=name, lasts=lasts).status_code == 422
        assert rows(mei.service, Token) == []

    def test_are_not_made_without_end(self, mei: Browser) -> None:
        made = [
            mei.post("/account/tokens", name=f"bot {number}", lasts="").status_code for number in range(21)
        ]
        assert made == [200] * 20 + [429]


class TestAdmins:
    def test_make_accounts_with_a_password_that_is_to_be_changed(self, admin: Browser) -> None:
        answer = admin.post("/accounts", name="Li <Ming>", role="arbiter")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
        password = secret_on(answer.text)
        found = authenticate(admin.service.engine, "li <ming>", password)
        assert found is not None
        assert (found.role, found.password_at) == ("arbiter", 0)
        assert "Li &lt;Ming&gt;" in admin.read("/accounts?name=ming&role=arbiter")
        assert admin.post("/accounts", name="LI <ming>", role="player").status_code == 422
        assert admin.post("/accounts", name="Wang", role="owner").status_code == 422

    def test_give_roles_and_passwords_and_bar(self, admin: Browser) -> None:
        made = with_password(admin.service, "Mei")
        page, mei = f"/accounts/{made}", signed_in(admin, "Mei")
        assert admin.post(f"{page}/role", role="arbiter").location == f"{page}?done=role"
        assert "The role is given." in admin.read(f"{page}?done=role")
        assert mei.get("/account").status_code == 303
        token = make_token(admin.service.engine, made, "bot", None)
        password = secret_on(admin.post(f"{page}/password").text)
        assert authenticate(admin.service.engine, "Mei", PASSWORD) is None
        assert authenticate(admin.service.engine, "Mei", password) is not None
        assert entered_by(admin.service.engine, token) is None
        mei = signed_in(admin, "Mei")
        admin.post(f"{page}/bar")
        assert mei.get("/account/password").status_code == 303
        assert "barred" in admin.read("/accounts")
        admin.post(f"{page}/unbar")
        account = by_id(admin.service.engine, made)
        assert account is not None
        assert (account.barred, account.role) == (None, "arbiter")

    def test_cannot_take_the_last_admin_away(self, admin: Browser) -> None:
        page = f"/accounts/{account_of(admin.service, 'Admin')}"
        assert admin.post(f"{page}/role", role="player").status_code == 409
        answer = admin.post(f"{page}/bar")
        assert answer.status_code == 409
        assert "last admin" in answer.text

    def test_v8_3_1_are_the_only_ones_to_keep_accounts(self, admin: Browser) -> None:
        made = account_of(admin.service, "Mei")
        for role in ("player", "arbiter"):
            other = signed_in(admin, role, role)
            assert other.get("/accounts").status_code == other.get(f"/accounts/{made}").status_code == 403
            assert "/accounts" not in other.read("/").replace('/account"', "")
            for url in (
                "/accounts",
                *(f"/accounts/{made}/{what}" for what in ("role", "bar", "unbar", "password")),
            ):
                assert other.post(url, name="X", role="admin").status_code == 403
        token = make_token(admin.service.engine, account_of(admin.service, "Admin"), "bot", None)
        asks = {"Authorization": f"Bearer {token}"}
        assert anonymous(admin.service).get("/accounts", **asks).status_code == 403
        assert [one.role for one in rows(admin.service, Account)].count("admin") == 1

    def test_find_no_account_that_there_is_not(self, admin: Browser) -> None:
        assert admin.get(f"/accounts/{NOBODY}").status_code == 404
        assert admin.post(f"/accounts/{NOBODY}/bar").status_code == 404

    def test_turn_pages(self, admin: Browser) -> None:
        for number in range(60):
            account_of(admin.service, f"player {number:02}")
        assert "Found: 61." in admin.read("/accounts")
        assert "player 59" not in admin.read("/accounts")
        assert "player 59" in admin.read("/accounts?page=2")
        assert "Found: 10." in admin.read("/accounts?name=PLAYER+3")


class TestRemovingAnUpload:
    def test_is_asked_first_and_takes_all_of_it(self, mei: Browser) -> None:
        place = mei.upload(sample("chengdu/guo-shui"))
        assert f'{place}/delete"' in mei.read(place)
        assert "cannot be undone" in mei.read(f"{place}/delete")
        assert len(rows(mei.service, Upload)) == 1
        answer = mei.post(f"{place}/delete")
        assert (answer.status_code, answer.location) == (303, "/")
        assert mei.get(place).status_code == mei.post(f"{place}/delete").status_code == 404
        assert rows(mei.service, Upload) == []

    def test_is_for_its_owner(self, mei: Browser) -> None:
        place, li = mei.upload(sample("chengdu/clean")), signed_in(mei, "Li", "admin")
        assert li.get(f"{place}/delete").status_code == li.post(f"{place}/delete").status_code == 404
        assert len(rows(mei.service, Upload)) == 1

    def test_can_be_done_without_accounts(self, browser: Browser) -> None:
        place = browser.upload(sample("chengdu/clean"))
        assert browser.post(f"{place}/delete").status_code == 303
        assert rows(browser.service, Upload) == []


class TestClosing:
    def test_needs_the_password_and_removes_what_is_the_account_s_alone(self, mei: Browser) -> None:
        mei.upload(sample("chengdu/clean"))
        assert "all of them go" in mei.read("/account/close")
        assert mei.post("/account/close", current="wrong").status_code == 422
        assert len(rows(mei.service, Upload)) == 1
        answer = mei.post("/account/close", current=PASSWORD)
        assert answer.status_code == 200
        assert "The account is closed" in answer.text
        assert "Mei" not in answer.text
        assert mei.get("/").status_code == 303
        (account,) = rows(mei.service, Account)
        assert (account.name, account.folded, account.password) == ("", None, "")
        assert account.closed is not None
        assert rows(mei.service, Upload) == rows(mei.service, SignIn) == []

    def test_is_refused_to_the_last_admin(self, served: Service) -> None:
        with_password(served, "Admin", "admin")
        browser = signed_in(anonymous(served), "Admin")
        answer = browser.post("/account/close", current=PASSWORD)
        assert answer.status_code == 409
        assert "last admin" in answer.text
        assert browser.get("/account").status_code == 200


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_can_be_read_in_every_language(served: Service, lang: str) -> None:
    admin = signed_in(anonymous(served), "Admin", "admin")
    place = admin.upload(sample("chengdu/clean"))
    urls = ["/account", "/account/password", "/account/close", "/accounts", f"{place}/delete"]
    urls.append(f"/accounts/{account_of(served, 'Mei')}")
    for url in urls:
        page = admin.read(f"{url}?lang={lang}")
        assert f'<html lang="{lang}">' in page
        assert " style=" not in page
    assert f'<html lang="{lang}">' in anonymous(served).read(f"/sign-in?lang={lang}")


def test_all_tokens_are_revoked_at_once_and_the_password_page_tells_of_them(mei: Browser) -> None:
    account, other = account_of(mei.service, "Mei"), account_of(mei.service, "Li")
    secrets = [make_token(mei.service.engine, account, name, None) for name in ("one", "two")]
    kept = make_token(mei.service.engine, other, "kept", None)
    for lang in LANGUAGES:
        page = mei.read(f"/account/password?lang={lang}")
        assert 'href="/account#tokens"' in page
        assert "2" in text_of(page)
    assert mei.post("/account/tokens/revoke").location.endswith("done=tokens")
    assert [entered_by(mei.service.engine, one) for one in secrets] == [None, None]
    assert entered_by(mei.service.engine, kept) is not None
    assert "/account#tokens" not in mei.read("/account/password")
