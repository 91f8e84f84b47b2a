"""The list of cases: one's own for a player, all of them for those who decide, the oldest first."""

from flask import render_template, request

from replay.store.cases.reading import Line, Wanted, count_cases, list_cases, rooms_and_rules
from replay.store.tables.disputes import DISPUTE_KINDS, DISPUTE_STATES
from replay.store.tables.people import ADMIN, ARBITER
from replay.web.cases.pages import actor, is_local, pages
from replay.web.cases.people import people, waits
from replay.web.footing import service
from replay.web.pager import pager

A_PAGE = 50
WAITING = "waiting"
"""The state of the list that stands for all that are not over."""

LONGEST = 128


@pages.get("")
def index() -> str:
    """The cases that whoever asks may read, as the address filters them."""
    asks, engine = actor(), service().engine
    rooms, rules = rooms_and_rules(engine, asks.id, asks.role)
    wanted = asked(rooms, rules)
    total = count_cases(engine, asks.id, asks.role, wanted)
    cut = pager(total, A_PAGE)
    found = list_cases(engine, asks.id, asks.role, wanted, cut.first, cut.most)
    named = people({account for line in found for account in concerned(line)})
    return render_template(
        "cases.html",
        lines=[
            (
                line,
                [named.name(one) for one in line.parties],
                waits(line.row, line.asked, line.appealable, named),
            )
            for line in found
        ],
        pager=cut,
        total=total,
        wanted=wanted,
        filtered=wanted != Wanted(),
        kinds=DISPUTE_KINDS,
        states=(WAITING, *DISPUTE_STATES),
        rooms=rooms,
        rules=rules,
        everybody=asks.role in (ARBITER, ADMIN),
        local=is_local(),
    )


def asked(rooms: list[str], rules: list[str]) -> Wanted:
    """The filter of the address; what it names that there is not wants all."""
    given = {name: request.args.get(name, "")[:LONGEST] for name in ("kind", "state", "room", "rules")}
    known = {"kind": DISPUTE_KINDS, "state": (WAITING, *DISPUTE_STATES), "room": rooms, "rules": rules}
    return Wanted(**{name: value if value in known[name] else "" for name, value in given.items()})


def concerned(line: Line) -> set[str]:
    """Every account that a line names."""
    return {*line.parties, *line.asked, *(one for one in (line.row.arbiter, line.row.second) if one)}
