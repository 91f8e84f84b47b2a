"""Links to a report: made and revoked by its owner, seen by whoever has them, and as one seat by nobody as more."""

import os
import re
from collections.abc import Iterator
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import col

from replay import load_profile
from replay.intake import take_in
from replay.steps import HandSteps, steps
from replay.store.attempts import Rate
from replay.store.database import writing
from replay.store.tables import Share, StaffView
from replay.store.visible import views_of
from replay.web.hands.keys import DOINGS, KEYS
from replay.web.hands.views import TABS
from replay.web.reports import shares
from replay.wording import text
from tests.goldens import samples
from tests.steps.test_redacted import follows, in_twos, own_reasons, tiles_in, watched
from tests.store.test_visible import a_case

from .asking import Browser, links, sample, text_of
from .signing import account_id, accounts_service, anonymous, signed_in

GUO_SHUI, CLEAN = "chengdu/guo-shui", "chengdu/clean"
IN_CI_EVERY, HERE_EVERY = 5, 35


def made(browser: Browser, report: str, view: str = "all", lasts: str = "7") -> str:
    """Make a link to a report; its address without the host."""
    answer = browser.post(f"{report}/shares", view=view, lasts=lasts)
    assert answer.status_code == 201, answer.text
    (address,) = re.findall(r'id="address" value="http://localhost(/s/[\w-]{43})"', answer.text)
    return str(address)


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Browser]:
    """Somebody signed in to a service with accounts."""
    with accounts_service(tmp_path / "data") as service:
        yield signed_in(anonymous(service), "Owner")


def stranger(owner: Browser) -> Browser:
    """A browser of the same service that nobody is signed in with."""
    return Browser(owner.client.application.test_client(), owner.service)


# Making and revoking ---------------------------------------------------------------------------------


def test_u7_a_whole_link_shows_report_and_hands_to_who_is_not_signed_in(owner: Browser) -> None:
    report = owner.report(sample(GUO_SHUI))
    address = made(owner, report)
    page = stranger(owner).read(address)
    assert text("en", "shares.whole.notice") in page
    assert [one for one in links(page, "/") if one.startswith(("/reports/", "/uploads/"))] == []
    assert not re.search(r"<form[^>]* method=\"post\"", page.partition("<main")[2])
    steps_ = links(page, f"{address}/hands/0/steps/")
    assert steps_
    hand = stranger(owner).read(steps_[0])
    assert links(hand, "/reports/") == []
    assert text("en", "shares.seat.notice") not in hand
    assert {one.partition("/hands/")[0] for one in links(hand, "/s/")} == {address}


def test_u7_what_a_link_leaves_out_cannot_be_had_by_it(owner: Browser) -> None:
    report = owner.report(sample(GUO_SHUI))
    for view in ("all", "2"):
        address = made(owner, report, view)
        for further in (
            "/report.json",
            "/log.json",
            "/explain",
            "/shares",
            "/hands/0",
            "/search",
            "/findings/0",
        ):
            assert stranger(owner).get(address + further).status_code == 404
        for further in ("", "/report.json", "/log.json", "/explain", "/hands/0/steps/3"):
            assert stranger(owner).get(report + further).status_code == 303
        assert signed_in(owner, "Other").get(report).status_code == 404
        assert signed_in(owner, "Other").get(address).status_code == 200


def test_u7_a_link_is_shown_once_listed_and_revoked(owner: Browser) -> None:
    report = owner.report(sample(CLEAN))
    address, other = made(owner, report, "1", "30"), made(owner, report, "all", "never")
    page = owner.read(report)
    assert address.removeprefix("/s/") not in page
    assert text("en", "shares.endless") in page
    revoke = re.findall(rf'action="({re.escape(report)}/shares/[\w-]+/revoke)"', page)
    assert len(revoke) == 2
    answer = owner.post(revoke[0])
    assert (answer.status_code, answer.location) == (303, f"{report}#shares")
    assert sorted(stranger(owner).get(one).status_code for one in (address, other)) == [200, 404]
    assert owner.post(revoke[0]).status_code == 303
    assert owner.read(report).count("/revoke") == 1


def test_u7_expired_revoked_and_unknown_are_the_same_page(owner: Browser) -> None:
    report = owner.report(sample(CLEAN))
    ended, revoked, unknown = made(owner, report), made(owner, report), f"/s/{'x' * 43}"
    owner.post(re.findall(r'action="([^"]+/revoke)"', owner.read(report))[0])
    with writing(owner.service.engine) as session:
        session.execute(update(Share).where(col(Share.revoked).is_(None)).values(expires=1))
    pages = {re.sub(r"[0-9a-f-]{36}", "", stranger(owner).get(one).text) for one in (ended, revoked, unknown)}
    assert len(pages) == 1
    assert {stranger(owner).get(one).status_code for one in (ended, revoked, unknown)} == {404}


def test_u7_only_the_owner_shares_a_report(owner: Browser) -> None:
    report = owner.report(sample(CLEAN))
    made(owner, report)
    (revoke,) = re.findall(r'action="([^"]+/revoke)"', owner.read(report))
    other = signed_in(owner, "Other")
    assert other.post(f"{report}/shares", view="all", lasts="7").status_code == 404
    assert other.post(revoke).status_code == 404
    assert stranger(owner).post(f"{report}/shares", view="all", lasts="7").status_code == 303
    assert owner.read(report).count("/revoke") == 1


@pytest.mark.parametrize(
    "form", [{}, {"view": "4", "lasts": "7"}, {"view": "all", "lasts": "8"}, {"view": "a" * 99}]
)
def test_a_link_of_no_known_kind_is_refused(browser: Browser, form: dict[str, str]) -> None:
    assert browser.post(f"{browser.report(sample(CLEAN))}/shares", **form).status_code == 422


def test_u9_another_site_shares_nothing(browser: Browser) -> None:
    report = browser.report(sample(CLEAN))
    browser.headers = {"Sec-Fetch-Site": "cross-site"}
    assert browser.post(f"{report}/shares", view="all", lasts="7").status_code == 403


def test_too_many_links_are_refused_with_a_page(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replay.store.shares.MOST_LIVE", 1)
    report = browser.report(sample(CLEAN))
    made(browser, report)
    answer = browser.post(f"{report}/shares", view="all", lasts="7")
    assert answer.status_code == 409
    assert text("en", "web.error.409.shares.title") in answer.text


def test_links_work_without_accounts_too(browser: Browser) -> None:
    report = browser.report(sample(CLEAN))
    assert browser.get(made(browser, report, "0")).status_code == 200


# What goes with a secret address ---------------------------------------------------------------------


def test_u7_no_other_page_and_no_index_learns_the_address(owner: Browser) -> None:
    report = owner.report(sample(CLEAN))
    address = made(owner, report)
    for url in (address, f"{address}/hands/0/steps/3", f"/s/{'x' * 43}", f"/s/{'x' * 43}/nothing"):
        headers = stranger(owner).get(url).headers
        assert (headers["Referrer-Policy"], headers["X-Robots-Tag"]) == ("no-referrer", "noindex")
    assert owner.get(report).headers["Referrer-Policy"] == "same-origin"


def test_u7_a_secret_is_written_down_nowhere(owner: Browser, lines: list[dict[str, Any]]) -> None:
    report = owner.report(sample(CLEAN))
    address = made(owner, report)
    for url in (address, f"{address}/hands/0/steps/3", f"{address}x"):
        stranger(owner).get(url)
    shown = [line for line in lines if str(line.get("route", "")).startswith("/s/")]
    assert [line["ids"] for line in shown] == [{}, {"hand": "0", "step": "3"}, {}]
    assert address.removeprefix("/s/") not in str(lines)


def test_u7_who_tries_links_is_told_to_wait(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "WRONG_LINKS", Rate("wrong link", 3, 60_000))
    address = made(browser, browser.report(sample(CLEAN)))
    tried = [browser.get(f"/s/{number:043}").status_code for number in range(5)]
    assert tried == [404, 404, 404, 429, 429]
    assert browser.get(address).status_code == 200


# Who looked ------------------------------------------------------------------------------------------


def test_u7_the_owner_is_told_who_of_the_staff_looked(owner: Browser) -> None:
    report = owner.report(sample(CLEAN))
    report_id = report.rpartition("/")[2]
    arbiter = signed_in(owner, "Arbiter", "arbiter")
    assert arbiter.get(report).status_code == 404
    case = a_case_about(owner, report_id)
    assert text("en", "shares.looked") not in text_of(owner.read(report))
    assert text("en", "shares.standing.staff") in arbiter.read(report)
    for step in range(3):
        arbiter.read(f"{report}/hands/1/steps/{step}")
    arbiter.get(f"{report}/report.json")
    kept = views_of(owner.service.engine, report_id, 50)
    assert sorted((view.account, view.hand, view.dispute_id) for view in kept if view.hand is not None) == [
        (account_id(owner.service, "Arbiter"), 1, case)
    ]
    assert sorted(view.what for view in kept) == ["data", "page", "step"]
    assert all(isinstance(view, StaffView) for view in kept)
    page = owner.read(report)
    assert text("en", "shares.looked") in page
    assert page.count("<bdi>Arbiter</bdi>") == 3
    assert f"/cases/{case}" in page
    assert text("en", "shares.looked") not in arbiter.read(report)


def test_u7_a_party_sees_the_report_and_nothing_of_the_upload(owner: Browser) -> None:
    report = owner.report(sample(CLEAN))
    party = signed_in(owner, "Party")
    a_case_about(owner, report.rpartition("/")[2], str(account_id(owner.service, "Party")))
    page = party.read(report)
    assert text("en", "shares.standing.party") in page
    assert [*links(page, "/uploads/"), *re.findall(rf'action="{report}/shares"', page)] == []
    assert party.post(f"{report}/shares", view="all", lasts="7").status_code == 403
    assert views_of(owner.service.engine, report.rpartition("/")[2], 50) == []


def a_case_about(browser: Browser, report_id: str, *parties: str) -> str:
    """A case about a report of whoever is signed in as Owner; its id."""
    opener = str(account_id(browser.service, "Owner"))
    return a_case(browser.service.engine, report_id, opener, *parties)


# One seat's view -------------------------------------------------------------------------------------


def test_u7_a_seat_s_link_says_that_the_other_hands_are_not_there(owner: Browser) -> None:
    report = owner.report(sample(CLEAN))
    address = made(owner, report, "2")
    page = stranger(owner).read(address)
    assert text("en", "shares.seat.notice") in page
    assert links(page, f"{address}/hands/") == [f"{address}/hands/{hand}/steps/0" for hand in (0, 1)]
    for lang in ("en", "zh-Hans", "zh-Hant"):
        hand = stranger(owner).read(f"{address}/hands/0/steps/9?lang={lang}")
        assert text(lang, "shares.seat.notice") in unescape(hand)


def test_u7_no_argument_of_its_address_makes_a_seat_s_link_show_more(owner: Browser) -> None:
    report = owner.report(sample(GUO_SHUI))
    at = f"{made(owner, report, '3')}/hands/0/steps/40"
    plain = {tab: stranger(owner).read(f"{at}?tab={tab}") for tab in TABS}
    for asked in (
        "seat=0",
        "seat=a",
        "hide=0",
        "seat=1&hide=1",
        "nospoilers=0",
        "seat=0&hide=0&nospoilers=0",
    ):
        for tab in TABS:
            page = stranger(owner).read(f"{at}?tab={tab}&{asked}")
            assert without_asked(page) == without_asked(plain[tab])


def test_u7_the_help_of_a_seat_s_link_lists_the_keys_of_its_page(owner: Browser) -> None:
    """A key of the help leads along a link that the page has or does what the script does, and none is missing."""
    report = owner.report(sample(GUO_SHUI))
    whole, alone = f"{report}/hands/0/steps/40", f"{made(owner, report, '3')}/hands/0/steps/40"
    listed = []
    for page in (owner.read(whole), stranger(owner).read(alone)):
        keys = re.findall(r'<kbd data-key="([^"]*)" data-does="([^"]*)">', page)
        has = {name for names in re.findall(r'data-nav="([^"]*)"', page) for name in names.split()}
        assert [key for key, does in keys if DOINGS.union(has).isdisjoint(does.split())] == []
        assert {one.does for one in KEYS if not DOINGS.union(has).isdisjoint(one.does.split())} == {
            does for _, does in keys
        }
        listed.append({unescape(key) for key, _ in keys})
    assert listed[0] - listed[1] == {
        *"1234vahn.>",
        "PageDown",
        "Shift+PageDown",
        "Shift+ArrowDown",
        "Shift+ArrowUp",
    }


def test_u7_a_seat_s_link_has_no_button_that_leads_nowhere_from_every_step(owner: Browser) -> None:
    address = made(owner, owner.report(sample(GUO_SHUI)), "1")
    there: dict[str, bool] = {}
    for step in range(0, 123):
        page = stranger(owner).read(f"{address}/hands/0/steps/{step}")
        for name, rest in re.findall(r'<a data-nav="(\w+)"([^>]*)>', page):
            there[name] = there.get(name, False) or "href=" in rest
    nowhere = {name for name, leads in there.items() if not leads}
    assert nowhere == {"previous_hand", "next_hand"}, "it has one hand"


def without_asked(page: str) -> str:
    """A page but for the links to it in other languages, which carry its arguments on."""
    return re.sub(r'href="\?[^"]*"', "", page)


SUIT_WORDS = {"en": "characters|dots|bamboos", "zh-Hans": "万|筒|条", "zh-Hant": "萬|筒|條"}
OF_SUIT = {
    "characters": "m",
    "dots": "p",
    "bamboos": "s",
    "万": "m",
    "萬": "m",
    "筒": "p",
    "条": "s",
    "條": "s",
}


def tiles_on(page: str, lang: str, secret: str) -> set[str]:
    """Every tile that stands anywhere in a page: pictures, words of its language, codes; but not the quoted clauses."""
    page = unescape(page.replace(secret, ""))
    page = re.sub(r"<blockquote.*?</blockquote>", "", page, flags=re.S)
    found = {symbol[::-1] for symbol in re.findall(r"tiles\.svg[^\"#]*#([mpsz]\d)", page)}
    found |= {
        rank + suit
        for ranks, suit in re.findall(r"(?<![\w#.])([1-9]+)([mpsz])(?!\w)", page)
        for rank in ranks
    }
    between = " of " if lang == "en" else ""
    named = re.findall(rf"([1-9]+){between}({SUIT_WORDS[lang]})", page)
    found |= {rank + OF_SUIT[suit] for ranks, suit in named for rank in ranks}
    honours = (f"{rank}z" for rank in range(1, 8))
    return found | {
        one for one in honours if re.search(rf"(?<!\w){re.escape(text(lang, f'tile.{one}'))}(?!\w)", page)
    }


def test_the_tiles_of_a_page_are_found_in_every_language(browser: Browser) -> None:
    """What is looked for is there where nothing is hidden: every tile that a seat has, in each of the three ways."""
    report = browser.report(sample(GUO_SHUI))
    for lang in SUIT_WORDS:
        page = browser.read(f"{report}/hands/0/steps/40?lang={lang}&tab=wall")
        assert tiles_on(page, lang, "-") == {f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)}
        words_only = re.sub(r"tiles\.svg", "", page)
        assert len(tiles_on(words_only, lang, "-")) == 27


def stride() -> int:
    """How far apart the steps are that are looked at; what the pages are made from is looked at step by step elsewhere.

    It has no divisor in common with the seats and the languages, which take turns.
    """
    return IN_CI_EVERY if os.environ.get("CI") else HERE_EVERY


@pytest.mark.parametrize("path", samples(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_u7_a_seat_s_page_holds_no_tile_that_it_could_not_see(browser: Browser, path: Path) -> None:
    """Pictures, labels and codes of each page are of tiles that the seat had seen by that step, reckoned from the log."""
    data, turn = path.read_bytes(), count()
    report, log = browser.report(data), take_in(data).log
    assert log is not None
    links_ = [made(browser, report, str(seat)) for seat in range(4)]
    rules = browser.get(f"{report}/report.json").json
    assert rules is not None
    for number, written in enumerate(rules["hands"]):
        walk = walk_of(rules, log, number, written["findings"])
        frames = list(walk.frames())
        seen = [watched(walk.hand, frames, seat) for seat in range(4)]
        for step, looks in enumerate(zip(*seen, strict=True)):
            at = next(turn)
            seat, lang, tab = at % 4, [*SUIT_WORDS][at % 3], TABS[(at // 4) % 4]
            frame, known = looks[seat]
            if step % stride() and step != walk.last:
                continue
            page = browser.read(f"{links_[seat]}/hands/{number}/steps/{step}?lang={lang}&tab={tab}")
            may_know = {*known, *follows(frame, seat), *tiles_in(own_reasons(frame, seat))}
            may_know |= {tile for win in frame.seats[seat].wins for tile in tiles_in(win.facts)}
            assert tiles_on(page, lang, links_[seat]) <= may_know, (number, step, seat, lang, tab)
            assert set(in_twos("".join(frame.seats[seat].hand))) <= tiles_on(page, lang, links_[seat])


def walk_of(report: dict[str, Any], log: Any, number: int, findings: Any) -> HandSteps:
    """A hand of an audited log with nothing hidden."""
    rules = load_profile(report["rules"]["profile"], report["rules"]["options"])
    return steps(rules, log, number, findings)
