"""The catalogue is whole: every entry of the registries has its page in every language, and every link opens."""

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from replay import audit
from replay.catalogue import CATALOGUE
from replay.examples import SIDES, counts, example, example_codes, excerpt, fan_examples, place_in, priced
from replay.fans import EXTRAS, SHAPES
from replay.items import ITEMS
from replay.jobs.service import open_service
from replay.profile import load_profile, profile_ids, values
from replay.schemas import schema
from replay.settings import Settings
from replay.text.catalogue import code_entry, counting, fan_entry, fans, item_entry, worth_of
from replay.web import create_app
from replay.wording import Words, languages, text
from replay.wording.lookup import words_of
from tests.tables import make_tables

from .asking import Browser, links, sample, text_of

CODES = list(CATALOGUE)
FANS = [*SHAPES, *EXTRAS]
PAGES = ("", "/fans", "/settlement", "/rule-sets")
GUO_SHUI = "chengdu/guo-shui"

LANGUAGES = pytest.mark.parametrize("lang", languages())


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser of one service for all of these: they ask, and change nothing that others ask for."""
    settings = Settings(data=tmp_path_factory.mktemp("data"), broker="none", ring_seconds=0.001)
    service = open_service(settings, node="web")
    make_tables(service.engine)
    yield Browser(create_app(service).test_client(use_cookies=False), service)
    service.engine.dispose()


def page_of(code: str) -> str:
    """The address of a code's page."""
    return f"/catalogue/findings/{code}"


def shown_of(page: str, entry: str) -> str:
    """The part of a page that is one entry's."""
    part = page.partition(f'id="{entry}"')[2]
    return text_of(f"<main>{part.partition('</section>')[0]}</main>")


class TestEveryCode:
    @LANGUAGES
    def test_is_listed_and_linked(self, browser: Browser, lang: str) -> None:
        page = browser.read(f"/catalogue?lang={lang}")
        assert links(page, "/catalogue/findings/") == [page_of(code) for code in CODES]
        assert all(text(lang, f"{code}.title") in text_of(page) for code in CODES)

    @pytest.mark.parametrize(("code", "lang"), list(product(CODES, languages())))
    def test_has_its_heads_and_its_words(self, browser: Browser, code: str, lang: str) -> None:
        page = browser.read(f"{page_of(code)}?lang={lang}")
        heads = re.findall(r'<h2 id="(\w+)">', page)
        example_heads = ["good"] if code in example_codes() else []
        assert heads == ["what", "why", "clause", "after", "bad", *example_heads]
        said = text_of(page)
        for field in ("title", "what", "why"):
            assert text(lang, f"{code}.{field}") in said
        assert f'lang="{lang}"' in page
        assert CATALOGUE[code].slug in said

    @pytest.mark.parametrize("code", CODES)
    def test_quotes_the_clause_of_every_rule_set_that_has_one(self, browser: Browser, code: str) -> None:
        page = text_of(browser.read(page_of(code)))
        entry = CATALOGUE[code]
        topics = {topic for topic in (entry.parameter, *entry.parameters.values()) if topic}
        cites = [load_profile(one).cites for one in profile_ids()]
        quoted = {cite[topic].text for cite in cites for topic in topics if topic in cite}
        assert [words for words in quoted if " ".join(words.split()) not in page] == []
        assert (bool(topics) or entry.by_case) == ("It cites no rule" not in page)

    @pytest.mark.parametrize("code", CODES)
    def test_says_what_becomes_of_the_hand_where_a_fact_decides(self, code: str) -> None:
        entry = CATALOGUE[code]
        for lang in languages():
            after = code_entry(Words.of(lang), code).after
            assert len(after) == 1 + len(set(entry.afters.values()) - {entry.after})
            if entry.by and entry.params[entry.by] != "action":
                keys = {value for value, other in entry.afters.items() if other != entry.after}
                assert {f"catalogue.case.{value}" for value in keys} <= words_of(lang).keys()

    def test_that_is_unknown_is_not_found_with_words(self, browser: Browser) -> None:
        for path in ("findings/ACT999", "findings/%3Cb%3E", "examples/ACT999/bad/hands/0/steps/0",
                     "examples/ACT023/ugly/hands/0", "examples/AUD001/bad/log.json", "rule-sets/nowhere"):  # fmt: skip
            answer = browser.get(f"/catalogue/{path}")
            assert answer.status_code == 404, path
            assert "The catalogue has no such entry." in text_of(answer.text)
            assert "<b>" not in text_of(answer.text)


class TestExamples:
    @pytest.mark.parametrize("code", example_codes())
    def test_the_bad_one_opens_at_its_step(self, browser: Browser, code: str) -> None:
        page, place = browser.read(page_of(code)), place_in(code)
        opened = [url for url in links(page, f"/catalogue/examples/{code}/bad/hands/") if "/steps/" in url]
        bad = audit(example(code, "bad"))
        assert bool(opened) == bool(bad.hands)
        if place.action is not None:
            hand = bad.hands[place.hand or 0]
            stop = place.action if hand.stopped_at is None else min(place.action, hand.stopped_at)
            known = [
                f"/catalogue/examples/{code}/bad/hands/{place.hand}/steps/{stop + back}" for back in (0, 1)
            ]
            assert opened[0] in known
        for url in opened:
            step = browser.read(url)
            assert page_of(code) in links(step)
            assert code in text_of(step)

    @pytest.mark.parametrize("code", example_codes())
    def test_the_good_one_opens_beside_it_with_nothing_to_object_to(
        self, browser: Browser, code: str
    ) -> None:
        page = browser.read(page_of(code))
        (url,) = [url for url in links(page, f"/catalogue/examples/{code}/good/hands/") if "/steps/" in url]
        step = browser.read(url)
        assert 'class="finding finding-error' not in step
        assert audit(example(code, "good")).verdict == "clean"

    @pytest.mark.parametrize(("code", "side"), list(product(example_codes(), SIDES)))
    def test_its_file_is_to_be_had_byte_for_byte(self, browser: Browser, code: str, side: str) -> None:
        answer = browser.get(f"/catalogue/examples/{code}/{side}/log.json")
        assert (answer.status_code, answer.data) == (200, example(code, "bad" if side == "bad" else "good"))
        assert "attachment" in answer.headers["Content-Disposition"]

    @pytest.mark.parametrize("code", [code for code in example_codes() if code.startswith("LOG")])
    def test_of_a_file_shows_the_finding_and_the_place(self, browser: Browser, code: str) -> None:
        said = text_of(browser.read(page_of(code)))
        found = next(one for one in audit(example(code, "bad")).to_dict()["findings"] if one["code"] == code)
        assert " ".join(found["message"].split()) in said
        assert "In the file:" in said
        assert " ".join(excerpt(example(code, "bad"), found).split()) in said

    def test_steps_lead_on_and_the_way_back_is_the_code(self, browser: Browser) -> None:
        answer = browser.get("/catalogue/examples/ACT023/bad/hands/0")
        assert (answer.status_code, answer.location) == (
            302,
            "/catalogue/examples/ACT023/bad/hands/0/steps/0",
        )
        page = browser.read(answer.location)
        assert f'data-nav="forward" href="{answer.location[:-1]}1"' in page
        assert page_of("ACT023") in links(page.partition('class="crumbs"')[2].partition("</p>")[0])
        assert browser.get("/catalogue/examples/ACT023/bad/hands/9/steps/0").status_code == 404
        assert browser.get("/catalogue/examples/ACT023/bad/hands/0/steps/9999").status_code == 404


class TestEveryFan:
    def test_has_an_example_and_no_example_is_of_nothing(self) -> None:
        known = schema("profile")["$defs"]["values"]["properties"]
        there_may_be = {*known["shapes"]["properties"], *known["extras"]["properties"]}
        assert set(FANS) <= fan_examples().keys() <= there_may_be
        assert list(fans()) == FANS

    @pytest.mark.parametrize("fan", FANS)
    def test_counts_in_its_example(self, fan: str) -> None:
        rules = counting(fan)
        assert rules is not None, "a fan that no rule set has"
        found = priced(fan_examples()[fan], rules)
        assert found is not None
        assert counts(fan, found)
        assert fan_entry(Words.of("en"), fan).priced is not None

    @LANGUAGES
    def test_is_named_explained_priced_and_drawn(self, browser: Browser, lang: str) -> None:
        page = browser.read(f"/catalogue/fans?lang={lang}")
        for fan in FANS:
            part, entry = page.partition(f'id="{fan}"')[2].partition("</section>")[0], shown_of(page, fan)
            han = "zh-Hant" if lang == "zh-Hant" else "zh-Hans"
            assert f"{text(han, f'fan.{fan}')} {fan}" in entry
            assert text(lang, f"fan_what.{fan}") in entry
            assert text(lang, f"fan.{fan}") in entry
            shown = fan_examples()[fan]
            melds = sum(3 if kind == "peng" else 4 for kind, _ in shown.melds)
            assert part.count('class="tile ') == len(shown.hand) // 2 + melds
            having = [one for one in profile_ids() if worth_of(load_profile(one), fan) is not None]
            worth = {load_profile(one).names[lang] for one in having}
            assert [name for name in worth if name not in entry] == []


class TestEverySettlementItem:
    def test_is_what_a_ledger_can_hold(self) -> None:
        assert set(ITEMS) == set(schema("report")["$defs"]["entry"]["properties"]["kind"]["enum"])
        keys = {key for item in ITEMS.values() for key in item.keys}
        assert keys <= set(values(load_profile(profile_ids()[0])))

    @LANGUAGES
    def test_is_explained_with_what_decides_it(self, browser: Browser, lang: str) -> None:
        page = browser.read(f"/catalogue/settlement?lang={lang}")
        for kind in ITEMS:
            entry, made = shown_of(page, kind), item_entry(Words.of(lang), kind)
            for words in (
                text(lang, f"ledger.{kind}"),
                text(lang, f"item.{kind}.what"),
                text(lang, f"item.{kind}.who"),
            ):
                assert words in entry
            assert all(one.name in entry for one in made.rule_sets)
            assert all(f"{each.rule} {each.key}" in entry for each in made.decided)
            assert bool(made.rule_sets) == (text(lang, "catalogue.occurs.none") not in entry)

    def test_occurs_where_the_cases_pay_it(self) -> None:
        """A rule set whose ledgers hold a kind of payment is one of those that are said to have it."""
        for path in sorted((Path(__file__).parents[1] / "cases" / "legal").glob("*.expected.json")):
            named = json.loads(path.with_name(path.name.replace(".expected", "")).read_bytes())["rules"]
            if named["profile"] not in profile_ids():
                continue
            rules = load_profile(named["profile"], named.get("options"))
            paid = {
                entry["kind"]
                for hand in json.loads(path.read_bytes())["expected"]["hands"]
                for entry in hand.get("ledger") or []
            }
            assert {kind for kind in paid if not ITEMS[kind].occurs(rules)} == set(), path.name


class TestEveryRuleSet:
    @LANGUAGES
    def test_is_listed_by_its_name_and_summary(self, browser: Browser, lang: str) -> None:
        page = browser.read(f"/catalogue/rule-sets?lang={lang}")
        for one in profile_ids():
            rules = load_profile(one)
            assert f"/catalogue/rule-sets/{one}" in links(page)
            assert f"{rules.names[lang]} {one} {rules.summary[lang]}" in text_of(page)

    @pytest.mark.parametrize(("one", "lang"), list(product(profile_ids(), languages())))
    def test_shows_every_value_with_its_words(self, browser: Browser, one: str, lang: str) -> None:
        said = text_of(browser.read(f"/catalogue/rule-sets/{one}?lang={lang}"))
        rules = load_profile(one)
        assert all(f"{text(lang, f'rule.{key}')} {key}" in said for key in values(rules))
        assert all(" ".join(clause.text.split()) in said for clause in rules.cites.values())
        assert all(" ".join(words[lang].split()) in said for words in rules.readings.values())


class TestLinks:
    def test_each_opens_and_each_leads_to_a_place_that_is_there(self, browser: Browser) -> None:
        todo, seen = {f"/catalogue{page}" for page in PAGES}, dict[str, str]()
        while todo:
            url = todo.pop()
            seen[url] = page = browser.read(url)
            found = {urlsplit(link)._replace(fragment="").geturl() for link in links(page, "/catalogue")}
            todo |= {link for link in found if "/examples/" not in link} - seen.keys()
        assert len(seen) == len(PAGES) + len(CODES) + len(profile_ids())
        for page in seen.values():
            for link in links(page, "/catalogue"):
                place, _, anchor = link.partition("#")
                assert not anchor or f'id="{anchor}"' in seen[place], link

    @LANGUAGES
    def test_of_a_language_lead_to_the_same_page(self, browser: Browser, lang: str) -> None:
        page = browser.read("/catalogue/fans")
        assert f"?lang={lang}" in page or f'<b lang="{lang}"' in page

    def test_from_a_report_and_from_a_step_lead_to_the_code(self, browser: Browser) -> None:
        place = browser.report(sample(GUO_SHUI))
        assert page_of("ACT023") in links(browser.read(place))
        start = browser.read(f"{place}/hands/0/steps/0")
        step = re.findall(r'data-nav="next_finding" href="([^"]*)"', start)[0]
        assert page_of("ACT023") in links(browser.read(step))

    def test_from_every_page_lead_to_the_catalogue(self, browser: Browser) -> None:
        assert "/catalogue" in links(browser.read("/"))
