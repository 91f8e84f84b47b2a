"""Fairness: does the recorded wall follow from what the platform committed itself to before the hand?

A scheme is one function that recomputes from the revealed secrets; its docstring spells out the bytes.
"""

import hashlib
from collections.abc import Callable, Mapping

# The engine draws no chance. This is the one exception, and it is none: from a stated seed the shuffle is a fixed
# permutation, the very one of the platform's own code (MT19937 as `random.shuffle` uses it).
from random import Random
from typing import Any

from replay.findings import Finding
from replay.log import Hand
from replay.tiles import SUITED_KINDS, TILES

COPIES = 4
Check = Callable[[Hand, Mapping[str, Any]], list[Finding]]


def check_fairness(hand: Hand, number: int) -> list[Finding]:
    """FAIR001 to FAIR003 for one hand of a valid log; empty when commitment and wall hold, or none is stated."""
    stated = hand.fairness
    if stated is None:
        return []
    scheme = str(stated.get("scheme"))
    entry = SCHEMES.get(scheme)
    if entry is None:
        found = [Finding("FAIR003", {"scheme": scheme, "missing": ["scheme"]})]
    else:
        needed, check = entry
        missing = [key for key, kind in needed.items() if type(stated.get(key)) is not kind]
        missing += [] if hand.wall else ["wall"]
        found = (
            [Finding("FAIR003", {"scheme": scheme, "missing": missing})] if missing else check(hand, stated)
        )
    place = f"/hands/{number}/fairness"
    return [Finding(f.code, f.params, hand=number, pointer=place) for f in found]


def all_tiles(hand: Hand) -> str:
    """Deal and wall as one tile string."""
    return "".join(hand.deal) + (hand.wall or "")


def sha256_hex(text: str) -> str:
    """SHA-256 of the UTF-8 bytes of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def commitment(scheme: str, claimed: str, computed: str) -> list[Finding]:
    """FAIR001 where the revealed secrets do not give the commitment."""
    if claimed.lower() == computed:
        return []
    return [Finding("FAIR001", {"scheme": scheme, "claimed": claimed, "computed": computed})]


def wall_sha256(hand: Hand, stated: Mapping[str, Any]) -> list[Finding]:
    """``wall-sha256``: SHA-256 of the deal in dealing order and the wall as one tile string, then the salt.

    Dealing order is one seat's thirteen tiles after the other's, from seat 0 on, as the log's ``deal`` has them.
    The bytes, all of them ASCII but for a salt that is not: ``1m1m…`` (216 characters for 108 tiles), the salt.

    >>> hand = Hand(dealer=0, deal=["1m2m", "3m4m", "5m6m", "7m8m"], wall="9m1p", actions=[])
    >>> sha256_hex("1m2m3m4m5m6m7m8m9m1p" "pepper")
    'aee5c6994eac7df5b6cfe66cff5b72d5b7758952ab88e68e27ee3a3741eb952b'
    >>> wall_sha256(hand, {"commitment": sha256_hex("1m2m3m4m5m6m7m8m9m1ppepper"), "salt": "pepper"})
    []
    """
    tiles = all_tiles(hand)
    return commitment("wall-sha256", stated["commitment"], sha256_hex(tiles + stated["salt"]))


def salasasa(hand: Hand, stated: Mapping[str, Any]) -> list[Finding]:
    """``salasasa``: SHA-256 of master seed and salt; the wall is the sorted set shuffled from seed and round.

    The bytes of the commitment: both as the hexadecimal text that is published, the seed's, then the salt's. The
    deal is thirteen tiles a seat from seat 0 on, whoever deals, then the wall, the dealer's fourteenth tile first.
    FAIR002 names the first tile that differs, counted from 0 over the 108.

    >>> sha256_hex("00" "ff")
    '8909cde2f411a84e86e7a39c8a3916b7cda6a9d977778030b6f6a491401400bc'
    """
    seed = stated["master_seed"]
    found = commitment("salasasa", stated["commitment"], sha256_hex(seed + stated["salt"]))
    expected = salasasa_tiles(seed, stated["round"])
    recorded = all_tiles(hand)
    given = [recorded[at : at + 2] for at in range(0, len(recorded), 2)]
    for at, (due, tile) in enumerate(zip(expected, given, strict=False)):
        if due != tile:
            found.append(Finding("FAIR002", {"scheme": "salasasa", "at": at, "expected": due, "found": tile}))
            break
    return found


def salasasa_tiles(master_seed: str, number: int) -> list[str]:
    """The 108 tiles of a round in dealing order.

    The bytes: the seed is the integer of SHA-256(master seed as its hexadecimal text, then the round's number in
    decimal), and ``random.shuffle`` runs over 1m1m1m1m2m…9s.

    >>> sha256_hex("00" "1")
    '7a3e6b16cb75f48fb897eff3ae732f3154f6d203b53f33660f01b4c3b6bc2df9'

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
