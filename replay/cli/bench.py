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
from replay.cli.program import Refused
from replay.formats import read_log
from replay.hands import audit_hand
from replay.intake import Intake
from replay.log import Hand, Log
from replay.measure import calls, hand_opcodes
from replay.profile import RuleProfile
from replay.resources import folder
from replay.schemas import quick_validator
from replay.shapes import set_waits
from replay.sitting import audit_sitting, log_rules
from replay.tiles import ONE, parse_tiles

ROUNDS = 15
REPEATS = 20
Row = tuple[str, Callable[[], object], float | None]


@click.command("bench")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--rounds", default=ROUNDS, show_default=True, help="Rounds in which the rows take turns.")
def bench_command(file: Path | None, rounds: int) -> None:
    """Measure decoding, validating and auditing a log, each beside json.loads of the same bytes.

    The rows take turns in one run, so a machine that slows down slows all of them; the median ratio is printed
    with the budget it is held to. Actions without `ms` and `by` are given both, as full records have them. The
    counters at the end do not depend on the machine.

    \b
    Example:
      replay bench sample_logs/chengdu/clean.json
    """
    path = file or next(iter(sorted(folder("sample_logs").glob("*/clean.json"))))
    document = stamped(orjson.loads(path.read_bytes()))
    data = orjson.dumps(document)
    log = read_log(data).log
    if log is None:
        raise Refused(f"{path} is not a valid log; `replay validate {path}` says why")
    rules, faults = log_rules(log.rules, None)
    if rules is None:
        raise Refused(f"{path} names no rule set of ours")
    taken = Intake(document, log, ())
    valid = quick_validator("log").is_valid
    rows: list[Row] = [
        ("json.loads", lambda: json.loads(data), None),
        ("schema validation", lambda: valid(document), 0.5),
        ("bytes -> valid log", lambda: read_log(data), None),
        ("valid log -> report", lambda: audit_sitting(taken, log, rules, faults, False), 1.5),
        ("bytes -> report", lambda: audit(data), 2.0),
        ("dict -> report", lambda: audit(document), None),
        ("bytes -> report as JSON", lambda: audit(data).to_json(), None),
    ]
    actions = sum(len(hand.actions) for hand in log.hands)
    click.echo(f"{path.name}: {len(log.hands)} hands, {actions} actions, {len(data)} bytes")
    for name, ratio, seconds, budget in measured(rows, rounds):
        limit = "" if budget is None else f"  budget {budget:.1f}x"
        click.echo(f"{name:<26}{seconds * 1e6:9.1f} us{ratio:8.2f}x{limit}")
    click.echo(f"{'waits of one hand':<26}{waits_seconds() * 1e6:9.3f} us")
    click.echo(f"{'opcodes an action':<26}{hand_opcodes(rules, log):9.0f}     budget 350")
    for number, hand in enumerate(log.hands):
        made = waits_made(rules, hand, number, log)
        click.echo(f"{f'waits made, hand {number + 1}':<26}{made[0]:9d}     budget {made[1]}")


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
