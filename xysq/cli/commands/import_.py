"""`xysq import`: keep the sessions that are there already."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from xysq.cli.backlog import take_in
from xysq.cli.desk import Desk
from xysq.cli.line import Line, counted, faint, line, moment, tabbed
from xysq.vault.importing import Waiting, sessions_of_claude, waiting_below


class Format(StrEnum):
    """What is imported."""

    CLAUDE_CODE = "claude-code"


def run(
    ctx: typer.Context,
    _form: Annotated[Format, typer.Argument(metavar="FORMAT", help="What is imported: claude-code.")],
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="A folder or file; without it, where they are kept."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what would be imported; change nothing.")] = False,
) -> int:
    """Keep the sessions of Claude Code that are there already, oldest first, word for word.

    Stopped at any time, the same command goes on: what is kept already is not kept again. A file that is no session is
    told and stops nobody; then it ends with 1.
    """
    desk = Desk(ctx)
    waiting = sessions_of_claude() if path is None else waiting_below(Path(path).expanduser())
    if dry_run:
        desk.list("waiting", waiting, lambda one: (_row(one),), _cells)
        desk.output.say(f"{counted(len(waiting), 'file')}, {counted(sum(one.size for one in waiting), 'byte')}")
        return 0
    return take_in(desk, waiting)


def _row(one: Waiting) -> Line:
    return line(faint(f"{moment(one.at)}  {one.size:>12,}  "), str(one.path))


def _cells(one: Waiting) -> Line:
    return tabbed(str(one.path), one.at, str(one.size), one.path.parent.name)
