"""Signing in with a browser at an address of this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from replay.jobs.service import Service
from replay.web import create_app
from tests.web.signing import PASSWORD, accounts_service, with_password

from .hall import listening
from .watching import Visitor


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Service]:
    """A service with an admin who has a password."""
    with accounts_service(tmp_path / "data") as made:
        with_password(made, "Mei", "admin")
        yield made


@pytest.fixture
def someone(chromium: Browser, kept: Service) -> Iterator[Visitor]:
    """A person at a browser, and the service at an address of this machine."""
    with listening(create_app(kept)) as url:
        yield Visitor(chromium, url)


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
