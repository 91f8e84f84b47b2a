"""Fairness: what was committed to before the hand, against what was dealt."""

import gzip
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

import replay
from replay.fairness import SCHEMES, check_fairness, salasasa_tiles
from replay.importers import detect
from replay.log import Hand, log_of
from replay.schemas import schema

RECORD = Path(__file__).parent / "records" / "salasasa-2199.json.gz"
DEAL = ["1m" * 4 + "2m" * 9, "3m" * 13, "4m" * 13, "5m" * 13]
WALL = "9s" * 56


def hand(**fairness: Any) -> Hand:
    """A hand dealt as a log writes it, whatever its tiles."""
    return Hand(dealer=0, deal=DEAL, wall=WALL, fairness=fairness, actions=[])


def recorded() -> dict[str, Any]:
    """The log of a game that the server dealt."""
    record = json.loads(gzip.decompress(RECORD.read_bytes()))
    importer = detect(record)
    assert importer is not None
    log = importer.convert(record).log
    assert log is not None
    return log


def codes(given: Hand) -> list[str]:
    return [finding.code for finding in check_fairness(given, 2)]


def of_tiles(tiles: list[str], **fairness: Any) -> Hand:
    """A hand of these 108 tiles in dealing order."""
    deal = ["".join(tiles[at : at + 13]) for at in range(0, 52, 13)]
    stated = {"scheme": "salasasa", **fairness}
    return Hand(dealer=0, deal=deal, wall="".join(tiles[52:]), fairness=stated, actions=[])


class TestWallSha256:
    """Formats §1: SHA-256 of the deal and the wall as one tile string, then the salt."""

    COMMITMENT = hashlib.sha256(("".join(DEAL) + WALL + "盐").encode("utf-8")).hexdigest()

    @pytest.mark.parametrize("written", [COMMITMENT, COMMITMENT.upper()])
    def test_a_commitment_that_holds(self, written: str) -> None:
        assert check_fairness(hand(scheme="wall-sha256", commitment=written, salt="盐"), 0) == []

    def test_another_salt(self) -> None:
        (finding,) = check_fairness(hand(scheme="wall-sha256", commitment=self.COMMITMENT, salt="x"), 2)
        assert (finding.code, finding.hand, finding.pointer) == ("FAIR001", 2, "/hands/2/fairness")
        assert finding.params["claimed"] == self.COMMITMENT
        assert finding.params["computed"] == hashlib.sha256(("".join(DEAL) + WALL + "x").encode()).hexdigest()

    def test_two_tiles_of_the_wall_changed_places(self) -> None:
        given = hand(scheme="wall-sha256", commitment=self.COMMITMENT, salt="盐")
        given.wall = "1p" + WALL[2:]
        assert codes(given) == ["FAIR001"]


class TestSalasasa:
    """Records README: the commitment is over seed and salt, the wall is shuffled from seed and round."""

    COMMITMENT = hashlib.sha256(b"abcd1234").hexdigest()

    def good(self, number: int = 3) -> Hand:
        tiles = salasasa_tiles("abcd", number)
        return of_tiles(tiles, commitment=self.COMMITMENT, master_seed="abcd", salt="1234", round=number)

    def test_a_wall_from_its_seed(self) -> None:
        assert codes(self.good()) == []

    def test_the_tiles_are_all_there(self) -> None:
        assert sorted(salasasa_tiles("abcd", 3)) == sorted(salasasa_tiles("abce", 1))
        assert {salasasa_tiles("abcd", 3).count(tile) for tile in salasasa_tiles("abcd", 3)} == {4}

    def test_another_salt_breaks_the_commitment_alone(self) -> None:
        given = self.good()
        assert given.fairness is not None
        given.fairness["salt"] = "1235"
        assert codes(given) == ["FAIR001"]

    def test_another_round_gives_another_wall(self) -> None:
        given = self.good()
        assert given.fairness is not None
        given.fairness["round"] = 4
        (finding,) = check_fairness(given, 0)
        due, dealt = salasasa_tiles("abcd", 4), salasasa_tiles("abcd", 3)
        at = next(at for at in range(108) if due[at] != dealt[at])
        assert finding.code == "FAIR002"
        assert finding.params == {"scheme": "salasasa", "at": at, "expected": due[at], "found": dealt[at]}

    @pytest.mark.parametrize("at", [0, 51, 52, 107])
    def test_the_first_tile_that_differs_is_named_wherever_it_lies(self, at: int) -> None:
        tiles = salasasa_tiles("abcd", 3)
        other = next(tile for tile in tiles if tile != tiles[at])
        given = of_tiles([*tiles[:at], other, *tiles[at + 1 :]], **(self.good().fairness or {}))
        (finding,) = check_fairness(given, 0)
        assert (finding.code, finding.params["at"], finding.params["found"]) == ("FAIR002", at, other)

    def test_the_shuffle_leaves_the_world_s_chance_alone(self) -> None:
        random.seed(7)
        before = random.getstate()
        salasasa_tiles("abcd", 3)
        assert random.getstate() == before

    def test_a_record_that_holds(self) -> None:
        for number, dealt in enumerate(log_of(recorded()).hands):
            assert check_fairness(dealt, number) == []

    def test_a_swapped_wall_is_found_in_an_audit(self) -> None:
        log = recorded()
        wall = log["hands"][1]["wall"]
        swapped = wall[:-4] + wall[-2:] + wall[-4:-2]
        assert swapped != wall
        log["hands"][1]["wall"] = swapped
        hands = replay.audit(log).to_dict()["hands"]
        (finding,) = [f for dealt in hands for f in dealt["findings"] if f["code"].startswith("FAIR")]
        assert (finding["code"], finding["hand"], finding["params"]["at"]) == ("FAIR002", 1, 106)


class TestUnverifiable:
    """FAIR003 accuses nobody: a scheme that is not known, or one that lacks a part."""

    def test_an_unknown_scheme(self) -> None:
        (finding,) = check_fairness(hand(scheme="beacon", block=7), 2)
        assert (finding.code, finding.params) == ("FAIR003", {"scheme": "beacon", "missing": ["scheme"]})

    @pytest.mark.parametrize("scheme", sorted(SCHEMES))
    def test_every_key_of_a_scheme_is_needed(self, scheme: str) -> None:
        needed, _ = SCHEMES[scheme]
        whole = {key: kind() for key, kind in needed.items()}
        for key in needed:
            (finding,) = check_fairness(
                hand(scheme=scheme, **{k: v for k, v in whole.items() if k != key}), 0
            )
            assert (finding.code, finding.params["missing"]) == ("FAIR003", [key])

    def test_without_a_wall_nothing_can_be_checked(self) -> None:
        given = hand(scheme="wall-sha256", commitment="0" * 64, salt="")
        given.wall = None
        (finding,) = check_fairness(given, 0)
        assert (finding.code, finding.params["missing"]) == ("FAIR003", ["wall"])

    def test_a_hand_that_states_nothing(self) -> None:
        assert check_fairness(Hand(dealer=0, deal=DEAL, wall=WALL, actions=[]), 0) == []


def test_the_schema_knows_the_keys_of_every_scheme() -> None:
    defs = schema("log")["$defs"]
    for scheme, (needed, _) in SCHEMES.items():
        assert set(needed) == set(defs[scheme.replace("-", "_")]["properties"]) - {"scheme"}
