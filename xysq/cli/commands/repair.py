"""`xysq repair`: mend what is damaged from a redundant copy."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import counted
from xysq.cli.render import finding, mended
from xysq.vault.sound import Sound

_FOUND = 4


def run(
    ctx: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
) -> int:
    """Mend what is damaged from a copy: git, the write-ahead log, the ledger, the files themselves.

    Whatever is replaced is kept under .git/xysq/kept, and said. What no copy can mend stays a finding, and ends with 4.
    """
    desk = Desk(ctx)
    with desk.examined(Sound) as vault:
        done = vault.repair(dry_run=dry_run)
    left = [one for one in done.left if not one.note]
    desk.answer(done, [*map(mended, done.mended), *map(finding, left)])
    what = "would be mended" if dry_run else "mended"
    desk.output.say(f"{counted(len(done.mended), 'thing')} {what}, {counted(len(left), 'fault')} left")
    return _FOUND if left else 0
