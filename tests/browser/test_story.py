"""One story from the upload to the last word: stepped through by every key, disputed, decided, appealed, printed."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.paper import can_make_pdfs
from tests.web.signing import PASSWORD

from .doing import path_of
from .hall import Hall, chosen
from .watching import Visitor

FINDING = 18
"""The step of the finding in each hand of the game."""

WALK = [
    ("ArrowRight", "0/steps/1"), ("j", "0/steps/2"), ("ArrowLeft", "0/steps/1"), ("k", "0/steps/0"),
    ("3", "0/steps/0?seat=2"), ("ArrowDown", "0/steps/11?seat=2"), ("Shift+ArrowDown", "0/steps/13?seat=2"),
    ("Shift+ArrowUp", "0/steps/11?seat=2"), ("ArrowDown", "0/steps/19?seat=2"),
    ("ArrowUp", "0/steps/11?seat=2"), ("a", "0/steps/11"), ("Home", "0/steps/0"),
    (".", "0/steps/18"), ("End", "0/steps/122"), (",", "0/steps/18"), ("Home", "0/steps/0"),
    ("PageDown", "0/steps/18"), ("End", "0/steps/122"), ("PageUp", "0/steps/18"), ("Home", "0/steps/0"),
    (">", "0/steps/18"), ("End", "0/steps/122"), ("<", "0/steps/18"), ("Home", "0/steps/0"),
    ("Shift+PageDown", "0/steps/18"), ("End", "0/steps/122"), ("Shift+PageUp", "0/steps/18"),
    ("]", "1/steps/0"), ("[", "0/steps/0"), ("End", "0/steps/122"), ("End", "1/steps/0"), ("Home", "0/steps/0"),
    ("1", "0/steps/0?seat=0"), ("2", "0/steps/0?seat=1"), ("3", "0/steps/0?seat=2"), ("4", "0/steps/0?seat=3"),
    ("v", "0/steps/0?seat=0"), ("h", "0/steps/0?seat=0&hide=1"), ("h", "0/steps/0?seat=0"), ("a", "0/steps/0"),
    ("r", "0/steps/0?marks=0"), ("r", "0/steps/0"), ("n", "0/steps/0?nospoilers=1"), ("n", "0/steps/0"),
    ("l", "0/steps/0?tab=ledger"), ("t", "0/steps/0?tab=log"), ("w", "0/steps/0?tab=wall"), ("f", "0/steps/0"),
]  # fmt: skip
"""Keys that lead somewhere, one after the other, and where each leads."""

DOING = ("+", "=", "-", "Space", "Escape", "c", "?")
"""Keys that do something to the page as it stands."""


@contextmanager
def of(guest: Visitor, court: Hall, name: str) -> Iterator[Page]:
    """A browser of somebody."""
    with guest.page(permissions=["clipboard-read", "clipboard-write"]) as page:
        court.let_in(page, name)
        yield page


def under_hands(page: Page) -> str:
    """The hand, the step and the view of the address."""
    return path_of(page).partition("/hands/")[2]


def leads_to(page: Page, place: str) -> None:
    """The page comes to a hand, a step and a view."""
    page.wait_for_url(f"**/hands/{place}", wait_until="commit")


def act(page: Page, name: str, **fields: str) -> None:
    """Fill in what may be done in a case, by the names of its fields, send it, and see that it was taken."""
    form = page.locator(f"#act-{name}")
    if form.get_attribute("open") is None:
        form.locator("summary").click()
    for field, value in fields.items():
        each = form.locator(f'[name="{field}"]')
        kind = each.evaluate("one => one.type")
        if kind == "checkbox":
            each.check()
        elif kind == "select-one":
            each.select_option(value)
        else:
            each.fill(value)
    before = page.locator("li.case-entry").count()
    form.locator("button").click()
    expect(page.locator("li.case-entry")).to_have_count(before + 1)
    assert page.url.endswith(f"#entry-{before + 1}")


def steps_of_each_kind(page: Page) -> None:
    """Steps by action, by decision and by finding, with the links of the page."""
    page.locator('.steps [data-nav="first"]').click()
    leads_to(page, "0/steps/0")
    for link, step in (
        ("forward", 1),
        ("next_decision", 7),
        ("previous_decision", 1),
        ("next_finding", 18),
    ):
        page.locator(f'.steps [data-nav="{link}"]').click()
        leads_to(page, f"0/steps/{step}")


def every_key(page: Page) -> None:
    """Every key that the help lists does what it says; one that it lists and nobody entered here is an error."""
    listed = page.locator("dialog.keys kbd[data-key]").evaluate_all(
        "all => all.map((one) => one.dataset.key)"
    )
    assert set(listed) == {key for key, _ in WALK} | set(DOING)
    page.locator('.steps [data-nav="first"]').click()
    leads_to(page, "0/steps/0")
    for key, place in WALK:
        page.keyboard.press(key)
        leads_to(page, place)
    speed = page.locator("[data-speed]")
    for key, said in (("+", "2×"), ("-", "1×"), ("=", "2×"), ("+", "4×")):
        page.keyboard.press(key)
        expect(speed).to_have_text(said)
    playing = page.locator('[data-do="play"][aria-pressed="true"]')
    page.keyboard.press("Space")
    leads_to(page, "0/steps/1")
    expect(playing).to_have_count(1)
    page.keyboard.press("Escape")
    expect(playing).to_have_count(0)
    page.keyboard.press("c")
    expect(page.locator("[data-told]")).to_have_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def in_another_language(page: Page) -> None:
    """The language changes where one is, seat and tab and step stay, and the next page is in it too."""
    page.locator('.steps [data-nav="next_finding"]').click()
    for key, view in (("3", "?seat=2"), ("t", "?seat=2&tab=log")):
        page.keyboard.press(key)
        leads_to(page, f"0/steps/{FINDING}{view}")
    for name, tag, log in (
        ("繁體中文", "zh-Hant", "文字記錄"),
        ("简体中文", "zh-Hans", "文字记录"),
        ("English", "en", "Text log"),
    ):
        page.get_by_role("link", name=name).click()
        expect(page.locator("html")).to_have_attribute("lang", tag)
        assert urlsplit(page.url).path.endswith(f"/0/steps/{FINDING}")
        expect(page.locator('[data-nav~="seat2"]')).to_have_attribute("aria-current", "true")
        expect(page.locator('[data-nav="tab_log"][aria-current="true"]')).to_have_text(log)
        kept = {one["name"]: one for one in page.context.cookies()}["lang"]
        assert (kept["value"], kept["expires"] > 0) == (tag, True)
        page.keyboard.press("ArrowRight")
        expect(page.locator("html")).to_have_attribute("lang", tag)
        page.keyboard.press("ArrowLeft")
        leads_to(page, f"0/steps/{FINDING}?seat=2&tab=log")


def test_one_game_from_its_upload_to_the_last_word(guest: Visitor, court: Hall) -> None:
    with guest.page(permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto("/")
        page.get_by_label("Name").fill("Ann")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        court.audit(page, chosen("story"))
        page.locator("ol.list a.name").click()
        page.wait_for_url("**/reports/*")
        report = path_of(page)
        page.locator("article.finding .head a").first.click()
        leads_to(page, f"0/steps/{FINDING}*")
        steps_of_each_kind(page)
        every_key(page)
        in_another_language(page)
        case = opened(page, report)
    argued(guest, court, case)
    decided(guest, court, case)
    appealed(guest, court, case)
    printed(guest, court, case)


def opened(page: Page, report: str) -> str:
    """A case that is opened from the finding; its address."""
    page.goto(report)
    page.locator("article.finding a.dispute").first.click()
    expect(page.locator("article.finding")).to_contain_text("ACT023")
    page.get_by_label("Why you hold").fill("The price had risen.")
    page.get_by_label("Your seat").select_option("1")
    page.get_by_label("Party 1", exact=True).fill("Bob")
    page.get_by_label("Seat of party 1").select_option("0")
    page.get_by_role("button", name="Open the case").click()
    expect(page.locator("li.case-entry")).to_have_count(1)
    return path_of(page).partition("#")[0]


def argued(guest: Visitor, court: Hall, case: str) -> None:
    """The other party answers, and points at a step and at the finding."""
    with of(guest, court, "Bob") as page:
        page.goto("/cases")
        page.locator(f'a.name[href="{case}"]').click()
        act(page, "statement", text="It had not.")
        act(page, "pin", step="14", text="Here it was let go.")
        act(page, "note", finding="0", text="That is just what happened.")
        page.locator(".pins a", has_text="step 14").click()
        expect(page.locator(".table-side .sentence")).to_contain_text("Step 14")


def decided(guest: Visitor, court: Hall, case: str) -> None:
    """An arbiter takes the case, asks, is answered, and decides by a clause with what is to be paid."""
    with of(guest, court, "Judge") as page:
        page.goto(case)
        act(page, "take")
        act(page, "ask", whom1="1", text="At which price?")
        with of(guest, court, "Bob") as other:
            other.goto(case)
            act(other, "answer", text="At two fan, both times.")
        page.reload()
        act(page, "decide", ruling="legal", clause="0", text="It had.", from0="2", to0="1", amount0="4")
        verdict = page.locator("section.verdict")
        expect(verdict.locator("blockquote")).not_to_be_empty()
        ordered = verdict.locator(".scores tbody tr td:nth-child(3)").all_inner_texts()
        assert ordered == ["0", "+4", "-4", "0"]


def appealed(guest: Visitor, court: Hall, case: str) -> None:
    """A party appeals, the first arbiter may not decide again, a second one does, and nothing more can be done."""
    with of(guest, court, "Bob") as page:
        page.goto(case)
        act(page, "appeal", text="No price had changed.")
    with of(guest, court, "Judge") as page:
        page.goto(case)
        expect(page.locator("#act-take, #act-decide")).to_have_count(0)
    with of(guest, court, "Second") as page:
        page.goto(case)
        act(page, "take")
        act(page, "decide", ruling="illegal", clause="0", text="So it is.")
        expect(page.locator("h2#decision")).to_have_text("Final decision")
    with of(guest, court, "Bob") as page:
        page.goto(case)
        expect(page.locator("#act-appeal")).to_have_count(0)


def printed(guest: Visitor, court: Hall, case: str) -> None:
    """Both decisions stand on paper."""
    with of(guest, court, "Ann") as page:
        page.goto(case)
        page.get_by_role("link", name="As one file, to print").click()
        for said in ("It had.", "So it is.", "No price had changed."):
            expect(page.locator("body")).to_contain_text(said)
        if can_make_pdfs():
            answer = page.request.get(f"{case}/print.pdf")
            assert answer.body()[:5] == b"%PDF-"
