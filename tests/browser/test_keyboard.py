"""Everything from the sign-in to a decision with the keyboard alone; whatever is focused can be seen."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import ElementHandle, Locator, Page, expect

from tests.jobs.working import work
from tests.web.signing import PASSWORD

from .doing import AUDITED, path_of, press
from .hall import Hall, twice
from .watching import NARROW, WIDE, Visitor

MOST_STOPS = 250

HELD = """(wanted) => {
  const one = document.activeElement;
  const outlined = (each) => {
    const style = getComputedStyle(each);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  };
  const boxes = [...one.getClientRects()].filter((box) => box.width && box.height);
  const seen = boxes.some((box) => {
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    if (right <= left || bottom <= top) return false;
    const whole = box.height > innerHeight / 3;
    const points = whole ? [0.5] : [0.1, 0.5, 0.9];
    return points.every((part) => {
      const at = document.elementFromPoint((left + right) / 2, top + (bottom - top) * part);
      return at && (one.contains(at) || at.contains(one) && !at.matches(".now, .bar"));
    });
  });
  const others = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  const alone = [...others].every((each) => each === one || !outlined(each));
  const left = one === document.body;
  return { what: one.outerHTML.slice(0, 120), shown: left || outlined(one) && seen && alone, there: one === wanted };
}"""
"""What is focused: whether a line is around it and around nothing else, and nothing lies over it; whether it is the
wanted one. Beyond the last of a page nothing is focused."""


def is_seen(page: Page, wanted: ElementHandle | None = None) -> bool:
    """Where the focus is, it can be seen that it is there; whether it is where it is wanted."""
    held = page.evaluate(HELD, wanted)
    assert held["shown"], held["what"]
    return bool(held["there"])


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until something is focused, which each time can be seen."""
    expect(wanted).to_have_count(1)
    handle = wanted.element_handle()
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if is_seen(page, handle):
            return
    raise AssertionError(f"Tab does not reach {wanted}")


def enter(page: Page, wanted: Locator, key: str = "Enter") -> None:
    """Go to a link, a button or what can be opened, and press it."""
    tab_to(page, wanted)
    page.keyboard.press(key)


def type_into(page: Page, wanted: Locator, text: str) -> None:
    """Go to a field and type."""
    tab_to(page, wanted)
    page.keyboard.type(text)
    expect(wanted).to_have_value(text)


def choose(page: Page, wanted: Locator, value: str) -> None:
    """Go to a choice and press the arrow down until it is what is wanted."""
    tab_to(page, wanted)
    for _ in range(wanted.locator("option").count()):
        if wanted.input_value() == value:
            return
        page.keyboard.press("ArrowDown")
    expect(wanted).to_have_value(value)


@contextmanager
def entered(guest: Visitor, size: tuple[int, int], name: str) -> Iterator[Page]:
    """A browser that somebody signed in with, by the form and without a mouse."""
    with guest.page(size) as page:
        page.goto("/sign-in")
        type_into(page, page.get_by_label("Name"), name)
        type_into(page, page.get_by_label("Password"), PASSWORD)
        page.keyboard.press("Enter")
        expect(page.locator("form[data-drop]")).to_be_visible()
        yield page


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_from_the_sign_in_to_a_decision_by_keys_alone(
    guest: Visitor, court: Hall, size: tuple[int, int]
) -> None:
    with entered(guest, size, "Ann") as page:
        pasted(page, court, f"keys {size[0]}")
        enter(page, page.locator("ol.list a.name"))
        page.wait_for_url("**/reports/*")
        enter(page, page.locator("article.finding .head a").first)
        page.wait_for_url("**/steps/18*")
        stepped(page)
        case = disputed(page)
    with entered(guest, size, "Judge") as page:
        enter(page, page.get_by_role("link", name="Cases", exact=True))
        page.wait_for_url("**/cases")
        enter(page, page.locator(f'a.name[href="{case}"]'))
        page.wait_for_url(f"**{case}")
        enter(page, page.locator("#act-take button"))
        expect(page.locator("#act-decide")).to_be_visible()
        decided(page)


def pasted(page: Page, court: Hall, name: str) -> None:
    """A game is put into the box for it and sent; the page comes to show what was found."""
    enter(page, page.locator("form[data-drop] summary"))
    tab_to(page, page.locator("#text"))
    page.keyboard.insert_text(twice(name).decode())
    enter(page, page.locator("form[data-drop] button.main"))
    page.wait_for_url("**/uploads/*")
    work(court.service)
    expect(page.locator("ol.list a.name")).to_be_visible(timeout=AUDITED)


def stepped(page: Page) -> None:
    """All of a hand page is gone through, and steps are made from where the focus is."""
    enter(page, page.locator('.steps [data-nav="forward"]'))
    page.wait_for_url("**/steps/19*")
    is_seen(page)
    press(page, "ArrowRight")
    is_seen(page)
    enter(page, page.locator('.views [data-do="help"]'), "Space")
    expect(page.get_by_role("dialog")).to_be_visible()
    enter(page, page.get_by_role("dialog").get_by_role("button"))
    expect(page.get_by_role("dialog")).to_be_hidden()
    is_seen(page)
    enter(page, page.locator('[data-nav="tab_log"]'))
    page.wait_for_url("**tab=log*")
    is_seen(page)
    enter(page, page.locator("ol.acts a").nth(60))
    page.wait_for_url("**/steps/61*")
    is_seen(page)
    press(page, ",")


def disputed(page: Page) -> str:
    """A case is opened about the step that is shown; its address."""
    enter(page, page.locator("a.dispute"))
    page.wait_for_url("**/cases/new*")
    type_into(page, page.get_by_label("Why you hold"), "The price had risen.")
    choose(page, page.get_by_label("Your seat"), "1")
    type_into(page, page.get_by_label("Party 1", exact=True), "Bob")
    enter(page, page.get_by_role("button", name="Open the case"))
    expect(page.locator("li.case-entry")).to_have_count(1)
    return path_of(page).partition("#")[0]


def decided(page: Page) -> None:
    """The form of a decision is opened, filled in and sent."""
    form = page.locator("#act-decide")
    enter(page, form.locator("summary"), "Space")
    choose(page, form.locator('[name="ruling"]'), "legal")
    choose(page, form.locator('[name="clause"]'), "0")
    type_into(page, form.locator('[name="text"]'), "It had risen.")
    choose(page, form.locator('[name="from0"]'), "2")
    choose(page, form.locator('[name="to0"]'), "1")
    type_into(page, form.locator('[name="amount0"]'), "4")
    page.keyboard.press("Enter")
    expect(page.locator("section.verdict")).to_contain_text("It had risen.")


def test_a_seat_s_link_has_no_keys_for_what_it_has_not(visitor: Visitor, games: dict[str, str]) -> None:
    with visitor.page() as page:
        page.goto(games["chengdu/clean"])
        page.locator("#view").select_option("2")
        page.locator('form[action$="/shares"] button').click()
        page.goto(page.locator("#address").input_value() + "/hands/0/steps/20")
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        for key in ("1", "4", "v", "a", "h", "n"):
            expect(dialog.locator(f'kbd[data-key="{key}"]')).to_have_count(0)
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.keyboard.press("h")
        page.keyboard.press("1")
        press(page, "ArrowRight")
        assert path_of(page).endswith("/hands/0/steps/21")
        expect(page.locator('.views [data-nav="marks"]')).to_be_visible()
