"""The pages of cases: the whole way of one, who may do what, and forms that keep what was typed."""

import re
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

from replay.store.accounts import set_role
from replay.store.attempts import OPENED
from replay.store.cases.saying import FILE_BYTES
from replay.store.tables import Dispute, DisputeEntry, Party, StaffView
from replay.web.reports.sharing import LIFETIMES, WHOLE
from tests.jobs.working import rows

from .asking import Browser, links, sample, text_of
from .disputing import LANGUAGES, NASTY, RULING, People, act, does, forms_of, new, opened, state_of
from .signing import account_id, accounts_service, anonymous, signed_in

# Opening ---------------------------------------------------------------------------------------------


def test_dispute_this_stands_at_findings_payments_and_hands(people: People) -> None:
    page = people.ann.read(people.report)
    found = [url.partition("&hand=")[2] for url in links(page, "/cases/new")]
    assert found[0] == "0&action=17&finding=ACT023"
    assert "0" in found
    assert [one for one in found if "entry" in one] == [f"0&entry={number}" for number in range(6)]
    for url in links(page, "/cases/new"):
        assert people.ann.get(url).status_code == 200
    (step,) = links(people.ann.read(f"{people.report}/hands/0/steps/18"), "/cases/new")
    assert step.endswith("&hand=0&action=17")


SAID = {
    "action=17&finding=ACT023": "不能弃先胡后",
    "action=17": "不能弃先胡后",
    "entry=3": "点炮者输点",
    "action=2": "✓",
    "": "ACT023",
}
"""What the engine says, by what is disputed."""


def test_first_the_engine_says_what_it_says(people: People) -> None:
    for lang, (about, engine) in product(LANGUAGES, SAID.items()):
        page = people.ann.read(f"/cases/new?report={people.report_id}&hand=0&{about}&lang={lang}")
        still = re.findall(r'<h2 id="dispute">([^<]*)', page)[0]
        assert engine in text_of(page).partition(still)[0], (lang, about)


def test_the_amount_is_shown_as_recomputed_beside_the_claim(people: People) -> None:
    report = people.ann.report(sample("chengdu/misclaimed-settlement"), "other.json")
    page = people.ann.read(report)
    differing = re.search(r'<tr class="differs">\s*<td>(\d+)', page)
    assert differing is not None
    entry = int(differing[1]) - 1
    shown = people.ann.read(f"/cases/new?report={report.rpartition('/')[2]}&hand=0&entry={entry}")
    assert "differs" in shown.partition("</table>")[0]
    assert 'name="amount"' in shown
    assert 'name="lack"' not in shown


def test_each_kind_asks_only_for_what_it_needs(people: People) -> None:
    needs = {"legality": [], "amount": ["amount"], "record": ["lack"], "behaviour": ["whose"]}
    for kind, asks in needs.items():
        page = people.ann.read(f"/cases/new?report={people.report_id}&hand=0&action=17&kind={kind}")
        assert [name for name in ("amount", "lack", "whose") if f'name="{name}"' in page] == asks


NOWHERE = (
    "hand=7",
    "hand=x",
    "hand=0&action=9999",
    "hand=0&entry=99",
    "hand=0&action=17&finding=ACT001",
    "hand=0&action=3&finding=ACT023",
    "hand=0&action=17&entry=1",
    "",
)


def test_what_a_report_does_not_hold_is_not_found(people: People) -> None:
    for wrong in NOWHERE:
        assert people.ann.get(f"/cases/new?report={people.report_id}&{wrong}").status_code == 404, wrong
        assert people.ann.get(f"/cases/new?report=x&{wrong}").status_code == 404


def test_a_case_is_opened_with_its_parties(people: People) -> None:
    case = opened(people)
    (row,) = rows(people.service, Dispute)
    assert (row.kind, row.hand, row.action, row.code, row.entry) == ("legality", 0, 17, "ACT023", None)
    seats = {party.account: party.seat for party in rows(people.service, Party)}
    assert seats == {account_id(people.service, "Ann"): 1, account_id(people.service, "Bob"): 0}
    page = people.bob.read(case)
    assert "It was no 过水." in text_of(page)
    assert "Step 18 of" in text_of(page)
    assert case in links(people.ann.read(f"/cases/new?report={people.report_id}&hand=0"))


WRONG: list[tuple[dict[str, str], str]] = [
    ({"text": " \n "}, "Something has to be written"),
    ({"text": "x" * 4001}, "At most 4000 characters; there are 4001."),
    ({"party0": "Nemo"}, "no account of this name"),
    ({"party1": "BOB"}, "a party already"),
    ({"party1": "Ann"}, "a party already"),
    ({"seat0": "1"}, "cannot have had one seat"),
    ({"seat0": "5"}, "Choose one of the list"),
    ({"kind": "amount", "amount": "a lot"}, "A whole number"),
    ({"kind": "record"}, "Choose one of the list"),
    ({"kind": "behaviour"}, "Choose one of the list"),
]
"""What is wrong with a form that opens a case, and what is said of it."""


def test_a_wrong_form_keeps_what_was_typed_and_says_what_is_wrong(people: People) -> None:
    for wrong, said in WRONG:
        answer = people.ann.post("/cases", **new(people, **wrong))
        assert answer.status_code == 422, wrong
        assert said in text_of(answer.text), wrong
        assert 'aria-invalid="true"' in answer.text
        if "text" not in wrong:
            assert "It was no 过水.</textarea>" in answer.text
        assert f'value="{wrong.get("party0", "bob")}"' in answer.text
    assert rows(people.service, Dispute) == []


def test_nobody_opens_a_second_case_about_just_the_same(people: People) -> None:
    case = opened(people)
    answer = people.ann.post("/cases", **new(people))
    assert answer.status_code == 409
    assert "about just this that is not over" in text_of(answer.text)
    assert case in links(answer.text.partition('role="alert"')[2].partition("</p>")[0])
    assert "It was no 过水.</textarea>" in answer.text
    does(people.ann, case, "withdraw")
    assert opened(people) != case


def test_what_was_decided_is_not_opened_again_and_its_case_is_named(people: People) -> None:
    case = opened(people)
    does(people.judge, case, "take")
    does(people.judge, case, "decide", **RULING)
    answer = people.ann.post("/cases", **new(people))
    assert answer.status_code == 409
    assert "can be appealed" in text_of(answer.text)
    assert case in links(answer.text.partition('role="alert"')[2].partition("</p>")[0])
    does(people.bob, case, "appeal", text="No.")
    does(people.second, case, "take")
    does(people.second, case, "decide", **RULING | {"instance": "second"})
    answer = people.ann.post("/cases", **new(people))
    assert answer.status_code == 409
    assert "decided for good" in text_of(answer.text)


def test_so_many_cases_are_opened_within_an_hour(people: People) -> None:
    for _ in range(OPENED.most):
        does(people.ann, opened(people, party0="", seat0=""), "withdraw")
    answer = people.ann.post("/cases", **new(people, party0="", seat0=""))
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 3000
    assert "It was no 过水.</textarea>" in answer.text
    assert len(rows(people.service, Dispute)) == OPENED.most


def test_the_report_names_its_cases_to_those_who_may_read_them(people: People) -> None:
    case = opened(people)
    for reader in (people.ann, people.bob, people.judge):
        assert case in links(reader.read(people.report), case)
    does(people.ann, case, "withdraw")
    assert "withdrawn" in text_of(people.ann.read(people.report))
    made = people.ann.post(f"{people.report}/shares", view=WHOLE, lasts=next(iter(LIFETIMES)))
    (shared,) = set(re.findall(r"/s/[\w-]+", made.text))
    page = people.nobody.read(shared)
    assert "ACT023" in page
    assert case not in page


def test_names_can_be_tried_only_so_often(people: People) -> None:
    for number in range(10):
        names = {f"party{place}": f"Nemo {number} {place}" for place in range(3)}
        assert "no account" in text_of(people.ann.post("/cases", **new(people, **names)).text)
    answer = people.ann.post("/cases", **new(people))
    assert answer.status_code == 422
    assert "Too many names" in text_of(answer.text)


OTHERS = (
    {"kind": "amount", "amount": "-12", "finding": "", "action": "", "entry": "3"},
    {"kind": "record", "lack": "altered", "finding": ""},
    {"kind": "behaviour", "whose": "2", "finding": "", "action": ""},
)


def test_the_other_kinds_are_shown_in_every_language(people: People) -> None:
    for more in OTHERS:
        case = opened(people, **more)
        for lang, browser in product(LANGUAGES, (people.ann, people.judge)):
            answer = browser.get(f"{case}?lang={lang}")
            assert answer.status_code == 200
            assert 'class="board"' in answer.text
            assert re.search(r"cases\.[a-z]+", text_of(answer.text)) is None
    for lang in LANGUAGES:
        assert people.ann.get(f"/cases?lang={lang}").status_code == 200


# The way of a case -----------------------------------------------------------------------------------


def test_the_whole_way_of_a_case(people: People) -> None:
    case = opened(people)
    does(people.bob, case, "statement", text="I passed on <b>purpose</b>.")
    does(people.bob, case, "statement", text="By mistake.", corrects="1")
    does(people.ann, case, "pin", step="14", text="Here it was passed.")
    does(people.ann, case, "note", finding="0", text="This one.")
    does(people.ann, case, "evidence", file=(BytesIO(b"picture"), "shot.png"), text="The screen.")
    does(people.judge, case, "take")
    page = people.judge.read(case)
    assert {"decide", "ask", "release"} <= forms_of(page, case)
    does(people.judge, case, "ask", whom1="1", text="Why?")
    assert "answer" in forms_of(people.bob.read(case), case)
    assert "answer" not in forms_of(people.ann.read(case), case)
    does(people.bob, case, "answer", text="So.")
    effect = {"from0": "0", "to0": "1", "amount0": "2", "from3": "2", "to3": "1", "amount3": "5"}
    does(people.judge, case, "decide", **RULING, canned="allowed", **effect)
    said = text_of(people.ann.read(case))
    assert "The action was allowed." in said
    assert "The engine says otherwise: The action was not allowed." in said
    assert "By the clause that is cited the action was allowed." in said
    assert "A raise frees it." in said
    assert "不能弃先胡后" in said
    does(people.bob, case, "appeal", text="No.")
    assert forms_of(people.judge.read(case), case) == set()
    does(people.second, case, "take")
    final = {
        "ruling": "illegal",
        "clause": "typed",
        "document": "000",
        "section": "§2.6",
        "quote": "不能弃先胡后",
    }
    does(people.second, case, "decide", **final, canned="stands", instance="second")
    said = text_of(people.bob.read(case))
    assert "Decided twice, and final." in said
    assert "Final decision" in said
    assert "The engine says the same: The action was not allowed." in said
    for paper in (said, text_of(people.bob.read(f"{case}/print.html"))):
        assert "This decision takes the place of decision #10; its payments no longer stand." in paper
        assert "By this decision nothing is to be paid." in paper
        assert "Decision #13 has taken the place of this one; these payments no longer stand." in paper
    for browser in (people.ann, people.bob, people.judge, people.second, people.boss):
        assert forms_of(browser.read(case), case) == set()
    kinds = [row.kind for row in rows(people.service, DisputeEntry)]
    assert kinds == [
        *("opened", "statement", "statement", "pin", "note", "evidence", "taken", "asked"),
        *("answered", "decided", "appealed", "retaken", "closed"),
    ]
    has_words_in_every_language(people, case)


def has_words_in_every_language(people: People, case: str) -> None:
    for lang in LANGUAGES:
        page = people.ann.read(f"{case}?lang={lang}")
        assert len(re.findall(r'id="entry-\d+"', page)) == 13
        assert re.search(r"cases\.[a-z]+", text_of(page)) is None


def test_steps_of_the_table_stay_beside_the_file(people: People) -> None:
    case = opened(people)
    does(people.ann, case, "pin", step="14", text="Here it was passed.")
    page = people.ann.read(case)
    assert f"{case}?step=14#board" in links(page)
    assert f"{case}?step=17#board" in links(page)
    there = people.ann.read(f"{case}?step=14")
    assert "Step 14 of" in text_of(there)
    assert f"{case}?step=15#board" in links(there)
    assert "Step 0 of" in text_of(people.ann.read(f"{case}?step=-5"))
    assert people.ann.get(f"{case}?step=99999").status_code == 200


WRONG_WORDS: list[tuple[str, dict[str, Any], str]] = [
    ("statement", {"text": ""}, "Something has to be written"),
    ("statement", {"text": "x", "corrects": "0"}, "not one of your own words"),
    ("statement", {"text": "x", "corrects": "7"}, "not one of your own words"),
    ("pin", {"step": "9999"}, "A whole number from 0 to"),
    ("pin", {"step": ""}, "A whole number"),
    ("note", {"finding": "9", "text": "x"}, "Choose one of the list"),
    ("party", {"name": ""}, "Something has to be written"),
    ("party", {"name": "Nemo"}, "no account of this name"),
    ("party", {"name": "Bob"}, "a party already"),
    ("evidence", {"text": "x"}, "Choose a file"),
    ("evidence", {"file": (BytesIO(b""), "a.txt"), "text": "x"}, "at least one byte"),
]


def test_a_wrong_form_of_a_party(people: People) -> None:
    case = opened(people)
    for name, form, said in WRONG_WORDS:
        answer = act(people.bob, case, name, **form)
        assert answer.status_code == 422, (name, form)
        assert said in text_of(answer.text), (name, form)
        assert f'id="act-{name}" open' in answer.text
    assert len(rows(people.service, DisputeEntry)) == 1


# Who may do what -------------------------------------------------------------------------------------


def test_u7_a_case_is_not_there_for_others(people: People) -> None:
    case = opened(people)
    assert people.eve.get(case).status_code == 404
    assert people.eve.post(f"{case}/statement", text="Hello").status_code == 404
    assert people.eve.get(f"/cases/new?report={people.report_id}&hand=0").status_code == 404
    assert people.eve.post("/cases", **new(people)).status_code == 404
    assert people.nobody.get(case).status_code == 303
    assert people.nobody.get("/cases").status_code == 303
    assert "no cases" in text_of(people.eve.read("/cases"))
    assert people.ann.get("/cases/00000000-0000-4000-8000-000000000000").status_code == 404
    assert people.ann.get("/cases/x").status_code == 404
    assert people.bob.get(people.report).status_code == 200


def test_nobody_decides_his_own_case(people: People) -> None:
    signed_in(people.nobody, "Player who judges")
    case = opened(people, party1="Player who judges")
    set_role(people.service.engine, account_id(people.service, "Player who judges") or "", "arbiter")
    party = signed_in(people.nobody, "Player who judges", "arbiter")
    for browser in (people.ann, people.bob, party, people.boss):
        assert not forms_of(browser.read(case), case) & {"take", "decide"}
        assert browser.post(f"{case}/take").status_code == 403
    does(people.judge, case, "take")
    for browser in (people.ann, people.bob, party, people.boss):
        answer = browser.post(f"{case}/decide", **RULING)
        assert answer.status_code == 403
        assert "but not do this" in text_of(answer.text)
    does(people.judge, case, "decide", **RULING)
    does(people.ann, case, "appeal", text="No.")
    assert people.judge.post(f"{case}/take").status_code == 403
    does(people.second, case, "take")
    assert people.judge.post(f"{case}/decide", **(RULING | {"instance": "second"})).status_code == 403
    assert state_of(people) == "retaken"


def test_an_arbiter_who_owns_the_report_does_not_take_its_case(people: People) -> None:
    report = people.judge.report(sample("chengdu/clean"))
    about = {"report": report.rpartition("/")[2], "hand": "0", "kind": "behaviour", "whose": "0", "text": "x"}
    case = people.judge.post("/cases", **about).location
    assert people.judge.post(f"{case}/take").status_code == 403
    assert "take" in forms_of(people.second.read(case), case)


def test_t12_who_comes_too_late_is_told_how_it_stands(people: People) -> None:
    case = opened(people)
    does(people.judge, case, "take")
    late = people.second.post(f"{case}/take")
    assert late.status_code == 409
    assert "somebody was faster" in text_of(late.text)
    assert people.second.post(f"{case}/decide", **RULING).status_code == 409
    does(people.judge, case, "decide", **RULING)
    again = people.judge.post(f"{case}/decide", **RULING)
    assert again.status_code == 409
    assert people.ann.post(f"{case}/statement", text="One more thing.").status_code == 409
    does(people.ann, case, "appeal", text="No.")
    does(people.second, case, "take")
    assert people.second.post(f"{case}/decide", **RULING).status_code == 409
    does(people.second, case, "decide", **(RULING | {"instance": "second"}))
    assert people.second.post(f"{case}/decide", **(RULING | {"instance": "second"})).status_code == 409
    assert people.bob.post(f"{case}/appeal", text="Again.").status_code == 409


def test_staff_sees_a_case_and_that_is_written_down(people: People) -> None:
    case = opened(people)
    for browser in (people.ann, people.bob):
        browser.read(case)
    assert rows(people.service, StaffView) == []
    for browser in (people.judge, people.boss):
        browser.read(case)
    views = {(view.account, view.hand, view.dispute_id) for view in rows(people.service, StaffView)}
    accounts = [account_id(people.service, name) for name in ("Judge", "Boss")]
    assert views == {(account, 0, case.rpartition("/")[2]) for account in accounts}


def test_an_arbiter_opens_no_case_about_what_he_sees_by_office(people: People) -> None:
    opened(people)
    page = people.judge.read(f"/cases/new?report={people.report_id}&hand=0")
    assert 'action="/cases"' not in page
    assert people.judge.post("/cases", **new(people)).status_code == 403
    assert links(people.judge.read(people.report), "/cases/new") == []
    assert len(rows(people.service, Dispute)) == 1


def test_a_party_opens_a_case_and_the_owner_is_told(people: People) -> None:
    opened(people)
    answer = people.bob.post("/cases", **new(people, party0="", seat0=""))
    assert answer.status_code == 303
    assert answer.location in links(people.ann.read("/cases"))


def test_every_change_is_a_form_of_this_site(people: People) -> None:
    case = opened(people)
    for name in ("statement", "take", "decide", "withdraw", "evidence"):
        assert people.ann.get(f"{case}/{name}").status_code == 405
    people.ann.headers = {"Sec-Fetch-Site": "cross-site"}
    assert people.ann.post(f"{case}/withdraw").status_code == 403
    assert people.ann.post("/cases", **new(people)).status_code == 403
    assert state_of(people) == "open"


# Files, names, lists ---------------------------------------------------------------------------------


def test_a_file_is_only_ever_given_to_be_saved(people: People) -> None:
    case = opened(people)
    html = b"<script>alert(1)</script>"
    does(people.bob, case, "evidence", file=(BytesIO(html), f"../{NASTY}.html"), text="Look.")
    (url,) = links(people.ann.read(case), f"{case}/evidence/")
    answer = people.ann.get(url)
    assert answer.data == html
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    disposition = answer.headers["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename="evidence-[0-9a-f-]{36}\.bin"', disposition)
    does(people.bob, case, "evidence", file=(BytesIO(b"picture"), "Shot.one.PNG"), text="Look.")
    picture = people.ann.get(links(people.ann.read(case), f"{case}/evidence/")[1])
    assert picture.headers["Content-Disposition"].endswith('.png"')
    assert picture.headers["Content-Type"] == "application/octet-stream"
    assert people.eve.get(url).status_code == 404
    other = opened(people, kind="behaviour", whose="2")
    assert people.ann.get(url.replace(case, other)).status_code == 404


def test_a_file_that_is_too_large_is_refused(people: People) -> None:
    case = opened(people)
    answer = people.ann.post(f"{case}/evidence", file=(BytesIO(bytes(FILE_BYTES + 1)), "big"), text="x")
    assert answer.status_code == 422
    assert (
        people.ann.post(
            f"{case}/evidence", file=(BytesIO(bytes(FILE_BYTES + 2**17)), "big"), text="x"
        ).status_code
        == 413
    )


def test_a_file_counts_for_the_quota(tmp_path: Path) -> None:
    with accounts_service(tmp_path / "data", quota_bytes=100_000) as service:
        ann = signed_in(anonymous(service), "Ann")
        report = ann.report(sample("chengdu/guo-shui"))
        form = {
            "report": report.rpartition("/")[2],
            "hand": "0",
            "kind": "behaviour",
            "whose": "0",
            "text": "x",
        }
        case = ann.post("/cases", **form).location
        does(ann, case, "evidence", file=(BytesIO(bytes(60_000)), "a"), text="x")
        answer = act(ann, case, "evidence", file=(BytesIO(bytes(60_000)), "b"), text="x")
        assert answer.status_code == 422
        assert "no room left" in text_of(answer.text)


def test_u7_words_and_names_are_only_ever_text(people: People) -> None:
    mallory = signed_in(people.nobody, "<script>alert(1)</script>")
    case = opened(people, party1="<script>alert(1)</script>", text=f"{NASTY}\r\n\r\nsecond line\x00")
    does(mallory, case, "statement", text="<script>alert(2)</script>")
    does(mallory, case, "pin", step="3", text="<svg onload=alert(3)>")
    does(mallory, case, "evidence", file=(BytesIO(b"x"), "<b>.png"), text=NASTY)
    for url in (case, "/cases"):
        page = people.ann.read(url)
        for evil in ("<script>alert", "<img", "<svg onload", "<b>.png", "‮", "\x00"):
            assert evil not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in people.ann.read(case)
    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in people.ann.read(case)


def test_the_list_says_what_waits_for_whom(people: People) -> None:
    case = opened(people)
    assert "Waits for an arbiter" in text_of(people.ann.read("/cases"))
    does(people.judge, case, "take")
    assert "Waits for the decision of Judge" in text_of(people.ann.read("/cases"))
    does(people.judge, case, "ask", whom1="1", text="Why?")
    assert "waits for an answer of Bob" in text_of(people.second.read("/cases"))
    does(people.judge, case, "decide", **RULING)
    assert "Decided; a party can appeal once." in text_of(people.boss.read("/cases"))


def test_the_list_is_filtered_by_its_address(people: People) -> None:
    first, second = opened(people), opened(people, kind="behaviour", whose="2")
    does(people.judge, first, "take")

    def found(query: str) -> list[str]:
        every = links(people.second.read(f"/cases?{query}"), "/cases/")
        return [url for url in every if len(url) > 40]

    assert found("") == [first, second]
    assert found("kind=behaviour") == [second]
    assert found("state=taken") == [first]
    assert found("state=waiting") == [first, second]
    assert found("rules=chengdu") == [first, second]
    assert found("kind=nonsense") == [first, second]
    assert "No case is like that." in text_of(people.second.read("/cases?state=closed"))


def test_without_accounts_a_case_is_kept_but_nobody_decides_it(browser: Browser) -> None:
    report = browser.report(sample("chengdu/guo-shui"))
    assert "accounts are off".lower() in text_of(browser.read("/cases")).lower()
    page = browser.read(links(browser.read(report), "/cases/new")[0])
    assert "REPLAY_ACCOUNTS" in page
    assert 'name="party0"' not in page
    form = {"report": report.rpartition("/")[2], "hand": "0", "kind": "legality", "text": "x"}
    case = browser.post("/cases", **form).location
    does(browser, case, "statement", text="More.")
    assert not forms_of(browser.read(case), case) & {"take", "decide", "ask", "release"}
    assert browser.post(f"{case}/take").status_code == 403
    does(browser, case, "withdraw")
    assert "Withdrawn" in text_of(browser.read(case))
