"""Every command explains itself with an example that works."""

import shlex
import subprocess
from collections.abc import Iterator

import click
import pytest

from replay.cli import main
from replay.version import __version__

from .running import run


def commands(group: click.Group, *above: str) -> Iterator[tuple[str, ...]]:
    yield above
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)
        else:
            yield (*above, name)


COMMANDS = list(commands(main))


def examples(*command: str) -> list[str]:
    said = run(*command, "--help").stdout.split("Example:\n")[1].split("\n\n")[0]
    return [line.strip() for line in said.splitlines()]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_teaches_with_an_example_of_the_command(command: tuple[str, ...]) -> None:
    assert any(" ".join(("replay", *command)) in line for line in examples(*command))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_option_is_explained(command: tuple[str, ...]) -> None:
    found: click.Command = main
    for name in command:
        assert isinstance(found, click.Group)
        found = found.commands[name]
    options = [param for param in found.params if isinstance(param, click.Option)]
    assert [param.name for param in options if not param.help] == []


@pytest.mark.parametrize("line", [*examples("price")[:2], *examples("waits"), examples()[1]])
def test_the_examples_of_single_hands_are_hands(line: str) -> None:
    assert run(*shlex.split(line)[1:]).exit_code == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_the_program_to_the_shell(shell: str) -> None:
    script = run("completion", shell).stdout
    assert "_REPLAY_COMPLETE" in script
    assert "replay" in script


def test_the_bash_completion_script_is_bash() -> None:
    script = run("completion", "bash").stdout
    assert subprocess.run(["bash", "-n"], input=script.encode(), check=False).returncode == 0


def test_rule_sets_are_completed() -> None:
    words = {
        "_REPLAY_COMPLETE": "bash_complete",
        "COMP_WORDS": "replay price --profile mil",
        "COMP_CWORD": "3",
    }
    result = run(env=words)
    assert "mil-sbr" in result.stdout


def test_the_version_is_told() -> None:
    assert __version__ in run("--version").stdout
