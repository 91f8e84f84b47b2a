"""A hand is walked through by keys, by fingers and by links; nothing is loaded anew and nothing jumps."""

import gzip
import json
import re
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from .doing import SAMPLES, path_of, press, report, sentence, wide_as_the_window
from .serving import Served
from .watching import NARROW, WIDE, Visitor

WALK = """async () => {
  const parts = ".seat, .middle, .table, .sentence, .note, .time, .timeline, .legend, .steps, .steps a, "
    + ".views, .views > *, .bar, .bar a, .side, .tabs, .side .scroll";
  const boxes = () => Object.fromEntries([...document.querySelectorAll(parts)].map((one, at) => {
    const box = one.getBoundingClientRect();
    const name = `${at} ${(one.getAttribute("class") || "").replace(/ (acts|beyond|out)\\b/g, "")}`;
    return [name, [box.x, box.y + scrollY, box.width, box.height].map(Math.round).join(" ")];
  }));
  const first = boxes();
  const moved = [];
  let steps = 0;
  while (document.querySelector("[data-nav=forward][href]")) {
    const before = location.href;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    while (location.href === before) await new Promise((soon) => setTimeout(soon, 1));
    steps += 1;
    for (const [name, box] of Object.entries(boxes())) {
      if (first[name] !== box) moved.push([steps, name, first[name], box]);
    }
  }
  return { steps, parts: Object.keys(first), moved };
}"""

MAIN = """() => {
  const main = document.getElementById("main").cloneNode(true);
  main.querySelector("[data-own]").remove();
  for (const one of main.querySelectorAll("*")) {
    const all = [...one.attributes].map((each) => [each.name, each.value]).sort();
    all.forEach(([name]) => one.removeAttribute(name));
    all.forEach(([name, value]) => one.setAttribute(name, value));
  }
  return main.innerHTML.trim();
}"""
"""What the page shows, but for what belongs to the script and the order of attributes."""

WRITES = """async () => {
  let records = 0;
  new MutationObserver((some) => { records += some.length; })
    .observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const writes = [], times = [];
  performance.setResourceTimingBufferSize(10000);
  while (document.querySelector("[data-nav=forward][href]")) {
    const next = document.querySelector("[data-nav=forward][href]").href;
    while (!performance.getEntriesByName(next).length) await new Promise((soon) => setTimeout(soon, 1));
    const before = location.href, begun = performance.now();
    records = 0;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    while (location.href === before) await new Promise((soon) => setTimeout(soon, 1));
    times.push(performance.now() - begun);
    await new Promise((soon) => setTimeout(soon, 0));
    writes.push(records);
  }
  return { writes, times };
}"""
"""How many changes of the document each step makes, and how long it takes once the next step has been fetched."""

MEDIAN_WRITES, MOST_WRITES = 60, 200
HEAVIEST = 250_000
"""Bytes of a hand page with all that it loads, compressed."""


def finding_step(name: str) -> int:
    """The step of the one finding of a sample's first hand."""
    written = json.loads((SAMPLES / f"{name}.report.json").read_bytes())
    return int(written["hands"][0]["findings"][0]["action"]) + 1


def last_step(name: str) -> int:
    """How many actions a sample's first hand has."""
    return len(json.loads((SAMPLES / f"{name}.json").read_bytes())["hands"][0]["actions"])


def at(page: Page, step: int) -> None:
    """The page shows that step, and its address says so."""
    expect(page.locator(".bar .count")).to_contain_text(f"{step} /")
    assert path_of(page).endswith(f"/steps/{step}")


def test_keys_step_without_a_page_being_loaded(visitor: Visitor, games: dict[str, str]) -> None:
    finding, last = finding_step("chengdu/guo-shui"), last_step("chengdu/guo-shui")
    with visitor.page() as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/0")
        page.evaluate("window.stays = true")
        history, loads, said = page.evaluate("history.length"), len(visitor.went), sentence(page)
        for key, step in [
            ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), (".", finding), ("ArrowRight", finding + 1),
            (",", finding), ("End", last), ("Home", 0), ("j", 1), ("k", 0),
        ]:  # fmt: skip
            press(page, key)
            at(page, step)
            assert sentence(page) != said
            said = sentence(page)
            expect(page.locator("p.away[role=status]")).to_have_text(said)
        assert page.evaluate("window.stays") is True
        assert page.evaluate("history.length") == history
        assert len(visitor.went) == loads


def test_keys_at_either_end_and_without_a_finding_do_nothing(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page() as page:
        page.goto(f"{games['chengdu/clean']}/hands/0/steps/0")
        for key in ("ArrowLeft", "ArrowUp", "Home", ".", ",", "[", "PageUp", "PageDown", "Shift+PageDown"):
            page.keyboard.press(key)
        assert page.evaluate("scrollY") == 0
        press(page, "ArrowRight")
        at(page, 1)


def test_presses_that_come_faster_than_the_steps_are_made_up_for(visitor: Visitor, served: Served) -> None:
    with visitor.page() as page:
        page.goto(served.hand)
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        at(page, 12)


def test_a_step_reached_by_keys_is_the_page_of_its_address(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page() as page, visitor.page(script=False) as plain:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/0?seat=1")
        for key in (
            "ArrowRight",
            ".",
            "t",
            "ArrowLeft",
            "k",
            "l",
            "End",
            "h",
            "3",
            "n",
            "r",
            "w",
            "v",
            "f",
            "a",
        ):
            press(page, key)
            plain.goto(page.url)
            assert page.evaluate(MAIN) == plain.evaluate(MAIN)
            assert page.title() == plain.title()


def test_links_step_where_there_is_no_javascript(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page(NARROW, script=False) as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0")
        at(page, 0)
        for link, step in [("forward", 1), ("forward", 2), ("back", 1), ("next_finding", 18), ("last", 122)]:
            page.locator(f'[data-nav="{link}"]').first.click()
            at(page, step)
        for link in (
            "tab_log",
            "previous_decision",
            "previous_any",
            "seat2",
            "hide",
            "marks",
            "spoilers",
            "arbiter",
        ):
            before = page.url
            page.locator(f'[data-nav~="{link}"][href]').first.click()
            assert page.url != before, link
        page.locator("ol.acts a").nth(9).click()
        expect(page.locator(".bar .count")).to_contain_text("10 /")
        expect(page.locator("[data-own]")).to_be_hidden()


def test_a_finger_drawn_over_the_table_steps_and_one_drawn_down_scrolls(
    visitor: Visitor, served: Served
) -> None:
    def draw(page: Page, x: int, y: int) -> None:
        touch = page.context.new_cdp_session(page)
        begin: dict[str, Any] = {"x": 195, "y": 420}
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [begin]})
        for part in (0.5, 1.0):
            there = {"x": 195 + x * part, "y": 420 + y * part}
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [there]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    with visitor.page(NARROW, has_touch=True) as page:
        page.goto(served.hand)
        for x, step in ((-120, 1), (-120, 2), (120, 1)):
            draw(page, x, 10)
            at(page, step)
        draw(page, 10, -200)
        page.wait_for_timeout(300)
        at(page, 1)
        assert page.evaluate("scrollY") > 0


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_nothing_jumps_over_all_steps_of_a_hand(
    visitor: Visitor, games: dict[str, str], size: tuple[int, int]
) -> None:
    with visitor.page(size) as page:
        page.goto(f"{games['chengdu/clean']}/hands/0/steps/0")
        walked = page.evaluate(WALK)
        assert walked["steps"] == last_step("chengdu/clean")
        assert len([name for name in walked["parts"] if " seat " in name]) == 4
        assert walked["moved"] == []


TOLD = ".state, .sentence, .note, .seat > header, .seat h2, .badge, .origin > span"
CUT = f"""() => [...document.querySelectorAll("{TOLD}")].filter((one) =>
  one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${{one.className}}: ${{one.textContent}}`)"""
"""What is told of a step and does not fit where it stands."""


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("size", [NARROW, (768, 1024), (1200, 900), WIDE])
def test_all_that_is_told_of_a_disputed_step_is_in_sight(
    visitor: Visitor, served: Served, size: tuple[int, int], lang: str
) -> None:
    with visitor.page(size, lang) as page:
        for step in (76, 78):
            page.goto(served.hand.replace("/hands/0/steps/0", f"/hands/2/steps/{step}"))
            assert page.evaluate(CUT) == []


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_the_whole_board_and_its_buttons_are_on_one_screen(
    visitor: Visitor, served: Served, lang: str
) -> None:
    with visitor.page(WIDE, lang) as page:
        page.goto(served.hand)
        for place in (".steps", '[data-do="play"]', '[data-do="help"]'):
            expect(page.locator(place)).to_be_in_viewport(ratio=1)


def test_the_sentence_lies_over_all_that_scrolls_below_it(visitor: Visitor, served: Served) -> None:
    with visitor.page(NARROW) as page:
        page.goto(served.hand.replace("/hands/0/steps/0", "/hands/2/steps/78"))
        covered = page.evaluate("""() => [...document.querySelectorAll(".whence, .tile.ring")].map((one) => {
          scrollBy(0, one.getBoundingClientRect().top - 40);
          const box = one.getBoundingClientRect();
          return Boolean(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).closest(".now"));
        })""")
        assert len(covered) > 3
        assert all(covered)


def test_what_is_beside_the_table_is_one_press_away_on_a_telephone(visitor: Visitor, served: Served) -> None:
    with visitor.page(NARROW) as page:
        page.goto(served.hand)
        page.get_by_role("link", name="Findings").last.click()
        expect(page.locator("#panel-findings")).to_be_in_viewport(ratio=1)
        page.locator('.tabs [data-nav="tab_ledger"]').click()
        expect(page.locator("#panel-ledger")).to_be_in_viewport(ratio=1)


def test_a_long_name_of_a_document_leaves_room_for_what_stands_beside_it(
    visitor: Visitor, served: Served
) -> None:
    name = "chengdu__misclaimed-settlement-of-the-second-table-on-a-sunday.json"
    data = (SAMPLES / "chengdu" / "misclaimed-settlement.json").read_bytes()
    with visitor.page(NARROW) as page:
        path = report(page, {"name": name, "mimeType": "application/json", "buffer": data})
        page.goto(f"{path}/hands/0/steps/3")
        assert wide_as_the_window(page)
        expect(page.locator(".now .dispute")).to_be_in_viewport(ratio=1)


def test_the_keys_are_listed_on_asking(visitor: Visitor, served: Served) -> None:
    with visitor.page() as page:
        page.goto(served.hand)
        dialog = page.get_by_role("dialog", name="Keys")
        expect(dialog).to_be_hidden()
        page.keyboard.press("?")
        expect(dialog).to_be_visible()
        expect(dialog.get_by_role("heading", name="Keys")).to_be_in_viewport()
        assert dialog.evaluate("one => one.scrollTop") == 0
        page.keyboard.press("ArrowRight")
        at(page, 0)
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.get_by_role("button", name="keys ?").click()
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_be_hidden()
        press(page, "ArrowRight")
        at(page, 1)


def test_other_hands_are_hidden_and_stay_so_while_stepping(visitor: Visitor, served: Served) -> None:
    with visitor.page() as page:
        page.goto(served.hand)
        press(page, "h")
        press(page, "ArrowRight")
        others = page.locator(".seat:not(.seat-bottom) .concealed .tile")
        assert {"tile-back" in (one.get_attribute("class") or "") for one in others.all()} == {True}
        expect(page.locator(".seat-bottom .concealed .tile-back")).to_have_count(0)


# Board, Stepping: keys ---------------------------------------------------------------------------------


def step_of(page: Page) -> int:
    """The step that the page shows."""
    return int(path_of(page).partition("/steps/")[2].partition("?")[0])


def test_down_and_up_lead_along_decisions_and_with_shift_along_those_of_any_seat(
    visitor: Visitor, games: dict[str, str]
) -> None:
    with visitor.page() as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/0?seat=2")
        met = []
        for key in ("ArrowDown", "ArrowDown", "ArrowUp", "Shift+ArrowDown", "Shift+ArrowUp"):
            press(page, key)
            met.append(step_of(page))
        assert met == [11, 19, 11, 13, 11]
        assert page.evaluate("scrollY") == 0


def test_page_keys_lead_along_findings_and_with_shift_along_errors(
    visitor: Visitor, games: dict[str, str]
) -> None:
    finding = finding_step("chengdu/guo-shui")
    with visitor.page() as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/0")
        for there, back in (
            ("PageDown", "PageUp"),
            (".", ","),
            ("Shift+PageDown", "Shift+PageUp"),
            (">", "<"),
        ):
            press(page, there)
            assert step_of(page) == finding
            press(page, "End")
            press(page, back)
            assert step_of(page) == finding
            press(page, "Home")


def test_home_and_end_go_on_to_the_neighbouring_hands_and_never_around(
    visitor: Visitor, games: dict[str, str]
) -> None:
    with visitor.page() as page:
        page.goto(f"{games['chengdu/clean']}/hands/0/steps/9")
        met = []
        for key in ("End", "End", "End", "Home", "Home"):
            press(page, key)
            met.append(path_of(page).partition("/hands/")[2])
        assert met == ["0/steps/136", "1/steps/0", "1/steps/33", "1/steps/0", "0/steps/0"]
        for key in ("Home", "[", "ArrowLeft", "PageDown", ",", "ArrowUp"):
            page.keyboard.press(key)
        press(page, "]")
        press(page, "End")
        for key in ("End", "]", "ArrowRight", "."):
            page.keyboard.press(key)
        press(page, "ArrowLeft")
        assert path_of(page).endswith("/hands/1/steps/32")


def test_seats_tabs_and_views_have_keys_and_stand_in_the_address(
    visitor: Visitor, games: dict[str, str]
) -> None:
    with visitor.page() as page:
        page.goto(f"{games['chengdu/clean']}/hands/0/steps/9")
        for key, view in [
            ("2", "?seat=1"), ("v", "?seat=2"), ("v", "?seat=3"), ("v", "?seat=0"), ("a", ""), ("v", "?seat=0"),
            ("h", "?seat=0&hide=1"), ("w", "?seat=0&hide=1&tab=wall"), ("l", "?seat=0&hide=1&tab=ledger"),
            ("t", "?seat=0&hide=1&tab=log"), ("f", "?seat=0&hide=1"), ("h", "?seat=0"), ("r", "?seat=0&marks=0"),
            ("n", "?seat=0&nospoilers=1&marks=0"),
        ]:  # fmt: skip
            press(page, key)
            assert path_of(page).partition("/steps/9")[2] == view
        page.reload()
        expect(page.locator('[data-nav~="seat0"]')).to_have_attribute("aria-current", "true")
        press(page, "n")
        assert path_of(page).endswith("?seat=0&marks=0")


def test_keys_keep_their_meaning_where_the_focus_is(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page() as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/40?tab=log")
        panel = page.locator("#panel-log")
        panel.focus()
        for key in ("Home", "End", "ArrowUp", "PageUp"):
            page.keyboard.press(key)
        page.wait_for_function("() => document.querySelector('#panel-log').scrollTop > 0")
        assert step_of(page) == 40
        press(page, "ArrowRight")
        assert step_of(page) == 41
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Control+ArrowRight")
        page.locator("[data-do=help]").focus()
        page.keyboard.press("Space")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        press(page, "ArrowRight")
        assert step_of(page) == 42


def test_the_wheel_scrolls_the_page_unless_it_is_told_to_step(visitor: Visitor, served: Served) -> None:
    with visitor.page() as page:
        page.goto(served.hand)
        middle = page.locator(".middle")
        middle.hover()
        page.mouse.wheel(0, 120)
        page.wait_for_function("() => scrollY > 0")
        assert step_of(page) == 0
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("button", name="wheel steps").click()
        middle.hover()
        top, before = page.evaluate("scrollY"), page.url
        page.mouse.wheel(0, 120)
        page.wait_for_url(lambda url: url != before, wait_until="commit")
        assert (step_of(page), page.evaluate("scrollY")) == (1, top)


# Board, Stepping: autoplay, links, focus ---------------------------------------------------------------


A_WHILE = 250
"""Milliseconds within which a step that came too early would be there."""


def test_autoplay_goes_on_by_itself_and_stops_at_a_finding(visitor: Visitor, games: dict[str, str]) -> None:
    finding = finding_step("chengdu/guo-shui")
    with visitor.page() as page:
        page.clock.install(time=0)
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/{finding - 5}")
        page.clock.pause_at(3600)
        play = page.get_by_role("button", name="play", exact=True)
        page.keyboard.press("Space")
        expect(play).to_have_attribute("aria-pressed", "true")
        for step, hold in [(finding - 4, 800), (finding - 3, 1200)]:
            page.clock.run_for(hold - 40)  # a step may be placed up to 20 ms after its timer
            page.wait_for_timeout(A_WHILE)
            at(page, step - 1)
            page.clock.run_for(60)
            at(page, step)
        for key in ("+", "+"):
            page.keyboard.press(key)
        expect(page.locator("[data-speed]")).to_have_text("4×")
        for step in range(finding - 2, finding + 1):
            hold = {"": 800, "claim": 1200}[page.locator(".walk").get_attribute("data-hold") or ""]
            page.clock.run_for(hold // 4 + 10)
            at(page, step)
        expect(play).to_have_attribute("aria-pressed", "false")
        page.clock.run_for(10_000)
        at(page, finding)


def test_autoplay_holds_a_win_for_three_seconds(visitor: Visitor, games: dict[str, str]) -> None:
    actions = json.loads((SAMPLES / "chengdu/clean.json").read_text())["hands"][1]["actions"]
    win = 1 + next(at for at, action in enumerate(actions) if action["type"] == "hu")
    with visitor.page() as page:
        page.clock.install(time=0)
        page.goto(f"{games['chengdu/clean']}/hands/1/steps/{win}")
        page.clock.pause_at(3600)
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="play", exact=True)).to_have_attribute("aria-pressed", "true")
        page.clock.run_for(2950)
        page.wait_for_timeout(A_WHILE)
        at(page, win)
        page.clock.run_for(100)
        at(page, win + 1)


def test_autoplay_ends_when_the_reader_acts(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page() as page:
        page.clock.install(time=0)
        page.goto(f"{games['chengdu/clean']}/hands/0/steps/20")
        page.clock.pause_at(3600)
        play = page.get_by_role("button", name="play", exact=True)
        for act in ("ArrowLeft", "Escape", "Space", "t"):
            page.keyboard.press("Space")
            expect(play).to_have_attribute("aria-pressed", "true")
            page.keyboard.press(act)
            expect(play).to_have_attribute("aria-pressed", "false")
        expect(page).to_have_url(re.compile(r"/steps/19\?tab=log$"))
        page.clock.run_for(10_000)
        assert step_of(page) == 19


def test_the_link_is_copied(visitor: Visitor, served: Served) -> None:
    with visitor.page(permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(served.hand)
        press(page, "2")
        page.keyboard.press("c")
        expect(page.locator("[data-told]")).to_have_text("Link copied.")
        assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_the_focus_stays_where_it_is(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page() as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/14?tab=log")
        for place in (
            '.steps [data-nav="forward"]',
            '.steps [data-nav="previous_any"]',
            "#panel-log a >> nth=30",
        ):
            held = page.locator(place)
            held.focus()
            press(page, "ArrowRight")
            expect(held).to_be_focused()
        page.locator('.steps [data-nav="next_finding"]').focus()
        press(page, "End")
        expect(page.locator("#main")).to_be_focused()


def test_the_timeline_leads_to_its_marks_and_anywhere_between(
    visitor: Visitor, games: dict[str, str]
) -> None:
    with visitor.page() as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0/steps/0")
        page.locator("svg.timeline a.at-error").focus()
        page.keyboard.press("Enter")
        at(page, finding_step("chengdu/guo-shui"))
        line = page.locator("svg.timeline")
        box = line.bounding_box()
        assert box
        line.click(position={"x": box["width"] / 2, "y": 46})
        at(page, 61)


def test_a_step_changes_only_what_differs(visitor: Visitor, games: dict[str, str]) -> None:
    for tab in ("", "?tab=ledger", "?tab=log"):
        with visitor.page() as page:
            page.goto(f"{games['chengdu/clean']}/hands/0/steps/0{tab}")
            found = page.evaluate(WRITES)
        writes, times = found["writes"], found["times"]
        print(f"{tab or 'findings'}: {len(writes)} steps, changes of the document a step: median {median(writes)}, "
              f"most {max(writes)}; milliseconds: median {median(times):.0f}, most {max(times):.0f}")  # fmt: skip
        assert len(writes) == last_step("chengdu/clean")
        assert 0 < median(writes) <= MEDIAN_WRITES
        assert max(writes) <= MOST_WRITES


def test_a_hand_page_is_light_and_needs_no_other_host(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page() as page:
        bodies: dict[str, bytes] = {}

        def keep(asked: Request) -> None:
            answer = asked.response()
            assert answer
            bodies[asked.url] = answer.body()

        page.on("requestfinished", keep)
        page.goto(f"{games['chengdu/clean']}/hands/0/steps/100", wait_until="networkidle")
        weights = {url: len(gzip.compress(body)) for url, body in bodies.items()}
        print({url.rpartition("/")[2]: weight for url, weight in weights.items()}, sum(weights.values()))
        assert any("idiomorph" in url for url in weights)
        assert [url for url in weights if not url.startswith(visitor.url)] == []
        assert sum(weights.values()) < HEAVIEST
