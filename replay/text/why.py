"""Why a payment is made, in a sentence: told from the facts of the report alone, nothing is reckoned anew.

A report of an earlier engine holds fewer facts, and its sentences say less.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from replay.grounds import GANG_KEYS, PAYER_KEYS, REFUND_KEYS
from replay.house import CLAUSE_PARTS
from replay.text.cited import Quoted, clause_line, quoted
from replay.text.page import Facts, Page
from replay.text.wins import cited_fans, counted, price_of, sets_of, win_of
from replay.wording.words import listed

Reason = Callable[[Page, Facts, Facts, Facts], Iterator[str]]
"""What a kind of entry has to say, clause by clause: of the page, the hand, the entry and its ``because``."""


def why_paid(page: Page, hand: Facts, entry: Facts) -> str:
    """The reason of a payment: what it is for, how the amount is reckoned, who pays and why, what it gives back."""
    because = entry.get("because") or {}
    said = WHY.get(str(entry.get("kind")), _why_other)(page, hand, entry, because)
    why = page.words.say("language.group").join(filter(None, said))
    extras = because.get("extras")
    if isinstance(extras, list) and extras:
        why = page.words.say("report.why.extra", why=why, parts=page.words.parts(extras))
    if entry.get("reverses") is not None:
        why = page.words.say("report.why.reverses", why=why, n=entry["reverses"] + 1)
    return why


def clauses(page: Page, entries: Iterable[Facts]) -> list[Quoted]:
    """The clauses that these payments rest on, each once, as far as the report holds their words."""
    keys = dict.fromkeys(
        str(key) for entry in entries for key in listed((entry.get("because") or {}).get("rules"))
    )
    found: dict[tuple[str, ...], list[str]] = {}
    for key in keys:
        clause = page.cites().get(key)
        if clause:
            parts = tuple(str(clause.get(name, "")) for name in CLAUSE_PARTS)
            found.setdefault(parts, []).append(page.rule(key))
    return [
        quoted(page.words, dict(zip(CLAUSE_PARTS, parts, strict=True)), page.words.join(rules))
        for parts, rules in found.items()
    ]


def clause_lines(page: Page) -> Iterator[str]:
    """The clauses that the payments of the report rest on, in words."""
    entries = [entry for hand in page.report.get("hands") or [] for entry in hand.get("ledger") or []]
    yield from (clause_line(page.words, one) for one in clauses(page, entries))


def _multiplied(page: Page, entry: Facts, because: Facts, said: str) -> str:
    """The amount after what the self-draw adds and 飘 multiplies."""
    words, times, before = page.words, because.get("piao"), said
    if because.get("bonus"):
        said = words.say("report.why.bonus", why=said, points=words.points(because["bonus"]))
        said = page.cited(said, "zi_mo_bonus")
    if isinstance(times, int) and times > 1:
        said = page.cited(words.say("report.why.piao", why=said, n=times), "piao")
    if said == before or not before:
        return before
    return words.say("report.why.amount", why=said, points=words.points(entry.get("amount")))


def reckoned(page: Page, because: Facts, fan: Any, points: Any) -> str:
    """How fan become points: base, scale, and the cap where it cuts; "" where the report does not hold them."""
    words, scale = page.words, because.get("scale")
    if not isinstance(scale, Mapping) or not isinstance(fan, int):
        return ""
    cap = scale.get("cap")
    cut = isinstance(cap, int) and fan > cap
    key = f"report.why.scale.{scale.get('id')}"
    if not page.has(key):
        return words.points(points)
    told = {
        "base": words.shown(scale.get("base")),
        "fan": cap if cut else fan,
        "points": words.points(points),
    }
    said = page.cited(words.say(key, **told), "scale")
    return page.cited(words.say("report.why.cut", said=said, fan=words.fan(cap)), "cap_fan") if cut else said


def _why_other(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    """The name of the item, and the step that caused it."""
    said = page.cited(page.words.label("ledger", entry.get("kind")), *listed(because.get("rules"))[:1])
    if entry.get("at") is not None:
        said = page.words.say("report.why.at", kind=said, step=page.words.step(entry["at"]))
    yield _multiplied(page, entry, because, said)


# Hu --------------------------------------------------------------------------------------------------


def _why_hu(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    win = win_of(hand, entry, because)
    if win is None:
        yield from _why_other(page, hand, entry, because)
    elif "owed" not in because:
        yield _multiplied(page, entry, because, _short(page, win))
    else:
        yield _won(page, win, because)
        yield _sets(page, win)
        yield _wild(page, because)
        fan = because.get("fan")
        yield cited_fans(page, win, listed(because.get("payer_gangs")), fan)
        price = reckoned(page, because, fan, because["owed"]) or page.words.points(because["owed"])
        yield _multiplied(page, entry, because, price)
        yield _payer(page, entry, because)


def _short(page: Page, win: Facts) -> str:
    """A hu of which the entry holds no more than its number."""
    words, parts = page.words, counted(page.words, win)
    said = {"step": words.step(win.get("at")), "points": price_of(page, win)}
    said["fan"] = words.fan(win.get("fan"))
    return (
        words.say("report.why.win_parts", parts=parts, **said)
        if parts
        else words.say("report.why.win", **said)
    )


def _won(page: Page, win: Facts, because: Facts) -> str:
    """At which step which tile was hu'd, and where it came from."""
    words, laid = page.words, because.get("laid_at")
    said = {"step": words.step(win.get("at")), "tile": words.tile(win.get("tile"))}
    if win.get("from") is None:
        return words.say("report.why.zi_mo", **said)
    key = "qiang_gang" if because.get("robbed") else "dian_pao"
    return words.say(f"report.why.{key}", source=words.seat(win["from"]), laid=words.step(laid), **said)


def _sets(page: Page, hand: Facts) -> str:
    """The sets of a hand; "" where the report does not take it apart."""
    sets = sets_of(page.words, hand)
    return page.words.say("report.why.sets", sets=sets) if sets else ""


def _wild(page: Page, known: Facts) -> str:
    """What the wildcards stand for; "" where there are none."""
    wild, words = known.get("wild"), page.words
    if not isinstance(wild, Mapping):
        return ""
    told = {"tile": words.tile(wild.get("tile")), "tiles": words.tile_list(wild.get("stands_for"))}
    return words.say("report.why.wild", **told)


def _payer(page: Page, entry: Facts, because: Facts) -> str:
    """Who pays a hu, and why it is this seat."""
    role, words = str(because.get("payer")), page.words
    if role not in PAYER_KEYS:
        return ""
    gang = _named_gang(page, because) if "gang" in because else ""
    said = words.say(f"report.why.payer.{role}", payer=words.seat(entry.get("from")), gang=gang)
    return page.cited(said, PAYER_KEYS[role])


# Gangs -----------------------------------------------------------------------------------------------


def _gang(page: Page, hand: Facts, because: Facts, at: Any) -> str:
    """A gang by its kind, tile and step; what the entry does not hold, from another entry or the log."""
    known = dict(because) | {"gang": because.get("gang", at)}
    for entry in hand.get("ledger") or []:
        other = entry.get("because") or {}
        if entry.get("kind") == "gang" and other.get("gang") == known["gang"]:
            known = {**other, **known}
    action = page.action(hand, known["gang"])
    if action.get("type") == "gang":
        known = {"kind": action.get("kind"), "tile": action.get("tile"), **known}
    return _named_gang(page, known)


def _named_gang(page: Page, known: Facts) -> str:
    words = page.words
    gang, step = words.label("gang", known.get("kind") or "any"), words.step(known.get("gang"))
    if known.get("tile"):
        return words.say("report.why.gang_tile", gang=gang, tile=words.tile(known["tile"]), step=step)
    return words.say("report.why.gang", gang=gang, step=step)


def _why_gang(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words, role = page.words, str(because.get("payer"))
    gang = _gang(page, hand, because, entry.get("at"))
    key = GANG_KEYS.get(role) or GANG_KEYS.get(str(because.get("kind")))
    if key is None or "owed" not in because:
        yield _multiplied(page, entry, because, gang)
        return
    said = {name: words.shown(because.get(name)) for name in ("units", "base")}
    points = words.points(because["owed"])
    earned = page.cited(words.say("report.why.gang_units", gang=gang, points=points, **said), key)
    yield _multiplied(page, entry, because, earned)
    if page.has(f"report.why.gang_payer.{role}"):
        yield words.say(f"report.why.gang_payer.{role}", payer=words.seat(entry.get("from")))


def _why_transfer(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words, win = page.words, win_of(hand, entry, because) or {}
    step = words.step(win.get("at", entry.get("at")))
    gang = _gang(page, hand, because, None)
    yield page.cited(words.say("report.why.transfer", win=step, gang=gang), "transfer")
    entries = [number + 1 for number in listed(because.get("entries")) if isinstance(number, int)]
    if entries:
        numbers = words.join(map(str, entries))
        points = words.points(entry.get("amount"))
        yield words.say("report.why.income", payments=numbers, points=points)


REFUNDS = {
    "not_ready": "refund",
    "gang_pao": "refund_gang_pao",
    "illegal_hu": "refund_illegal_hu",
    "xiang_gong": "refund_xiang_gong",
}
"""The words for a payment given back, by why."""


def _why_refund(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    reason, words = str(because.get("reason")), page.words
    told = {"gang": _gang(page, hand, because, None), "step": words.step(entry.get("at"))}
    said = words.say(f"report.why.{REFUNDS.get(reason, 'refund_plain')}", **told)
    yield page.cited(said, REFUND_KEYS.get(reason, "refund"))


# Liuju -----------------------------------------------------------------------------------------------


def _why_hua_zhu(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words, by = page.words, str(because.get("by"))
    seat = words.seat(because.get("hua_zhu", entry.get("from")))
    key, tiles = "hua_zhu", because.get("tiles")
    if tiles:
        key = "hua_zhu_suits" if because.get("void", "") is None else "hua_zhu_void"
    held = words.say(f"report.why.{key}", seat=seat, tiles=words.tiles(tiles or ""))
    yield page.cited(held, "hua_zhu", "hua_zhu_amount")
    target = words.payee(entry.get("to"))
    yield from _value(page, hand, because, target)
    if page.has(f"report.why.hua_zhu.{by}"):
        said = {name: words.shown(because.get(name)) for name in ("times", "base")}
        fixed, points = words.points(because.get("fixed")), words.points(because.get("owed"))
        due = words.say(f"report.why.hua_zhu.{by}", target=target, fixed=fixed, points=points, **said)
        if "fan" in because:
            yield due
            due = reckoned(page, because, because["fan"], because.get("owed"))
        yield _multiplied(page, entry, because, due)
    yield _payees(page, "hua_zhu_payees", because)


def _payees(page: Page, key: str, because: Facts) -> str:
    """Who is paid by the rule set; "" where the report does not say."""
    choice = f"web.choice.{key}.{because.get('payees')}"
    if not page.has(choice):
        return ""
    return page.cited(page.words.say("report.why.payees", who=page.words.say(choice)), key)


def _value(page: Page, hand: Facts, because: Facts, target: str) -> Iterator[str]:
    """What the one paid waited for and the best of it; or its dearest hu; last, how that is reckoned."""
    words, best, ready = page.words, because.get("best"), because.get("ready")
    win = win_of(hand, {}, because) if "win" in because else None
    if isinstance(best, Mapping):
        told = {"target": target, "tile": words.tile(best.get("tile"))}
        key = "best" if ready else "best_of"
        yield words.say(f"report.why.{key}", ready=words.tile_list(ready), **told)
        yield _sets(page, best)
        yield _wild(page, best)
        yield cited_fans(page, best)
        yield reckoned(page, because, best.get("fan"), best.get("price")) or price_of(page, best)
    elif win is not None:
        step, points = words.step(win.get("at")), price_of(page, win)
        yield words.say("report.why.dearest", target=target, step=step)
        yield cited_fans(page, win)
        yield points


def _why_da_jiao(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words, target = page.words, page.words.payee(entry.get("to"))
    winners = {win.get("seat") for win in hand.get("wins") or []}
    if because.get("ready") and not isinstance(because.get("best"), Mapping):
        said = words.say("report.why.da_jiao", target=target, ready=words.tile_list(because["ready"]))
        yield _multiplied(page, entry, because, said)
    elif because.get("ready") or "win" in because:
        payer = words.seat(entry.get("from"))
        yield page.cited(words.say("report.why.not_ready", payer=payer), "da_jiao_payees")
        *value, price = _value(page, hand, because, target)
        yield from (*value, _multiplied(page, entry, because, price))
        yield _payees(page, "da_jiao_payees", because)
    elif entry.get("to") in winners:
        yield _multiplied(page, entry, because, words.say("report.why.da_jiao_hu", target=target))
    else:
        yield from _why_other(page, hand, entry, because)


# Flight, 相公 and penalties --------------------------------------------------------------------------


def _why_penalty(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words, seat = page.words, page.words.seat(entry.get("from"))
    if because.get("illegal_hu") is not None:
        said = words.say("report.why.penalty.illegal_hu", step=words.step(because["illegal_hu"]))
        yield page.cited(said, "penalties")
    elif because.get("void_breach") is not None:
        told = {
            "suit": words.label("suit", because["void_breach"]),
            "tiles": words.tiles(because.get("tiles", "")),
        }
        said = words.say("report.why.penalty.void_breach", seat=seat, **told)
        yield page.cited(said, "void_breach", "void_breach_amount")
    else:
        yield from _why_other(page, hand, entry, because)


def _why_flee(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words = page.words
    if because.get("flee") is None:
        yield from _why_other(page, hand, entry, because)
        return
    said = {"seat": words.seat(entry.get("from")), "step": words.step(because["flee"])}
    yield page.cited(words.say("report.why.flee", **said), "flee")
    if because.get("units") is not None:
        units = {name: words.shown(because.get(name)) for name in ("units", "base")}
        due = words.say("report.why.flee.units", points=words.points(because.get("owed")), **units)
        yield _multiplied(page, entry, because, due)
    elif isinstance(because.get("best"), Mapping):
        yield words.say("report.why.flee.best")
        *best, price = _value(page, hand, because, words.payee(entry.get("to")))
        yield from (*best, _multiplied(page, entry, because, price))


def _why_forfeit(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words = page.words
    if because.get("forfeit") is None:
        yield from _why_other(page, hand, entry, because)
        return
    said = {"seat": words.seat(entry.get("from")), "step": words.step(because["forfeit"])}
    yield page.cited(words.say("report.why.forfeit", **said), "flee")


def _why_xiang_gong(page: Page, hand: Facts, entry: Facts, because: Facts) -> Iterator[str]:
    words = page.words
    if because.get("gang") is None:
        yield from _why_other(page, hand, entry, because)
        return
    gang = _gang(page, hand, because, None)
    seat = words.seat(because.get("xiang_gong", entry.get("from")))
    told = {"seat": seat, "gang": gang, "fan": words.fan(because.get("fan"))}
    yield page.cited(words.say("report.why.xiang_gong", **told), "xiang_gong")
    due = reckoned(page, because, because.get("fan"), because.get("price"))
    yield _multiplied(page, entry, because, due)


WHY: dict[str, Reason] = {
    "hu": _why_hu,
    "gang": _why_gang,
    "transfer": _why_transfer,
    "refund": _why_refund,
    "hua_zhu": _why_hua_zhu,
    "da_jiao": _why_da_jiao,
    "penalty": _why_penalty,
    "flee": _why_flee,
    "forfeit": _why_forfeit,
    "xiang_gong": _why_xiang_gong,
}
"""The reason of each kind of entry that has more to say than its name."""
