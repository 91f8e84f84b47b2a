"""The hand page: every step by links, the table as it is there, and nothing that is not known."""

import json
import re
from html import unescape
from itertools import pairwise
from typing import Any

import pytest

from replay import load_profile
from replay.log import log_of
from replay.steps import HandSteps, course_of, steps
from replay.web.hands.views import TABS
from replay.wording import languages, text

from .asking import Browser, links, sample, text_of

CLEAN, GUO_SHUI, FALSE_WIN = "chengdu/clean", "chengdu/guo-shui", "chengdu/false-win"
MISCLAIMED = "chengdu/misclaimed-settlement"


def walk(name: str, hand: int = 0) -> HandSteps:
    """The same hand, walked without the pages."""
    log = log_of(json.loads(sample(name)))
    return steps(load_profile(log.rules.profile, log.rules.options), log, hand)


def nav(page: str) -> dict[str, str]:
    """The links of the page by name."""
    found = re.findall(r'<a data-nav="(\w+)" href="([^"]*)"', page)
    found += [
        (name, url)
        for url, names in re.findall(r'<a href="([^"]*)" data-nav="([\w ]+)"', page)
        for name in names.split()
    ]
    return {name: url.replace("&amp;", "&") for name, url in found}


def timeline(page: str) -> list[tuple[int, str]]:
    """The marks of the timeline: step and kind."""
    found = re.findall(r'<a href="[^"]*/steps/(\d+)[^"]*" data-step class="at-(\w+)"', page)
    return sorted((int(step), kind) for step, kind in found)


def sentence(page: str) -> str:
    """What the step is."""
    found = page.partition('class="sentence"')[2].partition(">")[2].partition("</p>")[0]
    return text_of(f"<main>{found}</main>")


def seats(page: str) -> list[str]:
    """The four seats in the order of the page."""
    return re.findall(r'<section class="seat .*?</section>', page, re.S)


class TestSteps:
    def test_a_hand_begins_before_its_first_action(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        answer = browser.get(f"{place}/hands/0")
        assert (answer.status_code, answer.location) == (302, f"{place}/hands/0/steps/0")
        page = browser.read(answer.location)
        assert "The tiles are dealt." in sentence(page)
        assert {"first", "back", "previous_finding", "previous_hand"}.isdisjoint(nav(page))
        assert nav(page)["forward"] == f"{place}/hands/0/steps/1"

    def test_links_lead_through_the_whole_hand_and_back(self, browser: Browser) -> None:
        place, count = browser.report(sample(CLEAN)), walk(CLEAN).count
        url, seen = f"{place}/hands/0/steps/0", []
        while url:
            seen.append(url)
            url = nav(browser.read(url)).get("forward", "")
        assert seen == [f"{place}/hands/0/steps/{step}" for step in range(count + 1)]
        there = nav(browser.read(seen[-1]))
        assert there["back"] == seen[-2]
        assert there["first"] == seen[0]
        assert nav(browser.read(seen[0]))["last"] == seen[-1]

    def test_what_is_out_of_range_is_not_found(self, browser: Browser) -> None:
        place, last = browser.report(sample(CLEAN)), walk(CLEAN).last
        for path in (f"0/steps/{last + 1}", "2/steps/0", "2", "0/steps/-1", "x/steps/0", f"0/steps/{10**30}"):
            assert browser.get(f"{place}/hands/{path}").status_code == 404, path

    def test_of_the_next_hand_are_a_link_away(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        there = nav(browser.read(f"{place}/hands/0/steps/3?seat=2&hide=1"))
        assert there["next_hand"] == f"{place}/hands/1/steps/0?seat=2&hide=1"
        assert "next_hand" not in nav(browser.read(f"{place}/hands/1/steps/0"))

    def test_every_action_is_a_link_and_the_current_one_is_marked(self, browser: Browser) -> None:
        place, count = browser.report(sample(CLEAN)), walk(CLEAN).count
        page = browser.read(f"{place}/hands/0/steps/7?tab=log")
        listed = page.partition('<ol class="acts">')[2].partition("</ol>")[0]
        assert links(listed) == [f"{place}/hands/0/steps/{step}?tab=log" for step in range(1, count + 1)]
        assert re.findall(r'href="([^"]*)" data-step aria-current="step"', page) == [
            f"{place}/hands/0/steps/7?tab=log"
        ]

    def test_a_report_without_hands_has_none(self, browser: Browser) -> None:
        place = browser.report(b'{"format": "xuezhan-log/1"}')
        assert browser.get(f"{place}/hands/0/steps/0").status_code == 404
        assert browser.get("/reports/00000000-0000-4000-8000-000000000000/hands/0/steps/0").status_code == 404


class TestFindings:
    def test_stand_at_their_step_and_are_a_link_away(self, browser: Browser) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        (step,) = hand.finding_steps
        start = browser.read(f"{place}/hands/0/steps/0")
        assert nav(start)["next_finding"] == f"{place}/hands/0/steps/{step}"
        page = browser.read(nav(start)["next_finding"])
        clause = hand.findings[0]["clause"]
        assert "ACT023" in page
        assert clause["text"] in text_of(page)
        assert "next_finding" not in nav(page)
        assert "Nothing was found at this step." in text_of(start)
        assert (
            "previous_finding" in nav(browser.read(f"{place}/hands/0/steps/{hand.last}")) or step == hand.last
        )

    def test_are_marked_in_the_list_by_sign_and_words(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        page = browser.read(f"{place}/hands/0/steps/0?tab=log")
        listed = page.partition('<ol class="acts">')[2].partition("</ol>")[0]
        (marked,) = [row for row in listed.split("<li>") if "found-error" in row]
        assert text_of(f"<main>{marked}</main>").endswith("✗ against the rules")

    def test_none_are_said_calmly(self, browser: Browser) -> None:
        place, last = browser.report(sample(CLEAN)), walk(CLEAN).last
        page = text_of(browser.read(f"{place}/hands/0/steps/{last}"))
        wins = sum(action.type == "hu" for action in walk(CLEAN).hand.actions)
        assert f"Nothing to object to: {last} actions, {wins} hu, settled." in page
        assert "The hand is over and settled." in page

    @pytest.mark.parametrize("lang", languages())
    def test_of_the_hand_as_a_whole_lie_open_where_there_are_no_others(
        self, browser: Browser, lang: str
    ) -> None:
        place, hand = browser.report(sample(MISCLAIMED)), walk(MISCLAIMED)
        assert list(hand.finding_steps) == []
        for step in (0, 39, hand.last):
            page = browser.read(f"{place}/hands/0/steps/{step}?lang={lang}")
            panel = page.partition('id="panel-findings"')[2].partition("</section>")[0]
            assert panel.count("<details open>") == 1
            opened = panel.partition("<details open>")[2]
            n = opened.count("<article class=")
            assert n == 2
            assert unescape(panel).count(text(lang, "board.findings.none.hand", n=n)) == 1
            assert text(lang, "board.findings.none") not in unescape(panel)

    def test_of_the_hand_as_a_whole_stay_folded_beside_those_of_a_step(self, browser: Browser) -> None:
        log = json.loads(sample(GUO_SHUI))
        log["hands"][0]["claimed"] = {"scores": [1, -1, 0, 0]}
        place = browser.report(json.dumps(log).encode())
        for step in (0, 18):
            page = browser.read(f"{place}/hands/0/steps/{step}")
            panel = page.partition('id="panel-findings"')[2].partition("</section>")[0]
            assert "<details>" in panel
            assert "<details open>" not in panel

    def test_that_stop_a_hand_say_that_the_table_is_not_known_beyond(self, browser: Browser) -> None:
        log = json.loads(sample(FALSE_WIN))
        log["hands"][0]["actions"] += [{"type": "draw", "seat": 0, "tile": "1m"}] * 3
        place, hand = browser.report(json.dumps(log).encode()), walk(FALSE_WIN)
        page = browser.read(f"{place}/hands/0/steps/{hand.last}")
        assert "the table is not known" in text_of(page)
        assert "ACT020" in page
        assert "forward" not in nav(page)
        log_tab = browser.read(f"{place}/hands/0/steps/{hand.last}?tab=log")
        assert "Not judged, and not shown on the table: 3" in text_of(log_tab)
        assert browser.get(f"{place}/hands/0/steps/{hand.last + 1}").status_code == 404


class TestTheTable:
    def test_shows_what_the_engine_says(self, browser: Browser) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        frame = hand.frame(hand.finding_steps[0] - 1)
        page = browser.read(f"{place}/hands/0/steps/{frame.step}")
        assert f"Wall: {frame.left} left" in text_of(page)
        for shown, number in zip(seats(page), (1, 2, 3, 0), strict=True):
            seat = frame.seats[number]
            concealed = shown.partition('class="concealed"')[2].partition("</div>")[0]
            assert concealed.count('class="tile') == len(seat.hand) + bool(seat.drawn) + len(seat.wins)
            assert shown.partition('class="river"')[2].count('class="tile') == len(seat.discards)
            assert ("Guo shui until its next draw" in shown) == (seat.bar is not None)
            assert ("Waits for" in shown) == bool(seat.waits)
        assert "(not: guo shui)" in page

    def test_is_seen_from_any_seat(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        page = browser.read(f"{place}/hands/0/steps/9?seat=2")
        assert re.findall(r'class="seat (seat-\w+)', page) == [
            "seat-right",
            "seat-top",
            "seat-left",
            "seat-bottom",
        ]
        assert "seat 2" in seats(page)[3]
        assert nav(page)["forward"] == f"{place}/hands/0/steps/10?seat=2"
        assert nav(page)["seat0"] == f"{place}/hands/0/steps/9?seat=0"
        assert nav(page)["next_seat"] == f"{place}/hands/0/steps/9?seat=3"
        assert sentence(page) == sentence(browser.read(f"{place}/hands/0/steps/9?seat=nonsense"))

    def test_hides_the_other_hands_when_asked(self, browser: Browser) -> None:
        place, hand = browser.report(sample(CLEAN)), walk(CLEAN)
        draw = next(
            frame
            for frame in hand.frames()
            if frame.action and frame.action["type"] == "draw" and frame.action["seat"]
        )
        page = browser.read(f"{place}/hands/0/steps/{draw.step}?hide=1")
        assert "draws a tile." in sentence(page)
        *others, viewed = seats(page)
        for shown in others:
            hidden = shown.partition('class="concealed"')[2].partition("</div>")[0]
            assert hidden.count("tile-back") == hidden.count('class="tile')
            assert "May:" not in shown
        assert "tile-back" not in viewed
        wall = text_of(browser.read(f"{place}/hands/0/steps/{draw.step}?hide=1&tab=wall"))
        assert "The wall is hidden." in wall or "does not hold the wall" in wall
        assert nav(page)["hide"] == f"{place}/hands/0/steps/{draw.step}?seat=0"
        assert nav(page)["forward"] == f"{place}/hands/0/steps/{draw.step + 1}?seat=0&hide=1"

    def test_keeps_a_ghost_of_a_claimed_discard_and_sets_the_winning_tile_apart(
        self, browser: Browser
    ) -> None:
        place, hand = browser.report(sample(CLEAN)), walk(CLEAN)
        last = hand.frame(hand.last)
        page = browser.read(f"{place}/hands/0/steps/{hand.last}")
        claimed = sum(bool(each.claims) for seat in last.seats for each in seat.discards)
        assert claimed
        assert len(re.findall(r'class="tile [^"]*\bghost\b', page)) == claimed
        assert page.count('class="apart won"') == sum(len(seat.wins) for seat in last.seats)
        assert "1st hu" in page


class TestWays:
    """Board, Stepping: by action, by decision, by finding; start and end, hands, seats."""

    def test_lead_from_decision_to_decision_of_the_viewed_seat(self, browser: Browser) -> None:
        place, course = browser.report(sample(GUO_SHUI)), course_of(walk(GUO_SHUI))
        expected, url = list(course.decisions([2])), f"{place}/hands/0/steps/0?seat=2"
        seen = [0]
        while url := nav(browser.read(url)).get("next_decision", ""):
            seen.append(int(url.partition("/steps/")[2].partition("?")[0]))
        assert seen == expected
        back = nav(browser.read(f"{place}/hands/0/steps/{expected[-1]}?seat=2"))["previous_decision"]
        assert back == f"{place}/hands/0/steps/{expected[-2]}?seat=2"

    def test_of_any_seat_are_the_arbiter_s_own(self, browser: Browser) -> None:
        place, course = browser.report(sample(GUO_SHUI)), course_of(walk(GUO_SHUI))
        step = course.decisions(range(4))[2]
        viewed, arbiter = (
            nav(browser.read(f"{place}/hands/0/steps/{step}{view}")) for view in ("?seat=1", "")
        )
        assert viewed["next_any"].removesuffix("?seat=1") == arbiter["next_decision"] == arbiter["next_any"]

    def test_of_other_seats_would_tell_what_is_hidden(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        hidden = nav(browser.read(f"{place}/hands/0/steps/10?seat=1&hide=1"))
        assert {"next_any", "previous_any"}.isdisjoint(hidden)
        assert "next_decision" in hidden

    def test_lead_to_errors_past_what_is_none(self, browser: Browser) -> None:
        log = json.loads(sample(GUO_SHUI))
        place, hand = browser.report(json.dumps(log).encode()), walk(GUO_SHUI)
        (step,) = hand.finding_steps
        assert hand.findings[0]["severity"] == "error"
        start = nav(browser.read(f"{place}/hands/0/steps/0"))
        assert start["next_error"] == start["next_finding"] == f"{place}/hands/0/steps/{step}"
        assert "next_error" not in nav(browser.read(f"{place}/hands/0/steps/{step}"))

    def test_that_lead_nowhere_stay_in_their_place(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        first, second = (browser.read(f"{place}/hands/0/steps/{step}") for step in (0, 1))
        names = [
            re.findall(r'data-nav="(\w+)"', page.partition('class="steps"')[2].partition("</nav>")[0])
            for page in (first, second)
        ]
        assert names[0] == names[1]
        assert 'data-nav="back" role="link" aria-disabled="true"' in first

    def test_every_key_of_the_help_does_something_on_the_page(self, browser: Browser) -> None:
        page = browser.read(f"{browser.report(sample(GUO_SHUI))}/hands/0/steps/9?seat=1")
        keys = re.findall(r'<kbd data-key="([^"]*)" data-does="([^"]*)">', page)
        ways = set(re.findall(r'data-nav="(\w+)', page)) | {"next_seat"}
        script = browser.get("/static/hand_doing.js").text
        doings = set(re.findall(r"^    (\w+)(?:,|:)", script.partition("return {\n    play")[2], re.M)) | {
            "play"
        }
        assert len({key for key, _ in keys}) == len(keys) == 40
        assert [does for _, names in keys for does in names.split() if does not in ways | doings] == []


class TestViews:
    """Board, Stepping: all view state is in the URL."""

    def test_are_kept_by_every_link(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        asked = "?seat=3&hide=1&tab=ledger&nospoilers=1&marks=0"
        there = nav(browser.read(f"{place}/hands/0/steps/9{asked}"))
        for name in ("forward", "back", "last", "next_decision", "next_hand"):
            assert there[name].endswith(asked), name
        assert there["spoilers"] == f"{place}/hands/0/steps/9?seat=3&hide=1&tab=ledger&marks=0"
        assert there["marks"] == f"{place}/hands/0/steps/9?seat=3&hide=1&tab=ledger&nospoilers=1"
        assert there["tab_findings"] == f"{place}/hands/0/steps/9?seat=3&hide=1&nospoilers=1&marks=0#beside"
        assert there["arbiter"] == f"{place}/hands/0/steps/9?tab=ledger&nospoilers=1&marks=0"

    def test_of_the_arbiter_hide_nothing(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        page = browser.read(f"{place}/hands/0/steps/9?seat=a&hide=1")
        assert "tile-back" not in "".join(seats(page))
        assert nav(page)["hide"] == f"{place}/hands/0/steps/9?seat=0&hide=1"

    @pytest.mark.parametrize("asked", ["?tab=nonsense", "?marks=x&nospoilers=yes&seat=9&hide=no"])
    def test_that_do_not_exist_are_the_first(self, browser: Browser, asked: str) -> None:
        place = browser.report(sample(CLEAN))
        there = nav(browser.read(f"{place}/hands/0/steps/9{asked}"))
        assert there["forward"] == f"{place}/hands/0/steps/10"

    def test_show_one_tab_at_a_time(self, browser: Browser) -> None:
        place = browser.report(sample(CLEAN))
        for tab in TABS:
            page = browser.read(f"{place}/hands/0/steps/9?tab={tab}")
            assert re.findall(r'id="panel-(\w+)"', page) == [tab]
            current = re.findall(r'data-nav="tab_(\w+)" aria-current="true"', page)
            assert current == [tab]

    def test_leave_out_what_comes_when_it_is_not_to_be_told(self, browser: Browser) -> None:
        place, hand = browser.report(sample(MISCLAIMED)), walk(MISCLAIMED)
        early, last = (
            f"{place}/hands/0/steps/30?nospoilers=1",
            f"{place}/hands/0/steps/{hand.last}?nospoilers=1",
        )
        page = browser.read(early)
        assert all(step <= 30 for step, _ in timeline(page))
        assert "next_finding" not in nav(page)
        assert "SET001" not in page
        assert "What comes after this step is hidden." in text_of(page)
        assert 'class="claimed end-' not in browser.read(f"{early}&tab=ledger")
        listed = browser.read(f"{early}&tab=log").partition('<ol class="acts">')[2].partition("</ol>")[0]
        assert len(links(listed)) == 30
        assert "SET001" in browser.read(last)
        assert 'class="claimed end-' in browser.read(f"{last}&tab=ledger")
        assert "SET001" in browser.read(f"{place}/hands/0/steps/30")


class TestTheCourse:
    """Board, Layout: below the table the timeline of the hand; the ledger with its scores."""

    def test_marks_findings_wins_and_claims_at_their_steps(self, browser: Browser) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        events = [(stand.step, stand.event) for stand in course_of(hand).stands if stand.event]
        marks = timeline(browser.read(f"{place}/hands/0/steps/0"))
        assert marks == sorted([*events, *((step, "error") for step in hand.finding_steps)])
        assert {"win", "claim", "error"} == {kind for _, kind in marks}

    def test_draws_the_scores_and_says_them_in_a_table(self, browser: Browser) -> None:
        place, hand = browser.report(sample(MISCLAIMED)), walk(MISCLAIMED)
        page = browser.read(f"{place}/hands/0/steps/{hand.last}?tab=ledger")
        assert re.findall(r'class="line line-(\d)" d="', page) == ["0", "1", "2", "3"]
        found = page.partition('<table class="all">')[2].partition("</table>")[0]
        table = text_of(f"<main>{found}</main>")
        assert "recomputed -4 -8 +11 +1 claimed ✗ -5 (differs) -8 +11 ✗ +2 (differs)" in table
        stands = course_of(hand).stands
        changed = [stand.step for was, stand in pairwise(stands) if was.scores != stand.scores]
        assert re.findall(r'<th scope="row"><a href="[^"]*/steps/(\d+)', page) == [
            str(step) for step in (0, *changed)
        ]

    def test_of_the_money_leads_to_its_step_and_back(self, browser: Browser) -> None:
        place, hand = browser.report(sample(MISCLAIMED)), walk(MISCLAIMED)
        step = hand.frame(hand.last).ledger[0]["at"] + 1
        page = browser.read(f"{place}/hands/0/steps/{step}")
        paid = sum(entry["at"] == step - 1 for entry in hand.frame(step).ledger)
        assert f"{paid} paid at this step" in text_of(page)
        ledger = browser.read(nav(page)["tab_ledger"])
        assert ledger.count('<li class="here" aria-current="step">') == paid
        assert f"{paid} paid" not in text_of(browser.read(f"{place}/hands/0/steps/{step + 1}"))

    def test_tells_who_may_take_a_discard(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        assert "Seat 1 (乙) may hu (1 fan)." in sentence(browser.read(f"{place}/hands/0/steps/14"))
        assert "(guo shui)" in sentence(browser.read(f"{place}/hands/0/steps/17"))
        assert "may hu" not in sentence(browser.read(f"{place}/hands/0/steps/14?seat=2&hide=1"))

    def test_holds_longer_on_claims_and_wins(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        holds = [
            re.findall(r'data-hold="(\w*)"( data-found)?', browser.read(f"{place}/hands/0/steps/{step}"))[0]
            for step in (0, 14, 18)
        ]
        assert holds == [("", ""), ("claim", ""), ("win", " data-found")]
        assert 'data-hold=""' in browser.read(f"{place}/hands/0/steps/14?seat=2&hide=1")


class TestEveryPage:
    @pytest.mark.parametrize(
        "name", [CLEAN, GUO_SHUI, FALSE_WIN, "mil-sbr/salasasa-2611", "chengdu/liuju-hua-zhu-da-jiao"]
    )
    def test_of_a_sample_is_there(self, browser: Browser, name: str) -> None:
        place = browser.report(sample(name))
        for hand in range(2):
            url = f"{place}/hands/{hand}/steps/0"
            if browser.get(url).status_code == 404:
                continue
            here = nav(browser.read(url))
            for one in (here.get("last"), here.get("next_finding"), here.get("forward")):
                if one:
                    browser.read(one)

    @pytest.mark.parametrize("lang", languages())
    def test_reads_in_every_language(self, browser: Browser, lang: str) -> None:
        place, hand = browser.report(sample(GUO_SHUI)), walk(GUO_SHUI)
        page = browser.read(f"{place}/hands/0/steps/{hand.finding_steps[0]}?lang={lang}")
        assert f'<html lang="{lang}">' in page
        assert text(lang, "board.findings") in page
        for way in ("next_decision", "next_any", "next_error", "previous_hand"):
            assert f'aria-label="{text(lang, f"stepping.go.{way}")}"' in page
        assert text(lang, "board.left", n=hand.frame(hand.finding_steps[0]).left) in page

    def test_has_no_script_or_style_of_its_own_and_nothing_of_others(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        page = browser.read(f"{place}/hands/0/steps/20")
        assert not re.search(r"<style|\bstyle=|<script(?![^>]* src=)|\son\w+=", page)
        assert not [url for url in links(page) if url.startswith(("http", "//"))]
        for name in ("hand.css", "hand.js", "hand_doing.js", "hand_input.js", "vendor/idiomorph.min.js"):
            assert browser.get(f"/static/{name}").status_code == 200

    def test_shows_names_as_text(self, browser: Browser) -> None:
        log: dict[str, Any] = json.loads(sample(CLEAN))
        for player in log["players"]:
            player["name"] = "<script>alert(1)</script>"
        page = browser.read(f"{browser.report(json.dumps(log).encode())}/hands/0/steps/5")
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page
