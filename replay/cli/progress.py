"""A progress bar on a terminal's standard error, and nothing anywhere else."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Progress(Protocol):
    """How far a run has come, in bytes of its inputs."""

    def step(self, size: int) -> None:
        """So many bytes more of the present input."""

    def reach(self, done: int) -> None:
        """An input is finished: so many bytes of all of them."""


class Unseen:
    """No bar."""

    def step(self, size: int) -> None:
        """Nothing to show."""

    def reach(self, done: int) -> None:
        """Nothing to show."""


class Shown:
    """A bar that rich draws; where the total is not known (0) it only moves."""

    def __init__(self, bars: Any, label: str, total: int) -> None:
        self.bars, self.total, self.done = bars, total, 0
        self.task = bars.add_task(label, total=total or None)

    def step(self, size: int) -> None:
        """Move on by what was read; what came out of compression may be more than there was to read."""
        self.done = min(self.done + size, self.total)
        self.bars.update(self.task, completed=self.done)

    def reach(self, done: int) -> None:
        """Move to where the present input ends."""
        self.done = done
        self.bars.update(self.task, completed=done)


@contextmanager
def bar(total: int, label: str, wanted: bool = True) -> Iterator[Progress]:
    """A bar over ``total`` bytes while standard error is a terminal."""
    if not wanted or not sys.stderr.isatty():
        yield Unseen()
        return
    from rich.console import Console  # a tenth of a second to load, for nobody but a terminal
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    text_too = sys.stdout.isatty()
    with Bars(*columns, console=Console(stderr=True), transient=True, redirect_stdout=text_too) as bars:
        yield Shown(bars, label, total)
