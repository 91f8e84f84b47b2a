"""`replay serve`, `web`, `worker`, `config`, `db` and `jobs`: the service and what its keeper needs."""

import os
import signal
import sys
from functools import partial
from threading import Event
from typing import Any

import click

from replay.cli.opening import opened, refusing
from replay.cli.options import lang_option
from replay.cli.program import FOUND, Refused
from replay.cli.ready import free_port, tell
from replay.settings import SECRETS, BadSettings, Settings, settings_from
from replay.wording import Words

THREADS = 8


def read_settings(words: Words) -> Settings:
    """The settings of the environment. Raises `Refused` with every problem, a line each."""
    try:
        return settings_from(os.environ)
    except BadSettings as error:
        lines = [f"{one.variable}: {one.said(words)}" for one in error.problems]
        raise Refused("\n".join([words.say("serve.settings"), *lines])) from None


@click.command("serve")
@lang_option
def serve_command(words: Words) -> None:
    """Run the whole service on this machine: web pages, workers, and a watch over both.

    Everything is kept in the folder that REPLAY_DATA names (./replay-data unless it is set); the database's tables
    are made or brought up to date. It says at which address it answers; a first start takes one sample game in and
    says where its first hand can be walked through. Ctrl-C ends it. Exit 2 for a port that is taken.

    \b
    Example:
      replay serve
      REPLAY_PORT=9000 REPLAY_DATA=/srv/replay replay serve
    """
    from replay.jobs.lines import install
    from replay.store.accounts import any_admin
    from replay.store.upgrade import upgrade
    from worker.app import bell
    from worker.keeper import Kept, command, keep
    from worker.samples import first_hand, take_sample

    settings = read_settings(words)
    settings = settings.model_copy(update={"port": free_port(settings, words)})
    os.environ["REPLAY_PORT"] = str(settings.port)  # the pages are served by a process of their own
    install("keeper")
    service = opened(settings, words, bell(settings), newest=False)
    with refusing(settings, words):
        upgrade(service.engine)
        sample = take_sample(service)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    workers = [
        Kept(command("worker"), node=f"{settings.node_name}-{number}") for number in range(settings.workers)
    ]
    click.echo(words.say("serve.starting", data=settings.data))
    with refusing(settings, words):
        if settings.accounts and not any_admin(service.engine):
            click.echo(words.say("accounts.cli.first"))
    tell(settings, words, partial(first_hand, service, sample) if sample else None, stop)
    keep([Kept(command("web")), *workers], service, stop)
    click.echo(words.say("serve.ended"))


kept_option = click.option("--kept", is_flag=True, hidden=True, help="End when standard input does.")
"""Of a process that `replay serve` keeps."""


@click.command("web")
@lang_option
@kept_option
def web_command(words: Words, kept: bool) -> None:
    """Serve the pages only; workers run elsewhere on the same settings.

    \b
    Example:
      REPLAY_DATABASE=postgresql+psycopg://… REPLAY_BROKER=redis://… replay web
    """
    from waitress import serve

    from replay.jobs.lines import install
    from replay.web import create_app
    from replay.web.security import FORM_ROOM
    from worker.app import bell
    from worker.keeper import end_with_keeper

    settings = read_settings(words)
    settings = settings.model_copy(update={"port": free_port(settings, words)})
    install("web")
    service = opened(settings, words, bell(settings))
    # Beyond it the server hangs up; between our own limit and this one there is a page that says so.
    longest = 2 * (service.limits.upload_bytes + FORM_ROOM)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if kept:
        end_with_keeper()
    serve(
        create_app(service),
        host=settings.host,
        port=settings.port,
        threads=THREADS,
        clear_untrusted_proxy_headers=not settings.proxies,
        asyncore_use_poll=True,  # `select` ends the process at its 1024th descriptor
        max_request_body_size=longest,
        connection_limit=1000,
        channel_timeout=30,
        ident=None,
    )


@click.command("worker")
@lang_option
@kept_option
def worker_command(words: Words, kept: bool) -> None:
    """Do the work that waits, until SIGTERM: jobs come through the broker, and from the database without one.

    \b
    Example:
      REPLAY_BROKER=amqp://guest:guest@127.0.0.1// replay worker
    """
    from replay.jobs.lines import install
    from worker.keeper import end_with_keeper
    from worker.process import work

    settings = read_settings(words)
    install("worker")
    opened(settings, words).engine.dispose()
    if kept:
        end_with_keeper()
    work(settings)


@click.group("config")
def config_group() -> None:
    """The settings of the service, which are REPLAY_* variables.

    \b
    Example:
      replay config check
    """


@config_group.command("check")
@lang_option
def config_check(words: Words) -> None:
    """Show every setting with the value in force, secrets hidden; exit 2 names what cannot be used.

    \b
    Example:
      replay config check
    """
    settings = read_settings(words)
    for name, entry in Settings.model_fields.items():
        value: Any = getattr(settings, name)
        shown = ("***" if value else "") if name in SECRETS else value
        click.echo(f"REPLAY_{name.upper()}={shown}  # {entry.description}")


@click.group("db")
def db_group() -> None:
    """The database of the service.

    \b
    Example:
      replay db upgrade
    """


@db_group.command("upgrade")
@lang_option
def db_upgrade(words: Words) -> None:
    """Make the tables, or bring them up to this version.

    \b
    Example:
      replay db upgrade
    """
    from replay.store.upgrade import revision, upgrade

    settings = read_settings(words)
    service = opened(settings, words, newest=False)
    with refusing(settings, words):
        upgrade(service.engine)
        made = revision(service.engine)
    click.echo(words.say("serve.upgraded", revision=str(made)))


@db_group.command("reindex")
@lang_option
def db_reindex(words: Words) -> None:
    """Fill in what reports of an older version are searched by; the service's workers do so by themselves.

    \b
    Example:
      replay db reindex
    """
    from replay.store.played import reindex

    settings = read_settings(words)
    service = opened(settings, words)
    number = 0
    with refusing(settings, words):
        while filled := reindex(service.engine, service.blobs, service.limits):
            number += filled
    click.echo(words.count("filled", number))


@click.group("jobs")
def jobs_group() -> None:
    """The work of the service.

    \b
    Example:
      replay jobs list
    """


@jobs_group.command("list")
@lang_option
@click.pass_context
def jobs_list(ctx: click.Context, words: Words) -> None:
    """Show every job that is not done; exit 1 when one is quarantined.

    \b
    Example:
      replay jobs list
    """
    from replay.jobs.queue import unfinished

    settings = read_settings(words)
    service = opened(settings, words)
    with refusing(settings, words):
        jobs = unfinished(service)
    for job in jobs:
        click.echo(
            f"{job.id}  {job.kind}  {job.state}  {job.attempts}  {job.upload_id}  {job.problem}".rstrip()
        )
    if not jobs:
        click.echo(words.say("serve.no_jobs"))
    ctx.exit(FOUND if any(job.state == "quarantined" for job in jobs) else 0)


@jobs_group.command("retry")
@click.argument("job_id")
@lang_option
def jobs_retry(job_id: str, words: Words) -> None:
    """Try a quarantined job anew.

    \b
    Example:
      replay jobs retry 2f7c0c1e-8d0f-4f0e-9a55-0d8f6c4d9a11
    """
    from replay.jobs.queue import retry

    settings = read_settings(words)
    service = opened(settings, words)
    with refusing(settings, words):
        known = retry(service, job_id)
    if not known:
        raise Refused(words.say("serve.no_such_job", job=job_id[:80]))
