"""`replay user`: the accounts of a service, for whoever keeps it; the first admin is made here."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from replay.cli.opening import opened, refusing
from replay.cli.options import lang_option
from replay.cli.program import FOUND, Refused
from replay.cli.serving import read_settings
from replay.wording import Words
from replay.wording.plain import visible

if TYPE_CHECKING:
    from replay.jobs.service import Service
    from replay.store.tables import Account

ROLES = ("player", "arbiter", "admin")
"""As the tables have them, which are not read to say what the commands are."""

LONGEST_GIVEN = 4_096
A_PAGE = 500
Command = TypeVar("Command", bound=Callable[..., Any])


@click.group("user")
def user_group() -> None:
    """The accounts of the service, which has them where REPLAY_ACCOUNTS is true.

    \b
    Example:
      replay user add Mei --role admin
      replay user list
    """


def password_options(command: Command) -> Command:
    """``--password-stdin`` and ``--generate``: where a password comes from that is not typed."""
    from_stdin = click.option(
        "--password-stdin", "from_stdin", is_flag=True, help="Read the password from the first line of stdin."
    )
    made = click.option(
        "--generate",
        is_flag=True,
        help="Make a password and print it once; it is to be changed at the first sign-in.",
    )
    return from_stdin(made(command))


@user_group.command("add")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default=ROLES[0], show_default=True, help="What it may do.")
@password_options
@lang_option
def add_command(name: str, role: str, from_stdin: bool, generate: bool, words: Words) -> None:
    """Make an account. The password is asked for twice unless it comes another way. Exit 2 where it cannot be so.

    \b
    Example:
      replay user add Mei --role admin
      replay user add "Li Ming" --role arbiter --generate
    """
    from replay.store.accounts import create

    service = accounts_of(words)
    password = password_from(from_stdin, generate, words)
    with refusing(service.settings, words), telling(words):
        create(service.engine, name, role, password, own=not generate)
    click.echo(words.say("accounts.cli.made", name=visible(name), role=words.say(f"accounts.role.{role}")))
    show(generate, password, words)


@user_group.command("list")
@click.option("--role", type=click.Choice(ROLES), default=None, help="Only those of this role.")
@lang_option
@click.pass_context
def list_command(ctx: click.Context, role: str | None, words: Words) -> None:
    """Show the accounts by name: since when there is each, its role, and whether it is barred; exit 1 for none.

    \b
    Example:
      replay user list --role arbiter
    """
    from replay.store.accounts import Asked, count, listed

    service, asked = accounts_of(words), Asked(role=role or "")
    with refusing(service.settings, words):
        total = count(service.engine, asked)
        for first in range(0, total, A_PAGE):
            for one in listed(service.engine, asked, first, A_PAGE):
                click.echo(line_of(one, words))
    if not total:
        click.echo(words.say("accounts.cli.none"))
    ctx.exit(0 if total else FOUND)


def line_of(account: "Account", words: Words) -> str:
    """An account on a line; its name stands last, as the one part that may hold spaces."""
    day = datetime.fromtimestamp(account.created / 1000, UTC).strftime("%Y-%m-%d")
    barred = "" if account.barred is None else f"  ({words.say('accounts.barred')})"
    return f"{day}  {account.role:<7}  {visible(account.name)}{barred}"


@user_group.command("role")
@click.argument("name")
@click.argument("role", type=click.Choice(ROLES))
@lang_option
def role_command(name: str, role: str, words: Words) -> None:
    """Give an account a role; where it is another, its browsers are signed out. Exit 2 for the last admin.

    \b
    Example:
      replay user role "Li Ming" arbiter
    """
    from replay.store.accounts import set_role

    service = accounts_of(words)
    account = account_named(service, name, words)
    with refusing(service.settings, words), telling(words):
        set_role(service.engine, account.id, role)
    click.echo(words.say("accounts.done.role"))


@user_group.command("bar")
@click.argument("name")
@click.option("--undo", is_flag=True, help="Let it sign in again.")
@lang_option
def bar_command(name: str, undo: bool, words: Words) -> None:
    """Let an account sign in no more; its browsers are signed out, and what it has stays. Exit 2 for the last admin.

    \b
    Example:
      replay user bar "Li Ming"
      replay user bar "Li Ming" --undo
    """
    from replay.store.accounts import bar, unbar

    service = accounts_of(words)
    account = account_named(service, name, words)
    with refusing(service.settings, words), telling(words):
        (unbar if undo else bar)(service.engine, account.id)
    click.echo(words.say("accounts.done.unbarred" if undo else "accounts.done.barred"))


@user_group.command("password")
@click.argument("name")
@password_options
@lang_option
def password_command(name: str, from_stdin: bool, generate: bool, words: Words) -> None:
    """Give an account another password; its browsers are signed out and its tokens end.

    \b
    Example:
      replay user password Mei
      replay user password "Li Ming" --generate
    """
    from replay.store.accounts import set_password

    service = accounts_of(words)
    account = account_named(service, name, words)
    password = password_from(from_stdin, generate, words)
    with refusing(service.settings, words), telling(words):
        set_password(service.engine, account, password, own=not generate, tokens=False)
    click.echo(words.say("accounts.cli.password_set"))
    show(generate, password, words)


# What they share -------------------------------------------------------------------------------------


def accounts_of(words: Words) -> "Service":
    """The service; one that has no tables yet gets them, since the first admin may be made before it ever ran."""
    from replay.store.upgrade import check, revision, upgrade

    settings = read_settings(words)
    service = opened(settings, words, newest=False)
    with refusing(settings, words):
        (upgrade if revision(service.engine) is None else check)(service.engine)
    return service


def account_named(service: "Service", name: str, words: Words) -> "Account":
    """The account of a name. Raises `Refused`."""
    from replay.store.accounts import by_name

    with refusing(service.settings, words):
        found = by_name(service.engine, name)
    if found is None:
        raise Refused(words.say("accounts.cli.unknown", name=visible(name)))
    return found


@contextmanager
def telling(words: Words) -> Iterator[None]:
    """Turn what an account cannot be into `Refused`, in the reader's words."""
    from replay.store.accounts import BadAccount
    from replay.store.passwords import LONGEST, SHORTEST

    try:
        yield
    except BadAccount as error:
        raise Refused(words.say(f"accounts.{error.why}", least=SHORTEST, most=LONGEST)) from None


def password_from(from_stdin: bool, generate: bool, words: Words) -> str:
    """The password that was made, read or typed twice. Raises `Refused`."""
    from replay.store.passwords import generated

    if from_stdin and generate:
        raise Refused(words.say("accounts.cli.both"))
    if generate:
        return generated()
    if from_stdin:
        return sys.stdin.readline(LONGEST_GIVEN).rstrip("\r\n")
    if not is_terminal():
        raise Refused(words.say("accounts.cli.no_terminal"))
    given = typed(words.say("accounts.password"))
    if given != typed(words.say("accounts.password.again")):
        raise Refused(words.say("accounts.problem.again"))
    return given


def is_terminal() -> bool:
    """Whether somebody can type."""
    return sys.stdin.isatty()


def typed(asked: str) -> str:
    """What is typed unseen."""
    return str(click.prompt(asked, hide_input=True, err=True, default="", show_default=False))


def show(generate: bool, password: str, words: Words) -> None:
    """Print a password that was made, by itself on a line."""
    if generate:
        click.echo(words.say("accounts.cli.password"))
        click.echo(password)
