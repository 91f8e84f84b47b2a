"""The interface for programs: reports, findings, hands, steps, what explains a claim, rule sets."""

from typing import Any

import pytest

from replay import load_profile, profile_ids
from replay.catalogue import CATALOGUE
from replay.house import document_of, started
from replay.settings import Settings
from replay.store.tables import HouseRules
from tests.jobs.working import rows

from .asking import NOBODY, Browser, links, sample
from .programs import Program, program


@pytest.fixture
def asks(browser: Browser) -> Program:
    """A program of the one user."""
    return program(browser)


def own(**values: Any) -> dict[str, Any]:
    """A rule set of one's own."""
    return started(load_profile("chengdu"), "our-room", values)


class TestReports:
    def test_are_the_bytes_of_the_page_s_download(self, browser: Browser, asks: Program) -> None:
        place = browser.report(sample("chengdu/guo-shui"))
        report = place[len("/reports/") :]
        assert asks.ask("report", report_id=report).data == browser.get(f"{place}/report.json").data
        assert asks.ask("log", report_id=report).data == sample("chengdu/guo-shui")
        about = asks.get("report_about", report_id=report)
        assert f"/uploads/{about['upload']}" in [one.partition("?")[0] for one in links(browser.read(place))]

    def test_their_findings_are_filtered_and_said(self, asks: Program) -> None:
        report = asks.report(sample("chengdu/guo-shui"))
        every = asks.get("findings", report_id=report)
        assert every["total"] == len(every["items"])
        (barred,) = asks.get("findings", report_id=report, query={"code": "ACT023"})["items"]
        seat = barred["finding"]["seat"]
        assert barred["step"] == barred["finding"]["action"] + 1
        assert asks.get("findings", report_id=report, query={"seat": seat, "code": "ACT023"})["total"] == 1
        assert (
            asks.get("findings", report_id=report, query={"seat": (seat + 1) % 4, "code": "ACT023"})["total"]
            == 0
        )
        assert asks.get("findings", report_id=report, query={"hand": 7})["items"] == []
        chinese = asks.get("findings", report_id=report, query={"code": "ACT023", "lang": "zh-Hans"})
        assert chinese["items"][0]["finding"] == barred["finding"]
        assert chinese["items"][0]["said"] != barred["said"]

    def test_u7_of_others_are_not_there(self, asks: Program) -> None:
        for name in ("report", "report_about", "log", "findings", "explanation", "hands", "shares"):
            assert asks.ask(name, report_id=NOBODY).status_code == 404

    def test_are_found(self, asks: Program) -> None:
        ids = {asks.report(sample(f"chengdu/{name}")) for name in ("clean", "guo-shui")}
        assert {one["id"] for one in asks.get("reports")["items"]} == ids
        (found,) = asks.get("reports", query={"code": "ACT023"})["items"]
        assert found["verdict"] == "findings"
        assert asks.get("reports", query={"room": "no such room"})["total"] == 0
        assert asks.get("reports", query={"page": 1_000_000, "size": 200})["items"] == []

    def test_a_claim_is_explained_where_there_is_one(self, asks: Program) -> None:
        claims = asks.report(sample("chengdu/misclaimed-settlement"))
        found = asks.get("explanation", report_id=claims)
        assert found["stated"] == "chengdu"
        assert found["right"] or found["others"]
        silent = asks.report(b'{"format": "nothing"}')
        assert asks.ask("explanation", report_id=silent).status_code == 404


class TestHands:
    def test_are_stepped_through(self, asks: Program) -> None:
        report = asks.report(sample("chengdu/guo-shui"))
        hand = asks.get("hand", report_id=report, hand=0)
        steps = asks.get("steps", report_id=report, hand=0, query={"size": 7, "page": 2})
        assert steps["total"] == hand["last"] + 1
        assert [frame["step"] for frame in steps["items"]] == list(range(7, 14))
        assert asks.get("step", report_id=report, hand=0, step=9)["frame"] == steps["items"][2]
        assert asks.get("hands", report_id=report)["items"] == [hand["hand"]]

    def test_what_a_seat_could_not_see_is_left_out(self, asks: Program) -> None:
        report = asks.report(sample("chengdu/guo-shui"))
        open_ = asks.get("step", report_id=report, hand=0, step=5, query={"seat": 2})["frame"]
        seen = asks.get("step", report_id=report, hand=0, step=5, query={"seat": 2, "hide": "true"})["frame"]
        assert all(any(seat["hand"]) for seat in open_["seats"])
        assert [any(seat["hand"]) for seat in seen["seats"]] == [False, False, True, False]
        assert seen["wall"] is None

    @pytest.mark.parametrize(("hand", "step"), [(9, 0), (0, 9999), (2**53 - 1, 0), (0, 2**70)])
    def test_that_are_not_there_are_404(self, asks: Program, hand: int, step: int) -> None:
        report = asks.report(sample("chengdu/guo-shui"))
        assert asks.ask("step", report_id=report, hand=hand, step=step).status_code == 404

    def test_of_a_log_that_cannot_be_read_there_are_none(self, asks: Program) -> None:
        report = asks.report(b"nothing")
        assert asks.get("hands", report_id=report)["total"] == 0
        for name in ("hand", "steps"):
            assert asks.ask(name, report_id=report, hand=0).status_code == 404


class TestRuleSets:
    def test_built_in_ones_are_told_value_by_value(self, asks: Program) -> None:
        assert [one["id"] for one in asks.get("rule_sets")["items"]] == list(profile_ids())
        for one in profile_ids():
            assert asks.get("rule_set", rules_id=one) == document_of(load_profile(one))
        assert asks.ask("rule_set", rules_id="casino").status_code == 404

    def test_are_compared(self, asks: Program) -> None:
        found = asks.get("compare", query={"set": ["chengdu", "xueliu"]})
        assert found["sets"] == ["chengdu", "xueliu"]
        assert {one["key"] for one in found["differing"]}.isdisjoint(found["agreed"])
        assert next(one for one in found["differing"] if one["key"] == "swap")["values"] == [
            "none",
            "same_suit",
        ]
        assert asks.ask("compare", query={"set": "chengdu"}).status_code == 422
        assert asks.ask("compare", query={"set": ["chengdu", "casino"]}).get_json()["code"] == "422.rules"

    def test_of_the_house_are_kept_once_and_by_version(self, asks: Program) -> None:
        first, same = asks.ask("keep", body=own()), asks.ask("keep", body=own())
        assert (first.status_code, same.status_code) == (201, 200)
        assert first.get_json()["id"] == same.get_json()["id"]
        later = asks.get("keep", body=own(cap_fan=5))
        assert later["supersedes"] == first.get_json()["id"]
        assert [one["id"] for one in later["versions"]] == [later["id"], first.get_json()["id"]]
        assert [one["id"] for one in asks.get("house_list")["items"]] == [later["id"]]
        taken = asks.take(sample("chengdu/clean"), rules=later["rules"])
        assert asks.get("upload", upload_id=taken["id"])["audit"]["rules"] == later["rules"]

    def test_of_the_house_are_begun_from_another(self, asks: Program) -> None:
        made = asks.get(
            "start", body={"base": "xueliu", "id": "ours", "name": "Ours", "values": {"cap_fan": 5}}
        )
        assert made["document"]["values"]["cap_fan"] == 5
        assert set(made["names"].values()) == {"Ours"}
        for body, pointer in (
            ({"base": "xueliu", "id": "chengdu"}, "/id"),
            ({"base": "xueliu", "id": "ours", "values": {"cap_fan": "five"}}, "/values/cap_fan"),
        ):
            refused = asks.ask("start", body=body)
            assert refused.get_json()["code"] == "422.house"
            assert [one["pointer"] for one in refused.get_json()["errors"]] == [pointer]

    def test_what_is_no_rule_set_is_refused_place_by_place(self, asks: Program) -> None:
        wrong = own()
        wrong["values"]["cap_fan"] = "five"
        refused = asks.ask("keep", body=wrong)
        assert (refused.status_code, refused.get_json()["code"]) == (422, "422.house")
        assert [one["pointer"] for one in refused.get_json()["errors"]] == ["/values/cap_fan"]
        assert asks.ask("keep", data=b"[]").get_json()["code"] == "422.house"
        assert rows(asks.service, HouseRules) == []

    def test_of_the_house_count_against_the_quota(self, asks: Program) -> None:
        asks.service.settings = Settings(data=asks.service.settings.data, broker="none", quota_bytes=100)
        assert asks.ask("keep", body=own()).get_json()["code"] == "413.quota"


def test_the_catalogue_has_every_finding(asks: Program) -> None:
    assert {one["code"] for one in asks.get("catalogue_findings")["items"]} == CATALOGUE.keys()
    assert asks.ask("catalogue_finding", code="ACT999").get_json()["code"] == "404.catalogue"
