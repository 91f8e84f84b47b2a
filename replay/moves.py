"""How an action changes the table.

The functions trust: they never judge and never raise for illegality, the checks judged before. One that forms a
gang or makes a hu returns it, for the settlement.
"""

from collections.abc import Callable
from typing import Any

from replay import log
from replay.events import Event, Gang, Win
from replay.fans import Meld
from replay.leaving import AFTER_HU, ENDS, flee
from replay.log import Action
from replay.opening import declare_void, give_three, raise_stake
from replay.rights import bar_seat, how_claimed, how_drawn, open_window
from replay.state import NONE, Phase, Seat, Table
from replay.tiles import BIT, ONE

TURN, CLAIM = Phase.TURN, Phase.CLAIM


def ignore(table: Table, number: int, tile: int, action: Action) -> Event:
    """An action that this rule set does not have changes nothing."""
    return None


def replace_wild(table: Table, number: int, tile: int, action: log.Replace) -> Event:
    """The real tile takes the place of a 听用 in a peng, and the 听用 comes back to the hand (001 特殊规则 1)."""
    seat = table.seats[number]
    meld = seat.wild_peng(tile)
    assert meld is not None, "the checks let no other replacement through"
    meld.wild -= 1
    if not meld.wild:
        seat.penged[tile] = meld
    seat.take(tile, -1)
    seat.take(seat.wild)
    if tile == table.drawn and not seat.held(tile):
        # What it has in the drawn tile's place is the 听用; a hu may be written with either.
        table.replaced = (table.drawn_at, tile)
        table.drawn = seat.wild
    table.refresh(seat)
    return None


def draw(table: Table, number: int, tile: int, action: Action) -> Event:
    """A tile from the wall; an added gang that nobody robbed stands from here on."""
    formed = form_added(table) if table.added is not None else None
    if table.unpaid is not None:
        formed, table.unpaid = table.unpaid, None
    if table.wall:
        take_from_wall(table, table.wall, tile)
    seat = table.seats[number]
    seat.hand += ONE[tile]
    if seat.bar is not None:
        RELEASE_AT_DRAW[table.rules.guo_shui_zi_mo](seat)
    table.seen[tile] += 1
    table.left -= 1
    table.drawn = tile
    table.drawn_at = table.index
    table.turn = table.discarder = number
    table.drawer = NONE
    table.window = table.watched = False
    table.phase = TURN
    return formed


def due_end(table: Table) -> int:
    """Where the next draw comes from: -1 the head, 0 the tail (the wall is kept head last)."""
    return 0 if table.rules.replacement == "tail" and replacing(table) else -1


def replacing(table: Table) -> bool:
    """Whether the next draw is the replacement tile of a gang."""
    return table.phase is Phase.REPLACEMENT or (table.phase is Phase.ADDED and not table.takers)


def end_unknown(table: Table, wall: list[int]) -> bool:
    """Whether a replacement tile may have come from either end: which one the room draws from is not recorded."""
    return "options" in table.lacks and replacing(table) and len(wall) > 1 and wall[0] == wall[-1]


def take_from_wall(table: Table, wall: list[int], tile: int) -> None:
    """The wall's tile at the end that the draw came from is used up.

    A draw that fits neither end uses up the tile that was due (formats §5).
    """
    if end_unknown(table, wall):
        table.wall = None
        return
    end = due_end(table)
    if tile != wall[end] and replacing(table) and tile == wall[-1 - end]:
        end = -1 - end
    wall.pop(end)


def form_added(table: Table) -> Gang | None:
    """The added gang was not robbed: its peng becomes a gang."""
    gang = table.added
    table.added = None
    if gang is not None:
        meld = table.seats[gang.seat].penged.pop(gang.tile)
        meld.kind, meld.at = "bu", gang.at
        table.gangs.append(gang)
        if table.wild >= 0:
            # No 听用 stands for a kind of which four lie in a meld.
            table.refresh(table.seats[gang.seat])
    return gang


def discard(table: Table, number: int, tile: int, action: Action) -> Event:
    """A tile is laid down; the seat's waits change unless it is the one just drawn."""
    seat = table.seats[number]
    seat.hand -= ONE[tile]
    seat.discards.append(tile)
    table.fresh = tile == table.drawn and number == table.turn
    if not table.fresh:
        waits = table.waits_of(table.rules, seat)
        if waits != seat.waits:
            seat.waits = waits
            table.count_waits()
    if seat.bar is not None and seat.bar.drawn:
        seat.bar = None
    table.begun = table.opened = True
    table.drawn = table.discarder = NONE
    table.last = tile
    table.last_at = table.index
    table.last_from = number
    table.pao = table.chain
    table.chain = ()
    table.drawer = table.next_of[number] if table.left else NONE
    table.phase = CLAIM
    table.window = True
    if table.pao:
        note_lost_wait(seat, table.pao)
    if table.alert or table.any_waits & BIT[tile]:
        open_window(table)
    if seat.hand & seat.void_tiles and not ONE[tile] & seat.void_tiles:
        table.breaches.add(number)
    return None


def note_lost_wait(seat: Seat, gangs: tuple[Gang, ...]) -> None:
    """相公: a seat that was ready when it ganged and after its discard is not; the last such gang is remembered."""
    if seat.waits:
        seat.lost_wait = None
    else:
        seat.lost_wait = next((gang.at for gang in reversed(gangs) if gang.waited), seat.lost_wait)


def peng(table: Table, number: int, tile: int, action: log.Peng) -> Event:
    """Two tiles join the discard, 听用 among them or not; the seat must discard next."""
    seat = table.seats[number]
    wild = action.wild or 0
    seat.take(tile, wild - 2)
    if wild:
        seat.take(seat.wild, -wild)
    seat.expose(Meld("peng", tile, table.last_from, table.index, wild))
    table.begun = True
    table.calm = False
    table.chain = table.pao = ()
    table.drawn = table.drawer = NONE
    table.window = table.watched = False
    table.turn = table.discarder = number
    table.phase = Phase.AFTER_PENG
    return None


def gang(table: Table, number: int, tile: int, action: log.Gang) -> Event:
    """A gang is laid down; a direct or concealed one stands at once, an added one when nobody robs it."""
    kind = action.kind
    seat = table.seats[number]
    feeder = table.last_from if kind == "zhi" else None
    waited = bool(seat.waits) and table.phase is not Phase.AFTER_PENG
    made = Gang(table.index, number, kind, tile, feeder, tile == table.drawn, waited)
    table.chain = (made,) if kind == "zhi" else (*table.chain, made)
    table.begun = True
    table.calm = False
    table.window = table.watched = False
    table.drawn = table.discarder = NONE
    table.turn = number
    table.drawer = number if table.left else NONE
    if kind == "bu":
        return _add_fourth(table, seat, made)
    seat.take(tile, {"zhi": -3, "an": -4}[kind])
    seat.expose(Meld(kind, tile, feeder, table.index))
    table.gangs.append(made)
    table.phase = Phase.REPLACEMENT
    table.pao = ()
    table.refresh(seat)
    return PAID[table.rules.gang_timing](table, made)


def _paid_later(table: Table, made: Gang) -> Event:
    table.unpaid = made
    return None


PAID: dict[str, Callable[[Table, Gang], Event]] = {
    "at_once": lambda table, made: made,
    "next_draw": _paid_later,
}
"""When a gang is paid that nobody may rob; an added one is with the next draw, which shows that nobody did."""


def _add_fourth(table: Table, seat: Seat, made: Gang) -> Event:
    seat.take(made.tile, -1)
    table.added = made
    table.last, table.last_at, table.last_from = made.tile, made.at, made.seat
    table.fresh = made.fresh
    table.pao = table.chain[:-1] if table.rules.rob_keeps_gang_pao else ()
    table.phase = Phase.ADDED
    table.refresh(seat)
    open_window(table)
    return None


def hu(table: Table, number: int, tile: int, action: log.Hu) -> Event:
    """A seat wins and leaves the play; the next seat in play follows."""
    seat = table.seats[number]
    source = None if action.source is None else table.last_from
    win = self_drawn(table, seat, tile) if source is None else claimed(table, seat, tile, source)
    if win is None:
        return None
    table.wins.append(win)
    table.begun = True
    AFTER_HU[table.ends](table, seat, tile)
    table.discarder = NONE
    last = number if source is None else NEXT_TURN[table.rules.next_turn](table, source)
    table.drawer = table.next_of[last] if table.left else NONE
    if reason := ENDS[table.ends](table):
        table.end_with(reason)
    return win


def self_drawn(table: Table, seat: Seat, tile: int) -> Win | None:
    """自摸: the tile is in the hand; afterwards nothing lies to be claimed."""
    win = win_of(table, seat, tile, None, how_drawn(table, seat), False, ())
    table.phase = Phase.CLAIM
    table.window = table.watched = False
    table.offers = ()
    table.drawn = table.last = NONE
    table.last_from = seat.number
    table.chain = table.pao = ()
    return win


def claimed(table: Table, seat: Seat, tile: int, source: int) -> Win | None:
    """点炮 or 抢杠: the tile joins the winner's hand; a robbed gang is not formed."""
    how = how_claimed(table, seat)
    robbed = table.phase is Phase.ADDED
    seat.take(tile)
    win = win_of(table, seat, tile, source, how, robbed, table.pao)
    table.takers.append(seat.number)
    table.alert = True
    if robbed:
        table.added = None
        table.chain = ()
    return win


def win_of(
    table: Table,
    seat: Seat,
    tile: int,
    source: int | None,
    how: tuple[str, ...],
    robbed: bool,
    gangs: tuple[Gang, ...],
) -> Win | None:
    """The hu as it stands, priced; None when the tiles are no winning shape."""
    price = table.pricer.price(seat.winning(source is None, how))
    if price is None:
        return None
    melds = tuple(seat.melds)
    return Win(
        seat.number,
        table.index,
        tile,
        source,
        how,
        price,
        robbed,
        gangs,
        seat.hand,
        melds,
        table.last_at,
    )


def pass_claim(table: Table, number: int, tile: int, action: log.Pass) -> Event:
    """A claim is declined; a hu that is bars the seat from there on, the tile that still lies there included."""
    table.begun = True
    if not table.window:
        return None
    if "hu" in action.declined and number in table.offers and (number, "hu") not in table.passes:
        bar_seat(table, table.seats[number], table.index)
    for claim in action.declined:
        table.passes.setdefault((number, claim), table.index)
    table.alert = True
    return None


def close_window(table: Table) -> None:
    """What lay there was not taken by some: 过水 for each seat that could have hu'd and did not."""
    for number in table.offers:
        if number not in table.takers and (number, "hu") not in table.passes:
            bar_seat(table, table.seats[number], None)
    table.offers = ()
    table.watched = False


def last_winner(table: Table, source: int) -> int:
    """Of the seats that took the tile, the last in turn order from the discarder."""
    return max(table.takers, key=lambda seat: (seat - source) % 4)


def _release(seat: Seat) -> None:
    seat.bar = None


def _release_later(seat: Seat) -> None:
    """The drawn tile is barred too: the bar falls with the next draw or the discard, whichever comes first."""
    assert seat.bar is not None
    if seat.bar.drawn:
        seat.bar = None
    else:
        seat.bar.drawn = True


RELEASE_AT_DRAW: dict[str, Callable[[Seat], None]] = {"free": _release, "barred": _release_later}
"""What the seat's own draw does to its bar: it ends 过水, or only the draw after it does."""

NEXT_TURN: dict[str, Callable[[Table, int], int]] = {
    "after_last_winner": last_winner,
    "after_robbed": lambda table, source: (
        source if table.phase is Phase.ADDED else last_winner(table, source)
    ),
}
"""After which seat the next one plays, when a tile was hu'd."""

MOVES: dict[str, Callable[[Table, int, int, Any], Event]] = {
    "swap": give_three,
    "void": declare_void,
    "piao": raise_stake,
    "draw": draw,
    "discard": discard,
    "peng": peng,
    "gang": gang,
    "hu": hu,
    "pass": pass_claim,
    "replace": replace_wild,
    "ting": ignore,
    "flee": flee,
}
"""One function an action type."""

CLOSERS = frozenset({"draw", "peng", "gang", "discard"})
"""The action types after which a tile that lay to be claimed no longer does."""
