"""`xysq discard`: drop a staged run."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.vault.api import Vault


def run(ctx: typer.Context, staged: Annotated[str, typer.Argument(metavar="RUN", help="A staged run.")]) -> None:
    """Drop a staged run; its rows are pending again."""
    desk = Desk(ctx)
    with desk.vault(Vault) as vault:
        vault.discard(staged)
    desk.answer({"discarded": staged}, ())
    desk.output.say("dropped; its rows are pending again. Next: xysq distill")
