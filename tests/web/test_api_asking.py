"""The interface for programs: who may ask, what is refused and how that is told, and the pages about it."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from replay.web.api.problems import CODES
from replay.web.errors import PROBLEMS
from replay.wording import has_text, languages

from .asking import NOBODY, Browser, sample, text_of
from .programs import V1, Program, program
from .signing import accounts_service, anonymous, signed_in

OURS = Path(__file__).parent.parent.parent / "replay" / "web" / "api"
JSON = "application/json"


@pytest.fixture
def asks(browser: Browser) -> Program:
    """A program of the one user."""
    return program(browser)


class TestWhoMayChange:
    """U9: a program names no origin, and no page of another site can do as if it were one."""

    @pytest.mark.parametrize("kind", [JSON, "application/octet-stream", "application/x-ndjson"])
    def test_u9_a_program_without_an_origin_may(self, asks: Program, kind: str) -> None:
        assert asks.ask("take_in", data=b"{}", kind=kind).status_code == 201

    @pytest.mark.parametrize(
        "kind", ["", "text/plain", "text/plain; charset=utf-8", "multipart/form-data; boundary=x",
                 "application/x-www-form-urlencoded"]
    )  # fmt: skip
    def test_u9_what_a_form_of_another_site_can_send_may_not(self, asks: Program, kind: str) -> None:
        for path in ("uploads", "house-rules", f"uploads/{NOBODY}/retry"):
            answer = asks.client.post(f"{V1}/{path}", data=b"{}", content_type=kind or None)
            assert (answer.status_code, answer.get_json()["code"]) == (403, "403"), path

    @pytest.mark.parametrize(
        "headers",
        [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"},
         {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}],
    )  # fmt: skip
    def test_u9_a_page_of_another_site_may_not(self, asks: Program, headers: dict[str, str]) -> None:
        for method, path in (("POST", "uploads"), ("DELETE", f"uploads/{NOBODY}")):
            answer = asks.client.open(
                f"{V1}/{path}", method=method, data=b"{}", content_type=JSON, headers=headers
            )
            assert answer.status_code == 403

    def test_u9_pages_still_name_their_origin(self, asks: Program) -> None:
        assert asks.client.post("/uploads", data=b"{}", content_type=JSON).status_code == 403
        assert asks.client.delete("/uploads").status_code == 403

    def test_u9_a_token_is_no_cookie_and_beside_one_changes_nothing(self, tmp_path: Path) -> None:
        with accounts_service(tmp_path / "data") as service:
            sits = signed_in(anonymous(service), "An")
            made = Program(sits.client, service, headers={"Sec-Fetch-Site": "same-origin"})
            token = made.get("new_token", body={"name": "mine"})["token"]
            foreign = {"Sec-Fetch-Site": "cross-site"}
            alone = Program(anonymous(service).client, service, token, headers=foreign)
            assert alone.ask("take_in", data=b"{}").status_code == 201
            beside = Program(sits.client, service, token, headers=foreign)
            assert beside.ask("take_in", data=b"{}").status_code == 403

    def test_a_token_gives_no_power_over_accounts(self, tmp_path: Path) -> None:
        with accounts_service(tmp_path / "data") as service:
            made = Program(signed_in(anonymous(service), "Deng", "admin").client, service)
            token = made.get("new_token", body={"name": "mine"})["token"]
            asks = Program(anonymous(service).client, service, token)
            assert asks.get("me")["role"] == "admin"
            for answer in (
                asks.ask("new_token", body={"name": "more"}),
                asks.ask("accounts"),
                asks.ask("new_account", body={"name": "Er", "role": "admin"}),
            ):
                assert (answer.status_code, answer.get_json()["code"]) == (403, "403.token")
            player = Program(signed_in(anonymous(service), "An").client, service)
            assert player.ask("accounts").get_json()["code"] == "403.role"

    def test_without_accounts_there_are_none(self, asks: Program) -> None:
        assert asks.get("me") == {"id": "local", "name": "", "role": "local"}
        assert "security" not in json.dumps(asks.document)
        for name in ("tokens", "accounts"):
            assert asks.ask(name).status_code == 404


class TestProblems:
    """U6: RFC 9457, a stable code, and no more of what was sent than 80 characters."""

    @pytest.mark.parametrize(
        ("body", "code", "pointer"),
        [
            (b"{", "400.json", ""),
            (b"\xff", "400.json", ""),
            (b'{"rules": null, "rules": null}', "422.fields", "/rules"),
            (b'{"options": {"cap_fan": 1.5}}', "422.fields", "/options/cap_fan"),
            (b'{"luck": 1}', "422.fields", "/luck"),
            (b'{"rules": 1}', "422.fields", "/rules"),
            (b'{"rules": "a\\u0000"}', "422.fields", "/rules"),
            (b"[]", "422.fields", ""),
            (b"[" * 5000, "422.fields", None),
        ],
    )
    def test_u6_a_body_that_cannot_be_used(
        self, asks: Program, body: bytes, code: str, pointer: str | None
    ) -> None:
        place = asks.get("take_in", data=b"{}")["id"]
        answer = asks.ask("audit", upload_id=place, data=body)
        problem = answer.get_json()
        assert answer.content_type == "application/problem+json"
        assert problem["status"] == answer.status_code
        assert problem["type"] == PROBLEMS + problem["code"]
        if pointer is not None:
            assert (problem["code"], problem["errors"][0]["pointer"]) == (code, pointer)

    def test_u6_no_more_is_repeated_than_eighty_characters(self, asks: Program) -> None:
        long = "x" * 5000
        place = asks.get("take_in", data=b"{}")["id"]
        for answer in (
            asks.ask("audit", upload_id=place, body={"rules": long}),
            asks.ask("audit", upload_id=place, body={long: 1}),
            asks.ask("audit", upload_id=place, body={"options": {long: 1}}),
            asks.ask("uploads", query={long: "1"}),
            asks.ask("take_in", data=b"{}", query={"rules": long}),
            asks.ask("catalogue_finding", code=long),
        ):
            assert answer.status_code in (404, 422)
            assert "x" * 81 not in answer.text

    @pytest.mark.parametrize(
        "query", [{"page": "0"}, {"page": "1_0"}, {"page": "x"}, {"size": "201"}, {"lang": "de"}, {"luck": "1"},
                  {"page": ["1", "2"]}, {"page": "1\0"}]
    )  # fmt: skip
    def test_arguments_that_cannot_be_used(self, asks: Program, query: dict[str, Any]) -> None:
        answer = asks.ask("uploads", query=query)
        assert (answer.status_code, answer.get_json()["code"]) == (422, "422.fields")
        (wrong,) = answer.get_json()["errors"]
        assert (wrong["where"], wrong["pointer"].split("/")[1]) == ("query", next(iter(query)))

    def test_ways_that_are_not_there(self, asks: Program) -> None:
        assert asks.client.get(f"{V1}/nowhere").get_json()["code"] == "404"
        assert asks.client.get(f"{V1}/uploads/no-id").get_json()["code"] == "404"
        wrong = asks.client.delete(f"{V1}/rule-sets")
        assert (wrong.status_code, wrong.get_json()["code"]) == (405, "405")
        assert "GET" in wrong.headers["Allow"]
        other = asks.ask("audit", upload_id=NOBODY, data=b"{}", kind="application/xml")
        assert other.get_json()["code"] == "415.json"
        assert asks.ask("audit", upload_id=NOBODY, data=b" " * 300_000).status_code == 413

    def test_what_was_expected_is_said_in_the_reader_s_language(self, asks: Program) -> None:
        said = {
            lang: asks.ask("uploads", query={"size": "999", "lang": lang}).get_json()["errors"][0]["expected"]
            for lang in languages()
        }
        assert said["en"] == "a number of at most 200"
        assert said["zh-Hans"] == "不大于 200 的数"
        assert not asks.client.get_cookie("lang")

    def test_every_code_that_is_used_is_explained(self, browser: Browser) -> None:
        used = {
            node.value
            for path in OURS.glob("*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        codes = {one for one in used if re.fullmatch(r"4\d\d\.[a-z_]+", one)}
        assert codes <= set(CODES)
        for lang in languages():
            assert [code for code in CODES if not has_text(lang, f"web.error.{code}.text")] == []
        page = browser.read(f"{V1}/problems")
        assert re.findall(r'<section class="card entry" id="([^"]*)"', page) == list(CODES)


class TestPages:
    @pytest.mark.parametrize("lang", languages())
    def test_describe_every_operation(self, browser: Browser, asks: Program, lang: str) -> None:
        page = browser.read(f"{V1}?lang={lang}")
        for path, methods in asks.document["paths"].items():
            for method, one in methods.items():
                assert f'id="{one["operationId"]}"' in page
                assert f"<b>{method.upper()}</b> {path}" in page
        targets = set(re.findall(r'href="#([^"]*)"', page))
        assert targets - set(re.findall(r'id="([^"]*)"', page)) == set()

    def test_say_how_to_begin(self, browser: Browser, asks: Program) -> None:
        said = text_of(browser.read(V1))
        assert f"http://localhost{V1}/uploads?name=game.json" in said
        assert "nobody has to sign in" in said

    def test_the_document_is_for_everybody(self, tmp_path: Path) -> None:
        with accounts_service(tmp_path / "data") as service:
            nobody = anonymous(service)
            for path in ("", "/openapi.json", "/problems"):
                assert nobody.get(V1 + path).status_code == 200
            schemes = nobody.get(f"{V1}/openapi.json").get_json()["components"]["securitySchemes"]
            assert set(schemes) == {"token", "cookie"}


def test_a_report_is_asked_for_again_only_where_it_is_not_known(asks: Program) -> None:
    report = asks.report(sample("chengdu/clean"))
    first = asks.ask("report", report_id=report)
    asks.headers = {"If-None-Match": first.headers["ETag"]}
    assert asks.ask("report", report_id=report).status_code == 304
    asks.headers = {"If-None-Match": '"other"'}
    assert asks.ask("report", report_id=report).data == first.data
