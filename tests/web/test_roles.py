"""T18: who may do what. Every route there is, asked by everyone there is; a route without its row fails.

What is sent is complete where what comes back would otherwise not tell whether it was allowed (`FORMS`, `BODIES`), else
an empty form, or an empty object for programs: to who may do the thing, that is incomplete (422).
"""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import delete
from werkzeug.routing import Rule

from replay import load_profile
from replay.house import started
from replay.jobs.service import Service, open_service
from replay.settings import Settings
from replay.store.database import writing
from replay.store.shares import make_share, shares_of
from replay.store.signing_in import begin, digest, make_token, tokens_of
from replay.store.tables import Evidence, Heartbeat
from replay.web import create_app
from replay.web.cookies import ON_LOOPBACK
from replay.web.security import FIELDS
from replay.web.viewer import LOCAL_ID
from tests.jobs.working import rows
from tests.tables import make_tables

from .asking import NOBODY, SAME_ORIGIN, Browser, links, sample
from .signing import account_of, accounts_service

ANYONE = ("anonymous", "other", "owner", "party", "arbiter", "admin", "local")
ROLES = {"other": "player", "owner": "player", "party": "player", "arbiter": "arbiter", "admin": "admin"}
PLAIN = {
    "hand": 0,
    "step": 3,
    "position": 0,
    "size": 0,
    "filename": "site.css",
    "code": "ACT023",
    "side": "bad",
}
PLAIN |= {"rules_id": "chengdu"}
"""What stands in addresses and is nobody's."""

SAID = {
    "text": "Words.",
    "seat": "0",
    "name": "other",
    "step": "3",
    "finding": "0",
    "whom0": "1",
    "whom1": "1",
}
RULED = {"instance": "first", "ruling": "legal", "clause": "0"}
ABOUT = {"hand": "0", "action": "17", "finding": "ACT023", "kind": "legality", "text": "Words."}
FORMS: dict[str, dict[str, str]] = {
    "cases.open_": ABOUT | {"seat": "1"},
    "cases.say": SAID,
    "cases.judge": SAID | RULED,
    "shares.make": {"view": "all", "lasts": "7"},
    "account.new_token": {"name": "another", "lasts": "30"},
    "accounts.make": {"name": "Somebody", "role": "player"},
    "accounts.give_role": {"role": "arbiter"},
}
"""What forms are sent with, by endpoint."""

BODIES: dict[str, dict[str, Any]] = {
    "api.open_case": ABOUT | {"hand": 0, "action": 17, "seat": 1},
    "api.case_statement": {"text": "Words."},
    "api.case_answer": {"text": "Words."},
    "api.case_appeal": {"text": "Words."},
    "api.case_ask": {"text": "Words.", "whom": []},
    "api.case_decide": RULED
    | {"text": "Words.", "clause": {"document": "000", "section": "2.6", "text": "x"}},
    "api.case_note": {"text": "Words.", "finding": 0},
    "api.case_pin": {"step": 3},
    "api.case_party": {"name": "other"},
    "api.share": {"lasts": "7"},
    "api.new_token": {"name": "another", "lasts": "30"},
    "api.my_password": {"current": "", "password": "another one"},
    "api.my_closing": {"current": ""},
    "api.new_account": {"name": "Somebody", "role": "player"},
    "api.change_account": {"role": "arbiter"},
    "api.start": {"base": "chengdu", "id": "our-room"},
    "api.keep": started(load_profile("chengdu"), "our-room"),
}
"""What programs send, by endpoint."""

QUERIES: dict[str, dict[str, Any]] = {
    "cases.new": {"hand": 0},
    "players.show": {"name": "甲"},
    "api.player": {"name": "甲"},
}
"""What addresses ask with, by endpoint."""

WITH_FILE = ("cases.bring", "api.case_evidence")
STANDS = {"ask": "taken", "decide": "taken", "release": "taken", "answer": "asked", "appeal": "decided"}
"""How a case must stand for something to be done in it; for all else it is open."""

TABLE: dict[str, str] = {
    # anonymous, other, owner, party, arbiter, admin, local
    "GET /": "303 200 200 200 200 200 200",
    "GET /account": "303 200 200 200 200 200 404",
    "GET /account/close": "303 200 200 200 200 200 404",
    "POST /account/close": "303 422 422 422 422 422 404",
    "GET /account/export.zip": "303 200 200 200 200 200 404",
    "GET /account/password": "303 200 200 200 200 200 404",
    "POST /account/password": "303 422 422 422 422 422 404",
    "POST /account/sign-ins": "303 303 303 303 303 303 404",
    "POST /account/tokens": "303 200 200 200 200 200 404",
    "POST /account/tokens/revoke": "303 303 303 303 303 303 404",
    "POST /account/tokens/<uuid:token_id>/revoke": "303 404 303 404 404 404 404",
    "GET /accounts": "303 403 403 403 403 200 404",
    "POST /accounts": "303 403 403 403 403 200 404",
    "GET /accounts/<uuid:account_id>": "303 403 403 403 403 200 404",
    "POST /accounts/<uuid:account_id>/bar": "303 403 403 403 403 303 404",
    "POST /accounts/<uuid:account_id>/password": "303 403 403 403 403 200 404",
    "POST /accounts/<uuid:account_id>/role": "303 403 403 403 403 303 404",
    "POST /accounts/<uuid:account_id>/unbar": "303 403 403 403 403 303 404",
    "GET /api/v1": "200 200 200 200 200 200 200",
    "GET /api/v1/accounts": "401 403 403 403 403 200 404",
    "POST /api/v1/accounts": "401 403 403 403 403 201 404",
    "GET /api/v1/accounts/<uuid:account_id>": "401 403 403 403 403 200 404",
    "PATCH /api/v1/accounts/<uuid:account_id>": "401 403 403 403 403 200 404",
    "GET /api/v1/cases": "401 200 200 200 200 200 200",
    "POST /api/v1/cases": "401 404 201 201 403 403 201",
    "GET /api/v1/cases/<uuid:case_id>": "401 404 200 200 200 200 200",
    "POST /api/v1/cases/<uuid:case_id>/answer": "401 404 200 200 403 403 409",
    "POST /api/v1/cases/<uuid:case_id>/appeal": "401 404 200 200 403 403 409",
    "POST /api/v1/cases/<uuid:case_id>/ask": "401 404 403 403 200 403 422",
    "POST /api/v1/cases/<uuid:case_id>/decide": "401 404 403 403 200 403 409",
    "POST /api/v1/cases/<uuid:case_id>/files": "401 404 200 200 403 403 200",
    "GET /api/v1/cases/<uuid:case_id>/files/<uuid:file_id>": "401 404 200 200 200 200 200",
    "POST /api/v1/cases/<uuid:case_id>/notes": "401 404 200 200 403 403 200",
    "POST /api/v1/cases/<uuid:case_id>/parties": "401 404 200 200 403 403 422",
    "POST /api/v1/cases/<uuid:case_id>/pins": "401 404 200 200 403 403 200",
    "GET /api/v1/cases/<uuid:case_id>/print": "401 404 200 200 200 200 200",
    "POST /api/v1/cases/<uuid:case_id>/release": "401 404 403 403 200 200 409",
    "POST /api/v1/cases/<uuid:case_id>/statements": "401 404 200 200 403 403 200",
    "POST /api/v1/cases/<uuid:case_id>/take": "401 404 403 403 200 403 403",
    "POST /api/v1/cases/<uuid:case_id>/withdraw": "401 404 200 403 403 403 200",
    "GET /api/v1/catalogue/fans": "200 200 200 200 200 200 200",
    "GET /api/v1/catalogue/findings": "200 200 200 200 200 200 200",
    "GET /api/v1/catalogue/findings/<code>": "200 200 200 200 200 200 200",
    "GET /api/v1/catalogue/items": "200 200 200 200 200 200 200",
    "GET /api/v1/house-rules": "401 200 200 200 200 200 200",
    "POST /api/v1/house-rules": "401 201 200 201 201 201 200",
    "GET /api/v1/house-rules/<uuid:house_id>": "401 404 200 404 404 404 200",
    "POST /api/v1/house-rules/started": "401 201 200 201 201 201 200",
    "GET /api/v1/me": "401 200 200 200 200 200 200",
    "POST /api/v1/me/close": "401 422 422 422 422 422 404",
    "GET /api/v1/me/export": "401 200 200 200 200 200 404",
    "POST /api/v1/me/password": "401 422 422 422 422 422 404",
    "DELETE /api/v1/me/sign-ins": "401 204 204 204 204 204 404",
    "GET /api/v1/me/sign-ins": "401 200 200 200 200 200 404",
    "DELETE /api/v1/me/sign-ins/<sign_in>": "401 404 204 404 404 404 404",
    "GET /api/v1/openapi.json": "200 200 200 200 200 200 200",
    "GET /api/v1/players": "401 404 200 200 200 200 200",
    "GET /api/v1/problems": "200 200 200 200 200 200 200",
    "GET /api/v1/reports": "401 200 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/about": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/explanation": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/findings": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/hands": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/hands/<int:hand>": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/hands/<int:hand>/steps": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/hands/<int:hand>/steps/<int:step>": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/log": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/print": "401 404 200 200 200 200 200",
    "GET /api/v1/reports/<uuid:report_id>/views": "401 404 200 403 403 403 200",
    "GET /api/v1/reports/<uuid:report_id>/shares": "401 404 200 403 403 403 200",
    "POST /api/v1/reports/<uuid:report_id>/shares": "401 404 201 403 403 403 201",
    "DELETE /api/v1/reports/<uuid:report_id>/shares/<uuid:share_id>": "401 404 204 403 403 403 204",
    "GET /api/v1/rule-sets": "200 200 200 200 200 200 200",
    "GET /api/v1/rule-sets/<rules_id>": "200 200 200 200 200 200 200",
    "GET /api/v1/rule-sets/compare": "422 422 422 422 422 422 422",
    "GET /api/v1/tokens": "401 200 200 200 200 200 404",
    "POST /api/v1/tokens": "401 201 201 201 201 201 404",
    "DELETE /api/v1/tokens": "401 204 204 204 204 204 404",
    "DELETE /api/v1/tokens/<uuid:token_id>": "401 404 204 404 404 404 404",
    "GET /api/v1/uploads": "401 200 200 200 200 200 200",
    "POST /api/v1/uploads": "401 201 201 201 201 201 201",
    "DELETE /api/v1/uploads/<uuid:upload_id>": "401 404 409 404 404 404 409",
    "GET /api/v1/uploads/<uuid:upload_id>": "401 404 200 404 404 404 200",
    "GET /api/v1/uploads/<uuid:upload_id>/aside": "401 404 200 404 404 404 200",
    "POST /api/v1/uploads/<uuid:upload_id>/audits": "401 404 202 404 404 404 202",
    "GET /api/v1/uploads/<uuid:upload_id>/documents": "401 404 200 404 404 404 200",
    "GET /api/v1/uploads/<uuid:upload_id>/progress": "401 404 200 404 404 404 200",
    "POST /api/v1/uploads/<uuid:upload_id>/retry": "401 404 202 404 404 404 202",
    "GET /api/v1/verdict-log": "200 200 200 200 200 200 200",
    "GET /api/v1/verdict-log/checkpoints": "200 200 200 200 200 200 200",
    "GET /api/v1/verdict-log/checkpoints/<int:size>": "404 404 404 404 404 404 404",
    "GET /cases": "303 200 200 200 200 200 200",
    "POST /cases": "303 404 303 303 403 403 303",
    "GET /cases/<uuid:case_id>": "303 404 200 200 200 200 200",
    "POST /cases/<uuid:case_id>/answer": "303 404 303 303 403 403 409",
    "POST /cases/<uuid:case_id>/appeal": "303 404 303 303 403 403 409",
    "POST /cases/<uuid:case_id>/ask": "303 404 403 403 303 403 409",
    "POST /cases/<uuid:case_id>/decide": "303 404 403 403 303 403 409",
    "POST /cases/<uuid:case_id>/evidence": "303 404 303 303 403 403 303",
    "GET /cases/<uuid:case_id>/evidence/<uuid:file_id>": "303 404 200 200 200 200 200",
    "POST /cases/<uuid:case_id>/note": "303 404 303 303 403 403 303",
    "POST /cases/<uuid:case_id>/party": "303 404 303 303 403 403 422",
    "POST /cases/<uuid:case_id>/pin": "303 404 303 303 403 403 303",
    "GET /cases/<uuid:case_id>/print.html": "303 404 200 200 200 200 200",
    "GET /cases/<uuid:case_id>/print.pdf": "303 404 200 200 200 200 200",
    "POST /cases/<uuid:case_id>/release": "303 404 403 403 303 303 409",
    "POST /cases/<uuid:case_id>/statement": "303 404 303 303 403 403 303",
    "POST /cases/<uuid:case_id>/take": "303 404 403 403 303 403 403",
    "POST /cases/<uuid:case_id>/withdraw": "303 404 303 403 403 403 303",
    "GET /cases/new": "303 404 200 200 200 200 200",
    "GET /catalogue": "200 200 200 200 200 200 200",
    "GET /catalogue/examples/<code>/<side>/hands/<int:hand>": "302 302 302 302 302 302 302",
    "GET /catalogue/examples/<code>/<side>/hands/<int:hand>/steps/<int:step>": "200 200 200 200 200 200 200",
    "GET /catalogue/examples/<code>/<side>/log.json": "200 200 200 200 200 200 200",
    "GET /catalogue/fans": "200 200 200 200 200 200 200",
    "GET /catalogue/findings/<code>": "200 200 200 200 200 200 200",
    "GET /catalogue/rule-sets": "200 200 200 200 200 200 200",
    "GET /catalogue/rule-sets/<rules_id>": "200 200 200 200 200 200 200",
    "GET /catalogue/settlement": "200 200 200 200 200 200 200",
    "GET /credits": "200 200 200 200 200 200 200",
    "GET /healthz": "200 200 200 200 200 200 200",
    "GET /players": "303 404 200 200 200 200 200",
    "GET /readyz": "503 503 503 503 503 503 503",
    "GET /reports/<uuid:report_id>": "303 404 200 200 200 200 200",
    "GET /reports/<uuid:report_id>/explain": "303 404 200 200 200 200 200",
    "GET /reports/<uuid:report_id>/findings/<int:position>": "303 404 303 303 303 303 303",
    "GET /reports/<uuid:report_id>/hands/<int:hand>": "303 404 302 302 302 302 302",
    "GET /reports/<uuid:report_id>/hands/<int:hand>/steps/<int:step>": "303 404 200 200 200 200 200",
    "GET /reports/<uuid:report_id>/log.json": "303 404 200 200 200 200 200",
    "GET /reports/<uuid:report_id>/print.html": "303 404 200 200 200 200 200",
    "GET /reports/<uuid:report_id>/print.pdf": "303 404 200 200 200 200 200",
    "GET /reports/<uuid:report_id>/report.json": "303 404 200 200 200 200 200",
    "POST /reports/<uuid:report_id>/shares": "303 404 201 403 403 403 201",
    "POST /reports/<uuid:report_id>/shares/<uuid:share_id>/revoke": "303 404 303 403 403 403 303",
    "GET /rule-sets": "200 200 200 200 200 200 200",
    "POST /rule-sets": "303 422 422 422 422 422 422",
    "GET /rule-sets/<rules_id>.json": "200 200 200 200 200 200 200",
    "GET /rule-sets/compare": "200 200 200 200 200 200 200",
    "POST /rule-sets/documents": "303 422 422 422 422 422 422",
    "GET /rule-sets/house/<uuid:house_id>": "303 404 200 404 404 404 200",
    "GET /rule-sets/house/<uuid:house_id>/rules.json": "303 404 200 404 404 404 200",
    "GET /rule-sets/new": "303 200 200 200 200 200 200",
    "GET /s/<secret>": "200 200 200 200 200 200 200",
    "GET /s/<secret>/hands/<int:hand>/steps/<int:step>": "200 200 200 200 200 200 200",
    "GET /search": "303 200 200 200 200 200 200",
    "GET /sign-in": "200 303 303 303 303 303 404",
    "POST /sign-in": "422 422 422 422 422 422 404",
    "POST /sign-out": "303 303 303 303 303 303 404",
    "GET /sign-up": "404 404 404 404 404 404 404",
    "POST /sign-up": "404 404 404 404 404 404 404",
    "GET /static/<path:filename>": "200 200 200 200 200 200 200",
    "POST /uploads": "303 422 422 422 422 422 422",
    "GET /uploads/<uuid:upload_id>": "303 404 200 404 404 404 200",
    "POST /uploads/<uuid:upload_id>/audits": "303 404 303 404 404 404 303",
    "GET /uploads/<uuid:upload_id>/delete": "303 404 200 404 404 404 200",
    "POST /uploads/<uuid:upload_id>/delete": "303 404 409 404 404 404 409",
    "POST /uploads/<uuid:upload_id>/retry": "303 404 303 404 404 404 303",
    "GET /verdict-log": "200 200 200 200 200 200 200",
    "GET /verdict-log/checkpoints/<int:size>.json": "404 404 404 404 404 404 404",
    "GET /verdict-log/rows": "200 200 200 200 200 200 200",
}
"""What comes back, by route, to each of `ANYONE`; a page that is not for who is not signed in leads to the sign-in."""


@dataclass
class World:
    """A service where somebody owns a report that a case is about, as it is put back before each request."""

    service: Service
    app: Flask
    kept: Path
    secrets: dict[str, str]
    ids: dict[str, Any]

    def keep(self) -> None:
        """Remember everything as it is now."""
        self.service.engine.dispose()
        shutil.copytree(self.service.settings.data, self.kept)

    def restore(self) -> None:
        """Let everything be as it was remembered."""
        self.service.engine.dispose()
        shutil.rmtree(self.service.settings.data)
        shutil.copytree(self.kept, self.service.settings.data)

    def status(self, who: str, rule: Rule, method: str, act: str) -> int:
        """What comes back to somebody who asks for a route."""
        if method != "GET":
            self.restore()
        client = self.app.test_client()
        if who in self.secrets:
            client.set_cookie(ON_LOOPBACK, self.secrets[who], httponly=True, samesite="Lax")
        address, end = self.address(rule, method, act), rule.endpoint
        sent: dict[str, Any] = {"headers": SAME_ORIGIN}
        if method in ("POST", "PATCH"):
            filled = {**(BODIES if end in BODIES else FORMS).get(end, {})}
            if end in ("cases.open_", "api.open_case"):
                filled["report"] = self.ids["report_id"]
            if end == "api.case_ask":
                filled["whom"] = [self.ids["account_id"]]
            if end in WITH_FILE:
                filled = {"text": "Words.", "file": (BytesIO(b"y"), "y.txt")}
                return client.open(address, method=method, **sent, data=filled, buffered=True).status_code
            for_programs = address.startswith("/api/")
            sent |= {"json": filled} if for_programs else {"data": filled, "content_type": FIELDS}
        return client.open(address, method=method, **sent, buffered=True).status_code

    def address(self, rule: Rule, method: str, act: str) -> str:
        """The address of a route with what is there in its places."""
        values = {name: act if name == "act" else self.ids[name] for name in rule.arguments}
        stands = STANDS.get(act or rule.rule.rpartition("/")[2])
        if "case_id" in values and stands in self.ids:
            values["case_id"] = self.ids[stands]
        values |= QUERIES.get(rule.endpoint, {})
        if rule.endpoint == "cases.new":
            values["report"] = self.ids["report_id"]
        return self.app.url_map.bind("localhost").build(rule.endpoint, values, method)


def made(service: Service, kept: Path, owner: str, secrets: dict[str, str]) -> World:
    """A world in which ``owner`` has a report, a link, rules and a token of their own, and a case with a file."""
    app, engine = create_app(service), service.engine
    browser = Browser(app.test_client(), service)
    if secrets:
        browser.client.set_cookie(ON_LOOPBACK, secrets["owner"], httponly=True, samesite="Lax")
    upload = browser.upload(sample("chengdu/guo-shui"))
    report = links(browser.read(upload), "/reports/")[0].removeprefix("/reports/")
    about = {"report": report, "hand": "0", "kind": "legality", "seat": "1"}
    against = {"party0": "party", "seat0": "0"} if secrets else {}

    def opened(action: int) -> str:
        form = {"text": "It was no 过水.", "action": str(action)}
        return str(browser.post("/cases", **form, **about, **against).location[7:])

    case = opened(0)
    assert (
        browser.post(f"/cases/{case}/evidence", file=(BytesIO(b"x"), "x.txt"), text="What it is.").status_code
        == 303
    )
    rules = json.dumps(started(load_profile("chengdu"), "our-room"))
    house = browser.post("/rule-sets/documents", text=rules).location
    secret = make_share(engine, owner, report, None, None)
    if secrets:
        make_token(engine, owner, "mine", None)
    tokens = tokens_of(engine, owner)
    ids = {"upload_id": upload[9:], "report_id": report, "case_id": case, "secret": secret}
    ids |= {"file_id": rows(service, Evidence)[0].id, "share_id": shares_of(engine, owner, report)[0].id}
    ids |= {"house_id": house.rpartition("/")[2], "token_id": tokens[0].id if tokens else NOBODY}
    ids["sign_in"] = digest(secrets["owner"]) if secrets else NOBODY
    if secrets:
        arbiter = Browser(app.test_client(), service)
        arbiter.client.set_cookie(ON_LOOPBACK, secrets["arbiter"], httponly=True, samesite="Lax")
        for action, (stands, acts) in enumerate(
            {"taken": (), "asked": ("ask",), "decided": ("decide",)}.items(), 1
        ):
            ids[stands] = opened(action)
            for act in ("take", *acts):
                done = arbiter.post(f"/cases/{ids[stands]}/{act}", **SAID, **RULED)
                assert done.status_code == 303, (act, done.text)
    made_of = World(service, app, kept, secrets, ids | PLAIN | {"account_id": owner if secrets else NOBODY})
    # Whether a worker was here a moment ago is no matter of roles.
    with writing(engine) as session:
        session.execute(delete(Heartbeat))
    made_of.keep()
    return made_of


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, World]]:
    """A world with accounts, and one without."""
    folder = tmp_path_factory.mktemp("roles")
    with accounts_service(folder / "accounts") as service, pytest.MonkeyPatch.context() as patched:
        # Only who may have a PDF is asked here; to make one takes seconds.
        patched.setattr("replay.web.paper.pages.pdf_of", lambda page: b"%PDF-")
        names = {name: account_of(service, name, role) for name, role in ROLES.items()}
        secrets = {name: begin(service.engine, account) for name, account in names.items()}
        alone = open_service(Settings(data=folder / "local", broker="none", ring_seconds=0.001), node="web")
        make_tables(alone.engine)
        yield {
            "accounts": made(service, folder / "kept-accounts", names["owner"], secrets),
            "local": made(alone, folder / "kept-local", LOCAL_ID, {}),
        }
        alone.engine.dispose()


Route = tuple[str, Rule, str]
"""A method, the rule of its addresses, and which of its acts where it has several."""


def routes(app: Flask) -> dict[str, Route]:
    """Every method of every route by the name that the table has for it."""
    found = {}
    for rule in app.url_map.iter_rules():
        acts = re.findall(r"<any\(([^)]*)\):act>", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            for act in acts[0].split(", ") if acts else [""]:
                found[f"{method} {re.sub('<any[^>]*>', act, rule.rule)}"] = (method, rule, act)
    return found


def asked(worlds: dict[str, World], who: str, route: Route) -> int:
    """What comes back to somebody."""
    method, rule, act = route
    return worlds["local" if who == "local" else "accounts"].status(who, rule, method, act)


def test_t18_every_route_has_its_row_and_every_row_its_route(worlds: dict[str, World]) -> None:
    assert sorted(TABLE) == sorted(routes(worlds["accounts"].app))


@pytest.mark.parametrize("name", sorted(TABLE))
def test_t18_who_may_do_what(worlds: dict[str, World], name: str) -> None:
    route = routes(worlds["accounts"].app)[name]
    answers = {who: asked(worlds, who, route) for who in ANYONE}
    assert answers == dict(zip(ANYONE, map(int, TABLE[name].split()), strict=True))
