"""An audit or a case as one file that holds all it needs, and as a PDF."""

import json
import re
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from replay import audit
from replay.store.cases.opening import About, Looked, open_case
from replay.store.cases.saying import state_words
from replay.store.cases.writing import Actor
from replay.store.tables import Report
from replay.web.paper import pages as printing
from replay.web.paper import pdf, pdf_maker, pictures
from tests.jobs.working import rows
from tests.paper import pango  # noqa: F401 - a fixture

from .asking import Browser, links, sample
from .signing import account_of, accounts_service, anonymous, signed_in

GUO_SHUI = "chengdu/guo-shui"


def said(page: str) -> str:
    """What a page for paper says, without its marks."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page.partition("<main>")[2])).split())


def style(page: str) -> str:
    """The one style of a page."""
    (found,) = re.findall(r"<style>(.*?)</style>", page, re.S)
    return str(found)


def many(number: int) -> bytes:
    """A log with so many hands, each with a finding."""
    log = json.loads(sample(GUO_SHUI))
    log["hands"] = log["hands"] * number
    return json.dumps(log).encode()


def test_it_holds_all_it_needs(browser: Browser) -> None:
    page = browser.read(browser.report(sample(GUO_SHUI)) + "/print.html")
    references = re.findall(r"""(?:href|src|url|srcset|action)\s*[=(]\s*["']?([^"')\s>]*)""", page)
    assert {one.partition(":")[0] if not one.startswith("#") else "#" for one in references} == {"data", "#"}
    assert not re.search(r"https?:", page)
    assert not re.search(r"<script|javascript:|\son\w+=|@import|\sstyle=", page)
    places = {one[1:] for one in references if one.startswith("#")}
    assert places == set(re.findall(r'id="([^"]*)"', page))


def test_its_policy_lets_it_do_no_more_than_it_needs(browser: Browser) -> None:
    place = browser.report(sample(GUO_SHUI))
    answer = browser.get(place + "/print.html")
    digest = b64encode(sha256(style(answer.text).encode()).digest()).decode()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{digest}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
    assert unescape(re.findall(r'Policy" content="([^"]*)"', answer.text)[0]) in policy
    assert answer.headers["Content-Disposition"] == f'inline; filename="report-{place[9:]}.html"'
    assert "script-src 'self'" in browser.get(place).headers["Content-Security-Policy"]


def test_its_style_reads_the_same_in_html(browser: Browser) -> None:
    page = browser.read(browser.report(sample(GUO_SHUI)) + "/print.html")
    assert re.search(r"""[&<>"']""", style(page)) is None


def test_it_says_all_that_was_found_with_its_clause_and_the_money(browser: Browser) -> None:
    place = browser.report(sample(GUO_SHUI))
    report = json.loads(audit(sample(GUO_SHUI)).to_json())
    text = said(browser.read(place + "/print.html"))
    (finding,) = report["hands"][0]["findings"]
    (row,) = rows(browser.service, Report)
    for part in (
        "Objections: 1 breach of the rules.",
        f"{finding['code']} {finding['slug']}",
        finding["clause"]["text"],
        report["log"]["sha256"],
        report["rules"]["digest"],
        report["engine"]["version"],
        row.sha256,
        "Who pays whom",
        "There was no checkpoint yet",
    ):
        assert part in text
    assert text.count(" pays ") >= len(report["hands"][0]["ledger"])


def test_every_finding_is_in_it_and_its_step_is_drawn(browser: Browser) -> None:
    page = browser.read(browser.report(many(45)) + "/print.html")
    assert page.count("ACT023 guo-shui") == 45
    assert page.count('<figure class="picture"') == 40
    assert "Another 5 steps are not drawn here" in said(page)


def test_the_tiles_of_a_picture_are_those_of_the_step(browser: Browser) -> None:
    page = browser.read(browser.report(sample(GUO_SHUI)) + "/print.html")
    (shown,) = re.findall(r'<figure class="picture".*?</figure>', page, re.S)
    held = re.findall(r'class="t t-(\w+)', re.findall(r"<b>Hand</b>(.*?)</div>", shown, re.S)[1])
    log = json.loads(sample(GUO_SHUI))["hands"][0]
    acts = [one for one in log["actions"][:18] if one["seat"] == 1]
    tiles = sorted(re.findall("..", log["deal"][1]))
    for one in acts:
        if one["type"] == "draw":
            tiles.append(one["tile"])
        elif one["type"] == "discard":
            tiles.remove(one["tile"])
    assert sorted(one[::-1] for one in held) == sorted(tiles)
    drawn = set(re.findall(r"\.t-(\w+)::before", style(page)))
    assert drawn == set(re.findall(r'class="t t-(\w+)', page))
    assert all(f'aria-label="{label}"' not in shown for label in ("", "?"))


def test_a_tile_that_has_no_picture_is_a_word(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "drawings", dict)
    monkeypatch.setattr(printing, "drawings", dict)
    page = browser.read(browser.report(sample(GUO_SHUI)) + "/print.html")
    assert 'class="t-word">2m</span>' in page
    assert 'class="t t-' not in page


def test_one_hand_alone_can_be_had(browser: Browser) -> None:
    place = browser.report(many(3)) + "/print.html"
    text = said(browser.read(f"{place}?hand=1"))
    assert text.count("ACT023 guo-shui") == 1
    assert "hand 2 alone" in text
    assert "Hand 1," not in text
    for wrong in ("3", "-1", "x", "²", "1" * 40):
        assert browser.get(f"{place}?hand={wrong}").status_code == 404


def test_many_hands_are_cut_and_counted(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "FILE", printing.Room(hands=2, findings=1, pictures=1))
    text = said(browser.read(browser.report(many(4)) + "/print.html"))
    assert "Another 7 are left out" in text
    assert "Another 2 hands are left out" in text
    assert "Another 3 steps are not drawn" in text


@pytest.mark.parametrize("data", [b"[]", b"{", sample("chengdu/clean")], ids=["no log", "no json", "clean"])
def test_a_report_without_findings_of_a_hand_has_no_pictures(browser: Browser, data: bytes) -> None:
    page = browser.read(browser.report(data) + "/print.html")
    assert '<figure class="picture' not in page


def test_t19_names_are_text(browser: Browser) -> None:
    log = json.loads(sample(GUO_SHUI))
    payload = "</style><img src=x>"
    log["players"] = [{"id": "a", "name": payload} for _ in range(4)]
    log["id"] = payload
    page = browser.read(browser.report(json.dumps(log).encode(), "<b>.json") + "/print.html")
    assert "<img" not in page
    assert "<b>.json" not in page
    assert page.count("</style>") == 1


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_the_report_leads_to_it_in_each_language(browser: Browser, lang: str) -> None:
    place = browser.report(sample(GUO_SHUI))
    found = links(browser.read(f"{place}?lang={lang}"), place)
    assert f"{place}/print.html" in found
    assert f"{place}/print.pdf" in found
    assert f'<html lang="{lang}">' in browser.read(f"{place}/print.html?lang={lang}")


# PDF -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("pango")
def test_a_pdf_holds_the_same_words_in_chinese_too(browser: Browser) -> None:
    place = browser.report(sample(GUO_SHUI))
    answer = browser.get(f"{place}/print.pdf?lang=zh-Hans")
    assert answer.status_code == 200
    assert answer.content_type == "application/pdf"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="report-{place[9:]}.pdf"'
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(answer.data)).pages)
    report = json.loads(audit(sample(GUO_SHUI)).to_json())
    (finding,) = report["hands"][0]["findings"]
    for part in ("ACT023", "违规", "审核发现", "牌桌", finding["clause"]["text"], report["log"]["sha256"]):
        assert part in re.sub(r"\s", "", text)


@pytest.mark.usefixtures("pango")
@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_the_numbers_of_a_pdf_and_their_heads_stand_in_one_line(browser: Browser, lang: str) -> None:
    log = json.loads(sample("chengdu/misclaimed-settlement"))
    log["players"][0]["name"] = "W" * 64
    place = browser.report(json.dumps(log).encode())
    html = browser.read(f"{place}/print.html?lang={lang}&hand=0")
    made = browser.get(f"{place}/print.pdf?lang={lang}&hand=0").data
    lines = "\n".join(page.extract_text() for page in PdfReader(BytesIO(made)).pages)
    cells = [
        said(f"<main>{one}") for one in re.findall(r"<t[dh][^>]*(?:data-head|scope=.col)[^>]*>(.*?)</t", html)
    ]
    whole = Counter(part for cell in cells for part in re.split(r" (?=[(（])", cell))
    assert sum(whole.values()) > 40
    for part, times in whole.items():
        assert lines.count(part) >= times, part


@pytest.mark.usefixtures("pango")
def test_nothing_is_fetched_for_a_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    asked: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda *given: asked.append(given))
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"not a picture")
    opened: list[str] = []
    sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
    made = pdf_maker.made(
        f'<img src="http://127.0.0.1:9/a.png"><img src="file://{secret}"><img src="{secret}">'
        '<link rel="stylesheet" href="https://127.0.0.1:9/a.css"><p>still here</p>'
    )
    assert "still here" in PdfReader(BytesIO(made)).pages[0].extract_text()
    assert asked == []
    assert str(secret) not in opened


def test_one_pdf_is_made_at_a_time(browser: Browser) -> None:
    place = browser.report(sample(GUO_SHUI))
    with pdf.making:
        answer = browser.get(f"{place}/print.pdf")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "Another PDF is being made" in answer.text
    assert browser.get(f"{place}/print.html").status_code == 200
    assert not pdf.making.locked()


def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str) -> None:
    """Let PDFs be made by another program."""
    program = tmp_path / "maker.py"
    program.write_text(lines)
    monkeypatch.setattr(pdf, "MAKER", program)


@pytest.mark.usefixtures("pango")
def test_a_pdf_that_takes_too_long_or_too_much_is_given_up(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = browser.report(sample(GUO_SHUI))
    monkeypatch.setattr(pdf, "MEMORY", 1)
    assert "The PDF was not finished" in browser.get(f"{place}/print.pdf").text
    maker(tmp_path, monkeypatch, "while True: pass")
    monkeypatch.setattr(pdf, "SECONDS", 1)
    answer = browser.get(f"{place}/print.pdf")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert pdf.may_work()
    assert not pdf.making.locked()


def test_the_program_that_makes_a_pdf_knows_no_setting_of_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPLAY_SECRET_KEY", "s" * 40)
    maker(tmp_path, monkeypatch, "import os; print(sorted(os.environ))")
    told = pdf.pdf_of("")
    assert b"PATH" in told
    assert b"REPLAY" not in told


def test_so_many_pdfs_are_made_in_a_while(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "pdf_of", lambda page: b"%PDF-")
    place = browser.report(sample(GUO_SHUI))
    answers = [browser.get(f"{place}/print.pdf") for _ in range(11)]
    assert [one.status_code for one in answers] == [200] * 10 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert browser.get(f"{place}/print.html").status_code == 200


@pytest.fixture
def without_weasyprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation whose WeasyPrint cannot be imported."""
    real = str(pdf.MAKER)
    lines = (
        f"import runpy, sys\nsys.modules['weasyprint'] = None\nrunpy.run_path({real!r}, run_name='__main__')"
    )
    maker(tmp_path, monkeypatch, lines)
    monkeypatch.setattr(pdf, "find_spec", lambda name: object())
    monkeypatch.setattr(pdf, "lacking", set())


@pytest.mark.usefixtures("without_weasyprint")
def test_where_none_can_be_made_it_says_so_and_offers_the_file(browser: Browser) -> None:
    place = browser.report(sample(GUO_SHUI))
    answer = browser.get(f"{place}/print.pdf?hand=0")
    assert answer.status_code == 501
    assert f"{place}/print.html?hand=0" in links(answer.text)
    assert "No PDF can be made here" in answer.text
    assert f"{place}/print.pdf" not in links(browser.read(place)), "it is offered no more"
    assert not pdf.making.locked()


def test_without_the_extra_it_is_not_offered(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    place = browser.report(sample(GUO_SHUI))
    monkeypatch.setattr(pdf, "find_spec", lambda name: None)
    found = links(browser.read(place), place)
    assert f"{place}/print.pdf" not in found
    assert f"{place}/print.html" in found


# Cases -----------------------------------------------------------------------------------------------


@contextmanager
def disputed(folder: Path) -> Iterator[tuple[Browser, str]]:
    """A service with a case that both parties spoke in: a browser that nobody is signed in with, and the case."""
    with accounts_service(folder) as service:
        nobody = anonymous(service)
        signed_in(nobody, "Olga").report(sample(GUO_SHUI))
        signed_in(nobody, "Pavel")
        (report,) = rows(service, Report)
        case = open_case(
            service.engine,
            account_of(service, "Olga"),
            About("legality", report.id, 0, 17, "ACT023"),
            Looked(report.sha256, "0" * 64, ""),
            {"text": "<b>so</b> it was"},
            {account_of(service, "Pavel"): 1},
            18,
        )
        state_words(service.engine, case, Actor(account_of(service, "Pavel"), "player"), "it was not", None)
        yield nobody, case


def test_a_case_holds_what_was_said_with_its_digests(tmp_path: Path) -> None:
    with disputed(tmp_path / "data") as (nobody, case):
        (report,) = rows(nobody.service, Report)
        place = f"/cases/{case}/print.html"
        for one in (
            signed_in(nobody, "Olga"),
            signed_in(nobody, "Pavel"),
            signed_in(nobody, "Ann", "arbiter"),
        ):
            page = one.read(place)
            text = said(page)
            for part in ("Olga", "Pavel", "<b>so</b> it was", "it was not", "ACT023 guo-shui", report.sha256):
                assert part in text
            assert page.count('<figure class="picture"') == 1
            assert "<b>so" not in page
            assert len(re.findall(r"<code>[0-9a-f]{64}</code>", page)) >= 2
            assert not re.search(r"https?:|<script|\sstyle=", page)
        other = signed_in(nobody, "Other")
        assert other.get(place).status_code == 404
        assert other.get(place.replace("html", "pdf")).status_code == 404
        assert nobody.get(place).status_code == 303
        assert place in links(signed_in(nobody, "Olga").read(f"/cases/{case}"))


@pytest.mark.usefixtures("pango")
def test_a_case_is_a_pdf_too(tmp_path: Path) -> None:
    with disputed(tmp_path / "data") as (nobody, case):
        answer = signed_in(nobody, "Pavel").get(f"/cases/{case}/print.pdf")
        assert answer.status_code == 200
        text = "".join(page.extract_text() for page in PdfReader(BytesIO(answer.data)).pages)
        assert "it was not" in " ".join(text.split())


def test_u7_a_report_is_printed_for_those_who_may_see_it(tmp_path: Path) -> None:
    with accounts_service(tmp_path / "data") as service:
        nobody = anonymous(service)
        owner, other = signed_in(nobody, "one"), signed_in(nobody, "other")
        place = owner.report(sample(GUO_SHUI))
        for kind in ("html", "pdf"):
            assert other.get(f"{place}/print.{kind}").status_code == 404
            assert nobody.get(f"{place}/print.{kind}").status_code == 303
        assert owner.get(f"{place}/print.html").status_code == 200
