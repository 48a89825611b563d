"""`xysq completion`: the completion script of a shell."""

from enum import StrEnum
from typing import Annotated

import typer

from xysq.cli.commands import load_completion
from xysq.cli.desk import Desk
from xysq.cli.line import rows


class Shell(StrEnum):
    """The shells that have one."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def run(ctx: typer.Context, shell: Annotated[Shell, typer.Argument(help="Your shell.")]) -> None:
    """Print the completion script of a shell; it belongs into the shell's own configuration."""
    desk = Desk(ctx)
    script = load_completion(shell.value)
    desk.answer({"shell": shell, "script": script}, rows(script))
