"""Every hand that the documents print as an example, under the name of the clause that prints it.

The value is what the clause's definition gives the hand. The table of 004 §5 is word for word that of 000's first part
(rulebook §2.3 reading a), which `zhaotong` shares, and `base6` takes it for want of one in 002 (reading b). Where an
example does not fit its own heading the definition holds (readings d and j).
"""

import re
from pathlib import Path

import pytest

from replay import load_profile, price, waits

TABLE = ["chengdu", "zhaotong", "base6", "qq-single", "qq", "qq-dingque"]
"""The rule sets with the fan table of 004 §5."""

SUITS = {"万": "m", "萬": "m", "筒": "p", "銅": "p", "条": "s", "條": "s"}
PRINTED = re.compile(rf"(?:\d+[{''.join(SUITS)}]\s*)+")


def tiles(printed: str) -> str:
    """The tile string of a hand as a document prints it."""
    return "".join(rank + SUITS[run[-1]] for run in re.findall(r"\d+\D", printed) for rank in run[:-1])


def tile_list(printed: str) -> list[str]:
    found = tiles(printed)
    return [found[at : at + 2] for at in range(0, len(found), 2)]


def expect(printed: str, shape: str, fan: int, rules: list[str], drawn: tuple[str, ...] = ()) -> None:
    """The printed hand is worth ``fan`` whichever of its tiles it was won on; ``drawn``: extras of a self-draw."""
    hand = tile_list(printed)
    assert len(hand) == 14
    suits = {tile[1] for tile in hand}
    for profile in rules:
        for void in sorted(set("mps") - suits):
            for win in dict.fromkeys(hand):
                check(profile, hand, win, void, (shape, fan), drawn)
        for held in sorted(suits) if load_profile(profile).void == "declared" else ():
            assert price("".join(hand), hand[-1], void=held, profile=profile) is None


def check(
    profile: str, hand: list[str], win: str, void: str, value: tuple[str, int], drawn: tuple[str, ...]
) -> None:
    """Won on one tile, by discard and by self-draw, and waited for without it."""
    rules = load_profile(profile)
    declared = void if rules.void == "declared" else None
    for zi_mo in (False, True):
        found = price("".join(hand), win, void=declared, zi_mo=zi_mo, profile=profile)
        assert found is not None
        extras = drawn if zi_mo else ()
        fan = value[1] + len(extras)
        points = fan if rules.scale == "lin" else 2 ** (fan - 1)
        assert (found.shape.id, found.fan, found.price) == (value[0], fan, rules.base * points)
        assert tuple(part.id for part in found.extras) == extras
    rest = hand.copy()
    rest.remove(win)
    assert win in waits("".join(rest), void=declared, profile=profile)


# 004 五、番种 -----------------------------------------------------------------------------------------


def test_004_5_一番_平胡() -> None:
    expect("23445677筒345789條", "ping_hu", 1, TABLE)


def test_004_5_兩番_對對胡() -> None:
    expect("111222444萬33399筒", "dui_dui_hu", 2, TABLE)


def test_004_5_三番_清一色() -> None:
    expect("11333222456999條", "qing_yi_se", 3, TABLE)


def test_004_5_三番_帶幺九() -> None:
    """Reading (e): only as 123 123 123 789 99 does every set have its 1 or 9."""
    expect("111222333萬78999筒", "dai_yao_jiu", 3, TABLE)


def test_004_5_三番_七對_的例是龍七對() -> None:
    """Reading (j): the example of 七對 holds four 2萬, which the definition makes a 龍七對."""
    expect("2244552299萬1199筒", "long_qi_dui", 5, TABLE)


def test_004_5_四番_清對_的例是清七對() -> None:
    """Reading (d): the example of 清對 is seven pairs of one suit; it can't be read as four sets alike."""
    expect("99887755221166筒", "qing_qi_dui", 5, TABLE)


def test_004_5_四番_將對() -> None:
    expect("222555888條88855萬", "jiang_dui", 4, TABLE)


def test_004_5_五番_龍七對_減1根() -> None:
    expect("11222244筒557799萬", "long_qi_dui", 5, TABLE)


def test_004_5_五番_清七對() -> None:
    expect("11334466778899條", "qing_qi_dui", 5, TABLE)


def test_004_5_五番_清幺九() -> None:
    expect("11123777888999銅", "qing_yao_jiu", 5, TABLE)


def test_004_5_六番_青龍七對_減1根() -> None:
    expect("11224444557799萬", "qing_long_qi_dui", 6, TABLE)


# 000, third part: 血流成河换三张 牌型记分 -----------------------------------------------------------------

DRAWN = ("men_qing_zi_mo",)


def test_000_3_牌型记分_1_基本胡_的例是门前清() -> None:
    """The example has no three alike, so nothing of it can have been penged: 门前清 by the definition below it."""
    expect("23445677万345789筒", "men_qing", 2, ["xueliu"], DRAWN)


def test_000_3_牌型记分_1_基本胡() -> None:
    """A hand of two suits with a peng in it counts one."""
    found = price("2m3m4m4m5m6m7m7m3p4p5p", "3p", melds=[("peng", "8p")], profile="xueliu")
    assert found is not None
    assert (found.shape.id, found.fan, found.price, found.extras) == ("ping_hu", 1, 1, ())


def test_000_3_牌型记分_2_门前清() -> None:
    expect("123456万33567789条", "men_qing", 2, ["xueliu"], DRAWN)


def test_000_3_牌型记分_3_对对胡() -> None:
    expect("111333444万66677筒", "dui_dui_hu", 4, ["xueliu"], DRAWN)


def test_000_3_牌型记分_4_清一色() -> None:
    expect("11223345678999万", "qing_yi_se", 6, ["xueliu"], DRAWN)


def test_000_3_牌型记分_5_清一色碰碰胡() -> None:
    expect("11133344555666万", "qing_dui", 10, ["xueliu"], DRAWN)


# Whether all of them are here ---------------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize(("document", "count"), [("000", 5), ("001", 0), ("002", 0), ("004", 11)])
def test_every_hand_that_a_document_prints_stands_here(shared: Path, document: str, count: int) -> None:
    text = next((shared / "seeds").glob(f"{document}_*.txt")).read_text(encoding="utf-8")
    found = [re.sub(r"\s", "", match) for match in PRINTED.findall(text)]
    hands = [printed for printed in found if len(re.findall(r"\d", printed)) >= 13]
    assert len(hands) == count
    here = Path(__file__).read_text(encoding="utf-8")
    assert [printed for printed in hands if f'expect("{printed}"' not in here] == []
