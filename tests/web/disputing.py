"""Who has to do with a case, and what they do in it by the forms of its page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from replay.jobs.service import Service
from replay.store.tables import Dispute
from tests.jobs.working import rows

from .asking import Browser, sample, text_of
from .signing import accounts_service, anonymous, signed_in

LANGUAGES = ("en", "zh-Hans", "zh-Hant")
NASTY = "<img src=x onerror=alert(1)>\"'‮"


@dataclass
class People:
    """Browsers of those who have to do with a case, and the report that Ann owns."""

    service: Service
    ann: Browser
    bob: Browser
    eve: Browser
    judge: Browser
    second: Browser
    boss: Browser
    nobody: Browser
    report: str = field(default="")

    @property
    def report_id(self) -> str:
        """The id of the report."""
        return self.report.rpartition("/")[2]


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """A service with accounts, and a game of Ann's with a finding at its 18th action."""
    with accounts_service(tmp_path / "data") as service:
        nobody = anonymous(service)

        def someone(name: str, role: str = "player") -> Browser:
            return signed_in(nobody, name, role)

        found = People(
            service,
            ann=someone("Ann"),
            bob=someone("Bob"),
            eve=someone("Eve"),
            judge=someone("Judge", "arbiter"),
            second=someone("Second", "arbiter"),
            boss=someone("Boss", "admin"),
            nobody=nobody,
        )
        found.report = found.ann.report(sample("chengdu/guo-shui"))
        yield found


def new(people: People, **more: Any) -> dict[str, Any]:
    """A form that opens a case about the finding."""
    about = {"report": people.report_id, "hand": "0", "action": "17", "finding": "ACT023"}
    return (
        about
        | {"kind": "legality", "text": "It was no 过水.", "seat": "1", "party0": "bob", "seat0": "0"}
        | more
    )


def opened(people: People, **more: Any) -> str:
    """The address of a case that Ann opened against Bob."""
    answer = people.ann.post("/cases", **new(people, **more))
    assert answer.status_code == 303, text_of(answer.text)
    return str(answer.location)


def act(browser: Browser, case: str, name: str, /, **form: Any) -> TestResponse:
    """The answer to a form of the page of a case, which must be there."""
    page = browser.read(case)
    assert f'action="{case}/{name}"' in page, text_of(page)
    return browser.post(f"{case}/{name}", **form)


def does(browser: Browser, case: str, name: str, /, **form: Any) -> None:
    """Do something in a case that is done."""
    answer = act(browser, case, name, **form)
    assert answer.status_code == 303, text_of(answer.text)
    assert answer.location.startswith(f"{case}#entry-")


RULING = {"ruling": "legal", "clause": "0", "text": "A raise frees it.", "instance": "first"}


def state_of(people: People) -> str:
    """The state of the one case that there is."""
    (row,) = rows(people.service, Dispute)
    return str(row.state)


def forms_of(page: str, case: str) -> set[str]:
    """The forms of a case that a page offers."""
    return set(re.findall(rf'action="{re.escape(case)}/([a-z]+)"', page))
