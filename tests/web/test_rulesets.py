"""Rule sets listed and side by side, and whatever a house rule set or its id says, which is never but words."""

import json
import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import event

from replay import load_profile
from replay.house import started
from replay.jobs.service import open_service
from replay.profile import profile_ids, values
from replay.sense import value_keys
from replay.settings import Settings
from replay.store.database import writing
from replay.store.houses import soundness
from replay.store.tables import HouseRules
from replay.web import create_app
from replay.web.rulesets.comparing import SECTIONS
from replay.web.rulesets.pages import MOST_COLUMNS
from replay.wording import Words, has_text, languages
from tests.tables import make_tables

from .asking import Browser, links, text_of
from .houses import BASE, CLEAN, entries, kept


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


class TestMany:
    def test_pages_with_a_chooser_read_and_judge_no_document(
        self, browser: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        upload = browser.upload(CLEAN)
        keep_many(browser, 120)
        judged: list[str] = []
        for module in ("replay.store.houses", "replay.web.rulesets.houses", "replay.web.rulesets.pages"):
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
    make_tables(made.engine)
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


def test_without_house_rule_sets_the_page_says_how_to_come_by_one(browser: Browser) -> None:
    said = text_of(browser.read("/rule-sets"))
    assert "There are none yet" in said
    assert all(load_profile(one).names["en"] in said for one in profile_ids())
    assert "/rule-sets" in links(browser.read("/"))
