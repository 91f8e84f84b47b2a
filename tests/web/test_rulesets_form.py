"""House rule sets by the form and by an uploaded document: what is kept, and what is refused in words."""

import json
import re
from html import unescape
from io import BytesIO

import orjson
import pytest

from replay import load_profile
from replay.house import LIMITS, document_of, started
from replay.profile import profile_from, profile_ids, values
from replay.sense import value_keys, value_schemas
from replay.store.tables import HouseRules
from replay.web.rulesets.comparing import TABLES
from replay.web.rulesets.house_form import DERIVED
from replay.wording import Words, languages
from tests.jobs.working import rows

from .asking import Browser, links, text_of
from .houses import BASE, alert, document_at, entries, kept, make

WRONG = {
    "value__base": ("0", "base: found 0, expected a whole number from 1 to 1000000, or silver_35"),
    "value__cap_fan": ("much", "cap in fan: found much, expected a whole number from 1 to 30, or none"),
    "value__gen": ("some", "what counts as gen: found some, expected one of: nothing,"),
    "value__shapes.qi_dui": ("99", "seven pairs (qi dui): found 99, expected a whole number from 0 to 30"),
    "value__extras.gen": ("<b>", "four alike (gen): found <b>, expected a whole number from 0 to 30"),
    "value__own_gangs.exposed": ("1", "concealed: found none, expected a whole number from 0 to 30"),
    "value__excludes": ('[["gen"]', "fan that do not go together: found"),
    "value__forced_last": ("", "found none, expected a whole number from 0 to 56"),
    "id": (BASE, "Id: lower-case letters, digits and hyphens"),
}  # fmt: skip
"""By field: what is entered, and what the page says to it."""


class TestForm:
    @pytest.mark.parametrize("base", profile_ids())
    def test_it_begins_with_every_value_of_its_base(self, browser: Browser, base: str) -> None:
        found = entries(browser.read(f"/rule-sets/new?from={base}"))
        keys = {name.split(".")[1] for name in found if name.startswith("value.")}
        assert keys == {*value_keys()} - {*DERIVED}
        _, document = kept(browser, base)
        rules, plain = profile_from(document), load_profile(base)
        assert rules.digest == plain.digest
        assert (rules.cites, rules.readings) == (plain.cites, plain.readings)

    @pytest.mark.parametrize("lang", languages())
    def test_it_is_worded_in_every_language(self, browser: Browser, lang: str) -> None:
        said = text_of(browser.read(f"/rule-sets/new?from={BASE}&lang={lang}"))
        words = Words.of(lang)
        assert [key for key in {*value_keys()} - {*DERIVED} if words.label("rule", key) not in said] == []
        for table in TABLES:
            parts = value_schemas()[table]["properties"]
            assert [part for part in parts if words.label("fan", part) not in said] == []

    def test_a_changed_value_is_set_by_the_house_and_the_others_keep_their_words(
        self, browser: Browser
    ) -> None:
        changes = {"value__forced_last": " ２ ", "value__shapes.qi_dui": "4", "value__shapes.men_qing": "1"}
        changes |= {
            "value__base": "silver_35",
            "value__absorb_gen.long_qi_dui": "",
            "value__levels": '[{"name":"a","points":0}]',
        }
        place, document = kept(browser, id="our-room", name="Our room", **changes)
        rules, plain = profile_from(document), load_profile(BASE)
        assert (rules.id, set(rules.names.values())) == ("our-room", {"Our room"})
        assert (rules.forced_last, rules.base, rules.levels) == (2, "silver_35", [{"name": "a", "points": 0}])
        assert rules.shapes == {**plain.shapes, "qi_dui": 4, "men_qing": 1}
        assert (rules.absorb_gen, rules.dragon_pairs_absorb_gen) == ({"qing_long_qi_dui": 1}, False)
        changed = {key for key in value_keys() if values(rules)[key] != values(plain)[key]}
        assert changed == {"forced_last", "shapes", "base", "absorb_gen", "dragon_pairs_absorb_gen", "levels"}
        assert {rules.cites[key].document for key in changed} == {"our-room"}
        assert {"shapes.qi_dui", "shapes.men_qing"}.isdisjoint(rules.cites)
        for lang, said in {"en": "set by the house", "zh-Hans": "本桌自定", "zh-Hant": "本桌自定"}.items():
            assert {rules.readings[key][lang] for key in changed} == {said}
        assert rules.cites["shapes.ping_hu"] == plain.cites["shapes"]
        kept_words = {*plain.cites} - changed - {"shapes.qi_dui"}
        assert {key: rules.cites[key] for key in kept_words} == {key: plain.cites[key] for key in kept_words}
        page = text_of(browser.read(place))
        assert "last tiles on which a hu is forced forced_last 4 ≠ 2" in page
        assert rules.digest in page

    def test_gangs_that_do_not_enter_the_price_are_a_table_left_empty(self, browser: Browser) -> None:
        _, document = kept(
            browser,
            value__own_gangs=" ",
            **{"value__own_gangs.exposed": "1"},
            **{"value__own_gangs.concealed": "2"},
        )
        assert document["values"]["own_gangs"] == {"exposed": 1, "concealed": 2}
        assert document["values"]["payer_gangs"] is None

    def test_a_rule_set_without_a_name_or_id_is_called_after_its_base(self, browser: Browser) -> None:
        _, document = kept(browser, name="", id="")
        assert document["id"] == f"{BASE}-house"
        for lang in languages():
            assert load_profile(BASE).names[lang] in document["names"][lang]
        _, other = kept(browser, name="Friday table", id="")
        assert (other["id"], other["names"]["zh-Hans"]) == ("friday-table", "Friday table")
        _, third = kept(browser, name="我们的规则", id="")
        assert third["id"] == f"{BASE}-house"

    def test_of_each_value_that_cannot_be_the_page_says_what_was_found_and_expected_and_its_clause(
        self, browser: Browser
    ) -> None:
        answer = make(browser, **{name: given for name, (given, _) in WRONG.items()})
        assert answer.status_code == 422
        said = alert(answer.text)
        assert [one for _, one in WRONG.values() if one not in said] == []
        assert rows(browser.service, HouseRules) == []
        entered = entries(answer.text)
        for name, (given, _) in WRONG.items():
            assert entered[name.replace("__", ".")] == given
        for key in ("cap_fan", "forced_last"):
            field = answer.text.partition(f'id="wrong-{key}"')[2].partition("</div>")[0]
            assert load_profile(BASE).cites[key].text in unescape(field)
        assert f"/rule-sets/new?from={BASE}&lang=zh-Hans" in links(answer.text)

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"value__cap_fan": "", "value__hua_zhu": "cap"}, "hua zhu: the price of the cap cannot be paid"),
            (
                {"value__base": "1000000", "value__cap_fan": "30", "value__shapes.ping_hu": "30"},
                "base: with these values one payment",
            ),
            ({"value__shapes.ping_hu": "0"}, "fan of the shapes: this scale needs at least 1 fan"),
            ({"value__shapes.ping_hu": ""}, "basic hand (ping hu): found none"),
            ({"value__excludes": '[["gen","jin_gou_diao"]]'}, "only fan that this rule set counts"),
            (
                {"value__levels": '[{"name":"a","points":5},{"name":"b","points":5}]'},
                "levels: each level begins",
            ),
        ],
    )
    def test_values_that_make_no_sense_together_are_refused_in_words(
        self, browser: Browser, changes: dict[str, str], said: str
    ) -> None:
        answer = make(browser, **changes)
        assert answer.status_code == 422
        assert said in alert(answer.text)
        assert rows(browser.service, HouseRules) == []

    @pytest.mark.parametrize(
        "text", ["[" * 5000, '[["gen","gen"]]', "[1.5]", "{}", '["a', "NaN", '[{"a":1,"a":1}]']
    )
    def test_a_list_that_is_none_is_refused(self, browser: Browser, text: str) -> None:
        answer = make(browser, value__excludes=text)
        assert answer.status_code == 422
        assert "fan that do not go together: found" in alert(answer.text)

    def test_a_base_that_is_not_there_is_not_found(self, browser: Browser) -> None:
        for base in ("casino", "house:x", "house:00000000-0000-4000-8000-000000000000", "../x"):
            assert browser.get(f"/rule-sets/new?from={base}").status_code == 404
            assert browser.post(f"/rule-sets?from={base}", name="x").status_code == 404

    def test_a_form_larger_than_a_form_can_be_is_refused(self, browser: Browser) -> None:
        assert make(browser, name="a" * 200_000).status_code == 413
        many = {f"value.x{number}": "1" for number in range(500)}
        assert browser.post("/rule-sets", **many).status_code == 413

    def test_another_site_can_keep_nothing(self, browser: Browser) -> None:
        browser.headers = {"Sec-Fetch-Site": "cross-site"}
        assert make(browser).status_code == 403
        assert browser.post("/rule-sets/documents", text="{}").status_code == 403
        assert rows(browser.service, HouseRules) == []


class TestDocuments:
    def test_one_that_is_uploaded_or_pasted_is_kept_as_it_is(self, browser: Browser) -> None:
        document = started(load_profile(BASE), "our-room", {"forced_last": 2})
        document["x_ours"] = {"table": 3}
        data = json.dumps(document, indent=3).encode()
        answer = browser.post("/rule-sets/documents", file=(BytesIO(data), "rules.json"))
        assert answer.status_code == 303
        assert document_at(browser, answer.location) == document
        assert browser.post("/rule-sets/documents", text=data.decode()).location == answer.location
        saved = browser.get(f"{answer.location}/rules.json")
        assert saved.headers["Content-Disposition"] == 'attachment; filename="our-room.json"'
        assert saved.headers["Content-Type"] == "application/json"

    def test_a_built_in_one_can_be_saved_to_begin_with(self, browser: Browser) -> None:
        saved = browser.get(f"/rule-sets/{BASE}.json")
        assert profile_from(orjson.loads(saved.data)).digest == load_profile(BASE).digest
        assert browser.get("/rule-sets/casino.json").status_code == 404

    @pytest.mark.parametrize("lang", languages())
    def test_what_is_wrong_is_told_by_place_with_found_expected_and_the_clause(
        self, browser: Browser, lang: str
    ) -> None:
        document = started(load_profile(BASE), "our-room")
        document["values"] |= {"scale": "steep", "forced_last": 99}
        del document["values"]["cap_fan"], document["cites"]
        answer = browser.post(f"/rule-sets/documents?lang={lang}", text=json.dumps(document))
        assert answer.status_code == 422
        said, words = alert(answer.text), Words.of(lang)
        for key, problem in {
            "scale": 'found "steep", expected one of exp, exp0, lin',
            "forced_last": "found 99, expected integer from 0 to 56",
        }.items():
            label = words.label("rule", key)
            assert f"values/{key} ({label}): {words.phrase(problem, 300)}" in said
            assert load_profile(BASE).cites[key].text in said
        assert words.phrase("'cap_fan' is a required property") in said
        assert load_profile(BASE).cites["cap_fan"].text in said
        assert rows(browser.service, HouseRules) == []
        assert json.dumps(document) in unescape(answer.text)

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"", "There was nothing in the form"),
            (b"{", "Not readable"),
            (b"[]", "an array alone"),
            (b"7", "a number alone"),
            (b'{"id": "a", "id": "b"}', "stands twice"),
            (b"\xff{}", "Not UTF-8"),
            (b'{"x_deep": ' + b"[" * 9 + b"]" * 9 + b"}", "depth of nesting"),
            (b"[" * 100_000, "depth of nesting"),
            (b'{"x_long": "' + b"a" * LIMITS.document_bytes + b'"}', "size of the document"),
            (b'{"x": "\\ud800"}', "half characters"),
            (b"{}", "'format' is a required property"),
        ],
        ids=["nothing", "json", "array", "number", "twice", "utf-8", "deep", "deeper", "long", "half", "empty"],
    )  # fmt: skip
    def test_what_is_no_rule_set_is_refused_in_words(self, browser: Browser, data: bytes, said: str) -> None:
        answer = browser.post("/rule-sets/documents", file=(BytesIO(data), "rules.json"))
        assert answer.status_code == 422
        assert said in alert(answer.text)
        assert rows(browser.service, HouseRules) == []

    def test_one_that_poses_as_a_built_in_one_is_refused(self, browser: Browser) -> None:
        document = started(load_profile(BASE), "our-room", {"forced_last": 2}) | {"id": BASE}
        answer = browser.post("/rule-sets/documents", text=json.dumps(document))
        assert answer.status_code == 422
        assert f"found {BASE}, expected an id of its own" in alert(answer.text)

    @pytest.mark.parametrize("forged", ["cites", "readings", "names", "x_note"])
    def test_the_id_of_a_built_in_one_is_for_that_one_whole(self, browser: Browser, forged: str) -> None:
        document = document_of(load_profile(BASE))
        assert browser.post("/rule-sets/documents", text=json.dumps(document)).status_code == 303
        if forged == "cites":
            document["cites"]["scale"]["text"] = "something else"
        else:
            document[forged] = {
                **document.get(forged, {}),
                "zh-Hans" if forged == "names" else "base": "forged",
            }
        if forged == "readings":
            document["readings"]["base"] = dict.fromkeys(languages(), "forged")
        answer = browser.post("/rule-sets/documents", text=json.dumps(document))
        assert answer.status_code == 422
        assert f"found {BASE}, expected an id of its own" in alert(answer.text)

    @pytest.mark.parametrize(
        ("number", "said"),
        [
            ("1152921504606846976", "found 1152921504606846976, expected an integer from -(2^53-1)"),
            ("9" * 6000, "found 99999"),
            ("1.5", "found a fraction, expected an integer"),
        ],
    )
    def test_a_number_that_is_too_large_is_told_as_it_stands(
        self, browser: Browser, number: str, said: str
    ) -> None:
        text = json.dumps(started(load_profile(BASE), "our-room"))
        answer = browser.post("/rule-sets/documents", text=text.replace("{", f'{{"x_far": {number}, ', 1))
        assert said in alert(answer.text)
        odd = text.replace("{", f'{{"x_far/{"9" * 5000}": {number}, "x_far/²": {number}, "x_far": [], ', 1)
        assert browser.post("/rule-sets/documents", text=odd).status_code == 422
        shown = f"found {number[:20]}"
        one = browser.post(
            "/rule-sets/documents", text=re.sub('"cap_fan": [0-9]+', f'"cap_fan": {number}', text)
        )
        assert shown in alert(one.text)
        assert "Infinity" not in alert(one.text)

    def test_nothing_in_it_is_taken_for_markup(self, browser: Browser) -> None:
        document = started(load_profile(BASE), "our-room", {"forced_last": 2})
        script = "<script>alert(1)</script>"
        document["names"] = document["summary"] = dict.fromkeys(languages(), script)
        document["readings"]["base"] = dict.fromkeys(languages(), script)
        document["cites"]["scale"] = {"document": script, "section": script, "text": script}
        answer = browser.post("/rule-sets/documents", text=json.dumps(document))
        assert answer.status_code == 303
        house_id = answer.location.rpartition("/")[2]
        for url in (
            answer.location,
            "/rule-sets",
            "/rule-sets/compare",
            f"/rule-sets/new?from=house:{house_id}",
            "/",
        ):
            page = browser.read(url)
            assert "<script>alert" not in page
            assert "&lt;script&gt;alert" in page
        document["values"]["scale"] = script
        document["values"][script] = 1
        assert "<script>alert" not in browser.post("/rule-sets/documents", text=json.dumps(document)).text

    def test_a_value_that_cites_the_words_of_another_is_noted(self, browser: Browser) -> None:
        document = started(load_profile(BASE), "our-room")
        document["values"]["forced_last"] = 3
        place = browser.post("/rule-sets/documents", text=json.dumps(document)).location
        said = text_of(browser.read(place))
        assert "Changed, yet still citing the words of what it was started from: last tiles" in said
