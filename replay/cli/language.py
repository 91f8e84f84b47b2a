"""The language of a run: the one asked for, else that of the locale."""

import os
from collections.abc import Iterable, Mapping
from itertools import pairwise

import click

from replay.wording import Words, languages, negotiate

OPTION = "--lang"

LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""What decides, the first that is set; LANGUAGE goes before them unless it comes to C (as gettext has it)."""


def speaker(environment: Mapping[str, str]) -> str:
    """The language of someone with this environment.

    >>> speaker({"LANG": "zh_TW.UTF-8"}), speaker({"LC_ALL": "C", "LANGUAGE": "zh"}), speaker({})
    ('zh-Hant', 'en', 'en')
    """
    locale = next((environment[name] for name in LOCALES if environment.get(name)), "C")
    plain = locale.split(".")[0] in ("C", "POSIX")
    return negotiate(locale if plain else environment.get("LANGUAGE") or locale)


def asked(arguments: Iterable[str]) -> Words:
    """The words for whoever typed these arguments, which may be wrong in everything else.

    >>> asked(["audit", "--lang=zh-Hans", "--nonsense"]).lang, asked(["audit", "--lang", "zh-Hant"]).lang
    ('zh-Hans', 'zh-Hant')
    """
    parts = [part for argument in arguments for part in argument.split("=", 1)]
    known = [value for option, value in pairwise(parts) if option == OPTION and value in languages()]
    return Words.of(known[-1] if known else speaker(os.environ))


def spoken(ctx: click.Context) -> Words:
    """The words of a run, before its options are read."""
    return ctx.find_object(Words) or asked(())
