"""What a record lacks leaves questions open: each is undecidable and says what is missing, none is ever illegal.

Logs are derived from cases: a fact is taken out of a log, or replaced by a guess, and `lacks` says so.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from replay import audit, load_profile
from replay.profile import default_profile, value_schemas

from .cases import Facts, errors, expectation, log_bytes, log_of, place, playable

FACTS = ["void", "swap", "dealer", "gang_kind", "rob", "pass", "ends", "options"]
LEGAL = [("legal", name) for name in playable("legal")]
ILLEGAL = [("illegal", name) for name in playable("illegal") if name[:3] in ("ACT", "HND", "CLE", "SET")]

Kept = list[list[int]]
"""By hand: where each action that was kept stood in the log it comes from."""


def derived(
    kind: str, name: str, *lacks: str, drop: Callable[[Facts], bool] | None = None
) -> tuple[Facts, Kept]:
    """A case that lacks these facts, without the actions that ``drop`` picks."""
    log = log_of(kind, name)
    log["lacks"] = list(lacks)
    kept = []
    for hand in log["hands"]:
        stay = [at for at, action in enumerate(hand["actions"]) if drop is None or not drop(action)]
        kept.append([*stay, len(hand["actions"])])
        hand["actions"] = [hand["actions"][at] for at in stay]
    return log, kept


def forget_claimed_places(log: Facts) -> None:
    """Claimed entries and hu say at which action: those places are others now."""
    for hand in log["hands"]:
        for claim in [*hand.get("claimed", {}).get("wins", ()), *hand.get("claimed", {}).get("ledger", ())]:
            claim.pop("at", None)


def without(fact: str, kind: str, name: str) -> tuple[Facts, Kept]:
    """A case with one fact taken out of its log, as far as a log shows it."""
    drop = {"void": lambda action: action["type"] == "void", "pass": lambda action: action["type"] == "pass"}
    log, kept = derived(kind, name, fact, drop=drop.get(fact))
    if fact == "pass":
        log["records"] = [each for each in log.get("records", ()) if each != "pass"]
    if fact == "options":
        log["rules"].pop("options", None)
    if fact in drop:
        forget_claimed_places(log)
    return log, kept


def opened(report: Facts) -> list[Facts]:
    """The questions that a report leaves open."""
    everywhere = [*report["findings"], *(finding for hand in report["hands"] for finding in hand["findings"])]
    return [finding for finding in everywhere if finding["kind"] == "undecidable"]


def check_opened(report: Facts, lacks: list[str]) -> None:
    """Each open question is a warning, is asked once a hand, and names facts that the log lacks."""
    found = opened(report)
    for finding in found:
        assert finding["severity"] == "warning"
        assert finding["params"].keys() == {"missing"}
        assert set(finding["params"]["missing"]) <= set(lacks)
        assert finding["params"]["missing"]
    asked = [(finding["hand"], finding["code"]) for finding in found]
    assert len(asked) == len(set(asked))
    assert report["complete"] is False or not found


def illegal(report: Facts, kept: Kept) -> set[tuple[Any, ...]]:
    """The illegal acts of a report, at the places that they have in the whole log.

    A missed forced hu has none: it stands at the pass where that is recorded, else where the tile was gone (formats §5).
    """
    found = set()
    for finding in errors(report):
        if finding["kind"] == "illegal":
            action = None if finding["code"] == "HND001" else finding["action"]
            at = None if action is None else kept[finding["hand"]][action]
            found.add((finding["code"], finding["hand"], at, finding["seat"]))
    return found


def whole(kind: str, name: str) -> set[tuple[Any, ...]]:
    """The illegal acts of a case as it stands."""
    log = log_of(kind, name)
    return illegal(audit(log).to_dict(), [list(range(len(hand["actions"]) + 1)) for hand in log["hands"]])


# A fact taken out -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), LEGAL)
@pytest.mark.parametrize("fact", FACTS)
def test_a_legal_sitting_is_never_called_illegal_for_what_its_record_lacks(
    fact: str, kind: str, name: str
) -> None:
    log, _ = without(fact, kind, name)
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    assert report["verdict"] == "clean"
    check_opened(report, [fact])


@pytest.mark.parametrize(("kind", "name"), ILLEGAL)
@pytest.mark.parametrize("fact", FACTS)
def test_a_record_with_less_in_it_shows_no_illegal_act_that_the_whole_does_not(
    fact: str, kind: str, name: str
) -> None:
    log, kept = without(fact, kind, name)
    report = audit(log).to_dict()
    assert illegal(report, kept) - whole(kind, name) == set()
    check_opened(report, [fact])


@pytest.mark.parametrize(("kind", "name"), [*LEGAL, *ILLEGAL])
def test_a_record_that_lacks_everything_is_audited_all_the_same(kind: str, name: str) -> None:
    log, kept = derived(kind, name, *FACTS, drop=lambda action: action["type"] in ("void", "pass"))
    log["records"] = [each for each in log.get("records", ()) if each != "pass"]
    log["rules"].pop("options", None)
    forget_claimed_places(log)
    report = audit(log).to_dict()
    assert illegal(report, kept) - whole(kind, name) == set()
    assert opened(report) or [hand["stopped_at"] for hand in report["hands"]] == [0]
    check_opened(report, FACTS)


STILL = ("ACT001", "ACT003", "ACT004", "ACT006", "ACT026")
"""Codes of what no missing fact can excuse: tiles that are not there, turns, and acts after a hu."""


@pytest.mark.parametrize("name", [name for _, name in ILLEGAL if name.startswith(STILL)])
def test_what_needs_no_missing_fact_stays_illegal(name: str) -> None:
    log, _ = derived("illegal", name, *FACTS)
    wanted = expectation("illegal", name)["expected_finding"]
    found = [
        (finding["code"], finding["hand"], finding["action"]) for finding in errors(audit(log).to_dict())
    ]
    assert (wanted["code"], wanted["hand"], wanted["action"]) in found


@pytest.mark.parametrize(
    ("fact", "name"),
    [
        ("void", "ACT010-void-after-discard"),
        ("void", "ACT010-void-missing"),
        ("void", "ACT012-void-suit-kept"),
        ("void", "ACT013-peng-of-void-suit"),
        ("void", "ACT022-void-held-claim"),
        ("void", "ACT023-guo-shui"),
        ("pass", "ACT030-pass-missing"),
        ("gang_kind", "ACT015-gang-of-three"),
        ("gang_kind", "ACT015-added-without-peng"),
        ("gang_kind", "ACT024-rob-concealed"),
        ("gang_kind", "SET001-scores"),
        ("rob", "SET002-ledger"),
        ("ends", "HND002-cut-short"),
        ("dealer", "HND004-dealer-wrong"),
        ("options", "ACT023-guo-shui"),
        ("options", "HND001-forced-on-discard"),
        ("options", "HND001-forced-on-own-draw"),
        ("options", "SET001-scores"),
        ("options", "SET003-wins"),
        ("options", "SET005-totals"),
    ],
)
def test_the_question_that_needs_the_fact_is_open(fact: str, name: str) -> None:
    """The defect is still seen, as a question under its code, once it is known what the record lacks."""
    log, _ = derived("illegal", name, fact)
    report = audit(log).to_dict()
    code = name[:6]
    assert [place(finding) for finding in errors(report) if finding["code"] == code] == []
    asked = [finding for finding in opened(report) if finding["code"] == code]
    assert asked
    assert all(fact in finding["params"]["missing"] for finding in asked)
    assert report["complete"] is False


# Void ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), LEGAL)
def test_without_void_suits_the_order_of_discards_is_open_in_every_hand(kind: str, name: str) -> None:
    log, _ = without("void", kind, name)
    for hand in audit(log).to_dict()["hands"]:
        codes = {finding["code"] for finding in hand["findings"] if finding["kind"] == "undecidable"}
        assert {"ACT010", "ACT012"} <= codes
        assert ("ACT022" in codes) == bool(hand["wins"])


@pytest.mark.parametrize(("kind", "name"), LEGAL)
def test_without_void_suits_the_money_of_a_liuju_is_open(kind: str, name: str) -> None:
    log, _ = without("void", kind, name)
    for hand, played in zip(audit(log).to_dict()["hands"], log["hands"], strict=True):
        asked = {finding["code"] for finding in hand["findings"] if finding["kind"] == "undecidable"}
        if hand["ready"] is not None and "claimed" in played:
            assert "SET001" in asked


# Dealer, ends, options: a guess in place of the fact -----------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, name in LEGAL if len(log_of(kind, name)["hands"]) > 1]
)
def test_an_unknown_dealer_leaves_the_next_deal_open(kind: str, name: str) -> None:
    log, _ = without("dealer", kind, name)
    first, *others = audit(log).to_dict()["hands"]
    assert "HND004" not in {finding["code"] for finding in first["findings"]}
    for hand in others:
        assert [f["kind"] for f in hand["findings"] if f["code"] == "HND004"] == ["undecidable"]


def after_first_hu(hand: Facts) -> int:
    """How many actions there are up to the last hu on the tile of the first one."""
    actions = hand["actions"]
    first = next(at for at, action in enumerate(actions) if action["type"] == "hu")
    followers = next(
        (at for at in range(first, len(actions)) if actions[at]["type"] not in ("hu", "pass")), len(actions)
    )
    return followers


def test_a_hand_that_stops_at_its_first_hu_is_not_cut_short_where_its_end_is_not_known() -> None:
    met = 0
    for kind, name in LEGAL:
        log, _ = derived(kind, name, "ends")
        hand = next((hand for hand in log["hands"] if any(a["type"] == "hu" for a in hand["actions"])), None)
        if hand is None:
            continue
        whole_length = len(hand["actions"])
        hand["actions"] = hand["actions"][: after_first_hu(hand)]
        hand.pop("claimed", None)
        log.pop("claimed", None)
        log["hands"] = [hand]
        report = audit(log).to_dict()
        assert list(map(place, errors(report))) == []
        check_opened(report, ["ends"])
        if len(hand["actions"]) < whole_length:
            met += 1
            assert [finding["code"] for finding in opened(report)] == ["HND002"]
    assert met


@pytest.mark.parametrize(("kind", "name"), LEGAL)
def test_a_hand_that_goes_on_after_its_first_hu_is_not_late_where_its_end_is_not_known(
    kind: str, name: str
) -> None:
    log, _ = derived(kind, name, "ends")
    log["rules"].setdefault("options", {})["ends"] = "first_hu"
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    check_opened(report, ["ends"])


def guesses() -> Iterator[tuple[str, Any]]:
    """Values that a room may have set, one key at a time: every choice, and numbers far from the usual."""
    for key, allowed in value_schemas().items():
        few = allowed.get("enum") or ([True, False] if allowed.get("type") == "boolean" else [])
        yield from ((key, value) for value in few)
    yield from [
        ("base", 3), ("cap_fan", 1), ("cap_fan", 30), ("forced_last", 0), ("forced_last", 56), ("gang_an", 0),
        ("gang_bu", 5), ("gang_zhi", 0), ("gang_zhi_others", 3), ("guo_shui_waived_below", 56), ("coin_factor", 5),
        ("hua_zhu_amount", 9), ("own_gangs", {"exposed": 1, "concealed": 2}),
        ("payer_gangs", {"exposed": 1, "concealed": 2}), ("extras", {}),
        ("shapes", {"ping_hu": 1}), ("absorb_gen", {}), ("excludes", [["gen", "dui_dui_hu"]]),
    ]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), list(guesses()))
def test_where_options_are_not_known_a_wrong_guess_accuses_nobody(key: str, value: Any) -> None:
    """Sittings that were legal under what their rooms agreed on, audited under something else."""
    options = {
        key: value,
        **({"shapes": dict.fromkeys(load_profile(default_profile()).shapes, 1)} if value == "exp" else {}),
    }
    for kind, name in LEGAL:
        log, _ = derived(kind, name, "options")
        log["rules"]["options"] = options
        report = audit(log).to_dict()
        assert (name, list(map(place, errors(report)))) == (name, [])
        check_opened(report, ["options"])


@pytest.mark.parametrize("name", [name for _, name in ILLEGAL if name.startswith("CLEAN")])
@pytest.mark.parametrize(("key", "value"), list(guesses()))
def test_a_near_miss_under_a_wrong_guess_stays_clean(key: str, value: Any, name: str) -> None:
    log, _ = derived("illegal", name, "options")
    log["rules"]["options"] = {key: value}
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    check_opened(report, ["options"])


# Gangs ---------------------------------------------------------------------------------------------------------

GANGS = [
    (kind, name)
    for kind, name in LEGAL
    if any(a["type"] == "gang" for h in log_of(kind, name)["hands"] for a in h["actions"])
]


@pytest.mark.parametrize(("kind", "name"), GANGS)
@pytest.mark.parametrize("guess", ["zhi", "bu", "an"])
def test_a_gang_of_the_wrong_kind_accuses_nobody_where_kinds_are_not_known(
    guess: str, kind: str, name: str
) -> None:
    log, _ = derived(kind, name, "gang_kind")
    for hand in log["hands"]:
        for action in hand["actions"]:
            if action["type"] == "gang":
                action["kind"] = guess
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    check_opened(report, ["gang_kind"])


def robbed(hand: Facts) -> list[int]:
    """The added gangs that were robbed."""
    actions = hand["actions"]
    added = [at for at, action in enumerate(actions) if action["type"] == "gang" and action["kind"] == "bu"]
    return [at for at in added if next(a["type"] for a in actions[at + 1 :] if a["type"] != "pass") == "hu"]


ROBBED = [(kind, name) for kind, name in [*LEGAL, *ILLEGAL] if any(map(robbed, log_of(kind, name)["hands"]))]


@pytest.mark.parametrize(("kind", "name"), ROBBED)
def test_a_robbed_gang_that_nobody_wrote_down_makes_no_hu_illegal(kind: str, name: str) -> None:
    log, _ = derived(kind, name, "rob")
    for hand in log["hands"]:
        gone = robbed(hand)
        hand["actions"] = [action for at, action in enumerate(hand["actions"]) if at not in gone]
    forget_claimed_places(log)
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    assert opened(report)
    check_opened(report, ["rob"])


def test_sittings_with_robbed_gangs_are_among_the_cases() -> None:
    assert ROBBED


# The bytes stay the same where nothing is lacking ----------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), [*LEGAL, *ILLEGAL])
def test_an_empty_list_of_lacks_is_none(kind: str, name: str) -> None:
    log, _ = derived(kind, name)
    with_list, without_list = audit(log).to_dict(), audit(log_bytes(kind, name)).to_dict()
    assert with_list["hands"] == without_list["hands"]
    assert with_list["findings"] == without_list["findings"]
