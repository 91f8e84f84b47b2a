"""Decisions of cases: what can be decided, with which clause, and what is to be paid."""

import re

from .asking import links, sample, text_of
from .disputing import LANGUAGES, RULING, People, act, does, opened, state_of


def test_what_is_to_be_paid_stands_beside_the_recomputed_result(people: People) -> None:
    case = opened(people)
    does(people.judge, case, "take")
    does(
        people.judge,
        case,
        "decide",
        **RULING,
        from0="0",
        to0="1",
        amount0="2",
        from1="3",
        to1="0",
        amount1="1",
    )
    page = people.ann.read(case)
    table = re.search(r'<table class="scores">.*?</table>', page, re.S)
    assert table is not None
    found = [
        [text_of(f"<main>{cell}</main>") for cell in re.findall(r"<td>(.*?)</td>", row)]
        for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", table[0])
    ]
    assert found == [["+2", "-1", "+1"], ["-1", "+2", "+1"], ["-1", "0", "-1"], ["0", "-1", "-1"]]
    assert sum(int(row[1]) for row in found) == 0
    assert "takes the place" not in text_of(page)


WRONG_RULINGS: list[tuple[dict[str, str], str]] = [
    ({}, "Choose one of the list"),
    (RULING | {"ruling": "claimed"}, "Choose one of the list"),
    (RULING | {"clause": "99"}, "Choose one of the list"),
    (RULING | {"clause": "typed"}, "Something has to be written"),
    (RULING | {"text": ""}, "Something has to be written"),
    (RULING | {"from0": "1", "to0": "1", "amount0": "3"}, "must be different"),
    (RULING | {"from0": "1", "to0": "2", "amount0": "-3"}, "A whole number"),
    (RULING | {"from0": "1", "to0": "2", "amount0": "0.5"}, "A whole number"),
    (RULING | {"from0": "1", "to0": "2", "amount0": "1000000001"}, "A whole number"),
    (RULING | {"from0": "1", "amount0": "5"}, "Choose one of the list"),
    (RULING | {"canned": "stands"}, "does not go with the ruling"),
    (RULING | {"canned": "founded"}, "does not go with the ruling"),
]


def test_a_wrong_decision_decides_nothing(people: People) -> None:
    case = opened(people)
    does(people.judge, case, "take")
    for form, said in WRONG_RULINGS:
        answer = act(people.judge, case, "decide", **({"instance": "first"} | form))
        assert answer.status_code == 422, form
        assert said in text_of(answer.text), form
        if form.get("text"):
            assert f"{form['text']}</textarea>" in answer.text
    assert state_of(people) == "taken"


def offered(page: str) -> list[tuple[str, list[str]]]:
    """The wordings that a form offers, by the rulings that they go with."""
    groups = re.findall(r'<optgroup [^>]*data-rulings="([^"]*)">(.*?)</optgroup>', page, re.S)
    return [(rulings, re.findall(r'value="(\w+)"', group)) for rulings, group in groups]


def test_wordings_go_with_the_kind_and_the_ruling_and_what_is_paid(people: People) -> None:
    case = opened(people)
    does(people.judge, case, "take")
    ours = [("legal", ["allowed"]), ("illegal", ["stands", "broken"]), ("open", ["record_open"])]
    assert offered(people.judge.read(case)) == ours
    money = opened(people, kind="amount", finding="", action="", entry="3")
    does(people.judge, money, "take")
    page = people.judge.read(money)
    assert [found for _, found in offered(page)] == [["amount_stands"], ["amount_changed"], ["record_open"]]
    form = {"clause": "0", "instance": "first", "text": "So."}
    paid = {"from0": "0", "to0": "1", "amount0": "2"}
    stands, changed = (
        {"ruling": "recomputed", "canned": "amount_stands"},
        {"ruling": "other", "canned": "amount_changed"},
    )
    for wrong, said in (
        (stands | paid, "payments are filled in"),
        (changed, "none is filled in"),
        (stands | {"ruling": "other"}, "does not go with"),
    ):
        answer = act(people.judge, money, "decide", **form, **wrong)
        assert answer.status_code == 422, wrong
        assert said in text_of(answer.text), wrong
        assert f'<option value="{wrong["canned"]}" selected>' in answer.text
    does(people.judge, money, "decide", **form, **changed, **paid)


CONTRADICTIONS = [
    ({"ruling": "open"}, [(0, 1, 7)], "nothing can be ordered"),
    ({"ruling": "recomputed"}, [(0, 1, 7)], "nothing further is to be paid"),
    ({"ruling": "other"}, [], "somebody has to pay the difference"),
    ({"ruling": "claimed"}, [], "somebody has to pay the difference"),
    ({"ruling": "other"}, [(0, 1, 7), (1, 0, 7)], "make up for each other"),
]


def test_a_ruling_and_its_payments_do_not_contradict_each_other(people: People) -> None:
    report = people.ann.report(sample("chengdu/misclaimed-settlement"), "other.json").rpartition("/")[2]
    money = opened(people, report=report, kind="amount", finding="", action="", entry="0")
    does(people.judge, money, "take")
    form = {"clause": "0", "instance": "first", "text": "So."}
    for ruling, payments, said in CONTRADICTIONS:
        rows_ = enumerate(payments)
        paid = {
            f"{name}{n}": str(v)
            for n, one in rows_
            for name, v in zip(("from", "to", "amount"), one, strict=True)
        }
        answer = act(people.judge, money, "decide", **form, **ruling, **paid)
        assert answer.status_code == 422, ruling
        assert said in text_of(answer.text), ruling
    does(people.judge, money, "decide", **form, ruling="open")
    assert "The engine does decide it" in text_of(people.ann.read(money))


def test_what_a_decision_comes_to_counts_no_other_and_says_so(people: People) -> None:
    cases = [opened(people, kind="amount", finding="", action="", entry=entry) for entry in ("0", "1")]
    paid = {"from0": "0", "to0": "1", "amount0": "2"}
    for case in cases:
        does(people.judge, case, "take")
        does(people.judge, case, "decide", **RULING | {"ruling": "other"}, **paid)
        page = text_of(people.ann.read(case))
        assert ("Other decided cases about this hand: 1" in page) == (case == cases[1])
    first = people.ann.read(cases[0])
    assert "Other decided cases about this hand: 1" in text_of(first)
    assert cases[1] in links(first)


def test_a_clause_that_the_arbiter_typed_is_said_to_be_his(people: People) -> None:
    case = opened(people)
    does(people.judge, case, "take")
    typed = {"clause": "typed", "document": "000", "section": "2.6", "quote": "打牌时"}
    does(people.judge, case, "decide", **RULING | typed)
    for page in (people.ann.read(case), people.ann.read(f"{case}/print.html")):
        assert "as the arbiter typed it" in page


def test_a_pin_that_was_corrected_says_so_where_it_is_listed(people: People) -> None:
    case = opened(people)
    does(people.bob, case, "pin", step="3", text="Here.")
    does(people.bob, case, "statement", text="Not there.", corrects="1")
    pins = people.ann.read(case).partition('<ul class="pins">')[2].partition("</ul>")[0]
    assert pins.count("Corrected by") == 1


def test_the_clauses_of_a_payment_are_said_with_what_they_are_of(people: People) -> None:
    report = people.ann.report(sample("chengdu/misclaimed-settlement"), "other.json")
    case = opened(people, report=report.rpartition("/")[2], kind="amount", finding="", action="", entry="0")
    does(people.judge, case, "take")
    agreed = {"en": "option agreed for this game", "zh-Hans": "本场约定的选项", "zh-Hant": "本場約定的選項"}
    for lang in LANGUAGES:
        page = people.judge.read(f"{case}?lang={lang}")
        select = re.search(r'<select id="decide-clause".*?</select>', page, re.S)
        assert select is not None
        clauses = re.findall(r'<option value="\d+">(.*?)</option>', select[0])
        (option,) = (one for one in clauses if agreed[lang] in one)
        assert "never" not in option or lang == "en"
        assert "rules.options" not in select[0]
        assert "dead_wait" not in select[0]
        assert all(one.count(" · ") >= 2 and not one.startswith("·") for one in clauses), clauses
