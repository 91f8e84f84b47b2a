"""Rule sets side by side, and house rule sets: started, changed, uploaded, kept for good, and audited by."""

import json
import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from sqlalchemy import event

from replay import audit, load_profile
from replay.house import LIMITS, document_of, started
from replay.jobs.service import Service, open_service
from replay.profile import default_profile, profile_from, profile_ids, values
from replay.sense import value_keys, value_schemas
from replay.settings import Settings
from replay.store.database import writing
from replay.store.houses import MOST_KEPT, soundness
from replay.store.tables import Audit, HouseRules
from replay.store.upgrade import upgrade
from replay.web import create_app
from replay.web.comparing import SECTIONS, TABLES
from replay.web.house_form import DERIVED
from replay.web.rulesets import MOST_COLUMNS
from replay.wording import Words, has_text, languages
from tests.jobs.working import rows, work

from .asking import Browser, links, sample, text_of

BASE = default_profile()
CLEAN = sample("chengdu/clean")


def entries(page: str) -> dict[str, str]:
    """What the fields of a page's last form hold, as a browser would send them."""
    form = page.rpartition("<form")[2].partition("</form>")[0]
    found = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name is not None:
            found[name[1]] = unescape(value[1]) if value else ""
    for name, inner in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)" selected', inner) or re.search(r'value="([^"]*)"', inner)
        assert chosen is not None
        found[name] = unescape(chosen[1])
    for name, inner in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>(.*?)</textarea>', form, re.S):
        found[name] = unescape(inner)
    return found


def make(browser: Browser, base: str = BASE, **changes: str) -> Any:
    """The answer to the form of a house rule set with some fields filled in otherwise."""
    form = entries(browser.read(f"/rule-sets/new?from={base}"))
    return browser.post(
        f"/rule-sets?from={base}",
        **{**form, **{name.replace("__", "."): one for name, one in changes.items()}},
    )


def kept(browser: Browser, base: str = BASE, **changes: str) -> tuple[str, dict[str, Any]]:
    """The address and the document of a house rule set made by the form."""
    answer = make(browser, base, **changes)
    assert answer.status_code == 303, text_of(answer.text)
    return answer.location, document_at(browser, answer.location)


def document_at(browser: Browser, place: str) -> dict[str, Any]:
    """The profile document of a version."""
    found: dict[str, Any] = orjson.loads(browser.get(f"{place}/rules.json").data)
    return found


def alert(page: str) -> str:
    """What a page says went wrong."""
    found = re.search(r'role="alert".*?</div>', page, re.S)
    assert found is not None
    return text_of(f"<main>{found[0].partition('>')[2]}</main>")


# Side by side ----------------------------------------------------------------------------------------


def cells(page: str, key: str) -> list[str]:
    """The row of a parameter that differs: its cells, as they are marked up."""
    row = re.search(rf'<span class="code">{key}</span></th>(.*?)</tr>', page, re.S)
    assert row is not None, key
    return re.findall(r"<td.*?</td>", row[1], re.S)


class TestComparison:
    def test_every_parameter_stands_in_one_part_of_the_game(self) -> None:
        listed = [key for keys in SECTIONS.values() for key in keys.split()]
        assert sorted(listed) == sorted(value_keys())

    @pytest.mark.parametrize("lang", languages())
    def test_every_part_of_the_game_has_a_name(self, lang: str) -> None:
        assert [name for name in SECTIONS if not has_text(lang, f"web.part.of.{name}")] == []

    @pytest.mark.parametrize("lang", languages())
    def test_by_default_every_rule_set_has_a_column_and_every_parameter_a_row(
        self, browser: Browser, lang: str
    ) -> None:
        page = browser.read(f"/rule-sets/compare?lang={lang}")
        head = page.partition("<thead>")[2].partition("</thead>")[0]
        names = [load_profile(one).names[lang] for one in profile_ids()]
        assert [unescape(name) for name in re.findall(r"<th[^>]*><a[^>]*>(.*?)</a>", head)] == names
        shown = re.findall(r'<span class="code">(\w+)</span>(?:</th>|</dt>)', page)
        assert sorted(shown) == sorted(value_keys())
        assert [key for key in value_keys() if Words.of(lang).label("rule", key) not in text_of(page)] == []

    def test_what_is_not_as_in_the_first_is_marked_by_a_sign_and_by_a_word(self, browser: Browser) -> None:
        page = browser.read("/rule-sets/compare")
        rules = [load_profile(one) for one in profile_ids()]
        for key in ("void", "guo_shui", "scale", "base", "cap_fan", "transfer", "next_dealer"):
            differs = [values(one)[key] != values(rules[0])[key] for one in rules]
            assert True in differs
            assert ["≠" in cell for cell in cells(page, key)] == differs
            assert ["differs from the first column" in cell for cell in cells(page, key)] == differs
            assert ['class="differs"' in cell for cell in cells(page, key)] == differs

    def test_another_can_stand_first(self, browser: Browser) -> None:
        other = profile_ids()[-1]
        page = browser.read(f"/rule-sets/compare?set={BASE}&set={other}&first={other}")
        head = page.partition("<thead>")[2].partition("</thead>")[0]
        assert re.findall(r"/catalogue/rule-sets/([\w-]+)", head)[0] == other
        assert [load_profile(one).names["en"] in head for one in profile_ids()].count(True) >= 2

    def test_tables_of_fan_are_compared_row_by_row(self, browser: Browser) -> None:
        other = next(one for one in profile_ids() if load_profile(one).shapes != load_profile(BASE).shapes)
        page = browser.read(f"/rule-sets/compare?set={BASE}&set={other}")
        one, two = load_profile(BASE).shapes, load_profile(other).shapes
        differing = [fan for fan in {**one, **two} if one.get(fan) != two.get(fan)]
        said = text_of(page)
        for fan in differing:
            label = Words.of("en").label("fan", fan)
            worth = [f"{table[fan]} fan" if fan in table else "–" for table in (one, two)]
            pattern = rf"{re.escape(label)} (?:shapes )?{worth[0]} ≠ differs from the first column {worth[1]}"
            assert re.search(pattern, said), (fan, worth)

    def test_what_all_have_in_common_is_folded_away(self, browser: Browser) -> None:
        page = browser.read("/rule-sets/compare")
        rules = [values(load_profile(one)) for one in profile_ids()]
        common = [key for key in value_keys() if all(one[key] == rules[0][key] for one in rules)]
        folded = "".join(re.findall(r'<dl class="agreed">(.*?)</dl>', page, re.S))
        assert sorted(re.findall(r'<span class="code">(\w+)</span></dt>', folded)) == sorted(common) != []
        assert '<details class="card" open>' not in page

    @pytest.mark.parametrize("lang", languages())
    def test_the_words_behind_every_value_are_there_on_demand(self, browser: Browser, lang: str) -> None:
        said = "".join(text_of(browser.read(f"/rule-sets/compare?lang={lang}")).split())
        for one in profile_ids():
            rules = load_profile(one)
            for key in value_keys():
                if key in rules.cites:
                    assert "".join(rules.cites[key].text.split()) in said
                elif key in rules.readings:
                    assert "".join(rules.readings[key][lang].split()) in said

    def test_one_alone_is_shown_whole(self, browser: Browser) -> None:
        page = browser.read(f"/rule-sets/compare?set={BASE}")
        assert "≠" not in text_of(page)
        assert "<table" not in page
        assert page.count('<details class="card" open>') >= len(SECTIONS)

    @pytest.mark.parametrize("asked", ["set=casino", "first=%3Cscript%3E", "set=house:x", "set=&set=&first="])
    def test_what_is_not_there_is_passed_over(self, browser: Browser, asked: str) -> None:
        assert (
            browser.read(f"/rule-sets/compare?{asked}").partition("<main")[2]
            == browser.read("/rule-sets/compare").partition("<main")[2]
        )

    def test_house_rule_sets_stand_beside_the_others(self, browser: Browser) -> None:
        place, _ = kept(browser, id="our-room", name="Our <room>", value__forced_last="2")
        value = "house:" + place.rpartition("/")[2]
        page = browser.read("/rule-sets/compare")
        assert "Our &lt;room&gt; (our-room" in page
        assert f'href="{place}"' in page
        assert "Our <room>" not in page
        pair = browser.read(f"/rule-sets/compare?set={BASE}&set={value}")
        assert re.findall(r'<span class="code">(\w+)</span></th>', pair) == ["forced_last"]
        assert "set by the house" in text_of(pair)

    def test_no_more_are_compared_than_fit_and_of_what_is_no_id_none_is_looked_up(
        self, browser: Browser
    ) -> None:
        place, _ = kept(browser, id="our-room", value__forced_last="2")
        house_id = place.rpartition("/")[2]
        asked: list[str] = []
        listen = partial(event.listens_for, browser.service.engine, "before_cursor_execute")
        listen()(lambda conn, cursor, statement, *rest: asked.append(statement))
        odd = "".join(f"&set=house:{number:x}" for number in range(3000))
        assert f'href="{place}"' in browser.read(f"/rule-sets/compare?set=house:{house_id}&set={BASE}{odd}")
        assert sum("FROM house_rules" in one for one in asked) == 2
        asked.clear()
        unknown = "".join(f"&set=house:{number:08x}-0000-4000-8000-{0:012}" for number in range(500))
        browser.read(f"/rule-sets/compare?set={BASE}{unknown}")
        assert sum("FROM house_rules" in one for one in asked) < 1 + MOST_COLUMNS

    @pytest.mark.parametrize("form", ["{}", "{{{}}}", "urn:uuid:{}", "{}\n", " {}"])
    def test_an_id_is_known_in_one_form_alone(self, browser: Browser, form: str) -> None:
        place, _ = kept(browser, id="our-room")
        value = quote("house:" + form.format(place.rpartition("/")[2]))
        status = browser.get(f"/rule-sets/new?from={value}").status_code
        assert status == (200 if form == "{}" else 404)


# By the form -----------------------------------------------------------------------------------------


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


# Versions --------------------------------------------------------------------------------------------


class TestVersions:
    def test_a_change_is_a_new_version_and_the_old_one_stays(self, browser: Browser) -> None:
        first, before = kept(browser, id="our-room", name="Our room", value__forced_last="2")
        value = "house:" + first.rpartition("/")[2]
        second, after = kept(browser, base=value, value__forced_last="3")
        assert second != first
        assert document_at(browser, first) == before
        assert (after["id"], after["names"], after["x_from"]) == (
            "our-room",
            before["names"],
            before["x_from"],
        )
        assert (before["values"]["forced_last"], after["values"]["forced_last"]) == (2, 3)
        old, new = rows(browser.service, HouseRules, id=first.rpartition("/")[2])[0], None
        (new,) = rows(browser.service, HouseRules, id=second.rpartition("/")[2])
        assert (old.supersedes, new.supersedes) == (None, old.id)
        assert old.digest == profile_from(before).digest != new.digest == profile_from(after).digest
        page = browser.read(first)
        assert "There is a newer version" in text_of(page)
        assert second in links(page)
        assert first in links(browser.read(second))
        listed = [url for url in links(browser.read("/rule-sets")) if url.startswith("/rule-sets/house/")]
        assert listed == [second]

    def test_the_same_again_is_the_same_version(self, browser: Browser) -> None:
        first, _ = kept(browser, id="our-room")
        assert kept(browser, id="our-room")[0] == first
        assert len(rows(browser.service, HouseRules)) == 1

    def test_its_address_cannot_be_guessed_and_others_are_not_found(self, browser: Browser) -> None:
        place, _ = kept(browser, id="our-room")
        assert re.fullmatch(r"/rule-sets/house/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", place)
        for other in (f"/rule-sets/house/{'0' * 8}-0000-4000-8000-{'0' * 12}", "/rule-sets/house/our-room"):
            assert browser.get(other).status_code == browser.get(f"{other}/rules.json").status_code == 404
        with writing(browser.service.engine) as session:
            session.get_one(HouseRules, place.rpartition("/")[2]).owner = "somebody else"
        assert browser.get(place).status_code == 404
        assert "our-room" not in browser.read("/rule-sets")

    def test_no_more_are_kept_than_there_is_room_for(self, browser: Browser) -> None:
        with writing(browser.service.engine) as session:
            session.add_all(
                HouseRules(
                    id=f"{number:036d}",
                    owner="local",
                    name=f"full-{number}",
                    digest="sha256:" + "0" * 64,
                    sha256=f"{number:064d}",
                    size=2,
                    names="{}",
                    soundness=soundness(),
                    document="{}",
                    created=number,
                )
                for number in range(MOST_KEPT)
            )
        answer = make(browser, id="one-more", name="One more")
        assert answer.status_code == 422
        assert f"No more than {MOST_KEPT} versions" in text_of(answer.text)
        assert entries(answer.text)["name"] == "One more"
        sent = browser.post("/rule-sets/documents", text=json.dumps(started(load_profile(BASE), "more")))
        assert sent.status_code == 422
        assert f"No more than {MOST_KEPT} versions" in text_of(sent.text)

    def test_one_of_another_version_of_the_schema_can_still_be_seen_and_saved(self, browser: Browser) -> None:
        place, document = kept(browser, id="our-room")
        house_id = place.rpartition("/")[2]
        del document["values"]["piao"]
        with writing(browser.service.engine) as session:
            row = session.get_one(HouseRules, house_id)
            row.document, row.soundness = json.dumps(document), "0" * 64
        assert "can no longer be used as it is" in text_of(browser.read(place))
        assert document_at(browser, place) == document
        assert "our-room" in browser.read("/rule-sets")
        assert browser.get("/rule-sets/compare").status_code == 200
        assert browser.get(f"/rule-sets/new?from=house:{house_id}").status_code == 404
        upload = browser.upload(CLEAN)
        for page in ("/", "/rule-sets/compare", upload):
            assert house_id not in browser.read(page)
        assert f'value="house:{house_id}"' not in browser.read("/rule-sets")
        assert browser.post(f"{upload}/audits", profile=f"house:{house_id}").status_code == 422
        sent = browser.send(CLEAN, profile=f"house:{house_id}")
        assert sent.status_code == 422
        assert "can no longer be used as it is" in text_of(sent.text)
        assert len(rows(browser.service, Audit)) == 1


class TestMany:
    def test_pages_with_a_chooser_read_and_judge_no_document(
        self, browser: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        upload = browser.upload(CLEAN)
        keep_many(browser, 120)
        judged: list[str] = []
        for module in ("replay.store.houses", "replay.web.houses", "replay.web.rulesets"):
            monkeypatch.setattr(f"{module}.stored_rules", judged.append)
        asked: list[str] = []
        listen = partial(event.listens_for, browser.service.engine, "before_cursor_execute")
        listen()(lambda conn, cursor, statement, *rest: asked.append(statement))
        for url in ("/", upload, "/rule-sets"):
            page = browser.read(url)
            assert page.count('<option value="house:') == 120
            assert "Room 119 (room-119, 00000000)" in page
        assert [one for one in asked if "house_rules.document" in one] == judged == []

    def test_are_listed_page_by_page(self, browser: Browser) -> None:
        keep_many(browser, 120)
        found = [
            links(browser.read(f"/rule-sets?page={number}"), "/rule-sets/house/") for number in (1, 2, 3)
        ]
        assert [len(one) for one in found] == [50, 50, 20]
        assert len({*found[0], *found[1], *found[2]}) == 120


def keep_many(browser: Browser, count: int) -> None:
    """Rows of house rule sets whose documents nobody may read."""
    with writing(browser.service.engine) as session:
        session.add_all(
            HouseRules(
                id=f"00000000-0000-4000-8000-{number:012}",
                owner="local",
                name=f"room-{number}",
                digest="sha256:" + "0" * 64,
                sha256=f"{number:064d}",
                size=2,
                names=json.dumps(dict.fromkeys(languages(), f"Room {number}")),
                soundness=soundness(),
                document="{}",
                created=number,
            )
            for number in range(count)
        )


class TestRoom:
    @pytest.fixture
    def browser(self, service: Service) -> Browser:
        service.settings = service.settings.model_copy(update={"quota_bytes": 100_000})
        return Browser(create_app(service).test_client(), service)

    def test_documents_count_towards_the_quota_and_none_is_kept_beyond_it(self, browser: Browser) -> None:
        document = started(load_profile(BASE), "our-room") | {"x_pad": ["y" * 1000] * 60}
        first = browser.post("/rule-sets/documents", text=json.dumps(document))
        assert first.status_code == 303
        (row,) = rows(browser.service, HouseRules)
        said = re.search(r"(\d+)[\d.]* KiB of 9\d[\d.]* KiB used", text_of(browser.read("/")))
        assert said is not None
        assert abs(int(said[1]) * 1024 - row.size) <= 1024
        for answer in (
            browser.post("/rule-sets/documents", text=json.dumps(document | {"x_n": 1})),
            browser.send(b"x" * 40_000),
        ):
            assert answer.status_code == 413
            assert "There is no room for it" in text_of(answer.text)
        assert len(rows(browser.service, HouseRules)) == 1
        again = browser.post("/rule-sets/documents", text=json.dumps(document))
        assert (again.status_code, again.location) == (303, first.location)

    def test_a_form_beyond_it_is_given_again(self, browser: Browser) -> None:
        browser.upload(b"x" * 99_000)
        answer = make(browser, id="our-room", name="Our room")
        assert answer.status_code == 413
        assert "There is no room for it" in text_of(answer.text)
        assert entries(answer.text)["name"] == "Our room"

    def test_an_audit_holds_no_copy_of_the_document(self, browser: Browser) -> None:
        document = started(load_profile(BASE), "our-room") | {"x_pad": ["y" * 1000] * 60}
        place = browser.post("/rule-sets/documents", text=json.dumps(document)).location
        upload = browser.upload(CLEAN)
        for base in range(1, 6):
            form = {"profile": "house:" + place.rpartition("/")[2], "option.base": str(base)}
            assert browser.post(f"{upload}/audits", **form).status_code == 303
        held = [row.model_dump_json() for row in rows(browser.service, Audit)]
        assert len(held) == 6
        assert max(map(len, held)) < 1000


class TestPlain:
    """Nothing of a name acts on a page: each hidden character is spelled out."""

    ODD = "a" + chr(0x202E) + chr(0x1B) + chr(0x2066) + "b" + chr(0x200B)

    def test_names_and_levels_are_shielded_on_every_page(self, browser: Browser) -> None:
        document = started(load_profile(BASE), "our-room", {"levels": [{"name": self.ODD, "points": 0}]})
        document["names"] = document["summary"] = dict.fromkeys(languages(), self.ODD)
        document["readings"]["base"] = dict.fromkeys(languages(), self.ODD)
        document["cites"]["scale"] = dict.fromkeys(("document", "section", "text"), self.ODD)
        place = browser.post("/rule-sets/documents", text=json.dumps(document)).location
        value = "house:" + place.rpartition("/")[2]
        upload = browser.upload(CLEAN, profile=value)
        report = links(browser.read(upload), "/reports/")[0]
        new = f"/rule-sets/new?from={value}"
        pages = {
            url: browser.read(url)
            for url in (place, new, upload, report, "/", "/rule-sets", "/rule-sets/compare")
        }
        assert {url: hidden(page) for url, page in pages.items()} == dict.fromkeys(pages, "")
        assert "a\\u202e\\u001b\\u2066b\\u200b" in pages[report]
        form = entries(pages[new])
        assert form["name"] == "ab"
        assert json.loads(form["value.levels"]) == [{"name": self.ODD, "points": 0}]
        _, after = kept(browser, base=value, value__forced_last="3")
        assert after["values"]["levels"] == document["values"]["levels"]


def hidden(page: str) -> str:
    """The characters of a page that act instead of being seen."""
    return "".join(char for char in unescape(page) if not char.isprintable() and char != "\n")


@pytest.fixture
def either(database: str, tmp_path: Path) -> Iterator[Browser]:
    """A browser of a service on SQLite, then on PostgreSQL."""
    settings = Settings(data=tmp_path / "other", database=database, broker="none", ring_seconds=0.001)
    made = open_service(settings, node="web")
    upgrade(made.engine)
    yield Browser(create_app(made).test_client(), made)
    made.engine.dispose()


@pytest.mark.parametrize("odd", ["\0", "x" * 20_000, "\ud800"], ids=["nul", "long", "half"])
def test_what_is_no_id_is_not_found_on_either_database(either: Browser, odd: str) -> None:
    value = quote(f"house:{odd}", errors="surrogatepass")
    assert either.get(f"/rule-sets/compare?set={value}").status_code == 200
    assert either.get(f"/rule-sets/new?from={value}").status_code == 404
    assert either.post(f"/rule-sets?from={value}", name="x").status_code == 404
    upload = either.upload(CLEAN)
    typed = f"house:{odd}".encode(errors="replace").decode()
    assert either.send(CLEAN, profile=typed).status_code == 422
    assert either.post(f"{upload}/audits", profile=typed).status_code == 422


# Uploaded --------------------------------------------------------------------------------------------


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


def test_without_house_rule_sets_the_page_says_how_to_come_by_one(browser: Browser) -> None:
    said = text_of(browser.read("/rule-sets"))
    assert "There are none yet" in said
    assert all(load_profile(one).names["en"] in said for one in profile_ids())
    assert "/rule-sets" in links(browser.read("/"))


# Audited by ------------------------------------------------------------------------------------------


class TestAudits:
    def test_by_a_house_rule_set_are_the_library_s_and_keep_which_version_it_was(
        self, browser: Browser
    ) -> None:
        place, document = kept(browser, id="our-room", name="Our room", value__base="5")
        value = "house:" + place.rpartition("/")[2]
        upload = browser.upload(CLEAN)
        assert f'<option value="{value}">Our room (our-room' in browser.read(upload)
        answer = browser.post(f"{upload}/audits", profile=value, **{"option.gang_an": "7"})
        assert answer.status_code == 303
        work(browser.service)
        rules = profile_from(document, {"gang_an": 7})
        newest = max(rows(browser.service, Audit), key=lambda row: row.created)
        assert (newest.profile, newest.house) == ("our-room", place.rpartition("/")[2])
        page = browser.read(answer.location)
        report = links(page, "/reports/")[0]
        assert browser.get(f"{report}/report.json").data == audit(CLEAN, profile=rules).to_json()
        assert "Our room (our-room" in text_of(page)
        shown = text_of(browser.read(report))
        assert "Our room" in shown
        assert "concealed gang" in shown
        assert rules.digest in shown
        assert "The tiles are dealt" in browser.get(links(browser.read(report), f"{report}/hands/")[0]).text

    def test_a_later_version_is_another_audit_and_changes_no_report(self, browser: Browser) -> None:
        place, _ = kept(browser, id="our-room", value__base="5")
        value = "house:" + place.rpartition("/")[2]
        upload = browser.upload(CLEAN, profile=value)
        report = links(browser.read(upload), "/reports/")[0]
        before = browser.get(f"{report}/report.json").data
        later, _ = kept(browser, base=value, value__base="6")
        audits = len(rows(browser.service, Audit))
        browser.post(f"{upload}/audits", profile="house:" + later.rpartition("/")[2])
        browser.post(f"{upload}/audits", profile=value)
        work(browser.service)
        assert len(rows(browser.service, Audit)) == audits + 1
        assert browser.get(f"{report}/report.json").data == before

    def test_are_explained_by_it_as_by_the_log_s_own(self, browser: Browser) -> None:
        place, _ = kept(browser, id="our-room", name="Our room")
        upload = browser.upload(CLEAN, profile="house:" + place.rpartition("/")[2])
        report = links(browser.read(upload), "/reports/")[0]
        assert "Our room" in text_of(browser.read(f"{report}/explain"))
        assert "Our room" not in text_of(browser.read(f"{browser.report(CLEAN)}/explain"))

    def test_options_that_it_cannot_have_are_refused(self, browser: Browser) -> None:
        place, _ = kept(browser, id="our-room", value__hua_zhu="none", value__cap_fan="")
        value = "house:" + place.rpartition("/")[2]
        upload = browser.upload(CLEAN)
        answer = browser.post(f"{upload}/audits", profile=value, **{"option.hua_zhu": "cap"})
        assert answer.status_code == 422
        assert "the price of the cap cannot be paid" in text_of(answer.text)

    @pytest.mark.parametrize("value", ["house:", "house:x", "house:00000000-0000-4000-8000-000000000000"])
    def test_by_one_that_is_not_there_are_refused(self, browser: Browser, value: str) -> None:
        upload = browser.upload(CLEAN)
        assert browser.post(f"{upload}/audits", profile=value).status_code == 422
        assert browser.send(CLEAN, profile=value).status_code == 422

    def test_a_log_that_names_no_known_rule_set_can_be_audited_by_another(self, browser: Browser) -> None:
        place, _ = kept(browser, id="our-room", name="Our room")
        log = orjson.loads(CLEAN)
        log["rules"] = {"profile": "our-old-room"}
        data = orjson.dumps(log)
        upload = browser.upload(data)
        report = links(browser.read(upload), "/reports/")[0]
        page = browser.read(report)
        assert "LOG003" in page
        assert "It can be audited by another one" in text_of(page)
        form = page.partition(f'action="{upload}/audits"')[2].partition("</form>")[0]
        value = "house:" + place.rpartition("/")[2]
        assert re.findall(r'<option value="([^"]*)"', form) == [*profile_ids(), value]
        answer = browser.post(f"{upload}/audits", profile=value)
        work(browser.service)
        assert "LOG003" not in browser.read(links(browser.read(answer.location), "/reports/")[0])
        assert "It can be audited by another one" not in browser.read(browser.report(CLEAN))
