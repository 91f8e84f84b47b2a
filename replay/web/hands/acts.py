"""A step of a hand as it is looked at, and what each action is in a sentence."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from replay.steps import Frame, Offer, SeatShown
from replay.text.page import Facts, Page
from replay.text.wins import fans_of, how_won, price_of
from replay.tiles import INDEX
from replay.wording.words import Words, listed

Act = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a hand; ``seat`` is the viewed one, ``hide`` hides what the others hold."""

    page: Page
    hand: Facts
    frame: Frame
    seat: int
    hide: bool

    @property
    def words(self) -> Words:
        """The words of the page."""
        return self.page.words

    def hidden(self, number: object) -> bool:
        """Whether a seat's tiles are not to be shown."""
        return self.hide and number != self.seat

    def is_last(self, kind: str, number: int) -> bool:
        """Whether this step is such an action of the seat, and was played."""
        action = self.frame.action
        return bool(action and not self.frame.beyond and action["type"] == kind and action["seat"] == number)

    def is_at(self, at: int | None) -> bool:
        """Whether this step is that action, and was played."""
        return at == self.frame.step - 1 and not self.frame.beyond

    def sentence(self) -> str:
        """What this step is."""
        words, action = self.words, self.frame.action
        if action is None:
            return words.say("board.start", seat=words.seat(self.frame.dealer))
        said = ACTS.get(str(action["type"]), _other)(self, action)
        return said[:1].upper() + said[1:]

    def chances(self) -> str:
        """Who may take the tile that this step laid down, and who may not hu it because of 过水; "" for nobody."""
        frame, words = self.frame, self.words
        if frame.action is None or frame.action["type"] not in ("discard", "gang"):
            return ""
        seats = [seat for seat in frame.seats if not self.hidden(seat.number)]
        said = words.say("language.group").join(one for seat in seats for one in _chances(words, seat))
        return words.say("stepping.chances", chances=said[:1].upper() + said[1:]) if said else ""


def _chances(words: Words, seat: SeatShown) -> Iterator[str]:
    claims = [offer for offer in seat.offers if offer.what in ("hu", "peng", "gang")]
    for key, states in (("may", ("open", "must")), ("barred", ("barred",))):
        what = [_chance(words, offer) for offer in claims if offer.state in states]
        if what:
            yield words.say(f"stepping.{key}", seat=words.seat(seat.number), what=words.join(what))


def _chance(words: Words, offer: Offer) -> str:
    named = words.label("action", offer.what)
    return named if offer.fan is None else words.say("stepping.worth", what=named, fan=words.fan(offer.fan))


def _draw(moment: Moment, action: Act) -> str:
    words, seat = moment.words, moment.words.seat(action["seat"])
    if moment.hidden(action["seat"]):
        return words.say("board.act.draw.hidden", seat=seat)
    return words.say("board.act.draw", seat=seat, tile=words.tile(action["tile"]))


def _discard(moment: Moment, action: Act) -> str:
    words, laid = moment.words, moment.frame.seats[action["seat"]].discards
    fresh = bool(laid) and moment.is_at(laid[-1].at) and laid[-1].fresh
    locked = moment.frame.seats[action["seat"]].locked
    key = "board.act.discard" + (".locked" if fresh and locked else ".fresh" if fresh else "")
    return words.say(key, seat=words.seat(action["seat"]), tile=words.tile(action["tile"]))


def _claim(moment: Moment, action: Act) -> str:
    words = moment.words
    wild = f".wild.{action['wild']}" if action.get("wild") else ""
    key = f"gang.{action['kind']}" if action["type"] == "gang" else f"peng{wild}"
    at = moment.frame.step - 1
    melds = [meld for meld in moment.frame.seats[action["seat"]].melds if meld.at == at]
    source = words.seat(melds[0].source if melds else None)
    facts = {"seat": words.seat(action["seat"]), "tile": words.tile(action["tile"]), "source": source}
    return words.say(f"board.act.{key}", **facts)


def _hu(moment: Moment, action: Act) -> str:
    words, wins = moment.words, moment.frame.seats[action["seat"]].wins
    if not wins or not moment.is_at(wins[-1].at):
        return _other(moment, action)
    win = wins[-1]
    how = how_won(moment.page, moment.hand, win.facts)
    return words.say(
        "board.act.hu", how=how, fan=fans_of(words, win.facts), price=price_of(moment.page, win.facts)
    )


def _pass(moment: Moment, action: Act) -> str:
    words = moment.words
    if moment.hidden(action["seat"]):
        return _other(moment, action)
    if action["seat"] is None:
        return words.say("shares.unseen")
    claims = words.join(words.label("action", one) for one in action["declined"])
    return words.say("board.act.pass", seat=words.seat(action["seat"]), claims=claims)


def _void(moment: Moment, action: Act) -> str:
    words = moment.words
    return words.say(
        "board.act.void", seat=words.seat(action["seat"]), suit=words.label("suit", action["suit"])
    )


def _swap(moment: Moment, action: Act) -> str:
    words, shown = moment.words, moment.frame.seats[action["seat"]]
    if not shown.gave:
        return _other(moment, action)
    key = "board.act.swap.hidden" if moment.hidden(shown.number) else "board.act.swap"
    tiles = words.tiles("".join(sorted(action["tiles"], key=INDEX.__getitem__)))
    said = words.say(key, seat=words.seat(shown.number), tiles=tiles)
    return words.say(f"board.act.swapped.{moment.frame.direction}", swap=said) if shown.received else said


def _piao(moment: Moment, action: Act) -> str:
    return _declared(moment, action, moment.frame.seats[action["seat"]].piao)


def _ting(moment: Moment, action: Act) -> str:
    return _declared(moment, action, moment.frame.seats[action["seat"]].ting)


def _declared(moment: Moment, action: Act, stands: bool) -> str:
    if not stands:
        return _other(moment, action)
    return moment.words.say(f"board.act.{action['type']}", seat=moment.words.seat(action["seat"]))


def _flee(moment: Moment, action: Act) -> str:
    shown = moment.frame.seats[action["seat"]]
    if not shown.fled:
        return _other(moment, action)
    key = "board.act.flee.winner" if shown.wins else "board.act.flee"
    return moment.words.say(key, seat=moment.words.seat(shown.number))


def _replace(moment: Moment, action: Act) -> str:
    words = moment.words
    if moment.frame.beyond:
        return _other(moment, action)
    return words.say("board.act.replace", seat=words.seat(action["seat"]), tile=words.tile(action["tile"]))


def _other(moment: Moment, action: Act) -> str:
    words = moment.words
    said = {"seat": words.seat(action["seat"]), "action": words.label("action", action["type"])}
    tiles = "".join(listed(action.get("tile") or action.get("tiles")))
    if not tiles or moment.hidden(action["seat"]):
        return words.say("board.act.bare", **said)
    return words.say("board.act.tiles", **said, tiles=words.tiles(tiles))


ACTS: dict[str, Callable[[Moment, Act], str]] = {
    "draw": _draw,
    "discard": _discard,
    "peng": _claim,
    "gang": _claim,
    "hu": _hu,
    "pass": _pass,
    "void": _void,
    "swap": _swap,
    "piao": _piao,
    "ting": _ting,
    "flee": _flee,
    "replace": _replace,
}
"""How each action that has more to say than its name is said."""
