"""How every command begins and ends: UTF-8 out, a reader that goes away, Ctrl-C, and what exit codes mean."""

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Any

import click

from replay.cli.language import asked, spoken
from replay.cli.usage import told

CLEAN = 0
FOUND = 1
UNUSABLE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
"""The last two are what a shell shows for SIGINT and SIGPIPE: 128 and the signal's number."""


class Refused(click.ClickException):
    """The command cannot do what was asked; the message is in the reader's language. Exit code 2."""

    exit_code = UNUSABLE

    def show(self, file: Any = None) -> None:
        """Write the message to stderr."""
        click.echo(f"replay: {self.message}", err=True)


class Program(click.Group):
    """The commands, with what holds for all of them."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments, in words of the language that they ask for."""
        words = asked(args)
        try:
            return super().make_context(info_name, args, parent, **{"obj": words, **extra})
        except click.UsageError as error:
            raise told(error, words) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        write_utf8()
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except click.UsageError as error:
            raise told(error, spoken(ctx)) from None
        except BrokenPipeError:
            silence_stdout()
            ctx.exit(BROKEN_PIPE)
        except KeyboardInterrupt:
            silence_stdout()
            ctx.exit(INTERRUPTED)


def write_utf8() -> None:
    """Write UTF-8 whatever the locale says; half of a surrogate pair is spelled out."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def silence_stdout() -> None:
    """Let nothing more be written: nobody reads it, and the last flush would complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
