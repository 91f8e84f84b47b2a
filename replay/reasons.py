"""The facts that explain a payment, worked out when a report is written and not while a hand is audited.

The settlement puts into ``because`` what it decided by; here follows what a reader needs to reckon the amount again:
the tiles, the scale, who pays and why, and the keys of the rule set whose words say so (`schemas/report.schema.json`).
"""

from collections.abc import Callable, Iterator
from typing import Any

from replay.grounds import best_win, fan_key, fed_gang, gang_at, gang_key, gang_payer, hu_payer, keys_of, won
from replay.ledger import Entry
from replay.liu_ju import best_facts, best_price, reveal
from replay.prices import gang_parts, part_facts
from replay.profile import RuleProfile
from replay.sets import sets_of, stand_ins
from replay.settlement import Settlement
from replay.state import Seat, Table
from replay.tiles import SUIT_FIELD, TILES, kinds_in, tile_string, tiles_of
from replay.waits import real_tiles

Facts = dict[str, Any]


def written_entries(book: Settlement) -> list[Facts]:
    """Every entry of the ledger with the facts that explain it."""
    return [{**entry.to_dict(), "because": reasons(entry, book)} for entry in book.entries]


def reasons(entry: Entry, book: Settlement) -> Facts:
    """What explains an entry: what the settlement wrote down, and what follows from it."""
    table = book.table
    more = REASONS[entry.kind](entry, book) if entry.kind in REASONS else {}
    best = more.get("best") or entry.because.get("best")
    keys = [*keys_of(entry, table), *best_keys(best, table.rules)]
    return {**entry.because, **more, "rules": list(dict.fromkeys(keys))}


def best_keys(best: Facts | None, rules: RuleProfile) -> Iterator[str]:
    """The keys that decide the best price of the one paid."""
    if best is not None:
        yield from (fan_key(rules.cites, part["id"]) for part in (best["shape"], *best["extras"]))
        if rules.cap_fan is not None and best["fan"] > rules.cap_fan:
            yield "cap_fan"


def scale_facts(table: Table) -> Facts:
    """How fan become points."""
    rules = table.rules
    return {"id": rules.scale, "base": table.base, "cap": rules.cap_fan}


# Hu --------------------------------------------------------------------------------------------------


def hu_reasons(entry: Entry, book: Settlement) -> Facts:
    """Why this seat pays, where the tile came from, and how the fan become points, the payer's own gangs among them."""
    table, win = book.table, won(entry, book.table)
    if win is None:
        return {}
    payer = hu_payer(table, win, entry.source)
    own = payer_gangs(table, entry.source, win.at)
    fan = win.price.fan + sum(part["fan"] * part["count"] for part in own)
    facts: Facts = {"payer": payer, "scale": scale_facts(table), "fan": fan, "owed": table.pricer.points(fan)}
    if win.source is not None:
        facts |= {"laid_at": win.window, "robbed": win.robbed}
    if stands := stand_ins(win.price, win.hand, table.wild):
        facts["wild"] = {"tile": TILES[table.wild], "stands_for": stands}
    gang = fed_gang(table, win)
    if gang is not None and payer in ("feeder", "gang_feeder"):
        facts |= {"gang": gang.at, "kind": gang.kind, "tile": TILES[gang.tile]}
    if own:
        facts["payer_gangs"] = own
    return facts


def payer_gangs(table: Table, seat: int, at: int) -> list[Facts]:
    """What the payer's gangs of that moment add to the fan (杠进杠出)."""
    worth = table.rules.payer_gangs
    if worth is None:
        return []
    melds = [meld for meld in table.seats[seat].melds if meld.at is not None and meld.at < at]
    named = {"own_gang_exposed": "payer_gang_exposed", "own_gang_concealed": "payer_gang_concealed"}
    return [{**part_facts(part), "id": named[part.id]} for part in gang_parts(melds, worth)]


# Gangs -----------------------------------------------------------------------------------------------


def gang_reasons(entry: Entry, book: Settlement) -> Facts:
    """The gang's tile, what it earns in bases, and why this seat pays."""
    table, gang = book.table, gang_at(book.table, entry.because.get("gang"))
    if gang is None:
        return {}
    units = getattr(table.rules, gang_key(gang, entry.source))
    facts: Facts = {"tile": TILES[gang.tile], "units": units, "base": table.base, "owed": units * table.base}
    return {**facts, "payer": gang_payer(gang, entry.source)}


def moved_reasons(entry: Entry, book: Settlement) -> Facts:
    """The gang whose income goes on or back, and the entries that brought it in."""
    gang = gang_at(book.table, entry.because.get("gang"))
    if gang is None:
        return {}
    facts: Facts = {"kind": gang.kind, "tile": TILES[gang.tile]}
    return {**facts, "entries": list(gang.entries)} if entry.kind == "transfer" else facts


# Liuju -----------------------------------------------------------------------------------------------


def hua_zhu_reasons(entry: Entry, book: Settlement) -> Facts:
    """The tiles that make the seat a huazhu, and how what it pays is reckoned."""
    table, seat = book.table, book.table.seats[entry.source]
    rules = table.rules
    facts: Facts = {**kept_tiles(rules, seat), "by": rules.hua_zhu, "payees": rules.hua_zhu_payees}
    facts["owed"] = entry.amount // entry.because.get("piao", 1)
    return facts | HUA_ZHU[rules.hua_zhu](entry, book) if rules.hua_zhu in HUA_ZHU else facts


def kept_tiles(rules: RuleProfile, seat: Seat) -> Facts:
    """The tiles of the void suit that the seat still holds, or all its tiles where they are of three suits."""
    held = real_tiles(seat)
    if rules.void == "declared" and seat.void >= 0:
        return {"tiles": tile_string(tiles_of(held & SUIT_FIELD[seat.void])), "void": "mps"[seat.void]}
    melds = [meld.tile for meld in seat.melds for _ in range(3 if meld.kind == "peng" else 4)]
    return {"tiles": tile_string(sorted([*tiles_of(held), *melds])), "void": None}


def _cap(entry: Entry, book: Settlement) -> Facts:
    return {"scale": scale_facts(book.table), "fan": book.table.rules.cap_fan}


def _best_times(entry: Entry, book: Settlement) -> Facts:
    return {"times": book.table.rules.hua_zhu_amount, **value_facts(entry, book)}


def _base_times(entry: Entry, book: Settlement) -> Facts:
    return {"times": book.table.rules.hua_zhu_amount, "base": book.table.base}


def _fixed(entry: Entry, book: Settlement) -> Facts:
    return {"fixed": book.table.rules.hua_zhu_amount}


def _best_or_fixed(entry: Entry, book: Settlement) -> Facts:
    return {"fixed": book.table.rules.hua_zhu_amount, **value_facts(entry, book)}


HUA_ZHU: dict[str, Callable[[Entry, Settlement], Facts]] = {
    "cap": _cap,
    "best_times": _best_times,
    "base_times": _base_times,
    "fixed": _fixed,
    "best_or_fixed": _best_or_fixed,
}
"""How what a huazhu pays is reckoned."""


def value_facts(entry: Entry, book: Settlement) -> Facts:
    """What the one paid waits for and the best of it, taken apart; or its dearest hu; or neither."""
    table, payee = book.table, entry.target
    waits = (book.ready or {}).get(payee) if payee is not None else None
    if payee is None or not waits:
        number = best_win(table, payee)
        return {} if number is None else {"win": number}
    return ready_reasons(table, payee, waits)


def ready_reasons(table: Table, number: int, waits: int) -> Facts:
    """What a seat waits for and the best that it could make, taken apart."""
    seat = table.seats[number]
    price, tile = best_price(table, seat, waits)
    seat.take(tile)
    best = {**best_facts(price, tile), "sets": sets_of(price, seat.hand, seat.melds)}
    if stands := stand_ins(price, seat.hand, table.wild):
        best["wild"] = {"tile": TILES[table.wild], "stands_for": stands}
    seat.take(tile, -1)
    return {"ready": [TILES[kind] for kind in kinds_in(waits)], "best": best, "scale": scale_facts(table)}


def da_jiao_reasons(entry: Entry, book: Settlement) -> Facts:
    """What the one paid could have won, and who is paid."""
    return {**value_facts(entry, book), "payees": book.table.rules.da_jiao_payees}


def flee_reasons(entry: Entry, book: Settlement) -> Facts:
    """What the bases come to, or how the best of the one paid is reckoned."""
    table, units = book.table, entry.because.get("units")
    if units is not None:
        return {"base": table.base, "owed": units * table.base}
    waits = reveal(table).ready.get(entry.target, 0) if entry.target is not None else 0
    return ready_reasons(table, entry.target, waits) if entry.target is not None and waits else {}


def penalty_reasons(entry: Entry, book: Settlement) -> Facts:
    """The tiles of the void suit that the seat kept to the end, where that is what it pays for."""
    if "void_breach" not in entry.because:
        return {}
    seat = book.table.seats[entry.source]
    return {"tiles": tile_string(tiles_of(seat.hand & seat.void_tiles))}


def xiang_gong_reasons(entry: Entry, book: Settlement) -> Facts:
    """The gang that cost the wait, and how its price is reckoned."""
    gang = gang_at(book.table, entry.because.get("gang"))
    known = {} if gang is None else {"kind": gang.kind, "tile": TILES[gang.tile]}
    return {**known, "scale": scale_facts(book.table)}


REASONS: dict[str, Callable[[Entry, Settlement], Facts]] = {
    "hu": hu_reasons,
    "gang": gang_reasons,
    "transfer": moved_reasons,
    "refund": moved_reasons,
    "hua_zhu": hua_zhu_reasons,
    "da_jiao": da_jiao_reasons,
    "penalty": penalty_reasons,
    "flee": flee_reasons,
    "xiang_gong": xiang_gong_reasons,
}
"""What is worked out for each kind of entry."""
