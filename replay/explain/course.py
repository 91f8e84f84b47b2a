"""The course of a hand, played once, and which rule sets could have been played by it.

Deal and actions are the same whatever the rule set; what rule sets differ in before money is asked is how a hand
ends, what stands beside the tiles (swap, wildcards, stakes) and what of it they ignore. A hand is therefore played
once for all that play it alike, and again only for one that could play it otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from replay.events import Event, Gang, Win
from replay.explain.variants import DECLARES, KNOWS_FLIGHT, PLAYS_ON, Variant, Work, changed
from replay.fans import Meld
from replay.hands import HandAudit, audit_hand
from replay.log import Action, Discard, Draw, Flee, Hand, Hu, Log, Peng, Piao, Replace, Swap, TileAction, Void
from replay.state import DEALT, SUITED_TILES, Table

HONOUR = "z"

PLAYING = 10
"""What playing a hand counts for, beside settling it anew."""


@dataclass(slots=True, eq=False)
class Course:
    """A hand as it was played: the table as it was left, and what was paid for, each with its action.

    ``gone`` tells of each event, and of the end, by which hu the seats had left the play; ``melds`` what they had laid
    down at the end; ``empty`` that no tile was left and seats were still in play, which is a liuju where the first hu
    does not end the hand; ``touched`` the keys that its money hangs on, ``outcomes`` what has been worked out of it.
    """

    number: int
    hand: Hand
    table: Table
    events: Sequence[tuple[int, Event]]
    gone: Sequence[Sequence[int | None]]
    melds: tuple[list[Meld], ...]
    empty: bool
    touched: tuple[str, ...]
    work: Work
    outcomes: dict[Any, Any] = field(default_factory=dict)
    _laid: Sequence[Sequence[list[Meld]]] | None = None

    @classmethod
    def of(cls, audited: HandAudit, hand: Hand, work: Work) -> "Course":
        """What an audit of the hand leaves behind."""
        table, events = audited.table, audited.events
        liuju = not table.left and table.end in WALL_OR_HU and len(table.in_play()) >= 2
        left = [seat.hu_at for seat in table.seats]
        gone = [[at if at is not None and at <= index else None for at in left] for index, _ in events]
        melds = tuple([seat.melds for seat in table.seats])
        touched = touched_by(table, events, liuju)
        return cls(audited.number, hand, table, events, [*gone, left], melds, liuju, touched, work)

    def is_liuju(self, variant: Variant) -> bool:
        """Whether the hand is a liuju under a rule set."""
        return self.empty and not (variant.facts["ends"] == "first_hu" and self.wins)

    @property
    def wins(self) -> list[Win]:
        """The hu's, as the rule set priced them that the hand was played by."""
        return [event for _, event in self.events if isinstance(event, Win)]

    @property
    def laid(self) -> Sequence[Sequence[list[Meld]]]:
        """The melds of each seat at each event, and at the end; a peng that became a gang later is not among them."""
        if self._laid is None:
            made = [[laid_by(melds, index) for melds in self.melds] for index, _ in self.events]
            self._laid = [*made, self.melds]
        return self._laid


WALL_OR_HU = ("", "first_hu")
"""How a hand ended that may be a liuju where its first hu does not end it."""


def laid_by(melds: list[Meld], index: int) -> list[Meld]:
    """Those melds that lay there after an action."""
    return [meld for meld in melds if meld.at is None or meld.at <= index]


# What a hand's money hangs on ------------------------------------------------------------------------

FAN_KEYS = (
    "combine",
    "shapes",
    "extras",
    "gen",
    "absorb_gen",
    "excludes",
    "jin_gou",
    "own_gangs",
    "seven_pairs",
)
"""What the fan of a hu hang on, beside the bonus of a self-draw and, of wildcards, the void suit."""

PRICES = ("scale", "base", "cap_fan", *FAN_KEYS)
HU = ("payer_gangs", "penalties", "xiang_gong")
SELF_DRAWN = ("zi_mo_bonus", "zi_mo_payers", "dian_gang_hua")
AFTER_GANG = ("transfer", "gang_pao_payer")
GANGS = {
    "zhi": ("base", "gang_zhi", "gang_zhi_others"),
    "bu": ("base", "gang_bu", "gang_bu_kept"),
    "an": ("base", "gang_an"),
}
LIU_JU = (
    "liu_ju",
    "refund",
    "hua_zhu",
    "hua_zhu_amount",
    "hua_zhu_payees",
    "hua_zhu_passive",
    "hua_zhu_pays_da_jiao",
    "da_jiao_payees",
    "dead_wait",
    "void",
)
ALWAYS = ("flee", "piao", "ting_yong", "void_breach", "void_breach_amount")
"""What is asked of every hand, rarely as it matters."""


def touched_by(table: Table, events: Sequence[tuple[int, Event]], liuju: bool) -> tuple[str, ...]:
    """The keys of a rule set that the money of such a hand can hang on."""
    keys = [*ALWAYS, "base"]
    for _, event in events:
        if isinstance(event, Gang):
            keys += GANGS[event.kind]
        elif isinstance(event, Win):
            keys += (*PRICES, *HU)
            keys += SELF_DRAWN if event.source is None else ()
            keys += AFTER_GANG if event.gangs else ()
            keys += ("rob_keeps_gang_pao",) if event.robbed else ()
    if liuju or table.flights:
        keys += (*PRICES, *LIU_JU)
    if table.wild >= 0:
        keys.append("void")
    return tuple(dict.fromkeys(keys))


# Which rule sets a hand could have been played by ----------------------------------------------------


@dataclass(slots=True)
class Signs:
    """What the actions of a hand tell of the game that was played, seen without playing it."""

    hand: Hand
    kinds: list[type]
    honours: bool
    wild: bool
    goes_on: bool
    winners_act: bool
    draws_after: int
    swap_unknown: bool

    @classmethod
    def of(cls, hand: Hand, swap_unknown: bool, leave: bool) -> "Signs":
        """Look over a hand; ``swap_unknown`` where the record would not hold an exchange.

        ``leave`` tells that it is known of its winners that they left the play.
        """
        actions = hand.actions
        kinds: list[type] = list(map(type, actions))
        first = kinds.index(Hu) if Hu in kinds else len(kinds)
        winners_act = not leave and acts_again(actions[first:])
        last = len(kinds) - kinds[::-1].index(Hu) if Hu in kinds else len(kinds)
        return cls(
            hand,
            kinds,
            HONOUR in "".join([*hand.deal, hand.wall or ""]),
            hand.indicator is not None
            or Replace in kinds
            or any(action.wild for action in actions if isinstance(action, Peng)),
            Draw in kinds[first:],
            winners_act,
            kinds[last:].count(Draw),
            swap_unknown,
        )

    def __contains__(self, kind: type) -> bool:
        return kind in self.kinds

    def left(self, variant: Variant) -> int:
        """How many tiles are left to draw under a rule set."""
        tiles: Any = variant.facts["tiles"]
        return int(tiles) - DEALT - (variant.facts["ting_yong"] != "none") - self.kinds.count(Draw)


def acts_again(actions: Sequence[Action]) -> bool:
    """Whether a seat draws or discards after a hu."""
    won: set[int] = set()
    for action in actions:
        if isinstance(action, Hu):
            won.add(action.seat)
        elif isinstance(action, Draw | Discard) and action.seat in won:
            return True
    return False


def why_not(signs: Signs, variant: Variant, own: Variant) -> str:
    """Why the hand cannot have been played by a rule set; "" where nothing speaks against it."""
    facts = variant.facts
    if Swap in signs and facts["swap"] == "none":
        return "swap"
    if Swap not in signs and facts["swap"] != "none" and not signs.swap_unknown:
        return "no_swap"
    if facts["ting_yong"] == "none" and signs.wild:
        return "wildcards"
    if facts["ting_yong"] != "none" and not signs.wild and own.facts["ting_yong"] == "none":
        return "no_wildcards"
    if Piao in signs and facts["piao"] == "off":
        return "piao"
    if Flee in signs and facts["flee"] == "none":
        return "flee"
    if facts["tiles"] == SUITED_TILES and (signs.honours or has_honours(signs, own)):
        return "honours"
    if facts["tiles"] != SUITED_TILES and not signs.honours and own.facts["tiles"] == SUITED_TILES:
        return "no_honours"
    if not (facts["hu_on_discard"] and facts["rob_gang"]) and claims_a_hu(signs, variant):
        return "discard_hu"
    return END_SIGNS[str(facts["ends"])](signs, signs.left(variant))


def has_honours(signs: Signs, own: Variant) -> bool:
    """Whether an honour was drawn, where the rule set that the log names has any."""
    if own.facts["tiles"] == SUITED_TILES:
        return False
    return any(isinstance(one, TileAction) and one.tile[1] == HONOUR for one in signs.hand.actions)


def claims_a_hu(signs: Signs, variant: Variant) -> bool:
    """Whether a hu took another seat's tile that the rule set gives nobody."""
    added = None
    for action in signs.hand.actions:
        if isinstance(action, Hu) and action.source is not None:
            robs = isinstance(added, TileAction) and added.type == "gang"
            if not variant.facts["rob_gang" if robs else "hu_on_discard"]:
                return True
        elif isinstance(action, TileAction):
            added = action
    return False


def _first_hu(signs: Signs, left: int) -> str:
    if signs.goes_on:
        return "goes_on"
    return "not_over" if Hu not in signs and left > 0 and Flee not in signs else ""


def _three_hu(signs: Signs, left: int) -> str:
    if signs.winners_act:
        return "winners_play_on"
    over = signs.kinds.count(Hu) >= 3 or left <= 0 or Flee in signs
    return "" if over else "not_over"


def _wall(signs: Signs, left: int) -> str:
    if signs.winners_act or Hu not in signs:
        return "not_over" if left > 0 and Flee not in signs else ""
    if signs.draws_after >= 4 or left > 0:
        return "winners_leave"
    return ""


END_SIGNS: dict[str, Callable[[Signs, int], str]] = {
    "first_hu": _first_hu,
    "three_hu": _three_hu,
    "wall": _wall,
}
"""What speaks against a rule set in how a hand ends, by its `ends`."""


# The hands of a log ----------------------------------------------------------------------------------


class Played:
    """The hands of a log, each played once for all the rule sets that play it alike."""

    def __init__(self, log: Log, own: Variant, work: Work) -> None:
        self.log = log
        self.own = own
        self.work = work
        self.signs: dict[int, Signs] = {}
        self.keys: dict[int, tuple[str, ...]] = {}
        self.known: dict[tuple[int, Any], Course | str] = {}
        self.alike: dict[tuple[int, Any], Course | str] = {}

    def course(self, number: int, variant: Variant) -> Course | str:
        """A hand as it is played by a rule set, or why it cannot be: ``stopped`` where its own cannot either."""
        keys = self.keys.get(number)
        if keys is None:
            keys = self._play_own(number)
        key = number, variant.looked_up(keys)
        if key not in self.known:
            reason = why_not(self.signs[number], variant, self.own)
            self.known[key] = reason or self._play(number, variant)
        return self.known[key]

    def _play_own(self, number: int) -> tuple[str, ...]:
        hand = self.log.hands[number]
        audited = self._audit(number, self.own)
        leave = audited.scores is not None and self.own.facts["ends"] != "wall"
        signs = self.signs[number] = Signs.of(hand, "swap" in (self.log.lacks or ()), leave)
        keys = self.keys[number] = course_keys(signs, audited)
        course = Course.of(audited, hand, self.work) if audited.scores is not None else "stopped"
        self.known[number, self.own.looked_up(keys)] = course
        self.alike[self._alike(number, self.own)] = course
        return keys

    def _alike(self, number: int, variant: Variant) -> tuple[int, Any]:
        """What rule sets have in common that play a hand alike; which hu ends it is no matter where it ends there."""
        keys = self.keys[number]
        if not self.signs[number].goes_on:
            keys = tuple([PLAYS_ON if key == "ends" else key for key in keys])
        return number, variant.looked_up(keys)

    def _play(self, number: int, variant: Variant) -> Course | str:
        key = self._alike(number, variant)
        if key not in self.alike:
            self.alike[key] = self._played(number, variant)
        return self.alike[key]

    def _played(self, number: int, variant: Variant) -> Course | str:
        audited = self._audit(number, variant)
        codes = {finding.code for finding in audited.findings}
        if audited.scores is None:
            return "not_over" if audited.stopped_at is None else "course"
        return "goes_on" if "HND003" in codes else Course.of(audited, self.log.hands[number], self.work)

    def _audit(self, number: int, variant: Variant) -> HandAudit:
        self.work.add(PLAYING)
        log = self.log
        unclaimed = replace(log.hands[number], claimed=None)
        # What a robbed gang followed is kept, for the rule sets by which it counts.
        rules = changed(variant.rules, (("rob_keeps_gang_pao", True),))
        return audit_hand(rules, unclaimed, number, (), frozenset(log.lacks or ()))


def course_keys(signs: Signs, audited: HandAudit) -> tuple[str, ...]:
    """The keys by which rule sets play this hand differently, as far as what happened in it asks for them."""
    declares = audited.table.rules.void == "declared"
    unknown = audited.scores is None
    wanted = {
        "tiles": True,
        "ting_yong": True,
        "ends": unknown or Hu in signs,
        "swap": Swap in signs or not signs.swap_unknown,
        "piao": Piao in signs,
        KNOWS_FLIGHT: Flee in signs,
        # A void suit that was declared lies unused where none need be; one that was ignored is not known.
        DECLARES: Void in signs and not declares,
        "seven_pairs": unknown,
        "hu_on_discard": Hu in signs,
        "rob_gang": Hu in signs,
        "ends_on_bust": signs.hand.holdings is not None,
        # Breaches that were noted are left unpaid where they have no price.
        "void_breach": any(finding.code == "ACT012" for finding in audited.findings),
    }
    return tuple(key for key, matters in wanted.items() if matters)
