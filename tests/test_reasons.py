"""Whoever has the report alone can reckon every amount again, and knows by which words of the rules it is due."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay import audit, load_profile, profile_ids
from replay.grounds import fan_key
from replay.schemas import authority
from replay.text import page_of
from replay.text.why import why_paid
from replay.wording import languages
from tests.goldens import FOLDER
from tests.play.strategies import examples, sittings

Facts = Mapping[str, Any]
RULE_SETS = pytest.mark.parametrize("profile", profile_ids())


def points(scale: Facts, fan: int) -> int:
    """Fan in points, as the description of the report's schema says it."""
    counted = fan if scale["cap"] is None else min(fan, scale["cap"])
    price: Callable[[int, int], int] = {
        "exp": lambda base, n: base * 2 ** (n - 1),
        "exp0": lambda base, n: base * 2**n,
        "lin": lambda base, n: base * n,
    }[scale["id"]]
    return price(scale["base"], counted)


def total(hand: Facts) -> int:
    """The fan of a hand, part by part."""
    extras = sum(int(part["fan"]) * int(part["count"]) for part in hand["extras"])
    return int(hand["shape"]["fan"]) + extras


def value(because: Facts, wins: list[Facts]) -> int:
    """What the one paid could have won at best, or the price of its dearest hu; 0 where it has neither."""
    if "best" in because:
        best = because["best"]
        assert total(best) == best["fan"]
        assert points(because["scale"], best["fan"]) == best["price"]
    elif "win" not in because:
        return 0
    return int(because["best"]["price"] if "best" in because else wins[because["win"]]["price"])


def due_hu(because: Facts, hand: Facts) -> int:
    own = sum(part["fan"] * part["count"] for part in because.get("payer_gangs", []))
    assert total(hand["wins"][because["win"]]) + own == because["fan"]
    assert points(because["scale"], because["fan"]) == because["owed"]
    return int(because["owed"] + because["bonus"])


def due_hua_zhu(because: Facts, hand: Facts) -> int:
    worth = value(because, hand["wins"])
    due: dict[str, Callable[[], int]] = {
        "cap": lambda: points(because["scale"], because["fan"]),
        "best_times": lambda: worth * because["times"],
        "base_times": lambda: because["base"] * because["times"],
        "fixed": lambda: int(because["fixed"]),
        "best_or_fixed": lambda: max(worth, because["fixed"]),
    }
    return due[because["by"]]()


def due_flee(because: Facts, hand: Facts) -> int:
    if "units" in because:
        return int(because["units"] * because["base"])
    return value(because, hand["wins"])


DUE: dict[str, Callable[[Facts, Facts], int]] = {
    "hu": due_hu,
    "gang": lambda because, hand: because["units"] * because["base"],
    "transfer": lambda because, hand: sum(
        paid["amount"] // paid["because"].get("piao", 1)
        for paid in (hand["ledger"][at] for at in because["entries"])
    ),
    "hua_zhu": due_hua_zhu,
    "da_jiao": lambda because, hand: value(because, hand["wins"]),
    "flee": due_flee,
    "xiang_gong": lambda because, hand: points(because["scale"], because["fan"]),
}


@RULE_SETS
@given(data=st.data())
@examples(in_ci=30, here=4)
def test_every_amount_can_be_reckoned_again_from_its_facts(profile: str, data: st.DataObject) -> None:
    report = audit(data.draw(sittings(profile))).to_dict()
    assert authority("report").is_valid(report)
    for hand in report["hands"]:
        for entry in hand["ledger"]:
            because = entry["because"]
            assert because["rules"], entry
            if entry["kind"] in DUE:
                assert DUE[entry["kind"]](because, hand) * because.get("piao", 1) == entry["amount"], entry
            elif entry["kind"] == "refund":
                assert hand["ledger"][entry["reverses"]]["amount"] == entry["amount"]


@RULE_SETS
@given(data=st.data())
@examples(in_ci=15, here=3)
def test_every_payment_is_told_in_every_language(profile: str, data: st.DataObject) -> None:
    document = data.draw(sittings(profile))
    report = audit(document).to_dict()
    for lang in languages():
        page = page_of(report, lang, document)
        for hand in report["hands"]:
            for entry in hand["ledger"]:
                said = why_paid(page, hand, entry)
                assert page.words.say("language.unknown") not in said, (entry, said)
                assert page.words.say("seat.some") not in said, (entry, said)


@RULE_SETS
def test_a_fan_that_is_cited_apart_is_one_of_its_table(profile: str) -> None:
    rules = load_profile(profile)
    apart = [key.split(".") for key in rules.cites if "." in key]
    tables: dict[str, dict[str, int]] = {"shapes": rules.shapes, "extras": rules.extras}
    assert [(table, fan) for table, fan in apart if fan not in tables[table]] == []
    assert all(fan_key(rules.cites, fan) == f"{table}.{fan}" for table, fan in apart)


@pytest.mark.parametrize("name", ["clean", "liuju-hua-zhu-da-jiao"])
def test_a_report_holds_the_words_that_its_payments_rest_on(name: str) -> None:
    report = audit((FOLDER / "chengdu" / f"{name}.json").read_bytes()).to_dict()
    named = {key for hand in report["hands"] for entry in hand["ledger"] for key in entry["because"]["rules"]}
    assert named - report["rules"]["cites"].keys() <= {"dead_wait"}
    assert report["rules"]["cites"].keys() <= named
    assert all(clause["text"] for clause in report["rules"]["cites"].values())


def test_a_report_names_the_readings_that_its_amounts_rest_on() -> None:
    report = audit((FOLDER / "chengdu" / "clean.json").read_bytes()).to_dict()
    keys = [reading.partition(":")[0] for reading in report["rules"]["readings"]]
    assert keys == ["dead_wait", "extras", "refund", "scale", "transfer", "zi_mo_payers"]
