"""`xysq recover`: finish what a crash interrupted."""

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import line
from xysq.vault.api import Vault


def run(ctx: typer.Context) -> None:
    """Finish decided runs and settle what has only landed; every writing command does the same first."""
    desk = Desk(ctx)
    with desk.vault(Vault) as vault:
        done = vault.recover()
        vault.notices.clear()
    desk.answer({"done": done}, map(line, done))
    if not done:
        desk.output.say("nothing to finish")
