"""`xysq hook`: have other programs push by themselves."""

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import counted, ident, line, rows
from xysq.cli.own import own_argv
from xysq.errors import XysqError
from xysq.hook import claude_code
from xysq.hook.turn import MAX_BYTES, moment_of, take, unseen
from xysq.model.source import Channel
from xysq.vault import place
from xysq.vault.own import read_own_file, replace_own_file

_BACKUP = ".before-xysq"
_WAITS_S = 2.0


class Act(StrEnum):
    """What to do."""

    INSTALL = "install"
    REMOVE = "remove"
    STATUS = "status"
    RUN = "run"


class Program(StrEnum):
    """Whose hooks."""

    CLAUDE_CODE = "claude-code"


def run(
    ctx: typer.Context,
    act: Annotated[Act, typer.Argument(help="What to do; `run` is what the program itself calls.")],
    _program: Annotated[Program, typer.Argument(metavar="PROGRAM", help="Whose hooks: claude-code.")],
    settings: Annotated[
        Path | None, typer.Option("--settings", metavar="FILE", help="The program's settings, where it keeps others.")
    ] = None,
    backfill: Annotated[
        bool | None, typer.Option("--backfill/--no-backfill", help="Keep the sessions that are there already, too.")
    ] = None,
) -> int:
    """Have Claude Code push its transcripts, and begin its sessions with what is known about the project.

    It pushes at the end of each turn, before it compacts and when a session ends. The settings are changed in that one
    place and kept as they were in a file beside them. A hook always ends well; what went wrong is shown by
    `xysq status` and `xysq doctor`.
    """
    if act is Act.RUN:
        _take(ctx)
        return 0
    desk = Desk(ctx)
    file = settings or _settings_file()
    text = read_own_file(file)
    match act:
        case Act.INSTALL:
            root = place.find_root(desk.call.vault)
            changed = claude_code.installed(text, shlex.join(own_argv(root, *claude_code.OURS.split())))
            said = f"installed: Claude Code pushes to {root}. Its settings before: {file}{_BACKUP}"
        case Act.REMOVE:
            changed, said = claude_code.removed(text), f"removed. The settings before: {file}{_BACKUP}"
        case _:
            changed, said = text, ""
    if changed != text:
        if text:
            replace_own_file(file.with_name(f"{file.name}{_BACKUP}"), text)
        replace_own_file(file, changed)
    found = claude_code.commands(changed)
    desk.answer(
        {"settings": str(file), "changed": changed != text, "hooks": found},
        (line(ident(event), "  ", command) for event, ours in found.items() for command in ours),
    )
    if said:
        desk.output.say(said if changed != text else "nothing to change")
    elif not found:
        desk.output.say("not installed. Next: xysq hook install claude-code")
    return _backfill(desk, backfill) if act is Act.INSTALL and not desk.is_json else 0


def _backfill(desk: Desk, wanted: bool | None) -> int:
    """Keep the sessions that are there already, where that is wanted; ask where nobody said."""
    from xysq.cli.backlog import take_in
    from xysq.vault.importing import sessions_of_claude

    waiting = sessions_of_claude() if wanted is not False else ()
    if not waiting:
        return 0
    told = f"{counted(len(waiting), 'session')} of Claude Code {'is' if len(waiting) == 1 else 'are'} there already"
    if wanted is None and desk.may_ask:
        wanted = typer.confirm(f"{told}. Keep them too?", err=True)
    if not wanted:
        desk.output.say(f"{told}. To keep them too: xysq import claude-code")
        return 0
    return take_in(desk, waiting)


def _take(ctx: typer.Context) -> None:
    """Take one moment; whatever happens, the program that called goes on as if nothing had."""
    desk = Desk(ctx)
    try:
        told = sys.stdin.buffer.read(MAX_BYTES + 1)
        opened = place.opened(place.find_root(desk.call.vault), _WAITS_S, Channel.HOOK)
    except (XysqError, OSError):
        return
    moment = unseen(opened, lambda: moment_of(told))
    if moment is None:
        return
    if moment.get("hook_event_name") != claude_code.START:
        unseen(opened, lambda: take(opened, moment))
        return
    from xysq.hook.start import greeting

    text = unseen(opened, lambda: greeting(opened, moment))
    if text:
        desk.output.lines(rows(text))


def _settings_file() -> Path:
    return place.claude_folder() / "settings.json"
