"""Every page and every state of it: whole for those who do not see it, no wider than a telephone, and at rest.

The pages are those of the routes, so that a new one is looked at too, and they are full of the longest names.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update
from sqlmodel import col

from replay.store.database import writing
from replay.store.tables import Job
from replay.store.tables.audits import QUARANTINED, QUEUED
from tests.jobs.working import work
from tests.web.asking import links

from .doing import give
from .hall import PEOPLE, STAGES, UPLOADS_AN_HOUR, Hall, chosen
from .hostile import ROLES, Hostile
from .looking import Wrong, wrong_with
from .watching import LOCALES, NARROW, WIDE, Visitor

LOOKS = [(WIDE, False), (NARROW, True)]
NAMED = ["wide", "narrow"]


@contextmanager
def window(visitor: Visitor, look: tuple[tuple[int, int], bool], lang: str) -> Iterator[Page]:
    """A window of a look, of a reader who wants less motion."""
    size, dark = look
    with visitor.page(size, lang, dark=dark, missing=True, reduced_motion="reduce") as page:
        yield page


@pytest.mark.parametrize("look", LOOKS, ids=NAMED)
def test_every_page_there_is(chromium: Browser, planted: Hostile, look: tuple[tuple[int, int], bool]) -> None:
    visitor = Visitor(chromium, planted.url)
    places = dict(reversed(list(planted.places())))
    wrong: Wrong = []
    tongues = cycle(LOCALES if look == LOOKS[0] else reversed(LOCALES))
    for role in ROLES:
        with window(visitor, look, "en") as page:
            page.context.add_cookies([planted.cookie(role)])
            for endpoint, url in list(places.items()):
                answer = page.context.request.get(f"{planted.url}{url}", max_redirects=0)
                if answer.status == 200 and answer.headers["content-type"].startswith("text/html"):
                    page.goto(f"{url}{'&' if '?' in url else '?'}lang={next(tongues)}")
                    wrong += wrong_with(page, endpoint)
                    del places[endpoint]
    assert wrong == []
    assert visitor.noted == []


# States ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS, ids=NAMED)
def test_what_comes_of_an_upload(guest: Visitor, court: Hall, look: tuple[tuple[int, int], bool]) -> None:
    with window(guest, look, "zh-Hant") as page:
        court.let_in(page, "Ann")
        page.goto("/")
        page.locator("form[data-drop] button.main").click()
        expect(page.get_by_role("alert")).to_be_visible()
        wrong = wrong_with(page, "nothing given")
        give(page, chosen(f"waits {look[0][0]}"))
        expect(page.locator(".waiting")).to_be_visible()
        wrong += wrong_with(page, "waiting")
        with writing(court.service.engine) as session:
            given_up = {"state": QUARANTINED, "attempts": 5, "problem": "the worker died each time"}
            session.execute(update(Job).where(col(Job.state) == QUEUED).values(**given_up))
        page.reload()
        expect(page.locator("#aside")).to_be_visible()
        wrong += wrong_with(page, "stuck")
        page.locator("section:has(#aside) li button").click()
        work(court.service)
        expect(page.locator("ol.list a.name")).to_be_visible(timeout=30_000)
        wrong += wrong_with(page, "done")
    assert wrong == []


@pytest.mark.parametrize("look", LOOKS, ids=NAMED)
def test_every_way_to_look_at_a_report(
    guest: Visitor, court: Hall, look: tuple[tuple[int, int], bool]
) -> None:
    step = f"{court.report}/hands/0/steps/18"
    views = ("tab=findings", "tab=ledger", "tab=log", "tab=wall", "seat=1&hide=1", "nospoilers=1", "marks=0")
    places = [f"{step}?{view}" for view in views]
    places += [f"{court.report}?severity=error", f"{court.report}?code=ACT023", f"{court.report}/print.html"]
    places += ["/search?code=ACT023", "/search?player=none-of-this-name", "/search?from=x"]
    wrong: Wrong = []
    with window(guest, look, "zh-Hans") as page:
        court.let_in(page, "Ann")
        for place in places:
            page.goto(place)
            wrong += wrong_with(page, place)
        page.goto(step)
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        wrong += wrong_with(page, "help")
        shared = court.people["Ann"].post(f"{court.report}/shares", view="1", lasts="7")
        secret = shared.text.partition('value="http://localhost')[2].partition('"')[0]
        court.let_in(page, "")
        page.goto(secret)
        page.goto(links(court.people["Ann"].read(secret), f"{secret}/hands/")[0])
        expect(page.locator(".walk")).to_be_visible()
        wrong += wrong_with(page, "one seat")
    assert wrong == []


@pytest.mark.parametrize("look", LOOKS, ids=NAMED)
def test_every_refusal(guest: Visitor, court: Hall, look: tuple[tuple[int, int], bool]) -> None:
    for number in range(UPLOADS_AN_HOUR + 1):
        last = court.people["Hasty"].send(f"[{number}]".encode())
    assert last.status_code == 429
    with window(guest, look, "en") as page:
        page.goto("/sign-in")
        page.get_by_label("Name").fill("Ann")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("wrong")
        wrong = wrong_with(page, "wrong password")
        court.let_in(page, "Hasty")
        give(page, chosen("too many"))
        expect(page.get_by_role("alert")).to_be_visible()
        wrong += wrong_with(page, "429")
        page.goto("/reports/none")
        wrong += wrong_with(page, "404")
        page.goto("about:blank")
        page.set_content(f'<form method="post" action="{court.url}/uploads"><button>go</button></form>')
        with page.expect_navigation() as led:
            page.locator("button").click()
        assert led.value.status == 403
        wrong += wrong_with(page, "403")
    assert wrong == []


@pytest.mark.parametrize("stage", STAGES)
def test_a_case_in_each_state_for_everybody(guest: Visitor, court: Hall, stage: str) -> None:
    case, wrong = court.case(stage), []
    turns = cycle([(look, lang) for lang in LOCALES for look in LOOKS])
    for name, (look, lang) in zip([one for one in PEOPLE if one != "Hasty"], turns, strict=False):
        with window(guest, look, lang) as page:
            court.let_in(page, name)
            page.goto(case)
            expect(page.locator(f".case-{stage}").first).to_be_visible()
            wrong += wrong_with(page, f"{stage}, {name}")
    assert wrong == []


# At rest -----------------------------------------------------------------------------------------------


def test_a_hand_plays_only_when_it_is_told_to(guest: Visitor, court: Hall) -> None:
    with guest.page(reduced_motion="reduce") as page:
        court.let_in(page, "Ann")
        page.clock.install(time=0)
        page.goto(f"{court.report}/hands/0/steps/3")
        page.clock.run_for(60_000)
        assert page.url.endswith("/steps/3")
        page.keyboard.press("Space")
        page.clock.run_for(900)
        page.wait_for_url("**/steps/4")
