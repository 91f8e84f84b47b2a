"""House rule sets as they are kept: every version for good, within the quota, and audited by."""

import json
import re

import orjson
import pytest

from replay import audit, load_profile
from replay.house import started
from replay.jobs.service import Service
from replay.profile import profile_from, profile_ids
from replay.store.database import writing
from replay.store.houses import MOST_KEPT, soundness
from replay.store.tables import Audit, HouseRules
from replay.web import create_app
from tests.jobs.working import rows, work

from .asking import Browser, links, text_of
from .houses import BASE, CLEAN, document_at, entries, kept, make


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
