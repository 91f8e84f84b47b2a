"""`replay bench`: what each step of an audit costs, beside json.loads of the same log."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import click
import orjson

from replay import audit
from replay.cli.options import lang_option, unreadable
from replay.cli.program import Refused
from replay.formats import read_log
from replay.hands import audit_hand
from replay.intake import Intake
from replay.limits import DEFAULT
from replay.log import Hand, Log
from replay.measure import calls, hand_opcodes
from replay.profile import RuleProfile
from replay.resources import folder
from replay.schemas import quick_validator
from replay.shapes import set_waits
from replay.sitting import audit_sitting, log_rules
from replay.tiles import ONE, parse_tiles
from replay.wording import Words
from replay.wording.plain import visible, width

ROUNDS = 15
REPEATS = 20
LABEL_WIDTH = 28
Row = tuple[str, Callable[[], object], float | None]


@click.command("bench")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--rounds", default=ROUNDS, show_default=True, help="Rounds in which the rows take turns.")
@lang_option
def bench_command(file: Path | None, rounds: int, words: Words) -> None:
    """Measure decoding, validating and auditing a log, each beside json.loads of the same bytes.

    The rows take turns in one run, so a machine that slows down slows all of them; the median ratio is printed
    with the budget it is held to: that of a hand played to its end whose record holds neither wall nor passes, such
    as tests/cases/legal/chengdu-02.json of the source. Records that hold more cost more. Actions without `ms` and
    `by` are given both, as full records have them. The counters at the end do not depend on the machine.

    \b
    Example:
      replay bench sample_logs/chengdu/clean.json
    """
    path = file or next(iter(sorted(folder("sample_logs").glob("*/clean.json"))))
    document, log = timed_log(path, words)
    data = orjson.dumps(document)
    rules, faults = log_rules(log.rules, None)
    if rules is None:
        raise Refused(words.say("cli.bench.no_rules", name=visible(path, 200)))
    taken = Intake(document, log, ())
    valid = quick_validator("log").is_valid
    rows: list[Row] = [
        ("loads", lambda: json.loads(data), None),
        ("valid", lambda: valid(document), 0.5),
        ("read", lambda: read_log(data), None),
        ("judge", lambda: audit_sitting(taken, log, rules, faults, False, DEFAULT.findings), 1.5),
        ("audit", lambda: audit(data), 2.0),
        ("decoded", lambda: audit(document), None),
        ("written", lambda: audit(data).to_json(), None),
    ]
    actions = sum(len(hand.actions) for hand in log.hands)
    counted = {"hands": words.count("hands", len(log.hands)), "actions": words.count("actions", actions)}
    click.echo(words.say("cli.bench.log", name=visible(path.name, 200), bytes=len(data), **counted))
    for name, ratio, seconds, budget in measured(rows, rounds):
        limit = "" if budget is None else "  " + words.say("cli.bench.budget", most=f"{budget:.1f}x")
        click.echo(f"{label(name, words)}{seconds * 1e6:9.1f} us{ratio:8.2f}x{limit}")
    click.echo(f"{label('waits', words)}{waits_seconds() * 1e6:9.3f} us")
    budget_of = words.say("cli.bench.budget", most=350)
    click.echo(f"{label('opcodes', words)}{hand_opcodes(rules, log):9.0f}     {budget_of}")
    for number, hand in enumerate(log.hands):
        made, most = waits_made(rules, hand, number, log)
        budget_of = words.say("cli.bench.budget", most=most)
        click.echo(f"{label('made', words, hand=words.hand(number))}{made:9d}     {budget_of}")


def label(name: str, words: Words, **facts: str) -> str:
    """What a row measures, as wide as the column."""
    said = words.say(f"cli.bench.{name}", **facts)
    return said + " " * (LABEL_WIDTH - width(said))


def timed_log(path: Path, words: Words) -> tuple[dict[str, Any], Log]:
    """A log with all that full records have, decoded and read. Raises `Refused`."""
    try:
        document = orjson.loads(path.read_bytes())
        log = read_log(orjson.dumps(stamped(document))).log
    except OSError as error:
        raise Refused(unreadable(words, str(path), error)) from None
    except (ValueError, TypeError, AttributeError, KeyError):
        log = None
    if log is None:
        raise Refused(words.say("cli.bench.no_log", name=visible(path, 200)))
    return document, log


def stamped(document: dict[str, Any]) -> dict[str, Any]:
    """The log with a time and an actor on every action that has none."""
    for hand in document.get("hands", ()):
        for index, action in enumerate(hand["actions"]):
            action.setdefault("ms", 1000 + 1234 * index)
            action.setdefault("by", "player")
    return document


def measured(rows: list[Row], rounds: int) -> list[tuple[str, float, float, float | None]]:
    """Each row's name, median ratio to the first row, best seconds a call, and budget."""
    taken: list[list[float]] = [[] for _ in rows]
    for _ in range(max(rounds, 1)):
        for row, (_, run, _) in enumerate(rows):
            start = time.process_time_ns()
            for _ in range(REPEATS):
                run()
            taken[row].append((time.process_time_ns() - start) / REPEATS / 1e9)
    ratios = [median(own / first for own, first in zip(row, taken[0], strict=True)) for row in taken]
    return [
        (name, ratio, min(row), budget)
        for (name, _, budget), ratio, row in zip(rows, ratios, taken, strict=True)
    ]


def waits_seconds() -> float:
    """Seconds that the waits of one ready hand take."""
    hand = sum(ONE[kind] for kind in parse_tiles("1m2m3m4m5m6m7m8m9m1p2p2s2s"))
    best = 1.0
    for _ in range(50):
        start = time.perf_counter()
        for _ in range(1000):
            set_waits(hand)
        best = min(best, time.perf_counter() - start)
    return best / 1000


def waits_made(rules: RuleProfile, hand: Hand, number: int, log: Log) -> tuple[int, int]:
    """How often a hand's audit looked up waits, and how often it may: discards, gangs, voids and the deal."""
    kinds = [action.type for action in hand.actions]
    most = kinds.count("discard") + kinds.count("gang") + kinds.count("void") + 4 + 4
    records, lacks = log.records or (), frozenset(log.lacks or ())
    return calls(lambda: audit_hand(rules, hand, number, records, lacks), "set_waits"), most
