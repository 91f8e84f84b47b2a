"""T20, U8-U10 and the ASVS items that apply: who is let in, and how; brute force, fixation, ``next``, hosts, forgery."""

import re
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from replay.jobs.service import Service
from replay.store.accounts import bar, set_password
from replay.store.signing_in import begin, entered, make_token
from replay.store.tables import Account, Attempt, SignIn, Upload
from replay.web import create_app
from replay.web.cookies import ON_LOOPBACK, OVER_TLS
from tests.jobs.working import rows

from .asking import NOBODY, SAME_ORIGIN, Browser, sample, text_of
from .signing import PASSWORD, account_of, accounts_service, anonymous, signed_in, with_password


@pytest.fixture
def nobody(served: Service) -> Browser:
    """A browser that nobody is signed in with."""
    return anonymous(served)


def enter(browser: Browser, name: str = "Mei", password: str = PASSWORD, to: str = "") -> TestResponse:
    """The answer to a name and a password."""
    return browser.post(f"/sign-in{to}", name=name, password=password)


def cookie(answer: TestResponse) -> tuple[str, str, set[str]]:
    """The cookie that an answer sets: its name, what it holds, and what else is said of it."""
    (line,) = answer.headers.getlist("Set-Cookie")
    first, *more = line.split("; ")
    name, _, held = first.partition("=")
    return name, held, set(more)


class TestTheGate:
    PUBLIC = (
        "static",
        "signing.",
        "catalogue.",
        "credits.",
        "health.",
        "verdict_log.",
        "shares.",
        "rulesets.index",
        "rulesets.built_in_json",
        "rulesets.compare",
        "api.book",
        "api.openapi",
        "api.problems",
        "api.catalogue_",
        "api.rule_set",
        "api.compare",
        "api.checkpoint",
        "api.verdict_log",
    )
    """What those who are not signed in may ask for."""

    def test_v8_2_1_a_page_is_private_unless_it_says_otherwise(self, nobody: Browser) -> None:
        app: Flask = nobody.client.application
        said = {
            endpoint
            for endpoint, view in app.view_functions.items()
            if getattr(view, "is_public", False) or endpoint == "static"
        }
        assert [one for one in said if not one.startswith(self.PUBLIC)] == []
        for rule in app.url_map.iter_rules():
            if rule.endpoint in said or "GET" not in (rule.methods or ()):
                continue
            values = {name: NOBODY if "id" in name else 0 for name in rule.arguments}
            url = app.url_map.bind("localhost").build(rule.endpoint, values)
            answer = nobody.get(url)
            assert answer.status_code == (401 if url.startswith("/api/") else 303), url
            assert url.startswith("/api/") or answer.location.startswith("/sign-in?next=%2F"), url

    def test_a_form_of_nobody_s_is_refused(self, nobody: Browser) -> None:
        answer = nobody.post("/uploads", text="{}")
        assert (answer.status_code, answer.location) == (303, "/sign-in")
        assert rows(nobody.service, Upload) == []

    def test_a_program_gets_401_and_how_to_ask(self, nobody: Browser) -> None:
        for answer in (
            nobody.get("/", Accept="application/json"),
            nobody.get("/", Authorization="Bearer rpl_wrong"),
        ):
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="replay"'
        assert nobody.get("/", Accept="application/json").get_json()["code"] == "401"

    def test_what_there_is_not_is_not_found_by_anybody(self, nobody: Browser) -> None:
        assert nobody.get("/nowhere").status_code == 404

    def test_leads_back_to_what_was_asked_for(self, nobody: Browser) -> None:
        with_password(nobody.service, "Mei")
        answer = nobody.get(f"/uploads/{NOBODY}?verdict=clean&page=2")
        page = nobody.read(answer.location)
        action = re.search(r'action="(/sign-in[^"]*)"', page)
        assert action is not None
        answer = nobody.post(action[1].replace("&amp;", "&"), name="Mei", password=PASSWORD)
        assert answer.location == f"/uploads/{NOBODY}?verdict=clean&page=2"

    def test_there_is_none_without_accounts(self, browser: Browser) -> None:
        assert "Sign" not in browser.read("/")
        for url in ("/sign-in", "/sign-up", "/account", "/account/password", "/accounts"):
            assert browser.get(url).status_code == 404
        assert browser.post("/sign-out").status_code == 404

    def test_a_database_that_is_away_is_said_on_a_page(
        self, nobody: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from sqlalchemy.exc import OperationalError

        def away(*_: object) -> None:
            raise OperationalError("", {}, Exception("away"))

        inside = signed_in(nobody, "Mei")
        monkeypatch.setattr("replay.web.viewer.entered", away)
        answer = inside.get("/")
        assert answer.status_code == 503
        assert "Busy for the moment" in answer.text
        assert inside.get("/healthz").status_code == 200


class TestSigningIn:
    def test_v3_3_1_v3_3_2_v3_3_4_gives_a_cookie_that_is_for_this_host_alone(self, nobody: Browser) -> None:
        with_password(nobody.service, "Mei")
        name, held, more = cookie(enter(nobody))
        assert (name, more) == (ON_LOOPBACK, {"HttpOnly", "Path=/", "SameSite=Lax"})
        over_tls = nobody.client.post(
            "/sign-in",
            data={"name": "Mei", "password": PASSWORD},
            headers=SAME_ORIGIN,
            base_url="https://localhost",
        )
        name, other, more = cookie(over_tls)
        assert (name, more) == (OVER_TLS, {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"})
        assert len(held) == len(other) == 43
        assert name.startswith("__Host-")

    def test_is_refused_where_others_can_listen(self, tmp_path: Path) -> None:
        with accounts_service(
            tmp_path / "data", host="0.0.0.0", hosts="replay.example, other.example"
        ) as made:
            browser, base = anonymous(made), "http://replay.example"
            with_password(made, "Mei")
            assert browser.client.get("/sign-in", base_url=base).status_code == 403
            form = {"name": "Mei", "password": PASSWORD}
            answer = browser.client.post("/sign-in", data=form, headers=SAME_ORIGIN, base_url=base)
            assert answer.status_code == 403
            assert "open connection" in answer.text
            assert "Set-Cookie" not in answer.headers
            secret = begin(made.engine, account_of(made, "Mei"))
            for name in (ON_LOOPBACK, OVER_TLS):
                answer = browser.client.get("/", base_url=base, headers={"Cookie": f"{name}={secret}"})
                assert answer.status_code == 303

    def test_t20_v7_2_4_the_id_is_a_new_one_and_the_old_one_ends(self, nobody: Browser) -> None:
        made = with_password(nobody.service, "Mei")
        planted = "planted-by-somebody-else"
        nobody.client.set_cookie(ON_LOOPBACK, planted)
        _, first, _ = cookie(enter(nobody))
        assert first != planted
        assert entered(nobody.service.engine, planted) is None
        nobody.get("/sign-out")
        further = Browser(nobody.client.application.test_client(), nobody.service)
        further.client.set_cookie(ON_LOOPBACK, first)
        _, second, _ = cookie(enter(further))
        assert second != first
        assert entered(nobody.service.engine, first) is None
        found = entered(nobody.service.engine, second)
        assert found is not None
        assert found.account.id == made

    def test_v6_3_8_an_unknown_name_is_answered_as_a_wrong_password(self, nobody: Browser) -> None:
        with_password(nobody.service, "Mei")
        wrong, unknown = enter(nobody, "Mei", "wrong"), enter(nobody, "Nobody", "wrong")
        assert wrong.status_code == unknown.status_code == 422
        assert text_of(wrong.text).replace("Mei", "Nobody") == text_of(unknown.text)
        assert "Name or password is wrong." in wrong.text
        assert "wrong" not in re.findall(r'value="([^"]*)"', wrong.text)

    def test_one_who_is_barred_is_told_so_after_the_right_password_only(self, nobody: Browser) -> None:
        made = with_password(nobody.service, "Mei")
        bar(nobody.service.engine, made)
        assert "barred" in enter(nobody).text
        assert "barred" not in enter(nobody, password="wrong").text
        assert rows(nobody.service, SignIn) == []

    def test_who_is_signed_in_goes_on(self, nobody: Browser) -> None:
        inside = signed_in(nobody, "Mei")
        assert inside.get("/sign-in?next=/rule-sets").location == "/rule-sets"
        assert "Mei" in inside.read("/")
        assert inside.post("/sign-in", name="<b>", password="x").status_code == 422

    def test_v7_4_1_signing_out_ends_it_on_both_sides(self, nobody: Browser) -> None:
        inside = signed_in(nobody, "Mei")
        assert inside.get("/sign-out").status_code == 405
        answer = inside.post("/sign-out")
        assert (answer.status_code, answer.location) == (303, "/sign-in")
        assert cookie(answer)[1] == ""
        assert rows(nobody.service, SignIn) == []
        assert inside.get("/").status_code == 303


class TestBruteForce:
    def test_t20_v6_3_1_the_eleventh_from_an_address_is_refused(self, nobody: Browser) -> None:
        with_password(nobody.service, "Mei")
        for number in range(10):
            assert enter(nobody, f"name {number}", "wrong").status_code == 422
        answer = enter(nobody)
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 60
        assert "Tried too often" in answer.text
        assert "Set-Cookie" not in answer.headers

    def test_t20_v6_3_1_the_eleventh_for_an_account_is_refused_from_anywhere(self, nobody: Browser) -> None:
        with_password(nobody.service, "Mei")
        app = create_app(nobody.service)

        def tried(number: int, name: str, password: str = "wrong") -> int:
            answer = app.test_client().post(
                "/sign-in",
                data={"name": name, "password": password},
                headers=SAME_ORIGIN,
                environ_base={"REMOTE_ADDR": f"192.0.2.{number}"},
            )
            return answer.status_code

        assert [tried(number, "mEi" if number % 2 else "Mei") for number in range(10)] == [422] * 10
        assert tried(10, "Mei", PASSWORD) == 429
        assert tried(10, "Li") == 422

    def test_one_network_of_ipv6_is_one_address(self, nobody: Browser) -> None:
        def tried(end: str) -> int:
            return nobody.client.post(
                "/sign-in",
                data={"name": end, "password": "wrong"},
                headers=SAME_ORIGIN,
                environ_base={"REMOTE_ADDR": f"2001:db8:0:{end}"},
            ).status_code

        assert [tried(f"1::{number}") for number in range(1, 12)] == [422] * 10 + [429]
        assert tried("2::1") == 422


class TestTheWayBack:
    @pytest.mark.parametrize(
        ("given", "to"),
        [
            ("/", "/"),
            ("/rule-sets?set=chengdu#x", "/rule-sets?set=chengdu#x"),
            ("/reports/1?next=//evil.example", "/reports/1?next=//evil.example"),
            ("", "/"),
            ("rule-sets", "/"),
            ("//evil.example", "/"),
            ("///evil.example", "/"),
            ("/\\evil.example", "/"),
            ("\\\\evil.example", "/"),
            ("/\t/evil.example", "/"),
            ("/\n/evil.example", "/"),
            ("/a\r\nSet-Cookie: x=y", "/"),
            ("/\u202eevil", "/"),
            (" //evil.example", "/"),
            ("/ /evil.example", "/"),
            ("https://evil.example/", "/"),
            ("https:/evil.example", "/"),
            ("javascript:alert(1)", "/"),
            ("/sign-in?next=/", "/"),
            ("/sign-out", "/"),
            ("/" + "a" * 3_000, "/"),
        ],
    )
    def test_t20_v3_7_2_is_a_path_of_this_service(self, nobody: Browser, given: str, to: str) -> None:
        inside = signed_in(nobody, "Mei")
        answer = inside.client.get("/sign-in", query_string={"next": given})
        assert (answer.status_code, answer.location) == (303, to)
        assert "Set-Cookie" not in answer.headers


class TestForgedRequests:
    def post(self, browser: Browser, **headers: str) -> int:
        """The status of a form with these headers alone."""
        return browser.client.post("/uploads", data={"text": "{}"}, headers=headers).status_code

    def test_t20_u9_a_token_needs_no_origin_but_beside_a_cookie_it_does(self, nobody: Browser) -> None:
        account = account_of(nobody.service, "Mei")
        good = {"Authorization": f"Bearer {make_token(nobody.service.engine, account, 'bot', None)}"}
        inside = signed_in(nobody, "Mei")
        cross, same = {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-origin"}
        table = [
            (nobody, {}, 403),
            (nobody, cross, 403),
            (nobody, same, 303),
            (nobody, good, 303),
            (nobody, good | cross, 303),
            (nobody, {"Authorization": "Bearer wrong"}, 401),
            (nobody, {"Authorization": "Basic x"}, 403),
            (inside, {}, 403),
            (inside, cross, 403),
            (inside, same, 303),
            (inside, good, 403),
            (inside, good | cross, 403),
            (inside, good | same, 303),
            (inside, {"Authorization": "Bearer wrong"}, 403),
            (inside, {"Authorization": "Bearer wrong"} | same, 401),
        ]
        found = [self.post(browser, **headers) for browser, headers, _ in table]
        assert found == [status for _, _, status in table]
        assert [one.owner for one in rows(nobody.service, Upload)] == [account]

    def test_t20_signing_in_and_out_is_for_our_pages(self, nobody: Browser) -> None:
        with_password(nobody.service, "Mei")
        form = {"name": "Mei", "password": PASSWORD}
        for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
            assert nobody.client.post("/sign-in", data=form, headers=headers).status_code == 403
        inside = signed_in(nobody, "Mei")
        assert inside.client.post("/sign-out").status_code == 403
        assert len(rows(nobody.service, SignIn)) == 1

    @pytest.mark.parametrize(
        ("query", "headers"),
        [
            ("?_method=POST", {}),
            ("", {"X-HTTP-Method-Override": "POST"}),
            ("", {"X-HTTP-Method": "POST"}),
            ("", {"X-Method-Override": "POST"}),
        ],
    )
    def test_t20_another_method_cannot_be_put_on(
        self, nobody: Browser, query: str, headers: dict[str, str]
    ) -> None:
        inside = signed_in(nobody, "Mei")
        assert inside.get(f"/sign-out{query}", **headers).status_code == 405
        assert len(rows(nobody.service, SignIn)) == 1


class TestHostsAndProxies:
    def test_t20_u8_only_the_names_of_the_settings_are_answered(self, tmp_path: Path) -> None:
        with accounts_service(tmp_path / "data", host="0.0.0.0", hosts="replay.example") as made:
            browser = anonymous(made)
            for host, status in (
                ("replay.example", 200),
                ("REPLAY.example:8000", 200),
                ("localhost", 200),
                ("0.0.0.0", 200),
                ("evil.example", 400),
                ("replay.example.evil.example", 400),
                ("", 400),
            ):
                assert browser.get("/healthz", Host=host).status_code == status, host

    def test_u8_nobody_is_believed_without_a_proxy(self, nobody: Browser) -> None:
        said = {
            "X-Forwarded-Proto": "https",
            "X-Forwarded-Host": "evil.example",
            "X-Forwarded-For": "192.0.2.9",
        }
        answer = nobody.get("/sign-in", **said)
        assert answer.status_code == 200
        assert "Strict-Transport-Security" not in answer.headers
        for number in range(10):
            said["X-Forwarded-For"] = f"192.0.2.{number}"
            nobody.client.post("/sign-in", data={"name": str(number)}, headers=SAME_ORIGIN | said)
        answer = nobody.client.post("/sign-in", data={"name": "x"}, headers=SAME_ORIGIN | said)
        assert answer.status_code == 429

    def test_u8_a_proxy_of_the_settings_is_believed(self, tmp_path: Path) -> None:
        with accounts_service(tmp_path / "data", hosts="replay.example", proxies=1) as made:
            browser = anonymous(made)
            with_password(made, "Mei")
            said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "replay.example"}
            for number in range(11):
                headers = SAME_ORIGIN | said | {"X-Forwarded-For": f"10.0.0.1, 192.0.2.{number}"}
                data = {"name": "Mei" if number == 10 else str(number), "password": PASSWORD}
                answer = browser.client.post("/sign-in", data=data, headers=headers)
            assert answer.status_code == 303
            assert cookie(answer)[0] == OVER_TLS
            assert "Strict-Transport-Security" in answer.headers
            assert browser.get("/sign-in", **{"X-Forwarded-Host": "evil.example"}).status_code == 400


class TestSigningUp:
    def test_is_closed_unless_the_settings_open_it(self, nobody: Browser) -> None:
        assert nobody.get("/sign-up").status_code == 404
        form = {"name": "Mei", "password": PASSWORD, "again": PASSWORD}
        assert nobody.post("/sign-up", **form).status_code == 404
        assert "/sign-up" not in nobody.read("/sign-in")
        assert rows(nobody.service, Account) == []

    def test_makes_a_player_and_signs_it_in(self, tmp_path: Path) -> None:
        with accounts_service(tmp_path / "data", sign_up=True) as made:
            browser = anonymous(made)
            assert "/sign-up" in browser.read("/sign-in")
            answer = browser.post("/sign-up", name="Mei", password=PASSWORD, again=PASSWORD, role="admin")
            assert (answer.status_code, answer.location) == (303, "/")
            assert [one.role for one in rows(made, Account)] == ["player"]
            assert "Mei" in browser.read("/account")

    def test_says_what_is_wrong_and_is_not_done_without_end(self, tmp_path: Path) -> None:
        with accounts_service(tmp_path / "data", sign_up=True) as made:
            browser = anonymous(made)
            account_of(made, "Mei")
            answers = [
                browser.post("/sign-up", name=name, password=password, again=again)
                for name, password, again in (
                    ("Li", PASSWORD, "another"),
                    ("Mei", PASSWORD, PASSWORD),
                    ("Li", "short", "short"),
                    ("Li", "password", "password"),
                    ("", PASSWORD, PASSWORD),
                )
            ]
            assert [one.status_code for one in answers] == [422] * 5
            assert ["not the same" in answers[0].text, "already" in answers[1].text] == [True, True]
            assert [browser.post("/sign-up", name="", password="", again="").status_code for _ in "ab"] == [
                422,
                429,
            ]
            assert len(rows(made, Account)) == 1


class TestAPasswordThatSomebodyElseSet:
    def test_v6_4_1_is_changed_before_anything_else(self, nobody: Browser) -> None:
        made = with_password(nobody.service, "Mei")
        (account,) = rows(nobody.service, Account)
        set_password(nobody.service.engine, account, "told-by-an-admin", own=False)
        assert enter(nobody, password="told-by-an-admin").status_code == 303
        for url in ("/", "/account", "/uploads/" + NOBODY):
            assert nobody.get(url).location == "/account/password"
        assert nobody.get("/", Accept="application/json").status_code == 403
        assert "set by somebody else" in nobody.read("/account/password")
        form = {"current": "told-by-an-admin", "password": PASSWORD, "again": PASSWORD}
        assert nobody.post("/account/password", **form).status_code == 303
        assert nobody.get("/").status_code == 200
        assert rows(nobody.service, Account)[0].id == made


class TestTheLog:
    def test_v16_2_5_holds_neither_password_nor_secret(
        self, nobody: Browser, lines: list[dict[str, object]]
    ) -> None:
        with_password(nobody.service, "Wang-Fang")
        _, held, _ = cookie(enter(nobody, "Wang-Fang"))
        enter(nobody, "Wang-Fang", "another-secret")
        nobody.read("/account")
        written = str(lines)
        assert len(lines) == 3
        for secret in (PASSWORD, held, "another-secret", "Wang-Fang"):
            assert secret not in written

    def test_what_is_kept_of_tries_names_nobody(self, nobody: Browser) -> None:
        enter(nobody, "Wang-Fang", "wrong")
        assert {len(one.subject) for one in rows(nobody.service, Attempt)} == {64}


def test_a_browser_of_a_role_owns_what_it_takes_in(nobody: Browser) -> None:
    mei, li = signed_in(nobody, "Mei"), signed_in(nobody, "Li", "admin")
    place = mei.upload(sample("chengdu/clean"), "mine.json")
    assert "mine.json" in mei.read("/")
    assert "mine.json" not in li.read("/")
    assert li.get(place).status_code == 404
