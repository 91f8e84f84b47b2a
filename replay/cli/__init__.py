"""The command line: `replay audit`, `price`, `waits`, `validate`, `import`, `profiles`, `catalogue` and `completion`.

A command is one function in a module beside this one; to add one, write it there and name it in `COMMANDS`.
"""

import click

from replay.cli.audit import audit_command
from replay.cli.bench import bench_command
from replay.cli.catalogue import catalogue_command
from replay.cli.completion import completion_command
from replay.cli.explain import explain_command
from replay.cli.importing import import_command
from replay.cli.price import price_command
from replay.cli.profiles import profiles_group
from replay.cli.program import Program
from replay.cli.serving import (
    config_group,
    db_group,
    jobs_group,
    serve_command,
    web_command,
    worker_command,
)
from replay.cli.users import user_group
from replay.cli.validate import validate_command
from replay.cli.verdicts import checkpoint_command, verify_log_command
from replay.cli.waits import waits_command
from replay.version import __version__

COMMANDS: tuple[click.Command, ...] = (
    audit_command,
    explain_command,
    price_command,
    waits_command,
    bench_command,
    validate_command,
    import_command,
    profiles_group,
    catalogue_command,
    serve_command,
    web_command,
    worker_command,
    config_group,
    db_group,
    jobs_group,
    verify_log_command,
    checkpoint_command,
    user_group,
    completion_command,
)


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="replay")
def main() -> None:
    """Audits recorded games of Sichuan mahjong (四川麻将, 血战到底).

    Exit status: 0 nothing to object to, 1 something found, 2 an input or an option could not be used.

    \b
    Example:
      replay audit game.json
      replay price 123m456m789m11155p --win 5p --void s
      replay COMMAND --help     explains one command, with an example
    """


for command in COMMANDS:
    main.add_command(command)

__all__ = ["COMMANDS", "main"]
