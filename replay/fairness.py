"""Fairness: does the recorded wall follow from what the platform committed itself to before the hand?

A scheme is one function that recomputes from the revealed secrets. Nothing here is random: the shuffle is Python's
own Mersenne Twister from a stated seed, which is what the platform's code does.
"""

import hashlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from replay.findings import Finding
from replay.tiles import SUITED_KINDS, TILES

COPIES = 4
Check = Callable[[Mapping[str, Any], Mapping[str, Any]], list[Finding]]


def check_fairness(hand: Mapping[str, Any], number: int) -> list[Finding]:
    """FAIR001 to FAIR003 for one hand of a valid log; empty when commitment and wall hold, or none is stated."""
    stated = hand.get("fairness")
    if stated is None:
        return []
    scheme = stated.get("scheme")
    entry = SCHEMES.get(scheme)
    if entry is None:
        found = [Finding("FAIR003", {"scheme": str(scheme), "missing": ["scheme"]})]
    else:
        needed, check = entry
        missing = [key for key, kind in needed.items() if type(stated.get(key)) is not kind]
        missing += [] if "wall" in hand else ["wall"]
        found = (
            [Finding("FAIR003", {"scheme": scheme, "missing": missing})] if missing else check(hand, stated)
        )
    place = f"/hands/{number}/fairness"
    return [Finding(f.code, f.params, hand=number, pointer=place) for f in found]


def sha256_hex(text: str) -> str:
    """SHA-256 of the UTF-8 bytes of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def commitment(scheme: str, claimed: str, computed: str) -> list[Finding]:
    """FAIR001 where the revealed secrets do not give the commitment."""
    if claimed.lower() == computed:
        return []
    return [Finding("FAIR001", {"scheme": scheme, "claimed": claimed, "computed": computed})]


def wall_sha256(hand: Mapping[str, Any], stated: Mapping[str, Any]) -> list[Finding]:
    """``wall-sha256``: SHA-256 of the deal in dealing order and the wall as one tile string, then the salt.

    Dealing order is one seat's thirteen tiles after the other's, as the log's ``deal`` has them.
    """
    tiles = "".join(hand["deal"]) + hand["wall"]
    return commitment("wall-sha256", stated["commitment"], sha256_hex(tiles + stated["salt"]))


def salasasa(hand: Mapping[str, Any], stated: Mapping[str, Any]) -> list[Finding]:
    """``salasasa``: SHA-256 of master seed and salt; the wall is the sorted set shuffled from seed and round.

    The deal is thirteen tiles a seat from seat 0 on, then the wall.
    """
    seed = stated["master_seed"]
    found = commitment("salasasa", stated["commitment"], sha256_hex(seed + stated["salt"]))
    expected = salasasa_tiles(seed, stated["round"])
    recorded = "".join(hand["deal"]) + hand["wall"]
    given = [recorded[at : at + 2] for at in range(0, len(recorded), 2)]
    for at, (due, tile) in enumerate(zip(expected, given, strict=False)):
        if due != tile:
            found.append(Finding("FAIR002", {"scheme": "salasasa", "at": at, "expected": due, "found": tile}))
            break
    return found


def salasasa_tiles(master_seed: str, number: int) -> list[str]:
    """The 108 tiles of a round in dealing order.

    The bytes: the seed is the integer of SHA-256(master seed, then the round's number in decimal), and
    ``random.shuffle`` runs over 1m1m1m1m2m…9s.

    >>> "".join(salasasa_tiles("00", 1)[:6])
    '7s5s8p7m4p1s'
    """
    tiles = [tile for tile in TILES[:SUITED_KINDS] for _ in range(COPIES)]
    Random(int(sha256_hex(f"{master_seed}{number}"), 16)).shuffle(tiles)  # noqa: S311 - the platform's own shuffle
    return tiles


SCHEMES: dict[str, tuple[Mapping[str, type], Check]] = {
    "wall-sha256": ({"commitment": str, "salt": str}, wall_sha256),
    "salasasa": ({"commitment": str, "master_seed": str, "salt": str, "round": int}, salasasa),
}
"""The keys that each scheme needs, and its check."""
