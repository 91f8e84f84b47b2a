"""Reading inputs one by one: what cannot be read is said on standard error, and never stops the rest."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from replay.cli.inputs import Document, NoLogsError, NotAFileError, NoWriterError, Source, documents
from replay.cli.options import unreadable
from replay.limits import Limits
from replay.wording import Words
from replay.wording.plain import visible


@dataclass(slots=True)
class Unread:
    """How many inputs could not be read, and the language to say so in."""

    words: Words
    count: int = 0


def readable(source: Source, unread: Unread, limits: Limits) -> Iterator[Document]:
    """The documents of an input; that it cannot be read, or holds none, is said on standard error."""
    empty = True
    try:
        for document in documents(source, limits):
            empty = False
            yield document
        if empty:
            raise NoLogsError(source.name)
    except OSError as error:
        unread.count += 1
        click.echo(f"replay: {why_unread(unread.words, source, error)}", err=True)


TROUBLES: dict[type[OSError], str] = {NoLogsError: "empty", NotAFileError: "device", NoWriterError: "pipe"}


def why_unread(words: Words, source: Source, error: OSError) -> str:
    """Why nothing came out of an input."""
    key = TROUBLES.get(type(error))
    if key is None:
        return unreadable(words, source.name, error)
    return words.say(f"cli.{key}", name=visible(source.name, 200))
