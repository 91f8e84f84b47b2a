"""A case without accounts, kept by the one reader there is: opened from a report, and spoken in."""

from .hall import Hall
from .looking import Wrong, wrong_with
from .serving import Served
from .watching import NARROW, Visitor


def test_a_case_is_opened_and_spoken_in(visitor: Visitor, served: Served, games: dict[str, str]) -> None:
    wrong: Wrong = []
    with visitor.page(NARROW, "en") as page:
        page.goto(games["chengdu/guo-shui"])
        page.locator(".finding a.dispute").first.click()
        places = [page.url, "/cases"]
        page.get_by_label("Why you hold").fill("It was no 过水.")
        page.get_by_role("button", name="Open the case").click()
        page.locator("#act-pin summary").click()
        page.get_by_label("Step", exact=True).fill("14")
        page.get_by_role("button", name="Pin", exact=True).click()
        page.wait_for_url("**#entry-2")
        page.locator(".pins a", has_text="step 14").first.click()
        assert page.locator(".sentence").inner_text().startswith("Step 14 of")
        for place in (page.url, *places):
            page.goto(place)
            wrong += wrong_with(page, place)
    assert wrong == []


HIDDEN = """() => [...document.querySelectorAll(".board .seat > header")].flatMap((header) => {
  const room = header.getBoundingClientRect();
  return [...header.querySelectorAll("h2, .badge, .points")].filter((one) => {
    const at = one.getBoundingClientRect();
    return at.height < 10 || at.top < room.top - 1 || at.bottom > room.bottom + 1;
  }).map((one) => one.textContent);
})"""


def test_every_seat_of_the_table_of_a_case_is_named_and_wordings_follow_the_ruling(
    guest: Visitor, court: Hall
) -> None:
    case = court.case("taken")
    for width in (1440, 1100, 390):
        with guest.page((width, 900), "en") as page:
            court.let_in(page, "Judge")
            page.goto(case)
            assert page.locator(".board .seat > header h2").count() == 4
            assert page.evaluate(HIDDEN) == [], width
    with guest.page(NARROW, "en") as page:
        court.let_in(page, "Judge")
        page.goto(case)
        page.locator("#act-decide summary").click()
        page.get_by_label("Common wording").select_option("allowed")
        page.get_by_label("Ruling").select_option("illegal")
        assert page.get_by_label("Common wording").input_value() == ""
        enabled = page.locator("#decide-canned optgroup:not([disabled]) option")
        assert [one.get_attribute("value") for one in enabled.all()] == ["stands", "broken"]
        assert wrong_with(page, case) == []
