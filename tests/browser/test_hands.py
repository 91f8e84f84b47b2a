"""A hand is walked through by keys, by fingers and by links; nothing is loaded anew and nothing jumps."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .doing import SAMPLES, path_of, press, sentence
from .serving import Served
from .watching import NARROW, WIDE, Visitor

WALK = """async () => {
  const parts = ".seat, .middle, .table, .sentence, .note, .steps, .views, .bar, .side .scroll";
  const boxes = () => Object.fromEntries([...document.querySelectorAll(parts)].map((one, at) => {
    const box = one.getBoundingClientRect();
    const name = `${at} ${one.className.replace(" acts", "").replace(" beyond", "")}`;
    return [name, [box.x, box.y + scrollY, box.width, box.height].map(Math.round).join(" ")];
  }));
  const first = boxes();
  const moved = [];
  let steps = 0;
  while (document.querySelector("[data-nav=forward]")) {
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

MAIN = """() => document.getElementById("main").innerHTML
  .replace('data-keys=""', 'data-keys="" hidden=""').trim()"""


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
        for key in ("ArrowLeft", "Home", ".", ",", "["):
            page.keyboard.press(key)
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
        for key in ("ArrowRight", ".", "End", "h", "3"):
            press(page, key)
            plain.goto(page.url)
            shown = plain.locator("#main").evaluate("main => main.innerHTML").strip()
            assert page.evaluate(MAIN) == shown
            assert page.title() == plain.title()


def test_links_step_where_there_is_no_javascript(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page(NARROW, script=False) as page:
        page.goto(f"{games['chengdu/guo-shui']}/hands/0")
        at(page, 0)
        for link, step in [("forward", 1), ("forward", 2), ("back", 1), ("next_finding", 18), ("last", 122)]:
            page.locator(f'[data-nav="{link}"]').first.click()
            at(page, step)
        page.locator("ol.acts a").nth(9).click()
        at(page, 10)
        expect(page.locator("button[data-keys]")).to_be_hidden()


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


def test_the_keys_are_listed_on_asking(visitor: Visitor, served: Served) -> None:
    with visitor.page() as page:
        page.goto(served.hand)
        dialog = page.get_by_role("dialog", name="Keys")
        expect(dialog).to_be_hidden()
        page.keyboard.press("?")
        expect(dialog).to_be_visible()
        page.keyboard.press("ArrowRight")
        at(page, 0)
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.get_by_role("button", name="keys").click()
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
