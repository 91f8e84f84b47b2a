"""A service with accounts in which whatever people name and write would be code if a page took it for that."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from flask import Flask
from werkzeug.routing import Rule

from replay import load_profile
from replay.house import started
from replay.jobs.checkpointing import checkpoint_now
from replay.store.signing_in import begin
from replay.web import create_app
from replay.web.cookies import ON_LOOPBACK
from replay.wording import languages
from tests.web.asking import Browser, links, sample
from tests.web.signing import account_of, accounts_service, signed_in

from .hall import listening
from .test_payloads import PAYLOADS

ROLES = ("player", "arbiter", "admin")
ACTION, FINDING = "17", "ACT023"
"""What the case is about."""

LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Hostile:
    """The service at its address: a cookie for each role, and what stands in its addresses, by the argument's name."""

    url: str
    app: Flask
    secrets: dict[str, str]
    ids: dict[str, Any]
    reports: list[str]

    def cookie(self, role: str) -> Any:
        """What a browser of someone of this role sends."""
        return {"name": ON_LOOPBACK, "value": self.secrets[role], "url": self.url}

    def places(self) -> Iterator[tuple[str, str]]:
        """An endpoint and its address, for every route that can be looked at; each report has its own.

        Left out is what is no page at all and takes seconds to make.
        """
        adapter = self.app.url_map.bind("localhost")
        for rule in self.app.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and not rule.rule.endswith(".pdf"):
                for ids in self.every(rule):
                    yield rule.endpoint, adapter.build(rule.endpoint, ids) + self.query(rule.endpoint)

    def query(self, endpoint: str) -> str:
        """What an address has to ask for where there is nothing to be seen without it."""
        about = {"report": self.reports[0], "hand": 0, "action": ACTION, "finding": FINDING}
        player = {"platform": PAYLOADS[0], "player": PAYLOADS[0]}
        asked: dict[str, Any] = {
            "cases.new": about,
            "players.show": player,
            "api.player": player,
            "api.compare": {"set": ("chengdu", "zimo")},
        }
        return f"?{urlencode(asked[endpoint], doseq=True)}" if endpoint in asked else ""

    def every(self, rule: Rule) -> Iterator[dict[str, Any]]:
        """The arguments of a route, once or for each report; one that nobody has entered here is an error."""
        ids = {name: self.ids[name] for name in rule.arguments}
        if "report_id" in ids and not rule.endpoint.startswith("api."):
            yield from ({**ids, "report_id": one} for one in self.reports)
        else:
            yield ids

    def asked(self) -> Iterator[str]:
        """Addresses that hold a payload themselves."""
        every, report = "".join(PAYLOADS), f"/reports/{self.reports[0]}"
        for path, names in {
            "/": ("lang", "page"),
            "/search": ("player", "room", "code", "profile", "from", "to", "verdict"),
            "/players": ("platform", "player", "name"),
            "/cases": ("state", "kind", "page"),
            "/accounts": ("text", "role", "name"),
            "/sign-in": ("next",),
            "/rule-sets/compare": ("set", "first"),
            "/rule-sets/new": ("from",),
            "/account": ("done",),
            report: ("code", "severity", "page", "hand"),
            f"{report}/hands/0/steps/3": ("seat", "tab", "marks"),
            "/verdict-log": ("page",),
        }.items():
            yield f"{path}?{urlencode(dict.fromkeys(names, every))}"
        for one in PAYLOADS:
            query = urlencode({"player": one, "room": one, "from": one})
            yield f"/search?{query}"
            yield f"/nowhere?{query}"


@contextmanager
def hostile(folder: Path) -> Iterator[Hostile]:
    """Such a service, served as long as it is looked at."""
    with accounts_service(folder / "data", uploads_an_hour=0, sign_up=True) as service:
        app = create_app(service)
        nobody = Browser(app.test_client(), service)
        people = {role: signed_in(nobody, named(number), role) for number, role in enumerate(ROLES)}
        accounts = {role: account_of(service, named(number), role) for number, role in enumerate(ROLES)}
        ids, reports = planted(people)
        ids |= {"account_id": accounts["player"], "name": PAYLOADS[0]}
        checkpoint_now(service)
        secrets = {role: begin(service.engine, account) for role, account in accounts.items()}
        with listening(app) as url:
            yield Hostile(url, app, secrets, ids, reports)


def named(number: int) -> str:
    """The name of an account."""
    return PAYLOADS[number][:LONGEST_NAME]


def planted(people: dict[str, Browser]) -> tuple[dict[str, Any], list[str]]:
    """Everything that can be named or written, made by the pages; what stands in addresses, and the reports' ids."""
    owner = people["player"]
    places = [owner.upload(game(number), PAYLOADS[number].replace("/", "_")) for number in range(0, 20, 4)]
    reports = [links(owner.read(place), "/reports/")[0][9:] for place in places]
    house = owner.post("/rule-sets/documents", text=house_document())
    assert house.status_code == 303, house.text
    owner.post("/account/tokens", name=PAYLOADS[4], lasts="30")
    shared = owner.post(f"/reports/{reports[0]}/shares", view="all", lasts="7")
    secret = shared.text.partition(f'value="{"http://localhost/s/"}')[2].partition('"')[0]
    case, files = a_case(people, reports[0])
    return {
        "upload_id": places[0].rpartition("/")[2],
        "report_id": reports[0],
        "house_id": house.location.rpartition("/")[2],
        "case_id": case,
        "file_id": files,
        "secret": secret,
        "hand": 0,
        "step": int(ACTION) + 1,
        "position": 0,
        "filename": "site.css",
        "code": FINDING,
        "side": "bad",
        "rules_id": "chengdu",
        "size": 1,
        "token_id": str(uuid4()),
    }, reports


def game(first: int) -> bytes:
    """A game whose players, id, room and platform have such names, with a finding in it."""
    log = json.loads(sample("chengdu/guo-shui"))
    log["id"] = PAYLOADS[first]
    for player, name in zip(log["players"], PAYLOADS[first : first + 4], strict=True):
        player["name"] = player["id"] = name
    log["source"] = {"platform": PAYLOADS[first], "room": PAYLOADS[first + 1]}
    return json.dumps(log).encode()


def house_document() -> str:
    """A house rule set in which whatever can be worded is such a payload."""
    document = started(load_profile("chengdu"), "our-room", {"forced_last": 2})
    document["names"] = document["summary"] = dict.fromkeys(languages(), PAYLOADS[5])
    document["readings"]["base"] = dict.fromkeys(languages(), PAYLOADS[7])
    document["cites"]["scale"] = dict.fromkeys(("document", "section", "text"), PAYLOADS[6])
    return json.dumps(document)


def a_case(people: dict[str, Browser], report: str) -> tuple[str, str]:
    """A decided case in which each has written every payload; its id, and that of a file in it."""
    every = "\n".join(PAYLOADS)
    owner, judge = people["player"], people["arbiter"]
    about = {"report": report, "hand": "0", "action": ACTION, "finding": FINDING, "kind": "legality"}
    opened = owner.post("/cases", **about, text=every, seat="1")
    assert opened.status_code == 303, opened.text
    case = str(opened.location)
    brought = {"file": (BytesIO(every.encode()), PAYLOADS[7].replace("/", "_")), "text": every}
    ruling = {"ruling": "legal", "clause": "0", "text": every, "instance": "first"}
    for who, what, form in (
        (owner, "statement", {"text": every}),
        (owner, "pin", {"step": "14", "text": every}),
        (owner, "note", {"finding": "0", "text": every}),
        (owner, "evidence", brought),
        (judge, "take", {}),
        (judge, "decide", ruling),
    ):
        done = who.post(f"{case}/{what}", **form)
        assert done.status_code == 303, (what, done.text)
    (file,) = links(owner.read(case), f"{case}/evidence/")
    return case.rpartition("/")[2], file.rpartition("/")[2]
