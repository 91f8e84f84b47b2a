"""Every hand that the documents print as an example, under the name of the clause that prints it.

The value is what the clause's definition gives the hand in `chengdu` (000 first part, whose table is word for word
that of 004 §5; rulebook §2.3 reading a). Where an example does not fit its own heading the definition holds
(readings d and j).
"""

import re
from pathlib import Path

import pytest

from replay import price, waits

PROFILE = "chengdu"
SUITS = {"万": "m", "萬": "m", "筒": "p", "銅": "p", "条": "s", "條": "s"}
PRINTED = re.compile(rf"(?:\d+[{''.join(SUITS)}]\s*)+")


def tiles(printed: str) -> str:
    """The tile string of a hand as a document prints it."""
    return "".join(rank + SUITS[run[-1]] for run in re.findall(r"\d+\D", printed) for rank in run[:-1])


def tile_list(printed: str) -> list[str]:
    found = tiles(printed)
    return [found[at : at + 2] for at in range(0, len(found), 2)]


def expect(printed: str, shape: str, fan: int, points: int) -> None:
    """The printed hand is worth ``fan``, whichever of its tiles it was won on and by self-draw or not."""
    hand = tile_list(printed)
    assert len(hand) == 14
    suits = {tile[1] for tile in hand}
    for void in sorted(set("mps") - suits):
        for win in dict.fromkeys(hand):
            for zi_mo in (False, True):
                found = price("".join(hand), win, void=void, zi_mo=zi_mo, profile=PROFILE)
                assert found is not None
                assert (found.shape.id, found.fan, found.price, found.extras) == (shape, fan, points, ())
            rest = hand.copy()
            rest.remove(win)
            assert win in waits("".join(rest), void=void, profile=PROFILE)
    for held in sorted(suits):
        assert price("".join(hand), hand[-1], void=held, profile=PROFILE) is None


# 004 五、番种 -----------------------------------------------------------------------------------------


def test_004_5_一番_平胡() -> None:
    expect("23445677筒345789條", "ping_hu", 1, 1)


def test_004_5_兩番_對對胡() -> None:
    expect("111222444萬33399筒", "dui_dui_hu", 2, 2)


def test_004_5_三番_清一色() -> None:
    expect("11333222456999條", "qing_yi_se", 3, 4)


def test_004_5_三番_帶幺九() -> None:
    """Reading (e): only as 123 123 123 789 99 does every set have its 1 or 9."""
    expect("111222333萬78999筒", "dai_yao_jiu", 3, 4)


def test_004_5_三番_七對_的例是龍七對() -> None:
    """Reading (j): the example of 七對 holds four 2萬, which the definition makes a 龍七對."""
    expect("2244552299萬1199筒", "long_qi_dui", 5, 16)


def test_004_5_四番_清對_的例是清七對() -> None:
    """Reading (d): the example of 清對 is seven pairs of one suit; it can't be read as four sets alike."""
    expect("99887755221166筒", "qing_qi_dui", 5, 16)


def test_004_5_四番_將對() -> None:
    expect("222555888條88855萬", "jiang_dui", 4, 8)


def test_004_5_五番_龍七對_減1根() -> None:
    expect("11222244筒557799萬", "long_qi_dui", 5, 16)


def test_004_5_五番_清七對() -> None:
    expect("11334466778899條", "qing_qi_dui", 5, 16)


def test_004_5_五番_清幺九() -> None:
    expect("11123777888999銅", "qing_yao_jiu", 5, 16)


def test_004_5_六番_青龍七對_減1根() -> None:
    expect("11224444557799萬", "qing_long_qi_dui", 6, 32)


# 000, third part: 血流成河换三张 牌型记分 -----------------------------------------------------------------


def test_000_3_牌型记分_1_基本胡() -> None:
    """Of the rule set 血流, which is not built: a complete hand of two suits, 平胡 as `chengdu` reads it."""
    expect("23445677万345789筒", "ping_hu", 1, 1)


def test_000_3_牌型记分_2_门前清() -> None:
    """Of 血流 (门前清 is a row of its table only): a complete hand, 平胡 as `chengdu` reads it."""
    expect("123456万33567789条", "ping_hu", 1, 1)


def test_000_3_牌型记分_3_对对胡() -> None:
    """Of 血流: four sets alike and a pair, `dui_dui_hu` as `chengdu` reads it."""
    expect("111333444万66677筒", "dui_dui_hu", 2, 2)


def test_000_3_牌型记分_4_清一色() -> None:
    """Of 血流: one suit, `qing_yi_se` as `chengdu` reads it."""
    expect("11223345678999万", "qing_yi_se", 3, 4)


def test_000_3_牌型记分_5_清一色碰碰胡() -> None:
    """Of 血流: one suit and four sets alike, `qing_dui` as `chengdu` reads it."""
    expect("11133344555666万", "qing_dui", 4, 8)


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
