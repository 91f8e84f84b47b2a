"""A single hand, without a game around it: what it is worth, and what it waits for."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from replay.fans import SITUATIONS, Meld
from replay.prices import Price, pricer_of
from replay.profile import RuleProfile, load_profile
from replay.state import Seat
from replay.tiles import INDEX, ONE, SUIT_OF, SUITED_KINDS, TILES, kinds_in, parse_tiles
from replay.waits import DEAD_WAIT, WILD_WAITS

MELD_KINDS = ("peng", "zhi", "bu", "an")
VOIDS = "mps"


class HandProblem(ValueError):
    """Tiles, melds or situations that make no hand; the message says which and what was expected."""


def price(
    hand: str,
    win: str,
    *,
    melds: Iterable[tuple[str, str]] = (),
    zi_mo: bool = False,
    how: Sequence[str] = (),
    void: str | None = None,
    wild: str | None = None,
    profile: str | RuleProfile,
    options: Mapping[str, Any] | None = None,
) -> Price | None:
    """The price of a winning hand, or None when it is no legal hu of the rule set.

    ``hand`` is the concealed tiles, the winning one among them; ``melds`` are (kind, tile) with kind peng, zhi,
    bu or an; ``how`` any of gang_hua, gang_pao, qiang_gang, hai_di, tian_hu, di_hu; ``void`` the declared suit;
    ``wild`` the tile that is 听用. Points are those of one payer, with one unit where the base is a share of what the
    seats have. Raises `HandProblem`, `UnknownProfile` or `OptionProblems`.
    """
    rules = resolve(profile, options)
    tile = tile_of(win)
    seat = seat_of(rules, hand, melds, void, wild, 14)
    if not seat.held(tile):
        raise HandProblem(f"the winning tile {win} is not among the concealed tiles {hand}")
    unknown = [name for name in how if name not in SITUATIONS]
    if unknown:
        raise HandProblem(f"unknown situation {unknown[0]!r}; known are {', '.join(SITUATIONS)}")
    seat.take(tile, -1)
    allowed = WILD_WAITS[rules.void](rules, seat) >> tile & 1
    pair = ("pair_wait",) if seat.held(tile) == 1 else ()
    seat.take(tile)
    if not allowed or not (zi_mo or rules.hu_on_discard):
        return None
    return pricer_of(rules).price(seat.winning(zi_mo, (*how, *pair)))


def waits(
    hand: str,
    *,
    melds: Iterable[tuple[str, str]] = (),
    void: str | None = None,
    wild: str | None = None,
    profile: str | RuleProfile,
    options: Mapping[str, Any] | None = None,
) -> list[str]:
    """The tiles that a hand of 13 (fewer by three a meld) is ready for, as a liuju would count them.

    Raises `HandProblem`, `UnknownProfile` or `OptionProblems`.
    """
    rules = resolve(profile, options)
    seat = seat_of(rules, hand, melds, void, wild, 13)
    seen = [0] * len(TILES)
    for meld in seat.melds:
        seen[meld.tile] += 3 if meld.kind == "peng" else 4
    return [TILES[kind] for kind in kinds_in(DEAD_WAIT[rules.dead_wait](rules, seat, lambda: seen))]


def resolve(profile: str | RuleProfile, options: Mapping[str, Any] | None) -> RuleProfile:
    """The rule set meant."""
    return load_profile(profile, options) if isinstance(profile, str) else profile


def tile_of(name: str) -> int:
    """The kind of one tile; raises `HandProblem`."""
    kind = INDEX.get(name)
    if kind is None:
        raise HandProblem(f"{name!r} is not a tile; expected a rank and a suit such as 5p")
    return kind


def wild_of(rules: RuleProfile, name: str) -> int:
    """The kind that is 听用; raises `HandProblem` where it cannot be one."""
    if rules.ting_yong == "none":
        raise HandProblem(f"the rule set {rules.id} has no wildcard")
    kind = tile_of(name)
    if kind >= SUITED_KINDS:
        raise HandProblem(f"the wildcard {name} is an honour; expected a suited tile")
    return kind


def seat_of(
    rules: RuleProfile,
    hand: str,
    melds: Iterable[tuple[str, str]],
    void: str | None,
    wild: str | None,
    size: int,
) -> Seat:
    """A seat holding these tiles and melds, checked for number and copies."""
    try:
        tiles = parse_tiles(hand)
    except ValueError as error:
        raise HandProblem(str(error)) from None
    seat = Seat(0, sum(ONE[kind] for kind in tiles))
    for kind, name in melds:
        if kind not in MELD_KINDS:
            raise HandProblem(f"unknown meld {kind!r}; known are {', '.join(MELD_KINDS)}")
        seat.expose(Meld(kind, tile_of(name)))
    expected = size - 3 * len(seat.melds)
    if len(tiles) != expected:
        raise HandProblem(
            f"with {len(seat.melds)} melds {expected} concealed tiles were expected, found {len(tiles)}"
        )
    check_copies(rules, tiles, seat.melds)
    if void is not None:
        if void not in VOIDS or len(void) != 1:
            raise HandProblem(f"unknown suit {void!r}; expected m, p or s")
        seat.void = VOIDS.index(void)
    if wild is not None:
        seat.wild = wild_of(rules, wild)
    return seat


def check_copies(rules: RuleProfile, tiles: Iterable[int], melds: Iterable[Meld]) -> None:
    """Raise `HandProblem` for a fifth copy, or an honour in a rule set that has none."""
    copies = Counter(tiles)
    for meld in melds:
        copies[meld.tile] += 3 if meld.kind == "peng" else 4
    for kind, count in sorted(copies.items()):
        if count > 4:
            raise HandProblem(f"{count} copies of {TILES[kind]}; there are four of each")
        if count and SUIT_OF[kind] == 3 and rules.tiles == 108:
            raise HandProblem(f"{TILES[kind]} is no tile of the rule set {rules.id}")
