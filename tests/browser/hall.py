"""A service with accounts at an address of this machine, and the people who come to it; the tests are its worker."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

from flask import Flask
from playwright.sync_api import Page
from werkzeug.serving import WSGIRequestHandler, make_server

from replay.jobs.service import Service
from replay.store.signing_in import begin
from replay.web import create_app
from replay.web.cookies import ON_LOOPBACK
from tests.jobs.working import work
from tests.web.asking import Browser, sample
from tests.web.signing import account_of, accounts_service, signed_in, with_password

from .doing import audited, give

PEOPLE = {
    "Ann": "player",
    "Bob": "player",
    "Judge": "arbiter",
    "Second": "arbiter",
    "Boss": "admin",
    "Hasty": "player",
}
WITH_PASSWORD = ("Ann", "Judge")
UPLOADS_AN_HOUR = 40

ABOUT = {"hand": "0", "action": "17", "finding": "ACT023", "kind": "legality"}
"""What cases are about: the finding of the game, and its action."""

EFFECT = {"from0": "2", "to0": "1", "amount0": "4"}
RULING = {"ruling": "legal", "clause": "0", "text": "A raise frees it.", "instance": "first", **EFFECT}
SECOND = {"ruling": "illegal", "clause": "0", "text": "Nothing was raised.", "instance": "second"}

Act = tuple[str, str, Mapping[str, str]]
TAKE: Act = ("Judge", "take", {})
ASK: Act = ("Judge", "ask", {"whom1": "1", "text": "Did the price rise?"})
DECIDE: Act = ("Judge", "decide", RULING)
APPEAL: Act = ("Bob", "appeal", {"text": "The price was the same."})
RETAKE: Act = ("Second", "take", {})
STAGES: dict[str, tuple[Act, ...]] = {
    "open": (),
    "taken": (TAKE,),
    "asked": (TAKE, ASK),
    "decided": (TAKE, DECIDE),
    "appealed": (TAKE, DECIDE, APPEAL),
    "retaken": (TAKE, DECIDE, APPEAL, RETAKE),
    "closed": (TAKE, DECIDE, APPEAL, RETAKE, ("Second", "decide", SECOND)),
    "withdrawn": (("Ann", "withdraw", {}),),
}
"""Every state of a case, and what leads there: who does what."""


class Quiet(WSGIRequestHandler):
    """Answers without a line for each request."""

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - as it is called
        """Say nothing."""


@contextmanager
def listening(app: Flask) -> Iterator[str]:
    """An application at an address of this machine: the address."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass(frozen=True, slots=True)
class Hall:
    """The service and its address, and by their names the people: what their browsers send, and clients of theirs."""

    url: str
    service: Service
    secrets: Mapping[str, str]
    people: Mapping[str, Browser]
    report: str

    def let_in(self, page: Page, name: str) -> None:
        """From now on the browser is signed in as somebody; as nobody with no name."""
        page.context.clear_cookies(name=ON_LOOPBACK)
        if name:
            page.context.add_cookies([{"name": ON_LOOPBACK, "value": self.secrets[name], "url": self.url}])

    def case(self, stage: str) -> str:
        """The address of a new case of Ann's against Bob, about a game of its own, that has come to a state."""
        report = self.people["Ann"].report(twice(str(uuid4())), f"{stage}.json")
        about = {"report": report.rpartition("/")[2], **ABOUT}
        parties = {"text": "It was no 过水.", "seat": "1", "party0": "Bob", "seat0": "0"}
        opened = self.people["Ann"].post("/cases", **about, **parties)
        assert opened.status_code == 303, opened.text
        for who, what, form in STAGES[stage]:
            done = self.people[who].post(f"{opened.location}/{what}", **form)
            assert done.status_code == 303, (stage, what, done.text)
        return str(opened.location)

    def audit(self, page: Page, *files: Any) -> None:
        """Give files at the start page, do the work, and wait until the page has brought itself up to date."""
        give(page, *files)
        page.wait_for_url("**/uploads/*")
        work(self.service)
        audited(page)


@contextmanager
def hall(folder: Path) -> Iterator[Hall]:
    """Such a service, with a game of Ann's in it."""
    with accounts_service(folder / "data", uploads_an_hour=UPLOADS_AN_HOUR, sign_up=True) as service:
        for name in WITH_PASSWORD:
            with_password(service, name, PEOPLE[name])
        app = create_app(service)
        nobody = Browser(app.test_client(), service)
        people = {name: signed_in(nobody, name, role) for name, role in PEOPLE.items()}
        secrets = {name: begin(service.engine, account_of(service, name)) for name in PEOPLE}
        report = people["Ann"].report(twice("in the hall"), "hall.json")
        with listening(app) as url:
            yield Hall(url, service, secrets, people, report)


def twice(name: str) -> bytes:
    """A game of two hands, each with a finding at its 18th action; each name makes it another game."""
    log = json.loads(sample("chengdu/guo-shui"))
    log["id"] = name
    log["hands"] *= 2
    del log["claimed"]
    return json.dumps(log, ensure_ascii=False).encode()


def chosen(name: str) -> dict[str, Any]:
    """Such a game as a file that is chosen."""
    return {"name": f"{name}.json", "mimeType": "application/json", "buffer": twice(name)}
