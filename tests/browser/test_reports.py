"""The report as it is read: the verdict in a sentence, findings with their clause, the ledger, the downloads."""

import json

from playwright.sync_api import expect

from replay import audit
from replay.catalogue import CATALOGUE

from .doing import SAMPLES, path_of
from .serving import Served
from .watching import Visitor


def test_a_finding_has_its_step_its_clause_and_what_led_to_it(
    visitor: Visitor, games: dict[str, str]
) -> None:
    written = json.loads((SAMPLES / "chengdu" / "guo-shui.report.json").read_bytes())
    (found,) = written["hands"][0]["findings"]
    with visitor.page() as page:
        page.goto(games["chengdu/guo-shui"])
        expect(page.locator(".verdict .lead")).to_have_text("Objections: 1 breach of the rules.")
        article = page.locator("article.finding")
        expect(article.locator("blockquote")).to_have_text(found["clause"]["text"])
        expect(article.locator(".said")).to_contain_text("before it drew again")
        meant, disputed, *earlier = article.get_by_role("link").all_inner_texts()[1:]
        assert found["code"] in meant
        assert "dispute this" in disputed
        assert earlier == [f"step {at + 1}" for at in found["because"]]
        article.get_by_role("link").first.click()
        page.wait_for_url(f"**/steps/{found['action'] + 1}*")
        expect(page.locator("#panel-findings")).to_contain_text(found["code"])


def test_the_recomputed_ledger_stands_beside_the_claimed_one_and_the_first_difference_is_marked(
    visitor: Visitor, games: dict[str, str]
) -> None:
    with visitor.page() as page:
        page.goto(games["salasasa"])
        differing = page.locator(".money tr.differs")
        expect(differing).to_have_count(2)
        expect(differing.first).to_contain_text("first difference")
        expect(differing.last).to_contain_text("differs")
        expect(page.locator(".money").first.locator("thead")).to_contain_text("Recomputed")
        expect(page.locator(".money").first.locator("thead")).to_contain_text("Claimed")


def test_findings_are_filtered_by_severity_seat_and_code(visitor: Visitor, served: Served) -> None:
    with visitor.page() as page:
        page.goto(served.hand.partition("/hands")[0])
        findings = page.locator("article.finding")
        everything = findings.count()
        page.get_by_role("link", name="Notes").click()
        page.wait_for_url("**severity=note*")
        assert 0 < findings.count() < everything
        expect(page.locator("article.finding-error")).to_have_count(0)
        page.get_by_role("link", name="Show all").click()
        page.get_by_label("Code").select_option("ACT023")
        page.get_by_role("button", name="Show").click()
        page.wait_for_url("**code=ACT023*")
        expect(findings).to_have_count(1)
        expect(findings).to_contain_text(CATALOGUE["ACT023"].slug)
        page.goto(path_of(page).partition("?")[0])
        page.get_by_label("Seat").select_option(index=1)
        page.get_by_role("button", name="Show").click()
        page.wait_for_url("**seat=*")
        assert 0 < findings.count() < everything


def test_report_and_log_are_downloaded_as_json(visitor: Visitor, games: dict[str, str]) -> None:
    log = (SAMPLES / "chengdu" / "misclaimed-settlement.json").read_bytes()
    with visitor.page() as page:
        page.goto(games["chengdu/misclaimed-settlement"])
        got = []
        for name in ("Report as JSON", "Log as uploaded"):
            with page.expect_download() as download:
                page.get_by_role("link", name=name).click()
            assert download.value.suggested_filename.endswith(".json")
            got.append(download.value.path().read_bytes())
    assert got == [audit(log).to_json(), log]
