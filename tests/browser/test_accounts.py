"""Signing in with a browser at an address of this machine, and the pages of accounts there."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server

from replay.jobs.service import Service
from replay.web import create_app
from tests.web.signing import PASSWORD, account_of, accounts_service, with_password

from .watching import NARROW, WIDE, Visitor

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = "axe.run({resultTypes: ['violations']}).then((found) => found.violations.map((one) => one.id))"
TOO_WIDE = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Service]:
    """A service with an admin who has a password."""
    with accounts_service(tmp_path / "data") as made:
        with_password(made, "Mei", "admin")
        yield made


@pytest.fixture
def someone(chromium: Browser, kept: Service) -> Iterator[Visitor]:
    """A person at a browser, and the service at an address of this machine."""
    server = make_server("127.0.0.1", 0, create_app(kept), threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Visitor(chromium, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    thread.join()
    server.server_close()


def enter(page: Page, password: str = PASSWORD) -> None:
    """Fill the form in and send it."""
    page.get_by_label("Name").fill("Mei")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize("script", [True, False])
def test_t20_one_signs_in_where_one_wanted_to_go_and_out_again(someone: Visitor, script: bool) -> None:
    with someone.page(script=script) as page:
        page.goto("/search")
        assert page.url.endswith("/sign-in?next=%2Fsearch")
        enter(page, "wrong")
        assert page.get_by_role("alert").inner_text().endswith("Name or password is wrong.")
        assert page.get_by_label("Name").input_value() == "Mei"
        assert [one for one in someone.noted if "422" not in one] == []
        someone.noted.clear()
        enter(page)
        assert page.url.endswith("/search")
        (cookie,) = [one for one in page.context.cookies() if one["name"] == "replay"]
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Lax", -1)
        page.get_by_role("link", name="Mei").click()
        assert page.get_by_text("this browser").is_visible()
        page.get_by_role("button", name="Sign out").first.click()
        assert page.url.endswith("/sign-in")
        assert [one for one in page.context.cookies() if one["name"] == "replay"] == []
        page.goto("/account")
        assert "/sign-in" in page.url
    assert someone.noted == []


def test_the_pages_are_for_everybody_and_fit_a_phone(someone: Visitor, kept: Service) -> None:
    places = ["/account", "/account/password", "/account/close", "/accounts"]
    places.append(f"/accounts/{account_of(kept, 'W' * 64)}")
    for size, dark in ((WIDE, False), (NARROW, True)):
        with someone.page(size, dark=dark, bypass_csp=True) as page:
            page.goto("/sign-in")
            page.evaluate(AXE)
            assert (page.evaluate(RUN), page.evaluate(TOO_WIDE)) == ([], False), "/sign-in"
            enter(page)
            for place in places:
                page.goto(place)
                page.evaluate(AXE)
                assert (page.evaluate(RUN), page.evaluate(TOO_WIDE)) == ([], False), place
    assert someone.noted == []
