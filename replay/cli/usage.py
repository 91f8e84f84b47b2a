"""A command line that does not fit its command, said in the reader's language where click has English only."""

from typing import IO, Any

import click

from replay.wording import Words
from replay.wording.plain import visible

EXTRA = "Got unexpected extra argument"
"""How click begins when it was given more than a command takes; that error has no class of its own."""

NO_VALUE = "does not take a value."
"""How click ends when a flag was given a value; else it wants one that is missing."""


class Misused(click.UsageError):
    """A command was called as it cannot be; the message is in the reader's language. Exit code 2."""

    def __init__(self, message: str, ctx: click.Context | None, words: Words) -> None:
        super().__init__(message, ctx)
        self.words = words

    def show(self, file: IO[Any] | None = None) -> None:
        """Write how the command is called, then the message, to stderr."""
        if self.ctx is not None:
            usage = self.ctx.make_formatter()
            pieces = " ".join(self.ctx.command.collect_usage_pieces(self.ctx))
            usage.write_usage(
                self.ctx.command_path,
                pieces,
                self.words.say("cli.usage") + self.words.say("language.sentence"),
            )
            click.echo(usage.getvalue(), err=True, nl=False)
            click.echo(self.words.say("cli.usage.help", command=self.ctx.command_path), err=True)
        click.echo(f"replay: {self.message}", err=True)


def told(error: click.UsageError, words: Words) -> click.UsageError:
    """The same error in ``words``; help that was asked for by giving nothing stays what it is."""
    if isinstance(error, Misused | click.exceptions.NoArgsIsHelpError):
        return error
    return Misused(problem(error, words), error.ctx, words)


def problem(error: click.UsageError, words: Words) -> str:
    """What is wrong, in ``words``; what click has no class for, in click's own."""
    if isinstance(error, click.BadParameter):
        return parameter_problem(error, words)
    if isinstance(error, click.NoSuchOption):
        said = words.say("cli.usage.option", name=visible(error.option_name))
        return guessed(said, error.possibilities, words)
    if isinstance(error, click.BadOptionUsage):
        taken = "flag" if error.message.endswith(NO_VALUE) else "value"
        return words.say(f"cli.usage.{taken}", name=visible(error.option_name))
    if isinstance(error, NO_SUCH_COMMAND):
        said = words.say("cli.usage.command", name=visible(error.command_name))
        return guessed(said, error.possibilities, words)
    if error.message.startswith(EXTRA):
        given = error.message.partition("(")[2].rpartition(")")[0]
        return words.say("cli.usage.extra", given=visible(given))
    return visible(error.format_message(), 300)


NO_SUCH_COMMAND: Any = getattr(click, "NoSuchCommand", ())
"""The class of an unknown command's error, which click has since 8.4."""


def parameter_problem(error: click.BadParameter, words: Words) -> str:
    """What is wrong with a value, or that there is none."""
    param = error.param
    if param is None:
        return visible(error.format_message(), 300)
    name = " / ".join(param.opts) if isinstance(param, click.Option) else param.human_readable_name
    said = [words.say("cli.usage.missing", name=name)] if isinstance(error, click.MissingParameter) else []
    if isinstance(param.type, click.Choice):
        said.append(words.say("cli.usage.choice", name=name, known=words.join(map(str, param.type.choices))))
    elif param.type is click.INT and not said:
        said.append(words.say("cli.usage.number", name=name))
    return words.say("language.sentence").join(said) or visible(error.format_message(), 300)


def guessed(said: str, guesses: list[str] | None, words: Words) -> str:
    """The same, with what may have been meant."""
    if not guesses:
        return said
    return said + words.say("language.sentence") + words.say("cli.guess", guess=guesses[0])
