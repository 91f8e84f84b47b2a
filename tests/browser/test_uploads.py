"""A game is given to the pages as a person gives it: chosen, dropped, pasted, broken, several at once."""

from base64 import b64encode
from pathlib import Path

from playwright.sync_api import Page, expect

from .doing import AUDITED, BROKEN, RECORDS, SAMPLES, TORN, audited, give, path_of, report
from .serving import Served
from .watching import Visitor

GAME = RECORDS / "salasasa-53.json.gz"


def drop(page: Page, file: Path) -> None:
    """Let go of a file over the form."""
    made = page.evaluate_handle(
        """([name, data]) => {
             const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
             const transfer = new DataTransfer();
             transfer.items.add(new File([bytes], name));
             return transfer;
           }""",
        [file.name, b64encode(file.read_bytes()).decode()],
    )
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event("form[data-drop] .zone", event, {"dataTransfer": made})


def test_a_salasasa_game_is_watched_until_its_report_can_be_read(visitor: Visitor, served: Served) -> None:
    with visitor.page() as page:
        with served.paused():
            give(page, GAME)
            expect(page.locator(".waiting h2")).to_have_text("Being audited")
            loads = len(visitor.went)
        audited(page)
        assert len(visitor.went) > loads, "the page brings itself up to date"
        page.locator("ol.list a.name").click()
        expect(page.locator(".verdict .lead")).to_have_text(
            "Nothing to object to: 4 hands, 513 actions, 8 wins, settlement agrees."
        )


def test_without_javascript_the_page_asks_by_itself(visitor: Visitor, served: Served) -> None:
    with visitor.page(script=False) as page:
        with served.paused():
            give(page, SAMPLES / "chengdu" / "void-order.json")
            expect(page.locator(".waiting h2")).to_have_text("Being audited")
        expect(page.locator("ol.list a.name")).to_have_count(1, timeout=AUDITED)


def test_a_broken_file_is_kept_and_the_finding_says_where(visitor: Visitor) -> None:
    with visitor.page() as page:
        report(page, {**BROKEN, "name": "torn.json", "buffer": TORN + b"\n"})
        expect(page.locator("h1")).to_have_text("torn.json")
        expect(page.locator(".verdict .tag")).to_contain_text("Cannot be replayed")
        expect(page.locator(".finding .head")).to_contain_text("LOG006")
        expect(page.locator(".finding .said")).to_contain_text("line 3")
        with page.expect_download() as download:
            page.get_by_role("link", name="Log as uploaded").click()
        assert download.value.path().read_bytes() == TORN + b"\n"


def test_a_pasted_log_is_audited(visitor: Visitor) -> None:
    with visitor.page() as page:
        page.goto("/")
        page.get_by_text("Or paste a log").click()
        page.get_by_label("The log as JSON").fill(
            (SAMPLES / "chengdu" / "false-win.json").read_text(encoding="utf-8")
        )
        page.locator("form[data-drop] button.main").click()
        audited(page)
        expect(page.locator("ol.list .tag")).to_contain_text("Objections")


def test_several_files_are_taken_in_at_once_and_marked_in_the_list(visitor: Visitor) -> None:
    names = ("forced-hu-missed.json", "liuju-hua-zhu-da-jiao.json")
    with visitor.page() as page:
        give(page, *(SAMPLES / "chengdu" / name for name in names))
        expect(page.get_by_role("status")).to_contain_text("2")
        expect(page.locator(".fresh .name")).to_have_text(list(reversed(names)))


def test_a_dropped_file_is_named_and_audited(visitor: Visitor) -> None:
    with visitor.page() as page:
        page.goto("/")
        drop(page, RECORDS / "salasasa-263.json.gz")
        expect(page.locator("[data-files]")).to_have_text("Chosen: salasasa-263.json.gz")
        expect(page.locator("form[data-drop] button.main")).to_be_focused()
        page.keyboard.press("Enter")
        audited(page)
        # In one hand of this game the server states no payments: that question stays open.
        expect(page.locator("ol.list .tag")).to_contain_text("No objection; questions stay open")


def test_the_same_bytes_lead_to_the_same_upload(visitor: Visitor) -> None:
    places = []
    with visitor.page() as page:
        for name in ("one.json", "two.json"):
            body = (SAMPLES / "chengdu" / "clean.json").read_bytes() + b"\n\n"
            give(page, {"name": name, "mimeType": "application/json", "buffer": body})
            page.wait_for_url("**/uploads/*")
            places.append(path_of(page).partition("?")[0])
        expect(page.get_by_role("status")).to_contain_text("nothing was taken in twice")
    assert places[0] == places[1]
