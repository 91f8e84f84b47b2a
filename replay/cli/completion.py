"""`replay completion`: what a shell needs to complete the commands, options and rule sets."""

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell, to be run by it at every start.

    \b
    Example:
      echo 'eval "$(replay completion bash)"' >> ~/.bashrc
      echo 'eval "$(replay completion zsh)"' >> ~/.zshrc
      replay completion fish > ~/.config/fish/completions/replay.fish
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion for {shell}", ctx)
    click.echo(kind(ctx.find_root().command, {}, "replay", "_REPLAY_COMPLETE").source())
