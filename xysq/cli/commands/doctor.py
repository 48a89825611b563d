"""`xysq doctor`: explain what is wrong and what to type."""

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import counted
from xysq.cli.render import health_lines
from xysq.model.report import Grade
from xysq.vault.health import health

_FOUND = 4


def run(ctx: typer.Context) -> int:
    """Look at git, the disk, the configuration and the vault; say what is wrong and what to type. Changes nothing.

    Ends with 4 where something is in the way; warnings end with 0.
    """
    desk = Desk(ctx)
    found = health(desk.call.vault)
    desk.answer({"checks": found}, (row for one in found for row in health_lines(one)))
    faults = sum(one.grade is Grade.FAULT for one in found)
    warnings = sum(one.grade is Grade.WARNING for one in found)
    desk.output.say(f"{counted(faults, 'fault')}, {counted(warnings, 'warning')}")
    return _FOUND if faults else 0
