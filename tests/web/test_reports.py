"""The report page: verdict, findings with their grounds, money beside the claim, rules, downloads."""

import json
import re

import pytest

from replay import audit
from replay.text import page_of, report_text
from replay.text.why import why_paid
from replay.wording import Words, languages

from .asking import Browser, articles, links, sample, text_of

PAYLOADS = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'-alert(1)-'", "{{1337*1337}}", "${1337*1337}",
    "</title><b>", "<svg/onload=alert(1)>", "javascript:alert(1)", "&lt;b&gt;", "\u202egnp.exe",
]  # fmt: skip


def named(*names: str) -> bytes:
    """A log whose players have these names."""
    log = json.loads(sample("chengdu/guo-shui"))
    for player, name in zip(log["players"], names, strict=True):
        player["name"] = name
    return json.dumps(log).encode()


class TestTheVerdict:
    def test_of_a_clean_log_is_calm(self, browser: Browser) -> None:
        said = text_of(browser.read(browser.report(sample("chengdu/clean"))))
        assert "Nothing to object to: 2 hands" in said
        assert "What was found" not in said

    def test_is_a_sentence(self, browser: Browser) -> None:
        assert "Objections: 1 breach of the rules." in text_of(
            browser.read(browser.report(sample("chengdu/guo-shui")))
        )


class TestAFinding:
    def test_says_where_who_what_and_by_which_words(self, browser: Browser) -> None:
        place = browser.report(sample("chengdu/guo-shui"))
        finding = json.loads(audit(sample("chengdu/guo-shui")).to_json())["hands"][0]["findings"][0]
        page = browser.read(place)
        (said,) = articles(page)
        assert f"step {finding['action'] + 1}" in said
        assert f"seat {finding['seat']}" in said
        assert "ACT023 guo-shui" in said
        assert finding["clause"]["text"] in said
        assert finding["clause"]["document"] in said

    def test_links_to_its_step_and_to_the_earlier_steps_that_make_it_so(self, browser: Browser) -> None:
        place = browser.report(sample("chengdu/guo-shui"))
        finding = json.loads(audit(sample("chengdu/guo-shui")).to_json())["hands"][0]["findings"][0]
        assert finding["because"]
        found = links(browser.read(place), place)
        for step in (finding["action"], *finding["because"]):
            assert f"{place}/hands/0/steps/{step + 1}" in found

    def test_that_could_not_be_decided_is_held_against_nobody_and_says_what_would_decide_it(
        self, browser: Browser
    ) -> None:
        log = json.loads(sample("chengdu/guo-shui"))
        log["lacks"] = ["void"]
        for hand in log["hands"]:
            hand["actions"] = [action for action in hand["actions"] if action["type"] != "void"]
        page = browser.read(browser.report(json.dumps(log).encode()))
        said = text_of(page)
        assert "What could not be decided, and why" in said
        assert "Held against nobody" in said
        assert "What would decide it" in said
        assert "finding-warning kind-undecidable" in page

    def test_of_a_broken_file_links_nowhere(self, browser: Browser) -> None:
        place = browser.report(b"[]", "broken.json")
        page = browser.read(place)
        assert [url for url in links(page, place) if "/hands/" in url] == []


class TestFilters:
    @pytest.fixture
    def place(self, browser: Browser) -> str:
        return browser.report(sample("mil-sbr/salasasa-2611"))

    def codes(self, page: str) -> list[str]:
        return [code for said in articles(page) for code in re.findall(r"[A-Z]{3}\d{3}", said)[:1]]

    def test_without_one_everything_is_shown_objections_first(self, browser: Browser, place: str) -> None:
        assert self.codes(browser.read(place)) == ["ACT023", "IMP002", "IMP002", "IMP004"]

    @pytest.mark.parametrize(
        ("query", "codes"),
        [
            ("severity=error", ["ACT023"]),
            ("severity=note", ["IMP002", "IMP002", "IMP004"]),
            ("severity=warning", []),
            ("code=IMP002", ["IMP002", "IMP002"]),
            ("code=IMP002&severity=error", []),
            ("code=NONE", ["ACT023", "IMP002", "IMP002", "IMP004"]),
            ("seat=9", ["ACT023", "IMP002", "IMP002", "IMP004"]),
        ],
    )
    def test_by_severity_and_code(self, browser: Browser, place: str, query: str, codes: list[str]) -> None:
        assert self.codes(browser.read(f"{place}?{query}")) == codes

    def test_by_seat(self, browser: Browser, place: str) -> None:
        shown = [self.codes(browser.read(f"{place}?seat={one}")) for one in range(4)]
        (found,) = [seat for seat, codes in enumerate(shown) if codes == ["ACT023", "IMP004"]]
        page = browser.read(f"{place}?seat={found}&lang=zh-Hans")
        assert f'<option value="{found}" selected>' in page
        assert any(f"seat={found}" in url and "severity=error" in url for url in links(page))

    def test_long_lists_are_cut_into_pages(self, browser: Browser) -> None:
        log = json.loads(sample("chengdu/clean"))
        log["hands"] = log["hands"][:1] * 25
        place = browser.report(json.dumps(log).encode())
        page = browser.read(place)
        assert page.count('<article class="card hand"') == 10
        assert browser.read(f"{place}?hands=3").count('<article class="card hand"') == 5


class TestTheMoney:
    def test_stands_beside_the_claim_with_the_first_difference_marked(self, browser: Browser) -> None:
        page = browser.read(browser.report(sample("chengdu/misclaimed-settlement")))
        assert page.count("first difference") == 2
        (row,) = [
            one
            for one in re.findall(r"<tr.*?</tr>", page, re.S)
            if "first difference" in one and "data-label" in one
        ]
        written = json.loads(audit(sample("chengdu/misclaimed-settlement")).to_json())
        found = [one for hand in written["hands"] for one in hand["findings"] if one["code"] == "SET002"]
        for side in ("claimed", "recomputed"):
            assert f"{found[0]['params'][side]['amount']} point" in text_of(f"<main>{row}</main>")

    def test_that_agrees_marks_nothing(self, browser: Browser) -> None:
        page = browser.read(browser.report(sample("chengdu/clean")))
        assert "first difference" not in page
        assert "Claimed" in page

    def test_a_payment_that_only_the_claim_has_stands_too(self, browser: Browser) -> None:
        log = json.loads(sample("chengdu/clean"))
        claim = next(hand["claimed"]["ledger"] for hand in log["hands"] if hand.get("claimed"))
        claim.append({"kind": "rake", "from": 2, "to": None, "amount": 77})
        said = text_of(browser.read(browser.report(json.dumps(log).encode())))
        assert "seat 2" in said
        assert "77 points" in said

    def test_says_why_on_the_page_of_the_report_and_of_the_last_step_as_in_its_text(
        self, browser: Browser
    ) -> None:
        data = sample("chengdu/liuju-hua-zhu-da-jiao")
        log, written = json.loads(data), audit(data).to_dict()
        page, hand = page_of(written, "en", log), written["hands"][0]
        reasons = [why_paid(page, hand, entry) for entry in hand["ledger"]]
        assert len(reasons) == 8
        place = browser.report(data)
        last = f"{place}/hands/0/steps/{len(log['hands'][0]['actions'])}?tab=ledger"
        flat = " ".join(report_text(written, "en", log).split())
        for said in (text_of(browser.read(place)), text_of(browser.read(last)), flat):
            assert [why for why in reasons if why not in said] == []

    def test_quotes_the_clauses_of_its_payments_on_demand(self, browser: Browser) -> None:
        place = browser.report(sample("chengdu/clean"))
        for url, quoted in (
            (place, "自摸牌，杠上花，另外三家输。"),
            (f"{place}/hands/1/steps/6?tab=ledger", "两倍点数。"),
        ):
            shown = "".join(re.findall(r'<details class="clauses">.*?</details>', browser.read(url), re.S))
            assert "The clauses that these payments rest on" in shown
            assert quoted in shown
        assert '<details class="clauses">' not in browser.read(f"{place}/hands/0/steps/0?tab=ledger")

    @pytest.mark.parametrize("lang", languages())
    def test_an_option_is_no_quotation_but_a_value_in_words(self, browser: Browser, lang: str) -> None:
        place = browser.report(sample("chengdu/misclaimed-settlement"))
        agreed = Words.of(lang).say("cases.clause.agreed")
        value = Words.of(lang).say("web.choice.dead_wait.never")
        for url in (place, f"{place}/print.html"):
            page = browser.read(f"{url}?lang={lang}")
            figures = [
                one for one in re.findall(r'<figure class="clause">.*?</figure>', page, re.S) if agreed in one
            ]
            assert figures
            assert all(f"<blockquote>{value}</blockquote>" in one for one in figures)
            assert "rules.options" not in page
            assert "never&#34;" not in page

    def test_every_win_is_explained(self, browser: Browser) -> None:
        said = text_of(browser.read(browser.report(sample("chengdu/clean"))))
        assert "all triplets (dui dui hu)" in said
        assert "hu's on" in said


class TestTheRules:
    def test_are_named_with_their_digest_and_the_readings(self, browser: Browser) -> None:
        place = browser.report(sample("mil-sbr/salasasa-2611"))
        written = browser.get(f"{place}/report.json").json
        assert written is not None
        said = text_of(browser.read(place))
        assert written["rules"]["digest"] in said
        assert written["rules"]["readings"]
        assert "rests on these readings" in said


class TestDownloads:
    def test_the_report_is_byte_for_byte_that_of_the_library(self, browser: Browser) -> None:
        place = browser.report(sample("chengdu/guo-shui"))
        answer = browser.get(f"{place}/report.json")
        assert answer.data == audit(sample("chengdu/guo-shui")).to_json()
        assert answer.headers["Content-Disposition"] == f'attachment; filename="report-{place[9:]}.json"'
        assert answer.headers["X-Content-Type-Options"] == "nosniff"

    @pytest.mark.parametrize("data", [sample("chengdu/guo-shui"), b"<html><script>alert(1)</script>"])
    def test_the_log_is_byte_for_byte_what_was_uploaded(self, browser: Browser, data: bytes) -> None:
        place = browser.report(data, "<evil>.html")
        answer = browser.get(f"{place}/log.json")
        assert answer.data == data
        assert answer.headers["Content-Disposition"] == f'attachment; filename="log-{place[9:]}.json"'
        assert answer.content_type in ("application/json", "application/octet-stream")

    def test_of_a_document_that_could_not_be_had_are_not_there(self, browser: Browser) -> None:
        place = browser.report(b"PK\x03\x04 broken", "a.zip")
        assert browser.get(f"{place}/log.json").status_code == 404
        assert f"{place}/log.json" not in links(browser.read(place))
        assert browser.get(f"{place}/report.json").status_code == 200


class TestForeignWords:
    @pytest.mark.parametrize("payload", PAYLOADS)
    def test_a_name_is_text_and_nothing_else(self, browser: Browser, payload: str) -> None:
        place = browser.upload(named(payload[:64], "乙", "丙", "丁"), payload.replace('"', "%22"))
        pages = [browser.read("/"), browser.read(place)]
        pages += [browser.read(url) for url in links(pages[1], "/reports/")]
        for page in pages:
            scripts = re.findall(r"<script[^>]*>", page)
            assert scripts
            assert all(one.startswith('<script src="/static/') for one in scripts)
            assert not re.search(
                r"<(img|svg|b>alert)|\son\w+=[^\"]*alert\(1\)>|\u202e|1787569",
                re.sub(r"[0-9a-f-]{36,}", "", page),
            )

    def test_the_words_of_a_broken_file_are_text(self, browser: Browser) -> None:
        log = json.loads(sample("chengdu/clean"))
        log["rules"]["profile"] = "<script>alert(1)</script>"
        page = browser.read(browser.report(json.dumps(log).encode()))
        assert "&lt;script&gt;" in page
        assert "<script>" not in page
