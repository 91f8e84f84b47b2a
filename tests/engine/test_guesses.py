"""A guess in place of a fact that the record lacks (what ends a hand, an option, the kind of a gang) accuses nobody."""

from collections.abc import Iterator
from typing import Any

import pytest

from replay import audit, load_profile
from replay.sense import value_schemas

from .cases import Facts, errors, log_of, place, profile_of
from .lacking import ILLEGAL, LEGAL, check_opened, derived, forget_claimed_places, opened

# What ends a hand -----------------------------------------------------------------------------------------


def after_first_hu(hand: Facts) -> int:
    """How many actions there are up to the last hu on the tile of the first one."""
    actions = hand["actions"]
    first = next(at for at, action in enumerate(actions) if action["type"] == "hu")
    return next(
        (at for at in range(first, len(actions)) if actions[at]["type"] not in ("hu", "pass")), len(actions)
    )


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


@pytest.mark.parametrize(
    ("kind", "name"), [case for case in LEGAL if load_profile(profile_of(*case)).ends != "wall"]
)
def test_a_hand_that_goes_on_after_its_first_hu_is_not_late_where_its_end_is_not_known(
    kind: str, name: str
) -> None:
    log, _ = derived(kind, name, "ends")
    log["rules"].setdefault("options", {})["ends"] = "first_hu"
    report = audit(log).to_dict()
    assert list(map(place, errors(report))) == []
    check_opened(report, ["ends"])


ANOTHER_GAME = ("tiles", "swap", "ting_yong", "ends")
"""What no room sets for itself: with other tiles, a swap, wildcards or winners who play on it is another game, and
which game it is the log says by naming its rule set. (What ends a hand has a fact of its own in `lacks`.)"""


def guesses() -> Iterator[tuple[str, Any]]:
    """Values that a room may have set, one key at a time: every choice, and numbers far from the usual."""
    for key, allowed in value_schemas().items():
        if key in ANOTHER_GAME:
            continue
        few = allowed.get("enum") or ([True, False] if allowed.get("type") == "boolean" else [])
        yield from ((key, value) for value in few)
    yield from [
        ("base", 3), ("cap_fan", 1), ("cap_fan", 30), ("forced_last", 0), ("forced_last", 56), ("gang_an", 0),
        ("gang_bu", 5), ("gang_zhi", 0), ("gang_zhi_others", 3), ("guo_shui_waived_below", 56), ("coin_factor", 5),
        ("hua_zhu_amount", 9), ("own_gangs", {"exposed": 1, "concealed": 2}),
        ("payer_gangs", {"exposed": 1, "concealed": 2}), ("extras", {}),
        ("shapes", {"ping_hu": 1}), ("absorb_gen", {}), ("excludes", [["gen", "dui_dui_hu"]]),
    ]  # fmt: skip


def guessed(key: str, value: Any, profile: str) -> Facts:
    """The options of a guess, with what else the rule set needs for the value to make sense."""
    rules = load_profile(profile)
    options: Facts = {key: value}
    if value == "exp":
        options["shapes"] = dict.fromkeys(rules.shapes, 1)
    if value in ("cap", "sum") or key == "payer_gangs":
        options["cap_fan"] = 6
    if key == "excludes":
        options |= {"shapes": {"ping_hu": 1, "dui_dui_hu": 2}, "extras": {"gen": 1}, "absorb_gen": {}}
        options["dragon_pairs_absorb_gen"] = False
    return options


@pytest.mark.parametrize(("key", "value"), list(guesses()))
def test_where_options_are_not_known_a_wrong_guess_accuses_nobody(key: str, value: Any) -> None:
    """Sittings that were legal under what their rooms agreed on, audited under something else."""
    for kind, name in LEGAL:
        log, _ = derived(kind, name, "options")
        log["rules"]["options"] = guessed(key, value, log["rules"]["profile"])
        report = audit(log).to_dict()
        assert (name, list(map(place, errors(report)))) == (name, [])
        check_opened(report, ["options"])


@pytest.mark.parametrize("name", [name for _, name in ILLEGAL if name.startswith("CLEAN")])
@pytest.mark.parametrize(("key", "value"), list(guesses()))
def test_a_near_miss_under_a_wrong_guess_stays_clean(key: str, value: Any, name: str) -> None:
    log, _ = derived("illegal", name, "options")
    log["rules"]["options"] = guessed(key, value, log["rules"]["profile"])
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
